import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import People

@Suite("Notifications of people you hardly know")
struct NotificationPolicyTests {
    private static let policy = "/api/v2/notifications/policy"
    private static let requests = "/api/v1/notifications/requests"

    private func types(_ person: Person, _ query: String = "") async throws -> [String?] {
        try await person.get("/api/v1/notifications\(query)").json.list.map { $0["type"].string }
    }

    /// Returns ana, her post for everyone, and eve, whom she doesn't know.
    private func strangers() async throws -> (ana: Person, eve: Person, post: String) {
        let world = try await World()
        let (ana, eve) = (try await world.account("ana"), try await world.account("eve"))
        return (ana, eve, try await ana.post(caption: "For all", visibility: "public"))
    }

    @Test("Everything is shown at first, and a change keeps what it doesn't name")
    func changed() async throws {
        let (ana, eve, post) = try await strangers()
        try await eve.like(post)
        #expect(try await types(ana) == ["favourite"])
        let first = try await ana.get(Self.policy)
        for name in ["for_not_following", "for_not_followers", "for_new_accounts"] {
            #expect(first[name] == "accept")
        }
        #expect(first["summary"] == ["pending_requests_count": 0, "pending_notifications_count": 0])
        _ = try await ana.send(.patch, Self.policy, json: ["for_not_followers": "drop"])
        let second = try await ana.send(.patch, Self.policy, json: ["for_new_accounts": "filter"])
        #expect(second["for_not_followers"] == "drop" && second["for_new_accounts"] == "filter")
        #expect(try await ana.get(Self.policy).json == second.json)
        #expect(try await eve.get(Self.policy)["for_not_followers"] == "accept")
    }

    @Test(
        "What can't be is refused with a sentence, and what the server does anyway isn't",
        arguments: [
            ("for_not_following", "hide", "Choose accept, filter or drop."),
            (
                "for_private_mentions", "accept",
                "Messages of people whom you don’t know always wait under Requests."
            ),
            ("for_limited_accounts", "filter", "A suspended person can’t do anything here."),
        ])
    func refused(name: String, value: String, sentence: String) async throws {
        let ana = try await World().account("ana")
        let answer = try await ana.send(
            .patch, Self.policy, json: .object([name: .text(value), "for_new_accounts": "drop"]))
        #expect(answer.status == 422 && answer["error"] == .text(sentence))
        // All of it is refused, and an app that sends back what it got is not.
        let policy = try await ana.get(Self.policy)
        #expect(policy["for_new_accounts"] == "accept")
        #expect(try await ana.send(.patch, Self.policy, json: policy.json).json == policy.json)
    }

    @Test("What is put aside isn't listed, counted or told, and waits with its person")
    func putAside() async throws {
        let (ana, eve, post) = try await strangers()
        _ = try await ana.send(.patch, Self.policy, json: ["for_not_following": "filter"])
        try await ana.follow(try await ana.world.account("ben"))
        try await eve.like(post)
        _ = try await eve.comment("Nice", on: post)
        #expect(try await types(ana).isEmpty)
        #expect(try await types(ana, "?include_filtered=true") == ["mention", "favourite"])
        // Who asks for a person's notifications gets all of them.
        #expect(try await types(ana, "?account_id=\(eve.id)") == ["mention", "favourite"])
        #expect(try await types(ana, "?account_id=\(eve.id)&include_filtered=false").isEmpty)
        try await eve.follow(ana)
        #expect(try await ana.get("/api/v2/notifications")["notification_groups"].list.isEmpty)
        let all = try await ana.get("/api/v2/notifications?include_filtered=true")
        #expect(all["notification_groups"].list.count == 3)
        // A group that an app knows is opened with its people, as a single one is.
        let likes = try await ana.get("/api/v2/notifications/favourite-\(post)")
        #expect(likes["accounts"].list.map { $0["username"] } == ["eve"])
        #expect(likes["notification_groups"].list.map { $0["sample_account_ids"] } == [["\(eve.id)"]])
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 0)
        let summary = try await ana.get(Self.policy)["summary"]
        #expect(summary == ["pending_requests_count": 1, "pending_notifications_count": 3])

