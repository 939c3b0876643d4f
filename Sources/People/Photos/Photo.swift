import Core
import Foundation
import Imaging

/// A photo in somebody's library.
public struct Photo: Sendable, Hashable {
    /// The photo's identifier; its time is when the photo came to the server.
    public typealias ID = Core.ID<Photo>

    /// The way in which a photo came into the library. A feature that adds photos declares its own kinds in an
    /// extension, and registers what the library shows of them (``PhotoKind``).
    public struct Kind: Hashable, Sendable {
        /// The kind's name in the database and for apps.
        package let name: String

        package init(_ name: String) {
            self.name = name
        }

        /// Uploaded as a file.
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
        /// A square of at most 240 px around the photo's focus.
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

    /// The facts about a photo that only its owner may see.
    package struct Capture: Sendable, Hashable {
        /// The time when the photo was taken.
        package var date: Date?
        /// The latitude in degrees, north positive (WGS 84).
        package var latitude: Double?
        /// The longitude in degrees, east positive (WGS 84).
        package var longitude: Double?
    }

    /// The identifier.
    public let id: ID
    /// The owner of the photo.
    public let owner: Account.ID
    /// The way in which it came into the library.
    public let kind: Kind
    /// The description for people who can't see the photo; at most 1,500 characters.
    public var description: String
    /// The width of the upright original in pixels.
    public let width: Int
    /// The height of the upright original in pixels.
    public let height: Int
    /// A blurred picture of the photo in 28 characters (BlurHash).
    public let blurhash: String
    /// The main colour, `#rrggbb`.
    public let colour: String
    /// The point that is shown wherever the photo is cut.
    public var focus: Focus
    /// The facts for the owner alone.
    package var capture = Capture()

    package init(
        id: ID, owner: Account.ID, kind: Kind, description: String, width: Int, height: Int, blurhash: String,
        colour: String, focus: Focus = .middle, capture: Capture = Capture()
    ) {
        self.id = id
        self.owner = owner
        self.kind = kind
        self.description = description
        self.width = width
        self.height = height
        self.blurhash = blurhash
        self.colour = colour
        self.focus = focus
        self.capture = capture
    }

    package static let descriptionLength = 1_500

    /// Returns the sides of a rendition in pixels: in proportion to the original, and never larger.
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

    /// Returns the path of a rendition, for people who may see it. The `Accept` header chooses the format.
    package static func path(_ id: ID, _ size: Size) -> String { "/photos/\(id)/\(size.rawValue)" }
}

extension Input.File {
    /// The kind of the photo, from the name of the input in ``PhotoInputs``.
    package var kind: Photo.Kind { name == "camera" ? .camera : .upload }
}
