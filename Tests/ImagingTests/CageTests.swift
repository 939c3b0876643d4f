import CLinux
import Foundation
import Imaging
import Testing

@Suite("A worker that an attacker has taken over")
struct CageTests {
    @Test(
        "can't look at the server's files",
        arguments: ["read", "write", "look"])
    func files(action: String) async throws {
        let captured = try Captured()
        let database = try captured.folder.write(Array("accounts".utf8), as: "tintype.sqlite")
        #expect(
            try await captured.sendPicture(thatMakesIt: action, database) == .inputOutput(errno: EACCES))
        #expect(
            try await captured.sendPicture(thatMakesIt: "list", captured.folder.path)
                == .inputOutput(errno: EACCES))
        #expect(try Data(contentsOf: URL(filePath: database)) == Data("accounts".utf8))
        #expect(captured.processor.lossCount == 0)
        try await captured.expectPicturesWork()
    }

    @Test(
        "is killed when it asks for a network, a program, a process or more than its limits",
        arguments: ["tcp", "unix", "fork", "spawn", "exec", "trace", "kill", "peek", "handle", "limits"])
    func calls(action: String) async throws {
        let captured = try Captured()
        try await captured.expectPicturesWork()
        #expect(try await captured.sendPicture(thatMakesIt: action) == .decoderFailed)
        #expect(captured.messages.count == 1)
        #expect(captured.messages.first?.contains("signal \(SIGSYS)") == true, "\(captured.messages)")
        #expect(captured.processor.lossCount == 1)
        #expect(try captured.folder.files.isEmpty)
        try await captured.expectPicturesWork()
    }

    @Test(
        "that crashes or leaves costs that picture, and the log says so", arguments: ["crash", "leave"])
    func crashes(action: String) async throws {
        let captured = try Captured()
        #expect(try await captured.sendPicture(thatMakesIt: action) == .decoderFailed)
        let end = action == "crash" ? "signal \(SIGSEGV)" : "exit status 0"
        #expect(captured.messages.count == 1 && captured.messages[0].contains(end), "\(captured.messages)")
        try await captured.expectPicturesWork()
    }

    @Test("gets no more memory, and no more room in a file, than pictures need")
    func memory() async throws {
        let captured = try Captured()
        #expect(try await captured.sendPicture(thatMakesIt: "allocate") == .inputOutput(errno: ENOMEM))
        // Two renditions of 48 × 32 px, of any quality.
        let written = try await captured.sendPicture(thatMakesIt: "fill")
        guard case .unsupported(let count) = written else { throw ImageError.broken }
        #expect((1...200_000).contains(try #require(Int(count))))
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
            "garbage", "nothing", "long", "flood", "pretend", "map", "fewer", "larger", "page", "empty",
            "huge", "markup",
            "place",
            "unknown",
        ])
    func lies(action: String) async throws {
        let captured = try Captured()
        #expect(try await captured.sendPicture(thatMakesIt: action) == .decoderFailed)
        #expect(captured.processor.lossCount == 1)
        #expect(try captured.folder.files.isEmpty)
        try await captured.expectPicturesWork()
    }

    @Test(
        "isn’t believed about a collage either",
        arguments: [
            "garbage", "fewer", "larger", "page", "empty", "markup", "pixels", "kind", "camera", "place",
        ])
    func liesAboutCollage(action: String) async throws {
        let captured = try Captured()
        #expect(try await captured.sendCollage(thatMakesIt: action) == .decoderFailed)
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
    private func liesAboutPair(action: String, kind: Captured.Pairing) async throws {
        let captured = try Captured()
        try await captured.expectLoss(kind, thatMakesIt: action)
        #expect(try await captured.sendPair(kind, thatMakesIt: "memory") == .tooCostly)
        #expect(try await captured.sendPair(kind, thatMakesIt: "descriptors") == .inputOutput(errno: 0))
    }

    @Test(
        "can’t say that a pair or a fade is something else",
        arguments: ["kind", "camera", "sides", "aligned"],
        [Captured.Pairing.pair, .fade])
    private func otherThanPair(action: String, kind: Captured.Pairing) async throws {
        try await Captured().expectLoss(kind, thatMakesIt: action)
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
        #expect(try await captured.sendPicture(thatMakesIt: "ahead") == .notAnImage)
        try await captured.expectPicturesWork()
        #expect(captured.processor.lossCount == 0)
    }

    @Test("can’t reach the process that it was forked from")
    func warmProcess() async throws {
        let captured = try Captured()
        let warm = try await captured.worker()
        for action in ["signal", "memory-of-warm"] {
            #expect(try await captured.sendPicture(thatMakesIt: action) == .inputOutput(errno: EACCES))
        }
        // Its socket isn't among the descriptors of a job.
        #expect(try await captured.sendPicture(thatMakesIt: "descriptors") == .inputOutput(errno: 0))
        #expect(try await captured.worker().id == warm.id)
        #expect(captured.processor.lossCount == 0)
    }

    @Test("can’t change what it wrote once that is checked")
    func rewrite() async throws {
        let captured = try Captured()
        for _ in 0..<20 {
            // Whether it is lost depends on who is faster.
            _ = try await captured.sendPicture(thatMakesIt: "rewrite")
            for file in try captured.folder.files {
                let bytes = try Data(contentsOf: URL(filePath: "\(captured.folder.path)/\(file)"))
                #expect(bytes.starts(with: file.hasSuffix("webp") ? Array("RIFF".utf8) : [0xFF, 0xD8]))
                try FileManager.default.removeItem(atPath: "\(captured.folder.path)/\(file)")
            }
        }
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

    @Test("can’t hand one person’s picture to the next")
    func leak() async throws {
        let captured = try Captured()
        #expect(try await captured.sendPicture(thatMakesIt: "haunt") == .notAnImage)
        try await captured.expectPicturesWork()
        #expect(try await captured.sendPicture(thatMakesIt: "leak") == .inputOutput(errno: ENOENT))
        #expect(try captured.folder.files.isEmpty)
    }

    @Test("can’t start many more threads than decoders need")
    func threads() async throws {
        let captured = try Captured()
        let started = try await captured.sendPicture(thatMakesIt: "threads")
        guard case .unsupported(let count) = started else { throw ImageError.broken }
        #expect(try #require(Int(count)) < 16 + 4 * ProcessInfo.processInfo.activeProcessorCount)
        try await captured.expectPicturesWork()
    }

    @Test("can’t go on after its answer", .timeLimit(.minutes(1)))
    func burn() async throws {
        let captured = try Captured(patience: .seconds(10))
        let warm = try await captured.worker()
        #expect(try await captured.sendPicture(thatMakesIt: "burn") == .notAnImage)
        #expect(warm.jobs.isEmpty)
        try await captured.expectPicturesWork()
        #expect(captured.processor.lossCount == 0)
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

    @Test("is behind all walls, as the system sees it, and so is the process that it was forked from")
    func walls() async throws {
        let captured = try Captured()
        let warm = try await captured.worker()
        async let answer = captured.sendPicture(thatMakesIt: "stay")
        let job = try await warm.job()
        for process in [warm, job] {
            #expect(process.status("NoNewPrivs") == "1")
            #expect(process.status("Seccomp") == "2")
            #expect(process.status("CapEff") == "0000000000000000")
            #expect(process.status("Threads") == "1")
        }
        #expect(warm.status("Seccomp_filters") == "1" && job.status("Seccomp_filters") == "2")
        // Only the system's administrator may look at the descriptors of a process that can't be traced.
        if getuid() == 0 {
            #expect(job.descriptors == ["0", "1", "2", "3", "4"])
        }
        kill(job.id, SIGKILL)
        #expect(try await answer == .decoderFailed)
        #expect(captured.messages.first?.contains("signal \(SIGKILL)") == true, "\(captured.messages)")
    }
}
