import Crypto
import Foundation
import Logging
import TestS3
import Testing

@testable import Storage

@Suite("Blob stores")
struct BlobStoreTests {
    private func random(_ count: Int) -> [UInt8] { TestStore.random(count) }

    @Test(
        "A blob that came in chunks has its bytes, size and hash",
        arguments: TestStore.Kind.here,
        [(0, 1), (1, 1), (300_000, 7777), (1_000_000, 300_000), (2_999_999, 65_536)])
    func receive(_ kind: TestStore.Kind, _ size: (count: Int, chunk: Int)) async throws {
        let (count, chunk) = size
        let store = try await TestStore(kind)
        let blobs = store.blobs
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
        #expect(try await store.bytes(stored.key) == bytes)
        #expect(try await blobs.byteCount(of: stored.key) == count)
        #expect(try await blobs.sha256(of: stored.key) == sha256)
        await blobs.keep([stored.key])
        #expect(store.incomingFiles == [])
    }

    @Test(
        "Bytes and files are kept, too, and the file is gone from where it was",
        arguments: TestStore.Kind.here)
    func store(_ kind: TestStore.Kind) async throws {
        let store = try await TestStore(kind)
        let blobs = store.blobs
        let bytes = random(100_000)
        let stored = try await blobs.store(bytes)
        #expect(stored.sha256 == Array(SHA256.hash(data: bytes)))
        let path = store.work.newPath()
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let moved = try await blobs.store(fileAt: path)
        #expect(moved.key != stored.key)
        #expect(moved.sha256 == stored.sha256)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await store.bytes(moved.key) == bytes)
        await #expect(throws: BlobError.notFound) { try await blobs.store(fileAt: path) }
    }

    @Test("A part is read, and what is behind the end is left out", arguments: TestStore.Kind.here)
    func ranges(_ kind: TestStore.Kind) async throws {
        let store = try await TestStore(kind)
        let blobs = store.blobs
        let bytes = random(1000)
        let key = try await blobs.store(bytes).key
        #expect(try await blobs.read(key, 0..<10) == Array(bytes[..<10]))
        #expect(try await blobs.read(key, 990..<2000) == Array(bytes[990...]))
        #expect(try await blobs.read(key, 1000..<1001) == [])
        #expect(try await blobs.read(key, 5000..<Int.max) == [])
    }

    @Test("More bytes than allowed are refused, and nothing is kept", arguments: TestStore.Kind.here)
    func tooLarge(_ kind: TestStore.Kind) async throws {
        let store = try await TestStore(kind)
        let blobs = store.blobs
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
        #expect(store.incomingFiles == [])
    }

    @Test(
        "A discarded or forgotten blob leaves no file, a committed one stays", .timeLimit(.minutes(1)),
        arguments: TestStore.Kind.here)
    func discard(_ kind: TestStore.Kind) async throws {
        let store = try await TestStore(kind)
        let blobs = store.blobs
        let discarded = try blobs.receive()
        try await discarded.write(random(600_000))
        #expect(store.incomingFiles == [discarded.path])
        await blobs.discard(discarded)
        #expect(store.incomingFiles == [])
        await #expect(throws: BlobError.self) { try await discarded.write([1]) }
        await #expect(throws: BlobError.self) { try await blobs.commit(discarded) }
        do {
            let forgotten = try blobs.receive()
            try await forgotten.write(random(600_000))
        }
        // The thread that has written may hold it a moment longer.
        await until { store.incomingFiles == [] }
        let committed = try blobs.receive()
        let stored = try await blobs.commit(committed)
        await blobs.discard(committed)
        #expect(try await store.bytes(stored.key) == [])
    }

    @Test(
        "An erased blob is gone, also for one who is reading it; erasing again is no error",
        arguments: TestStore.Kind.here)
    func erase(_ kind: TestStore.Kind) async throws {
        let store = try await TestStore(kind)
        let blobs = store.blobs
        let key = try await blobs.store(random(1000)).key
        _ = try await blobs.read(key, 0..<500)
        try await blobs.erase(key)
        await #expect(throws: BlobError.notFound) { try await blobs.read(key, 500..<1000) }
        await #expect(throws: BlobError.notFound) { try await blobs.sha256(of: key) }
        #expect(try await blobs.byteCount(of: key) == nil)
        try await blobs.erase(key)
        try await blobs.erase(BlobKey.random())
        #expect(store.folder.files == [])
    }

    @Test(
        "A copy has the content of another blob and a life of its own; of one that is gone there is none",
        arguments: TestStore.Kind.here)
    func copy(_ kind: TestStore.Kind) async throws {
        let store = try await TestStore(kind)
        let blobs = store.blobs
        let bytes = random(100_000)
        let first = try await blobs.store(bytes)
        let second = try await blobs.copy(first.key)
        #expect(second.key != first.key)
        #expect(second.byteCount == first.byteCount)
        #expect(second.sha256 == first.sha256)
        await blobs.keep([first.key, second.key])
        try await blobs.erase(first.key)
        #expect(try await store.bytes(second.key) == bytes)
        await #expect(throws: BlobError.notFound) { try await blobs.copy(first.key) }
        // Of the failed one nothing is left either.
        #expect(store.incomingFiles.isEmpty)
    }

    @Test("All keys are found, page by page, in order", arguments: TestStore.Kind.here)
    func keys(_ kind: TestStore.Kind) async throws {
        let store = try await TestStore(kind)
        let blobs = store.blobs
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
}
