import Foundation
import Serving

/// A service from which people bring their photos and posts along, by the archive that they download there.
public enum ForeignService: String, Sendable, CaseIterable {
    case instagram, mastodon, pixelfed

    /// The service's name for people.
    public var title: String { rawValue.capitalized }

    /// Returns whether a file of the archive is one of the texts that say what is in it.
    func isText(_ name: String) -> Bool {
        switch self {
        case .instagram: InstagramArchive.isText(name)
        case .mastodon: MastodonArchive.isText(name)
        case .pixelfed: PixelfedArchive.isText(name)
        }
    }

    /// Returns the place by which a file of the archive is found from the texts.
    func place(ofFile name: String) -> String {
        switch self {
        case .instagram: InstagramArchive.place(ofFile: name)
        case .mastodon: MastodonArchive.place(ofFile: name)
        case .pixelfed: PixelfedArchive.place(ofFile: name)
        }
    }

    /// Reads the texts of an archive.
    ///
    /// - Parameters:
    ///   - texts: the texts by their names.
    ///   - others: the names of some other files of the archive, for the sentence about a wrong one.
    /// - Throws: ``Refusal`` (400) when the archive isn't one of this service.
    func read(_ texts: [String: Data], others: [String]) throws -> ForeignCollection {
        switch self {
        case .instagram: try InstagramArchive.read(texts, others: others)
        case .mastodon: try MastodonArchive.read(texts)
        case .pixelfed: try PixelfedArchive.read(texts)
        }
    }
}

/// A value of JSON that may be of another form than expected, and is nil then. One strange entry makes no archive
/// unreadable.
struct Lenient<Value: Decodable & Sendable>: Decodable, Sendable {
    let value: Value?

    init(from decoder: any Decoder) throws {
        do {
            value = try Value(from: decoder)
        } catch is DecodingError {
            value = nil
        }
    }
}

extension JSONDecoder {
    /// Decodes a text of an archive.
    ///
    /// - Throws: ``Refusal`` (400) when the text has another form.
    static func read<Value: Decodable>(_ type: Value.Type, from data: Data, called name: String) throws
        -> Value
    {
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return try decoder.decode(type, from: data)
        } catch is DecodingError {
            throw Refusal.malformed(
                "\(ImportedText.line(name)) in the archive can’t be read: it is damaged or cut off.")
        }
    }
}

/// The kinds of files in archives, by the end of their names. What a file really is, the cage finds out.
enum ForeignFile {
    private static let films: Set<String> = [
        "mp4", "mov", "m4v", "webm", "avi", "mkv", "mp3", "ogg", "oga", "wav", "flac", "m4a", "aac", "srt",
    ]

    /// Returns whether a file is a video or a sound.
    static func isFilm(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return films.contains(name[name.index(after: dot)...].lowercased())
    }

    /// Returns the last part of a path.
    static func lastPart(of path: String) -> String {
        String(path.split(separator: "/").last ?? "")
    }
}
