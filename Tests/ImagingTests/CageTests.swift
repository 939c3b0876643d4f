import CLinux
import Foundation
import Imaging
import Logging
import Synchronization
import Testing

/// A processor whose workers do what "pictures" tell them, as if an attacker had taken them over.
private struct Captured {
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

    /// Has a worker do something; what the sender of the "picture" is told.
    func sendPicture(thatMakesIt deed: String, _ argument: String = "-") async throws -> ImageError? {
        try await send(deed, argument) { path in
            _ = try await processor.process(fileAt: path, renditions: small, into: folder.path)
        }
    }

    /// Has a worker do something instead of a collage; what the person who wants the collage is told.
    func sendCollage(thatMakesIt deed: String) async throws -> ImageError? {
        let cell = CollageSpec.Cell(frame: .init(x: 0, y: 0, width: 1, height: 1))
        let spec = try #require(CollageSpec(side: 512, cells: [cell]))
        return try await send(deed, "-") { path in
            _ = try await processor.compose(spec, picturesAt: [path], renditions: [], into: folder.path)
        }
    }

    /// Has a worker do something instead of a pair, a fade or an alignment; what the person who wants it is told.
    func sendPair(_ kind: Pairing, thatMakesIt deed: String) async throws -> ImageError? {
        let frame = try #require(PairFrame(aspect: 1))
        let spec = try #require(PairSpec(frame: frame))
        return try await send(deed, "-") { path in
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
    func expectLoss(_ kind: Pairing, thatMakesIt deed: String) async throws {
        #expect(try await sendPair(kind, thatMakesIt: deed) == .decoderFailed)
        #expect(processor.lossCount == 1)
        #expect(try folder.files.isEmpty)
        try await expectPicturesWork()
    }

    private func send(
        _ deed: String, _ argument: String, _ use: (String) async throws -> Void
    ) async throws -> ImageError? {
        let path = try folder.write(Array("misbehave \(deed) \(argument)".utf8))
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            try await use(path)
            return nil
        } catch let error as ImageError {
            return error
        }
    }

    /// The process that works for the processor.
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
private final class RecordingLog: LogHandler, Sendable {
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

@Suite("A worker that an attacker has taken over")
struct CageTests {
    @Test(
        "can't look at the server's files",
        arguments: ["read", "write", "look"])
    func files(deed: String) async throws {
        let captured = try Captured()
        let database = try captured.folder.write(Array("accounts".utf8), as: "tintype.sqlite")
        #expect(
            try await captured.sendPicture(thatMakesIt: deed, database) == .inputOutput(errno: EACCES))
        #expect(
            try await captured.sendPicture(thatMakesIt: "list", captured.folder.path)
                == .inputOutput(errno: EACCES))
        #expect(try Data(contentsOf: URL(filePath: database)) == Data("accounts".utf8))
        #expect(captured.processor.lossCount == 0)
        try await captured.expectPicturesWork()
    }

    @Test(
        "is killed when it asks for a network, a program, a process or more than its limits",
        arguments: ["tcp", "unix", "fork", "spawn", "exec", "trace", "kill", "limits"])
    func calls(deed: String) async throws {
        let captured = try Captured()
        try await captured.expectPicturesWork()
        #expect(try await captured.sendPicture(thatMakesIt: deed) == .decoderFailed)
        #expect(captured.messages.count == 1)
        #expect(captured.messages.first?.contains("signal \(SIGSYS)") == true, "\(captured.messages)")
        #expect(captured.processor.lossCount == 1)
        #expect(try captured.folder.files.isEmpty)
        try await captured.expectPicturesWork()
    }

    @Test(
        "that crashes or leaves costs that picture, and the log says so", arguments: ["crash", "leave"])
    func crashes(deed: String) async throws {
        let captured = try Captured()
        #expect(try await captured.sendPicture(thatMakesIt: deed) == .decoderFailed)
        let end = deed == "crash" ? "signal \(SIGSEGV)" : "exit status 0"
        #expect(captured.messages.count == 1 && captured.messages[0].contains(end), "\(captured.messages)")
        try await captured.expectPicturesWork()
    }

    @Test("gets no more memory, and no more room in a file, than pictures need")
    func memory() async throws {
        let captured = try Captured()
        #expect(try await captured.sendPicture(thatMakesIt: "allocate") == .inputOutput(errno: ENOMEM))
        #expect(try await captured.sendPicture(thatMakesIt: "fill") == .inputOutput(errno: EFBIG))
        try await captured.expectPicturesWork()
    }

    @Test("has the descriptors of its picture and no others, and no environment")
    func inheritance() async throws {
        let captured = try Captured()
        // Something that a worker might inherit.
        let other = open("/dev/null", O_RDONLY)
        defer { close(other) }
        #expect(try await captured.sendPicture(thatMakesIt: "descriptors") == .inputOutput(errno: 0))
        #expect(try await captured.sendPicture(thatMakesIt: "environment") == .inputOutput(errno: 0))
        try await captured.expectPicturesWork()
        #expect(try await captured.sendPicture(thatMakesIt: "descriptors") == .inputOutput(errno: 0))
    }

    @Test(
        "that works for too long is killed",
        .enabled(
            if: ProcessInfo.processInfo.environment["TINTYPE_LONG"] != nil,
            "takes as long as it may"))
    func loop() async throws {
        let captured = try Captured(patience: .seconds(20))
        #expect(try await captured.sendPicture(thatMakesIt: "loop") == .decoderFailed)
        #expect(captured.messages.first?.contains("after 20 seconds") == true, "\(captured.messages)")
        try await captured.expectPicturesWork()
    }

    @Test(
        "isn't believed",
        arguments: [
            "garbage", "nothing", "long", "flood", "fewer", "larger", "page", "empty", "huge", "markup",
            "place",
            "unknown",
        ])
    func lies(deed: String) async throws {
        let captured = try Captured()
        #expect(try await captured.sendPicture(thatMakesIt: deed) == .decoderFailed)
        #expect(captured.processor.lossCount == 1)
        #expect(try captured.folder.files.isEmpty)
        try await captured.expectPicturesWork()
    }

    @Test(
        "isn’t believed about a collage either",
        arguments: [
            "garbage", "fewer", "larger", "page", "empty", "markup", "pixels", "kind", "camera", "place",
        ])
    func liesAboutCollage(deed: String) async throws {
        let captured = try Captured()
        #expect(try await captured.sendCollage(thatMakesIt: deed) == .decoderFailed)
        #expect(captured.processor.lossCount == 1)
        #expect(try captured.folder.files.isEmpty)
        #expect(try await captured.sendCollage(thatMakesIt: "memory") == .tooCostly)
        #expect(try await captured.sendCollage(thatMakesIt: "descriptors") == .inputOutput(errno: 0))
        try await captured.expectPicturesWork()
    }

    @Test(
        "isn’t believed about a pair, a fade or an alignment",
        arguments: [
            "garbage", "unknown", "fewer", "larger", "page", "empty", "markup", "place", "nonsense", "crash",
        ], Captured.Pairing.allCases)
    private func liesAboutPair(deed: String, kind: Captured.Pairing) async throws {
        let captured = try Captured()
        try await captured.expectLoss(kind, thatMakesIt: deed)
        #expect(try await captured.sendPair(kind, thatMakesIt: "memory") == .tooCostly)
        #expect(try await captured.sendPair(kind, thatMakesIt: "descriptors") == .inputOutput(errno: 0))
    }

    @Test(
        "can’t say that a pair or a fade is something else",
        arguments: ["kind", "camera", "sides", "aligned"],
        [Captured.Pairing.pair, .fade])
    private func otherThanPair(deed: String, kind: Captured.Pairing) async throws {
        try await Captured().expectLoss(kind, thatMakesIt: deed)
    }

    @Test("can't have more decoded than the limits allow, whatever it says of the picture")
    func limits() async throws {
        let captured = try Captured()
        #expect(
            try await captured.sendPicture(thatMakesIt: "pixels") == .tooManyPixels(limit: 100_000_000))
        #expect(try await captured.sendPicture(thatMakesIt: "memory") == .tooCostly)
    }

