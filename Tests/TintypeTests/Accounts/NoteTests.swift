import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

extension Person {
    fileprivate func note(_ text: String, about other: Person) async throws -> Answer {
        try await post("/api/v1/accounts/\(other.id)/note", json: ["comment": .text(text)])
    }

    fileprivate func noted(_ other: Person) async throws -> String? {
        try await get("/api/v1/accounts/relationships?id[]=\(other.id)").json[0]["note"].string
    }
}

@Suite("Notes about people")
struct NoteTests {
    @Test("A note is seen by its author alone, replaced, removed, and given in the download")
    func own() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        #expect(try await ana.noted(ben) == "")
        let answer = try await ana.note(" Met at the harbour\nOwes me a print ", about: ben)
        #expect(answer.status == 200 && answer["note"] == "Met at the harbour\nOwes me a print")
        #expect(answer["following"] == true)
        #expect(try await ana.note("Met in Bilbao", about: ben)["note"] == "Met in Bilbao")
        #expect(try await ana.visit("/@ben").shows("Met in Bilbao"))
        #expect(try await ben.noted(ana) == "")
        for path in ["/@ben", "/@ana", "/api/v1/accounts/\(ben.id)", "/settings"] {
            #expect(try await !ben.visit(path).shows("Bilbao"), "\(path)")
        }
        let rows = try await world.downloaded("notes", of: ana)
        #expect(rows.count == 1 && rows[0]["note"] == "Met in Bilbao")
        #expect(rows[0]["username"] == "ben")
        #expect(try await ana.note("", about: ben)["note"] == "")
        #expect(try await ana.noted(ben) == "")
        #expect(try await world.number("SELECT count(*) FROM account_notes") == 0)
    }

    @Test("The profile has the note, where it is edited without scripts; a refused one keeps its text")
    func page() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        #expect(try await ana.visit("/@ben").shows("Add a note"))
        #expect(try await !ana.visit("/@ana").shows("Add a note"))
        let saved = try await ana.submit("/@ben/note", ["comment": "Plays the <oboe>"])
        #expect(saved.status == 303 && saved.headers[.location] == "/@ben")
        #expect(try await ana.visit("/@ben").shows("<bdi>Plays the &lt;oboe&gt;</bdi>"))
        let long = String(repeating: "x", count: 2_001)
        let refused = try await ana.submit("/@ben/note", ["comment": long])
        #expect(refused.status == 422)
        #expect(refused.shows(long) && refused.shows("That is 2,001 characters; the limit is 2,000."))
        #expect(try await ana.noted(ben) == "Plays the <oboe>")
        #expect(try await ana.submit("/@ana/note", ["comment": "Me"]).status == 422)
        #expect(try await world.stranger.submit("/@ben/note", ["comment": "x"]).status != 200)
    }

    @Test("Nobody writes about themselves, too long, or about somebody whom they can't see")
    func refused() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        #expect(try await ana.note("Me", about: ana).status == 422)
        #expect(try await ana.note(String(repeating: "é", count: 2_000), about: ben).status == 200)
        let long = try await ana.note(String(repeating: "é", count: 2_001), about: ben)
        #expect(long.status == 422 && long["details"]["comment"][0]["error"] == "ERR_TOO_LONG")
        #expect(try await ana.post("/api/v1/accounts/1/note", json: ["comment": "x"]).status == 404)
        try await ben.block(ana)
        #expect(try await ana.note("Blocked", about: ben).status == 404)
        #expect(try await world.stranger.note("x", about: ben).status == 401)
    }

    @Test("A note goes with the account of either")
    func erased() async throws {
        for isAuthor in [true, false] {
            let world = try await World()
            let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
            _ = try await world.account("olga", isAdmin: true)
            _ = try await ana.note("Gone soon", about: ben)
            let leaving = isAuthor ? ana : ben
            #expect(
                try await leaving.submit(
                    "/settings/delete", ["password": "correct horse", "username": leaving.username]
                ).status == 303)
            try await world.work()
            #expect(try await world.number("SELECT count(*) FROM account_notes") == 0)
        }
    }
}

@Suite("People and posts by their ids, and the directory")
struct ManyByIDTests {
    @Test("People come in the order of their ids, at most 40, and only those who can be seen")
    func people() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let (cleo, dora) = (try await world.account("cleo"), try await world.account("dora"))
        try await dora.block(ana)
        let query = [ben.id, cleo.id, dora.id, ana.id, ben.id].map { "id[]=\($0)" }.joined(separator: "&")
        let found = try await ana.get("/api/v1/accounts?\(query)&id[]=1&id[]=x")
        #expect(found.status == 200)
        #expect(found.json.list.map { $0["username"].string } == ["ben", "cleo", "ana"])
        let many = (0..<40).map { "id[]=\($0 + 1)" }.joined(separator: "&")
        #expect(try await ana.get("/api/v1/accounts?\(many)&id[]=\(ben.id)").json == [])
        #expect(try await ana.get("/api/v1/accounts").json == [])
        #expect(try await world.stranger.get("/api/v1/accounts?id[]=\(ben.id)").status == 401)
    }

    @Test("Posts and comments come in the order of their ids, and only those who can be seen")
    func posts() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let hidden = try await ben.post(caption: "For followers")
        let open = try await ben.post(caption: "For all", visibility: "public")
        let mine = try await ana.post(caption: "Mine")
        let comment = try await ana.comment("Below", on: open)
        let query = [mine, hidden, comment, open, mine].map { "id[]=\($0)" }.joined(separator: "&")
        let found = try await ana.get("/api/v1/statuses?\(query)&id[]=1")
        #expect(found.json.list.map { $0["text"].string } == ["Mine", "Below", "For all"])
        #expect(try await ana.get("/api/v1/statuses").json == [])
        try await ben.block(ana)
        #expect(try await ana.get("/api/v1/statuses?\(query)").json.list.count == 1)
        #expect(try await world.stranger.get("/api/v1/statuses?id[]=\(open)").status == 401)
    }

    @Test("The directory lists who wants to be found, by their newest posts or accounts, in pages")
    func directory() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        var people: [Person] = []
        for name in ["ben", "cleo", "dora", "emil", "fritz"] { people.append(try await world.account(name)) }
        _ = try await people[0].post(caption: "Newest")
        _ = try await people[1].send(
            .patch, "/api/v1/accounts/update_credentials", json: ["discoverable": false])
        _ = try await ana.post("/api/v1/accounts/\(people[2].id)/mute")
        try await people[3].block(ana)
        func names(_ query: String) async throws -> [String?] {
            let answer = try await ana.get("/api/v1/directory?\(query)")
            #expect(answer.status == 200)
            return answer.json.list.map { $0["username"].string }
        }
        #expect(try await names("order=new") == ["fritz", "ben"])
        #expect(try await names("order=active&local=true") == ["ben", "fritz"])
        #expect(try await names("") == ["ben", "fritz"])
        #expect(try await names("order=new&limit=1") == ["fritz"])
        #expect(try await names("order=new&limit=1&offset=1") == ["ben"])
        #expect(try await names("order=new&offset=2") == [])
        for wrong in ["order=best", "offset=1000", "offset=-1"] {
            #expect(try await ana.get("/api/v1/directory?\(wrong)").status == 422, "\(wrong)")
        }
        #expect(try await world.stranger.get("/api/v1/directory").status == 401)
    }
}
