import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// The check of a bucket when a process starts: that its keys work, that nothing in it is public, and that what is erased is
/// gone.
struct S3Admission {
    let client: S3Client

    private static let everyone = [
        "http://acs.amazonaws.com/groups/global/AllUsers",
        "http://acs.amazonaws.com/groups/global/AuthenticatedUsers",
    ]

    /// - Throws: `BlobError.other` with a sentence for the operator.
    func check() async throws {
        do {
            try await checkVersions()
            // Needed to erase what uploads that were cut off have left.
            _ = try await answer("uploads")
            try await checkReaders()
            try await checkObject()
        } catch let failure as S3Failure {
            throw BlobError.other(message: sentence(failure))
        }
    }

    private func checkVersions() async throws {
        let versioning = try await answer("versioning")
        guard versioning?["Status"] == nil else {
            throw BlobError.other(
                message: """
                    The bucket \(bucket) keeps versions, so nothing could be erased in it. Make a bucket that has never \
                    kept any.
                    """)
        }
    }

    private func checkReaders() async throws {
        let acl = try await answer("acl", orRefused: true)
        let policy = try await answer("policyStatus", orRefused: true)
        let isListed = try await mayStrangers(
            S3Request(method: .GET, query: [("list-type", "2"), ("max-keys", "1")], isSigned: false))
        guard acl?.all("URI").contains(where: Self.everyone.contains) != true, policy?["IsPublic"] != "true",
            !isListed
        else { throw isPublic }
    }

    /// Writes an object, reads it, tries to read it as a stranger, and erases it.
    private func checkObject() async throws {
        let name = "check-\(UUID().uuidString)"
        let bytes = Array("Tintype checks whether it can write, read and erase here.".utf8)
        _ = try await client.trySending(S3Request(method: .PUT, object: name, body: .bytes(bytes))) { _ in }
        let (read, isOpen): ([UInt8], Bool)
        do {
            read = try await client.trySending(S3Request(method: .GET, object: name)) {
                Array(try await $0.body.collect(upTo: bytes.count).readableBytesView)
            }
            isOpen = try await mayStrangers(S3Request(method: .GET, object: name, isSigned: false))
        } catch {
            try await erase(name)
            throw error
        }
        try await erase(name)
        guard read == bytes else {
            throw BlobError.other(message: "The bucket \(bucket) returns other bytes than it got.")
        }
        guard !isOpen else { throw isPublic }
        do {
            _ = try await client.trySending(S3Request(method: .GET, object: name)) { _ in }
            throw BlobError.other(message: "The bucket \(bucket) still has what was erased in it.")
        } catch let failure as S3Failure {
            guard failure.blobError == .notFound else { throw failure }
        }
    }

    private func erase(_ name: String) async throws {
        _ = try await client.trySending(S3Request(method: .DELETE, object: name)) { _ in }
    }

    /// Returns whether a request without signature is answered.
    private func mayStrangers(_ request: S3Request) async throws -> Bool {
        do {
            _ = try await client.trySending(request) { _ in }
            return true
        } catch let failure as S3Failure {
            guard !failure.isPassing else { throw failure }
            return false
        }
    }

    /// Asks for something about the bucket.
    /// - Parameter orRefused: whether the store may refuse the question, or not know it.
    private func answer(_ name: String, orRefused: Bool = false) async throws -> S3Answer? {
        do {
            let request = S3Request(method: .GET, query: [(name, "")])
            return try await client.trySending(request) { try await client.answer($0) }
        } catch let failure as S3Failure {
            let isUnknown = [403, 404, 405, 501].contains(failure.status) && failure.code != "NoSuchBucket"
            guard orRefused, isUnknown else { throw failure }
            return nil
        }
    }

    private var bucket: String { client.address.bucket }

    private var isPublic: BlobError {
        .other(
            message: """
                The bucket \(bucket) can be read by strangers. Take away its public access: its policy, and what its \
                access list grants to everyone.
                """)
    }

    private func sentence(_ failure: S3Failure) -> String {
        switch failure.code {
        case "NoSuchBucket": "There is no bucket \(bucket) at \(client.address.endpoint). Make it first."
        case "InvalidAccessKeyId", "SignatureDoesNotMatch":
            "The store doesn’t know these keys. Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the region."
        case "RequestTimeTooSkewed":
            "This computer’s clock differs from the store’s by more than 15 minutes. Set it right."
        case "AccessDenied": "These keys may not write, read, list and erase in the bucket \(bucket)."
        default: "The store of pictures can’t be used: \(failure)."
        }
    }
}
