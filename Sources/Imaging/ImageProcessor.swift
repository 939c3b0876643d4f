/// Turns pictures from outside into clean renditions, on threads of its own.
///
/// ```swift
/// let processor = ImageProcessor(concurrency: 2, waiting: 32)
/// let picture = try await processor.process(fileAt: upload, renditions: RenditionSpec.photo, into: folder)
/// ```
///
/// Files are told by content, never by name. All of libvips' decoders are blocked but those of
/// ``ImageFormat``; sizes are checked before anything is decoded, and a truncated or lying file is refused.
public final class ImageProcessor: Sendable {
    private let limits: ImageLimits
    private let pool: WorkerPool
    private let decoderMemory: MemoryBudget

    /// Starts the threads, and libvips when it is the first in the process.
    ///
    /// - Parameters:
    ///   - limits: what a picture may cost.
    ///   - concurrency: pictures worked on at once, each on one thread; at least 1.
    ///   - waiting: pictures that may wait beside them before ``ImageError/busy`` is thrown.
    public init(limits: ImageLimits = ImageLimits(), concurrency: Int, waiting: Int) {
        Picture.startLibrary()
        self.limits = limits
        self.pool = WorkerPool(threads: concurrency, waiting: waiting, atThreadEnd: Picture.endThread)
        self.decoderMemory = MemoryBudget(bytes: limits.decoderMemory)
    }

    /// Pictures that wait for a thread at this moment.
    public var waitingCount: Int { pool.waitingCount }

    /// Pictures that are worked on at this moment.
    public var runningCount: Int { pool.runningCount }

    /// Decodes a picture once and writes all renditions of it: upright, 8-bit sRGB, alpha over white, without
    /// metadata, never enlarged.
    ///
    /// The renditions are cut out of the whole upright picture, or out of `crop`. Existing files of their names
    /// are replaced; after an error none of them is left. When the task is cancelled while it waits, it leaves
    /// the queue; once begun, a picture is finished.
    ///
    /// - Parameters:
    ///   - path: the file as it came in; it is only read.
    ///   - crop: the square to show of it; all of it when missing.
    ///   - renditions: what to write.
    ///   - directory: an existing folder for the renditions, best on the disk where they will stay.
    /// - Throws: ``ImageError``, and `CancellationError`.
    public func process(
        fileAt path: String, crop: CropSquare? = nil, renditions: [RenditionSpec], into directory: String
    ) async throws -> ProcessedImage {
        try await pool.run { [limits, decoderMemory] in
            defer { Picture.trimMemory() }
            let file = try PictureFile(path: path, limits: limits)
            let pipeline = RenditionPipeline(file: file, crop: crop, directory: directory)
            return try decoderMemory.withBytes(pipeline.memory(for: renditions)) {
                try pipeline.run(renditions)
            }
        }
    }
}
