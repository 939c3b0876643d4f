import Foundation
import Logging
import NIOHTTP1

@testable import Storage

/// The store with S3's interface that `./test` has started for the tests (`TINTYPE_S3`): OpenStack Swift, see `.ci/s3`.
package struct TestS3: Sendable {
    /// The store's address, such as `http://127.0.0.1:39271`.
    package let endpoint: String

    /// Names a store by its address, such as that of a proxy before it.
    package init(endpoint: String) { self.endpoint = endpoint }

    /// The store, if there is one.
    package static let server: TestS3? = ProcessInfo.processInfo.environment["TINTYPE_S3"].map {
        TestS3(endpoint: $0)
    }

    /// Whether every test keeps its pictures in the store in place of a folder (`TINTYPE_STORE=s3`).
    package static let isStore = ProcessInfo.processInfo.environment["TINTYPE_STORE"] == "s3"

    /// The keys of the buckets' owner, as the program reads them.
    package static let owner = ["AWS_ACCESS_KEY_ID": "test:tester", "AWS_SECRET_ACCESS_KEY": "testing"]

    /// Returns the address of a bucket.
    /// - Parameter prefix: what the objects' names begin with.
    package func address(_ bucket: String, prefix: String = "") throws -> S3Address {
        try S3Address("s3://\(bucket)/\(prefix)?endpoint=\(endpoint)")
    }

    /// Makes a bucket, or does nothing if there is one.
    /// - Parameters:
    ///   - isPublic: whether everyone may read it.
    ///   - keepsVersions: whether it keeps what is erased.
    package func make(_ bucket: String, isPublic: Bool = false, keepsVersions: Bool = false) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let work = try WorkFolder(in: folder)
        let client = try S3Client(
            address(bucket), keys: .load(Self.owner), threads: work.threads, logger: Logger(label: "test"),
            now: { Date() })
        var request = S3Request(method: .PUT)
        if isPublic { request.headers["x-amz-acl"] = "public-read" }
        try await client.send(
            request, unless: { $0.code == "BucketAlreadyOwnedByYou" ? () : nil }, { _ in })
        guard keepsVersions else { return }
        let versions = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
        _ = try await client.send(
            S3Request(method: .PUT, query: [("versioning", "")], body: .bytes(Array(versions.utf8))))
    }
}
