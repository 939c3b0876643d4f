import CLinux
import Foundation
import Logging
import Synchronization

/// A service that turns uploaded pictures into clean renditions, collages and pairs, in separate processes that can
/// reach nothing else.
///
/// ```swift
/// let processor = ImageProcessor(concurrency: 2, waiting: 32)
/// let picture = try await processor.process(fileAt: upload, renditions: RenditionSpec.photo, into: folder)
/// ```
///
/// This process loads no decoder. Each of the pool's threads owns a warm process, started when first needed, which forks
/// a process for each job. That process receives the open file, returns encoded renditions, and ends. If a picture
/// crashes it, only this picture is lost.
///
/// Work is done in turns of its owners, by the processor time that it takes (``FairQueue``). If a task is cancelled, its
/// work leaves the queue, or is ended if it is running; then no file is left. Every function throws
/// ``QueueRefusal`` if the work isn't taken, and ``ImageError`` if the picture isn't.
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
    private let decoderMemory: MemoryBudget
    private let losses = Losses()

    private final class Losses: Sendable {
        let count = Atomic(0)
    }

    /// Starts the threads. Worker processes are started when pictures arrive.
    ///
    /// - Parameters:
    ///   - limits: the limits for a picture.
    ///   - concurrency: the number of pictures processed at once, each by its own process; at least 1.
    ///   - waiting: how many more pictures may wait before ``QueueRefusal/full`` is thrown.
    ///   - owners: what one owner may have of the processes.
    ///   - patience: how long a process may work on a picture, or on each picture of a composition, before it is
    ///     killed.
    ///   - program: the path of the program that decodes.
    ///   - logger: the log for processes that failed.
    public init(
        limits: ImageLimits = ImageLimits(), concurrency: Int, waiting: Int,
        owners: OwnerLimits = .none, patience: Duration = .seconds(30),
        program: String = ImageProcessor.programBesideExecutable, logger: Logger = Logger(label: "pictures")
    ) {
        self.program = program
        self.logger = logger
        decoderMemory = MemoryBudget(bytes: limits.decoderMemory, small: limits.decoderMemory / 4)
        pool = WorkerPool(threads: concurrency, waiting: waiting, limits: owners) { [losses, decoderMemory] in
            PictureWorker(
                program: program, limits: limits, decoderMemory: decoderMemory, patience: patience
            ) { failure in
                if failure.isLoss { losses.count.add(1, ordering: .relaxed) }
                logger.error("\(failure.message)")
            }
        }
    }

    /// The number of pictures that wait for a thread.
    public var waitingCount: Int { pool.waitingCount }

    /// The number of pictures that are being processed.
    public var runningCount: Int { pool.runningCount }

    /// The bytes of ``ImageLimits/decoderMemory`` that are left, and the number of pictures being processed that wait for
    /// more.
    package var memory: (left: Int, waiting: Int) { decoderMemory.counts }

    /// The number of worker processes that crashed or were killed since the start.
    public var lossCount: Int { losses.count.load(ordering: .relaxed) }

    /// Refuses what waits, and lets what is running finish within some time, after which it is ended.
    ///
    /// - Parameter patience: the time. Meanwhile a further picture is taken only if a process is free for it.
    public func stop(within patience: Duration) {
        pool.stop(within: patience)
    }

    /// Logs what prevents decoding, or weakens the sandbox, on this computer.
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

    /// Decodes a picture once and writes all its renditions: upright, in 8-bit sRGB, with transparency over
    /// white, without metadata, never enlarged.
    ///
    /// The renditions show the whole upright picture, or the square `crop` of it. Existing files with their
    /// names are replaced. After an error, none of the renditions is left.
    ///
    /// - Parameters:
    ///   - path: the uploaded file, which is only read.
    ///   - crop: the square to show; nil for the whole picture.
    ///   - renditions: the renditions to write, at most 16.
    ///   - directory: an existing folder for the renditions, best on the disk where they will stay.
    ///   - turn: whose work it is.
    /// - Throws: ``ImageError``, ``QueueRefusal``, and `CancellationError`.
    public func process(
        fileAt path: String, crop: CropSquare? = nil, renditions: [RenditionSpec], into directory: String,
        for turn: PictureTurn = PictureTurn(.server)
    ) async throws -> ProcessedImage {
        let job = PictureWorker.Job(
            paths: [path], source: .picture(crop: crop), renditions: renditions, directory: directory)
        return try await pool.run(
            turn, cost: PictureCost(of: job.source, pixels: [], renditions).beforeReading
        ) { worker, run in
            try worker.make(job, run).image
        }
    }

    /// Renders a collage from pictures in full size, and writes the collage in full size and all its renditions: in
    /// 8-bit sRGB, without metadata.
    ///
    /// Each picture is decoded in turn, upright and with transparency over white, only as far as its cell shows it.
    /// Existing files with the names of the new ones are replaced. After an error, none of the files is left. A
    /// collage may take the time of as many pictures as it has cells.
    ///
    /// - Parameters:
    ///   - spec: the collage.
    ///   - paths: the pictures, one for each cell in the order of the cells, which are only read. A picture may be
    ///     in several cells.
    ///   - pixels: the number of pixels of each picture, from which the cost is predicted; empty if unknown.
    ///   - renditions: the renditions to write, at most 16.
    ///   - directory: an existing folder for the files, best on the disk where they will stay.
    ///   - turn: whose work it is.
    /// - Throws: ``ImageError``, ``QueueRefusal``, and `CancellationError`.
    public func compose(
        _ spec: CollageSpec, picturesAt paths: [String], pixels: [Int] = [], renditions: [RenditionSpec],
        into directory: String, for turn: PictureTurn = PictureTurn(.server)
    ) async throws -> ComposedImage {
        precondition(paths.count == spec.cells.count, "a collage has a picture in each cell")
        return try await composed(.collage(spec), paths, pixels, renditions, directory, turn)
    }

    /// Renders a picture of then and one of now side by side or one above the other as JPEG, and writes all renditions
    /// of that: in 8-bit sRGB, without metadata.
    ///
    /// The halves have the size of the larger one of what both pictures hold of the crop, as far as the whole is 512
    /// to 4096 pixels long on its longer side. Otherwise as ``compose(_:picturesAt:pixels:renditions:into:for:)``; the file in full
    /// size is called `pair.jpg`.
    ///
    /// - Parameters:
    ///   - spec: the pair.
    ///   - then: the path of the past picture, which is only read.
    ///   - now: the path of the picture of today, which is only read.
    ///   - pixels: the number of pixels of each picture, from which the cost is predicted; empty if unknown.
    ///   - renditions: the renditions to write, at most 16.
    ///   - directory: an existing folder for the files, best on the disk where they will stay.
    ///   - turn: whose work it is.
    /// - Throws: ``ImageError``, ``QueueRefusal``, and `CancellationError`.
    public func pair(
        _ spec: PairSpec, then: String, now: String, pixels: [Int] = [], renditions: [RenditionSpec],
        into directory: String, for turn: PictureTurn = PictureTurn(.server)
    ) async throws -> ComposedImage {
        try await composed(.pair(spec), [then, now], pixels, renditions, directory, turn)
    }

    /// Renders an animation as WebP that shows a picture of then, fades to one of now, and fades back, without end.
    ///
    /// The layout of the spec doesn't matter. The animation is 512 to 960 pixels long on its longer side. The file is
    /// called `fade.webp`; the blurred picture and the colour are those of the past picture.
    ///
    /// - Parameters:
    ///   - spec: the pair.
    ///   - then: the path of the past picture, which is only read.
    ///   - now: the path of the picture of today, which is only read.
    ///   - pixels: the number of pixels of each picture, from which the cost is predicted; empty if unknown.
    ///   - directory: an existing folder for the file, best on the disk where it will stay.
    ///   - turn: whose work it is.
    /// - Throws: ``ImageError``, ``QueueRefusal``, and `CancellationError`.
    public func fade(
        _ spec: PairSpec, then: String, now: String, pixels: [Int] = [], into directory: String,
        for turn: PictureTurn = PictureTurn(.server)
    ) async throws -> ComposedImage {
        try await composed(.fade(spec), [then, now], pixels, [], directory, turn)
    }

    /// Looks for the map that lays a picture of now over one of then, as both are placed in a frame.
    ///
    /// - Parameters:
    ///   - frame: how the pictures are placed.
    ///   - then: the path of the past picture, which is only read.
    ///   - now: the path of the picture of today, which is only read.
    ///   - pixels: the number of pixels of each picture, from which the cost is predicted; empty if unknown.
    ///   - turn: whose work it is.
    /// - Throws: ``ImageError``, ``QueueRefusal``, and `CancellationError`.
    public func align(
        _ frame: PairFrame, then: String, now: String, pixels: [Int] = [],
        for turn: PictureTurn = PictureTurn(.server)
    ) async throws -> PairAlignment {
        let cost = PictureCost(of: .alignment(frame), pixels: pixels)
        return try await pool.run(turn, cost: cost.beforeReading) { worker, run in
            guard run.mayGoOn(costing: cost.seconds(readingFrom: [then, now])) else {
                throw QueueRefusal.full
            }
            return try worker.align(frame, then: then, now: now, run)
        }
    }

    private func composed(
        _ composition: Composition, _ paths: [String], _ pixels: [Int], _ renditions: [RenditionSpec],
        _ directory: String, _ turn: PictureTurn
    ) async throws -> ComposedImage {
        let job = PictureWorker.Job(
            paths: paths, source: .composition(composition), renditions: renditions, directory: directory)
        let cost = PictureCost(of: job.source, pixels: pixels, renditions)
        return try await pool.run(turn, cost: cost.beforeReading) { worker, run in
            guard run.mayGoOn(costing: cost.seconds(readingFrom: paths)) else { throw QueueRefusal.full }
            let (image, files) = try worker.make(job, run)
            return ComposedImage(image: image, path: files[0].path, byteCount: files[0].byteCount)
        }
    }
}
