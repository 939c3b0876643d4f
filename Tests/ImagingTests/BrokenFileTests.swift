import Foundation
import Imaging
import Testing

@Suite("Broken, lying and oversized files")
struct BrokenFileTests {
    @Test("are refused with the reason, and leave nothing", arguments: BrokenFile.all)
    func refused(file: BrokenFile) async throws {
        let folder = try Folder()
        let path = try folder.write(file.bytes())
        await #expect(throws: file.expected) {
            try await Shared.processor.process(
                fileAt: path, renditions: RenditionSpec.photo, into: folder.path)
        }
        #expect(try folder.files == ["upload.jpg"])
    }

    @Test("have a sentence for each reason")
    func sentences() {
        let errors = Set(
            BrokenFile.all.map(\.expected) + [
                .tooCostly, .decoderFailed, .decoderMissing, .outOfSpace, .inputOutput(errno: EIO),
            ])
        #expect(Set(errors.map(\.sentence)).count == errors.count)
        for error in errors { #expect(error.sentence.hasSuffix(".")) }
    }

    /// How often each fixture is damaged: less in the daily run, since the fuzzers of `./test --full` go on with it.
    private static let damages = ProcessInfo.processInfo.environment["TINTYPE_LONG"] == nil ? 8 : 40

    /// Changes bytes of every fixture. A file may then still be a picture; what counts is that nothing stops
    /// the process and that a refusal leaves no rendition.
    @Test("damaged at random places never stop the process", arguments: Fixture.names)
    func damaged(name: String) async throws {
        let original = try Fixture.bytes(name)
        let folder = try Folder()
        let limits = ImageLimits(pixels: 1_000_000, decoderMemory: 50_000_000)
        let processor = ImageProcessor(limits: limits, concurrency: 1, waiting: 1)
        var state = UInt64(original.count)
        func random(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        for _ in 0..<Self.damages {
            var bytes = original
            for _ in 0...random(below: 4) { bytes[random(below: bytes.count)] = UInt8(random(below: 256)) }
            let path = try folder.write(bytes)
            do {
                let picture = try await processor.process(fileAt: path, renditions: small, into: folder.path)
                #expect(picture.renditions.count == 2)
            } catch is ImageError {
                #expect(try !folder.files.contains { $0.hasPrefix("small") })
            }
            for rendition in try folder.files where rendition.hasPrefix("small") {
                try FileManager.default.removeItem(atPath: "\(folder.path)/\(rendition)")
            }
        }
    }

    @Test("a file that isn't there is an error of reading")
    func absent() async throws {
        let folder = try Folder()
        await #expect(throws: ImageError.inputOutput(errno: ENOENT)) {
            try await Shared.processor.process(
                fileAt: "\(folder.path)/none", renditions: small, into: folder.path)
        }
    }

    @Test("a folder that isn't there is an error of writing")
    func noFolder() async throws {
        await #expect(throws: ImageError.inputOutput(errno: ENOENT)) {
            try await Shared.processor.process(
                fileAt: Fixture.path("quadrants.jpg"), renditions: small, into: "/nonexistent")
        }
    }

    @Test("a full disk is an error of its own")
    func fullDisk() throws {
        let picture = try Descriptor(reading: Fixture.path("quadrants.jpg"))
        #expect(throws: ImageError.outOfSpace) { try NewFile.copy(picture, 3, to: "/dev/full") }
    }

    @Test("limits are those that were set")
    func limits() async throws {
        let folder = try Folder()
        let path = try Fixture.path("quadrants.jpg")
        let size = try Fixture.bytes("quadrants.jpg").count
        func error(_ limits: ImageLimits) async -> ImageError? {
            let processor = ImageProcessor(limits: limits, concurrency: 1, waiting: 1)
            do {
                _ = try await processor.process(fileAt: path, renditions: small, into: folder.path)
                return nil
            } catch {
                return error as? ImageError
            }
        }
        #expect(await error(ImageLimits(bytes: size)) == nil)
        #expect(await error(ImageLimits(bytes: size - 1)) == .tooManyBytes(limit: size - 1))
        #expect(await error(ImageLimits(pixels: 96 * 64)) == nil)
        #expect(await error(ImageLimits(pixels: 96 * 64 - 1)) == .tooManyPixels(limit: 96 * 64 - 1))
    }
}
