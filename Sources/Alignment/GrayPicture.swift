/// A picture of one byte a pixel, row by row.
public struct GrayPicture: Sendable {
    /// The width in pixels.
    public let width: Int
    /// The height in pixels.
    public let height: Int
    /// The brightness of each pixel, row by row.
    public let pixels: [UInt8]

    /// Creates a picture, or returns nil if the number of pixels doesn't match the sides.
    public init?(width: Int, height: Int, pixels: [UInt8]) {
        let (count, overflow) = width.multipliedReportingOverflow(by: height)
        guard width > 0, height > 0, !overflow, pixels.count == count else { return nil }
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}
