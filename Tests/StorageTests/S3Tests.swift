import Crypto
import Foundation
import Logging
import NIOHTTP1
import Synchronization
import TestS3
import Testing

@testable import Storage

@Suite("S3 store", .enabled(if: TestS3.server != nil))
struct S3Tests {
    private func random(_ count: Int) -> [UInt8] { TestStore.random(count) }

    // MARK: Storing and reading

    @Test("What is larger than one request is sent in parts, and read piece after piece")
    func parts() async throws {
        let store = try await TestStore(.s3)
        let bytes = random(35 << 20)
        let path = store.work.newPath()
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let stored = try await store.blobs.store(fileAt: path)
        #expect(stored.byteCount == bytes.count)
        #expect(stored.sha256 == Array(SHA256.hash(data: bytes)))
        #expect(!FileManager.default.fileExists(atPath: path))
        let (blob, none) = try await store.blobs.open(stored.key, small: 64 * 1024)
        #expect(none == nil)
        var read: [UInt8] = []
        while read.count < bytes.count { read += try await blob.read(read.count..<read.count + 3_000_000) }
        #expect(read == bytes)
        // Backwards, too.
        #expect(try await blob.read(10..<20) == Array(bytes[10..<20]))
        #expect(try await store.blobs.sha256(of: stored.key) == stored.sha256)
        let copy = try await store.blobs.copy(stored.key)
        #expect(copy.sha256 == stored.sha256)
        #expect(store.incomingFiles == [])
    }

    @Test("A blob of a picture's size that is open can be read to its end, also when it is erased meanwhile")
    func openErased() async throws {
        let store = try await TestStore(.s3)
        let bytes = random(2_000_000)
        let key = try await store.blobs.store(bytes).key
        let (blob, _) = try await store.blobs.open(key, small: 1000)
        try await store.blobs.erase(key)
        #expect(try await blob.read(0..<16_000) + blob.read(16_000..<bytes.count) == bytes)
        await #expect(throws: BlobError.notFound) { try await store.blobs.open(key, small: 0) }
    }

    @Test("A promise comes before its object, and without it nothing is sent")
    func promise() async throws {
        let store = try await TestStore(.s3)
        let stored = try await store.blobs.store([1])
        let copy = try await store.blobs.copy(stored.key)
        let bucket = try #require(store.bucket)
        #expect(bucket.promised.keys.withLock { $0 } == [stored.key, copy.key])
        #expect(stored.settledAt == Date(timeIntervalSince1970: 1000))
        struct NoDatabase: Error {}
        let other = try await S3Store(
            bucket.address, environment: TestS3.owner, work: store.work, maximumBytes: 1000,
            logger: Logger(label: "test")
        ) { _ in throw NoDatabase() }
        await #expect(throws: NoDatabase.self) { try await other.store([2]) }
        await #expect(throws: NoDatabase.self) { try await other.copy(stored.key) }
        #expect(try await other.keys(after: nil, limit: 10) == [stored.key, copy.key].sorted())
    }

