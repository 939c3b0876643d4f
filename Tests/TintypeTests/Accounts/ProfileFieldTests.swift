import HTTPTypes
import Testing

@testable import Core

@Suite("The lines of a profile, and who is suggested")
struct ProfileFieldTests {
    private let path = "/api/v1/accounts/update_credentials"

    @Test("An app sends fields as a form, a list or numbered objects; they are answered and shown")
    func ways() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let ben = try await world.account("ben")
        func own() async throws -> [[String?]] {
            let account = try await ana.get("/api/v1/accounts/verify_credentials")
            return account["source"]["fields"].list.map { [$0["name"].string, $0["value"].string] }
        }
        _ = try await ana.send(
            .patch, path,
            form: [
                "fields_attributes[0][name]": "Website",
                "fields_attributes[0][value]": "https://example.org/a",
                "fields_attributes[1][name]": " ", "fields_attributes[1][value]": "",
                "fields_attributes[3][name]": "<Pronouns>", "fields_attributes[3][value]": "she & her",
            ])
        #expect(try await own() == [["Website", "https://example.org/a"], ["<Pronouns>", "she & her"]])
        let seen = try await ben.get("/api/v1/accounts/\(ana.id)")["fields"]
        #expect(seen.list.count == 2 && seen[0]["verified_at"] == .null)
        #expect(seen[0]["value"].string?.contains("<a href=\"https://example.org/a\"") == true)
        #expect(seen[1]["name"] == "<Pronouns>" && seen[1]["value"] == "she &amp; her")
        let page = try await ben.visit("/@ana")
        #expect(page.shows("href=\"https://example.org/a\"") && page.shows("&lt;Pronouns&gt;"))

