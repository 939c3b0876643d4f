import Foundation

/// A worker that lets processes in the cage make renditions and compositions and compare pictures, one after the
/// other, and trusts nothing that they say.
///
/// Each job has a process of its own, which is killed when it has answered. It is forked from a warm process, which is
/// started when first needed, and kept. If the job's process ends, is late, or breaks the protocol, only its picture is
/// lost. Use a worker only on the thread that created it.
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

    private let program: String
    private let limits: ImageLimits
    private let decoderMemory: MemoryBudget
    private let patience: Duration
    private let report: @Sendable (WorkerFailure) -> Void
    private var process: WorkerProcess?
    private var hasReportedThreads = false

    /// - Parameters:
    ///   - program: the path of the program that decodes.
    ///   - limits: the limits for a picture.
    ///   - decoderMemory: the memory that all workers share.
    ///   - patience: how long the process may work on a picture.
    ///   - report: called for each process that failed, and once if jobs can start any number of threads.
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
        return try perform(request, job.paths, run) { header, outputs, answer in
            guard case .result(let result) = answer else { throw BrokenPromise(what: Self.otherFrame) }
            guard let files = try Self.check(result, header, request, outputs, directory: job.directory)
            else {
                throw BrokenPromise(what: "what it wrote isn't what was asked for")
            }
            try Self.write(files)
            let image = ProcessedImage(
                format: header.format, width: header.width, height: header.height, capture: header.capture,
                blurhash: result.blurhash, placeholder: result.placeholder,
                renditions: files.compactMap(\.rendition))
            return (image, files)
        }
    }

    /// Compares a picture of now with one of then.
    ///
    /// - Throws: ``ImageError``.
    func align(
        _ frame: PairFrame, then: String, now: String, _ run: PictureRun
    ) throws(ImageError) -> PairAlignment {
        let request = PictureRequest(limits: limits, source: .alignment(frame), renditions: [])
        return try perform(request, [then, now], run) { _, _, answer in
            guard case .alignment(let alignment) = answer else {
                throw BrokenPromise(what: Self.otherFrame)
            }
            return alignment
        }
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

    /// Does a job in a process of its own, and ends that.
    ///
    /// - Parameters:
    ///   - request: what to make.
    ///   - paths: the pictures.
    ///   - run: what ends the job early, and learns its processor time.
    ///   - accept: checks and takes over the answer, whose files don't change any more. May throw ``ImageError`` and
    ///     `BrokenPromise`.
    /// - Throws: ``ImageError``.
    private func perform<Value>(
        _ request: PictureRequest, _ paths: [String], _ run: PictureRun,
        _ accept: (PictureHeader, [Descriptor], WorkerFrame) throws -> Value
    ) throws(ImageError) -> Value {
        let pictures = try opened(paths)
        let job = try newJob()
        defer { replaceIfWorn() }
        // A composition takes the time of its pictures.
        let patience = patience * request.pictureCount
        let claim = MemoryBudget.Claim()
        let cause: WorkerFailure.Cause
        do {
            defer {
                job.end()
                if let seconds = job.processorSeconds { run.note(processorSeconds: seconds) }
            }
            let end = { @Sendable [handle = job.handle, decoderMemory] in
                handle.kill()
                decoderMemory.giveUp(claim)
            }
            return try run.interruptible(by: end) {
                try converse(with: job, request, pictures, patience, run, claim, accept)
            }
        } catch let error as ImageError {
            throw error
        } catch  where run.end != nil {
            // Nothing was wrong with the process, which is gone nevertheless.
            throw .decoderFailed
        } catch let broken as BrokenPromise {
            cause = .broke(what: broken.what)
        } catch let unable as UnableToEnter {
            report(.notStarted(reason: unable.reason))
            throw .decoderMissing
        } catch FrameSocket.Failure.late {
            cause = .late(patience)
        } catch FrameSocket.Failure.malformed {
            cause = .broke(what: "it sent no frame of the protocol")
        } catch {
            cause = .ended
        }
        report(.lost(cause: cause, end: job.end()))
        // A job that fails may have learnt something about the addresses.
        replace()
        throw .decoderFailed
    }

    /// Forks a process for a job.
    private func newJob() throws(ImageError) -> JobProcess {
        let process = try readyProcess()
        do throws(WorkerProcess.Failure) {
            let countsThreads = try process.waitUntilReady()
            if !countsThreads && !hasReportedThreads {
                hasReportedThreads = true
                report(.unboundedThreads)
            }
            return try process.fork()
        } catch {
            switch error {
            case .unable(let reason): report(.notStarted(reason: reason))
            case .lost: report(.notStarted(reason: process.end()))
            }
        }
        self.process = nil
        throw .decoderMissing
    }

    /// Returns the kept warm process, or a new one if there is none that can be trusted.
    private func readyProcess() throws(ImageError) -> WorkerProcess {
        if let process {
            if !process.isLost { return process }
            self.process = nil
            report(.endedIdle(end: process.end()))
        }
        do {
            let fresh = try WorkerProcess(program: program, decoderMemory: limits.decoderMemory)
            process = fresh
            return fresh
        } catch {
            report(.notStarted(reason: error.reason(for: program)))
            throw .decoderMissing
        }
    }

    /// Ends the warm process, and lets another one start, so that the next job needn't wait for it.
    private func replace() {
        process = nil
        // If this fails, the next job tries again, and reports why.
        process = try? WorkerProcess(program: program, decoderMemory: limits.decoderMemory)
    }

    private func replaceIfWorn() {
        if process?.isWorn == true { replace() }
    }

    // MARK: The conversation

    private static let otherFrame = "it answered with another frame than asked for"

    /// A process has answered with something that can't be right.
    private struct BrokenPromise: Error {
        let what: String
    }

    /// A process couldn't put up a wall.
    private struct UnableToEnter: Error {
        let reason: String
    }

    /// Sends a request, waits for the answer, and takes it over.
    private func converse<Value>(
        with process: JobProcess, _ request: PictureRequest, _ pictures: [Descriptor], _ patience: Duration,
        _ run: PictureRun, _ claim: MemoryBudget.Claim,
        _ accept: (PictureHeader, [Descriptor], WorkerFrame) throws -> Value
    ) throws -> Value {
        let began = ContinuousClock.now
        try process.socket.send(.request(request), pictures)
        switch try process.socket.receive(until: began + patience) {
        case .unable(let reason): throw UnableToEnter(reason: reason)
        case .refusal(let error): throw try accepted(error)
        case .header(let header) where request.allows(header):
            let used = began.duration(to: .now)
            if let error = refusal(of: header) ?? delay(request, header, run) { throw error }
            // The most bytes of each file to write, which takes memory until it is copied.
            let sizes = request.files.map { $0.mostBytes(of: header) }
            let memory = min(header.memory + sizes.reduce(0, +), limits.decoderMemory)
            // The time limit doesn't include waiting for memory.
            return try decoderMemory.withBytes(memory, for: claim) {
                defer { process.end() }
                let outputs = try sizes.map { try Descriptor.memory(upTo: $0) }
                try process.socket.send(.proceed, outputs)
                let answer = try process.socket.receive(until: .now + (patience - used))
                if case .refusal(let error) = answer { throw try accepted(error) }
                // First sealed, and then read: what is checked is what is kept. A process that has mapped a file prevents
                // that, and no decoder maps one.
                guard outputs.allSatisfy({ $0.seal() }) else {
                    throw BrokenPromise(what: "it holds on to what it wrote")
                }
                process.handle.kill()
                return try accept(header, outputs, answer)
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
            guard wanted.allows(size, of: header), count <= wanted.mostBytes(size),
                wanted.matches(try outputs[index].read(min(count, 32)))
            else { return nil }
            files.append(
                CheckedFile(
                    wanted: wanted, path: "\(directory)/\(wanted.name)", size: size, byteCount: count,
                    content: outputs[index]))
        }
        return files
    }

    /// Writes all files, or none.
    private static func write(_ files: [CheckedFile]) throws(ImageError) {
        do {
            for file in files { try NewFile.copy(file.content, file.byteCount, to: file.path) }
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

    static let unboundedThreads = WorkerFailure(
        message: """
            This kernel, or the container, can't count the threads of processes that decode pictures: one that is taken \
            over may start any number of them.
            """, isLoss: false)

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
