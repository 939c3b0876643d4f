import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Rate limits")
struct RateLimitTests {
    @Test("Beyond its limit an account has to wait, others are not slowed, and the limit recovers")
    func writes() async throws {
        let world = try await World { $0.limits.writes = 3 }
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        for left in [2, 1, 0] {
            let answer = try await ana.post("/api/v1/accounts/\(ben.id)/follow")
            #expect(answer.status == 200)
            #expect(answer.headers[.rateLimit] == "3")
            #expect(answer.headers[.rateRemaining] == String(left))
        }
        let slowed = try await ana.post("/api/v1/accounts/\(ben.id)/follow")
        #expect(slowed.status == 429)
        #expect(slowed["error"].string?.isEmpty == false)
        #expect(slowed.headers[.retryAfter] == "100")
        #expect(slowed.headers[.rateRemaining] == "0")
        let reset = Timestamp.iso8601(world.clock.now.addingTimeInterval(100))
        #expect(slowed.headers[.rateReset] == reset)
        #expect(try await ana.get("/api/v1/accounts/\(ben.id)").status == 200)
        #expect(try await ben.post("/api/v1/accounts/\(ana.id)/follow").status == 200)
        #expect(try await ana.submit("/accounts/\(ben.id)/unfollow").status == 429)
        world.clock.advance(seconds: 100)
        #expect(try await ana.post("/api/v1/accounts/\(ben.id)/follow").status == 200)
        #expect(try await ana.post("/api/v1/accounts/\(ben.id)/follow").status == 429)
    }

    @Test("Reads, writes and uploads are counted apart; the app's own files and its health not at all")
    func kinds() async throws {
        let world = try await World {
            $0.limits.reads = 2
            $0.limits.uploads = 1
        }
        let ana = try await world.account("ana")
        _ = try await ana.photo()
        let upload = try await ana.post(
            "/api/v2/media", multipart: [.file("file", try await TestPicture.jpeg())])
        #expect(upload.status == 429)
        #expect(try await world.fileCount() == 7)
        for status in [200, 200, 429] {
            #expect(try await ana.get("/api/v1/timelines/home").status == status)
        }
        #expect(try await ana.visit("/home").status == 429)
        for path in ["/healthz", "/readyz", "/manifest.webmanifest"] {
            #expect(try await ana.get(path).status == 200)
        }
    }

    @Test("A slash at the end of its path makes no upload a mere change")
    func slashes() async throws {
        let world = try await World { $0.limits.uploads = 1 }
        let ana = try await world.account("ana")
        _ = try await ana.photo()
        for path in ["/api/v2/media/", "//api/v2//media", "/api/v1/media/"] {
            let upload = try await ana.post(
                path, multipart: [.file("file", try await TestPicture.jpeg())])
            #expect(upload.status == 429, "\(path)")
        }
        #expect(try await world.fileCount() == 7)
    }

    @Test("Who tries one token after the other is slowed, in a cookie too; who is logged in is not")
    func wrongTokens() async throws {
        let world = try await World { $0.limits.reads = 4 }
        let ana = try await world.account("ana")
        #expect(try await ana.get("/api/v1/accounts/verify_credentials").status == 200)
        func guess(_ token: String) -> Person {
            Person(world: world, id: ana.id, username: "ana", token: token, kind: .token)
        }
        for number in 1...4 {
            #expect(try await guess("guess\(number)").get("/api/v1/timelines/home").status == 401)
        }
        let slowed = try await guess("guess").get("/api/v1/timelines/home")
        #expect(slowed.status == 429 && slowed.headers[.retryAfter] == "75")
        let reset = Timestamp.iso8601(world.clock.now.addingTimeInterval(75))
        #expect(slowed.headers[.rateReset] == reset && slowed.headers[.rateRemaining] == "0")
        #expect(try await guess("guess").visit("/home").status == 429)
        #expect(try await ana.get("/api/v1/accounts/verify_credentials").status == 200)
        world.clock.advance(seconds: 75)
        #expect(try await guess("guess").get("/api/v1/timelines/home").status == 401)
    }

