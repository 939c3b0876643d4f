import Foundation

/// The facts about a picture, and the paths of its renditions, after
/// ``ImageProcessor/process(fileAt:crop:renditions:into:)``.
public struct ProcessedImage: Sendable {
    /// The kind of the uploaded file, or of a composition in full size.
    public var format: ImageFormat
    /// The width of the whole upright picture in pixels.
    public var width: Int
    /// The height of the whole upright picture in pixels.
    public var height: Int
    /// What the camera recorded about the shot. Only the owner may see it; no rendition contains it.
    public var capture: Capture
    /// The blurred picture as a BlurHash of 4 × 3 components, 28 characters.
    public var blurhash: String
    /// The colour that covers most of the picture, as `#rrggbb`.
    public var placeholder: String
    /// The written files, in the order of the specs and of each spec's formats.
    public var renditions: [Rendition]
}

/// A collage, a pair or a fade, after ``ImageProcessor/compose(_:picturesAt:renditions:into:)``,
/// ``ImageProcessor/pair(_:then:now:renditions:into:)`` or ``ImageProcessor/fade(_:then:now:into:)``.
public struct ComposedImage: Sendable {
    /// The facts about the composition, and its renditions. The capture is empty.
    public var image: ProcessedImage
    /// The path of the file in full size: the given directory, and `collage`, `pair` or `fade` with an extension.
    public var path: String
    /// The size of the file in full size in bytes.
    public var byteCount: Int
}

/// A rendition as a file.
public struct Rendition: Sendable {
    /// The spec of the rendition.
    public var spec: RenditionSpec
    /// The format of the file.
    public var format: RenditionFormat
    /// The file's path: the given directory, and the spec's name with an extension.
    public var path: String
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The size of the file in bytes.
    public var byteCount: Int
}

/// What a camera recorded about a shot (EXIF 2.32). A value is nil if it was absent or invalid.
public struct Capture: Sendable, Hashable {
    /// When the picture was taken: DateTimeOriginal at OffsetTimeOriginal. Older cameras record no offset.
    /// Their local time is taken as UTC, so that the calendar day and the time of day stay those of the
    /// camera.
    public var date: Date?
    /// The seconds by which the camera's time zone was ahead of UTC; nil if the camera recorded no zone.
    public var secondsFromUTC: Int?
    /// Where the picture was taken, in WGS 84.
    public var location: Location?
    /// The manufacturer of the camera.
    public var cameraMake: String?
    /// The camera's model.
    public var cameraModel: String?

    /// A place on Earth in degrees, north and east positive.
    public struct Location: Sendable, Hashable {
        /// Degrees, -90 to 90.
        public var latitude: Double
        /// Degrees, -180 to 180.
        public var longitude: Double

        package init(latitude: Double, longitude: Double) {
            self.latitude = latitude
            self.longitude = longitude
        }
    }

    /// Creates a value that knows nothing.
    package init() {}
}
