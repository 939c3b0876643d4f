import Core
import Foundation
import HTTPTypes
import Hummingbird
import Imaging
import NIOCore
import Serving
import Storage

/// The routes that serve the bytes of pictures, to people who may see them at this moment.
package struct PhotoFiles {
    let photos: PhotoService
    let portraits: PortraitService
    let blobs: any BlobStore

    init(photos: PhotoService, portraits: PortraitService, blobs: any BlobStore) {
        self.photos = photos
        self.portraits = portraits
        self.blobs = blobs
    }

    func add(to router: Router<AppContext>) {
        router.get("photos/:id/:size") { request, context in
            guard let size = context.parameters.get("size").flatMap(Photo.Size.init) else {
                throw Refusal.notFound
            }
            return try await rendition(request, context, size)
        }
        router.get("portraits/:id") { try await portrait($0, $1, .large) }
        router.get("portraits/:id/small") { try await portrait($0, $1, .small) }
        router.get("banners/:id") { try await portrait($0, $1, .banner) }
    }

    private func rendition(_ request: Request, _ context: AppContext, _ size: Photo.Size) async throws
        -> Response
    {
        let id = try context.id("id", of: Photo.self)
        let format = Self.format(request)
        let asker = try Self.asker(request, context)
        let key = try await photos.rendition(id, size, format, for: asker)
        return asker.allowing(
            try await file(
                key, type: format.contentType, request, context, cache: "private, no-cache",
                vary: "Accept, Cookie"))
    }

    /// Returns who asks: the log-in for which the URL was signed, or the person who is logged in. A request without
    /// either gets 404, so that a link to a picture reveals nothing.
    package static func asker(_ request: Request, _ context: AppContext) throws -> PhotoService.Asker {
        let input = Input.query(request)
        if let session = input.string("v"), let signature = input.string("s") {
            guard let claim = PictureSignatures.Claim(session: session, signature: signature) else {
                throw Refusal.notFound
            }
            return .holding(claim)
        }
        guard let session = context.session else { throw Refusal.notFound }
        return .loggedIn(session.account.id)
    }

    /// Answers with a portrait or banner. These need no log-in, since phone apps fetch them without a token;
    /// Documentation/Decisions/0010-portraits.md says who may not see one all the same, and why the answer is cached
    /// for ten minutes only.
    private func portrait(_ request: Request, _ context: AppContext, _ size: Portrait.Size) async throws
        -> Response
    {
        let format = Self.format(request)
        let key = try await portraits.blob(context.id("id"), size, format, for: context.session?.account)
        return try await file(
            key, type: format.contentType, request, context, cache: "private, max-age=600",
            vary: "Accept, Cookie"
        ).forOtherSites()
    }

    /// Returns the format for a client: WebP for clients that accept it, JPEG for all others.
    package static func format(_ request: Request) -> RenditionFormat {
        request.headers[.accept]?.contains("image/webp") == true ? .webp : .jpeg
    }

    /// Answers with a stored file, whole or in part (RFC 9110, 13 and 14).
    package func file(
        _ key: BlobKey, type: String, _ request: Request, _ context: AppContext, cache: String, vary: String,
        name: String? = nil
    ) async throws -> Response {
        // A blob never changes under its key, so the key is the strongest possible tag.
        let tag = "\"\(key.rawValue)\""
        var headers: HTTPFields = [
            .contentType: type, .cacheControl: cache, .eTag: tag, .vary: vary, .acceptRanges: "bytes",
        ]
        if let name { headers[.contentDisposition] = "attachment; filename=\"\(name)\"" }
        if request.headers[.ifNoneMatch]?.contains(tag) == true {
            return Response(status: .notModified, headers: headers)
        }
        return try await Self.answer(key, headers, request, context, from: blobs)
    }

    /// Answers with a picture that may be seen once, whole or from where a broken connection left off (RFC 9110, 14).
    /// No cache keeps the answer, and an erasure a moment later doesn't cut it off.
    package static func once(
        _ key: BlobKey, _ format: RenditionFormat, _ request: Request, _ context: AppContext,
        from blobs: any BlobStore
    ) async throws -> Response {
        let headers: HTTPFields = [
            .contentType: format.contentType, .cacheControl: "no-store", .acceptRanges: "bytes",
        ]
        return try await answer(key, headers, request, context, from: blobs)
    }

    private static func answer(
        _ key: BlobKey, _ headers: HTTPFields, _ request: Request, _ context: AppContext,
        from blobs: any BlobStore
    ) async throws -> Response {
        let (blob, bytes): (any OpenBlob, [UInt8]?)
        do {
            (blob, bytes) = try await blobs.open(key, small: BlobBody.small)
        } catch BlobError.notFound {
            throw Refusal.notFound
        }
        var headers = headers
        var (status, part) = (HTTPResponse.Status.ok, 0..<blob.byteCount)
        if let wanted = request.headers[.range] {
            guard let range = range(wanted, length: blob.byteCount, notedIn: &headers) else {
                return Response(status: .rangeNotSatisfiable, headers: headers)
            }
            (status, part) = (.partialContent, Range(range))
        }
        let body =
            if let bytes {
                ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[part]))
            } else {
                BlobBody.stream(blob, part, for: context)
            }
        return Response(status: status, headers: headers, body: body)
    }

    /// Returns the requested range, or nil when the file doesn't have it. Sets the headers that say which.
    private static func range(
        _ wanted: String, length: Int, notedIn headers: inout HTTPFields
    ) -> ClosedRange<Int>? {
        let range = Self.range(wanted, length: length)
        headers[.contentRange] = "bytes \(range.map { "\($0.lowerBound)-\($0.upperBound)" } ?? "*")/\(length)"
        return range
    }

    /// Parses one range of bytes: `bytes=0-99`, `bytes=100-`, `bytes=-50`; returns nil when the file doesn't have it.
    static func range(_ header: String, length: Int) -> ClosedRange<Int>? {
        guard header.hasPrefix("bytes="), length > 0 else { return nil }
        let parts = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        switch (Int(parts[0]), Int(parts[1])) {
        case (let start?, let end?):
            return start <= end && start < length ? start...min(end, length - 1) : nil
        case (let start?, nil): return parts[1].isEmpty && start < length ? start...(length - 1) : nil
        case (nil, let suffix?):
            return parts[0].isEmpty && suffix > 0 ? max(0, length - suffix)...(length - 1) : nil
        default: return nil
        }
    }
}

extension PhotoService.Asker {
    /// Returns the answer with a picture: web clients on other sites may show one with a signed URL, and only pages of
    /// this server one with the bare path.
    package func allowing(_ response: Response) -> Response {
        if case .holding = self { response.forOtherSites() } else { response }
    }
}

extension Response {
    /// Answers that the single view of a picture has begun: with a secret that no other answer has, and the address and
    /// the deadline for fetching the bytes.
    package static func look(
        _ secret: String, at url: String, until deadline: Date, description: String, for request: Request
    ) -> Response {
        var response = Response.json(for: request) { json in
            json.object { json in
                json.object("view") { json in
                    json.member("id", secret)
                    json.member("url", url)
                    json.member("expires_at", deadline)
                    json.member("description", description.isEmpty ? nil : description)
                }
            }
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
