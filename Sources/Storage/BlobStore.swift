import Foundation

/// A store of pictures: bytes under random keys, which never change.
///
/// A new blob arrives as an `IncomingBlob`, a local file that can be checked before it is committed. The
/// store contains a blob completely or not at all.
public protocol BlobStore: Sendable {
    /// The most bytes that a blob may have if the caller doesn't ask for a lower limit.
    var maximumBytes: Int { get }

    /// The number of operations that wait for their turn, for the metrics.
    var waiting: Int { get }

    /// Starts receiving a blob.
    /// - Parameter maximumBytes: the most bytes that the blob may have.
    /// - Throws: `BlobError`.
    func receive(maximumBytes: Int) throws -> IncomingBlob

    /// Stores a received blob. When this function returns, the blob is durable.
    /// - Throws: `BlobError`; the caller must then still discard the incoming blob.
    func commit(_ incoming: IncomingBlob) async throws -> StoredBlob

    /// Stores complete files by moving them into the store. When this function returns, the blobs are durable
    /// and the files have been moved.
    /// - Parameter paths: files in the node's `WorkFolder`.
    /// - Throws: `BlobError`; the store then keeps none of them, and each file is still at its path, or removed.
    func store(filesAt paths: [String]) async throws -> [StoredBlob]

    /// Stores a complete file under the key that it has in another store, in place of what is there. When this function
    /// returns, the blob is durable. A row names it already.
    /// - Parameter path: a file in the node's `WorkFolder`.
    /// - Throws: `BlobError`.
    func put(fileAt path: String, as key: BlobKey) async throws -> StoredBlob

    /// Stores bytes. When this function returns, they are durable.
    /// - Throws: `BlobError`.
    func store(_ bytes: [UInt8]) async throws -> StoredBlob

    /// Stores a blob with the content of another. Erasing one leaves the other.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    func copy(_ key: BlobKey) async throws -> StoredBlob

    /// Records that a committed row names these blobs. If the process ends before that, `recover` decides
    /// about its blobs at the next start.
    func keep(_ keys: [BlobKey]) async

    /// Erases the blobs that processes stored before they ended, but that no row names.
    /// - Parameter isKnown: returns whether a row names the blob.
    /// - Throws: `BlobError`, and what `isKnown` throws.
    func recover(isKnown: (BlobKey) async throws -> Bool) async throws

    /// Returns the blobs that are stored, or being stored, but that `recover` doesn't yet erase.
    /// - Throws: `BlobError`.
    func unkeptKeys() async throws -> Set<BlobKey>

    /// Discards a received blob that was not committed. Does nothing to a committed one.
    func discard(_ incoming: IncomingBlob) async

    /// Calls a function with a local file of each blob, in the order of the keys. The files are only to be read, and
    /// only until the function returns: a store that isn't a folder fetches them and removes them afterwards.
    /// - Throws: `BlobError`, and what the function throws. A folder doesn't check whether the files exist.
    func withLocalFiles<Value: Sendable>(
        of keys: [BlobKey], _ body: ([String]) async throws -> Value
    ) async throws -> Value

    /// Makes a local file with the content of a blob, which stays when the blob is erased. Does nothing if there is
    /// a file already.
    /// - Parameter path: the new file, in the node's `WorkFolder`.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    func export(_ key: BlobKey, to path: String) async throws

    /// Opens a blob for reading in parts.
    ///
    /// - Parameter small: a blob of at most this many bytes is read immediately.
    /// - Returns: the open blob, and all bytes of a small one.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    func open(_ key: BlobKey, small: Int) async throws -> (blob: any OpenBlob, bytes: [UInt8]?)

    /// Reads a part of a blob.
    /// - Parameter range: the bytes to read. Bytes past the end are left out.
    /// - Throws: `BlobError.notFound` if there is no such blob, or if it was erased meanwhile.
    func read(_ key: BlobKey, _ range: Range<Int>) async throws -> [UInt8]

    /// Returns the size of a blob in bytes, or nil if there is no such blob.
    /// - Throws: `BlobError`.
    func byteCount(of key: BlobKey) async throws -> Int?

    /// Computes the SHA-256 of the stored bytes again, to find damage.
    /// - Throws: `BlobError.notFound` if there is no such blob.
    func sha256(of key: BlobKey) async throws -> [UInt8]

