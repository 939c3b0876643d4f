import Foundation

/// Lets a process in the cage make renditions and compositions and compare pictures, one after the other, and trusts
/// nothing that the process says.
///
/// The process is started when first needed, and kept. If it ends, is late, or breaks the protocol, only the
/// current picture is lost; the next picture gets a new process. Use a worker only on the thread that created
/// it.
final class PictureWorker {
    /// What to make.
    struct Job {
        /// The pictures to read, as many as the source has.
        let paths: [String]
        let source: PictureRequest.Source
        let renditions: [RenditionSpec]
        /// The folder for the files.
        let directory: String
    }

    /// How long a process may take to start. On a busy machine, that is mostly waiting.
    private static let startPatience = Duration.seconds(60)

    private let program: String
    private let limits: ImageLimits
    private let decoderMemory: MemoryBudget
    private let patience: Duration
    private let report: @Sendable (WorkerFailure) -> Void
    private var process: WorkerProcess?

    /// - Parameters:
    ///   - program: the path of the program that decodes.
    ///   - limits: the limits for a picture.
    ///   - decoderMemory: the memory that all workers share.
    ///   - patience: how long the process may work on a picture.
    ///   - report: called for each process that failed.
    init(
        program: String, limits: ImageLimits, decoderMemory: MemoryBudget, patience: Duration,
        report: @escaping @Sendable (WorkerFailure) -> Void
    ) {
        self.program = program
        self.limits = limits
        self.decoderMemory = decoderMemory
        self.patience = patience
        self.report = report
    }

    /// Makes the renditions of a picture or of a composition, and the composition in full size.
    ///
    /// - Parameter run: ends the process when nobody waits for the pictures any longer.
    /// - Returns: the facts about what the renditions show, and all files.
    /// - Throws: ``ImageError``; then no file is left.
    func make(
        _ job: Job, _ run: PictureRun
    ) throws(ImageError) -> (image: ProcessedImage, files: [CheckedFile]) {
        let request = PictureRequest(limits: limits, source: job.source, renditions: job.renditions)
        let pictures = try opened(job.paths)
        // The worker writes into memory, and the files are copied from there, so that a process that keeps a
        // descriptor can't change a file later.
        var outputs: [Descriptor] = []
        for _ in 0..<request.fileCount { outputs.append(try .memory()) }

        let (header, answer) = try converse(with: readyProcess(), request, pictures + outputs, run)
        guard case .result(let result) = answer else { throw lost(.broke(what: Self.otherFrame)) }
        guard let files = try Self.check(result, header, request, outputs, directory: job.directory) else {
            throw lost(.broke(what: "what it wrote isn't what was asked for"))
        }
        try Self.write(files)
        let image = ProcessedImage(
            format: header.format, width: header.width, height: header.height, capture: header.capture,
            blurhash: result.blurhash, placeholder: result.placeholder,
            renditions: files.compactMap(\.rendition))
        return (image, files)
    }

    /// Compares a picture of now with one of then.
    ///
    /// - Throws: ``ImageError``.
    func align(
        _ frame: PairFrame, then: String, now: String, _ run: PictureRun
    ) throws(ImageError) -> PairAlignment {
        let request = PictureRequest(limits: limits, source: .alignment(frame), renditions: [])
        let pictures = try opened([then, now])
        let (_, answer) = try converse(with: readyProcess(), request, pictures, run)
        guard case .alignment(let alignment) = answer else { throw lost(.broke(what: Self.otherFrame)) }
        return alignment
    }

    /// Opens pictures whose length is allowed.
    private func opened(_ paths: [String]) throws(ImageError) -> [Descriptor] {
        var pictures: [Descriptor] = []
        for path in paths {
            let picture = try Descriptor(reading: path)
            let size = try picture.byteCount()
            guard size > 0 else { throw .notAnImage }
            guard size <= limits.bytes else { throw .tooManyBytes(limit: limits.bytes) }
            pictures.append(picture)
        }
        return pictures
    }

    // MARK: The process

    /// Returns the kept process, or a new one if there is none that can be trusted with a picture.
    private func readyProcess() throws(ImageError) -> WorkerProcess {
        if let process, process.socket.isQuiet, !process.isWorn { return process }
        if let old = process {
            process = nil
            // A worn-out process has done nothing wrong, so it isn't reported.
            if !old.socket.isQuiet { report(.endedIdle(end: old.end())) }
        }
        let fresh: WorkerProcess
        do {
            fresh = try WorkerProcess(program: program, decoderMemory: limits.decoderMemory)
        } catch {
            report(.notStarted(reason: error.reason(for: program)))
            throw .decoderMissing
        }
        let reason: String
        switch Result(catching: { () throws(FrameSocket.Failure) in
            try fresh.socket.receive(until: .now + Self.startPatience)
        }) {
        case .success(.ready):
            process = fresh
            return fresh
        case .success(.unable(let why)): reason = why
        default: reason = fresh.end()
        }
        report(.notStarted(reason: reason))
        throw .decoderMissing
    }

    /// Ends the process after a failure.
    ///
    /// - Returns: the error for the person who sent the picture.
    private func lost(_ failure: WorkerFailure.Cause) -> ImageError {
        let end = process?.end() ?? "gone"
        process = nil
        report(.lost(cause: failure, end: end))
        return .decoderFailed
    }

    // MARK: The conversation

    private static let otherFrame = "it answered with another frame than asked for"

