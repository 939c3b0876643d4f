import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Deleting an account")
struct DeletionTests {
    private static let mark = "XYZZY-marked-bytes-XYZZY"

    /// Files of the data folder that hold any of these bytes.
    private func files(in folder: String, with marks: [Data]) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
            guard let data = FileManager.default.contents(atPath: "\(folder)/\(path)") else { return false }
            return marks.contains { data.range(of: $0) != nil }
        }
    }

    @Test(
        "Everything of a deleted account leaves the disk: texts, originals, renditions, portrait, download",
        .onlySQLite, .onlyFolder)
    func gone() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        // A comment (ITU-T T.81, B.2.4.5) right behind the start of the JPEG.
        var marked = try await TestPicture.jpeg()
        marked.insert(
            contentsOf: [0xFF, 0xFE, 0, UInt8(Self.mark.utf8.count + 2)] + Array(Self.mark.utf8), at: 2)
        let photo = try await ana.photo(marked, description: "\(Self.mark) described")
        let post = try await ana.post(caption: "\(Self.mark) caption", photos: [photo], visibility: "public")
        let bensPost = try await ben.post(caption: "Ben's", visibility: "public")
        _ = try await ana.comment("\(Self.mark) comment", on: bensPost)
        try await ana.like(bensPost)
        try await ana.follow(ben)
        try await ben.follow(ana)
        let changed = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials",
            multipart: [
                .text("note", "\(Self.mark) bio"), .text("display_name", "\(Self.mark) name"),
                .file("avatar", try await TestPicture.jpeg()), .file("header", try await TestPicture.jpeg()),
            ])
        #expect(changed.status == 200)
        _ = try await ana.photo(purpose: "snap")
        let waiting = try await ana.photo(description: "\(Self.mark) snap", purpose: "snap")
        let snap = try await ana.post(
            "/api/v1/snaps", json: ["media_id": .text(waiting), "feed_id": "memes"])
        #expect(snap.status == 201)
        let chat = try #require(
            try await ana.post("/api/v1/chats", json: ["account_id": .text("\(ben.id)")])["id"].string)
        let message = try #require(
            try await ana.post(
                "/api/v1/chats/\(chat)/messages",
                json: ["text": "\(Self.mark) message", "photo_id": .text(photo)])["id"].string)
        let once = try await ana.photo(description: "\(Self.mark) once", purpose: "view_once")
        _ = try await ana.post(
            "/api/v1/chats/\(chat)/messages", json: ["media_id": .text(once), "view_once": true])
        // Reports of hers, and of her, which quotes what she wrote.
        _ = try await ana.post(
            "/api/v1/reports", json: ["account_id": .text("\(ben.id)"), "comment": "\(Self.mark) report"])
        _ = try await ben.post(
            "/api/v1/reports", json: ["message_id": .text(message), "chat_id": .text(chat)])
        _ = try await ana.post("/api/v1/statuses/\(post)/guest_link")
        _ = try await ana.submit("/settings/invitations")
        _ = try await ana.submit("/settings/data")
        try await world.work()
        try await world.tintype.database.eraseDeleted()

        // The renditions hold no mark, so pieces of their own bytes are looked for.
        let keys = try await world.tintype.database.read { transaction in
            try transaction.values(
                """
                SELECT blob_key FROM portrait_files UNION SELECT blob_key FROM photo_files f
                JOIN photos ph ON ph.id = f.photo_id WHERE ph.owner_id = $1
                """, ana.id,
                as: String.self)
        }
        var marks = [Data(Self.mark.utf8)]
        for key in keys {
            let data = try #require(
                FileManager.default.contents(atPath: "\(world.folder)/blobs/\(key.prefix(2))/\(key)"))
            marks.append(data.suffix(64))
        }
        #expect(keys.count == 4 + 2 + 7)
        // Original, download and database, and the renditions, portrait squares and banners.
        #expect(try files(in: world.folder, with: marks).count >= 3 + 12)

        #expect(try await ana.submit("/settings/delete", ["password": "wrong horse"]).status == 422)
        #expect(try await ana.get("/api/v1/statuses/\(post)").status == 200)
        _ = try await ben.world.tintype.accounts.create(
            .init(username: "root2", displayName: "Root", password: "correct horse"), isAdmin: true)
        let answer = try await ana.submit("/settings/delete", ["password": "correct horse"])
        #expect(answer.status == 303)
        // Out of sight before any background work.
        #expect(try await ana.visit("/home").headers[.location] == "/login")
        #expect(try await ben.visit("/@ana").status == 404)
        #expect(try await ben.get("/api/v1/statuses/\(post)").status == 404)

        try await world.work()
        #expect(try files(in: world.folder, with: marks) == [])
        #expect(try await world.number("SELECT count(*) FROM accounts WHERE id = \(ana.id)") == 0)
        for table in ["snaps", "chats", "messages", "reports", "guest_links", "invitations", "downloads"] {
            #expect(try await world.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
        }
        // Ben's photo has an original and six renditions; nothing else is left.
        #expect(try await world.fileCount() == 7)
        #expect(try await world.number("SELECT count(*) FROM blobs") == 7)
        #expect(
            try await world.number("SELECT count(*) FROM jobs WHERE kind IN ('erase-blob', 'erase-account')")
                == 0)
        let left = try await ben.get("/api/v1/statuses/\(bensPost)")
        #expect(left["favourites_count"] == 0 && left["replies_count"] == 0)
        let own = try await ben.get("/api/v1/accounts/\(ben.id)")
        #expect(own["followers_count"] == 0 && own["following_count"] == 0)
        // The name is free again.
        _ = try await world.account("ana")
    }

    @Test("What a request under way adds while the account is erased goes with it")
    func late() async throws {
        let world = try await World()
        let (_, ana) = (try await world.account("first"), try await world.account("ana"))
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        // As an upload that was let in before the deletion and is stored after it.
        let picture = try await TestPicture.jpeg()
        let file = try world.tintype.blobs.receive()
        try await file.write(picture)
        let account = try await world.tintype.database.read { try AccountStore($0).account(ana.id) }
        _ = try await world.tintype.photos.upload(file, by: try #require(account))
        #expect(try await world.fileCount() == 7)
        try await world.work()
        #expect(try await world.fileCount() == 0)
    }

    @Test("The only administrator can't leave the others alone, but may leave an empty server")
    func administrator() async throws {
        let world = try await World()
        let root = try await world.account("first")
        let ana = try await world.account("ana")
        let refused = try await root.submit("/settings/delete", ["password": "correct horse"])
        #expect(refused.status == 409 && refused.shows("only administrator"))
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await root.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM accounts") == 0)
    }
}
