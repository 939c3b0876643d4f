import Core
import People
import Serving
import Storage

/// A new message as an app sends it: as a status.
struct MessageStatusForm: Sendable {
    let addressing: Addressing
    private let input: Input
    private let key: String?

    init(_ input: Input, key: String?, at server: String) {
        self.input = input
        self.key = key
        addressing = Addressing(input.text("status"), at: server)
    }

    /// Refuses what a message doesn't have, so that nobody believes that it has it.
    ///
    /// - Throws: ``Refusal`` (422) with every wrong field.
    func check() throws {
        var problems = Problems()
        if let visibility = input.filled("visibility"), visibility != PostRules.direct {
            problems.add(
                "visibility", "ERR_INVALID",
                "What answers a message stays between the people of its chat. Send it as direct.")
        }
        let photos = input.list("media_ids")
        if input.filled("spoiler_text") != nil || (input.bool("sensitive") == true && !photos.isEmpty) {
            problems.add(
                "spoiler_text", "ERR_INVALID",
                "A message can’t be covered. Leave the warning out, or send the photo to view once in Tintype."
            )
        }
        if photos.count > MessageForm.mostPictures {
            problems.add(
                "media_ids", "ERR_TOO_MANY", "Send at most \(MessageForm.mostPictures) photos at once.")
        }
        try problems.throwIfAny()
    }

    /// Returns the messages: one for each photo, since a message has one photo. The first has the text.
    ///
    /// - Parameters:
    ///   - receivers: the folded names of those who receive them, and of the sender.
    ///   - answered: the message that the first one answers.
    /// - Throws: ``Refusal`` (422) for an id that is none.
    func parts(for receivers: Set<String>, answering answered: Message.ID? = nil) throws -> [MessageService
        .Part]
    {
        let photos: [Photo.ID] = try input.ids("media_ids", of: "a photo")
        let first = MessageService.Draft(
            text: addressing.text(for: receivers, isAnswer: answered != nil),
            picture: photos.first.map { .photo($0) } ?? .none,
            reply: answered)
        let others = photos.dropFirst().map { MessageService.Draft(text: "", picture: .photo($0)) }
        return ([first] + others).enumerated().map { number, draft in
            .init(draft: draft, key: key.map { number == 0 ? $0 : "\($0) \(number)" })
        }
    }
}

extension ChatService {
    /// Returns the people whom a text names, besides the viewer, by their folded names.
    ///
    /// - Throws: ``Refusal`` (422) when it names nobody, or begins with a name that nobody has whom the viewer can see.
    func receivers(of addressing: Addressing, by viewer: Account) async throws -> [String: Account] {
        if let stranger = addressing.stranger {
            throw Refusal.invalid(
                "status", "ERR_INVALID",
                "\(stranger) is on another server. Messages go to people on this server.")
        }
        let own = AccountRules.folded(username: viewer.username)
        let names = Set(addressing.names).subtracting([own])
        // More can't be in a group, and each is looked up.
        guard names.count < GroupRules.mostMembers else {
            throw Refusal.invalid(
                "status", "ERR_TOO_MANY", "A group has at most \(GroupRules.mostMembers) people.")
        }
        let people =
            names.isEmpty
            ? [:]
            : try await database.read {
                try AccountRecords($0).accounts(foldedUsernames: names, for: viewer.id)
            }
        if let unknown = addressing.first.first(where: { $0 != own && people[$0] == nil }) {
            throw Refusal.invalid(
                "status", "ERR_INVALID", "There is nobody named @\(unknown) to whom you can write.")
        }
        guard !people.isEmpty else {
            throw Refusal.invalid(
                "status", "ERR_BLANK",
                "Say whom you write to, as in “@ana See you at eight”. Everyone whom you mention gets the message."
            )
        }
        return people
    }
}
