import Foundation
import HTTPTypes
import Imaging
import NIOCore
import Storage
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Photos")
struct PhotoTests {
    @Test(
        "An upload has three sizes in two formats, by the request's Accept header, and the untouched original"
    )
    func renditions() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let picture = try await TestPicture.jpeg(width: 800, height: 600)
        let photo = try await ana.photo(picture)
        for size in ["large", "medium", "square"] {
            let webp = try await ana.get("/photos/\(photo)/\(size)", headers: [.accept: "image/webp,*/*"])
            #expect(webp.headers[.contentType] == "image/webp")
            #expect(webp.text.hasPrefix("RIFF"))
            let jpeg = try await ana.get("/photos/\(photo)/\(size)", headers: [.accept: "image/*"])
            #expect(jpeg.headers[.contentType] == "image/jpeg")
            #expect(Array(jpeg.bytes.prefix(3)) == [0xff, 0xd8, 0xff])
            #expect(jpeg.headers[.cacheControl] == "private, no-cache")
        }
        #expect(try await ana.get("/api/v1/photos/\(photo)/original").bytes == picture)
        #expect(try await world.fileCount() == 7)
    }

    @Test(
        "The owner gets a JPEG of the whole photo for an editor, of at most 4,096 pixels, and nothing of it is kept"
    )
    func full() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let photo = try await ana.photo(try await TestPicture.jpeg(width: 5_000, height: 250))
        let files = try await world.fileCount()
        let full = try await ana.get("/api/v1/photos/\(photo)/full")
        #expect(full.status == 200 && full.headers[.contentType] == "image/jpeg")
        #expect(full.headers[.cacheControl] == "private, no-store")
        #expect(try await world.fileCount() == files)
        #expect(try await world.tintype.problems() == [])
        let decoded = try await TestPicture.read(full.bytes)
        #expect(decoded.width == 4_096 && (204...205).contains(decoded.height))
        #expect(try await ben.get("/api/v1/photos/\(photo)/full").status == 404)
        #expect(try await world.stranger.get("/api/v1/photos/\(photo)/full").status == 401)
    }

    @Test("The same Idempotency-Key twice, even at once, makes one photo and keeps one set of files")
    func idempotency() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let picture = try await TestPicture.jpeg()
        let send = { @Sendable in
            try await ana.post(
                "/api/v2/media", multipart: [.file("file", picture)], headers: [.idempotencyKey: "once"])
        }
        async let one = send()
        async let two = send()
        let answers = try await [one, two, send()]
        #expect(Set(answers.map { $0["id"].string }).count == 1)
        #expect(try await ana.get("/api/v1/photos").json.list.count == 1)
        #expect(try await world.fileCount() == 7)
    }

    @Test("Files that are broken or no pictures get 415 in words, and nothing of them stays")
    func wrongFiles() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let jpeg = try await TestPicture.jpeg(width: 640, height: 480)
        let wrong: [[UInt8]] = [
            Array("hello".utf8), Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8),
            Array("%PDF-1.7".utf8),
            Array(jpeg.prefix(jpeg.count / 2)), [0xff, 0xd8, 0xff] + Array("and then nothing".utf8),
        ]
        for bytes in wrong {
            let answer = try await ana.post("/api/v2/media", multipart: [.file("file", bytes)])
            #expect(answer.status == 415, "\(bytes.prefix(20)): \(answer.text)")
            #expect(answer["error"].string?.isEmpty == false)
        }
        #expect(try await ana.post("/api/v2/media", multipart: [.text("file", "no file")]).status == 422)
        #expect(try await world.fileCount() == 0)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A picture with more bytes or pixels than allowed is 413")
    func tooLarge() async throws {
        let world = try await World(sharesProcessor: false) {
            $0.pictureBytes = 20_000
            $0.picturePixels = 100_000
        }
        let ana = try await world.account("ana")
        let pixels = try await ana.post(
            "/api/v2/media", multipart: [.file("file", TestPicture.jpeg(width: 400, height: 300))])
        #expect(pixels.status == 413)
        let bytes = try await ana.post(
            "/api/v2/media", multipart: [.file("file", TestPicture.tiff(width: 200, height: 100))])
        #expect(bytes.status == 413)
        #expect(try await world.fileCount() == 0)
    }

    @Test("An upload that is cut off half-way leaves nothing, and the server goes on")
    func cutOff() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let picture = try await TestPicture.jpeg(width: 1200, height: 900)
        let body = Array(buffer: FormPart.body([.file("file", picture)]))
        try await world.live { server in
            for part in [10, body.count / 2, body.count - 10] {
                try await server.connect { connection in
                    try await connection.write(
                        """
                        POST /api/v2/media HTTP/1.1\r
                        Host: localhost\r
                        \(ana.credentialLines.joined(separator: "\r\n"))\r
                        Content-Type: \(FormPart.contentType)\r
                        Content-Length: \(body.count)\r\n\r\n
                        """)
                    try await connection.write(body.prefix(part))
                }
            }
        }
        #expect(try await ana.get("/api/v1/photos").json == [])
        #expect(try await world.fileCount() == 0)
        _ = try await ana.photo()
        #expect(try await world.tintype.problems() == [])
    }

    @Test(
        "On a full disk an upload is 503, nothing is corrupt, and with room again it works", .onlySQLite,
        .onlyFolder,
        .enabled(if: SmallDisk.isPossible, "mounting a small disk needs root"))
    func fullDisk() async throws {
        let disk = try #require(SmallDisk(megabytes: 4))
        let world = try await World(folder: disk.path + "/data")
        let ana = try await world.account("ana")
        let picture = TestPicture.tiff(width: 400, height: 400)
        var kept: [String] = []
        var refused: Answer?
        for _ in 0..<40 where refused == nil {
            let answer = try await ana.post("/api/v2/media", multipart: [.file("file", picture)])
            if let id = answer["id"].string { kept.append(id) } else { refused = answer }
        }
        let answer = try #require(refused)
        #expect(answer.status == 503)
        #expect(answer.headers[.retryAfter] != nil)
        #expect(answer["error"].string?.isEmpty == false)
        #expect(try await ana.get("/api/v1/photos?limit=40").json.list.count == kept.count)
        for id in kept { #expect(try await ana.get("/api/v1/photos/\(id)/original").bytes == picture) }
        #expect(try await world.tintype.problems() == [])
        disk.grow(megabytes: 8)
        let again = try await ana.post("/api/v2/media", multipart: [.file("file", picture)])
        #expect(again.status == 200, "\(again.text)")
    }
}

/// A disk of a few megabytes, which only root can make.
final class SmallDisk: Sendable {
    let path: String

    init?(megabytes: Int) {
        path = NSTemporaryDirectory() + "tintype-disk-" + UUID().uuidString
        guard mkdir(path, 0o700) == 0 else { return nil }
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            rmdir(path)
            return nil
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    /// Gives the disk another size.
    func grow(megabytes: Int) {
        mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT), "size=\(megabytes)m")
    }

    static let isPossible = SmallDisk(megabytes: 1) != nil
}