    @Test("A lively chat uses up nobody's changes: what pages say by themselves of messages isn't one")
    func acknowledgements() async throws {
        let people = try await World().friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let chat = try await ana.chat(with: bea)
        for _ in 0..<100 {
            let message = JSON.text(try await ana.write("Hi", in: chat))
            for (call, mark) in [
                ("delivered", "last_delivered_id"), ("read", "last_read_id"), ("typing", ""),
            ] {
                let answer = try await bea.post(
                    "/api/v1/chats/\(chat)/\(call)", json: .object([mark: message]))
                #expect(answer.status == 200)
            }
        }
        let answer = try await bea.post("/api/v1/chats/\(chat)/messages", json: ["text": "Slowly!"])
        // One follow before.
        #expect(answer.status == 201 && answer.headers[.rateRemaining] == "298")
    }

    @Test("Each route that counts as reading is one of the app's")
    func readingRoutes() async throws {
        let app = try await World().tintype
        let routes = Set(try app.router().routes.map { "\($0.method.rawValue) \($0.path.description)" })
        let reading = app.features.all.flatMap(\.readingRoutes)
        #expect(reading.count > 10)
        for path in reading { #expect(routes.contains("POST \(path)"), "\(path)") }
    }

    @Test("However files come, each counts once, and a request with files is no change besides")
    func files() async throws {
        let world = try await World {
            $0.limits.uploads = 8
            $0.limits.writes = 3
        }
        let ana = try await world.account("ana")
        let picture = FormPart.file("file", try await TestPicture.jpeg())
        let three: [FormPart] = [.text("caption", "Three"), .text("upload", "a"), picture, picture, picture]
        #expect(try await ana.submit("/posts", multipart: three).status == 303)
        #expect(try await ana.submit("/library", multipart: [picture, picture, picture]).status == 303)
        let upload = try await ana.post("/api/v2/media", multipart: [picture])
        #expect(upload.headers[.rateLimit] == "8" && upload.headers[.rateRemaining] == "1")
        // Of two only one may come, so none does.
        let refused = try await ana.submit(
            "/posts", multipart: [.text("caption", "Typed"), .text("upload", "b"), picture, picture])
        #expect(refused.status == 429 && refused.headers[.retryAfter] == "225")
        #expect(refused.shows("Typed") && refused.shows("You sent too many pictures."))
        let media = try await ana.post("/api/v2/media", multipart: [picture])
        #expect(
            media.status == 429 && media.headers[.rateLimit] == "8" && media.headers[.rateRemaining] == "0")
        #expect(try await world.number("SELECT count(*) FROM photos") == 7)
        // An input that nobody filled is no file.
        let empty: [FormPart] = [
            .text("username", "ana"), .text("display_name", "Ana"), .file("portrait", [], name: ""),
        ]
        #expect(try await ana.submit("/settings/profile", multipart: empty).status == 303)
        world.clock.advance(seconds: 225)
        #expect(try await ana.post("/api/v2/media", multipart: [picture]).status == 200)
    }

    @Test("A form that brings pictures counts as an upload")
    func pictureForms() async throws {
        let world = try await World { $0.limits.uploads = 2 }
        let people = try await world.friends("ana", "bea")
        let chat = try await people[0].chat(with: people[1])
        let picture = FormPart.file("file", try await TestPicture.jpeg())
        let snap: [FormPart] = [.text("feed_id", "memes"), .text("key", "a"), picture]
        #expect(try await people[0].submit("/snaps", multipart: snap).status == 303)
        let message: [FormPart] = [.text("key", "b"), .text("text", ""), picture]
        #expect(try await people[0].submit("/messages/\(chat)", multipart: message).status == 303)
        #expect(try await people[0].submit("/messages/\(chat)", multipart: message).status == 429)
        let another: [FormPart] = [.text("feed_id", "memes"), .text("key", "d"), picture]
        #expect(try await people[0].submit("/snaps", multipart: another).status == 429)
        #expect(try await people[0].submit("/messages/\(chat)", ["text": "Hi", "key": "c"]).status == 303)
    }

    @Test(
        "Addresses are counted by what one client has of them",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:0:1:aaaa:bbbb:cccc:dddd", "2001:db8:0:1::/64"),
            ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
            ("fe80::1%eth0", "fe80:0:0:0::/64"), ("unknown", "unknown"),
        ])
    func networks(address: String, key: String) {
        #expect(ClientNetwork.key(address) == key)
        #expect(ClientNetwork.key(ClientNetwork.canonical(address)) == key)
    }
}
