import Core
import Foundation
import People
import Serving

/// What a chat of several people has beside its messages.
struct Group: Sendable {
    /// The name that a member gave; empty for none.
    var title: String
    /// The member who may remove others; nil when there is nobody left.
    var owner: Account.ID?
    /// The photo that stands for the group; nil for the portraits of its members.
    var picture: Photo.ID?
    /// The members with the viewer, in the order in which they joined: all, or as many as were asked for (``Extent``).
    var members: [Member]
    /// The number of all members.
    var membersCount: Int

    /// How many members are read with a group.
    enum Extent: Sendable {
        case all
        /// The first, whose names and portraits stand for the group in a list.
        case first
    }

    /// A member of a group.
    struct Member: Sendable {
        let account: Account
        let joinedAt: Date
        /// The messages that the member has received and read; none before they have accepted.
        let marks: Chat.Marks
        /// Whether the member was asked first, because they block somebody of the group, and hasn't answered.
        let isInvited: Bool
        /// Whether the viewer blocks the member.
        let isBlocked: Bool
    }

    /// The members without one person.
    func others(besides viewer: Account.ID) -> [Member] { members.filter { $0.account.id != viewer } }

    /// Returns the members who have read a message, without one person. Who joined later hasn't got it, although what came
    /// before counts as read for them.
    func readers(of message: Message.ID, besides viewer: Account.ID) -> [Account] {
        others(besides: viewer).filter {
            !$0.isInvited && $0.joinedAt <= message.createdAt && $0.marks.readThrough >= message
        }.map(\.account)
    }

    /// The most names that stand for a group without a name.
    private static let mostNames = 3

    /// The members whom ``Extent/first`` reads: the viewer may be one of them.
    static let mostShown = mostNames + 1

    /// Returns the names of the members besides the viewer, which stand for a name.
    func names(besides viewer: Account.ID) -> String {
        let names = others(besides: viewer).map(\.account.displayName)
        guard !names.isEmpty else { return "Group" }
        let first = names.prefix(Self.mostNames).joined(separator: ", ")
        let more = membersCount - 1 - Self.mostNames
        return more > 0 ? "\(first) and \(more) more" : first
    }
}

extension Chat {
    /// The people of the chat besides the viewer.
    var others: [Account] {
        peer.map { [$0] } ?? group?.others(besides: viewer).map(\.account) ?? []
    }

    /// The people of the group whom the viewer blocks.
    var blocked: [Account] { group?.members.filter(\.isBlocked).map(\.account) ?? [] }
}

/// The rules for groups.
enum GroupRules {
    static let titleLength = 60
    /// The most members.
    static let mostMembers = 50
    /// The most whom somebody can have in a group with them.
    static let mostOthers = mostMembers - 1
    /// The most groups of a person: their list reads them all.
    static let mostGroups = 1_000

    /// Returns a name as it is stored, in one line.
    ///
    /// - Throws: ``Refusal`` (422) for one that is too long or shows nothing.
    static func title(_ text: String) throws -> String {
        let title = text.trimmed
        var problems = Problems()
        if title.count > titleLength || title.unicodeScalars.count > 4 * titleLength {
            problems.add("title", "ERR_TOO_LONG", "A name has at most \(titleLength) characters.")
        } else if !title.isEmpty {
            ShownText.check(title, as: "A name", field: "title", into: &problems)
        }
        try problems.throwIfAny()
        return title
    }
}

extension Message {
    /// What happened in a group.
    struct Event: Sendable, Equatable {
        /// The kinds of what happens, by their names in the database and in the JSON interface.
        enum Kind: String, Sendable {
            /// The sender made the group.
            case made
            /// The sender named the group; the text is the name.
            case named
            /// The sender chose a picture.
            case pictured
            /// The sender added somebody.
            case added
            /// The sender accepted an invitation.
            case joined
            /// The sender removed somebody.
            case removed
            /// The sender left.
            case left
        }

        var kind: Kind
        /// The person whom it concerns besides the sender.
        var subject: Account.ID?

        /// Returns the sentence about it.
        func words(of message: Message, for viewer: Account.ID) -> String {
            let actor = message.name(of: message.sender, for: viewer, asSubject: true)
            let other = subject.map { message.name(of: $0, for: viewer) } ?? "someone"
            return switch kind {
            case .made: message.text.isEmpty ? "\(actor) made the group" : "\(actor) made “\(message.text)”"
            case .named:
                message.text.isEmpty
                    ? "\(actor) took the group’s name away" : "\(actor) named the group “\(message.text)”"
            case .pictured: "\(actor) changed the group’s picture"
            case .added: "\(actor) added \(other)"
            case .joined: "\(actor) joined"
            case .removed: "\(actor) removed \(other)"
            case .left: "\(actor) left"
            }
        }
    }

    /// Returns the name of a person whom a message of a group names.
    fileprivate func name(of account: Account.ID, for viewer: Account.ID, asSubject: Bool = false) -> String {
        if account == viewer { return asSubject ? "You" : "you" }
        return faces[account]?.account.displayName ?? (asSubject ? "Someone" : "someone")
    }
}
