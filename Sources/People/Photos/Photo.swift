import Core
import Foundation

/// A photo in somebody's library.
public struct Photo: Sendable, Hashable {
    /// The photo's identifier; its time is when it came to the server.
    public typealias ID = Core.ID<Photo>

    /// How a photo came into the library. A feature that adds photos declares its own kinds in an extension, and
    /// registers what the library shows of them (``PhotoKind``).
    public struct Kind: Hashable, Sendable {
        /// The kind as the database and apps have it.
        package let name: String

        package init(_ name: String) {
            self.name = name
        }

        /// Sent as a file.
        package static let upload = Kind("upload")
        /// Shot in the app.
        package static let camera = Kind("camera")
    }

    /// The sizes in which a photo is shown. Each exists as WebP and as JPEG.
    public enum Size: String, Sendable, CaseIterable {
        /// At most 1,440 px at the longer side.
        case large
        /// At most 720 px at the longer side.
        case medium
        /// A square of at most 240 px from the middle.
        case square

        /// The most pixels at the longer side.
        var longestSide: Int {
            switch self {
            case .large: 1440
            case .medium: 720
            case .square: 240
            }
        }
    }

    /// What only the owner learns of a photo.
    package struct Capture: Sendable, Hashable {
        /// When it was taken.
        package var date: Date?
        /// Degrees, north positive (WGS 84).
        package var latitude: Double?
        /// Degrees, east positive (WGS 84).
        package var longitude: Double?
    }

    /// Identifier.
    public let id: ID
    /// Whose it is.
    public let owner: Account.ID
    /// How it came here.
    public let kind: Kind
    /// What it shows, for those who can't see it; at most 1,500 characters.
    public var description: String
    /// Pixels of the upright original.
    public let width: Int
    /// Pixels of the upright original.
    public let height: Int
    /// A blurred picture of it in 28 characters (BlurHash).
    public let blurhash: String
    /// Its main colour, `#rrggbb`.
    public let colour: String
    /// Only for the owner.
    package var capture = Capture()

    package init(
        id: ID, owner: Account.ID, kind: Kind, description: String, width: Int, height: Int, blurhash: String,
        colour: String, capture: Capture = Capture()
    ) {
        self.id = id
        self.owner = owner
        self.kind = kind
        self.description = description
        self.width = width
        self.height = height
        self.blurhash = blurhash
        self.colour = colour
        self.capture = capture
    }

    package static let descriptionLength = 1_500

    /// Pixels of a rendition: like the original, never larger.
    package func pixels(_ size: Size) -> (width: Int, height: Int) {
        if size == .square {
            let side = min(size.longestSide, width, height)
            return (side, side)
        }
        let scale = min(1, Double(size.longestSide) / Double(max(width, height)))
        return (
            max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded()))
        )
    }

    /// Where the server offers a rendition to those who may see it. The `Accept` header chooses the format.
    package static func path(_ id: ID, _ size: Size) -> String { "/photos/\(id)/\(size.rawValue)" }
}

extension Input.File {
    /// Where the picture comes from, as ``PhotoInputs`` names its inputs.
    package var kind: Photo.Kind { name == "camera" ? .camera : .upload }
}
