import AsyncHTTPClient
import Crypto
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// A request to an S3 store, for an object or for the bucket.
struct S3Request: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// A part of a local file, with its SHA-256.
        case file(path: String, part: Range<Int>, sha256: [UInt8])
    }

    var method: HTTPMethod
    /// The object's name without the address's prefix; nil for the bucket itself.
    var object: String?
    var query: [(name: String, value: String)] = []
    /// Headers with lower-case names.
    var headers: [String: String] = [:]
    var body = Body.bytes([])
    /// Whether the request is sent again after a passing failure. What stores an object under a new key isn't: the first
    /// request may still arrive when the object has been erased.
    var mayRepeat = true
    /// Whether the request is signed. One that isn't shows what a stranger can do.
    var isSigned = true
}

extension S3Request {
    /// How long the answer may take to begin: several files share a line that may be slow.
    fileprivate var patience: TimeAmount {
        guard case .file(_, let part, _) = body else { return .minutes(2) }
        return .seconds(120 + Int64(part.count / 32_000))
    }
}

/// The client of one S3 store: signs requests, bounds their number and time, and sends again what a passing failure
/// stopped.
final class S3Client: Sendable {
    let address: S3Address
    /// The threads on which files are read that are sent.
    private let threads: FileThreads
    private let signature: S3Signature
    private let client: HTTPClient
    private let logger: Logger
    private let now: @Sendable () -> Date
    private let underWay = Atomic(0)

    /// The most requests that are sent at once; more wait for a connection.
    private static let connections = 64
    /// The most requests under way, those that wait included. More are refused.
    private static let most = 1024
    static let attempts = 4
    /// The most bytes of an answer in XML: a list of 1,000 names needs a third of it.
    private static let answerBytes = 1 << 20

