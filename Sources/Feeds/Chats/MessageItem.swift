import Core
import Foundation
import HTML
import People
import Serving

/// A message as its chat draws it. On the page, it has the values of a message; in the template from which scripts draw
/// the messages that arrive (`chats/message-item.js`), it has names in braces.
struct MessageItem {
    /// A picture that can be seen once: one of the three parts is drawn.
    struct Once {
        let disabled: String?
        let unopened: TemplatePart<Void>
        /// Says that it was opened, and to the sender in a group by how many.
        let opened: TemplatePart<String>
        let expired: TemplatePart<Void>

        /// The label of an unopened picture.
        static let words = "Photo · view once"

        /// Returns the label of an opened picture.
        ///
        /// - Parameter count: how many of a group have opened it; nil where it is for one person.
        static func opened(by count: Int?) -> String { count.map { "Opened by \($0)" } ?? "Opened" }
    }

    /// The portrait beside a message: the other person's, or a place for that of a group's member.
    enum Portrait {
        case of(Account)
        case place
    }

    struct Picture {
        let source: String
        let width: String
        let height: String
        let alt: String
        let blurhash: String?
    }

    struct Text {
        let classes: String
        let content: Node
    }

    /// The card of the thing that a message shares.
    struct Shared {
        let kind: SharedKind
        let id: String
        let content: Node
    }

    /// An emoji below a message, with everyone who chose it.
    struct Reaction {
        let emoji: String
        /// The emoji, with the number of people who chose it if there are two.
        let words: String
        /// The emoji that a tap sends; empty to remove the reaction.
        let value: String
        let isOwn: String
        let label: String
    }

    let id: String
    let chat: Chat.ID
    let createdAt: String
    let number: String
    let key: String?
    /// The side of the message: `out` for the viewer's messages, `in` for the other person's.
    let side: String
    /// The sender's id, in a group.
    let from: String?
    /// Whether the message right above is by the same member of a group.
    var continues = false
    /// The id of the message at which a page opens.
    static let marked = "found"

    /// Whether the page opens at the message, and marks it for a moment.
    var isMarked = false
    let portrait: TemplatePart<Portrait>
    /// The sender's name, in a group.
    let name: TemplatePart<String>
    /// The link that shows a message of somebody whom the viewer blocks.
    let fold: TemplatePart<Void>
    let isFolded: String?
    let quote: TemplatePart<MessageQuote>
    /// The note in place of the quote of a deleted message.
    let goneQuote: TemplatePart<Void>
    /// The line about the snap that the message answers.
    let snap: TemplatePart<SnapQuote>
    let once: TemplatePart<Once>
    let photo: TemplatePart<Picture>
    /// The picture of a message that waits to be sent, which only scripts have.
    let pendingOnce: TemplatePart<Void>
    let pendingPhoto: TemplatePart<Node>
    let text: TemplatePart<Text>
    let shared: TemplatePart<[TemplatePart<Shared>]>
    let reactions: TemplatePart<TemplatePart<Reaction>>
    /// The state of the message.
    let state: TemplatePart<Node>
    let options: TemplatePart<Void>

    // MARK: Drawing

    /// The page that has all about the message, for browsers without scripts.
    private var optionsPath: String { Self.optionsPath(id, in: chat) }

    private static func optionsPath(_ id: String, in chat: Chat.ID) -> String {
        "/messages/\(chat)/\(id)/options"
    }

    /// Draws the message.
    func node(_ frame: Frame) -> Node {
        li(
            .classes("message", side), .attribute("data-id", id), .attribute("data-at", createdAt),
            .attribute("data-number", number), .attribute("data-key", key),
            .attribute("data-from", from), .flag("data-continues", continues),
            .attribute("data-folded", isFolded),
            .attribute("id", isMarked ? Self.marked : nil), .flag("data-found", isMarked)
        ) {
            portrait.draw { portrait in
                switch portrait {
                case .of(let account): frame.portrait(account, pixels: 28)
                case .place: span(.class("portrait"), .flag("data-portrait")) {}
                }
            }
            element("message-bubble") {
                name.draw { name in span(.class("sender")) { name } }
                fold.draw {
                    a(.class("bubble fold"), .href(optionsPath), .flag("data-unfold")) {
                        "Blocked person · Show"
                    }
                }
                quote.draw { $0.node }
                goneQuote.draw { p(.class("quote")) { "Deleted message" } }
                snap.draw { $0.node(frame) }
                once.draw { node($0, frame) }
                photo.draw(node)
                pendingOnce.draw {
                    div(.class("bubble once")) {
                        frame.icon("1-circle")
                        Once.words
                    }
                }
                pendingPhoto.draw { picture in div(.class("bubble photo")) { picture } }
                text.draw { text in p(.classes(text.classes)) { text.content } }
                shared.draw { kinds in kinds.map { $0.draw(node) } }
                reactions.draw { all in
                    ul(.class("reactions"), .label("Reactions")) { all.draw { one in li { node(one) } } }
                }
                state.draw { words in footer(.class("state")) { words } }
            }
            options.draw {
                a(
                    .class("symbol message-options"), .href(optionsPath),
                    .label("Options of this message"), .flag("data-options")
                ) {}
            }
        }
    }