    /// Sends a request and waits for the answer, which is neither checked nor known to be of the right kind.
    private func converse(
        with process: WorkerProcess, _ request: PictureRequest, _ descriptors: [Descriptor], _ run: PictureRun
    ) throws(ImageError) -> (PictureHeader, WorkerFrame) {
        let before = process.processorSeconds
        let exchanged = Result {
            try run.interruptible(by: { [socket = process.socket] in socket.shutDown() }) {
                try exchange(with: process, request, descriptors, run)
            }
        }
        if let before, let after = process.processorSeconds { run.note(processorSeconds: after - before) }
        do {
            return try exchanged.get()
        } catch let error as ImageError {
            throw error
        } catch _ where run.end != nil {
            // Nothing was wrong with the process, but it was interrupted and can't be used again.
            _ = process.end()
            self.process = nil
            throw .decoderFailed
        } catch FrameSocket.Failure.late {
            throw lost(.late(patience * request.pictureCount))
        } catch FrameSocket.Failure.malformed {
            throw lost(.broke(what: "it sent no frame of the protocol"))
        } catch {
            throw lost(.ended)
        }
    }

    private func exchange(
        with process: WorkerProcess, _ request: PictureRequest, _ descriptors: [Descriptor], _ run: PictureRun
    ) throws -> (PictureHeader, WorkerFrame) {
        // A composition takes the time of its pictures.
        let patience = patience * request.pictureCount
        let began = ContinuousClock.now
        try process.socket.send(.request(request), descriptors)
        switch try process.socket.receive(until: began + patience) {
        case .refusal(let error): throw try accepted(error)
        case .header(let header) where request.allows(header):
            let used = began.duration(to: .now)
            if let error = refusal(of: header) ?? delay(request, header, run) {
                try process.socket.send(.skip)
                throw error
            }
            // The time limit doesn't include waiting for memory.
            return try decoderMemory.withBytes(header.memory) {
                try process.socket.send(.proceed)
                switch try process.socket.receive(until: .now + (patience - used)) {
                case .refusal(let error): throw try accepted(error)
                case let answer: return (header, answer)
                }
            }
        default: throw FrameSocket.Failure.malformed
        }
    }

    /// Returns an error if a picture turned out to be so costly that it is decoded later; nil if it may be decoded.
    ///
    /// The cost of compositions and alignments is known before.
    private func delay(_ request: PictureRequest, _ header: PictureHeader, _ run: PictureRun) -> ImageError? {
        guard case .picture = request.source else { return nil }
        let cost = PictureCost.seconds(request.renditions, of: header)
        return run.mayGoOn(costing: cost) ? nil : .decoderFailed
    }

    /// Returns a refusal that a worker may give, with the server's own limits in it.
    private func accepted(_ error: ImageError) throws(FrameSocket.Failure) -> ImageError {
        switch error {
        case .notAnImage, .unsupported, .tooCostly, .broken, .outOfSpace, .inputOutput: error
        case .tooManyPixels: .tooManyPixels(limit: limits.pixels)
        case .tooManyBytes: .tooManyBytes(limit: limits.bytes)
        case .decoderFailed, .decoderMissing: throw .malformed
        }
    }

    /// Returns why a picture with this header isn't decoded; nil if it may be decoded.
    private func refusal(of header: PictureHeader) -> ImageError? {
        if header.width * header.height > limits.pixels { return .tooManyPixels(limit: limits.pixels) }
        if header.memory > limits.decoderMemory { return .tooCostly }
        return nil
    }

    // MARK: The files

    /// Compares what a worker has written with the request. Returns nil if they differ.
    private static func check(
        _ result: PictureResult, _ header: PictureHeader, _ request: PictureRequest, _ outputs: [Descriptor],
        directory: String
    ) throws(ImageError) -> [CheckedFile]? {
        let wanted = request.files
        guard result.sizes.count == wanted.count else { return nil }
        var files: [CheckedFile] = []
        for (index, wanted) in wanted.enumerated() {
            let size = result.sizes[index]
            let count = try outputs[index].byteCount()
            guard wanted.allows(size, of: header), count <= wanted.mostBytes(size) else { return nil }
            let bytes = try outputs[index].read(count)
            guard wanted.matches(bytes) else { return nil }
            files.append(
                CheckedFile(wanted: wanted, path: "\(directory)/\(wanted.name)", size: size, bytes: bytes))
        }
        return files
    }

    /// Writes all files, or none.
    private static func write(_ files: [CheckedFile]) throws(ImageError) {
        do {
            for file in files { try NewFile.write(file.bytes, to: file.path) }
        } catch {
            // Files that were never written don't need to be removed.
            for file in files { unlink(file.path) }
            throw error
        }
    }
}

/// A worker process that ended early.
struct WorkerFailure {
    /// The reasons why a process is ended.
    enum Cause {
        case ended
        case late(Duration)
        case broke(what: String)
    }

    /// A description for the log.
    let message: String
    /// Whether a process was lost; false if none was running yet.
    let isLoss: Bool

    static func notStarted(reason: String) -> WorkerFailure {
        WorkerFailure(message: "no picture can be decoded: \(reason)", isLoss: false)
    }

    static func endedIdle(end: String) -> WorkerFailure {
        WorkerFailure(message: "a picture worker ended between pictures: \(end)", isLoss: true)
    }

    static func lost(cause: Cause, end: String) -> WorkerFailure {
        let what =
            switch cause {
            case .ended: "ended"
            case .late(let patience): "was killed after \(patience.components.seconds) seconds"
            case .broke(let what): "was killed, since \(what)"
            }
        return WorkerFailure(message: "a picture worker \(what), amid a picture: \(end)", isLoss: true)
    }
}

extension ImageError {
    /// Returns why a program couldn't be started.
    fileprivate func reason(for program: String) -> String {
        guard case .inputOutput(let errno) = self else { return sentence }
        return "\(program): \(String(cString: strerror(errno)))"
    }
}