    /// Erases a blob permanently. Does nothing if there is no such blob.
    /// - Throws: `BlobError`.
    func erase(_ key: BlobKey) async throws

    /// Erases what an attempt to store a blob has left, when its time has come and no row names the blob
    /// (``StoredBlob/settledAt``).
    /// - Throws: `BlobError`.
    func settle(_ key: BlobKey) async throws

    /// Returns keys of the store in ascending order.
    /// - Parameters:
    ///   - key: the key after which to start; nil to start with the first.
    ///   - limit: the most keys to return.
    /// - Throws: `BlobError`.
    func keys(after key: BlobKey?, limit: Int) async throws -> [BlobKey]
}

extension BlobStore {
    /// Starts receiving a blob that may have as many bytes as the store allows.
    /// - Throws: `BlobError`.
    public func receive() throws -> IncomingBlob { try receive(maximumBytes: maximumBytes) }

    /// Stores a complete file of the node's `WorkFolder` by moving it into the store.
    /// - Throws: `BlobError`; the file is then still at its path, or removed.
    public func store(fileAt path: String) async throws -> StoredBlob {
        let stored = try await store(filesAt: [path])
        return stored[0]
    }
}

/// The name of a blob: 128 random bits as 32 lower-case hexadecimal digits.
public struct BlobKey: RawRepresentable, Hashable, Comparable, Sendable, SQLConvertible {
    /// The 32 digits.
    public let rawValue: String

    /// Creates a key from its digits. Returns nil unless they are 32 lower-case hexadecimal digits.
    public init?(rawValue: String) {
        let digits = rawValue.utf8
        guard digits.count == 32, digits.allSatisfy(Self.isDigit) else { return nil }
        self.rawValue = rawValue
    }

    /// Returns a new key, from the system's cryptographic source of randomness.
    public static func random() -> BlobKey {
        let halves = (0..<2).map { _ in
            let digits = String(UInt64.random(in: .min ... .max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return BlobKey(unchecked: halves.joined())
    }

    private init(unchecked rawValue: String) {
        self.rawValue = rawValue
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }

    /// Returns whether a key comes before another one in the order of `BlobStore.keys`.
    public static func < (one: BlobKey, other: BlobKey) -> Bool { one.rawValue < other.rawValue }
}

/// A blob that has been stored durably.
public struct StoredBlob: Sendable, Hashable {
    /// The key under which the blob is stored.
    public let key: BlobKey
    /// The size in bytes.
    public let byteCount: Int
    /// The SHA-256 of the bytes, 32 bytes.
    public let sha256: [UInt8]
    /// When the blob is erased unless a row names it before: the transaction that inserts the row also ends this promise.
    /// Nil if the store itself remembers what no row names.
    public let settledAt: Date?

    /// Creates the description of a stored blob.
    /// - Parameters:
    ///   - key: the key under which the blob is stored.
    ///   - byteCount: the size in bytes.
    ///   - sha256: the SHA-256 of the bytes, 32 bytes.
    ///   - settledAt: when the blob is erased unless a row names it before; nil if the store itself remembers.
    public init(key: BlobKey, byteCount: Int, sha256: [UInt8], settledAt: Date? = nil) {
        self.settledAt = settledAt
        self.key = key
        self.byteCount = byteCount
        self.sha256 = sha256
    }
}

/// The errors of a blob store, whatever the blobs are stored in.
public enum BlobError: Error, Sendable, Hashable {
    /// The blob has more bytes than it may have.
    case tooLarge(maximumBytes: Int)
    /// The disk is full.
    case full
    /// Too many file operations are waiting. The caller may try again.
    case busy
    /// There is no blob under this key.
    case notFound
    /// The store doesn't answer, or not in time. The caller may try again.
    case unavailable(message: String)
    /// Any other error, described for the log.
    case other(message: String)
}

extension BlobError {
    /// Converts an error of the operating system or of the threads' queue.
    init(_ error: any Error) {
        switch error {
        case let error as BlobError: self = error
        case let error as SystemError where error.isFull: self = .full
        case let error as SystemError where error.code == ENOENT: self = .notFound
        case JobQueueRefusal.full: self = .busy
        default: self = .other(message: "\(error)")
        }
    }
}
