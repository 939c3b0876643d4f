import Core
import HTML
import People

/// The quote in a reply, which links to the message that the reply answers.
struct MessageQuote {
    let id: String
    /// The address that opens the chat at the quoted message.
    let path: String
    /// The path of a small picture of the quoted message's photo.
    let picture: TemplatePart<String>
    let name: String
    let words: String

    /// Creates the quote of a message.
    init(_ quote: Message.Quote, in chat: Chat, by name: String) {
        id = quote.id.description
        path = ChatPaths.message(quote.id, in: chat.id)
        picture = .init(quote.photo.map { Photo.path($0, .square) })
        self.name = name
        words = quote.words
    }

    /// Creates the template of a chat's quotes.
    init(templateFor chat: Chat) {
        id = "{id}"
        path = ChatPaths.message("{id}", in: chat.id)
        picture = .init(named: "picture", "{picture}")
        name = "{name}"
        words = "{words}"
    }

    /// Draws the quote.
    var node: Node {
        a(.class("quote"), .href(path), .attribute("data-quote", id)) {
            picture.draw { img(.src($0), .width(36), .height(36), .alt("")) }
            span {
                span(.class("unseen")) { "Reply to " }
                b { name }
                span { words }
            }
        }
    }
}

/// The line in a message that answers a snap: whose it was, without its picture.
struct SnapQuote {
    /// Whose snap it was: "Your snap".
    let words: String

    /// Creates the line of a message.
    init(_ message: Message, in chat: Chat, for viewer: Account.ID) {
        words = message.sender == viewer ? Self.words(of: chat.title) : "Your snap"
    }

    /// Creates the template.
    init() { words = "{snap}" }

    /// Returns the words for a snap of somebody else.
    static func words(of name: String) -> String { "\(name)’s snap" }

    /// Draws the line.
    func node(_ frame: Frame) -> Node {
        p(.class("quote snap")) {
            frame.icon("lightning-fill")
            span {
                span(.class("unseen")) { "Reply to " }
                words
            }
        }
    }
}

/// The note above the text field while a message or a snap is answered.
struct MessageAnswer {
    /// The field that the form sends without scripts, and the id of what is answered.
    let field: TemplatePart<(name: String, id: String)>
    let title: String
    let words: String
    /// The path of the chat's page without an answer, for browsers without scripts.
    let without: TemplatePart<String>
    /// Whether scripts end the answer.
    let dismissal: TemplatePart<Void>

    /// Creates the answer to a message.
    init(_ message: Message, in chat: Chat, for viewer: Account.ID) {
        field = .init((name: "reply_to_id", id: message.id.description))
        let names = MessageNames(of: message, in: chat, for: viewer)
        title = message.sender == viewer ? "Reply to yourself" : "Reply to \(names.name(of: message.sender))"
        words =
            Message.Quote(
                id: message.id, sender: message.sender, text: MessageRules.excerpt(of: message.text),
                isOnce: message.once != nil
            ).words
        without = .init(ChatPaths.page(chat.id))
        dismissal = .init(if: false)
    }

    /// Creates the answer to a snap of the other person.
    init(to snap: Snap.ID, in chat: Chat) {
        field = .init((name: "snap_id", id: snap.description))
        title = "Reply to \(SnapQuote.words(of: chat.title))"
        words = "Its picture isn’t quoted."
        without = .init(ChatPaths.page(chat.id))
        dismissal = .init(if: false)
    }

    /// Creates the template of an answer.
    init() {
        field = .init(nil)
        title = "{title}"
        words = "{words}"
        without = .init(nil)
        dismissal = .init(if: true)
    }

    /// Draws the answer.
    func node(_ frame: Frame) -> Node {
        .list([
            field.draw { input(.type("hidden"), .name($0.name), .value($0.id)) },
            frame.icon("reply"),
            p {
                b { title }
                span { words }
            },
            without.draw { path in
                a(.class("symbol"), .href(path), .label("Don’t reply"), .flag("data-dismiss")) {
                    frame.icon("x-lg")
                }
            },
            dismissal.draw {
                button(
                    .class("symbol"), .type("button"), .label("Don’t reply"), .flag("data-dismiss")
                ) { frame.icon("x-lg") }
            },
        ])
    }
}
