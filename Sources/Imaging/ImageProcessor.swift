import CLinux
import Foundation
import Logging
import Synchronization

/// Turns pictures from outside into clean renditions, in processes of their own that can reach nothing else.
///
/// ```swift
/// let processor = ImageProcessor(concurrency: 2, waiting: 32)
/// let picture = try await processor.process(fileAt: upload, renditions: RenditionSpec.photo, into: folder)
/// ```
///
/// This process loads no decoder. Each of the pool's threads has a worker process, started when first needed, that
/// gets the open file and returns encoded renditions. A picture that ends a worker costs only itself.
public final class ImageProcessor: Sendable {
    /// The path of the program that decodes pictures, beside the running executable.
    public static let programBesideExecutable: String = {
        let executable = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
        return executable.resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "tintype-pictures").path
    }()

    private let program: String
    private let logger: Logger
    private let pool: WorkerPool<PictureWorker>
    private let losses = Losses()

    private final class Losses: Sendable {
        let count = Atomic(0)
    }

    /// Starts the threads; worker processes are started when pictures come.
    ///
    /// - Parameters:
    ///   - limits: what a picture may cost.
    ///   - concurrency: pictures worked on at once, each by one process; at least 1.
    ///   - waiting: pictures that may wait beside them before ``ImageError/busy`` is thrown.
    ///   - patience: how long a process may work on a picture before it is killed.
    ///   - program: the path of the program that decodes.
    ///   - logger: learns of each process that failed.
    public init(
        limits: ImageLimits = ImageLimits(), concurrency: Int, waiting: Int,
        patience: Duration = .seconds(30),
        program: String = ImageProcessor.programBesideExecutable, logger: Logger = Logger(label: "pictures")
    ) {
        self.program = program
        self.logger = logger
        let decoderMemory = MemoryBudget(bytes: limits.decoderMemory)
        pool = WorkerPool(threads: concurrency, waiting: waiting) { [losses] in
            PictureWorker(
                program: program, limits: limits, decoderMemory: decoderMemory, patience: patience
            ) { failure in
                if failure.isLoss { losses.count.add(1, ordering: .relaxed) }
                logger.error("\(failure.message)")
            }
        }
    }

    /// Pictures that wait for a thread at this moment.
    public var waitingCount: Int { pool.waitingCount }

    /// Pictures that are worked on at this moment.
    public var runningCount: Int { pool.runningCount }

    /// Worker processes that crashed or were killed since the start.
    public var lossCount: Int { losses.count.load(ordering: .relaxed) }

    /// Says in the log what keeps pictures from being decoded, or takes a wall of the cage away, on this computer.
    public func logShortcomings() {
        if !FileManager.default.isExecutableFile(atPath: program) {
            logger.error(
                "\(program) is missing, so no picture can be taken. It is built and installed with this program."
            )
        }
        if tintype_landlock_version() == 0 {
            logger.warning(
                """
                This kernel has no Landlock: pictures are decoded in processes without network and programs of their \
                own, but with one wall less around the files.
                """)
        }
    }

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
    ///   - renditions: what to write, at most 16.
    ///   - directory: an existing folder for the renditions, best on the disk where they will stay.
    /// - Throws: ``ImageError``, and `CancellationError`.
    public func process(
        fileAt path: String, crop: CropSquare? = nil, renditions: [RenditionSpec], into directory: String
    ) async throws -> ProcessedImage {
        let job = PictureWorker.Job(path: path, crop: crop, renditions: renditions, directory: directory)
        return try await pool.run { worker in try worker.make(job) }
    }
}