    private func node(_ once: Once, _ frame: Frame) -> Node {
        // Without scripts the button sends the form ``ChatComponents/lookForm``.
        button(
            .class("bubble once"), .attribute("form", ChatComponents.lookForm),
            .attribute("formaction", "/messages/\(chat)/\(id)/open"),
            .attribute("disabled", once.disabled), .flag("data-open")
        ) {
            frame.icon("1-circle")
            once.opened.draw { words in words }
            once.expired.draw { "Expired" }
            once.unopened.draw { Once.words }
        }
    }

    private func node(_ picture: Picture) -> Node {
        let path = "/messages/\(chat)/photos/\(id)"
        return a(.class("bubble photo"), .href(path)) {
            img(
                .src(picture.source), .attribute("width", picture.width),
                .attribute("height", picture.height), .alt(picture.alt),
                .attribute("data-blurhash", picture.blurhash), .attribute("data-hero", path))
        }
    }

    private func node(_ shared: Shared) -> Node {
        element(shared.kind.element, .class("bubble shared"), .attribute("data-id", shared.id)) {
            shared.content
        }
    }

    private func node(_ reaction: Reaction) -> Node {
        button(
            .class("reaction"), .attribute("form", ChatComponents.lookForm),
            .attribute("formaction", "/messages/\(chat)/\(id)/react"), .name("emoji"),
            .value(reaction.value), .attribute("data-react", reaction.emoji),
            .attribute("aria-pressed", reaction.isOwn), .label(reaction.label)
        ) { reaction.words }
    }
}

// MARK: Values

extension MessageItem {
    /// Creates the item of a message.
    ///
    /// - Parameters:
    ///   - viewer: the person who looks at it.
    ///   - shared: finds what messages share.
    ///   - cards: the cards of what messages share, by the things' ids.
    init(
        _ message: Message, in chat: Chat, for viewer: Account.ID, state: MessageStates.State?,
        _ shared: SharedThings, cards: [String: Drawing]
    ) {
        let isOwn = message.sender == viewer
        let thing = shared.first(in: message.text)
        let hasText = !message.text.isEmpty && thing?.isAlone != true
        id = message.id.description
        self.chat = chat.id
        createdAt = Timestamp.iso8601(message.id.createdAt)
        number = String(message.number)
        key = isOwn ? message.key : nil
        side = isOwn ? "out" : "in"
        let names = MessageNames(of: message, in: chat, for: viewer)
        let sender = chat.peer ?? message.faces[message.sender]?.account
        from = chat.group == nil ? nil : message.sender.description
        portrait = .init(isOwn ? nil : sender.map(Portrait.of))
        name = .init(isOwn || chat.group == nil ? nil : names.name(of: message.sender))
        fold = .init(if: message.isFolded)
        isFolded = message.isFolded ? "" : nil
        let quoted = message.reply.flatMap { reply -> Message.Quote? in
            if case .quoting(let quote) = reply { quote } else { nil }
        }
        quote = .init(quoted.map { MessageQuote($0, in: chat, by: names.name(of: $0.sender)) })
        goneQuote = .init(if: message.reply?.message != nil && quoted == nil)
        snap = .init(message.reply?.snap.map { _ in SnapQuote(message, in: chat, for: viewer) })
        once = .init(
            message.once(for: viewer).map { once in
                Once(
                    disabled: isOwn || once != .unopened ? "" : nil, unopened: .init(if: once == .unopened),
                    opened: .init(
                        once == .opened
                            ? Once.opened(by: isOwn && chat.group != nil ? message.once?.lookers.count : nil)
                            : nil), expired: .init(if: once == .expired))
            })
        photo = .init(
            message.photo.map { photo in
                let name =
                    isOwn ? "Photo to \(chat.title)" : "Photo from \(names.name(of: message.sender))"
                let pixels = photo.pixels(.medium)
                return Picture(
                    source: Photo.path(photo.id, .medium), width: String(pixels.width),
                    height: String(pixels.height),
                    alt: photo.description.isEmpty ? name : photo.description, blurhash: photo.blurhash)
            })
        pendingOnce = .init(if: false)
        pendingPhoto = .init(nil)
        text = .init(
            hasText
                ? Text(
                    classes: message.isEmojiOnly ? "bubble emoji" : "bubble",
                    content: Caption.node(message.text, .all, on: .page(of: shared.server)))
                : nil)
        self.shared = .init(
            thing.map { thing in
                [.init(Shared(kind: thing.kind, id: thing.id, content: cards[thing.id]?() ?? .empty))]
            })
        let distinct = message.reactions.reduce(into: [String]()) { distinct, reaction in
            if !distinct.contains(reaction.emoji) { distinct.append(reaction.emoji) }
        }
        let all = distinct.map { one in
            Reaction(message.reactions.filter { $0.emoji == one }, to: one, names, viewer: viewer)
        }
        reactions = .init(all.isEmpty ? nil : .init(all))
        let readers = Self.optionsPath(message.id.description, in: chat.id)
        self.state = .init(state.map { $0.words(readers: readers) })
        options = .init(if: true)
    }

