import Storage
import Synchronization
import Testing

@testable import Core
@testable import Tintype

@Suite("What pages read")
struct PageReadTests {
    @Test("Each main page reads in one transaction, so that all of it shows the same moment")
    func once() async throws {
        let reads = Mutex(0)
        let world = try await World { configuration in
            configuration.statementWatch = { sql, plan in
                StatementPlans.watch(sql, plan)
                if sql == "BEGIN" { reads.withLock { $0 += 1 } }
            }
        }
        let paths = try await Self.pages(of: world)
        for (person, path) in paths {
            // The first visit may find out whose log-in it is, and mark what it shows as read.
            #expect(try await person.visit(path).status == 200, "\(path)")
            reads.withLock { $0 = 0 }
            #expect(try await person.visit(path).status == 200, "\(path)")
            let count = reads.withLock { $0 }
            // Home is kept until something in it changes.
            let allowed = path.hasPrefix("/home") ? 0...1 : 1...1
            #expect(allowed.contains(count), "\(path) reads in \(count) transactions")
        }
    }

    /// Pages of a server on which there is something of everything.
    private static func pages(of world: World) async throws -> [(Person, String)] {
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let photo = try await ana.photo()
        let post = try await ana.post(caption: "Morning, @ben", photos: [photo])
        _ = try await ana.post("/api/v1/statuses/\(post)/pin")
        _ = try await ben.like(post)
        let snap = try await ana.snap()
        let collage = try await ana.collage(with: [ben])
        let contract = try await ana.contract(with: ben)
        let chat = try await ana.chat(with: ben)
        _ = try await ana.write("http://localhost/posts/\(post)", in: chat)
        _ = try await ana.write("http://localhost/collage/\(collage)", in: chat)
        let picture = try await ana.send(photo: photo, in: chat)
        let text = try await ben.write("Hello", in: chat)
        return [
            "/home", "/home?show=everyone", "/posts/\(post)", "/posts/\(post)/options",
            "/posts/\(post)/likes", "/posts/\(post)/comments", "/saved", "/@ana", "/@ben", "/users",
            "/notifications", "/snaps", "/snaps/\(snap)", "/library", "/library/\(photo)",
            "/collage/\(collage)", "/contracts", "/contracts/\(contract)", "/contracts/card/\(ben.id)",
            "/friends", "/messages", "/messages/new", "/messages/requests", "/messages/\(chat)",
            "/messages/\(chat)?reply_to=\(text)", "/messages/\(chat)/\(text)/options",
            "/messages/\(chat)/photos/\(picture)", "/messages/\(chat)/library", "/feed", "/settings",
            "/settings/privacy",
        ].map { (ana, $0) }
    }
}