    /// - Throws: `BlobError.other` when the file with certificates can't be read.
    init(
        _ address: S3Address, keys: S3Keys, threads: FileThreads, logger: Logger,
        now: @escaping @Sendable () -> Date
    ) throws {
        self.address = address
        self.threads = threads
        self.logger = logger
        self.now = now
        signature = S3Signature(keys: keys, region: address.region)
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(5), read: .seconds(30), write: .seconds(30)),
            decompression: .disabled)
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = Self.connections
        // A store that isn't there is said at once: requests are sent again here, a few times.
        configuration.connectionPool.retryConnectionEstablishment = false
        if let certificates = address.certificates {
            guard FileManager.default.isReadableFile(atPath: certificates) else {
                throw BlobError.other(
                    message: "The certificates of the store can’t be read: \(certificates).")
            }
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(certificates)
            configuration.tlsConfiguration = tls
        }
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    deinit {
        client.shutdown(queue: .global()) { _ in }
    }

    /// The number of requests under way.
    var waiting: Int { underWay.load(ordering: .relaxed) }

    /// Sends a request and reads its answer.
    ///
    /// - Parameters:
    ///   - expected: returns the value that a refusal means; nil for one that is an error.
    ///   - read: reads the answer to a request that succeeded. Called again when the connection ends in between.
    /// - Throws: `BlobError`, `CancellationError`, and what `read` throws.
    func send<Value>(
        _ request: S3Request, unless expected: (S3Failure) -> Value? = { _ in nil },
        _ read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        do {
            return try await trySending(request, read)
        } catch let failure as S3Failure {
            if let value = expected(failure) { return value }
            if failure.blobError != .notFound {
                logger.error(
                    "the store of pictures failed",
                    metadata: ["request": "\(request.method)", "reason": "\(failure)"])
            }
            throw failure.blobError
        }
    }

    /// Sends a request whose answer is XML or nothing.
    func send(_ request: S3Request) async throws -> S3Answer {
        try await send(request) { try await self.answer($0) }
    }

    /// Sends a request, and again after a passing failure with growing pauses.
    /// - Throws: as ``send(_:_:)``, but `S3Failure` for what the store refuses.
    func trySending<Value>(
        _ request: S3Request, _ read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        guard underWay.add(1, ordering: .relaxed).newValue <= Self.most else {
            underWay.subtract(1, ordering: .relaxed)
            throw BlobError.busy
        }
        defer { underWay.subtract(1, ordering: .relaxed) }
        for attempt in 1... {
            do {
                return try await once(request, read)
            } catch let failure as S3Failure {
                guard failure.isPassing, request.mayRepeat, attempt < Self.attempts else { throw failure }
            }
            try await Self.pause(after: attempt)
        }
        throw BlobError.busy
    }

    /// Waits before another attempt, longer each time.
    static func pause(after attempt: Int) async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 50...150) << (2 * (attempt - 1))))
    }

    /// Reads an answer in XML. Some operations say in one with status 200 that they failed.
    func answer(_ response: HTTPClientResponse) async throws -> S3Answer {
        let body = try await response.body.collect(upTo: Self.answerBytes)
        let answer = S3Answer(body.readableBytesView)
        if let code = answer["Code"], answer["ETag"] == nil {
            throw S3Failure(status: 500, code: code, message: answer["Message"] ?? "")
        }
        return answer
    }

    private func once<Value>(
        _ request: S3Request, _ read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        let response: HTTPClientResponse
        do {
            response = try await client.execute(prepared(request), timeout: request.patience)
            if (200..<300).contains(response.status.code) { return try await read(response) }
        } catch let error where !(error is S3Failure || error is BlobError || error is CancellationError) {
            // The connection's: refused, cut, too slow, without a certificate that is trusted.
            throw S3Failure(status: 0, code: "", message: "\(error)")
        }
        let body = (try? await response.body.collect(upTo: Self.answerBytes)) ?? ByteBuffer()
        let answer = S3Answer(body.readableBytesView)
        throw S3Failure(
            status: Int(response.status.code), code: answer["Code"] ?? "", message: answer["Message"] ?? "")
    }

    private func prepared(_ request: S3Request) -> HTTPClientRequest {
        let path = "/\(address.bucket)" + (request.object.map { "/\(address.prefix)\($0)" } ?? "")
        let query = S3Signature.text(request.query)
        var sent = HTTPClientRequest(url: address.endpoint + path + (query.isEmpty ? "" : "?\(query)"))
        sent.method = request.method
        let hash: [UInt8]
        switch request.body {
        case .bytes(let bytes):
            hash = Array(SHA256.hash(data: bytes))
            if request.method == .PUT || request.method == .POST { sent.body = .bytes(bytes) }
        case .file(let path, let part, let sha256):
            hash = sha256
            sent.body = .stream(
                FileParts(path: path, part: part, threads: threads), length: .known(Int64(part.count)))
        }
        var headers = request.headers
        headers["host"] = address.host
        if request.isSigned {
            headers = signature.headers(
                request.method.rawValue, path: path, query: request.query, headers: headers,
                bodyHash: hash.hex, at: now())
        }
        for (name, value) in headers { sent.headers.add(name: name, value: value) }
        return sent
    }
}

/// The bytes of a part of a file, read as they are sent.
private struct FileParts: AsyncSequence, Sendable {
    let path: String
    let part: Range<Int>
    let threads: FileThreads

    private static let chunk = 256 * 1024

    struct AsyncIterator: AsyncIteratorProtocol {
        let path: String
        var rest: Range<Int>
        let threads: FileThreads

        mutating func next() async throws -> ByteBuffer? {
            guard !rest.isEmpty else { return nil }
            let (path, piece) = (path, rest.prefix(FileParts.chunk))
            let bytes = try await threads.run {
                try OpenFile(path, O_RDONLY).read(at: piece.lowerBound, count: piece.count)
            }
            guard bytes.count == piece.count else { throw BlobError.other(message: "\(path) is too short") }
            rest = rest.dropFirst(piece.count)
            return ByteBuffer(bytes: bytes)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(path: path, rest: part, threads: threads) }
}