    @Test("can't answer for the next picture ahead of it")
    func ahead() async throws {
        let captured = try Captured()
        let worker = try await captured.worker()
        #expect(try await captured.sendPicture(thatMakesIt: "ahead") == .notAnImage)
        // It sleeps once it has sent the second answer, too.
        while worker.status("State")?.hasPrefix("R") == true { await Task.yield() }
        try await captured.expectPicturesWork()
        #expect(captured.processor.lossCount == 1)
    }

    @Test("gains nothing by keeping descriptors or sending some")
    func descriptors() async throws {
        let captured = try Captured()
        #expect(try await captured.sendPicture(thatMakesIt: "gifts") == .notAnImage)
        for _ in 0..<20 {
            #expect(try await captured.sendPicture(thatMakesIt: "keep") == .notAnImage)
        }
        try await captured.expectPicturesWork()
    }

    /// Version 6 has all that is tried here.
    @Test(
        "can’t touch files or processes behind Landlock alone, without the filter of system calls",
        .enabled(if: tintype_landlock_version() >= 6))
    func landlock() throws {
        let folder = try Folder()
        let database = try folder.write(Array("accounts".utf8), as: "tintype.sqlite")
        #expect(try Program.run(Captured.program, [folder.path]) == 0)
        #expect(try folder.files == ["tintype.sqlite"])
        #expect(try Data(contentsOf: URL(filePath: database)) == Data("accounts".utf8))
    }

