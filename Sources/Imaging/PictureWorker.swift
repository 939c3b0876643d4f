import Foundation

/// Lets a process in the cage decode pictures, one at a time, and trusts nothing that the process says.
///
/// The process is started when first needed, and kept. If it ends, is late, or breaks the protocol, only the
/// current picture is lost; the next picture gets a new process. Use a worker only on the thread that created
/// it.
final class PictureWorker {
    /// One picture, and the renditions to make of it.
    struct Job {
        let path: String
        let crop: CropSquare?
        let renditions: [RenditionSpec]
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

    /// Makes the renditions of a picture.
    ///
    /// - Throws: ``ImageError``; then no rendition is left.
    func make(_ job: Job) throws(ImageError) -> ProcessedImage {
        let request = PictureRequest(limits: limits, crop: job.crop, renditions: job.renditions)
        let picture = try Descriptor(reading: job.path)
        let size = try picture.byteCount()
        guard size > 0 else { throw .notAnImage }
        guard size <= limits.bytes else { throw .tooManyBytes(limit: limits.bytes) }
        // The worker writes into memory, and the renditions are copied from there, so that a process that
        // keeps a descriptor can't change a rendition later.
        var outputs: [Descriptor] = []
        for _ in 0..<request.fileCount { outputs.append(try .memory()) }

        let process = try readyProcess()
        let (header, result) = try converse(with: process, request, picture: picture, outputs: outputs)
        guard let renditions = try Self.check(result, header, request, outputs, directory: job.directory)
        else {
            throw lost(.broke(what: "what it wrote isn't what was asked for"))
        }
        try Self.write(renditions.map { ($0.rendition.path, $0.file) })
        return ProcessedImage(
            format: header.format, width: header.width, height: header.height, capture: header.capture,
            blurhash: result.blurhash, placeholder: result.placeholder,
            renditions: renditions.map(\.rendition))
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

    private func converse(
        with process: WorkerProcess, _ request: PictureRequest, picture: Descriptor, outputs: [Descriptor]
    ) throws(ImageError) -> (PictureHeader, PictureResult) {
        do {
            let began = ContinuousClock.now
            try process.socket.send(.request(request), [picture] + outputs)
            switch try process.socket.receive(until: began + patience) {
            case .refusal(let error): throw try accepted(error)
            case .header(let header):
                let used = began.duration(to: .now)
                if let error = refusal(of: header) {
                    try process.socket.send(.skip)
                    throw error
                }
                // The time limit doesn't include waiting for memory.
                return try decoderMemory.withBytes(header.memory) {
                    try process.socket.send(.proceed)
                    switch try process.socket.receive(until: .now + (patience - used)) {
                    case .refusal(let error): throw try accepted(error)
                    case .result(let result): return (header, result)
                    default: throw FrameSocket.Failure.malformed
                    }
                }
            default: throw FrameSocket.Failure.malformed
            }
        } catch let error as ImageError {
            throw error
        } catch FrameSocket.Failure.late {
            throw lost(.late(patience))
        } catch FrameSocket.Failure.malformed {
            throw lost(.broke(what: "it sent no frame of the protocol"))
        } catch {
            throw lost(.ended)
        }
    }

    /// Returns a refusal that a worker may give, with the server's own limits in it.
    private func accepted(_ error: ImageError) throws(FrameSocket.Failure) -> ImageError {
        switch error {
        case .notAnImage, .unsupported, .tooCostly, .broken, .outOfSpace, .inputOutput: error
        case .tooManyPixels: .tooManyPixels(limit: limits.pixels)
        case .tooManyBytes: .tooManyBytes(limit: limits.bytes)
        case .busy, .decoderFailed, .decoderMissing: throw .malformed
        }
    }

    /// Returns why a picture with this header isn't decoded; nil if it may be decoded.
    private func refusal(of header: PictureHeader) -> ImageError? {
        if header.width * header.height > limits.pixels { return .tooManyPixels(limit: limits.pixels) }
        if header.memory > limits.decoderMemory { return .tooCostly }
        return nil
    }

    // MARK: The renditions

    /// Compares what a worker has written with the request. Returns nil if they differ.
    private static func check(
        _ result: PictureResult, _ header: PictureHeader, _ request: PictureRequest, _ outputs: [Descriptor],
        directory: String
    ) throws(ImageError) -> [(rendition: Rendition, file: [UInt8])]? {
        let wanted = request.renditions.flatMap { spec in spec.formats.map { (spec, $0) } }
        guard result.sizes.count == wanted.count else { return nil }
        var renditions: [(Rendition, [UInt8])] = []
        for (index, (spec, format)) in wanted.enumerated() {
            let size = result.sizes[index]
            let count = try outputs[index].byteCount()
            guard spec.shape.allows(size, of: header), count <= mostBytes(size) else { return nil }
            let file = try outputs[index].read(count)
            guard format.begins(file) else { return nil }
            renditions.append(
                (
                    Rendition(
                        spec: spec, format: format,
                        path: "\(directory)/\(spec.name).\(format.fileExtension)", width: size.width,
                        height: size.height, byteCount: file.count), file
                ))
        }
        return renditions
    }

    /// Returns more bytes than WebP and JPEG take at the qualities used here, even for noise.
    private static func mostBytes(_ size: PictureResult.Size) -> Int {
        size.width * size.height * 4 + 65_536
    }

    /// Writes all files, or none.
    private static func write(_ files: [(path: String, bytes: [UInt8])]) throws(ImageError) {
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

extension RenditionSpec.Shape {
    /// Returns whether a rendition of a picture may have this size.
    fileprivate func allows(_ size: PictureResult.Size, of picture: PictureHeader) -> Bool {
        switch self {
        case .fit(let longestSide):
            max(size.width, size.height) <= min(longestSide, max(picture.width, picture.height))
        case .square(let side):
            size.width == size.height && size.width <= min(side, min(picture.width, picture.height))
        }
    }
}

extension RenditionFormat {
    /// Returns whether a file begins as files of this format do.
    fileprivate func begins(_ file: [UInt8]) -> Bool {
        switch self {
        case .jpeg: file.starts(with: [0xFF, 0xD8, 0xFF])
        case .webp: file.starts(with: "RIFF".utf8) && file.dropFirst(8).starts(with: "WEBP".utf8)
        }
    }
}
