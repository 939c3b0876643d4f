import HTTPTypes
import Testing

@testable import Tintype

@Suite("Profiles")
struct ProfileTests {
    @Test("Name, username and bio are changed, and what is wrong is explained beside its field")
    func change() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await world.account("ben")
        for (username, sentence) in [("BEN", "is taken"), ("a b", "Use letters"), ("", "Choose a username")] {
            let refused = try await ana.submit(
                "/settings/profile",
                multipart: [
                    .text("username", username), .text("display_name", "Ana"), .text("note", "Typed"),
                ])
            #expect(refused.status == 422 && refused.shows(sentence) && refused.shows("Typed"))
        }
        let saved = try await ana.submit(
            "/settings/profile",
            multipart: [
                .text("username", "Ana.Maria"), .text("display_name", "Ana María"), .text("note", "Film <3"),
                .file("portrait", try await TestPicture.jpeg()),
            ])
        #expect(saved.headers[.location] == "/settings")
        let page = try await ana.visit("/@ana.maria")
        #expect(page.shows("Film &lt;3") && page.shows("/portraits/"))
        #expect(try await ana.visit("/@ana").status == 404)
        // The old portrait goes from the disk when a new one comes.
        let before = try await world.fileCount()
        _ = try await ana.submit(
            "/settings/profile",
            multipart: [
                .text("username", "Ana.Maria"), .text("display_name", "Ana"), .text("note", ""),
                .file("portrait", try await TestPicture.jpeg()),
            ])
        try await world.work()
        #expect(try await world.fileCount() == before)
    }

    @Test("Who has no portrait has initials, for anyone who asks, drawn without markup from the name")
    func initials() async throws {
        let world = try await World()
        let ana = try await world.account("ana", displayName: "<b> & Zoë \"Q\" 'x")
        let avatar = try await ana.get("/api/v1/accounts/verify_credentials")["avatar"].string
        #expect(avatar == "http://localhost/initials/\(ana.id).svg")
        let drawing = try await world.stranger.get("/initials/\(ana.id).svg")
        #expect(drawing.status == 200 && drawing.headers[.contentType] == "image/svg+xml")
        #expect(drawing.shows(">&lt;&#39;</text>"))
        #expect(try await world.stranger.get("/initials/1.svg").status == 404)
        #expect(Initials.letters(of: "maite de ugarte") == "MU")
        #expect(Initials.letters(of: " ") == "?")
    }
}
