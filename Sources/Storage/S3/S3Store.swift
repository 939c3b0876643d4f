import AsyncHTTPClient
import Crypto
import Foundation
import Logging
import NIOCore
import NIOHTTP1

/// A blob store that keeps each blob as an object of a store with S3's interface, named by its key.
///
/// Before the object, its promise is written: what erases the object unless a row names it by then. So a process that is
/// killed leaves nothing behind. Bytes are sent with their length and SHA-256, which the store checks, and checked again
/// when a whole blob is read.
public final class S3Store: BlobStore {
    /// A blob that is about to be stored.
    public struct Planned: Sendable {
        /// The key that the blob will have.
        public let key: BlobKey
        /// The size in bytes.
        public let byteCount: Int
    }

    /// Promises durably to settle blobs that no row names by the time that it returns. Naming a blob ends its promise in
    /// the same transaction (`StoredBlob.settledAt`).
    public typealias Promise = @Sendable ([Planned]) async throws -> Date

    /// The most bytes that one blob may have.
    public let maximumBytes: Int

    private let client: S3Client
    private let upload: S3Upload
    private let work: WorkFolder
    private let promise: Promise
    private let held = FetchedFile.Held()

    /// The most objects that a store lists at once.
    private static let listed = 1000
    /// The most files of one call that are sent or fetched at the same time.
    private static let atOnce = 8

    /// Opens a store, and refuses one in which nothing would be private or nothing could be erased.
    ///
    /// - Parameters:
    ///   - address: where the objects are.
    ///   - environment: the variables that say where the keys are.
    ///   - work: the node's folder for files in work.
    ///   - maximumBytes: the most bytes that one blob may have.
    ///   - now: the clock; the store refuses requests of a clock that is wrong by 15 minutes.
    ///   - promise: writes the promises of blobs.
    /// - Throws: `BlobError` with a sentence for the operator.
    public init(
        _ address: S3Address, environment: [String: String], work: WorkFolder, maximumBytes: Int,
        logger: Logger, now: @escaping @Sendable () -> Date = { Date() }, promise: @escaping Promise
    ) async throws {
        self.maximumBytes = maximumBytes
        self.work = work
        self.promise = promise
        client = try S3Client(
            address, keys: S3Keys.load(environment), threads: work.threads, logger: logger, now: now)
        upload = S3Upload(client: client, threads: work.threads)
        try await S3Admission(client: client).check()
    }

    /// The number of operations that are under way, for the metrics.
    public var waiting: Int { client.waiting + work.threads.waiting }

    /// Starts receiving a blob, as a file of the node.
    public func receive(maximumBytes: Int) throws -> IncomingBlob {
        work.receive(maximumBytes: min(maximumBytes, self.maximumBytes))
    }

    // MARK: Storing

    /// Stores a received blob, and removes its local file.
    public func commit(_ incoming: IncomingBlob) async throws -> StoredBlob {
        let (byteCount, sha256) = try await incoming.finish()
        let stored = try await store([(incoming.path, byteCount, sha256)])
        return stored[0]
    }

    /// Stores complete files, several at a time, and removes them.
    public func store(filesAt paths: [String]) async throws -> [StoredBlob] {
        let work = work
        let files = try await inParallel(paths) { path in
            let (byteCount, sha256) = try await work.threads.run { try OpenFile(path, O_RDONLY).hash() }
            return (path: path, byteCount: byteCount, sha256: sha256)
        }
        return try await store(files)
    }

    /// Stores a complete file under the key that it has in another store.
    public func put(fileAt path: String, as key: BlobKey) async throws -> StoredBlob {
        let (byteCount, sha256) = try await work.threads.run { try OpenFile(path, O_RDONLY).hash() }
        // What an earlier attempt has left of a large one.
        if byteCount > S3Upload.partBytes { try await upload.abort(key.rawValue) }
        try await upload.send(
            path, byteCount: byteCount, sha256: sha256, as: key.rawValue, mayRepeat: true)
        return StoredBlob(key: key, byteCount: byteCount, sha256: sha256)
    }

