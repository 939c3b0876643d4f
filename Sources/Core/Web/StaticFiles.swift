import Crypto
import Foundation
import Hummingbird
import NIOCore
import Serving
import Storage

/// The app's own public files, read and compressed once in a process.
///
/// The files are served under `/static/VERSION/`, where the version is a hash of all of them. A URL never changes its
/// content, so browsers keep files for good, and scripts import each other by relative paths.
package final class StaticFiles: Sendable {
    private struct File: Sendable {
        var type: String
        var plain: ByteBuffer
        var compressed: ByteBuffer?

        init(_ path: String, _ bytes: [UInt8]) {
            type = Self.type(of: path) ?? "application/octet-stream"
            plain = ByteBuffer(bytes: bytes)
            let isCompressible = ["text", "svg", "json", "font/"].contains { type.contains($0) }
            compressed = isCompressible ? Compression.gzip(bytes, .forGood) : nil
        }

        /// Returns the type of a file by the end of its name; nil for a file that isn't public.
        static func type(of path: String) -> String? {
            path.lastIndex(of: ".").flatMap { types[String(path[path.index(after: $0)...])] }
        }

        private static let types = [
            "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
            "png": "image/png", "webp": "image/webp", "txt": "text/plain; charset=utf-8",
            "json": "application/json", "webmanifest": "application/manifest+json", "otf": "font/otf",
            "ttf": "font/ttf",
        ]
    }

    /// Twelve hexadecimal digits that change with any file.
    let version: String
    private let files: [String: File]
    /// The files of other packages that aren't installed, in order.
    package let missing: [String]

    /// The names of all files, such as `css/base.css`, in order.
    var names: [String] { files.keys.sorted() }

    /// The files of this program, without the script of features.
    package static let own = Result {
        try StaticFiles(folders: [Resources.folder("public")], installed: leaflet.merging(fonts) { $1 })
    }

    /// Returns these files with the script that lists the features' scripts, `js/features.js`.
    func adding(_ scripts: FeatureScripts) -> StaticFiles {
        StaticFiles(self, adding: "js/features.js", scripts.module)
    }

    private init(_ others: StaticFiles, adding path: String, _ bytes: [UInt8]) {
        files = others.files.merging([path: File(path, bytes)]) { $1 }
        missing = others.missing
        var hash = SHA256()
        hash.update(data: Data(others.version.utf8))
        hash.update(data: bytes)
        version = Self.name(of: hash)
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
        missing = installed.filter { paths[$0.key] == nil }.map(\.value.path).sorted()
        for folder in folders {
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
                paths[path] = folder.appending(path: path)
            }
        }
        for (path, file) in paths.sorted(by: { $0.key < $1.key }) {
            // Only names with a dot: `css`, for instance, is a folder.
            guard File.type(of: path) != nil else { continue }
            var bytes = try Data(contentsOf: file)
            if installed[path] == nil, path.hasSuffix(".js") || path.hasSuffix(".css") {
                bytes = Self.withoutComments(bytes)
            }
            hash.update(data: Data(path.utf8))
            hash.update(data: bytes)
            files[path] = File(path, Array(bytes))
        }
        self.files = files
        version = Self.name(of: hash)
    }

    private static func name(of hash: SHA256) -> String {
        hash.finalize().prefix(6).hex
    }

    /// Returns one of our scripts or style sheets without comments on lines of their own. The comments are for people
    /// who read the source, and would be a quarter of what a phone loads.
    private static func withoutComments(_ file: Data) -> Data {
        var isComment = false
        let lines = String(decoding: file, as: UTF8.self).split(separator: "\n").filter { line in
            let line = line.drop { $0 == " " }
            if !isComment, !line.hasPrefix("/*") { return !line.hasPrefix("//") }
            // Code after a comment stays, together with the comment.
            if !isComment, line.contains("*/") { return !line.hasSuffix("*/") }
            isComment = !line.contains("*/")
            return false
        }
        return Data(lines.joined(separator: "\n").utf8)
    }

    /// Returns the URL of a file, such as `css/base.css`.
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

    /// The fonts of texts on photos (`js/editing/fonts.js`), from Debian's packages `fonts-cantarell`,
    /// `fonts-roboto-slab`, `fonts-liberation` and `fonts-kaushanscript`.
    static let fonts = [
        "vendor/plain.otf": URL(filePath: "/usr/share/fonts/opentype/cantarell/Cantarell-Bold.otf"),
        "vendor/serif.otf": URL(filePath: "/usr/share/fonts/opentype/roboto/slab/RobotoSlab-Bold.otf"),
        "vendor/typewriter.ttf": URL(
            filePath: "/usr/share/fonts/truetype/liberation/LiberationMono-Bold.ttf"),
        "vendor/script.otf": URL(
            filePath: "/usr/share/fonts/opentype/kaushanscript/KaushanScript-Regular.otf"),
    ]
}
