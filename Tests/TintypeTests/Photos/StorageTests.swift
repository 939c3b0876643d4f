import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("Storage of a person")
struct StorageTests {
    /// What a person's files take, as Settings' figures have it.
    private func use(_ person: Person) async throws -> Int {
        try await person.world.number("SELECT byte_count FROM storage_uses WHERE account_id = \(person.id)")
    }

    private func picture(_ width: Int) async throws -> [UInt8] {
        try await TestPicture.jpeg(width: width, height: 300)
    }

    @Test(
        "Everything that lies on the disk for a person is counted until it goes, and the count can be checked"
    )
    func counting() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let photo = try await ana.photo()
        let photos = try await use(ana)
        #expect(photos > 0)
        #expect(try await world.number("SELECT CAST(sum(byte_count) AS BIGINT) FROM blobs") == photos)
        let snap = try await ana.snap(media: try await ana.photo(purpose: "snap"))
        let chat = try await ana.chat(with: bea)
        let once = try await ana.sendOnce(in: chat)
        #expect(try await use(ana) > photos)
        let message = try await ana.send(photo: photo, in: chat)
        #expect(try await bea.post("/api/v1/chats/\(chat)/messages/\(message)/save").status == 200)
        #expect(try await use(bea) > 0)
        #expect(try await world.tintype.problems() == [])
        // Pictures that are seen once count while they are there.
        #expect(try await ana.delete("/api/v1/snaps/\(snap)").status == 200)
        #expect(try await ana.delete("/api/v1/chats/\(chat)/messages/\(once)").status == 200)
        #expect(try await use(ana) == photos)
        #expect(try await ana.delete("/api/v1/photos/\(photo)?force=true").status == 200)
        #expect(try await use(ana) == 0)
        #expect(try await use(bea) > 0)
        try await world.tintype.database.write { transaction in
            try transaction.execute("UPDATE storage_uses SET byte_count = 5 WHERE account_id = $1", ana.id)
        }
        #expect(
            try await world.tintype.problems()
                == ["the storage of account \(ana.id) is kept as 5 but is 0"])
    }

    @Test("When it is used up, every way to add a picture says so and adds nothing, and deleting makes room")
    func full() async throws {
        let world = try await World { $0.storagePerAccount = 60_000 }
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        var kept: [String] = []
        // Photos of some 5 kB each.
        for width in 100... {
            let answer = try await ana.post(
                "/api/v2/media", multipart: [.file("file", try await picture(width))])
            guard answer.status == 200 else {
                #expect(answer.status == 422)
                #expect(answer["error"].string?.hasPrefix("Your storage limit is 60 kB") == true)
                #expect(answer["details"]["file"].list.first?["error"] == "ERR_STORAGE_FULL")
                break
            }
            kept.append(try #require(answer["id"].string))
        }
        let (used, files) = (try await use(ana), try await world.fileCount())
        #expect(used <= 60_000 && !kept.isEmpty)
        let large = FormPart.file("file", try await TestPicture.jpeg(width: 1_400, height: 1_200))
        let full = "Your storage limit is 60 kB"
        let post = try await ana.submit("/posts", multipart: [.text("caption", "Typed"), large])
        #expect(post.status == 422 && post.shows(full) && post.shows("Typed"))
        let snap = try await ana.submit("/snaps", multipart: [.text("feed_id", "memes"), large])
        #expect(snap.status == 422 && snap.shows(full))
        let chat = try await ana.chat(with: bea)
        for path in ["/messages/\(chat)", "/messages/\(chat)?once=true"] {
            let message = try await ana.submit(
                path, multipart: [.text("text", "Typed"), .text("key", path), large])
            #expect(message.status == 422 && message.shows(full) && message.shows("Typed"))
        }
        let once = try await ana.post("/api/v2/media", multipart: [large, .text("purpose", "view_once")])
        #expect(once.status == 422)
        #expect(try await world.fileCount() == files)
        #expect(try await use(ana) == used)
        #expect(try await world.tintype.problems() == [])
        // Somebody else's is their own.
        _ = try await bea.photo()
        for photo in kept.prefix(2) { #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 200) }
        _ = try await ana.photo(try await picture(90))
    }

    @Test("Of uploads at the same moment no more get in than there is room for")
    func race() async throws {
        let world = try await World { $0.storagePerAccount = 60_000 }
        let ana = try await world.account("ana")
        let picture = try await picture(200)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            // As many as may wait for a worker: more are refused at once.
            for _ in 1...8 {
                group.addTask {
                    try await ana.post("/api/v2/media", multipart: [.file("file", picture)]).status
                }
            }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(Set(statuses) == [200, 422])
        #expect(try await use(ana) <= 60_000)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A person sees in Settings what they use, and administrators what everyone does")
    func screens() async throws {
        let world = try await World { $0.storagePerAccount = 5_000_000_000 }
        let ana = try await world.account("ana", isAdmin: true)
        let bea = try await world.account("bea")
        try await world.tintype.database.write { transaction in
            for (person, bytes) in [(ana, 1_234_000_000), (bea, 42_000)] {
                try transaction.execute(
                    "INSERT INTO storage_uses (account_id, byte_count) VALUES ($1, $2)", person.id, bytes)
            }
        }
        #expect(try await ana.visit("/settings").shows("1.2 GB of 5.0 GB"))
        #expect(try await ana.visit("/administration/accounts").shows("@bea · 42 kB"))
    }
}
