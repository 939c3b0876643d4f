import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Tintype

@Suite("Where and when a picture was taken is its owner's alone")
struct CapturePrivacyTests {
    /// Ana's picture with all that her camera wrote, in a post, a message, a snap and a look for once.
    private struct Scene {
        let world: World
        let ana: Person
        let ben: Person
        let original: [UInt8]
        let photo: String
        let post: String
        let comment: String
        let chat: String
        let message: String
        /// What ben heard while she shared it.
        let received: [EventBus.Event]

        init() async throws {
            world = try await World()
            let people = try await world.friends("ana", "ben")
            (ana, ben) = (people[0], people[1])
            var stream = world.tintype.events.subscribe(ben.id, session: ID(rawValue: 1), after: nil).stream
                .makeAsyncIterator()
            original = try TestPicture.taken(await TestPicture.jpeg(width: 400, height: 300))
            photo = try await ana.photo(original)
            post = try await ana.post(caption: "Look, @ben", photos: [photo], visibility: "public")
            let answer = try await ana.post(
                "/api/v1/statuses",
                json: [
                    "status": "Closer", "in_reply_to_id": .text(post), "media_ids": [.text(photo)],
                ])
            comment = try #require(answer["id"].string)
            chat = try await ana.chat(with: ben)
            message = try await ana.send(photo: photo, in: chat)
            var received: [EventBus.Event] = []
            while let event = await stream.next() {
                received.append(event)
                if event.name == "tintype.message" { break }
            }
            self.received = received
            try await ben.like(post)
            _ = try await ben.post("/api/v1/statuses/\(post)/bookmark")
        }

        /// The path of a link for guests to the post.
        func guestPath() async throws -> String {
            let link = try await ana.post("/api/v1/statuses/\(post)/guest_link")
            return String(try #require(link["url"].string).dropFirst("http://localhost".count))
        }

        /// Ben's copy of the photo in the message.
        func saved() async throws -> Answer {
            try await ben.post("/api/v1/chats/\(chat)/messages/\(message)/save")
        }
    }

    private static let revealed = [
        "captured_at", #""place""#, "latitude", "48.858", "2.294", "2019-03", "March 2019", "Kamera-Werk",
        "Geheim 7",
    ]

    @Test("An app that may only upload can't read other photos; one that may see the library can")
    func apps() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo(TestPicture.taken(await TestPicture.jpeg(width: 400, height: 300)))
        let app = try await world.app()
        let path = "/api/v1/media/\(photo)"
        for (scope, isRevealed) in [
            ("write:media", false), ("write", false), ("write:media read:photos", true), ("read write", true),
        ] {
            let hers = try await app.logIn(ana, scope: scope)
            for answer in [
                try await hers.get(path), try await hers.send(.put, path, form: [:]),
                try await hers.send(.put, path, form: ["description": "The tower"]),
            ] {
                #expect(answer.status == 200 && answer["id"] == .text(photo))
                for mark in ["captured_at", #""place""#, "48.858"] {
                    #expect(answer.shows(mark) == isRevealed, "\(mark) with \(scope)")
                }
            }
        }
    }

