import Core
import People
import Storage

/// A photo from long ago that a search found near a place, kept until the person's next search.
public struct PastPhoto: Sendable, Hashable {
    /// The photo's identifier, of this server's making.
    public typealias ID = Core.ID<PastPhoto>

    /// Whether the picture has come from where it is kept.
    enum Picture: Sendable, Hashable {
        /// It wasn't fetched yet.
        case waiting
        /// It is on this server.
        case ready
        /// It couldn't be had; a sentence says why.
        case failed(String)

        /// The word for it in JSON and in the database.
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
    /// Whose search found it.
    let owner: Account.ID
    /// What the sources told.
    let found: FoundPhoto
    /// The title of the source, such as `Wikimedia Commons`.
    let sourceTitle: String
    /// Metres from the place that was searched.
    let distance: Int
    /// Whether it can be shown.
    var picture: Picture
    /// Pixels of the upright picture as far as they are known; 0 before.
    var width: Int
    /// Pixels of the upright picture as far as they are known; 0 before.
    var height: Int

    /// Who made it and under which licence: `Fondo Arrieta, CC BY 4.0`.
    var credit: String { [found.author, found.licence].filter { !$0.isEmpty }.joined(separator: ", ") }

    /// The sizes in which it is shown. Each exists as WebP and as JPEG.
    static let sizes: [Photo.Size] = [.large, .square]

    /// Where the server offers the picture to those who may see it. The `Accept` header chooses the format.
    static func path(_ id: ID, _ size: Photo.Size) -> String { "/past-photos/\(id)/\(size.rawValue)" }
}

/// A search that was made, with what it found.
struct PastSearch: Sendable {
    typealias ID = Core.ID<PastSearch>

    /// What one source answered.
    struct Answer: Sendable, Hashable {
        enum State: String, Sendable {
            /// All that there is, as far as the source says.
            case ok
            /// It couldn't be asked, or answered with an error.
            case failed
            /// A part of what there is; the message says which.
            case narrowed
        }

        /// The source's name in URLs and JSON.
        var name: String
        /// The source's name for people.
        var title: String
        var state: State
        /// How many of its photos are in the list.
        var count: Int
        /// What happened and what to do, in a sentence for the person.
        var message: String?
    }

    /// Identifier; its time is when the search was made.
    let id: ID
    let query: PastPhotoQuery
    /// What each source answered, in the order of the server's sources.
    var answers: [Answer]
    /// By distance, then by date.
    var photos: [PastPhoto]
    /// Whether it was answered from what was kept.
    var isKept = false

    /// What asking the sources came to.
    enum Result: Sendable {
        /// The search is now the person's last one.
        case saved(PastSearch)
        /// A source failed and the others found nothing: the last search stays as it was.
        case failed([Answer])
    }
}
