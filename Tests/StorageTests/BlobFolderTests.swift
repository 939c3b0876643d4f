import Crypto
import Foundation
import Storage
import Testing

@Suite("Blob folder")
struct BlobFolderTests {
    let folder: TemporaryFolder
    let blobs: BlobFolder

    init() throws {
        folder = try TemporaryFolder()
        blobs = try BlobFolder(path: folder("blobs"), maximumBytes: 3_000_000)
    }

    private func random(_ count: Int) -> [UInt8] {
        // By eight at a time: a debug build takes long over each.
        var generator = SystemRandomNumberGenerator()
        let words = (0..<(count + 7) / 8).map { _ in generator.next() }
        return Array(words.withUnsafeBytes { $0.prefix(count) })
    }

    private func all(_ key: BlobKey) async throws -> [UInt8] {
        try await blobs.read(key, 0..<Int.max)
    }

    private var incomingFiles: [String] { folder.files.filter { $0.contains("/incoming/") } }

    @Test("An open blob can be read to its end, also when it is erased meanwhile; a small one comes at once")
    func open() async throws {
        let bytes = random(100_000)
        let stored = try await blobs.store(bytes)
        let (blob, none) = try await blobs.open(stored.key, small: bytes.count - 1)
        #expect(none == nil)
        #expect(try await blobs.open(stored.key, small: bytes.count).bytes == bytes)
        try await blobs.erase(stored.key)
        #expect(blob.byteCount == bytes.count)
        #expect(try await blob.read(0..<60_000) + blob.read(60_000..<200_000) == bytes)
        #expect(try await blob.read(100_000..<200_000) == [])
        await #expect(throws: BlobError.notFound) { try await blobs.open(stored.key) }
    }

    @Test(
        "Only 32 lower-case hexadecimal digits are a key",
        arguments: [
            "", "../../../../etc/passwd", "ABCDEF00112233445566778899aabbcc",
            "é123456789abcdef0123456789abcdef",
        ])
    func invalidKeys(text: String) {
        #expect(BlobKey(rawValue: text) == nil)
    }

    @Test("Random keys are valid and differ")
    func randomKeys() {
        let keys = Set((0..<1000).map { _ in BlobKey.random() })
        #expect(keys.count == 1000)
        #expect(keys.allSatisfy { BlobKey(rawValue: $0.rawValue) == $0 })
    }

    @Test("What a killed process left is cleared, what a running one receives is not")
    func incoming() async throws {
        try folder.write("left", to: "blobs/incoming/0123/left")
        let running = try blobs.receive()
        try await running.write(random(600_000))
        let other = try BlobFolder(path: folder("blobs"))
        #expect(incomingFiles == [running.path])
        let stored = try await blobs.commit(running)
        #expect(try await other.byteCount(of: stored.key) == 600_000)
    }

    @Test("What a process stored but no row names is erased by the next, what a row names is not")
    func recover() async throws {
        var stored: [BlobKey] = []
        do {
            let gone = try BlobFolder(path: folder("blobs"))
            for number in 0..<3 { stored.append(try await gone.store([UInt8(number)]).key) }
            await gone.keep([stored[0]])
        }
        let running = try await blobs.store([9]).key
        let next = try BlobFolder(path: folder("blobs"))
        var asked: Set<BlobKey> = []
        try await next.recover { key in
            asked.insert(key)
            return key == stored[1]
        }
        #expect(asked == [stored[1], stored[2]])
        #expect(try await next.keys(after: nil, limit: 10) == [stored[0], stored[1], running].sorted())
        #expect(incomingFiles.count == 1)
    }

    @Test("Those that start while others end don't take what is just going for something left behind")
    func startingAndEnding() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask { [path = folder("blobs")] in
                    for _ in 0..<50 {
                        let blobs = try BlobFolder(path: path, threads: 1)
                        try await blobs.recover { _ in true }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(incomingFiles == [])
    }

    @Test("A work folder is cleared away with what is in it, by its maker or after a kill")
    func workFolder() async throws {
        let removed = try await blobs.work.makeFolder()
        try folder.write("rendition", to: String(removed.dropFirst(folder.path.count + 1)) + "/small")
        blobs.work.removeFolder(removed)
        #expect(!FileManager.default.fileExists(atPath: removed))
        try folder.write("rendition", to: "blobs/incoming/0123/4567/small")
        _ = try BlobFolder(path: folder("blobs"))
        #expect(!FileManager.default.fileExists(atPath: folder("blobs/incoming/0123")))
    }

    @Test("Files and folders are their owner's alone")
    func permissions() async throws {
        let path = blobs.work.newPath()
        try Data([1]).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let stored = try await blobs.store(fileAt: path)
        let file = folder("blobs/\(stored.key.rawValue.prefix(2))/\(stored.key.rawValue)")
        let shard = (file as NSString).deletingLastPathComponent
        for (path, expected) in [(folder("blobs"), 0o700), (shard, 0o700), (file, 0o600)] {
            let permissions =
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(permissions == expected)
        }
    }
}
