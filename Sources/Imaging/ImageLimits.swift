/// The limits for a picture. All of them are checked before any pixel is decoded.
public struct ImageLimits: Sendable, Hashable {
    /// The most bytes of a file.
    public var bytes: Int
    /// The most pixels of a picture, width times height.
    public var pixels: Int
    /// The most bytes of memory for all pictures that are processed at once, by an estimate of what the
    /// decoder and the pipeline of each need. A picture waits until its estimate fits. A picture whose
    /// estimate alone exceeds the budget is refused. Pictures that need no more than a quarter of the budget have
    /// another quarter besides, so that they don't wait for larger ones.
    public var decoderMemory: Int

    /// The most pixels on the longer side: as many as JPEG and GIF can express. PNG and TIFF allow longer
    /// pictures, which take much time and memory and show little.
    public static let longestSide = 65_535

    /// - Parameters:
    ///   - bytes: the most bytes of a file, 50 MB by default.
    ///   - pixels: the most pixels, width times height, 100 megapixels by default.
    ///   - decoderMemory: bytes for all pictures together, 1 GB by default, which is enough for one picture
    ///     of 100 megapixels.
    public init(bytes: Int = 50_000_000, pixels: Int = 100_000_000, decoderMemory: Int = 1_000_000_000) {
        self.bytes = bytes
        self.pixels = pixels
        self.decoderMemory = decoderMemory
    }
}
