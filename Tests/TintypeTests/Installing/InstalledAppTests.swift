import HTTPTypes
import Testing

@testable import Core
@testable import Serving

/// What a phone finds of the installed app: its manifest, and where other apps send photos.
@Suite("The installed app")
struct InstalledAppTests {
    @Test("What the manifest leads to is there, and it is the same for everyone, with or without a log-in")
    func manifest() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let manifest = try await ana.visit("/manifest.webmanifest")
        #expect(manifest.headers[.contentType] == "application/manifest+json")
        let stranger = try await world.send(.get, "/manifest.webmanifest")
        #expect(stranger.text == manifest.text)
        #expect(manifest["id"] == "/home" && manifest["start_url"] == "/home")
        let shortcuts = manifest["shortcuts"].list
        #expect(shortcuts.map { $0["name"] } == ["New Post", "Snap", "Messages"])
        for shortcut in shortcuts {
            let path = try #require(shortcut["url"].string)
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        for icon in manifest["icons"].list + shortcuts.flatMap({ $0["icons"].list }) {
            let path = try #require(icon["src"].string)
            #expect(try await ana.visit(path).status == 200, "\(path)")
        }
        let target = manifest["share_target"]
        #expect(target["method"] == "POST" && target["enctype"] == "multipart/form-data")
        #expect(try await ana.visit(try #require(target["action"].string)).status == 200)
    }

    @Test("Without a service worker, shared photos go to the library, or the log-in is asked for")
    func shared() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = FormPart.file("photos", try await TestPicture.jpeg())
        let taken = try await ana.submit("/share", multipart: [photo])
        #expect(taken.status == 303 && taken.headers[.location] == "/library")
        #expect(try await ana.get("/api/v1/photos").json.list.count == 1)
        // Nothing is stored of what nobody is logged in for.
        let files = try await world.fileCount()
        let stranger = try await world.send(
            .post, "/share", headers: [.fetchSite: "none", .contentType: FormPart.contentType],
            body: FormPart.body([photo]))
        #expect(stranger.status == 303 && stranger.headers[.location] == "/login")
        #expect(try await world.fileCount() == files)
        // Another site can't put photos into a library.
        let other = try await world.send(
            .post, "/share",
            headers: [
                .fetchSite: "cross-site", .contentType: FormPart.contentType,
                .cookie: "\(Session.cookieName(isSecure: false))=\(ana.token ?? "")",
            ], body: FormPart.body([photo]))
        #expect(other.status == 403)
        let text = try await ana.submit("/share", multipart: [.text("text", "Only words")])
        #expect(text.status == 303 && text.headers[.location] == "/share")
        let fake = try await ana.submit(
            "/share", multipart: [.file("photos", Array("Not a picture".utf8))])
        #expect(fake.status == 303 && fake.headers[.location] == "/library")
        #expect(try await ana.get("/api/v1/photos").json.list.count == 1)
    }
}
