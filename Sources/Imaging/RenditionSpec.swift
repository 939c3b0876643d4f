/// A size in which a picture is stored for display.
public struct RenditionSpec: Sendable, Hashable {
    /// The shape of a rendition. A picture is never enlarged to fit it.
    public enum Shape: Sendable, Hashable {
        /// The whole picture, with at most this many pixels on its longer side.
        case fit(longestSide: Int)
        /// The largest part around a point with the proportions of these sides, with at most this many pixels on them.
        case part(width: Int, height: Int, around: Focus)

        /// Returns the shape of the largest square around a point, with at most this many pixels on its side.
        public static func square(side: Int, around focus: Focus = .middle) -> Shape {
            .part(width: side, height: side, around: focus)
        }
    }

    /// The beginning of the file names, for example `large`. It is unique among the renditions of a picture.
    public var name: String
    /// The shape, with its size in pixels.
    public var shape: Shape
    /// The formats to write, in this order.
    public var formats: [RenditionFormat]

    /// - Parameters:
    ///   - name: letters, digits and hyphens; the files are called `NAME.webp` and `NAME.jpg`.
    ///   - shape: the shape, with its size in pixels.
    ///   - formats: the formats to write, WebP and JPEG by default.
    public init(name: String, shape: Shape, formats: [RenditionFormat] = [.webp, .jpeg]) {
        self.name = name
        self.shape = shape
        self.formats = formats
    }

    /// The renditions of a photo: 1,440 and 720 px on the longer side, and a square of 240 px from the middle.
    public static let photo = photo(around: .middle)

    /// Returns renditions of a photo: 1,440 and 720 px on the longer side, and a square of 240 px around a point.
    public static func photo(around focus: Focus) -> [RenditionSpec] {
        [
            RenditionSpec(name: "large", shape: .fit(longestSide: 1440)),
            RenditionSpec(name: "medium", shape: .fit(longestSide: 720)), square(around: focus),
        ]
    }

    /// Returns the square of a photo around a point, of 240 px.
    public static func square(around focus: Focus) -> RenditionSpec {
        RenditionSpec(name: "square", shape: .square(side: 240, around: focus))
    }

    /// The renditions of a portrait: squares of 480 and 120 px.
    public static let portrait = [
        RenditionSpec(name: "portrait", shape: .square(side: 480)),
        RenditionSpec(name: "portrait-small", shape: .square(side: 120)),
    ]

    /// The rendition of the banner above a profile: three times as wide as high, 1,500 × 500 px.
    public static let banner = [
        RenditionSpec(name: "banner", shape: .part(width: 1500, height: 500, around: .middle))
    ]
}

/// The file formats of renditions.
public enum RenditionFormat: String, Sendable, CaseIterable, Codable {
    case webp, jpeg

    /// The media type, `image/webp` or `image/jpeg`.
    public var contentType: String { "image/\(rawValue)" }

    /// The usual extension of a file name, without the dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// A square part of an upright picture, measured relative to the picture's size.
public struct CropSquare: Sendable, Hashable {
    /// The left edge as a fraction of the picture's width, 0 to 1.
    public var x: Double
    /// The top edge as a fraction of the picture's height, 0 to 1.
    public var y: Double
    /// The side as a fraction of the picture's shorter side, above 0 and at most 1.
    public var size: Double

    /// Creates a square. A square that extends beyond the picture's edge is moved inwards.
    ///
    /// - Parameters:
    ///   - x: the left edge, as a fraction of the width.
    ///   - y: the top edge, as a fraction of the height.
    ///   - size: the side, as a fraction of the shorter side.
    public init(x: Double, y: Double, size: Double) {
        self.x = x
        self.y = y
        self.size = size
    }
}
