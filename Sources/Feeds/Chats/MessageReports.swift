import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// Reports about messages. Administrators see the message, and no other message of the chat.
struct MessageReports: ReportKind {
    /// The name of the kind.
    static let kind = "message"

    let messages: MessageService
    let kinds = [Self.kind]
    let noun = "a message"
    let parameters = "message_id chat_id"
    let members = "message_id*:id chat_id*:id"
    let path: RouterPath = "messages/:id/:message/report"

    func screen(_ context: AppContext) async throws -> ReportScreen {
        let viewer = try context.viewer
        let chat = try context.id("id", of: Chat.self)
        let (message, sender) = try await messages.messageAndSender(
            context.id("message"), in: chat, for: viewer)
        let once = "They don’t see the photo, because it can be seen only once. Describe what it showed. "
        return ReportScreen(
            target: .init(kind: Self.kind, id: message.id.rawValue, holder: chat.rawValue),
            account: sender, photo: message.photo,
            words: message.text.isEmpty ? "Photo" : message.text,
            note: "They see this message, but no other messages of your chat. "
                + (message.once == nil ? "" : once),
            path: "/messages/\(chat)/\(message.id)/report", tab: .friends,
            back: ("Messages", ChatPaths.page(chat)), next: ChatPaths.page(chat))
    }

    func targets(_ input: Input) throws -> [ReportTarget] {
        guard let message = input.id("message_id", of: Message.self) else { return [] }
        guard let chat = input.id("chat_id", of: Chat.self) else {
            throw Refusal.invalid("chat_id", "ERR_BLANK", "Say in which chat the message is.")
        }
        return [.init(kind: Self.kind, id: message.rawValue, holder: chat.rawValue)]
    }

    func reported(
        _ target: ReportTarget, for viewer: Account, _ transaction: Transaction
    ) throws -> (account: Account.ID, subject: Report.Subject) {
        let message = try MessageRecords(transaction).visible(
            ID(rawValue: target.id), in: ID(rawValue: target.holder), for: viewer)
        return (message.sender, Self.subject(message, in: ID(rawValue: target.holder)))
    }

    /// Returns what a report of a message stores.
    static func subject(_ message: Message, in chat: Chat.ID) -> Report.Subject {
        .init(kind: kind, id: message.id.rawValue, holder: chat.rawValue, quote: message.text)
    }

    func write(_ reports: [Report], into json: inout JSONWriter) {
        guard let report = reports.first, kinds.contains(report.subject.kind) else { return }
        json.member("message_id", String(report.subject.id))
        json.member("chat_id", String(report.subject.holder))
    }

    func evidence(
        _ subject: Report.Subject, of account: Account, _ transaction: Transaction
    ) throws -> ReportEvidence {
        let message = try MessageRecords(transaction).unchecked(
            ID(rawValue: subject.id), in: ID(rawValue: subject.holder))
        let once = message?.once == nil ? "" : " · with a view-once photo, which isn’t shown"
        return ReportEvidence(
            words: ReportCard.quoted("message", subject.quote),
            since: message == nil ? " · deleted since" : once, photos: [message?.photo].compactMap { $0 },
            removable: message == nil ? nil : "message")
    }

    func remove(_ subject: Report.Subject, _ transaction: Transaction) throws {
        try messages.remove(ID(rawValue: subject.id), in: ID(rawValue: subject.holder), transaction)
    }

    func showing(_ photo: Photo.ID, _ transaction: Transaction) throws -> [Int64] {
        try MessageRecords(transaction).holding(photo).map(\.rawValue)
    }
}
