import Foundation
import Serving

/// Text from the HTML of strangers: tags are dropped, with what they hide, and entities become characters. The result
/// is text and not HTML, so it must be escaped where it is shown.
package enum PlainText {
    /// The most bytes of HTML that are read.
    private static let mostBytes = 20_000

    private static let hidden: Set<String> = ["script", "style", "template", "head", "title", "noscript"]
    private static let inline: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "q", "s", "small", "span",
        "strong", "sub", "sup", "time", "tt", "u", "wbr",
    ]
    private static let void: Set<String> = [
        "area", "br", "hr", "img", "input", "link", "meta", "source", "wbr",
    ]

    private static let entities: [String: Character] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "ndash": "–", "mdash": "—",
        "copy": "©", "reg": "®", "trade": "™", "hellip": "…", "laquo": "«", "raquo": "»", "ldquo": "“",
        "rdquo": "”", "lsquo": "‘", "rsquo": "’", "bdquo": "„", "deg": "°", "times": "×", "middot": "·",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
        "eacute": "é", "egrave": "è", "ecirc": "ê", "agrave": "à", "aacute": "á", "acirc": "â", "aring": "å",
        "Aring": "Å", "ccedil": "ç", "ntilde": "ñ", "oacute": "ó", "ocirc": "ô", "oslash": "ø", "iacute": "í",
        "icirc": "î", "uacute": "ú", "aelig": "æ", "frac12": "½", "thinsp": " ", "ensp": " ", "emsp": " ",
    ]

    /// Returns the text of some HTML in one line.
    ///
    /// - Parameter limit: the most characters; a longer text ends with an ellipsis.
    package static func of(_ html: String, limit: Int = 300) -> String {
        var reader = Reader(html)
        return oneLine(reader.text(), limit: limit)
    }

    /// Returns the text of some HTML with its lines and paragraphs. A link whose text isn't its address, and every mention
    /// of somebody on another server, becomes the address.
    package static func lines(of html: String) -> String {
        var reader = Reader(html)
        reader.keepsLines = true
        // A regular expression for the blanks before a line end would try from each of them, and take a square of the time.
        let lines = reader.text().replacing("\r\n", with: "\n").split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { line in line.lastIndex { $0 != " " && $0 != "\t" }.map { line[...$0] } ?? "" }
        return lines.joined(separator: "\n").replacing(#/\n{3,}/#, with: "\n\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Returns text, which isn't HTML, in one line.
    package static func oneLine(_ text: String, limit: Int) -> String {
        let words = text.split { $0.isWhitespace || isControl($0) }
        let line = words.joined(separator: " ")
        guard line.count > limit else { return line }
        return line.prefix(limit - 1).trimmingCharacters(in: .whitespaces) + "…"
    }

    /// Returns the first `datetime` of a `time` element; nil when there is none.
    package static func time(in html: String) -> String? {
        var reader = Reader(html)
        _ = reader.text()
        return reader.time
    }

    /// Returns whether a character is invisible and changes how the text around it is read, such as one that reverses
    /// the text.
    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse: true
            default: false
            }
        }
    }

    private struct Reader {
        private let bytes: [UInt8]
        private var index = 0
        var time: String?
        /// Whether paragraphs and line breaks become line ends, and links addresses.
        var keepsLines = false

        /// A tag or comment.
        private struct Tag {
            var name: String
            var isEnd = false
            var hides = false
            /// The attributes of a link.
            var href: String?
            var classes = ""
        }

        init(_ html: String) { bytes = Array(html.utf8.prefix(PlainText.mostBytes)) }

        mutating func text() -> String {
            var output: [UInt8] = []
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "<"):
                    guard let tag = tag() else {
                        output.append(UInt8(ascii: "<"))
                        index += 1
                        continue
                    }
                    if keepsLines {
                        write(tag, into: &output)
                    } else if !PlainText.inline.contains(tag.name) {
                        output.append(UInt8(ascii: " "))
                    }
                    if tag.hides { skip(to: tag.name) }
                case UInt8(ascii: "&"): output += Array(entity().utf8)
                default:
                    output.append(bytes[index])
                    index += 1
                }
            }
            return String(decoding: output, as: UTF8.self)
        }

        /// The link whose text is being read, and where that begins.
        private var link: (tag: Tag, start: Int)?

        private mutating func write(_ tag: Tag, into output: inout [UInt8]) {
            switch (tag.name, tag.isEnd) {
            case ("br", _): output.append(UInt8(ascii: "\n"))
            case ("a", false): link = (tag, output.count)
            case ("a", true):
                guard let link, let href = link.tag.href else { return }
                let text = String(decoding: output[link.start...], as: UTF8.self)
                output.replaceSubrange(link.start..., with: Self.words(of: link.tag, href, text).utf8)
                self.link = nil
            case (let name, true) where !PlainText.inline.contains(name):
                output += Array((name == "li" ? "\n" : "\n\n").utf8)
            default: break
            }
        }

        /// Returns what stands for a link: hashtags stay, mentions become addresses.
        private static func words(of link: Tag, _ href: String, _ text: String) -> String {
            let classes = link.classes.split(separator: " ")
            if classes.contains("hashtag") || text.hasPrefix("#") { return text }
            guard href.hasPrefix("https://") || href.hasPrefix("http://") else { return text }
            if classes.contains("mention") || text.hasPrefix("@") { return href }
            let shown = text.hasSuffix("…") ? String(text.dropLast()) : text
            return shown.trimmed.isEmpty || href.contains(shown) ? href : "\(text) (\(href))"
        }

        /// Reads a tag or comment; returns nil when a `<` is only a sign.
        private mutating func tag() -> Tag? {
            if bytes[index...].starts(with: Array("<!--".utf8)) {
                index = find(Array("-->".utf8), from: index + 4) ?? bytes.count
                return Tag(name: "!")
            }
            var place = index + 1
            let isEnd = place < bytes.count && bytes[place] == UInt8(ascii: "/")
            if isEnd { place += 1 }
            guard place < bytes.count, isLetter(bytes[place]) || bytes[place] == UInt8(ascii: "!") else {
                return nil
            }
            let start = place
            while place < bytes.count, isNameByte(bytes[place]) { place += 1 }
            let name = String(decoding: bytes[start..<place], as: UTF8.self).lowercased()
            let attributes = place
            place = end(ofTagFrom: place)
            index = min(bytes.count, place + 1)
            guard !isEnd else { return Tag(name: name, isEnd: true) }
            let text = bytes[attributes..<place]
            if name == "time", time == nil { time = Self.attribute("datetime", in: text) }
            let style = Self.attribute("style", in: text)?.lowercased().filter { !$0.isWhitespace }
            let isHidden = PlainText.hidden.contains(name) || style?.contains("display:none") == true
            var tag = Tag(name: name, hides: isHidden && !PlainText.void.contains(name))
            if keepsLines, name == "a" {
                tag.href = Self.attribute("href", in: text).map { PlainText.of($0, limit: 2_000) }
                tag.classes = Self.attribute("class", in: text) ?? ""
            }
            return tag
        }

        /// Returns the place of the `>` behind attributes, which may contain one in quotes.
        private func end(ofTagFrom start: Int) -> Int {
            var (place, quote) = (start, UInt8(0))
            while place < bytes.count {
                let byte = bytes[place]
                if quote != 0 {
                    if byte == quote { quote = 0 }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    return place
                }
                place += 1
            }
            return bytes.count
        }

        /// Skips the content of a hidden element, including elements of the same name within it.
        private mutating func skip(to name: String) {
            var depth = 1
            while index < bytes.count, depth > 0 {
                guard bytes[index] == UInt8(ascii: "<"), let tag = tag() else {
                    index += 1
                    continue
                }
                if tag.name == name { depth += tag.isEnd ? -1 : 1 }
            }
        }

        private mutating func entity() -> String {
            let limit = min(bytes.count, index + 12)
            guard let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ";")) else {
                index += 1
                return "&"
            }
            let name = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
            guard let character = Self.character(name) else {
                index += 1
                return "&"
            }
            index = end + 1
            return String(character)
        }

        private static func character(_ name: String) -> Character? {
            guard name.hasPrefix("#") else { return PlainText.entities[name] }
            let digits = name.dropFirst()
            let number =
                digits.first == "x" || digits.first == "X"
                ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let number, number > 0 else { return nil }
            return Unicode.Scalar(number).map(Character.init)
        }

        /// Returns the value of an attribute. The text is read once from end to end, since there may be thousands of
        /// tags.
        private static func attribute(_ name: String, in text: ArraySlice<UInt8>) -> String? {
            let equals = UInt8(ascii: "=")
            var rest = text
            while true {
                rest = rest.drop { isSpace($0) || $0 == equals }
                guard !rest.isEmpty else { return nil }
                let found = rest.prefix { !isSpace($0) && $0 != equals }
                rest = rest.dropFirst(found.count).drop(while: isSpace)
                guard rest.first == equals else { continue }
                rest = rest.dropFirst().drop(while: isSpace)
                let value: ArraySlice<UInt8>
                if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest.dropFirst(value.count + 2)
                } else {
                    value = rest.prefix { !isSpace($0) }
                    rest = rest.dropFirst(value.count)
                }
                if found.count == name.utf8.count,
                    String(decoding: found, as: UTF8.self).lowercased() == name
                {
                    return String(decoding: value, as: UTF8.self)
                }
            }
        }

        private static func isSpace(_ byte: UInt8) -> Bool {
            byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
        }

        private func find(_ pattern: [UInt8], from start: Int) -> Int? {
            var place = start
            while place + pattern.count <= bytes.count {
                if bytes[place..<(place + pattern.count)].elementsEqual(pattern) {
                    return place + pattern.count
                }
                place += 1
            }
            return nil
        }

        private func isLetter(_ byte: UInt8) -> Bool {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
        }

        private func isNameByte(_ byte: UInt8) -> Bool {
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: ":")
        }
    }
}
