import Core
import People
import Storage

/// A photo from long ago that a search found near a place, kept until the person's next search.
public struct PastPhoto: Sendable, Hashable {
    /// The photo's identifier, made by this server.
    public typealias ID = Core.ID<PastPhoto>

    /// Whether the picture was fetched from its source.
    enum Picture: Sendable, Hashable {
        /// The picture wasn't fetched yet.
        case waiting
        /// The picture is on this server.
        case ready
        /// The picture can't be fetched, with the reason in a sentence.
        case failed(String)

        /// The word for the state in JSON and in the database.
        var state: String {
            switch self {
            case .waiting: "waiting"
            case .ready: "ready"
            case .failed: "failed"
            }
        }
    }

    /// Identifier.
    public let id: ID
    /// The account whose search found the photo.
    let owner: Account.ID
    /// The description that the source returned.
    let found: FoundPhoto
    /// The title of the source, such as `Wikimedia Commons`.
    let sourceTitle: String
    /// The distance from the place of the search, in metres.
    let distance: Int
    /// The state of the picture.
    var picture: Picture
    /// The width of the upright picture in pixels; 0 as long as it isn't known.
    var width: Int
    /// The height of the upright picture in pixels; 0 as long as it isn't known.
    var height: Int

    /// The author and the licence: `Fondo Arrieta, CC BY 4.0`.
    var credit: String { [found.author, found.licence].filter { !$0.isEmpty }.joined(separator: ", ") }

    /// The sizes in which the photo is shown. Each exists as WebP and as JPEG.
    static let sizes: [Photo.Size] = [.large, .square]

    /// Returns the path of the picture, for people who may see it. The `Accept` header chooses the format.
    static func path(_ id: ID, _ size: Photo.Size) -> String { "/past-photos/\(id)/\(size.rawValue)" }
}

/// A search with its results.
struct PastSearch: Sendable {
    typealias ID = Core.ID<PastSearch>

    /// The answer of one source.
    struct Answer: Sendable, Hashable {
        enum State: String, Sendable {
            /// The source returned everything that it has.
            case ok
            /// The source couldn't be asked, or answered with an error.
            case failed
            /// The source returned a part of what it has; the message says which.
            case narrowed
        }

        /// The source's name in URLs and JSON.
        var name: String
        /// The source's name for people.
        var title: String
        var state: State
        /// The number of the source's photos in the list.
        var count: Int
        /// A sentence for the person: what happened, and what to do.
        var message: String?
    }

    /// The identifier; its time is when the search was made.
    let id: ID
    let query: PastPhotoQuery
    /// The answer of each source, in the order of the server's sources.
    var answers: [Answer]
    /// The photos, by distance and then by date.
    var photos: [PastPhoto]
    /// Whether the search was answered from kept results.
    var isKept = false

    /// The result of asking the sources.
    enum Result: Sendable {
        /// The search is now the person's last search.
        case saved(PastSearch)
        /// A source failed and the others found nothing, so that the last search stays as it was.
        case failed([Answer])
    }
}
