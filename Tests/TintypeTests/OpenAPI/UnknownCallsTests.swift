import HTTPTypes
import Testing

@Suite("Calls that don't exist")
struct UnknownCallsTests {
    @Test(
        "What other servers have is named, with a log-in and without",
        arguments: [
            ("GET", "/api/v1/lists/1", "lists"), ("DELETE", "/api/v1/lists/1/accounts", "lists"),
            ("GET", "/api/v1/timelines/list/1", "lists"), ("GET", "/api/v1/polls/1", "polls"),
            ("POST", "/api/v1/polls/1/votes", "polls"), ("GET", "/api/v2/filters/1", "filters"),
            ("POST", "/api/v1/tags/dogs/follow", "hashtags"), ("GET", "/api/v1/featured_tags", "hashtags"),
            ("GET", "/api/v1/admin/accounts", "administration by apps"),
            ("POST", "/api/v1/statuses/1/translate", "translations"),
            ("POST", "/api/v1/accounts/1/note", "notes about people"),
            ("POST", "/api/v1/accounts/1/endorse", "featured people"),
            ("GET", "/api/v1/timelines/link", "timelines of links"),
            ("GET", "/api/v1/directory", "a directory of people"),
            ("PUT", "/api/v1/scheduled_statuses/1", "scheduled posts"),
            ("GET", "/api/v1/nothing", "this call"),
            ("GET", "/api/v9/statuses", "this call"), ("GET", "/api/", "this call"),
            ("GET", "/oauth/userinfo", "this call"),
        ])
    func absent(method: String, path: String, words: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let method = try #require(HTTPRequest.Method(rawValue: method))
        for person in [ana, world.stranger] {
            let answer = try await person.send(method, path)
            #expect(answer.status == 404)
            #expect(answer["error"] == .text("This server doesn’t have \(words)."))
        }
    }

    @Test(
        "A wrong method is answered with those that the call takes",
        arguments: [
            ("DELETE", "/api/v1/statuses", "POST", "This call doesn’t take DELETE, only POST."),
            ("POST", "/api/v1/timelines/home/", "GET, HEAD", "This call doesn’t take POST, only GET."),
            ("PATCH", "/api/v1/statuses/1", "DELETE, GET, HEAD, PUT", nil),
            ("GET", "/oauth/token", "POST", nil),
            ("POST", "/api/v1/lists", "GET, HEAD", "This server doesn’t have lists."),
            ("POST", "/api/v2/filters", "GET, HEAD", "This server doesn’t have filters."),
        ] as [(String, String, String, String?)])
    func wrongMethod(method: String, path: String, allowed: String, error: String?) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let answer = try await ana.send(try #require(HTTPRequest.Method(rawValue: method)), path)
        #expect(answer.status == 405 && answer.headers[.allow] == allowed)
        if let error { #expect(answer["error"] == .text(error)) }
    }

    @Test("A thing that isn't there, or that the viewer may not see, is still one answer")
    func things() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let hidden = try await ben.post(caption: "Only for friends")
        for id in [hidden, "1"] {
            let answer = try await ana.get("/api/v1/statuses/\(id)")
            #expect(answer.status == 404)
            #expect(answer["error"] == "This doesn’t exist, or you don’t have access to it.")
        }
    }
}
