import HTML
import Serving

/// A text as people write it: mentions, hashtags and links become links, line ends are kept.
package enum Caption {
    /// A piece of a caption.
    package enum Piece: Equatable {
        case text(String)
        /// A mention: `@username`.
        case mention(String)
        /// A hashtag: `#word`.
        case tag(Hashtag)
        /// An `http` or `https` URL.
        case link(String)
    }

    /// Splits a text into pieces.
    package static func pieces(_ text: String) -> [Piece] {
        var pieces: [Piece] = []
        var plain = ""
        var rest = text[...]
        var tags: Set<String> = []
        func flush() {
            if !plain.isEmpty { pieces.append(.text(plain)) }
            plain = ""
        }
        while let first = rest.first {
            let startsWord = plain.last.map { !$0.isLetter && !$0.isNumber && $0 != "/" } ?? true
            if startsWord, first == "@", let name = username(rest.dropFirst()) {
                flush()
                pieces.append(.mention(name))
                rest = rest.dropFirst(1 + name.count)
            } else if startsWord, first == "#", !["=", ")", "&"].contains(plain.last),
                let tag = Hashtag(at: rest.dropFirst()),
                tags.contains(tag.name) || tags.count < Hashtag.most
            {
                flush()
                tags.insert(tag.name)
                pieces.append(.tag(tag))
                let count = 1 + tag.written.unicodeScalars.count
                rest = Substring(rest.unicodeScalars.dropFirst(count))
            } else if startsWord, first == "h", let url = url(rest) {
                flush()
                pieces.append(.link(url))
                rest = rest.dropFirst(url.count)
            } else {
                plain.append(first)
                rest = rest.dropFirst()
            }
        }
        flush()
        return pieces
    }

    /// Returns the usernames mentioned in a text, each once, at most twenty.
    package static func mentions(_ text: String) -> [String] {
        var names: [String] = []
        for case .mention(let name) in pieces(text)
        where !names.contains(where: { $0.lowercased() == name.lowercased() }) {
            names.append(name)
        }
        return Array(names.prefix(20))
    }

    /// Returns the hashtags in a text, each once, at most ``Hashtag/most``.
    package static func tags(_ text: String) -> [Hashtag] {
        guard text.utf8.contains(UInt8(ascii: "#")) else { return [] }
        var tags: [Hashtag] = []
        for case .tag(let tag) in pieces(text) where !tags.contains(where: { $0.name == tag.name }) {
            tags.append(tag)
        }
        return tags
    }

    private static func username(_ rest: Substring) -> String? {
        var name = rest.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }
        // A dot at the end belongs to the sentence.
        while name.last == "." { name = name.dropLast() }
        return name.isEmpty || name.count > 30 ? nil : String(name)
    }

    private static func url(_ rest: Substring) -> String? {
        guard rest.hasPrefix("https://") || rest.hasPrefix("http://") else { return nil }
        var url = rest.prefix { !$0.isWhitespace && $0 != "<" && $0 != ">" && $0 != "\"" }
        var unopened = url.count { $0 == ")" } - url.count { $0 == "(" }
        while let last = url.last, ".,;:!?)]'’”".contains(last) {
            if last == ")" {
                // A bracket that the address itself has opened belongs to the address.
                guard unopened > 0 else { break }
                unopened -= 1
            }
            url = url.dropLast()
        }
        return url.count > 10 ? String(url) : nil
    }

    /// The mentions that become links.
    package enum Mentions {
        /// All mentions, since nobody has looked up whom they name.
        case all
        /// The mentions of these accounts.
        case of([Mention])
    }

    /// An account that a text mentions, under its present name.
    package struct Mention: Sendable, Hashable {
        package let id: Account.ID
        package let username: String
    }

    /// The place where a text is read.
    package enum Place {
        /// A page of the server with this address. Links to the server's own screens are paths and open in the page;
        /// the style sheet shows line ends.
        case page(of: String)
        /// An app, which knows no paths. Line ends are `<br>`.
        case app(of: String)
    }

    /// Returns the text as HTML.
    package static func node(_ text: String, _ mentions: Mentions, on place: Place) -> Node {
        .list(
            pieces(text).map { piece in
                switch (piece, place) {
                case (.text(let text), .page): .text(text)
                case (.text(let text), .app): lines(text)
                case (.mention(let name), _) where !mentions.include(name): .text("@\(name)")
                case (.mention(let name), .page): person(name, AppPaths.profile(name))
                case (.mention(let name), .app(let server)): person(name, "\(server)/@\(name)")
                case (.tag(let tag), .page):
                    a(.class("hashtag"), .href(AppPaths.tag(tag.written)), .rel("tag")) { "#\(tag.written)" }
                case (.tag(let tag), .app(let server)):
                    a(.class("mention hashtag"), .href(server + AppPaths.tag(tag.name)), .rel("tag")) {
                        "#"
                        span { tag.written }
                    }
                case (.link(let url), .page(let server)):
                    LocalPath(url: url, of: server).map { path in a(.href(path.text)) { url } }
                        ?? elsewhere(url)
                case (.link(let url), .app): elsewhere(url)
                }
            })
    }

    /// Returns the text as HTML beside a name, isolated: characters of right-to-left scripts in the text don't move
    /// what is around it (UAX #9, 6.3).
    package static func isolated(_ text: String, _ mentions: Mentions, on place: Place) -> Node {
        element("bdi") { node(text, mentions, on: place) }
    }

    /// Returns plain text beside a name, isolated.
    package static func isolated(_ text: String) -> Node { element("bdi") { text } }

    private static func person(_ name: String, _ href: String) -> Node {
        a(.class("mention"), .href(href)) { "@\(name)" }
    }

    private static func elsewhere(_ url: String) -> Node {
        a(.href(url), .rel("nofollow noopener noreferrer"), .attribute("target", "_blank")) { url }
    }

    private static func lines(_ text: String) -> Node {
        var nodes: [Node] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { nodes.append(br()) }
            nodes.append(.text(String(line)))
        }
        return .list(nodes)
    }
}

extension Caption.Mentions {
    fileprivate func include(_ name: String) -> Bool {
        switch self {
        case .all: true
        case .of(let people):
            people.contains {
                AccountRules.folded(username: $0.username) == AccountRules.folded(username: name)
            }
        }
    }
}
