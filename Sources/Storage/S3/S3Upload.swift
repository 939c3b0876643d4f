import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1

/// The sending of a local file to an S3 store: in one request, or in parts if it is large
/// (https://docs.aws.amazon.com/AmazonS3/latest/userguide/mpuoverview.html).
struct S3Upload: Sendable {
    let client: S3Client
    let threads: FileThreads

    /// The most bytes that are sent in one request.
    static let partBytes = 16 << 20
    /// The most parts that S3 takes.
    private static let mostParts = 10_000
    private static let noUpload = "NoSuchUpload"
    /// The header with the SHA-256 of the whole object, in hexadecimal digits.
    static let hashHeader = "x-amz-meta-sha256"

    /// Sends a file. When this function returns, the object is there whole.
    /// - Throws: `BlobError`. Parts that were sent may then still be in the store; ``abort(_:)`` removes them.
    ///
    /// - Parameter mayRepeat: whether one request may be sent again under the same name.
    func send(
        _ path: String, byteCount: Int, sha256: [UInt8], as object: String, mayRepeat: Bool
    ) async throws {
        if byteCount <= Self.partBytes {
            _ = try await client.send(
                S3Request(
                    method: .PUT, object: object, headers: [Self.hashHeader: sha256.hex],
                    body: .file(path: path, part: 0..<byteCount, sha256: sha256), mayRepeat: mayRepeat))
        } else {
            try await sendParts(path, byteCount: byteCount, sha256: sha256, as: object)
        }
    }

    /// Removes the parts of uploads of an object that weren't completed.
    func abort(_ object: String) async throws {
        let uploads = try await client.send(
            S3Request(
                method: .GET,
                query: [("uploads", ""), ("prefix", client.address.prefix + object), ("max-uploads", "100")]))
        for upload in uploads.all("UploadId") {
            // Another process may be quicker.
            try await client.send(
                S3Request(method: .DELETE, object: object, query: [("uploadId", upload)]),
                unless: { $0.code == Self.noUpload ? () : nil }, { _ in })
        }
    }

    private func sendParts(
        _ path: String, byteCount: Int, sha256: [UInt8], as object: String
    ) async throws {
        let begun = try await client.send(
            S3Request(
                method: .POST, object: object, query: [("uploads", "")],
                headers: [Self.hashHeader: sha256.hex]))
        guard let upload = begun["UploadId"] else {
            throw BlobError.other(message: "the store names no upload")
        }
        let size = max(Self.partBytes, (byteCount + Self.mostParts - 1) / Self.mostParts)
        var tags: [String] = []
        for start in stride(from: 0, to: byteCount, by: size) {
            let part = start..<min(start + size, byteCount)
            let hash = try await threads.run { try OpenFile(path, O_RDONLY).hash(part) }
            let request = S3Request(
                method: .PUT, object: object,
                query: [("partNumber", "\(tags.count + 1)"), ("uploadId", upload)],
                body: .file(path: path, part: part, sha256: hash))
            let tag = try await client.send(request) { response in
                _ = try await response.body.collect(upTo: 1 << 16)
                return response.headers.first(name: "ETag")
            }
            guard let tag else { throw BlobError.other(message: "the store gives a part no ETag") }
            tags.append(tag)
        }
        try await complete(upload, of: object, tags: tags, byteCount: byteCount)
    }

    private func complete(_ upload: String, of object: String, tags: [String], byteCount: Int) async throws {
        let parts = tags.enumerated().map {
            let tag = $0.element.replacingOccurrences(of: "\"", with: "&quot;")
            return "<Part><PartNumber>\($0.offset + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        let list = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        let request = S3Request(
            method: .POST, object: object, query: [("uploadId", upload)], body: .bytes(Array(list.utf8)))
        let isDone = try await client.send(
            request, unless: { $0.code == Self.noUpload ? false : nil },
            {
                guard try await client.answer($0)["ETag"] != nil else {
                    throw BlobError.unavailable(message: "the store doesn’t say that it has \(object)")
                }
                return true
            })
        guard !isDone else { return }
        // The answer to an earlier attempt was lost: the object says whether that succeeded.
        let found = try await client.send(S3Request(method: .HEAD, object: object)) { $0.length }
        guard found == byteCount else { throw BlobError.other(message: "the upload of \(object) is gone") }
    }
}

extension HTTPClientResponse {
    /// The number of bytes of the whole object, also of an answer with a part of it (RFC 9110, 14.4).
    var length: Int? {
        if let range = headers.first(name: "Content-Range") {
            return range.split(separator: "/").last.flatMap { UInt64($0) }.flatMap { Int(exactly: $0) }
        }
        return headers.first(name: "Content-Length").flatMap { UInt64($0) }.flatMap { Int(exactly: $0) }
    }

    /// The SHA-256 of the whole object in hexadecimal digits, as it was sent with it.
    var sha256: String? { headers.first(name: S3Upload.hashHeader) }
}
