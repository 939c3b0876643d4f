import Core
import People
import Serving

/// A source of old photos, which finds them by place.
package protocol PastPhotoSource: Sendable {
    /// The source's name in URLs, JSON and the database: `flickr`, `commons`, `server`.
    var name: String { get }
    /// The source's name for people.
    var title: String { get }

    /// Returns photos within the circle and the years of a query, at most ``PastPhotoQuery/mostCandidates``.
    ///
    /// - Parameters:
    ///   - viewer: the person who searches.
    ///   - deadline: when to return; a source that isn't finished returns the photos found so far.
    /// - Throws: ``SourceFailure`` when there is nothing to return; `CancellationError`.
    func find(
        _ query: PastPhotoQuery, for viewer: Account, until deadline: ContinuousClock.Instant
    ) async throws -> Findings
}

/// The limit on calls to another server's interface, which all servers of a database keep together: 3,600 in any hour, as
/// Flickr allows a key, and of these 1,800 at once.
struct SourceCalls: Sendable {
    private let limit: AttemptLimit
    private let title: String

    /// - Parameter title: the source's name for people.
    init(of title: String, in attempts: AttemptCounts) {
        self.title = title
        limit = AttemptLimit("call of \(title)", limit: 1_800, per: 3_600, in: attempts)
    }

    /// Counts a call.
    ///
    /// - Throws: ``SourceFailure`` when there were too many, `DatabaseError`, `CancellationError`.
    func begin() async throws {
        if let seconds = try await limit.take("") {
            throw SourceFailure(.status(429, retryAfter: seconds), of: title)
        }
    }
}

/// The photos that a source found.
package struct Findings: Sendable {
    var photos: [FoundPhoto] = []
    /// Why the source returned only a part, in a sentence for the person; nil when it returned everything.
    var narrowed: String?
}

/// The failure of a source, in a sentence for the person: what happened, and what to do.
struct SourceFailure: Error, Equatable {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }

    /// Creates the failure for an error of a request.
    ///
    /// - Parameter title: the source's name for people.
    init(_ error: OutgoingError, of title: String) {
        sentence =
            switch error {
            case .timedOut, .cutOff: "\(title) took too long to answer. Try again in a moment."
            case .unreachable, .noAnswer: "\(title) can’t be reached right now. Try again later."
            case .forbiddenAddress, .badURL, .badRedirect:
                "\(title) isn’t set up correctly on this server. Tell the person who runs it."
            case .tooLarge: "\(title) sent too many results. Try a smaller radius."
            case .wrongType: "\(title) answered with something other than photos. Try again later."
            case .busy, .stopped: "This server is very busy. Try again in a moment."
            case .status(429, let seconds):
                "\(title) gets too many requests. Try again \(Self.words(seconds))."
            case .status(401, _), .status(403, _):
                "\(title) refuses requests from this server. Tell the person who runs it."
            case .status(503, let seconds): "\(title) isn’t answering. Try again \(Self.words(seconds))."
            case .status: "\(title) isn’t answering. Try again later."
            }
    }

    private static func words(_ seconds: Int?) -> String {
        guard let seconds, seconds > 60 else { return seconds == nil ? "later" : "in a minute" }
        guard seconds < 7_200 else { return "later" }
        return "in \((seconds + 59) / 60) minutes"
    }
}

/// A photo as a source describes it. Strangers wrote the texts; they are plain and of limited length.
struct FoundPhoto: Sendable, Hashable {
    /// The source's name.
    var source: String
    /// The source's own identifier.
    var sourceID: String
    var title: String
    var author: String
    var licence: String
    var licenceURL: String?
    /// The page about the photo.
    var pageURL: String
    /// The date in words: `circa 1905`.
    var dateWords: String
    /// The years that the date may mean.
    var years: ClosedRange<Int>
    var place: Coordinate
    /// A picture of about a thousand pixels; empty for photos of this server.
    var pictureURL: String
    /// The largest picture that the source has.
    var fullURL: String?
    /// The width in pixels, as the source says; 0 when it doesn't.
    var width: Int
    /// The height in pixels, as the source says; 0 when it doesn't.
    var height: Int
    /// The photo on this server, if it is one.
    var photo: Photo.ID?

    static let longestTitle = 300
    static let longestName = 200
    private static let mostPixels = 200_000

    /// Returns a number of pixels, or 0 for what can't be one.
    static func pixels(_ number: Int?) -> Int {
        guard let number, (1...mostPixels).contains(number) else { return 0 }
        return number
    }

    /// Returns a URL that people and this server may follow; nil for anything but `http` and `https`.
    static func url(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        // Wikimedia writes some of its URLs without the scheme.
        return try? OutgoingURL(text.hasPrefix("//") ? "https:" + text : text).text
    }
}