    @Test("Only the owner sees it: no page, call or event shows it to anyone else")
    func answers() async throws {
        let scene = try await Scene()
        let (ana, ben, photo) = (scene.ana, scene.ben, scene.photo)
        for path in ["/api/v1/media", "/api/v2/media"] {
            let own = try await ana.post(path, multipart: [.file("file", scene.original)])
            #expect(own["captured_at"] == "2019-03-04T05:06:07.000Z")
            #expect(own.shows(#""latitude":48.8583"#) && own.shows(#""longitude":2.294"#))
        }
        for path in ["/api/v1/media/\(photo)", "/api/v1/photos/\(photo)"] {
            #expect(try await ana.get(path).shows(#""longitude":2.294"#))
            #expect(try await ben.get(path).status == 404)
        }
        #expect(try await ana.visit("/library/\(photo)").shows("March 2019"))
        let (post, chat, message) = (scene.post, scene.chat, scene.message)
        let shown = [
            "/api/v1/statuses/\(post)", "/api/v1/statuses/\(scene.comment)",
            "/api/v1/statuses/\(post)/context", "/api/v1/timelines/home", "/api/v1/timelines/public",
            "/api/v1/accounts/\(ana.id)/statuses", "/api/v1/bookmarks", "/api/v1/favourites",
            "/api/v1/notifications", "/api/v1/chats", "/api/v1/chats/\(chat)",
            "/api/v1/chats/\(chat)/messages", "/api/v1/chats/\(chat)/messages/\(message)",
            "/api/v1/timelines/between", "/home", "/@ana", "/saved", "/posts/\(post)",
            "/posts/\(scene.comment)/photos/1", "/posts/\(post)/report", "/feed", "/messages/\(chat)",
            "/messages/\(chat)/photos/\(message)", "/messages/\(chat)/\(message)/report",
        ]
        for path in shown {
            let answer = path.hasPrefix("/api") ? try await ben.get(path) : try await ben.visit(path)
            #expect(answer.status == 200 && answer.shows(photo), "\(path) doesn’t show the photo")
            for mark in Self.revealed { #expect(!answer.shows(mark), "\(path) shows \(mark)") }
        }
        let guests = try await scene.world.stranger.visit(scene.guestPath())
        #expect(guests.shows(photo))
        let events = scene.received.map { String(decoding: $0.data, as: UTF8.self) }.filter {
            $0.contains(photo)
        }
        #expect(events.count >= 3, "the post, the mention and the message")
        for mark in Self.revealed {
            #expect(!guests.shows(mark), "the guest link shows \(mark)")
            #expect(!events.contains { $0.contains(mark) }, "an event shows \(mark)")
        }
        // A copy is its new owner's, and doesn't know either.
        let saved = try await scene.saved()
        #expect(saved["captured_at"] == .null && saved["place"] == .null)
    }

    private func hasCapture(_ bytes: [UInt8]) -> Bool {
        ["Exif\0\0", "EXIF", "Kamera-Werk", "Geheim 7", "2019:03:04"].contains {
            Data(bytes).range(of: Data($0.utf8)) != nil
        }
    }

    @Test("Only the owner's original has what the camera wrote; no other picture that is served does")
    func bytes() async throws {
        let scene = try await Scene()
        let (ana, ben, photo) = (scene.ana, scene.ben, scene.photo)
        #expect(hasCapture(try await ana.get("/api/v1/photos/\(photo)/original").bytes))
        let copy = try #require(try await scene.saved()["id"].string)
        let guest = try await scene.guestPath()
        let portraits = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials", multipart: [.file("avatar", scene.original)])
        let portrait = try #require(portraits["avatar"].string?.split(separator: "/").last)
        var paths = ["/portraits/\(portrait)", "/portraits/\(portrait)/small"]
        for size in ["large", "medium", "square"] {
            paths += [
                "/photos/\(photo)/\(size)", "/photos/\(copy)/\(size)", "\(guest)/\(photo)/\(size)",
            ]
        }
        for path in paths {
            for type in ["image/webp,*/*", "image/jpeg"] {
                let answer = try await ben.get(path, headers: [.accept: type])
                #expect(answer.status == 200 && answer.bytes.count > 100, "\(path)")
                #expect(!hasCapture(answer.bytes), "\(path) as \(type)")
            }
        }
        let original = try await ben.get("/api/v1/photos/\(copy)/original")
        #expect(original.status == 200 && !hasCapture(original.bytes))
    }

    @Test("Nor does a picture that is seen once, sent from the library or newly taken")
    func once() async throws {
        let scene = try await Scene()
        let (ana, ben) = (scene.ana, scene.ben)
        var opened: [String] = []
        for source in [["photo_id": JSON.text(scene.photo)], ["media_id": try await media(scene, "snap")]] {
            var body = source
            body["feed_id"] = "memes"
            let snap = try await ana.post("/api/v1/snaps", json: .object(body))
            opened.append("/api/v1/snaps/\(try #require(snap["id"].string))/open")
        }
        for source in [
            ["photo_id": JSON.text(scene.photo)], ["media_id": try await media(scene, "view_once")],
        ] {
            var body = source
            body["view_once"] = true
            let sent = try await ana.post("/api/v1/chats/\(scene.chat)/messages", json: .object(body))
            opened.append(
                "/api/v1/chats/\(scene.chat)/messages/\(try #require(sent["id"].string))/open")
        }
        for path in opened {
            let picture = try await ben.get(try await ben.post(path).viewPath)
            #expect(picture.status == 200 && picture.bytes.count > 100, "\(path)")
            #expect(!hasCapture(picture.bytes), "\(path)")
        }
    }

    private func media(_ scene: Scene, _ purpose: String) async throws -> JSON {
        .text(try await scene.ana.photo(scene.original, purpose: purpose))
    }

    @Test("A download has it for the person's own pictures, but not for saved pictures of others")
    func download() async throws {
        let scene = try await Scene()
        _ = try await scene.saved()
        for person in [scene.ana, scene.ben] {
            #expect(try await person.submit("/settings/data").status == 303)
            try await scene.world.work()
            let page = try await person.visit("/settings/data").text
            let path = try #require(page.firstMatch(of: #/href="(/settings/data/\d+)"/#)).1
            // Photos lie in the file as they are.
            let zip = try await person.visit(String(path))
            #expect(zip.status == 200 && zip.shows("photos/"))
            #expect(hasCapture(zip.bytes) == (person.id == scene.ana.id))
        }
    }
}