    /// Creates the template of a chat's messages.
    ///
    /// - Parameter kinds: what messages can share.
    init(templateFor chat: Chat, sharing kinds: [SharedKind]) {
        id = "{id}"
        self.chat = chat.id
        createdAt = "{created_at}"
        number = "{number}"
        key = "{key}"
        side = "{side}"
        from = chat.group == nil ? nil : "{from}"
        portrait = .init(named: "portrait", chat.peer.map(Portrait.of) ?? .place)
        name = .init(named: "name", "{name}")
        fold = .init(named: "fold")
        isFolded = "{folded}"
        quote = .init(named: "quote", MessageQuote(templateFor: chat))
        goneQuote = .init(named: "gone_quote")
        snap = .init(named: "snap_quote", SnapQuote())
        once = .init(
            named: "once",
            Once(
                disabled: "{disabled}", unopened: .init(named: "unopened"),
                opened: .init(named: "opened", "{opened}"), expired: .init(named: "expired")))
        photo = .init(
            named: "photo",
            Picture(
                source: PhotoPaths.picture(template: "{photo_id}", .medium), width: "{width}",
                height: "{height}", alt: "{alt}",
                blurhash: "{blurhash}"))
        pendingOnce = .init(named: "pending_once")
        pendingPhoto = .init(named: "pending_photo", .text("{picture}"))
        text = .init(named: "text", Text(classes: "{classes}", content: .text("{content}")))
        shared = .init(
            named: "shared",
            kinds.map { kind in
                .init(
                    named: kind.member,
                    Shared(kind: kind, id: "{\(kind.member)}", content: .empty))
            })
        reactions = .init(
            named: "reactions",
            .init(
                named: "reaction",
                Reaction(
                    emoji: "{emoji}", words: "{words}", value: "{value}", isOwn: "{is_own}", label: "{label}")
            ))
        state = .init(named: "state", .text("{words}"))
        options = .init(named: "options")
    }
}

/// The names of the people whom a message names.
struct MessageNames {
    private let message: Message
    private let chat: Chat
    private let viewer: Account.ID

    init(of message: Message, in chat: Chat, for viewer: Account.ID) {
        (self.message, self.chat, self.viewer) = (message, chat, viewer)
    }

    /// Returns somebody's name, or "You" for the viewer.
    func name(of account: Account.ID) -> String {
        if account == viewer { return "You" }
        return chat.peer?.displayName ?? message.faces[account]?.account.displayName ?? "Someone"
    }
}

extension MessageItem.Reaction {
    /// Creates the reactions with one emoji.
    ///
    /// - Parameter same: the reactions with this emoji.
    fileprivate init(
        _ same: [Message.Reaction], to emoji: String, _ names: MessageNames, viewer: Account.ID
    ) {
        let isOwn = same.contains { $0.account == viewer }
        let others = same.filter { $0.account != viewer }.map { names.name(of: $0.account) }
        let names = ((isOwn ? ["you"] : []) + others).joined(separator: " and ")
        self.init(
            emoji: emoji, words: same.count > 1 ? "\(emoji) \(same.count)" : emoji,
            value: isOwn ? "" : emoji, isOwn: isOwn ? "true" : "false", label: "\(emoji) from \(names)")
    }
}

extension MessageStates.State {
    /// Returns the words of the last line of a message.
    ///
    /// - Parameter readers: the path of the page that names those who have read it.
    @NodeBuilder fileprivate func words(readers: String) -> Node {
        switch self {
        case .sent: "Sent"
        case .delivered: "Delivered"
        case .seen(let count): a(.href(readers), .flag("data-readers")) { "Seen by \(count)" }
        case .read(let date):
            span {
                "Read "
                if let date {
                    time(
                        .datetime(Timestamp.iso8601(date)), .title(Timestamp.long(date)), .flag("data-clock")
                    ) {
                        String(Timestamp.iso8601(date).dropFirst(11).prefix(5))
                    }
                }
            }
        }
    }
}