        _ = try await ana.send(
            .patch, path, json: ["fields_attributes": [["name": "Camera", "value": "Olympus XA"]]])
        #expect(try await own() == [["Camera", "Olympus XA"]])
        _ = try await ana.send(
            .patch, path,
            json: [
                "fields_attributes": [
                    "1": ["name": "B", "value": "2"], "0": ["name": "A", "value": "1"],
                ]
            ])
        #expect(try await own() == [["A", "1"], ["B", "2"]])
        // A change that doesn't name them keeps them, and an empty list removes them.
        _ = try await ana.send(.patch, path, json: ["note": "Film"])
        #expect(try await own() == [["A", "1"], ["B", "2"]])
        _ = try await ana.send(.patch, path, json: ["fields_attributes": []])
        #expect(try await own() == [])
        #expect(try await !ben.visit("/@ana").shows("class=\"fields\""))
        // So does an empty object, which is what apps send that number their fields.
        _ = try await ana.send(.patch, path, json: ["fields_attributes": [["name": "A", "value": "1"]]])
        _ = try await ana.send(.patch, path, json: ["fields_attributes": .object([:])])
        #expect(try await own() == [])
    }

    @Test("What is no list of fields is refused, and removes none")
    func noList() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.send(.patch, path, json: ["fields_attributes": [["name": "A", "value": "1"]]])
        let wrong: [JSON] = ["x", ["Camera"], ["a": ["name": "B", "value": "2"]]]
        for fields in wrong {
            let answer = try await ana.send(
                .patch, path, json: ["fields_attributes": fields, "source": ["privacy": "unlisted"]])
            #expect(answer.status == 422, "\(fields)")
        }
        let foreign = try await ana.send(
            .patch, path, json: ["note": "Not kept", "source": ["language": "not a language"]])
        #expect(foreign.status == 422)
        let account = try await ana.get("/api/v1/accounts/verify_credentials")
        #expect(account["source"]["note"] == "")
        #expect(account["source"]["fields"].list.count == 1)
        #expect(account["source"]["privacy"] != "unlisted")
    }

    @Test(
        "Fields that can't be kept are refused whole, with a sentence beside the one",
        arguments: [
            (["": "x"], "fields_attributes[0][name]", "Enter a label."),
            (["Website": " "], "fields_attributes[0][value]", "Enter a text."),
            (["a\nb": "x"], "fields_attributes[0][name]", "one line"),
            (["a": String(repeating: "x", count: 256)], "fields_attributes[0][value]", "at most 255"),
            (["a": "1", "b": "2", "c": "3", "d": "4", "e": "5"], "fields_attributes", "at most 4 fields"),
        ] as [([String: String], String, String)])
    func refused(fields: [String: String], member: String, sentence: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let list = fields.map { JSON.object(["name": .text($0.key), "value": .text($0.value)]) }
        let answer = try await ana.send(
            .patch, path, json: ["fields_attributes": .list(list), "note": "Not kept"])
        #expect(answer.status == 422)
        #expect(answer["details"][member][0]["description"].string?.contains(sentence) == true, "\(answer)")
        let account = try await ana.get("/api/v1/accounts/verify_credentials")
        #expect(account["fields"] == [] && account["source"]["note"] == "")
    }

    @Test("The form of the profile changes fields, and keeps what was typed when one is wrong")
    func form() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        func send(_ name: String, _ value: String) async throws -> Answer {
            try await ana.submit(
                "/settings/profile",
                multipart: [
                    .text("username", "ana"), .text("display_name", "Ana"), .text("note", ""),
                    .text("fields_attributes[0][name]", name), .text("fields_attributes[0][value]", value),
                ])
        }
        let wrong = try await send("", "Lisbon typed")
        #expect(wrong.status == 422 && wrong.shows("Lisbon typed") && wrong.shows("Enter a label."))
        #expect(try await send("From", "Lisbon").status == 303)
        #expect(try await ana.visit("/settings/profile").shows("value=\"Lisbon\""))
        #expect(try await ana.visit("/@ana").shows("Lisbon"))
        #expect(try await send("", "").status == 303)
        #expect(try await !ana.visit("/@ana").shows("Lisbon"))
    }

    @Test("Fields that were typed are still there when the banner is too large")
    func tooLarge() async throws {
        let world = try await World(sharesProcessor: false) { $0.pictureBytes = 20_000 }
        let ana = try await world.account("ana")
        let refused = try await ana.submit(
            "/settings/profile",
            multipart: [
                .text("username", "ana"), .text("display_name", "Ana"), .text("note", ""),
                .text("fields_attributes[0][name]", "From"),
                .text("fields_attributes[0][value]", "Lisbon typed"),
                .file("header", [UInt8](repeating: 0, count: 30_000)),
            ])
        #expect(refused.status == 413)
        #expect(refused.shows("Lisbon typed"))
    }

    @Test("Who doesn't want to be discovered isn't suggested, whether an app says so or the settings")
    func discoverable() async throws {
        let world = try await World()
        let people = [
            try await world.account("ana"), try await world.account("ben"), try await world.account("cleo"),
        ]
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        try await ana.follow(ben)
        try await ben.follow(cleo)
        func suggested() async throws -> [String?] {
            try await ana.get("/api/v1/suggestions").json.list.map { $0["username"].string }
        }
        #expect(try await suggested() == ["cleo"])
        let changed = try await cleo.send(.patch, path, json: ["discoverable": false])
        #expect(changed["discoverable"] == false && changed["source"]["discoverable"] == false)
        #expect(try await suggested() == [])
        _ = try await cleo.send(.patch, path, json: ["note": "Kept"])
        #expect(try await cleo.get("/api/v1/accounts/verify_credentials")["discoverable"] == false)
        _ = try await cleo.submit("/settings/privacy", ["discoverable": "true"])
        #expect(try await suggested() == ["cleo"])
        _ = try await cleo.submit("/settings/privacy")
        #expect(try await suggested() == [])
    }

    @Test(
        "What isn't kept of a profile is refused with a sentence, and nothing else of the call is kept",
        arguments: [
            ("bot", "true"), ("hide_collections", "1"), ("indexable", "true"),
            ("avatar_description", "A face"),
            ("header_description", "The sea"), ("attribution_domains[]", "example.org"),
            ("source[quote_policy]", "public"), ("avatar", "data:image/png;base64,AAAA"),
            ("header", "https://example.org/sea.jpg"),
        ])
    func notKept(name: String, value: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let answer = try await ana.post(path, form: [name: value, "note": "x", "source[privacy]": "private"])
        #expect(answer.status == 422)
        let sentence = answer["details"][name][0]["description"].string ?? ""
        #expect(sentence.count > 20 && sentence.hasSuffix("."), "\(answer)")
        #expect(try await ana.get("/api/v1/accounts/verify_credentials")["source"]["note"] == "")
        // What apps send with every change, as it is anyway.
        for nothing in ["", "false"] {
            #expect(try await ana.post(path, form: [name: nothing, "note": "y"]).status == 200, "\(nothing)")
        }
        #expect(try await ana.get("/api/v1/accounts/verify_credentials")["source"]["note"] == "y")
    }
}
