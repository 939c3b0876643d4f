import Foundation
import Logging
import Synchronization
import TestS3
import Testing

@testable import Storage

/// A blob store of a test's own.
struct TestStore: Sendable {
    /// What the blobs are kept in.
    enum Kind: String, CustomTestStringConvertible {
        case folder
        case s3 = "S3"

        var testDescription: String { rawValue }

        /// The kinds that can be tested here.
        static var here: [Kind] { TestS3.server == nil ? [.folder] : [.folder, .s3] }
    }

    /// A bucket of the store with S3's interface.
    struct Bucket: Sendable {
        static let name = "storage"
        let address: S3Address
        /// The blobs that were promised to be settled.
        let promised = Promised()

        final class Promised: Sendable {
            let keys = Mutex<[BlobKey]>([])
        }
    }

    let folder: TemporaryFolder
    let work: WorkFolder
    let blobs: any BlobStore
    /// Nil if blobs are kept in a folder.
    var bucket: Bucket?

    /// - Parameter endpoint: where the S3 store is asked; nil for where it is.
    init(_ kind: Kind, endpoint: String? = nil) async throws {
        folder = try TemporaryFolder()
        guard kind == .s3 else {
            let blobs = try BlobFolder(path: folder("blobs"), maximumBytes: 3_000_000)
            (self.blobs, work) = (blobs, blobs.work)
            return
        }
        let server = try #require(TestS3.server)
        try await server.make(Bucket.name)
        let store = TestS3(endpoint: endpoint ?? server.endpoint)
        let bucket = Bucket(address: try store.address(Bucket.name, prefix: UUID().uuidString))
        self.bucket = bucket
        try FileManager.default.createDirectory(
            atPath: folder("blobs"), withIntermediateDirectories: true)
        work = try WorkFolder(in: folder("blobs/incoming"))
        blobs = try await S3Store(
            bucket.address, environment: TestS3.owner, work: work, maximumBytes: 3_000_000,
            logger: Logger(label: "test")
        ) { planned in
            bucket.promised.keys.withLock { $0 += planned.map(\.key) }
            return Date(timeIntervalSince1970: 1000)
        }
    }

    /// The client of the bucket.
    func client() throws -> S3Client {
        try S3Client(
            #require(bucket).address, keys: .load(TestS3.owner), threads: work.threads,
            logger: Logger(label: "test"), now: { Date() })
    }

    /// The local files of blobs that are being received.
    var incomingFiles: [String] { folder.files.filter { $0.contains("/incoming/") } }

    /// Returns all bytes of a blob.
    func bytes(_ key: BlobKey) async throws -> [UInt8] { try await blobs.read(key, 0..<Int.max) }

    /// Returns bytes by chance.
    static func random(_ count: Int) -> [UInt8] {
        // By eight at a time: a debug build takes long over each.
        var generator = SystemRandomNumberGenerator()
        let words = (0..<(count + 7) / 8).map { _ in generator.next() }
        return Array(words.withUnsafeBytes { $0.prefix(count) })
    }
}
