import Foundation

/// A store of pictures: bytes under random keys, which never change.
///
/// A new blob arrives as an `IncomingBlob`, a local file that can be checked before it is committed. The
/// store contains a blob completely or not at all.
public protocol BlobStore: Sendable {
    /// The most bytes that a blob may have if the caller doesn't ask for a lower limit.
    var maximumBytes: Int { get }

    /// Starts receiving a blob.
    /// - Parameter maximumBytes: the most bytes that the blob may have.
    /// - Throws: `BlobError`.
    func receive(maximumBytes: Int) throws -> IncomingBlob

    /// Stores a received blob. When this function returns, the blob is durable.
    /// - Throws: `BlobError`; the caller must then still discard the incoming blob.
    func commit(_ incoming: IncomingBlob) async throws -> StoredBlob

    /// Stores a complete file by moving it into the store. When this function returns, the blob is durable
    /// and the file has been moved.
    /// - Throws: `BlobError`; the file is then still at its path, or removed.
    func store(fileAt path: String) async throws -> StoredBlob

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

    /// Discards a received blob that was not committed. Does nothing to a committed one.
    func discard(_ incoming: IncomingBlob) async

    /// Returns the path of the blob's file if the store uses local files. Doesn't check whether the file
    /// exists.
    func path(of key: BlobKey) -> String?

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

    /// Creates the description of a stored blob.
    /// - Parameters:
    ///   - key: the key under which the blob is stored.
    ///   - byteCount: the size in bytes.
    ///   - sha256: the SHA-256 of the bytes, 32 bytes.
    public init(key: BlobKey, byteCount: Int, sha256: [UInt8]) {
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