        let request = try await ana.get(Self.requests).json[0]
        #expect(request["id"].string == "\(eve.id)" && request["account"]["username"] == "eve")
        #expect(request["notifications_count"] == "3")
        #expect(request["last_status"]["content"].string?.contains("Nice") == true)
        #expect(try await ana.get("\(Self.requests)/\(eve.id)").json == request)
        #expect(try await eve.get("\(Self.requests)/\(ana.id)").status == 404)
        let page = try await ana.visit("/notifications")
        #expect(page.shows("3 notifications of 1 person") && !page.shows("liked your post"))
        #expect(try await ana.visit("/notifications/requests").shows("3 notifications · @eve"))
        let theirs = try await ana.visit("/notifications/requests/\(eve.id)")
        #expect(theirs.shows("liked your post") && theirs.shows("Nice") && !theirs.shows("Unread."))
        // What is taken back is gone from there, too.
        _ = try await eve.post("/api/v1/statuses/\(post)/unfavourite")
        #expect(try await ana.get(Self.requests).json[0]["notifications_count"] == "2")
    }

    @Test("Who is accepted is shown, now and later, until one of the two blocks the other")
    func accepted() async throws {
        let (ana, eve, post) = try await strangers()
        try await ana.putAside(from: eve)
        #expect(try await ana.post("\(Self.requests)/\(eve.id)/accept").status == 200)
        #expect(try await types(ana) == ["mention"])
        #expect(try await ana.get("\(Self.requests)/\(eve.id)").status == 404)
        #expect(try await ana.get("\(Self.requests)/merged")["merged"] == true)
        try await eve.like(post)
        #expect(try await types(ana) == ["favourite", "mention"])
        #expect(try await ana.get("/api/v1/notifications/unread_count")["count"] == 2)
        for (one, other) in [(ana, eve), (eve, ana)] {
            try await one.block(other)
            _ = try await one.post("/api/v1/accounts/\(other.id)/unblock")
            _ = try await eve.comment("Back", on: post)
            #expect(try await types(ana).isEmpty)
            #expect(try await ana.post("\(Self.requests)/\(eve.id)/accept").status == 200)
        }
    }

    @Test("What is dismissed is gone, and what comes later waits again")
    func dismissed() async throws {
        let (ana, eve, post) = try await strangers()
        try await ana.putAside(from: eve)
        let answer = try await ana.submit("/notifications/requests/\(eve.id)/dismiss", [:])
        #expect(answer.status == 303 && answer.headers[.location] == "/notifications/requests")
        #expect(try await types(ana, "?include_filtered=true").isEmpty)
        #expect(try await ana.get(Self.requests).json.list.isEmpty)
        #expect(try await ana.submit("/notifications/requests/\(eve.id)/dismiss", [:]).status == 404)
        try await eve.like(post)
        #expect(try await ana.get(Self.requests).json.list.count == 1)
    }

    @Test("Several requests are answered at once; one that is gone doesn't hold up the others")
    func several() async throws {
        let (ana, eve, _) = try await strangers()
        let (fay, gus) = (try await ana.world.account("fay"), try await ana.world.account("gus"))
        for person in [eve, fay] { try await ana.putAside(from: person) }
        let ids = JSON.list([eve, gus, fay, eve].map { .text("\($0.id)") })
        #expect(try await ana.send(.post, "\(Self.requests)/accept", json: ["id": ids]).status == 200)
        #expect(try await types(ana).count == 2)
        #expect(try await ana.get(Self.requests).json.list.isEmpty)
        #expect(try await ana.world.number("SELECT count(*) FROM accepted_notifiers") == 2)
        #expect(try await ana.send(.post, "\(Self.requests)/dismiss", json: [:]).status == 422)
    }

    @Test("Requests come in pages, in the order of their ids for apps and of what is new for people")
    func pages() async throws {
        let (ana, eve, post) = try await strangers()
        let fay = try await ana.world.account("fay")
        try await ana.putAside(from: fay)
        ana.world.clock.advance(seconds: 60)
        try await eve.like(post)
        let first = try await ana.get("\(Self.requests)?limit=1")
        #expect(first.json.list.map { $0["account"]["username"].string } == ["fay"])
        let second = try await ana.get("\(Self.requests)?limit=1&max_id=\(fay.id)")
        #expect(second.json.list.map { $0["account"]["username"].string } == ["eve"])
        let names = try await ana.visit("/notifications/requests").text.matches(of: /· @(\w+)/).map {
            String($0.1)
        }
        #expect(names == ["eve", "fay"])
    }

    @Test("The strictest rule counts, new people are new for 30 days, and friends are never strangers")
    func rules() {
        let policy = NotificationPolicy(notFollowing: .putAside, notFollowers: .drop, newAccounts: .putAside)
        let id = Account.ID(rawValue: 1)
        func treatment(follows: Bool, isFollowedBy: Bool, days: Double) -> NotificationPolicy.Treatment {
            policy.treatment(
                of: Relationship(account: id, follows: follows, isFollowedBy: isFollowedBy),
                age: days * 86_400)
        }
        #expect(treatment(follows: true, isFollowedBy: true, days: 30) == .accept)
        #expect(treatment(follows: true, isFollowedBy: true, days: 29.9) == .putAside)
        #expect(treatment(follows: false, isFollowedBy: true, days: 90) == .putAside)
        #expect(treatment(follows: true, isFollowedBy: false, days: 90) == .drop)
        #expect(treatment(follows: false, isFollowedBy: false, days: 1) == .drop)
    }

    @Test("A contract and what happens in it always arrive, since they have deadlines")
    func contracts() async throws {
        let people = try await World().friends("ana", "ben")
        _ = try await people[0].send(.patch, Self.policy, json: ["for_new_accounts": "drop"])
        _ = try await people[1].propose(to: people[0])
        #expect(try await types(people[0], "?types[]=tintype.contract") == ["tintype.contract"])
    }

    @Test("What is ignored is kept nowhere; messages and requests to follow always arrive")
    func ignored() async throws {
        let (ana, eve, post) = try await strangers()
        let ignored = JSON.text("drop")
        _ = try await ana.send(
            .patch, Self.policy, json: ["for_not_following": ignored, "for_not_followers": ignored])
        _ = try await ana.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        try await eve.like(post)
        #expect(try await types(ana, "?include_filtered=true").isEmpty)
        try await eve.follow(ana)
        #expect(try await types(ana) == ["follow_request"])
        _ = try await eve.write("Hello", in: try await eve.chat(with: ana))
        try await ana.world.notify()
        #expect(try await types(ana, "?types[]=tintype.message_request") == ["tintype.message_request"])
    }

    @Test("Settings offers the same, and says what it does with each")
    func settings() async throws {
        let (ana, eve, post) = try await strangers()
        let path = "/settings/notifications"
        let answer = try await ana.submit(
            path, ["for_not_following": "filter", "for_not_followers": "accept", "for_new_accounts": "drop"])
        #expect(answer.status == 303)
        let policy = try await ana.get(Self.policy)
        #expect(policy["for_not_following"] == "filter" && policy["for_new_accounts"] == "drop")
        let page = try await ana.visit(path)
        #expect(page.shows(#"<option value="filter" selected>Put aside"#))
        #expect(page.shows(#"<option value="drop" selected>Ignore"#))
        try await eve.like(post)
        #expect(try await types(ana, "?include_filtered=true").isEmpty)
        #expect(try await ana.visit("/notifications/requests").shows("Nothing is put aside."))
    }
}

extension Person {
    /// Has a mention by somebody whom the person doesn't follow put aside.
    func putAside(from stranger: Person) async throws {
        _ = try await send(.patch, "/api/v2/notifications/policy", json: ["for_not_following": "filter"])
        _ = try await stranger.post(caption: "Hello, @\(username)", visibility: "public")
    }
}
