import HTTPTypes
import Testing

@Suite("Numbers and flags in queries")
struct QueryCheckTests {
    @Test(
        "What apps send is taken: repeated, empty and unknown parameters, zero for none, numbers of any size",
        arguments: [
            "limit=20&_pe=1&limit=20", "limit=", "limit=20&limit=", "limit=-5", "limit=0",
            "limit=99999999999999999999", "max_id=0", "max_id=", "max_id=0&_pe=1&limit=20", "local=1",
            "local=True", "local=on", "local=", "only_media=false", "exclude_unreviewed=x", "_pe=1",
        ])
    func taken(query: String) async throws {
        let ana = try await World().account("ana")
        for path in ["timelines/home", "timelines/public", "notifications"] {
            let answer = try await ana.get("/api/v1/\(path)?\(query)")
            #expect(answer.status == 200, "\(path): \(answer.text)")
        }
    }

    @Test(
        "What can't be read is refused by its name, also when only the head is asked for",
        arguments: [
            ("timelines/home", "limit", "abc"), ("timelines/home", "limit", "20.0"),
            ("timelines/public", "local", "maybe"), ("timelines/public", "max_id", "undefined"),
            ("notifications", "limit", "undefined"), ("notifications", "account_id", "ben"),
            ("directory", "offset", "99999999999999999999"), ("accounts/search", "offset", "abc"),
        ])
    func refused(path: String, name: String, value: String) async throws {
        let ana = try await World().account("ana")
        let path = "/api/v1/\(path)?q=ana&\(name)=\(value)"
        let answer = try await ana.get(path)
        #expect(answer.status == 422 && answer["details"][name].list.count == 1, "\(answer.text)")
        #expect(try await ana.send(.head, path).status == 422)
    }

    @Test("A number that is too large for any list is the most that the list gives")
    func large() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        for number in 1...21 { _ = try await people[0].post(caption: "\(number)", visibility: "public") }
        let answer = try await people[1].get("/api/v1/timelines/home?limit=99999999999999999999")
        #expect(answer.json.list.count == 21)
        let search = "/api/v2/search?type=accounts&q=ana"
        #expect(try await people[1].get(search)["accounts"].list.count == 1)
        #expect(try await people[1].get("\(search)&offset=99999999999999999999")["accounts"].list.isEmpty)
    }
}
