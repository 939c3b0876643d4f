import Core
import Storage

/// The listeners that features register for their cross-posts. Each listens to the references of its own kind.
package struct CrossPostListeners: Sendable {
    /// A closure that is called when the state of a cross-post changes, in the transaction of the change.
    package typealias Listener = @Sendable (CrossPost, Transaction) throws -> Void

    private let listeners: Registry<(kind: String, place: String, listen: Listener)>

    /// Where people agree to what is published, such as `in a contract`.
    package var places: String { listeners.all.map(\.place).joined(separator: " or ") }

    package init(_ app: AppParts) { listeners = app.registry() }

    /// Listens to the cross-posts whose references are of a kind.
    ///
    /// - Parameter place: where people agree to what is published, such as `in a contract`.
    package func add(_ kind: String, agreed place: String, _ listen: @escaping Listener) {
        listeners.add((kind, place, listen))
    }

    /// Notifies the listeners of a change.
    package func changed(_ post: CrossPost, _ transaction: Transaction) throws {
        for (kind, _, listen) in listeners.all where kind == post.reference.kind {
            try listen(post, transaction)
        }
    }
}
