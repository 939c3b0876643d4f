import CZlib
import Crypto
import Foundation
import Hummingbird
import NIOCore
import Serving

/// The app's own public files, read and compressed once in a process.
///
/// They stand under `/static/VERSION/`, where the version is a hash over all of them: a URL never changes
/// meaning, so browsers keep them for good, and scripts import each other by relative paths.
package final class StaticFiles: Sendable {
    private struct File: Sendable {
        var type: String
        var plain: ByteBuffer
        var compressed: ByteBuffer?
    }

    /// Twelve hexadecimal digits that change with any file.
    let version: String
    private let files: [String: File]

    /// The names of all files, such as `css/base.css`, in order.
    var names: [String] { files.keys.sorted() }

    /// The files of this program.
    package static let own = Result {
        try StaticFiles(folders: [Resources.folder("public")], installed: leaflet)
    }

    /// - Parameters:
    ///   - folders: the folders whose files become public.
    ///   - installed: files of other packages by the names that they get here. Those that aren't installed are left
    ///     out.
    /// - Throws: an error of the file system when a file can't be read.
    init(folders: [URL], installed: [String: URL]) throws {
        var files: [String: File] = [:]
        var hash = SHA256()
        var paths = installed.filter { FileManager.default.fileExists(atPath: $0.value.path) }
        for folder in folders {
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                paths[path] = folder.appending(path: path)
            }
        }
        for (path, file) in paths.sorted(by: { $0.key < $1.key }) {
            // Only names with a dot: a folder is called `css` too.
            guard let dot = path.lastIndex(of: "."),
                let type = Self.types[String(path[path.index(after: dot)...])]
            else { continue }
            var bytes = try Data(contentsOf: file)
            if installed[path] == nil, path.hasSuffix(".js") || path.hasSuffix(".css") {
                bytes = Self.withoutComments(bytes)
            }
            hash.update(data: Data(path.utf8))
            hash.update(data: bytes)
            let isText = type.contains("text") || type.contains("svg") || type.contains("json")
            files[path] = File(
                type: type, plain: ByteBuffer(bytes: bytes),
                compressed: isText
                    ? Compression.gzip(Array(bytes), level: 9).map(ByteBuffer.init(bytes:)) : nil)
        }
        self.files = files
        version = hash.finalize().prefix(6).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            .joined()
    }

    /// Returns a script or a style sheet of ours without the comments that have lines of their own: they are for those
    /// who read the source, and a quarter of what a phone would load.
    private static func withoutComments(_ file: Data) -> Data {
        var isComment = false
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n").filter { line in
            let line = line.drop { $0 == " " }
            if !isComment, !line.hasPrefix("/*") { return !line.hasPrefix("//") }
            // Code behind a comment stays, together with it.
            if !isComment, line.contains("*/") { return !line.hasSuffix("*/") }
            isComment = !line.contains("*/")
            return false
        }
        return Data(lines.joined(separator: "\n").utf8)
    }

    /// The URL of a file, such as `css/base.css`.
    package func path(_ file: String) -> String { "/static/\(version)/\(file)" }

    /// Answers with one of the files, or 404.
    package func response(_ file: String, _ request: Request) throws -> Response {
        guard let found = files[file] else { throw Refusal.notFound }
        var headers: HTTPFields = [
            .contentType: found.type,
            .cacheControl: "public, max-age=31536000, immutable",
            .vary: "Accept-Encoding",
        ]
        if let compressed = found.compressed, Compression.isAccepted(request) {
            headers[.contentEncoding] = "gzip"
            return Response(status: .ok, headers: headers, body: .init(byteBuffer: compressed))
        }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: found.plain))
    }

    /// The map's program, from Debian's package `libjs-leaflet`.
    static let leaflet = [
        "vendor/leaflet.js": URL(filePath: "/usr/share/javascript/leaflet/leaflet.esm.min.js"),
        "vendor/leaflet.css": URL(filePath: "/usr/share/javascript/leaflet/leaflet.css"),
    ]

    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "webp": "image/webp", "txt": "text/plain; charset=utf-8",
        "json": "application/json", "webmanifest": "application/manifest+json",
    ]
}

/// Compresses answers with gzip (RFC 1952).
package enum Compression {
    /// Whether the client takes gzip.
    package static func isAccepted(_ request: Request) -> Bool {
        request.headers[.acceptEncoding]?.contains("gzip") ?? false
    }

    /// Compressed bytes; nil when they would not be smaller.
    ///
    /// - Parameter level: 1 (fast) to 9 (small).
    static func gzip(_ bytes: [UInt8], level: Int32) -> [UInt8]? {
        guard !bytes.isEmpty else { return nil }
        var stream = z_stream()
        // 15 bits of window, and 16 to ask for gzip's header instead of zlib's.
        guard
            deflateInit2_(
                &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        // Not smaller is not worth it, so there is no room for that.
        let output = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            input.withUnsafeMutableBufferPointer { input in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                count = deflate(&stream, Z_FINISH) == Z_STREAM_END ? Int(stream.total_out) : 0
            }
        }
        return output.isEmpty ? nil : output
    }
}