    @Test("Settling removes the object, and the parts of one that was never completed")
    func settle() async throws {
        let store = try await TestStore(.s3)
        let (client, key) = (try store.client(), BlobKey.random().rawValue)
        let begun = try await client.send(S3Request(method: .POST, object: key, query: [("uploads", "")]))
        let upload = try #require(begun["UploadId"])
        _ = try await client.send(
            S3Request(
                method: .PUT, object: key, query: [("partNumber", "1"), ("uploadId", upload)],
                body: .bytes(random(1000)))
        ) { _ in }
        let list = S3Request(
            method: .GET, query: [("uploads", ""), ("prefix", client.address.prefix)])
        #expect(try await client.send(list).all("UploadId") == [upload])
        try await store.blobs.settle(#require(BlobKey(rawValue: key)))
        #expect(try await client.send(list).all("UploadId") == [])
        let whole = try await store.blobs.store([1, 2, 3]).key
        try await store.blobs.settle(whole)
        #expect(try await store.blobs.byteCount(of: whole) == nil)
    }

    @Test("A file that is put in parts leaves nothing of an earlier attempt")
    func putAgain() async throws {
        let store = try await TestStore(.s3)
        let (client, key) = (try store.client(), BlobKey.random())
        _ = try await client.send(
            S3Request(method: .POST, object: key.rawValue, query: [("uploads", "")]))
        let bytes = random(17 << 20)
        let path = store.work.newPath()
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        #expect(try await store.blobs.put(fileAt: path, as: key).sha256 == Array(SHA256.hash(data: bytes)))
        let list = S3Request(method: .GET, query: [("uploads", ""), ("prefix", client.address.prefix)])
        #expect(try await client.send(list).all("UploadId") == [])
        #expect(try await store.blobs.byteCount(of: key) == bytes.count)
    }

    @Test(
        "Pictures are worked on in files of the node, which go afterwards; one that was changed in the store is refused"
    )
    func localFiles() async throws {
        let store = try await TestStore(.s3)
        let (one, other) = (random(1000), random(300_000))
        let keys = [try await store.blobs.store(one).key, try await store.blobs.store(other).key]
        try await store.blobs.withLocalFiles(of: keys) { paths in
            let read = try paths.map { [UInt8](try Data(contentsOf: URL(fileURLWithPath: $0))) }
            #expect(read == [one, other])
        }
        #expect(store.incomingFiles == [])
        let path = store.work.newPath()
        try await store.blobs.export(keys[0], to: path)
        // Nothing is fetched for a file that is there.
        try await store.blobs.export(.random(), to: path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(one))
        // What somebody else wrote into the bucket under the first hash.
        let hash = SHA256.hash(data: one).hex
        _ = try await store.client().send(
            S3Request(
                method: .PUT, object: keys[0].rawValue, headers: [S3Upload.hashHeader: hash],
                body: .bytes(random(1000)))
        ) { _ in }
        await #expect(throws: BlobError.self) { try await store.blobs.withLocalFiles(of: keys) { _ in } }
        await #expect(throws: BlobError.notFound) {
            try await store.blobs.withLocalFiles(of: [.random()]) { _ in }
        }
    }

