import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Covered posts")
struct CoverTests {
    @Test(
        "An app's warning covers picture and caption for everyone, and is changed and taken off by its author"
    )
    func warning() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let made = try await ana.post(
            "/api/v1/statuses",
            json: [
                "status": "The spider", "media_ids": [.text(try await ana.photo())],
                "spoiler_text": "Spiders <b>", "language": "de",
            ])
        let path = "/api/v1/statuses/\(try #require(made["id"].string))"
        let seen = try await ben.get(path)
        #expect(
            seen["sensitive"] == true && seen["spoiler_text"] == "Spiders <b>" && seen["language"] == "de")
        let home = try await ben.visit("/home").text
        #expect(home.contains("<details class=\"covered\" data-warning=\"Spiders &lt;b&gt;\">"))
        #expect(home.contains("<bdi>Spiders &lt;b&gt;</bdi>") && home.contains("lang=\"de\""))
        // In small forms the picture doesn't stand at all.
        #expect(try await ben.visit("/@ana").text.contains("Covered post by ana"))
        // Sensitive alone says nothing of the words, which stay.
        _ = try await ana.send(.put, path, json: ["sensitive": true])
        #expect(try await ben.get(path)["spoiler_text"] == "Spiders <b>")
        _ = try await ana.send(.put, path, json: ["spoiler_text": ""])
        let bare = try await ben.get(path)
        #expect(bare["sensitive"] == false && bare["spoiler_text"] == "" && bare["text"] == "The spider")
        #expect(try await !ben.visit("/home").text.contains("covered"))
        // What it said before is kept for the author.
        let history = try await ana.get("\(path)/history").json.list
        #expect(history.map { $0["spoiler_text"].string } == ["Spiders <b>", ""])
        #expect(history.map { $0["sensitive"] } == [true, false])
    }

    @Test("A comment with a warning is folded, and a warning or language that is wrong is refused")
    func comment() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Film night")
        let comment = try await ben.post(
            "/api/v1/statuses",
            json: ["status": "The gardener did it", "in_reply_to_id": .text(post), "spoiler_text": "The end"])
        #expect(comment["spoiler_text"] == "The end" && comment["sensitive"] == true)
        let page = try await ana.visit("/posts/\(post)/comments").text
        #expect(page.contains("<details class=\"folded\">") && page.contains("<bdi>The end</bdi>"))
        for (field, value) in [
            ("spoiler_text", String(repeating: "x", count: 201)), ("language", "German!"),
        ] {
            let refused = try await ben.post(
                "/api/v1/statuses",
                json: .object(["status": "Hm", "in_reply_to_id": .text(post), field: .text(value)]))
            #expect(refused.status == 422 && refused["details"][field].list.count == 1)
        }
    }

    @Test("The form of a comment covers it, and keeps its cover when it is refused")
    func commentForm() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Film night")
        let path = "/posts/\(post)/comments"
        func newest() async throws -> JSON {
            try await ana.get("/api/v1/statuses/\(post)/context")["descendants"].list.last ?? .null
        }
        _ = try await ben.submit(
            path, ["text": "The gardener did it", "covered": "true", "warning": "The <end>"])
        let comment = try await newest()
        #expect(comment["spoiler_text"] == "The <end>" && comment["sensitive"] == true)
        #expect(try await ana.visit(path).shows("<bdi>The &lt;end&gt;</bdi>"))
        // Words that are left in the field while the switch is off cover nothing.
        _ = try await ben.submit(path, ["text": "Plain", "warning": "Left over"])
        #expect(try await newest()["sensitive"] == false)
        _ = try await ben.submit(path, ["text": "Wordless", "covered": "true", "warning": " "])
        #expect(try await newest()["sensitive"] == true)
        #expect(try await ana.visit(path).shows("Covered comment"))

        let wordy = try await ben.submit(
            path, ["text": "Typed", "covered": "true", "warning": String(repeating: "x", count: 201)])
        #expect(wordy.status == 422 && wordy.shows("id=\"warning-error\"") && !wordy.shows("text-error"))
        #expect(wordy.shows(">Typed</textarea>") && wordy.shows("name=\"covered\" value=\"true\" checked"))
        let blank = try await ben.submit(path, ["text": "", "covered": "true", "warning": "Kept"])
        #expect(blank.status == 422 && blank.shows("id=\"text-error\"") && blank.shows("value=\"Kept\""))
        #expect(!blank.shows("warning-error"))
    }

    @Test("The author of a comment changes its words, language and cover on a page of its own; nobody else")
    func commentEdit() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Film night")
        let made = try await ben.post(
            "/api/v1/statuses",
            json: [
                "status": "The gardener", "in_reply_to_id": .text(post), "spoiler_text": "The end",
                "language": "de",
            ])
        let id = try #require(made["id"].string)
        let (path, thread) = ("/posts/\(id)/edit", "/posts/\(post)/comments?at=\(id)#comment-\(id)")
        #expect(try await ben.visit("/posts/\(post)/comments").shows("href=\"\(path)\">Edit</a>"))
        #expect(try await !ana.visit("/posts/\(post)/comments").shows("/edit\""))
        let form = try await ben.visit(path)
        #expect(form.shows(">The gardener</textarea>") && form.shows("value=\"The end\""))
        #expect(form.shows("<option value=\"de\" lang=\"de\" selected>") && !form.shows("audience"))
        #expect(try await ana.visit(path).status == 404)
        #expect(try await ana.submit(path, ["caption": "Mine"]).status == 404)
        // The options of a comment are this page, or for others the thread.
        #expect(try await ben.visit("/posts/\(id)/options").headers[.location] == path)
        #expect(try await ana.visit("/posts/\(id)/options").headers[.location] == thread)
        #expect(try await ana.visit("/posts/\(post)/edit").headers[.location] == "/posts/\(post)/options")

        let saved = try await ben.submit(
            path, ["caption": "The cook", "language": "nl", "covered": "true", "warning": "Spoiler"])
        #expect(saved.status == 303 && saved.headers[.location] == thread)
        let changed = try await ana.get("/api/v1/statuses/\(id)")
        #expect(changed["text"] == "The cook" && changed["language"] == "nl")
        #expect(changed["spoiler_text"] == "Spoiler" && changed["sensitive"] == true)
        _ = try await ben.submit(path, ["caption": "The cook", "warning": "Spoiler"])
        #expect(try await ana.get("/api/v1/statuses/\(id)")["sensitive"] == false)
        let blank = try await ben.submit(path, ["caption": "", "covered": "true", "warning": "Kept"])
        #expect(blank.status == 422 && blank.shows("id=\"caption-error\"") && blank.shows("value=\"Kept\""))
        #expect(blank.shows("Write something, or delete the comment."))
    }

    @Test("Each person chooses whether they see what is covered, all pictures covered, or none")
    func covering() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let harmless = try await ana.post(caption: "Harmless")
        _ = try await ana.comment("Look, @ben", on: harmless)
        _ = try await ana.post(
            "/api/v1/statuses",
            json: [
                "status": "Gruesome", "media_ids": [.text(try await ana.photo())], "sensitive": true,
            ])
        func covers(_ choice: String?) async throws -> Int {
            if let choice { _ = try await ben.submit("/settings/posts", ["covering": choice]) }
            return try await ben.visit("/home").text.components(separatedBy: "class=\"covered\"").count - 1
        }
        /// Whether the small picture of the harmless post is there on a page.
        func shows(_ page: String) async throws -> Bool {
            try await ben.visit(page).shows("width=\"240\"")
        }
        let pages = ["/posts/\(harmless)/options", "/posts/\(harmless)/share", "/notifications"]
        #expect(try await covers(nil) == 1)
        for page in pages { #expect(try await shows(page)) }
        #expect(try await covers("all") == 2)
        for page in pages { #expect(try await !shows(page), "\(page)") }
        #expect(try await ben.get("/api/v1/preferences")["reading:expand:media"] == "hide_all")
        #expect(try await covers("none") == 0)
        // Others aren't concerned, and the other settings neither.
        #expect(try await ana.visit("/home").text.contains("class=\"covered\""))
    }

    @Test("New posts begin with what Settings or an app says, and a post's own choice wins")
    func defaults() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.submit(
            "/settings/posts",
            ["audience": "public", "covered": "true", "language": "fr", "covering": "marked"])
        let source = try await ana.get("/api/v1/accounts/verify_credentials")["source"]
        #expect(source["privacy"] == "public" && source["sensitive"] == true && source["language"] == "fr")
        func post(_ more: [String: JSON] = [:]) async throws -> Answer {
            let photo = JSON.text(try await ana.photo())
            let json: [String: JSON] = ["status": "x", "media_ids": [photo]]
            return try await ana.post("/api/v1/statuses", json: .object(json.merging(more) { $1 }))
        }
        let plain = try await post()
        #expect(plain["visibility"] == "public" && plain["sensitive"] == true && plain["language"] == "fr")
        // Apps say that there are no words, and nothing of the cover.
        #expect(try await post(["spoiler_text": ""])["sensitive"] == true)
        let comment = try await ana.post(
            "/api/v1/statuses", json: ["status": "Oui", "in_reply_to_id": plain["id"]])
        #expect(comment["language"] == "fr" && comment["sensitive"] == false)
        let own = try await post(["visibility": "private", "sensitive": false, "language": "nl"])
        #expect(own["visibility"] == "private" && own["sensitive"] == false && own["language"] == "nl")
        let changed = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials",
            json: ["source": ["privacy": "unlisted", "sensitive": false, "language": ""]])
        #expect(changed["source"]["privacy"] == "unlisted" && changed["source"]["language"] == "")
        #expect(try await ana.visit("/posts/new").text.contains("value=\"unlisted\" required checked"))
        let refused = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials", json: ["source": ["language": "Klingon!"]])
        #expect(refused.status == 422)
    }

    @Test("A comment that would be seen by more people than its author chose is refused")
    func visibilityOfComment() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        for person in people {
            _ = try await person.send(
                .patch, "/api/v1/accounts/update_credentials", json: ["source": ["privacy": "public"]])
        }
        for (visibility, refused) in [("public", ["private"]), ("unlisted", ["private"]), ("private", [])] {
            let post = try await ana.post(caption: "Look", visibility: visibility)
            for chosen in ["public", "unlisted", "private"] {
                let answer = try await ben.post(
                    "/api/v1/statuses",
                    json: ["status": "Nice", "in_reply_to_id": .text(post), "visibility": .text(chosen)])
                #expect(
                    answer.status == (refused.contains(chosen) ? 422 : 200), "\(chosen) below \(visibility)")
            }
        }
        let post = try await ana.post(caption: "Look", visibility: "public")
        let comment = try await ben.comment("Nice", on: post)
        let deeper = try await ana.post(
            "/api/v1/statuses",
            json: ["status": "Thanks", "in_reply_to_id": .text(comment), "visibility": "private"])
        #expect(deeper.status == 422 && deeper.text.contains("this post is for everyone here"))
        let nonsense = try await ana.post(
            "/api/v1/statuses",
            json: ["status": "Thanks", "in_reply_to_id": .text(comment), "visibility": "friends"])
        #expect(nonsense.status == 422)
        #expect(try await ana.get("/api/v1/statuses/\(comment)/context")["descendants"].list.isEmpty)
    }

    @Test("An app that answers with what a new account's posts begin with is told who sees the comment")
    func commentByDefault() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        #expect(try await ben.get("/api/v1/preferences")["posting:default:visibility"] == "private")
        let post = try await ana.post(caption: "Look", visibility: "public")
        let answer = try await ben.post(
            "/api/v1/statuses",
            json: ["status": "Nice", "in_reply_to_id": .text(post), "visibility": "private"])
        #expect(answer.status == 200 && answer["visibility"] == "public")
    }

    @Test("An empty list of photos takes them off a comment; a post keeps at least one")
    func noPhotos() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "Look")
        let comment = try await ben.post(
            "/api/v1/statuses",
            json: [
                "status": "Mine", "in_reply_to_id": .text(post), "media_ids": [.text(try await ben.photo())],
            ])
        let path = "/api/v1/statuses/\(comment["id"].string ?? "")"
        #expect(
            try await ben.send(.put, path, json: ["status": "Still"])["media_attachments"].list.count == 1)
        #expect(try await ben.send(.put, path, json: ["media_ids": []])["media_attachments"].list.isEmpty)
        let refused = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["media_ids": []])
        #expect(refused.status == 422 && refused.text.contains("at least one photo"))
        #expect(try await ana.get("/api/v1/statuses/\(post)")["media_attachments"].list.count == 1)
    }

    @Test("An unlisted post is on the profile and behind its link, but not in the list of everyone")
    func unlisted() async throws {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        let post = try await ana.post(caption: "Quiet", visibility: "unlisted")
        #expect(try await eve.get("/api/v1/statuses/\(post)")["visibility"] == "unlisted")
        #expect(try await eve.get("/api/v1/accounts/\(ana.id)/statuses").json.list.count == 1)
        #expect(try await eve.get("/api/v1/timelines/public").json.list.isEmpty)
        #expect(try await !eve.visit("/home?show=everyone").text.contains("Quiet"))
        // Narrowed, it is gone for those who don't follow.
        let narrowed = try await ana.send(
            .put, "/api/v1/statuses/\(post)", json: ["visibility": "private"])
        #expect(narrowed["visibility"] == "private")
        #expect(try await eve.get("/api/v1/statuses/\(post)").status == 404)
    }

    @Test("Somebody who has a post on screen and may no longer see it is told that it is gone")
    func narrowed() async throws {
        let world = try await World()
        let (ana, ben, eve) = (
            try await world.account("ana"), try await world.account("ben"), try await world.account("eve")
        )
        try await ben.follow(ana)
        let post = try await ana.post(caption: "For all", visibility: "public")
        for (person, awaited, others) in [(eve, "delete", "status.update"), (ben, "status.update", "delete")]
        {
            _ = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["visibility": "public"])
            let received = try await person.receives(until: "event: \(awaited)\n") {
                _ = try await ana.send(.put, "/api/v1/statuses/\(post)", json: ["visibility": "private"])
            }
            #expect(received.contains(post) && !received.contains("event: \(others)"))
        }
    }

    @Test("Photos of a post are put in order, exchanged and described, and only those of their author")
    func photos() async throws {
        let people = try await World().friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let photos = [try await ana.photo(), try await ana.photo(), try await ana.photo()]
        let post = try await ana.post(caption: "Three", photos: [photos[0], photos[1]])
        let path = "/api/v1/statuses/\(post)"
        let changed = try await ana.send(
            .put, path,
            json: [
                "media_ids": [.text(photos[2]), .text(photos[0])],
                "media_attributes": [["id": .text(photos[2]), "description": "The harbour"]],
            ])
        #expect(changed["media_attachments"].list.map { $0["id"].string } == [photos[2], photos[0]])
        #expect(changed["media_attachments"][0]["description"] == "The harbour")
        #expect(changed["text"] == "Three")
        // What is no longer in the post, nobody else sees.
        #expect(try await ben.visit("/photos/\(photos[1])/large").status == 404)
        #expect(try await ben.visit("/photos/\(photos[2])/large").status == 200)
        let others = try await ana.send(.put, path, json: ["media_ids": [.text(try await ben.photo())]])
        #expect(others.status == 422)
        let twice = try await ana.send(.put, path, json: ["media_ids": [.text(photos[0]), .text(photos[0])]])
        #expect(twice.status == 422)
        #expect(try await ben.get(path)["media_attachments"].list.count == 2)
    }
}
