/// What a picture may cost. All of it is checked before any pixel is decoded.
public struct ImageLimits: Sendable, Hashable {
    /// Bytes that a file may have.
    public var bytes: Int
    /// Pixels that a picture may have, width times height.
    public var pixels: Int
    /// Bytes that all pictures together may hold while they are prepared, by an estimate of what the decoder of each
    /// and its pipeline need. A picture waits until its estimate fits, and one whose estimate is above the budget by
    /// itself is refused.
    public var decoderMemory: Int

    /// Pixels that the longer side may have: as many as JPEG and GIF can tell. Longer pictures, which PNG and TIFF
    /// know, take much time and memory for little to see.
    public static let longestSide = 65_535

    /// - Parameters:
    ///   - bytes: bytes of a file, 50 MB unless told otherwise.
    ///   - pixels: width times height, 100 megapixels unless told otherwise.
    ///   - decoderMemory: bytes for all pictures together, 1 GB unless told otherwise; enough for one picture of
    ///     100 megapixels.
    public init(bytes: Int = 50_000_000, pixels: Int = 100_000_000, decoderMemory: Int = 1_000_000_000) {
        self.bytes = bytes
        self.pixels = pixels
        self.decoderMemory = decoderMemory
    }
}
