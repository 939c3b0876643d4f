import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Serving
import Testing

@testable import Core

@Suite("Static files")
struct StaticFilesTests {
    @Test("A file of another package has our name, and one that isn't installed is left out and reported")
    func installed() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (here, away) = (folder.appending(path: "Some Bold.otf"), folder.appending(path: "Other.ttf"))
        try Data(repeating: 7, count: 10_000).write(to: here)
        let files = try StaticFiles(
            folders: [], installed: ["vendor/some.otf": here, "vendor/other.ttf": away])
        #expect(files.names == ["vendor/some.otf"])
        #expect(files.missing == [away.path])
        let request = Request(
            head: HTTPRequest(
                method: .get, scheme: "http", authority: "localhost", path: "/",
                headerFields: [.acceptEncoding: "gzip"]),
            body: RequestBody(buffer: ByteBuffer()))
        let answer = try files.response("vendor/some.otf", request)
        #expect(answer.headers[.contentType] == "font/otf")
        #expect(answer.headers[.contentEncoding] == "gzip")
        #expect(throws: Refusal.self) { try files.response("vendor/other.ttf", request) }
    }
}
