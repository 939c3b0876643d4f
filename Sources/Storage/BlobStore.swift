import Foundation

/// Where pictures are kept: bytes under a random key, which never change.
///
/// A blob comes in as an `IncomingBlob`, a local file that can be checked before it is committed. It is in the
/// store complete or not at all.
public protocol BlobStore: Sendable {
    /// The most bytes that one blob may have, unless it is asked for fewer.
    var maximumBytes: Int { get }

    /// Begins to receive a blob.
    /// - Parameter maximumBytes: the most bytes that it may have.
    /// - Throws: `BlobError`.
    func receive(maximumBytes: Int) throws -> IncomingBlob

    /// Keeps a received blob. When it returns, the blob is safely stored.
    /// - Throws: `BlobError`; the incoming blob must then still be discarded.
    func commit(_ incoming: IncomingBlob) async throws -> StoredBlob

    /// Keeps a file that is complete, by moving it into the store. When it returns, the blob is safely
    /// stored and the file is gone.
    /// - Throws: `BlobError`; the file is then where it was, or gone.
    func store(fileAt path: String) async throws -> StoredBlob

    /// Keeps bytes. When it returns, they are safely stored.
    /// - Throws: `BlobError`.
    func store(_ bytes: [UInt8]) async throws -> StoredBlob

    /// Says that a committed row names these blobs. Those that were stored but not kept when the process ended
    /// are settled by `recover`.
    func keep(_ keys: [BlobKey]) async

    /// Settles what processes left that are gone: blobs that were stored, but that no row names, are erased.
    /// - Parameter isKnown: whether a row names the blob.
    /// - Throws: `BlobError`, and what `isKnown` throws.
    func recover(isKnown: (BlobKey) async throws -> Bool) async throws

    /// Forgets a received blob that was not committed. It does nothing to one that was.
    func discard(_ incoming: IncomingBlob) async

    /// The path of the blob's file, if the store keeps blobs in local files; whether it is there is not
    /// checked.
    func path(of key: BlobKey) -> String?

    /// A part of a blob.
    /// - Parameter range: which bytes. Those behind the end are left out.
    /// - Throws: `BlobError.notFound` when there is no such blob, also when it was erased meanwhile.
    func read(_ key: BlobKey, _ range: Range<Int>) async throws -> [UInt8]

    /// The size of a blob in bytes, or nil when there is none.
    /// - Throws: `BlobError`.
    func byteCount(of key: BlobKey) async throws -> Int?

    /// The SHA-256 of what is stored, computed anew, to find damage.
    /// - Throws: `BlobError.notFound` when there is no such blob.
    func sha256(of key: BlobKey) async throws -> [UInt8]

    /// Erases a blob for good; one that isn't there is no error.
    /// - Throws: `BlobError`.
    func erase(_ key: BlobKey) async throws

    /// Keys of the store in ascending order.
    /// - Parameters:
    ///   - key: those behind this one; nil for the first.
    ///   - limit: how many at most.
    /// - Throws: `BlobError`.
    func keys(after key: BlobKey?, limit: Int) async throws -> [BlobKey]
}

extension BlobStore {
    /// Begins to receive a blob of the greatest size that the store allows.
    /// - Throws: `BlobError`.
    public func receive() throws -> IncomingBlob { try receive(maximumBytes: maximumBytes) }
}

/// The name of a blob: 128 random bits as 32 lower-case hexadecimal digits.
public struct BlobKey: RawRepresentable, Hashable, Comparable, Sendable, SQLConvertible {
    /// The 32 digits.
    public let rawValue: String

    /// Takes a key; nil unless it is 32 lower-case hexadecimal digits.
    public init?(rawValue: String) {
        let digits = rawValue.utf8
        guard digits.count == 32, digits.allSatisfy(Self.isDigit) else { return nil }
        self.rawValue = rawValue
    }

    /// A new key, from the system's cryptographic source of randomness.
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

    /// Whether a key comes before another in the order of `BlobStore.keys`.
    public static func < (one: BlobKey, other: BlobKey) -> Bool { one.rawValue < other.rawValue }
}

/// A blob that is safely in the store.
public struct StoredBlob: Sendable, Hashable {
    /// Where it is.
    public let key: BlobKey
    /// Its size in bytes.
    public let byteCount: Int
    /// The hash of its bytes, 32 bytes.
    public let sha256: [UInt8]

    /// A blob that was stored.
    /// - Parameters:
    ///   - key: where it is.
    ///   - byteCount: the size in bytes.
    ///   - sha256: the hash of the bytes, 32 bytes.
    public init(key: BlobKey, byteCount: Int, sha256: [UInt8]) {
        self.key = key
        self.byteCount = byteCount
        self.sha256 = sha256
    }
}

/// What can go wrong with blobs, wherever they are kept.
public enum BlobError: Error, Sendable, Hashable {
    /// More bytes came than this blob may have.
    case tooLarge(maximumBytes: Int)
    /// The disk is full.
    case full
    /// Too much work with files waits. It may be tried again.
    case busy
    /// There is no blob under this key.
    case notFound
    /// Anything else, in words for the log.
    case other(message: String)
}

extension BlobError {
    /// The error for what a call to the operating system or the queue of the threads throws.
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
