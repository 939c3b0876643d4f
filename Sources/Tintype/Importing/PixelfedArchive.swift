import Core
import Feeds
import Foundation
import Serving

/// What Pixelfed gives people of their account (Settings › Export): `pixelfed-statuses.json`, the entities of its
/// interface, without the pictures. People pack it into a zip with the pictures, which are known by their names alone:
/// Pixelfed draws these at random.
enum PixelfedArchive {
    static func isText(_ name: String) -> Bool { ForeignFile.lastPart(of: name) == "pixelfed-statuses.json" }

    /// Returns the name of a file without its folders.
    static func place(ofFile name: String) -> String { ForeignFile.lastPart(of: name) }

    static func read(_ texts: [String: Data]) throws -> ForeignCollection {
        guard let (name, data) = texts.min(by: { $0.key.count < $1.key.count }) else {
            throw Refusal.malformed(
                "This isn’t an archive from Pixelfed: pack pixelfed-statuses.json and your pictures into one zip."
            )
        }
        var found = ForeignCollection()
        for item in try JSONDecoder.read([Lenient<Status>].self, from: data, called: name) {
            guard let status = item.value else {
                found.leftOut.add(.unreadable, "")
                continue
            }
            add(status, to: &found)
        }
        return found
    }

    private static func add(_ status: Status, to found: inout ForeignCollection) {
        let name = status.url ?? status.id
        guard status.reblog?.value == nil, status.pfType != "share" else {
            return found.leftOut.add(.boost, name)
        }
        guard (status.inReplyToId ?? "").isEmpty else { return found.leftOut.add(.reply, name) }
        guard let visibility = visibility(status.visibility) else { return found.leftOut.add(.direct, name) }
        guard status.pfType != "poll" else { return found.leftOut.add(.poll, name) }
        guard let date = ForeignDate.parse(status.createdAt) else { return found.leftOut.add(.undated, name) }
        let media = (status.mediaAttachments?.value ?? []).compactMap(\.value)
        var isCut = false
        var pictures: [ForeignPicture] = []
        for medium in media {
            guard let path = URL(string: medium.url)?.path(percentEncoded: false) else {
                found.leftOut.add(.missing, name)
                continue
            }
            if medium.type.map({ $0 != "image" }) ?? ForeignFile.isFilm(path) {
                found.leftOut.add(.film, path)
            } else {
                pictures.append(
                    ForeignPicture(
                        place: place(ofFile: path),
                        description: ImportedText.description(medium.description ?? "", isCut: &isCut)))
            }
        }
        guard !pictures.isEmpty else {
            if media.isEmpty { found.leftOut.add(.withoutPhoto, name) }
            return
        }
        let spoiler = status.spoilerText?.trimmed ?? ""
        let words = ImportedText.words(
            caption: PlainText.lines(of: status.content ?? ""),
            warning: spoiler.isEmpty && status.sensitive?.value != true ? nil : spoiler, isCut: &isCut)
        if isCut { found.leftOut.add(.shortened, name) }
        found.posts.append(
            ForeignPost(
                key: status.uri ?? name, postedAt: date, words: words, visibility: visibility,
                pictures: pictures))
    }

    /// Returns who could see a post; nil for a message, and for a post that its author has put away.
    private static func visibility(_ name: String?) -> Post.Visibility? {
        switch name {
        case "public": .server
        case "unlisted": .unlisted
        case "private": .followers
        default: nil
        }
    }

    private struct Status: Decodable, Sendable {
        let id: String
        let uri: String?
        let url: String?
        let inReplyToId: String?
        let reblog: Lenient<[String: Lenient<String>]>?
        let content: String?
        let createdAt: String
        let sensitive: Lenient<Bool>?
        let spoilerText: String?
        let visibility: String?
        let pfType: String?
        let mediaAttachments: Lenient<[Lenient<Medium>]>?
    }

    private struct Medium: Decodable, Sendable {
        let type: String?
        let url: String
        let description: String?
    }
}
