import Core
import Feeds
import Foundation
import Serving

/// The archive that Mastodon makes of an account (Settings › Import and export): `outbox.json`, a collection of
/// ActivityStreams 2.0 (https://www.w3.org/TR/activitystreams-core/), and `media_attachments` with the files.
enum MastodonArchive {
    static func isText(_ name: String) -> Bool {
        ["outbox.json", "actor.json"].contains(ForeignFile.lastPart(of: name))
    }

    /// Returns the part of a path from `media_attachments` on: what is before it depends on how the server keeps files.
    static func place(ofFile name: String) -> String {
        name.range(of: "media_attachments/", options: .backwards).map { String(name[$0.lowerBound...]) }
            ?? name
    }

    static func read(_ texts: [String: Data]) throws -> ForeignCollection {
        // The archive may be packed again, in a folder.
        func text(_ name: String) -> (name: String, data: Data)? {
            texts.filter { ForeignFile.lastPart(of: $0.key) == name }
                .min { ($0.key.count, $0.key) < ($1.key.count, $1.key) }.map { ($0.key, $0.value) }
        }
        guard let outbox = text("outbox.json") else {
            throw Refusal.malformed("This isn’t an archive of Mastodon: it has no outbox.json.")
        }
        let items = try JSONDecoder.read(Outbox.self, from: outbox.data, called: outbox.name).orderedItems
        let actor = try text("actor.json").map {
            try JSONDecoder.read(Lenient<Actor>.self, from: $0.data, called: $0.name).value?.id
        }
        var found = ForeignCollection()
        for item in items {
            guard let activity = item.value else {
                found.leftOut.add(.unreadable, "")
                continue
            }
            add(activity, by: actor ?? activity.actor?.value, to: &found)
        }
        return found
    }

    private static func add(_ activity: Activity, by actor: String?, to found: inout ForeignCollection) {
        guard activity.type == "Create" else {
            found.leftOut.add(activity.type == "Announce" ? .boost : .unreadable, activity.id ?? "")
            return
        }
        guard let note = activity.object?.value else {
            return found.leftOut.add(.unreadable, activity.id ?? "")
        }
        guard note.type != "Question" else { return found.leftOut.add(.poll, note.id) }
        let attachments = (note.attachment?.value ?? []).compactMap(\.value)
        // A thread with themselves is posts; everything else stays where the conversation is.
        if let answered = note.inReplyTo?.value, !(actor.map { answered.hasPrefix("\($0)/") } ?? false) {
            return found.leftOut.add(.reply, note.id)
        }
        guard let visibility = visibility(note) else { return found.leftOut.add(.direct, note.id) }
        guard let date = note.published.flatMap(ForeignDate.parse) else {
            return found.leftOut.add(.undated, note.id)
        }
        var isCut = false
        var pictures: [ForeignPicture] = []
        for attachment in attachments {
            guard let url = attachment.url?.value else {
                found.leftOut.add(.missing, note.id)
                continue
            }
            let isFilm = attachment.mediaType.map { !$0.hasPrefix("image/") } ?? ForeignFile.isFilm(url)
            guard !isFilm else {
                found.leftOut.add(.film, url)
                continue
            }
            pictures.append(
                ForeignPicture(
                    place: place(ofFile: url),
                    description: ImportedText.description(attachment.name ?? "", isCut: &isCut)))
        }
        guard !pictures.isEmpty else {
            if attachments.isEmpty { found.leftOut.add(.withoutPhoto, note.id) }
            return
        }
        let summary = note.summary?.trimmed ?? ""
        let languages = note.contentMap?.value.map { Array($0.keys) } ?? []
        let words = ImportedText.words(
            caption: PlainText.lines(of: note.content ?? ""),
            warning: summary.isEmpty && note.sensitive?.value != true ? nil : summary,
            language: languages.count == 1 ? languages.first : nil, isCut: &isCut)
        if isCut { found.leftOut.add(.shortened, note.id) }
        found.posts.append(
            ForeignPost(
                key: note.id, postedAt: date, words: words, visibility: visibility, pictures: pictures))
    }

    private static let everyone: Set<String> = [
        "https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public",
    ]

    /// Returns who could see a post; nil for a direct message.
    private static func visibility(_ note: Note) -> Post.Visibility? {
        if !everyone.isDisjoint(with: note.to?.names ?? []) { return .server }
        if !everyone.isDisjoint(with: note.cc?.names ?? []) { return .unlisted }
        let followers = (note.to?.names ?? []) + (note.cc?.names ?? [])
        return followers.contains { $0.hasSuffix("/followers") } ? .followers : nil
    }

    private struct Outbox: Decodable { let orderedItems: [Lenient<Activity>] }

    private struct Actor: Decodable, Sendable { let id: String }

    private struct Activity: Decodable, Sendable {
        let id: String?
        let type: String
        let actor: Lenient<String>?
        /// A note, or in a boost its address.
        let object: Lenient<Note>?
    }

    private struct Note: Decodable, Sendable {
        let id: String
        let type: String
        let published: String?
        let content: String?
        let contentMap: Lenient<[String: String]>?
        let summary: String?
        let sensitive: Lenient<Bool>?
        let inReplyTo: Lenient<String>?
        let to: Addresses?
        let cc: Addresses?
        let attachment: Lenient<[Lenient<Attachment>]>?
    }

    private struct Attachment: Decodable, Sendable {
        let mediaType: String?
        let url: Lenient<String>?
        let name: String?
    }

    /// One address or several.
    private struct Addresses: Decodable, Sendable {
        let names: [String]

        init(from decoder: any Decoder) throws {
            names =
                try Lenient<[String]>(from: decoder).value ?? Lenient<String>(from: decoder).value.map {
                    [$0]
                } ?? []
        }
    }
}

/// Dates as services write them (ISO 8601).
enum ForeignDate {
    static func parse(_ text: String) -> Date? {
        let date =
            (try? Date.ISO8601FormatStyle().parse(text))
            ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
        return date.flatMap(checked)
    }

    /// Creates the date that is so many seconds after 1970.
    static func seconds(_ seconds: Double) -> Date? { checked(Date(timeIntervalSince1970: seconds)) }

    /// Returns a date, unless no photo can be of it.
    private static func checked(_ date: Date) -> Date? {
        (1..<32_503_680_000).contains(date.timeIntervalSince1970) ? date : nil
    }
}
