import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The sending of a snap's picture to friends and groups, as a view-once photo in each conversation, beside its feed or
/// in place of one.
struct SnapSending: Sendable {
    let snaps: SnapService
    let chats: ChatService
    let messages: MessageService
    let singleUse: SingleUseMediaService

    /// What was sent.
    struct Sent: Sendable {
        /// The snap of the feed; nil when none was chosen.
        var snap: Snap?
        /// One message for each receiver.
        var messages: [Message]
    }

    /// Sends a picture to friends and groups, and posts it to a feed if one is named. An upload is used up.
    ///
    /// - Parameter key: the key of the form or call, so that sending it twice sends and posts once.
    /// - Throws: ``Refusal`` as the sending of a message to each and ``SnapService/post(_:to:by:key:)`` do. When something
    ///   fails after the first message, the same call with the same key does the rest.
    func send(
        _ source: SnapService.Source?, to receivers: Receivers, andFeed feed: String?, by viewer: Account,
        key: String?
    ) async throws -> Sent {
        let source = try SnapService.checked(source)
        if let feed { _ = try snaps.feed(feed) }
        try receivers.check()
        // A predefined picture is rendered once, and copied for each.
        let rendered: OnceCopies.Copy? =
            if case .sample = source { try await snaps.copy(of: source, by: viewer) } else { nil }
        let draft = MessageService.Draft(
            text: "",
            picture: .onceMade { [snaps] in
                guard let rendered else { return try await snaps.copy(of: source, by: viewer) }
                return try await snaps.copies.copy(of: rendered)
            })
        var sent = Sent(snap: nil, messages: [])
        do {
            sent.messages = try await messages.send(draft, toEach: receivers, by: viewer, key: key, chats)
        } catch {
            await snaps.copies.discard(rendered)
            throw error
        }
        await snaps.copies.discard(rendered)
        if let feed {
            sent.snap = try await snaps.post(
                source, to: feed, by: viewer, key: key.map { .form($0, scope: "snap") })
        } else if case .upload(let id, _) = source {
            try await singleUse.discard(id, by: viewer)
        }
        return sent
    }
}

/// The choice of friends and groups for a snap, and the call that sends to them.
struct SnapSendingRoutes: SnapReceivers {
    let sending: SnapSending
    let frame: Frame
    let relations: RelationshipService
    let snapEntities: SnapEntities
    let chatEntities: ChatEntities

    let search = "/snaps/receivers"
    let styles = [Page.Style.accounts, .chats]

    func add(to router: Router<AppContext>) {
        router.get("snaps/receivers", use: results)
        router.post("api/v1/snaps/send", use: send)
    }

    private var chooser: ReceiverChooser {
        ReceiverChooser(frame: frame, relations: relations, path: search, action: SnapPaths.list)
    }

    // MARK: The form

    func fields<Subject: Sendable>(
        _ form: Input, for viewer: Account,
        reading subject: @escaping @Sendable (Transaction) throws -> Subject
    ) async throws -> (Subject, Node) {
        let (read, offered) = try await chooser.offered(form, of: viewer, for: subject)
        return (read, chooser.form.fields(offered, searchForm: SnapReceiversSearch.id))
    }

    func areChosen(in form: Input) -> Bool { Receivers(form).count > 0 }

    func send(_ source: SnapService.Source?, _ form: Input, by viewer: Account) async throws -> String {
        let receivers = Receivers(form)
        let sent = try await sending.send(
            source, to: receivers, andFeed: form.filled("feed_id"), by: viewer, key: form.filled("key"))
        return Self.words(sent.snap, receivers)
    }

    func sent(_ form: Input, by viewer: Account) async throws -> String? {
        guard let key = form.filled("key") else { return nil }
        let receivers = Receivers(form)
        guard 1...Receivers.most ~= receivers.count,
            try await sending.messages.wereSent(receivers.keys(key), by: viewer)
        else { return nil }
        guard let feed = form.filled("feed_id") else { return Self.words(nil, receivers) }
        let snap = try await sending.snaps.posted(with: .form(key, scope: "snap"), by: viewer)
        return snap?.feed.id == feed ? Self.words(snap, receivers) : nil
    }

    private static func words(_ snap: Snap?, _ receivers: Receivers) -> String {
        let posted = snap.map { "posted to \($0.feed.title) and " } ?? ""
        return "Snap \(posted)sent to \(receivers.words)."
    }

    /// Serves the results of a search, and further friends, for the script.
    private func results(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        guard request.wantsFragment else { return .see(SnapPaths.new) }
        let (_, offered) = try await chooser.offered(Input.query(request), of: viewer) { _ in () }
        return .html(chooser.form.fragment(offered), for: request)
    }

    // MARK: The interface

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try MessageKey.read(request)
        let input = try await Input.read(request, context)
        let receivers = Receivers(
            people: try input.ids("account_ids", of: "an account"),
            chats: try input.ids("chat_ids", of: "a chat"))
        let feed = input.filled("feed_id")
        // The call is one of the topic of chats.
        guard feed == nil || context.allows(.write(.snaps)) else { throw Refusal.outOfScope(.write(.snaps)) }
        let sent = try await sending.send(
            SnapService.Source(input), to: receivers, andFeed: feed, by: viewer, key: key)
        return .json(status: .created, for: request, capacity: 4096) { json in
            json.object { json in
                json.key("snap")
                if let snap = sent.snap {
                    snapEntities.snap(ListedSnap(snap: snap, state: .unopened, isOwn: true), into: &json)
                } else {
                    json.null()
                }
                json.array("messages", sent.messages) { json, message in
                    chatEntities.message(message, viewer: context.reader, into: &json)
                }
            }
        }
    }
}
