import Foundation
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("Check")
struct CheckTests {
    /// A server where something has happened.
    private func used() async throws -> (World, Person) {
        let world = try await World()
        let ana = try await world.account("ana", portrait: true)
        let ben = try await world.account("ben")
        try await ben.follow(ana)
        let post = try await ana.post(caption: "Checked")
        try await ben.like(post)
        return (world, ana)
    }

    @Test("A used server has no problems, also after a delete and its erasures")
    func clean() async throws {
        let (world, ana) = try await used()
        #expect(try await world.tintype.problems() == [])
        #expect(try await world.tintype.quickProblems() == [])
        let photo = try await ana.photo()
        #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 200)
        // Before the erasure: the files have no rows, but their jobs.
        #expect(try await world.tintype.problems() == [])
        try await world.work()
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A wrong counter is named with both numbers")
    func counters() async throws {
        let (world, ana) = try await used()
        try await world.tintype.database.write {
            try $0.execute("UPDATE accounts SET followers_count = 7, posts_count = 0 WHERE id = $1", ana.id)
            try $0.execute("UPDATE posts SET likes_count = 2")
        }
        let problems = try await world.tintype.problems()
        #expect(problems.contains("the followers of account \(ana.id) is kept as 7 but is 1"))
        #expect(problems.contains("the posts of account \(ana.id) is kept as 0 but is 1"))
        #expect(problems.contains { $0.hasSuffix("is kept as 2 but is 1") })
        #expect(problems.count == 3)
    }

    @Test("The counters of chats are recounted, after sends, reads, deletes and a dropped request")
    func chatCounters() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let cleo = try await world.account("cleo")
        let (chat, request) = (try await ana.chat(with: bea), try await cleo.chat(with: ana))
        var ids: [String] = []
        for number in 0..<6 { ids.append(try await [ana, bea][number % 2].write("\(number)", in: chat)) }
        try await bea.read(through: ids[2], in: chat)
        _ = try await ana.delete("/api/v1/chats/\(chat)/messages/\(ids[4])")
        _ = try await cleo.write("Hi?", in: request)
        _ = try await ana.delete("/api/v1/chats/\(request)")
        _ = try await cleo.write("Hello?", in: request)
        #expect(try await world.tintype.problems() == [])
        try await world.tintype.database.write {
            try $0.execute("UPDATE chat_members SET unread_count = 9 WHERE account_id = $1", bea.id)
            try $0.execute("UPDATE chats SET messages_count = 8 WHERE id = $1", Int64(chat))
        }
        let problems = try await world.tintype.problems()
        #expect(problems.contains("the unread messages of chat_member \(chat) is kept as 9 but is 0"))
        #expect(problems.contains("the messages of chat \(chat) is kept as 8 but is 5"))
        #expect(problems.count == 2)
    }

    @Test(
        "A missing, a changed and an unknown file are found, and a row that belongs to nothing", .onlyFolder)
    func files() async throws {
        let (world, _) = try await used()
        let blobs = world.tintype.blobs
        let keys = try await blobs.keys(after: nil, limit: 10)
        try FileManager.default.removeItem(atPath: world.path(of: keys[0]))
        let path = world.path(of: keys[1])
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(filePath: path))
        let unknown = try await blobs.store([1, 2, 3])
        // While it may still get its row, it is no problem.
        #expect(try await world.tintype.problems().count == 2)
        await blobs.keep([unknown.key])
        let unowned = try await blobs.store([4, 5, 6])
        try await world.tintype.database.write { try FileRecords($0).insert(unowned, of: nil) }
        await blobs.keep([unowned.key])
        let problems = Set(try await world.tintype.problems())
        #expect(
            problems == [
                "the file \(keys[0].rawValue) is missing", "the file \(keys[1].rawValue) has changed",
                "the file \(unknown.key.rawValue) has no row",
                "the file \(unowned.key.rawValue) belongs to no picture",
            ])
    }

    @Test("Every table that names a file counts as its owner", .onlySQLite)
    func owners() async throws {
        let world = try await World()
        let tables = try await world.tintype.database.read { transaction in
            try transaction.values(
                """
                SELECT m.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c
                WHERE m.type = 'table' AND c.name = 'blob_key' ORDER BY m.name
                """, as: String.self)
        }
        let owners = Features.tables.filter(\.ownsFiles).map(\.name)
        #expect(tables == owners.sorted())
    }
}
