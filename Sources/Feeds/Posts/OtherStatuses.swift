import Core
import Hummingbird
import People
import Serving
import Storage

/// Things of another feature that apps see as statuses and that aren't posts, such as messages. Their feature registers
/// them (``PostsFeature/otherStatuses``).
package struct OtherStatuses: Sendable {
    /// What an app does with one status.
    package enum Call: Sendable {
        case look, context, source, history, likers, boosters, delete, edit, save, pin, muteThread
        /// Sets the heart, or takes it back.
        case like(Bool)
    }

    /// Answers a call about the thing with an id; nil when there is none that the viewer sees.
    package typealias Answer =
        @Sendable (_ call: Call, _ id: Int64, _ request: Request, _ context: AppContext) async throws ->
        Response?
    /// Writes what an app sends as a new status: an answer to the thing with the id `parent`, or something for the people
    /// whom its text mentions. Returns nil when the viewer sees no such parent.
    package typealias Write =
        @Sendable (_ input: Input, _ parent: Int64?, _ request: Request, _ context: AppContext) async throws
        ->
        Response?

    /// A status that was found, with the id by which a list of statuses is ordered.
    package struct Found: Sendable {
        package let id: Int64
        /// Writes the status.
        package let write: @Sendable (_ json: inout JSONWriter) -> Void

        package init(id: Int64, write: @escaping @Sendable (_ json: inout JSONWriter) -> Void) {
            self.id = id
            self.write = write
        }
    }

    /// Returns one page of the things that have all words of a text and that the viewer sees, newest first; none for an app
    /// that may not read them.
    package typealias Find =
        @Sendable (_ text: String, _ page: PageRequest, _ context: AppContext) async throws -> [Found]

    /// Returns whom a report of the thing with an id is about, and what it stores; nil when there is none that the viewer
    /// sees.
    package typealias Reported =
        @Sendable (_ id: Int64, _ viewer: Account, _ transaction: Transaction) throws ->
        (account: Account.ID, subject: Report.Subject)?

    /// The kind of a thing in reports (``ReportKind/kinds``).
    let kind: String
    let answer: Answer
    let write: Write
    /// Finds things by their words, for searches of statuses.
    package let find: Find
    let reported: Reported

    package init(
        kind: String, answer: @escaping Answer, write: @escaping Write, find: @escaping Find,
        reported: @escaping Reported
    ) {
        self.kind = kind
        self.answer = answer
        self.write = write
        self.find = find
        self.reported = reported
    }
}

extension Registry<OtherStatuses> {
    /// Answers a call about a post or comment; when the viewer sees none with the id, about a status of another feature.
    func answer(
        _ call: OtherStatuses.Call, _ request: Request, _ context: AppContext,
        about post: (Post.ID) async throws -> Response
    ) async throws -> Response {
        let id = try context.id("id", of: Post.self)
        do {
            return try await post(id)
        } catch let refusal as Refusal where refusal == .notFound {
            for other in all {
                if let answer = try await other.answer(call, id.rawValue, request, context) { return answer }
            }
            throw refusal
        }
    }

    /// Writes a new status of another feature; nil when the status is a post or comment.
    func write(
        _ input: Input, answering parent: Post.ID?, _ request: Request, _ context: AppContext
    ) async throws -> Response? {
        for other in all {
            if let answer = try await other.write(input, parent?.rawValue, request, context) { return answer }
        }
        return nil
    }
}