    /// Stores bytes.
    public func store(_ bytes: [UInt8]) async throws -> StoredBlob {
        guard bytes.count <= maximumBytes else { throw BlobError.tooLarge(maximumBytes: maximumBytes) }
        let incoming = try receive()
        try await incoming.write(bytes)
        return try await commit(incoming)
    }

    private func store(
        _ files: [(path: String, byteCount: Int, sha256: [UInt8])]
    ) async throws -> [StoredBlob] {
        let planned = files.map { Planned(key: .random(), byteCount: $0.byteCount) }
        let settledAt = try await promise(planned)
        let upload = upload
        // If one fails, nobody learns the keys, and the promises erase what was sent.
        return try await inParallel(Array(zip(planned, files))) { plan, file in
            let (key, settledAt) = try await self.repeating(plan, settledAt) { key in
                try await upload.send(
                    file.path, byteCount: file.byteCount, sha256: file.sha256, as: key.rawValue,
                    mayRepeat: false)
            }
            unlink(file.path)
            return StoredBlob(
                key: key, byteCount: file.byteCount, sha256: file.sha256, settledAt: settledAt)
        }
    }

    /// Stores an object, and again under another key after a passing failure: what arrives late under the first key is erased
    /// by its promise.
    /// - Returns: the key under which it is stored, and when its promise is due.
    private func repeating(
        _ planned: Planned, _ promised: Date, _ body: (BlobKey) async throws -> Void
    ) async throws -> (BlobKey, Date) {
        var (plan, settledAt) = (planned, promised)
        for attempt in 1... {
            do {
                try await body(plan.key)
                return (plan.key, settledAt)
            } catch BlobError.unavailable(let message) {
                guard attempt < S3Client.attempts else { throw BlobError.unavailable(message: message) }
            }
            try await S3Client.pause(after: attempt)
            plan = Planned(key: .random(), byteCount: planned.byteCount)
            settledAt = try await promise([plan])
        }
        throw BlobError.busy
    }

