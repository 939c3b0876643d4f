import HTTPTypes
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("The language of a post")
struct LanguageTests {
    /// Posts a photo by the form of a new post. Returns the post.
    private func post(_ form: KeyValuePairs<String, String>, by person: Person) async throws -> JSON {
        let photo = try await person.photo()
        let parts = form.map { FormPart.text($0.key, $0.value) } + [.text("photo", photo)]
        let answer = try await person.submit("/posts", multipart: parts)
        #expect(answer.status == 303, "\(answer)")
        return try await person.get("/api/v1/timelines/home").json[0]
    }

    @Test("A new post begins with the language of Settings, and can be in another one, or in none")
    func new() async throws {
        let ana = try await World().account("ana")
        #expect(try await ana.visit("/posts/new").shows("<option value=\"und\">Not said</option>"))
        _ = try await ana.submit("/settings/posts", ["audience": "public", "language": "fr"])
        #expect(
            try await ana.visit("/posts/new").shows("<option value=\"fr\" lang=\"fr\" selected>Français"))
        #expect(try await post(["caption": "Bonjour"], by: ana)["language"] == "fr")
        #expect(try await post(["caption": "Hallo", "language": "nl"], by: ana)["language"] == "nl")
        #expect(try await post(["caption": "Moien", "language": "und"], by: ana)["language"] == .null)
        // A comment, and a post of an app, too.
        let mute = try await ana.post(
            "/api/v1/statuses",
            json: ["status": "…", "media_ids": [.text(try await ana.photo())], "language": "und"])
        #expect(mute["language"] == .null)
        let comment = try await ana.post(
            "/api/v1/statuses", json: ["status": "…", "in_reply_to_id": mute["id"], "language": "und"])
        #expect(comment["language"] == .null)
    }

    @Test("A refused form keeps the language, and says beside it when it isn't one")
    func refused() async throws {
        let ana = try await World().account("ana")
        let wordy = String(repeating: "a", count: 2_201)
        let refused = try await ana.submit("/posts", ["caption": wordy, "language": "pt"])
        #expect(refused.status == 422 && refused.shows("<option value=\"pt\" lang=\"pt\" selected>"))
        let mute = try await ana.submit("/posts", ["caption": wordy, "language": "und"])
        #expect(mute.status == 422 && !mute.shows("selected>"))
        let wrong = try await ana.submit("/posts", ["caption": "Hm", "language": "Klingon!"])
        #expect(wrong.status == 422 && wrong.shows("id=\"language-error\""))
    }

    @Test("An edit keeps the language, changes it, and takes it off; also one that apps have chosen")
    func edit() async throws {
        let ana = try await World().account("ana")
        let made = try await post(["caption": "Servus", "language": "de-AT"], by: ana)
        let id = try #require(made["id"].string)
        let path = "/posts/\(id)"
        func language() async throws -> JSON { try await ana.get("/api/v1/statuses/\(id)")["language"] }
        #expect(
            try await ana.visit("\(path)/options").shows("<option value=\"de-AT\" selected>de-AT</option>"))
        // A form from before has no such field.
        _ = try await ana.submit("\(path)/edit", ["caption": "Servus!", "audience": "private"])
        #expect(try await language() == "de-AT")
        _ = try await ana.submit(
            "\(path)/edit", ["caption": "Grüezi", "language": "de", "audience": "private"])
        #expect(try await language() == "de")
        _ = try await ana.submit("\(path)/edit", ["caption": "…", "language": "und", "audience": "private"])
        #expect(try await language() == .null)
        let wrong = try await ana.submit("\(path)/edit", ["caption": "Typed", "language": "Klingon!"])
        #expect(wrong.status == 422 && wrong.shows("id=\"language-error\"") && wrong.shows("Typed"))
    }
}
