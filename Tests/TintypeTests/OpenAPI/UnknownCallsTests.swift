import HTTPTypes
import Testing

@Suite("Calls that don't exist")
struct UnknownCallsTests {
    @Test(
        "What other servers have is named, with a log-in and without",
        arguments: [
            ("GET", "/api/v1/polls/1", "polls"),
            ("POST", "/api/v1/polls/1/votes", "polls"),
            ("GET", "/api/v1/admin/accounts", "administration by apps"),
            ("POST", "/api/v1/statuses/1/translate", "translations"),
            ("GET", "/api/v1/timelines/link", "timelines of links"),
            ("PUT", "/api/v1/scheduled_statuses/1", "scheduled posts"),
            ("POST", "/api/v1/statuses/1/quotes/2/revoke", "quotes"),
            ("GET", "/api/v1/accounts/1/collections", "collections of people"),
            ("GET", "/api/v1/instance/activity", "figures of its activity"),
            (
                "GET", "/api/v1/notifications/policy",
                "this call. Its second version, /api/v2/notifications/policy, is here"
            ),
            (
                "POST", "/api/v1.1/stories/add",
                "stories. Snaps are posted and opened in Tintype itself"
            ),
            ("GET", "/api/v1/nothing", "this call"),
            ("GET", "/api/v9/statuses", "this call"), ("GET", "/api/", "this call"),
            ("GET", "/oauth/nothing", "this call"),
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
            ("DELETE", "/api/v1/statuses", "GET, HEAD, POST", nil),
            ("DELETE", "/api/v1/apps", "POST", "This call doesn’t take DELETE, only POST."),
            ("POST", "/api/v1/timelines/home/", "GET, HEAD", "This call doesn’t take POST, only GET."),
            ("PATCH", "/api/v1/statuses/1", "DELETE, GET, HEAD, PUT", nil),
            ("GET", "/oauth/token", "POST", nil),
            (
                "GET", "/api/v1/notifications/clear", "POST",
                "This call doesn’t take GET, only POST."
            ),
            (
                "POST", "/api/v1/trends/links", "GET, HEAD",
                "This server doesn’t have trends of posts and links."
            ),
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
