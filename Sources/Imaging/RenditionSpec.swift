/// A size in which a picture is kept for showing.
public struct RenditionSpec: Sendable, Hashable {
    /// The form that a rendition has. A picture is never enlarged for it.
    public enum Shape: Sendable, Hashable {
        /// The whole picture, its longer side at most this many pixels.
        case fit(longestSide: Int)
        /// The square in the middle, its side at most this many pixels.
        case square(side: Int)
    }

    /// The beginning of the file names, for instance `large`; unique among the renditions of a picture.
    public var name: String
    /// The form and size in pixels.
    public var shape: Shape
    /// The formats to write, in this order.
    public var formats: [RenditionFormat]

    /// - Parameters:
    ///   - name: letters, digits and hyphens; the files are called `NAME.webp` and `NAME.jpg`.
    ///   - shape: form and size in pixels.
    ///   - formats: WebP and JPEG unless told otherwise.
    public init(name: String, shape: Shape, formats: [RenditionFormat] = [.webp, .jpeg]) {
        self.name = name
        self.shape = shape
        self.formats = formats
    }

    /// A photo: 1,440 and 720 px at the longer side, and a square of 240 px.
    public static let photo = [
        RenditionSpec(name: "large", shape: .fit(longestSide: 1440)),
        RenditionSpec(name: "medium", shape: .fit(longestSide: 720)),
        RenditionSpec(name: "square", shape: .square(side: 240)),
    ]

    /// A portrait: squares of 480 and 120 px.
    public static let portrait = [
        RenditionSpec(name: "portrait", shape: .square(side: 480)),
        RenditionSpec(name: "portrait-small", shape: .square(side: 120)),
    ]
}

/// The formats that renditions are written in.
public enum RenditionFormat: String, Sendable, CaseIterable, Codable {
    case webp, jpeg

    /// The media type, `image/webp` or `image/jpeg`.
    public var contentType: String { "image/\(rawValue)" }

    /// The usual ending of a file name, without the dot.
    public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}

/// A square part of an upright picture, told without pixels.
public struct CropSquare: Sendable, Hashable {
    /// Left edge as a part of the picture's width, 0 to 1.
    public var x: Double
    /// Top edge as a part of the picture's height, 0 to 1.
    public var y: Double
    /// Side as a part of the picture's shorter side, above 0 and at most 1.
    public var size: Double

    /// A square that reaches over the picture's edge is moved inwards.
    ///
    /// - Parameters:
    ///   - x: left edge, part of the width.
    ///   - y: top edge, part of the height.
    ///   - size: side, part of the shorter side.
    public init(x: Double, y: Double, size: Double) {
        self.x = x
        self.y = y
        self.size = size
    }
}