    @Test("is behind all walls, as the system sees it")
    func walls() async throws {
        let captured = try Captured()
        try await captured.expectPicturesWork()
        let worker = try await captured.worker()
        #expect(worker.status("NoNewPrivs") == "1")
        #expect(worker.status("Seccomp") == "2")
        #expect(worker.status("CapEff") == "0000000000000000")
        // Only the system's administrator may look at the descriptors of a process that can't be traced.
        guard getuid() == 0 else { return }
        // Those of the last picture are closed after the answer.
        while worker.descriptors.count > 4 { await Task.yield() }
        #expect(worker.descriptors == ["0", "1", "2", "3"])
    }
}

@Suite("Worker processes")
struct WorkerProcessTests {
    @Test("A program that isn’t there costs no picture, and is reported in the log")
    func missing() async throws {
        let folder = try Folder()
        let log = RecordingLog()
        let processor = ImageProcessor(
            concurrency: 1, waiting: 1, program: "/nonexistent/tintype-pictures",
            logger: Logger(label: "test") { _ in log })
        processor.logShortcomings()
        await #expect(throws: ImageError.decoderMissing) {
            try await processor.process(
                fileAt: Fixture.path("quadrants.jpg"), renditions: small, into: folder.path)
        }
        let messages = log.messages.withLock { $0 }
        #expect(messages.count { $0.contains("/nonexistent/tintype-pictures") } == 2, "\(messages)")
        #expect(processor.lossCount == 0)
        #expect(try folder.files.isEmpty)
    }

    @Test("A program that isn’t the right one costs no picture")
    func wrong() async throws {
        let folder = try Folder()
        let processor = ImageProcessor(concurrency: 1, waiting: 1, program: "/bin/true")
        await #expect(throws: ImageError.decoderMissing) {
            try await processor.process(
                fileAt: Fixture.path("quadrants.jpg"), renditions: small, into: folder.path)
        }
    }

    @Test("One that is killed between two pictures costs neither")
    func killedIdle() async throws {
        let captured = try Captured()
        for losses in 1...3 {
            let worker = try await captured.worker()
            kill(worker.id, SIGKILL)
            // Its last thread closes the socket.
            while worker.status("State")?.hasPrefix("Z") == false || worker.status("Threads") != "1" {
                await Task.yield()
            }
            try await captured.expectPicturesWork()
            #expect(captured.processor.lossCount == losses)
            // None is left behind as a zombie.
            #expect(worker.status("State") == nil)
        }
    }
}

/// A worker process, as /proc shows it.
private struct Worker {
    let id: pid_t

    func status(_ field: String) -> String? {
        let text = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        return text?.split(separator: "\n").first { $0.hasPrefix("\(field):") }
            .map { $0.dropFirst(field.count + 1).trimmingCharacters(in: .whitespaces) }
    }

    var descriptors: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd")) ?? []).sorted()
    }
}
