import Core
import Serving

/// The people whom the text of a status names, as Mastodon's apps write it: `@ana @ben See you at eight, @cleo may come`.
struct Addressing: Equatable {
    /// The text, with the full handles of this server's people (`@ana@photos.example`) as short ones.
    let text: String
    /// The folded names in the text, each once.
    let names: [String]
    /// The folded names with which the text begins.
    let first: [String]
    /// The first handle of somebody on another server; nil when there is none.
    let stranger: String?

    /// - Parameter server: the address of this server, such as `https://photos.example`.
    init(_ text: String, at server: String) {
        var stranger: String?
        // Only at the beginning of a word: an address of a page may contain a handle, too.
        self.text = text.replacing(/(^|[\s(])(@([A-Za-z0-9_.]+)@[A-Za-z0-9.:\-]*[A-Za-z0-9])/) { match in
            if Handle(String(match.2), on: server) != nil { return "\(match.1)@\(match.3)" }
            stranger = stranger ?? String(match.2)
            return String(match.0)
        }
        self.stranger = stranger
        let pieces = Caption.pieces(self.text)
        names = pieces.compactMap(\.name).withoutRepeats()
        first = Self.greeting(pieces).names
    }

    /// Returns the text without the mentions at its beginning that only say who receives it.
    ///
    /// - Parameters:
    ///   - receivers: the folded names of those who receive it, and of the sender.
    ///   - isAnswer: whether it goes to a chat that is there. Apps begin an answer with all its people; who names some of
    ///     them means these.
    func text(for receivers: Set<String>, isAnswer: Bool) -> String {
        let pieces = Caption.pieces(text)
        let greeting = Self.greeting(pieces)
        guard !greeting.names.isEmpty, receivers.isSuperset(of: greeting.names),
            !isAnswer || receivers.subtracting(greeting.names).count <= 1
        else { return text }
        return pieces.dropFirst(greeting.count).map(\.text).joined().trimmed
    }

    /// Returns the names of the mentions at the beginning, and the number of their pieces. A mention that is followed by
    /// anything but white space, such as a comma, is part of the sentence.
    private static func greeting(_ pieces: [Caption.Piece]) -> (names: [String], count: Int) {
        var names: [String] = []
        var count = 0
        for (index, piece) in pieces.enumerated() {
            if let name = piece.name {
                let next = index + 1 < pieces.count ? pieces[index + 1].text.first : nil
                guard next?.isWhitespace ?? true else { break }
                names.append(name)
                count = index + 1
            } else if !piece.text.trimmed.isEmpty {
                break
            }
        }
        return (names, count)
    }
}

extension Caption.Piece {
    /// The folded name of a mention; nil for anything else.
    fileprivate var name: String? {
        if case .mention(let name) = self { AccountRules.folded(username: name) } else { nil }
    }

    /// The piece as it was written.
    fileprivate var text: String {
        switch self {
        case .text(let text), .link(let text): text
        case .mention(let name): "@\(name)"
        case .tag(let tag): "#\(tag.written)"
        }
    }
}
