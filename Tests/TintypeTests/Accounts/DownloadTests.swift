import CArchive
import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Download my data")
struct DownloadTests {
    /// The files of a zip by name, read by libarchive.
    static func unpacked(_ zip: [UInt8]) throws -> [String: [UInt8]] {
        let archive = try #require(archive_read_new())
        defer { archive_read_free(archive) }
        archive_read_support_format_zip(archive)
        var files: [String: [UInt8]] = [:]
        try zip.withUnsafeBytes { bytes in
            try #require(archive_read_open_memory(archive, bytes.baseAddress, bytes.count) == ARCHIVE_OK)
            var entry: OpaquePointer?
            while archive_read_next_header(archive, &entry) == ARCHIVE_OK {
                let name = String(cString: try #require(archive_entry_pathname(entry)))
                var content: [UInt8] = []
                var buffer = [UInt8](repeating: 0, count: 65_536)
                while case let count = archive_read_data(archive, &buffer, buffer.count), count != 0 {
                    try #require(count > 0)
                    content += buffer[..<count]
                }
                files[name] = content
            }
        }
        return files
    }

    static func path(_ person: Person) async throws -> String {
        let page = try await person.visit("/settings/data").text
        let match = try #require(page.firstMatch(of: #/href="(/settings/data/\d+)"/#))
        return String(match.1)
    }

    @Test("The zip holds the photos as they were sent and all texts, for its owner alone, for three days")
    func contents() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana", portrait: true), try await world.account("ben"))
        let banner = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials",
            multipart: [.file("header", try await TestPicture.jpeg())])
        let pictures = [try await TestPicture.jpeg(width: 300, height: 200), try await TestPicture.jpeg()]
        var photos: [String] = []
        for picture in pictures {
            photos.append(try await ana.photo(picture, description: "“Quoted”, and é"))
        }
        _ = try await ana.post(caption: "Two\nphotos", photos: photos)
        try await ana.follow(ben)
        let bens = try await ben.post(caption: "Ben's", visibility: "public")
        _ = try await ana.comment("Lovely, Ben", on: bens)
        try await ana.like(bens)
        _ = try await ana.post("/api/v1/statuses/\(bens)/bookmark")
        try await ben.follow(ana)
        let chat = try #require(
            try await ana.post("/api/v1/chats", json: ["account_id": .text("\(ben.id)")])["id"].string)
        _ = try await ana.post("/api/v1/chats/\(chat)/messages", json: ["text": "A word from ana"])
        _ = try await ben.post("/api/v1/chats/\(chat)/messages", json: ["text": "A word from ben"])
        let once = try await ana.photo(description: "For one look", purpose: "snap")
        _ = try await ana.post("/api/v1/snaps", json: ["media_id": .text(once), "feed_id": "memes"])
        _ = try await ana.post(
            "/api/v1/reports", json: ["account_id": .text("\(ben.id)"), "comment": "Too loud"])
        #expect(try await ana.submit("/settings/data").status == 303)
        #expect(try await ana.visit("/settings/data").shows("Waiting to start"))
        try await world.work()

        let path = try await Self.path(ana)
        let answer = try await ana.visit(path)
        #expect(answer.status == 200)
        #expect(answer.headers[.contentType] == "application/zip")
        #expect(answer.headers[.contentDisposition] == "attachment; filename=\"tintype-ana.zip\"")
        let files = try Self.unpacked(answer.bytes)
        for (id, picture) in zip(photos, pictures) { #expect(files["photos/\(id).jpeg"] == picture) }
        func list(_ name: String) -> JSON { JSON(files["\(name).json"] ?? []) }
        #expect(list("posts")[0]["caption"] == "Two\nphotos")
        #expect(list("post-photos").list.map { $0["photo_id"].string } == photos)
        #expect(list("photos")[0]["description"] == "“Quoted”, and é")
        #expect(list("photos")[0]["file"].string == "photos/\(photos[0]).jpeg")
        #expect(list("following")[0]["username"] == "ben")
        #expect(list("account")[0]["username"] == "ana")
        #expect(list("followers")[0]["username"] == "ben")
        #expect(list("comments")[0]["text"] == "Lovely, Ben")
        #expect(list("likes")[0]["post_id"].string == bens && list("saves")[0]["post_id"].string == bens)
        #expect(list("messages").list.map { $0["text"].string } == ["A word from ana", "A word from ben"])
        #expect(list("snaps")[0]["feed"] == "memes")
        #expect(list("reports")[0]["words"] == "Too loud")
        let avatar = try #require(
            try await ana.get("/api/v1/accounts/verify_credentials")["avatar"].string.flatMap(URL.init))
        #expect(try await ana.visit(avatar.path).bytes == files["portrait.jpeg"])
        let header = try #require(banner["header"].string.flatMap(URL.init))
        #expect(try await ana.visit(header.path).bytes == files["banner.jpeg"])
        // What may be seen once is in it no more than anywhere else.
        #expect(files.keys.filter { !$0.hasSuffix(".json") }.count == 4)
        #expect(!files.values.contains { String(decoding: $0, as: UTF8.self).contains("For one look") })
        // No secret: neither password nor token.
        let texts = files.filter { $0.key.hasSuffix(".json") }.values.map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(!texts.contains { $0.contains("scrypt") || $0.contains("token_hash") })

        #expect(try await ben.visit(path).status == 404)
        #expect(try await world.stranger.visit(path).status == 303)
        // By then the snap has gone by itself.
        world.clock.advance(hours: 25)
        try await world.work()
        #expect(try await ana.visit(path).status == 200)
        world.clock.advance(hours: 2 * 24)
        #expect(try await ana.visit(path).status == 404)
        let before = try await world.fileCount()
        try await world.work()
        #expect(try await world.fileCount() == before - 1)
        #expect(try await world.number("SELECT count(*) FROM downloads") == 0)
    }

    @Test("A list of many pages is whole and in order")
    func pages() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Many comments")
        for number in 0..<450 {
            try await world.tintype.database.write { transaction in
                let id = Post.ID(rawValue: transaction.newID())
                let parent = try #require(Post.ID(post))
                try PostStore(transaction).insert(
                    id, author: ana.id, words: PostWords(caption: "Comment \(number)"),
                    visibility: .followers,
                    photos: [],
                    parent: parent, root: parent)
            }
        }
        _ = try await ana.submit("/settings/data")
        try await world.work()
        let files = try Self.unpacked(try await ana.visit(try await Self.path(ana)).bytes)
        let comments = JSON(files["comments.json"] ?? []).list.map { $0["text"].string }
        #expect(comments == (0..<450).map { "Comment \($0)" })
    }

    @Test("One is made at a time, a new one replaces the old, and five a day are the most")
    func bounds() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.submit("/settings/data")
        _ = try await ana.submit("/settings/data")
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'pack-download'") == 1)
        for _ in 1...4 {
            try await world.work()
            #expect(try await ana.submit("/settings/data").status == 303)
        }
        try await world.work()
        #expect(try await world.fileCount() == 1)
        #expect(try await ana.submit("/settings/data").status == 429)
    }

    @Test(
        "A photo that was damaged on the disk makes the download fail in words, and nothing is left of the try",
        .onlyFolder)
    func failure() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.photo()
        let key = try await world.tintype.database.read { transaction in
            try transaction.value(
                "SELECT blob_key FROM photo_files WHERE variant = 'original'", as: String.self)
        }
        let file = try #require(key.map { "\(world.folder)/blobs/\($0.prefix(2))/\($0)" })
        try Data([0xFF, 0xD8]).write(to: URL(filePath: file))
        _ = try await ana.submit("/settings/data")
        for _ in 1...4 {
            try await world.work()
            world.clock.advance(seconds: 3600)
        }
        #expect(try await ana.visit("/settings/data").shows("couldn’t be prepared"))
        #expect(try await world.fileCount() == 7)
        let left = try FileManager.default.subpathsOfDirectory(atPath: "\(world.folder)/blobs/incoming")
        #expect(!left.contains { $0.contains("zip") } && left.allSatisfy { !$0.hasSuffix(".tmp") })
    }
}
