import Foundation

/// What is known of a picture after ``ImageProcessor/process(fileAt:crop:renditions:into:)``, and where its
/// renditions lie.
public struct ProcessedImage: Sendable {
    /// The kind of the file that came in.
    public var format: ImageFormat
    /// Width of the whole upright picture in pixels.
    public var width: Int
    /// Height of the whole upright picture in pixels.
    public var height: Int
    /// What the camera wrote about the shot. For the owner only: no rendition carries it.
    public var capture: Capture
    /// The blurred picture as a BlurHash of 4 × 3 components, 28 characters.
    public var blurhash: String
    /// The colour that covers most of the picture, as `#rrggbb`.
    public var placeholder: String
    /// The files that were written, in the order of the specs and of each spec's formats.
    public var renditions: [Rendition]
}

/// A rendition as a file.
public struct Rendition: Sendable {
    /// What it was made to.
    public var spec: RenditionSpec
    /// Its format.
    public var format: RenditionFormat
    /// Its path: the directory that was given, and the spec's name with an ending.
    public var path: String
    /// Width in pixels.
    public var width: Int
    /// Height in pixels.
    public var height: Int
    /// Bytes of the file.
    public var byteCount: Int
}

/// What a camera wrote about a shot (EXIF 2.32). Each part is missing when it was absent or made no sense.
public struct Capture: Sendable, Hashable {
    /// When the picture was taken: DateTimeOriginal at OffsetTimeOriginal. Older cameras tell no offset; their
    /// local time is then taken as UTC, so that the calendar day and the clock stay those of the camera.
    public var date: Date?
    /// Seconds that the camera's zone was ahead of UTC; missing when it told none.
    public var secondsFromUTC: Int?
    /// Where the picture was taken, WGS 84.
    public var location: Location?
    /// Who made the camera.
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

    /// Nothing known.
    package init() {}
}
