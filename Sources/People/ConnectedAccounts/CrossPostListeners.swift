import Core
import Storage

/// What features do when a cross-post of theirs changes. Each listens to the references of its own kind.
package struct CrossPostListeners: Sendable {
    /// Follows a change of where a cross-post stands, in the transaction that makes it.
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

    /// Tells those who listen of a change.
    package func changed(_ post: CrossPost, _ transaction: Transaction) throws {
        for (kind, _, listen) in listeners.all where kind == post.reference.kind {
            try listen(post, transaction)
        }
    }
}
