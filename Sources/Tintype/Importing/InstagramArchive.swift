import Core
import Feeds
import Foundation
import Serving

/// The archive that Instagram makes of an account, in JSON. Its folders have moved several times, so texts are known by
/// their own names and pictures by the addresses in them.
enum InstagramArchive {
    /// What is in a text.
    private enum Kind {
        /// Posts, which anyone who could see the profile saw.
        case posts
        /// Pictures that were for a day, for a portrait or put away.
        case others
    }

    private static func kind(_ name: String) -> Kind? {
        let last = ForeignFile.lastPart(of: name)
        if last.wholeMatch(of: #/posts(_\d+)?\.json/#) != nil { return .posts }
        return ["stories.json", "profile_photos.json", "archived_posts.json"].contains(last) ? .others : nil
    }

    static func isText(_ name: String) -> Bool { kind(name) != nil }

    /// Returns the part of a path from `media` on: the archive may be packed again, in a folder.
    static func place(ofFile name: String) -> String {
        if name.hasPrefix("media/") { return name }
        return name.range(of: "/media/").map { "media/\(name[$0.upperBound...])" } ?? name
    }

    static func read(_ texts: [String: Data], others: [String]) throws -> ForeignCollection {
        guard !texts.isEmpty else {
            guard others.contains(where: { $0.lowercased().hasSuffix(".html") }) else {
                throw Refusal.malformed("This isn’t an archive of Instagram: it has no posts_1.json.")
            }
            throw Refusal.malformed(
                "This archive of Instagram is of web pages. Ask Instagram for one again, and choose JSON as its format."
            )
        }
        var found = ForeignCollection()
        for (name, data) in texts.sorted(by: { $0.key < $1.key }) {
            guard let kind = kind(name) else { continue }
            for entry in try JSONDecoder.read(Entries.self, from: data, called: name).list {
                guard let entry = entry.value else {
                    found.leftOut.add(.unreadable, name)
                    continue
                }
                add(entry, kind, to: &found)
            }
        }
        return found
    }

    private static func add(_ entry: Entry, _ kind: Kind, to found: inout ForeignCollection) {
        // A story or portrait is a picture itself.
        let media =
            entry.media?.compactMap(\.value)
            ?? entry.uri.map {
                [Medium(uri: $0, creationTimestamp: entry.creationTimestamp, title: entry.title)]
            }
            ?? []
        let name = media.first?.uri ?? ""
        guard !media.isEmpty else { return found.leftOut.add(.withoutPhoto, mended(entry.title ?? "")) }
        let seconds = entry.creationTimestamp?.value ?? media.compactMap { $0.creationTimestamp?.value }.min()
        guard let date = seconds.flatMap(ForeignDate.seconds) else {
            return found.leftOut.add(.undated, name)
        }
        var pictures: [ForeignPicture] = []
        for medium in media {
            if ForeignFile.isFilm(medium.uri) {
                found.leftOut.add(.film, medium.uri)
            } else {
                pictures.append(ForeignPicture(place: place(ofFile: medium.uri)))
            }
        }
        guard !pictures.isEmpty else { return }
        // A post of one picture has its text there.
        let title = entry.title.flatMap { $0.isEmpty ? nil : $0 } ?? media.first?.title ?? ""
        var isCut = false
        let words = ImportedText.words(caption: mended(title), isCut: &isCut)
        if isCut { found.leftOut.add(.shortened, name) }
        found.posts.append(
            ForeignPost(
                key: "\(Int(date.timeIntervalSince1970)) \(ForeignFile.lastPart(of: name))", postedAt: date,
                words: words, visibility: nil, pictures: pictures, isLibraryOnly: kind == .others))
    }

    /// Returns a text whose bytes in UTF-8 were written as if they were ISO 8859-1, as Instagram does, in its own letters.
    /// Any other text is returned unchanged.
    static func mended(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 > 0x7F }) else { return text }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return text }
            bytes.append(byte)
        }
        return String(validating: bytes, as: UTF8.self) ?? text
    }

    /// A list, which most texts have as the one member of an object.
    private struct Entries: Decodable {
        let list: [Lenient<Entry>]

        init(from decoder: any Decoder) throws {
            if let list = try Lenient<[Lenient<Entry>]>(from: decoder).value {
                self.list = list
            } else {
                let members = try [String: Lenient<[Lenient<Entry>]>](from: decoder)
                list = members.sorted { $0.key < $1.key }.flatMap { $0.value.value ?? [] }
            }
        }
    }

    private struct Entry: Decodable, Sendable {
        let media: [Lenient<Medium>]?
        let uri: String?
        let title: String?
        let creationTimestamp: Lenient<Double>?
    }

    private struct Medium: Decodable, Sendable {
        let uri: String
        let creationTimestamp: Lenient<Double>?
        let title: String?
    }
}
