import Foundation
import HTTPTypes
import Logging
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Backup and restore")
struct BackupTests {
    /// A path that nothing is at.
    private func newPath() -> String { NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString }

    /// Every row of every table as text, and every file's hash, of a data folder.
    private func contents(_ folder: String) async throws -> [String: [String]] {
        let database = try Database(path: "\(folder)/tintype.sqlite", logger: .init(label: "test"))
        let blobs = try BlobFolder(path: "\(folder)/blobs")
        var contents = try await database.read { transaction in
            let tables = try transaction.values(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
                as: String.self)
            var contents: [String: [String]] = [:]
            for table in tables {
                let columns = try transaction.values(
                    "SELECT name FROM pragma_table_info($1)", table, as: String.self)
                let row = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ',' || ")
                contents[table] = try transaction.values(
                    "SELECT \(row) FROM \(table) ORDER BY 1", as: String.self)
            }
            return contents
        }
        var files: [String] = []
        for key in try await blobs.keys(after: nil, limit: .max) {
            files.append("\(key.rawValue) \(try await blobs.sha256(of: key))")
        }
        contents["files"] = files
        try database.close()
        return contents
    }

    @Test("A restored folder has every row and every file", .onlySQLite, .onlyFolder)
    func everything() async throws {
        let world = try await World()
        let ana = try await world.account("ana", portrait: true)
        let ben = try await world.account("ben", displayName: "Ben 𠮷")
        try await ben.follow(ana)
        let post = try await ana.post(
            caption: "Kept ✓", photos: [ana.photo(), ana.photo(description: "Second")])
        try await ben.like(post)
        try await fill(world, ana, ben, post)
        // In a browser, which is known from then on.
        let logIn = try await world.stranger.submit(
            "/login", ["username": "ben", "password": "correct horse"])
        #expect(logIn.status == 303)
        // `Tests/browser/releases/make` keeps this database as that of a release.
        if let path = ProcessInfo.processInfo.environment["TINTYPE_RELEASE_DATABASE"] {
            try await world.tintype.database.backup(to: path)
        }
        let (file, folder) = (newPath(), newPath())
        defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
        let summary = try await world.tintype.backUp(to: file)
        // A portrait, nine photos, a saved copy of one, a pair of one more, a published stake, the pair's sources, a
        // download.
        #expect(summary.files == 4 + 13 * 7 + 6 + 1)
        var configuration = world.tintype.configuration
        configuration.data = folder
        _ = try await TintypeApplication.restore(from: file, configuration)
        let (before, after) = try await (contents(world.folder), contents(folder))
        #expect(before.keys.sorted() == after.keys.sorted())
        // Pictures for one look are left out (below); the restored folder counts on from ids of its own.
        let once = ["single_use_media", "single_use_media_files", "once_pictures", "once_picture_files"]
        for (table, rows) in before where table != "storage_ids" && !once.contains(table) {
            #expect(
                !rows.isEmpty || Self.emptyTables.contains(table), "\(table) is empty")
            // The key that signs picture addresses is left out.
            let kept =
                table == "server_values" ? rows.filter { !$0.contains(PictureSignatures.keyName) } : rows
            #expect(after[table] == kept, "\(table)")
        }
        #expect(before["files"]?.count == summary.files)
        // It works as before: the same token logs in, the same post is liked.
        let restored = try await World(folder: folder, clock: world.clock)
        let again = Person(world: restored, id: ben.id, username: "ben", token: ben.token)
        #expect(try await again.get("/api/v1/statuses/\(post)")["favourited"] == true)
    }

    /// Tables that are empty after a while, or filled by other servers only (PastPhotoPictureTests,
    /// ConnectedAccountTests).
    private static let emptyTables = [
        "snap_files", "snaps", "snap_views", "past_photo_files", "contract_stakes", "contract_stake_files",
        "connected_servers", "connection_attempts", "connected_accounts", "cross_posts", "push_messages",
        "removed_push_devices", "attempts",
    ]

    /// Puts something into every table but those of pictures for one look.
    private func fill(_ world: World, _ ana: Person, _ ben: Person, _ post: String) async throws {
        try await ana.follow(ben)
        _ = try await ana.submit("/settings/posts", ["audience": "private"])
        try await ana.fill(0, of: try await ana.collage(with: [ben]))
        _ = try await ana.pairID()
        let contract = try await ana.contract(with: ben)
        try await ben.make("admit", contract)
        try await ana.make("stake", contract, ["keep": false])
        _ = try await ben.findable()
        let archive = try TestArchive([
            "profile_photos.json": Array(
                #"{"ig_profile_picture": [{"uri": "media/a.jpg", "creation_timestamp": 1437000000}]}"#.utf8),
            "media/a.jpg": try await TestPicture.jpeg(),
        ])
        #expect(try await ana.bring(archive, from: .instagram).photos == 1)
        _ = try await ana.searchServer()
        _ = try await ben.comment("Kept too, @ana", on: post)
        _ = try await ben.post("/api/v1/statuses/\(post)/bookmark")
        let hidden = try await ana.post(caption: "Hidden #dogs")
        _ = try await ana.post("/api/v1/tags/dogs/follow")
        _ = try await ana.post("/api/v1/tags/dogs/feature")
        _ = try await ben.submit("/posts/\(hidden)/hide")
        _ = try await ana.post("/api/v1/statuses/\(post)/guest_link")
        let chat = try #require(
            try await ben.post("/api/v1/chats", json: ["account_id": .text("\(ana.id)")])["id"].string)
        let photo = try await ben.photo()
        let message = try #require(
            try await ben.post(
                "/api/v1/chats/\(chat)/messages", json: ["text": "For you", "photo_id": .text(photo)])["id"]
                .string)
        #expect(try await ana.post("/api/v1/chats/\(chat)/messages/\(message)/save").status == 200)
        let reaction = "/api/v1/chats/\(chat)/messages/\(message)/reaction"
        #expect(try await ana.send(.put, reaction, json: ["emoji": "❤️"]).status == 200)
        _ = try await ana.visit("/notifications")
        try await world.prefer(of: ana) { $0.showsPreviews = false }
        let cleo = try await world.account("cleo")
        _ = try await ana.post("/api/v1/accounts/\(cleo.id)/mute")
        _ = try await ana.post("/api/v1/accounts/\(cleo.id)/note", json: ["comment": "From the club"])
        _ = try await ana.list("Crew", of: [ben])
        let eve = try await world.account("eve")
        try await ana.putAside(from: eve)
        _ = try await ana.post("/api/v1/notifications/requests/\(eve.id)/accept")
        // A group with a picture, events, a photo that both others have seen once, and a collage.
        let dora = try await world.account("dora")
        for person in [ana, ben] {
            try await person.follow(dora)
            try await dora.follow(person)
        }
        let group = try await ana.group(with: ben, dora, title: "Pizza")
        _ = try await ana.send(
            .patch, "/api/v1/chats/\(group)", json: ["picture_media_id": .text(try await ana.photo())])
        let seen = try await ana.sendOnce(in: group)
        for person in [ben, dora] {
            _ = try await person.open(seen, in: group)
            #expect(try await person.post("/api/v1/chats/\(group)/messages/\(seen)/close").status == 204)
        }
        let together = try await ana.post(
            "/api/v1/collage_drafts", json: ["layout_id": "two-above-one", "chat_id": .text(group)])
        #expect(together.status == 201, "\(together.text)")
        let filter = try await ana.filter("Weather", words: ["rain"])
        _ = try await ana.post("/api/v2/filters/\(filter)/statuses", json: ["status_id": .text(post)])
        _ = try await ana.delete("/api/v1/suggestions/\(cleo.id)")
        _ = try await ana.post("/api/v1/statuses/\(hidden)/mute")
        _ = try await ana.post("/api/v1/statuses/\(hidden)/pin")
        _ = try await ana.send(.put, "/api/v1/statuses/\(hidden)", json: ["status": "Hidden #dogs again"])
        try await cleo.block(ben)
        _ = try await cleo.post("/api/v1/reports", json: ["account_id": .text("\(ana.id)")])
        #expect(try await ana.submit("/settings/invitations").status == 303)
        #expect(try await ana.submit("/administration/sign-up", ["mode": "closed"]).status == 303)
        _ = try await ana.post(
            "/api/v1/statuses", json: ["status": "Again", "in_reply_to_id": .text(post)],
            headers: [.idempotencyKey: "once"])
        #expect(try await ana.submit("/settings/data").status == 303)
        let app = try await world.app()
        _ = try await app.logIn(ana)
        _ = try await world.form(
            ["grant_type": "client_credentials", "client_id": app.id, "client_secret": app.secret],
            to: "/oauth/token")
        try await world.work()
        _ = try await ana.subscribe(TestDevice(), at: "https://push.example.net/send")
    }

    @Test("What may be seen once is in no backup, and what waited is expired after a restore")
    func once() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let snap = try #require(
            try await ana.post(
                "/api/v1/snaps",
                json: ["media_id": .text(try await ana.photo(purpose: "snap")), "feed_id": "memes"])["id"]
                .string)
        let chat = try #require(
            try await ana.post("/api/v1/chats", json: ["account_id": .text("\(ben.id)")])["id"].string)
        let message = try #require(
            try await ana.post(
                "/api/v1/chats/\(chat)/messages",
                json: ["media_id": .text(try await ana.photo(purpose: "view_once")), "view_once": true])[
                    "id"
                ].string)
        _ = try await ana.photo(purpose: "stake")
        let (file, folder) = (newPath(), newPath())
        defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
        let summary = try await world.tintype.backUp(to: file)
        #expect(summary.files == 0)
        var configuration = world.tintype.configuration
        configuration.data = folder
        _ = try await TintypeApplication.restore(from: file, configuration)
        let restored = try await World(folder: folder, clock: world.clock)
        let again = Person(world: restored, id: ben.id, username: "ben", token: ben.token)
        #expect([404, 410].contains(try await again.post("/api/v1/snaps/\(snap)/open").status))
        let open = "/api/v1/chats/\(chat)/messages/\(message)/open"
        #expect(try await again.post(open).status == 410)
        #expect(try await ben.post(open).status == 200)
    }

    @Test("The key that signs picture addresses is in no backup, and a restored server makes another")
    func pictureKey() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo()
        func address(_ person: Person) async throws -> String {
            let url = try #require(try await person.get("/api/v1/photos/\(photo)")["url"].string)
            return String(url.dropFirst("http://localhost".count))
        }
        let key = try #require(
            try await world.tintype.database.read { try $0.serverValue(PictureSignatures.keyName) })
        let (file, folder) = (newPath(), newPath())
        defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
        _ = try await world.tintype.backUp(to: file)
        let bytes = try Data(contentsOf: URL(filePath: file))
        #expect(bytes.range(of: Data(key.utf8)) == nil)
        #expect(bytes.range(of: Data("ana".utf8)) != nil)
        var configuration = world.tintype.configuration
        configuration.data = folder
        _ = try await TintypeApplication.restore(from: file, configuration)
        let restored = try await World(folder: folder, clock: world.clock)
        let again = Person(world: restored, id: ana.id, username: "ana", token: ana.token)
        let (before, after) = (try await address(ana), try await address(again))
        #expect(before != after)
        #expect(try await restored.stranger.get(before).status == 404)
        #expect(try await restored.stranger.get(after).status == 200)
        // The server that was backed up keeps its own.
        #expect(try await world.stranger.get(before).status == 200)
    }

    @Test(
        "A backup into which somebody has put a trigger or view is refused before it does anything",
        arguments: [
            "CREATE TRIGGER spy AFTER UPDATE ON accounts BEGIN UPDATE accounts SET is_admin = 1; END",
            "CREATE TRIGGER spy AFTER INSERT ON storage_migrations BEGIN DELETE FROM accounts; END",
            "CREATE VIEW spy AS SELECT * FROM accounts", "CREATE VIRTUAL TABLE spy USING fts5(words)",
        ])
    func foreignSchema(statement: String) async throws {
        let world = try await World()
        _ = try await world.account("ana")
        let (file, copy, folder) = (newPath(), newPath(), newPath())
        defer { for path in [file, copy, folder] { try? FileManager.default.removeItem(atPath: path) } }
        try await world.tintype.database.backup(to: copy)
        let database = try Database(path: copy, logger: .init(label: "test"))
        try await database.write { transaction in
            for feature in Features.types { try feature.leaveOutOfBackup(transaction) }
        }
        try database.close()
        var configuration = world.tintype.configuration
        configuration.data = folder
        func restore() async throws {
            let archive = try TarWriter(path: file)
            try archive.add("tintype.sqlite", fileAt: copy)
            try archive.finish()
            _ = try await TintypeApplication.restore(from: file, configuration)
        }
        try await restore()
        try FileManager.default.removeItem(atPath: folder)
        let changed = try Database(path: copy, logger: .init(label: "test"))
        try await changed.write { try $0.execute(statement) }
        try changed.close()
        let refusal = await #expect(throws: Refusal.self) { try await restore() }
        #expect(refusal?.message.contains("spy") == true)
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test("A backup is made while people post and delete, and each is whole")
    func busy() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let (file, folder) = (newPath(), newPath())
        defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
        async let posting: Void = {
            for _ in 1...30 {
                let photo = try await ana.photo()
                _ = try await ana.post(caption: "Busy", photos: [photo])
                _ = try await ana.delete("/api/v1/photos/\(photo)?force=true")
                try await world.work()
            }
        }()
        for _ in 1...5 {
            _ = try await world.tintype.backUp(to: file)
            var configuration = world.tintype.configuration
            configuration.data = folder
            // Restoring checks every row and file.
            _ = try await TintypeApplication.restore(from: file, configuration)
            try FileManager.default.removeItem(atPath: folder)
        }
        try await posting
    }

    @Test("A backup that is cut off, changed or something else leaves nothing behind")
    func damaged() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.photo()
        let (file, folder) = (newPath(), newPath())
        defer { try? FileManager.default.removeItem(atPath: file) }
        _ = try await world.tintype.backUp(to: file)
        let whole = try Data(contentsOf: URL(filePath: file))
        var changed = whole
        changed[whole.count - 2048] ^= 0xff
        var configuration = world.tintype.configuration
        configuration.data = folder
        for bytes in [whole.prefix(whole.count / 2), changed, Data("not a backup".utf8), Data(count: 2048)] {
            try bytes.write(to: URL(filePath: file))
            await #expect(throws: (any Error).self) {
                try await TintypeApplication.restore(from: file, configuration)
            }
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
        configuration.data = world.folder
        try whole.write(to: URL(filePath: file))
        await #expect(throws: Refusal.self) {
            try await TintypeApplication.restore(from: file, configuration)
        }
    }

    /// An archive as earlier versions wrote it without libarchive: ustar, with long sizes in base 256.
    ///
    /// - Parameters:
    ///   - type: what each entry says that it is; `0` is a plain file.
    ///   - link: where each entry says that it points.
    ///   - size: how long each entry says that it is, if that isn't true.
    private func archive(
        _ files: [(name: String, contents: Data)], type: Character = "0", link: String = "", size: Int? = nil
    ) -> Data {
        files.reduce(into: Data()) { archive, file in
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: String, at offset: Int) {
                header.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
            }
            for (text, offset) in [
                (file.name, 0), ("0000600", 100), ("0000000", 108), ("0000000", 116), ("00000000000", 136),
                ("        ", 148), (String(type), 156), (link, 157), ("ustar", 257), ("00", 263),
            ] { put(text, at: offset) }
            header[124] = 0x80
            let size = size ?? file.contents.count
            for index in 0..<8 { header[135 - index] = UInt8(size >> (8 * index) & 0xff) }
            let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
            put(String(repeating: "0", count: 6 - sum.count) + sum + "\0", at: 148)
            archive += header + file.contents + Data(count: (512 - file.contents.count % 512) % 512)
        } + Data(count: 1024)
    }

    @Test("A backup of an earlier version is restored")
    func earlier() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.photo()
        let (file, part, folder) = (newPath(), newPath(), newPath())
        defer { for path in [file, part, folder] { try? FileManager.default.removeItem(atPath: path) } }
        let summary = try await world.tintype.backUp(to: file)
        var files: [(String, Data)] = []
        let reader = try TarReader(path: file)
        while let entry = try reader.next() {
            try reader.extract(to: part)
            files.append((entry.name, try Data(contentsOf: URL(filePath: part))))
            #expect(files.last?.1.count == entry.size)
        }
        #expect(files.count == summary.files + 1)
        var configuration = world.tintype.configuration
        configuration.data = folder
        // A hard link, a symbolic one and a folder, and sizes that no archive has.
        for damaged in [
            archive(files, type: "1", link: "/etc/hostname"),
            archive(files, type: "2", link: "/etc/hostname"),
            archive(files, type: "5"), archive(files, size: .max), archive(files, size: 1 << 40),
        ] {
            try damaged.write(to: URL(filePath: file))
            await #expect(throws: Refusal.self) {
                try await TintypeApplication.restore(from: file, configuration)
            }
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
        try archive(files).write(to: URL(filePath: file))
        let restored = try await TintypeApplication.restore(from: file, configuration)
        #expect(restored.files == summary.files && restored.bytes == summary.bytes)
    }

    @Test("Names outside of a backup are refused, so that no archive writes elsewhere")
    func names() async throws {
        let (source, file, folder) = (newPath(), newPath(), newPath())
        defer { for path in [source, file] { try? FileManager.default.removeItem(atPath: path) } }
        try Data("x".utf8).write(to: URL(filePath: source))
        for name in [
            "../escaped", "/tmp/escaped", "blobs/ab/../../escaped",
            "blobs/00/00000000000000000000000000000000x",
        ] {
            let archive = try TarWriter(path: file)
            try archive.add("tintype.sqlite", fileAt: source)
            try archive.add(name, fileAt: source)
            try archive.finish()
            var configuration = ServerConfiguration()
            configuration.data = folder
            await #expect(throws: Refusal.malformed("This isn't a backup of Tintype.")) {
                try await TintypeApplication.restore(from: file, configuration)
            }
        }
    }
}
