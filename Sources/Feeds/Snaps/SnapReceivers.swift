import Core
import HTML
import People
import Storage

/// Those to whom a snap can be sent beside its feed or in place of one: friends and groups. A later feature offers them
/// (``SnapsFeature/receivers``).
protocol SnapReceivers: Sendable {
    /// The path at which they are searched.
    var search: String { get }

    /// The styles of the fields.
    var styles: [Page.Style] { get }

    /// Draws the fields in which they are chosen, as far as a form has chosen them, and reads what else the page shows in
    /// the same transaction.
    func fields<Subject: Sendable>(
        _ form: Input, for viewer: Account,
        reading subject: @escaping @Sendable (Transaction) throws -> Subject
    ) async throws -> (Subject, Node)

    /// Returns whether a form has chosen any.
    func areChosen(in form: Input) -> Bool

    /// Sends a picture to those whom a form has chosen, and to its feed if it has chosen one.
    ///
    /// - Returns: what to tell the person.
    func send(_ source: SnapService.Source?, _ form: Input, by viewer: Account) async throws -> String

    /// Returns what to tell the person when a form was sent before; nil when it wasn't.
    func sent(_ form: Input, by viewer: Account) async throws -> String?
}

/// The form of the search for receivers, which lies before that of the snap.
enum SnapReceiversSearch {
    static let id = "find-receivers"
}