    @Test("Other objects in the bucket, and more than the store lists at once, change nothing of the list")
    func list() async throws {
        let store = try await TestStore(.s3)
        let client = try store.client()
        let keys = (0..<45).map { _ in BlobKey.random() }.sorted()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in keys.map(\.rawValue) + ["README", "zz/\(keys[0].rawValue)"] {
                group.addTask {
                    try await client.send(S3Request(method: .PUT, object: name, body: .bytes([]))) { _ in }
                }
            }
            try await group.waitForAll()
        }
        let blobs = try #require(store.blobs as? S3Store)
        #expect(try await blobs.keys(after: nil, limit: .max, listed: 10) == keys)
        #expect(try await store.blobs.keys(after: keys[20], limit: 5) == Array(keys[21..<26]))
        #expect(try await store.blobs.keys(after: keys.last, limit: 5) == [])
    }

    // MARK: Trouble

    /// Opens a bucket and returns the sentence with which it is refused.
    private func refusal(
        _ address: S3Address, _ environment: [String: String] = TestS3.owner, clockIsOffBy seconds: Double = 0
    ) async throws -> String {
        let folder = try TemporaryFolder()
        let work = try WorkFolder(in: folder("incoming"))
        do {
            _ = try await S3Store(
                address, environment: environment, work: work, maximumBytes: 1000,
                logger: Logger(label: "test"), now: { Date(timeIntervalSinceNow: seconds) }
            ) { _ in Date() }
            return "accepted"
        } catch BlobError.other(let message) {
            return message
        }
    }

    @Test("A bucket that keeps versions, is public or isn't there is refused with what to do")
    func unsuitable() async throws {
        let server = try #require(TestS3.server)
        try await server.make("versions", keepsVersions: true)
        try await server.make("public", isPublic: true)
        #expect(
            try await refusal(server.address("versions")).contains(
                "keeps versions, so nothing could be erased"))
        #expect(try await refusal(server.address("public")).contains("can be read by strangers"))
        #expect(try await refusal(server.address("missing")).contains("There is no bucket missing"))
    }

    @Test("Wrong keys, keys of somebody else and a wrong clock are refused with what to do")
    func keysAndClock() async throws {
        let server = try #require(TestS3.server)
        try await server.make(TestStore.Bucket.name)
        let address = try server.address(TestStore.Bucket.name, prefix: "refused")
        func keys(_ id: String, _ secret: String) -> [String: String] {
            ["AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret]
        }
        let unknown = "doesn’t know these keys"
        #expect(try await refusal(address, keys("test:tester", "wrong")).contains(unknown))
        #expect(try await refusal(address, keys("test:nobody", "testing")).contains(unknown))
        #expect(try await refusal(address, keys("test:other", "other")).contains("may not write"))
        #expect(try await refusal(address, clockIsOffBy: 3600).contains("clock differs"))
        #expect(try await refusal(address) == "accepted")
    }

    @Test(
        "When the bucket goes or the clock becomes wrong, pictures are unavailable until it is mended, and nothing counts as gone"
    )
    func later() async throws {
        let server = try #require(TestS3.server)
        let bucket = "later-\(UUID().uuidString.lowercased())"
        try await server.make(bucket)
        let folder = try TemporaryFolder()
        let work = try WorkFolder(in: folder("incoming"))
        let offset = Atomic(0)
        let store = try await S3Store(
            server.address(bucket), environment: TestS3.owner, work: work, maximumBytes: 1000,
            logger: Logger(label: "test"),
            now: { Date(timeIntervalSinceNow: Double(offset.load(ordering: .relaxed))) }
        ) { _ in Date() }
        let key = try await store.store([1, 2, 3]).key
        func expectUnavailable(_ work: () async throws -> Void) async {
            await #expect {
                try await work()
            } throws: { error in
                if case BlobError.unavailable = error { true } else { false }
            }
        }
        offset.store(3600, ordering: .relaxed)
        await expectUnavailable { _ = try await store.store([4]) }
        await expectUnavailable { _ = try await store.open(key, small: 1000) }
        await expectUnavailable { try await store.erase(key) }
        offset.store(0, ordering: .relaxed)
        #expect(try await store.open(key, small: 1000).bytes == [1, 2, 3])
        try await store.erase(key)
        let client = try S3Client(
            server.address(bucket), keys: .load(TestS3.owner), threads: work.threads,
            logger: Logger(label: "test"), now: { Date() })
        _ = try await client.send(S3Request(method: .DELETE))
        await expectUnavailable { _ = try await store.store([4]) }
        await expectUnavailable { _ = try await store.open(key, small: 1000) }
        await expectUnavailable { try await store.erase(key) }
        try await server.make(bucket)
        #expect(try await store.open(store.store([5]).key, small: 1000).bytes == [5])
    }

    @Test("A connection that ends in the middle is made again, for what is sent and for what is read")
    func cut() async throws {
        let port = try #require(TestS3.server.flatMap { URLComponents(string: $0.endpoint)?.port })
        let cuts = Atomic(0)
        let cut: @Sendable ([UInt8], SocketProxy.Link) -> SocketProxy.Decision = { bytes, _ in
            // The second half of what is large, as often as a test says.
            guard bytes.count > 20_000, cuts.load(ordering: .relaxed) > 0 else { return .pass }
            return cuts.subtract(1, ordering: .relaxed).newValue < 0 ? .pass : .cut
        }
        let proxy = try SocketProxy(at: .port(0), before: .port(UInt16(port)), sends: cut, gets: cut)
        let store = try await TestStore(.s3, endpoint: "http://127.0.0.1:\(proxy.port)")
        let bytes = random(2_000_000)
        cuts.store(2, ordering: .relaxed)
        let stored = try await store.blobs.store(bytes)
        #expect(cuts.load(ordering: .relaxed) == 0)
        // Each attempt had a key and a promise of its own: what arrives late is erased.
        let promised = try #require(store.bucket).promised.keys.withLock { $0 }
        #expect(promised.count == 3 && promised.last == stored.key)
        cuts.store(2, ordering: .relaxed)
        #expect(try await store.bytes(stored.key) == bytes)
        #expect(cuts.load(ordering: .relaxed) == 0)
        cuts.store(1, ordering: .relaxed)
        let (blob, _) = try await store.blobs.open(stored.key, small: 0)
        #expect(try await blob.read(0..<bytes.count) == bytes)
        proxy.isClosed = true
        await #expect {
            try await store.bytes(stored.key)
        } throws: { error in
            if case BlobError.unavailable = error { true } else { false }
        }
        proxy.isClosed = false
        #expect(try await store.bytes(stored.key) == bytes)
    }

    // MARK: Settings

    @Test(
        "An address says bucket, prefix and endpoint; others are refused",
        arguments: [
            "", "https://bucket", "s3://", "s3://Bucket/x", "s3://bucket/a b?endpoint=https://store.example",
            "s3://bucket/../x?endpoint=https://store.example", "s3://bucket?endpoint=http://store.example",
            "s3://bucket?endpoint=ftp://127.0.0.1", "s3://bucket?endpoint=https://a:b@store.example",
            "s3://bucket?endpoint=https://store.example/path", "s3://bucket?regoin=eu", "s3://bucket?region=",
        ])
    func addresses(text: String) throws {
        #expect(throws: BlobError.self) { try S3Address(text) }
        let full = try S3Address("s3://my-bucket/a/b/?endpoint=https://store.example:9000&region=eu-west-1")
        #expect(full.prefix == "a/b/")
        #expect(full.host == "store.example:9000")
        #expect(full.description == "my-bucket/a/b/ at https://store.example:9000")
        let amazon = try S3Address("s3://my-bucket?region=eu-west-1")
        #expect(amazon.endpoint == "https://s3.eu-west-1.amazonaws.com")
        #expect(amazon.prefix == "")
        #expect(try S3Address("s3://my-bucket?endpoint=https://store.example:443").host == "store.example")
    }

    @Test("Keys come from variables or from a file that nobody else can read")
    func keyFile() throws {
        let folder = try TemporaryFolder()
        let text = """
            [other]
            aws_access_key_id = no
            [default]
            # A comment = nothing
            aws_access_key_id=ID
            aws_secret_access_key = SECRET=
            """
        try folder.write(text, to: "keys")
        let path = folder("keys")
        #expect(chmod(path, 0o600) == 0)
        let keys = try S3Keys.load(["AWS_SHARED_CREDENTIALS_FILE": path])
        #expect(keys.id == "ID")
        #expect(keys.secret == "SECRET=")
        #expect(throws: BlobError.self) {
            try S3Keys.load(["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": "other"])
        }
        #expect(throws: BlobError.self) { try S3Keys.load(["AWS_SHARED_CREDENTIALS_FILE": folder("none")]) }
        #expect(chmod(path, 0o644) == 0)
        #expect(throws: BlobError.self) { try S3Keys.load(["AWS_SHARED_CREDENTIALS_FILE": path]) }
        #expect(try S3Keys.load(TestS3.owner).id == "test:tester")
    }

    @Test("The signature is the one that Amazon's documentation works out")
    func signature() {
        // https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html, "GET Object".
        let signature = S3Signature(
            keys: S3Keys(id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
        let empty = SHA256.hash(data: [UInt8]()).hex
        let date = Date(timeIntervalSince1970: 1_369_353_600)
        let object = signature.headers(
            "GET", path: "/test.txt", query: [],
            headers: ["host": "examplebucket.s3.amazonaws.com", "range": "bytes=0-9"], bodyHash: empty,
            at: date)
        #expect(object["x-amz-date"] == "20130524T000000Z")
        #expect(
            object["authorization"]?.hasSuffix(
                "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41") == true)
        // "Get Bucket (List Objects)".
        let list = signature.headers(
            "GET", path: "/", query: [("max-keys", "2"), ("prefix", "J")],
            headers: ["host": "examplebucket.s3.amazonaws.com"], bodyHash: empty, at: date)
        #expect(
            list["authorization"]?.hasSuffix(
                "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7") == true)
    }
}
