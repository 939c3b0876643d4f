import Foundation
import Imaging
import Logging
import Synchronization
import Testing

/// A processor whose workers do what "pictures" tell them, as if an attacker had taken them over.
struct Captured {
    let processor: ImageProcessor
    let folder: Folder
    private let log = RecordingLog()

    init(patience: Duration = .seconds(30)) throws {
        folder = try Folder()
        processor = ImageProcessor(
            concurrency: 1, waiting: 10, patience: patience, program: Self.program,
            logger: Logger(label: "test") { [log] _ in log })
    }

    /// Beside the test's own executable, where the right program is too.
    static let program = URL(filePath: ImageProcessor.programBesideExecutable).deletingLastPathComponent()
        .appending(path: "Misbehaving").path

    var messages: [String] { log.messages.withLock { $0 } }

    /// Has a worker do something. Returns the error that the sender of the "picture" gets.
    func sendPicture(thatMakesIt action: String, _ argument: String = "-") async throws -> ImageError? {
        try await send(action, argument) { path in
            _ = try await processor.process(fileAt: path, renditions: small, into: folder.path)
        }
    }

    /// Has a worker do something instead of a collage. Returns the error that the person who wants the collage gets.
    func sendCollage(thatMakesIt action: String) async throws -> ImageError? {
        let cell = CollageSpec.Cell(frame: .init(x: 0, y: 0, width: 1, height: 1))
        let spec = try #require(CollageSpec(side: 512, cells: [cell]))
        return try await send(action, "-") { path in
            _ = try await processor.compose(spec, picturesAt: [path], renditions: [], into: folder.path)
        }
    }

    /// Has a worker do something instead of a pair, a fade or an alignment. Returns the error that the person gets.
    func sendPair(_ kind: Pairing, thatMakesIt action: String) async throws -> ImageError? {
        let frame = try #require(PairFrame(aspect: 1))
        let spec = try #require(PairSpec(frame: frame))
        return try await send(action, "-") { path in
            switch kind {
            case .pair:
                _ = try await processor.pair(
                    spec, then: path, now: path, renditions: small, into: folder.path)
            case .fade: _ = try await processor.fade(spec, then: path, now: path, into: folder.path)
            case .alignment: _ = try await processor.align(frame, then: path, now: path)
            }
        }
    }

    enum Pairing: CaseIterable { case pair, fade, alignment }

    /// Has a worker do something that costs it its life, and leaves no file.
    func expectLoss(_ kind: Pairing, thatMakesIt action: String) async throws {
        #expect(try await sendPair(kind, thatMakesIt: action) == .decoderFailed)
        #expect(processor.lossCount == 1)
        #expect(try folder.files.isEmpty)
        try await expectPicturesWork()
    }

    private func send(
        _ action: String, _ argument: String, _ use: (String) async throws -> Void
    ) async throws -> ImageError? {
        let path = try folder.write(Array("misbehave \(action) \(argument)".utf8))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            try await use(path)
            return nil
        } catch let error as ImageError {
            return error
        }
    }

    /// The warm process that forks those that work for the processor.
    func worker() async throws -> Worker {
        guard case .unsupported(let number) = try await sendPicture(thatMakesIt: "number") else {
            throw ImageError.decoderMissing
        }
        return Worker(id: try #require(pid_t(number)))
    }

    /// A picture like any other.
    func expectPicturesWork(_ location: SourceLocation = #_sourceLocation) async throws {
        let picture = try await processor.process(
            fileAt: Fixture.path("quadrants.jpg"), renditions: small, into: folder.path)
        #expect(try Pixels(picture.renditions[1]).quadrants == "RGBY", sourceLocation: location)
        for rendition in picture.renditions { try FileManager.default.removeItem(atPath: rendition.path) }
    }
}

/// Keeps what is logged.
final class RecordingLog: LogHandler, Sendable {
    let messages = Mutex<[String]>([])
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        messages.withLock { $0.append("\(event.message)") }
    }
}

/// A worker process, as /proc shows it.
struct Worker {
    let id: pid_t

    func status(_ field: String) -> String? {
        let text = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        return text?.split(separator: "\n").first { $0.hasPrefix("\(field):") }
            .map { $0.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    /// The processes that it has forked, and that nobody has waited for.
    var jobs: [Worker] {
        let list = try? String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
        return (list ?? "").split(separator: " ").compactMap { pid_t($0) }.map { Worker(id: $0) }
    }

    /// Waits for the process of a job that was asked to stay, and sleeps in its cage.
    ///
    /// A process that waits for its picture sleeps, too, and the server may not know of it yet: killed then, it costs no
    /// picture. So the process has to have the memory that staying takes.
    func job() async throws -> Worker {
        while true {
            if let job = jobs.first, job.status("Seccomp_filters") == "2",
                job.status("State")?.hasPrefix("S") == true, job.residentKilobytes >= 128 << 10
            {
                return job
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private var residentKilobytes: Int {
        status("VmRSS").flatMap { $0.split(separator: " ").first }.flatMap { Int($0) } ?? 0
    }

    var descriptors: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")) ?? []).sorted()
    }
}
