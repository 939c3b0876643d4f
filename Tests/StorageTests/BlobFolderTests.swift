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

    @Test(
        "A blob that came in chunks has its bytes, size and hash",
        arguments: [(0, 1), (1, 1), (300_000, 7777), (1_000_000, 300_000), (2_999_999, 65_536)])
    func receive(count: Int, chunk: Int) async throws {
        let bytes = random(count)
        let incoming = try blobs.receive()
        var rest = bytes[...]
        while !rest.isEmpty {
            try await incoming.write(rest.prefix(chunk))
            rest = rest.dropFirst(chunk)
        }
        #expect(incoming.sha256 == nil)
        #expect(incoming.byteCount == count)
        let (byteCount, sha256) = try await incoming.finish()
        #expect(byteCount == count)
        #expect(sha256 == Array(SHA256.hash(data: bytes)))
        #expect(incoming.sha256 == sha256)
        // A decoder may read the file before it is committed.
        #expect(try Data(contentsOf: URL(fileURLWithPath: incoming.path)) == Data(bytes))
        let stored = try await blobs.commit(incoming)
        #expect(stored.byteCount == count)
        #expect(stored.sha256 == sha256)
        #expect(try await all(stored.key) == bytes)
        #expect(try await blobs.byteCount(of: stored.key) == count)
        #expect(try await blobs.sha256(of: stored.key) == sha256)
        await blobs.keep([stored.key])
        #expect(incomingFiles == [])
    }

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

    @Test("Bytes and files are kept, too, and the file is gone from where it was")
    func store() async throws {
        let bytes = random(100_000)
        let stored = try await blobs.store(bytes)
        #expect(stored.sha256 == Array(SHA256.hash(data: bytes)))
        let path = blobs.temporaryPath()
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let moved = try await blobs.store(fileAt: path)
        #expect(moved.key != stored.key)
        #expect(moved.sha256 == stored.sha256)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await all(moved.key) == bytes)
        await #expect(throws: BlobError.notFound) { try await blobs.store(fileAt: path) }
    }

    @Test("A part is read, and what is behind the end is left out")
    func ranges() async throws {
        let bytes = random(1000)
        let key = try await blobs.store(bytes).key
        #expect(try await blobs.read(key, 0..<10) == Array(bytes[..<10]))
        #expect(try await blobs.read(key, 990..<2000) == Array(bytes[990...]))
        #expect(try await blobs.read(key, 1000..<1001) == [])
        #expect(try await blobs.read(key, 5000..<Int.max) == [])
    }

    @Test("More bytes than allowed are refused, and nothing is kept")
    func tooLarge() async throws {
        let incoming = try blobs.receive(maximumBytes: 1000)
        try await incoming.write(random(1000))
        await #expect(throws: BlobError.tooLarge(maximumBytes: 1000)) { try await incoming.write([1]) }
        await blobs.discard(incoming)
        await #expect(throws: BlobError.tooLarge(maximumBytes: 3_000_000)) {
            try await blobs.store([UInt8](repeating: 0, count: 3_000_001))
        }
        let greedy = try blobs.receive(maximumBytes: .max)
        #expect(greedy.maximumBytes == 3_000_000)
        #expect(try await blobs.keys(after: nil, limit: 10) == [])
        #expect(incomingFiles == [])
    }

    @Test("A discarded or forgotten blob leaves no file, a committed one stays")
    func discard() async throws {
        let discarded = try blobs.receive()
        try await discarded.write(random(600_000))
        #expect(incomingFiles == [discarded.path])
        await blobs.discard(discarded)
        #expect(incomingFiles == [])
        await #expect(throws: BlobError.self) { try await discarded.write([1]) }
        await #expect(throws: BlobError.self) { try await blobs.commit(discarded) }
        do {
            let forgotten = try blobs.receive()
            try await forgotten.write(random(600_000))
        }
        #expect(incomingFiles == [])
        let committed = try blobs.receive()
        let stored = try await blobs.commit(committed)
        await blobs.discard(committed)
        #expect(try await all(stored.key) == [])
    }

    @Test("An erased blob is gone, also for one who is reading it; erasing again is no error")
    func erase() async throws {
        let key = try await blobs.store(random(1000)).key
        _ = try await blobs.read(key, 0..<500)
        try await blobs.erase(key)
        await #expect(throws: BlobError.notFound) { try await blobs.read(key, 500..<1000) }
        await #expect(throws: BlobError.notFound) { try await blobs.sha256(of: key) }
        #expect(try await blobs.byteCount(of: key) == nil)
        try await blobs.erase(key)
        try await blobs.erase(BlobKey.random())
        #expect(folder.files == [])
    }

    @Test("A copy has the content of another blob and a life of its own; of one that is gone there is none")
    func copy() async throws {
        let bytes = random(100_000)
        let first = try await blobs.store(bytes)
        let second = try await blobs.copy(first.key)
        #expect(second.key != first.key)
        #expect(second.byteCount == first.byteCount)
        #expect(second.sha256 == first.sha256)
        await blobs.keep([first.key, second.key])
        try await blobs.erase(first.key)
        #expect(try await all(second.key) == bytes)
        await #expect(throws: BlobError.notFound) { try await blobs.copy(first.key) }
        // Of the failed one nothing is left either.
        #expect(incomingFiles.isEmpty)
    }

    @Test("All keys are found, page by page, in order")
    func keys() async throws {
        var stored: Set<BlobKey> = []
        for number in 0..<60 { stored.insert(try await blobs.store([UInt8(number)]).key) }
        var found: [BlobKey] = []
        while true {
            let page = try await blobs.keys(after: found.last, limit: 7)
            #expect(page.count <= 7)
            if page.isEmpty { break }
            found += page
        }
        #expect(found == stored.sorted())
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
        let removed = try await blobs.makeWorkFolder()
        try folder.write("rendition", to: String(removed.dropFirst(folder.path.count + 1)) + "/small")
        await blobs.removeWorkFolder(removed)
        #expect(!FileManager.default.fileExists(atPath: removed))
        try folder.write("rendition", to: "blobs/incoming/0123/4567/small")
        _ = try BlobFolder(path: folder("blobs"))
        #expect(!FileManager.default.fileExists(atPath: folder("blobs/incoming/0123")))
    }

    @Test("Files and folders are their owner's alone")
    func permissions() async throws {
        let path = blobs.temporaryPath()
        try Data([1]).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let stored = try await blobs.store(fileAt: path)
        let file = try #require(blobs.path(of: stored.key))
        let shard = (file as NSString).deletingLastPathComponent
        for (path, expected) in [(folder("blobs"), 0o700), (shard, 0o700), (file, 0o600)] {
            let permissions =
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(permissions == expected)
        }
    }
}