    /// Stores a copy of a blob, which the store makes itself.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    public func copy(_ key: BlobKey) async throws -> StoredBlob {
        let (byteCount, known) = try await client.send(S3Request(method: .HEAD, object: key.rawValue)) {
            ($0.length, Self.bytes($0.sha256))
        }
        guard let byteCount else { throw Self.noLength(key) }
        let hash = if let known { known } else { try await sha256(of: key) }
        let plan = Planned(key: .random(), byteCount: byteCount)
        let settledAt = try await promise([plan])
        let address = client.address
        let source = "/\(address.bucket)/\(address.prefix)\(key.rawValue)"
        let (copy, copySettledAt) = try await repeating(plan, settledAt) { copy in
            let answer = try await client.send(
                S3Request(
                    method: .PUT, object: copy.rawValue, headers: ["x-amz-copy-source": source],
                    mayRepeat: false))
            guard answer["ETag"] != nil else {
                throw BlobError.unavailable(message: "the store doesn’t say that it has a copy")
            }
        }
        return StoredBlob(key: copy, byteCount: byteCount, sha256: hash, settledAt: copySettledAt)
    }

    /// Does nothing: the transaction that named the blobs has ended their promises.
    public func keep(_ keys: [BlobKey]) async {}

    /// Does nothing: the promises of all processes are in the database.
    public func recover(isKnown: (BlobKey) async throws -> Bool) async throws {}

    /// Returns none: the promises are in the database.
    public func unkeptKeys() async throws -> Set<BlobKey> { [] }

    /// Removes the file of a blob that was not committed.
    public func discard(_ incoming: IncomingBlob) async {
        incoming.abandon()
    }

    // MARK: Reading

    /// Calls a function with fetched copies of blobs, which are removed afterwards.
    /// - Throws: `BlobError`, also when a blob isn't what was stored; what the function throws.
    public func withLocalFiles<Value: Sendable>(
        of keys: [BlobKey], _ body: ([String]) async throws -> Value
    ) async throws -> Value {
        let files = try await inParallel(keys) { try await self.fetch($0) }
        defer { for file in files { file.abandon() } }
        return try await body(files.map(\.path))
    }

    /// Fetches a blob into a file. Does nothing if there is a file already.
    public func export(_ key: BlobKey, to path: String) async throws {
        guard access(path, F_OK) != 0 else { return }
        let file = try await fetch(key)
        defer { file.abandon() }
        try await work.threads.run {
            guard link(file.path, path) == 0 || errno == EEXIST else { throw SystemError.last(path) }
        }
    }

    /// Opens a blob for reading in parts, and fetches its beginning: all of it, unless it is larger than any picture that is
    /// shown.
    public func open(_ key: BlobKey, small: Int) async throws -> (blob: any OpenBlob, bytes: [UInt8]?) {
        let fetchPiece: @Sendable (Range<Int>) async throws -> FetchedFile = { part in
            guard let file = try await self.get(key, part, empty: nil, { try await self.file($0) }) else {
                throw BlobError.other(message: "\(key.rawValue) is shorter than it was")
            }
            return file
        }
        let empty = (S3OpenBlob(byteCount: 0, first: nil, fetch: fetchPiece), [UInt8]?.some([]))
        return try await get(key, 0..<S3OpenBlob.pieceBytes, empty: empty) { response in
            guard let length = response.length else { throw Self.noLength(key) }
            guard length > small else {
                let bytes = try await response.body.collect(upTo: small)
                guard bytes.readableBytes == length else {
                    throw BlobError.other(message: "\(key.rawValue) is shorter than the store says")
                }
                return (
                    S3OpenBlob(byteCount: length, first: nil, fetch: fetchPiece),
                    Array(bytes.readableBytesView)
                )
            }
            let first = try await self.file(response)
            return (S3OpenBlob(byteCount: length, first: first, fetch: fetchPiece), nil)
        }
    }

    /// Reads a part of a blob. Bytes of the range that are past the end are left out.
    public func read(_ key: BlobKey, _ range: Range<Int>) async throws -> [UInt8] {
        guard !range.isEmpty else { return [] }
        return try await get(key, range, empty: []) { response in
            Array(try await response.body.collect(upTo: range.count).readableBytesView)
        }
    }

    /// Returns the size of a blob in bytes, or nil if there is no such blob.
    public func byteCount(of key: BlobKey) async throws -> Int? {
        do {
            return try await client.send(S3Request(method: .HEAD, object: key.rawValue)) { $0.length }
        } catch BlobError.notFound {
            return nil
        }
    }

    /// Returns the SHA-256 of the stored bytes, all of which it fetches.
    public func sha256(of key: BlobKey) async throws -> [UInt8] {
        try await client.send(S3Request(method: .GET, object: key.rawValue)) { response in
            var hasher = SHA256()
            for try await piece in response.body {
                piece.withUnsafeReadableBytes { hasher.update(bufferPointer: $0) }
            }
            return Array(hasher.finalize())
        }
    }

    /// Returns the next keys in ascending order.
    public func keys(after key: BlobKey?, limit: Int) async throws -> [BlobKey] {
        try await keys(after: key, limit: limit, listed: Self.listed)
    }

    /// Returns the next keys in ascending order. Other objects under the prefix are passed over.
    /// - Parameter listed: the number of objects that the store lists at once.
    func keys(after key: BlobKey?, limit: Int, listed: Int) async throws -> [BlobKey] {
        let prefix = client.address.prefix
        var (keys, last) = ([BlobKey](), key.map { prefix + $0.rawValue } ?? "")
        while keys.count < limit {
            let page = try await client.send(
                S3Request(
                    method: .GET,
                    query: [
                        ("list-type", "2"), ("prefix", prefix), ("start-after", last),
                        ("max-keys", "\(listed)"),
                    ]))
            let names = page.all("Key")
            keys += names.compactMap { BlobKey(rawValue: String($0.dropFirst(prefix.count))) }
            guard page["IsTruncated"] == "true", let end = names.last else { break }
            guard end != last else { throw BlobError.other(message: "the store lists the same again") }
            last = end
        }
        return Array(keys.prefix(limit))
    }

    // MARK: Erasing

    /// Erases a blob. Does nothing if there is no such blob.
    public func erase(_ key: BlobKey) async throws {
        // Some stores say of an object that is gone that it isn't there.
        try await client.send(
            S3Request(method: .DELETE, object: key.rawValue),
            unless: { $0.blobError == .notFound ? () : nil }, { _ in })
    }

    /// Erases what an attempt to store a blob has left, also parts of it.
    public func settle(_ key: BlobKey) async throws {
        try await upload.abort(key.rawValue)
        try await erase(key)
    }

    // MARK: Fetching

    /// Asks for a part of an object. Returns `empty` if the object has no bytes there.
    private func get<Value>(
        _ key: BlobKey, _ part: Range<Int>, empty: Value,
        _ read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        let request = S3Request(
            method: .GET, object: key.rawValue,
            headers: ["range": "bytes=\(part.lowerBound)-\(part.upperBound - 1)"])
        return try await client.send(request, unless: { $0.status == 416 ? empty : nil }) { response in
            guard part.lowerBound == 0 || response.status == .partialContent else {
                throw BlobError.other(message: "the store doesn’t send parts")
            }
            return try await read(response)
        }
    }

    private static func noLength(_ key: BlobKey) -> BlobError {
        .other(message: "the store doesn’t say how long \(key.rawValue) is")
    }

    /// Fetches a whole blob into a local file, and checks its SHA-256.
    private func fetch(_ key: BlobKey) async throws -> IncomingBlob {
        try await client.send(S3Request(method: .GET, object: key.rawValue)) { response in
            let file = try await self.received(response)
            let (_, sha256) = try await file.finish()
            guard response.sha256.map({ $0 == sha256.hex }) ?? true else {
                throw BlobError.other(message: "\(key.rawValue) in the store isn’t what was stored")
            }
            return file
        }
    }

    private func file(_ response: HTTPClientResponse) async throws -> FetchedFile {
        let count =
            response.headers.first(name: "Content-Length").flatMap { Int($0) } ?? S3OpenBlob.pieceBytes
        guard (0...S3OpenBlob.pieceBytes).contains(count) else {
            throw BlobError.other(message: "the store sends more than it was asked for")
        }
        try held.add(count)
        do {
            let (file, threads) = (try await received(response, most: count), work.threads)
            // Without a name, it goes with the last reader.
            defer { file.abandon() }
            guard try await file.finish().byteCount == count else {
                throw BlobError.other(message: "the store sends less than it says")
            }
            let open = try await threads.run { try OpenBlobFile(file.path, threads: threads) }
            return FetchedFile(open, held: held)
        } catch {
            held.remove(count)
            throw error
        }
    }

    private func received(_ response: HTTPClientResponse, most: Int = .max) async throws -> IncomingBlob {
        let file = work.receive(maximumBytes: most)
        for try await piece in response.body { try await file.write(piece.readableBytesView) }
        return file
    }

    private static func bytes(_ hex: String?) -> [UInt8]? {
        guard let hex, hex.count == 64 else { return nil }
        let digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == 64 else { return nil }
        return stride(from: 0, to: 64, by: 2).map { UInt8(16 * digits[$0] + digits[$0 + 1]) }
    }

    /// Does the same for several values, a few at a time, and returns the results in their order.
    private func inParallel<Input: Sendable, Output: Sendable>(
        _ inputs: [Input], _ body: @escaping @Sendable (Input) async throws -> Output
    ) async throws -> [Output] {
        try await withThrowingTaskGroup(of: (Int, Output).self) { group in
            var results = [Output?](repeating: nil, count: inputs.count)
            for (index, input) in inputs.enumerated() {
                if index >= Self.atOnce, let (done, output) = try await group.next() {
                    results[done] = output
                }
                group.addTask { (index, try await body(input)) }
            }
            for try await (done, output) in group { results[done] = output }
            return results.compactMap { $0 }
        }
    }
}
