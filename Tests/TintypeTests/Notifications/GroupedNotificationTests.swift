import HTTPTypes
import Testing

@testable import Core
@testable import Serving

@Suite("Notifications in groups")
struct GroupedNotificationTests {
    @Test(
        "Likes of one post are one group, with the people and the post written once; ids are of the right type"
    )
    func group() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let post = try await ana.post(caption: "Liked")
        try await ben.like(post)
        let comment = try await ben.comment("Nice", on: post)
        try await cleo.like(post)
        let page = try await ana.get("/api/v2/notifications?exclude_types[]=follow")
        #expect(page.status == 200)
        let groups = page["notification_groups"].list
        #expect(groups.map { $0["type"] } == ["favourite", "mention"])
        let likes = groups[0]
        #expect(likes["group_key"] == .text("favourite-\(post)"))
        #expect(likes["notifications_count"] == 2)
        #expect(likes["sample_account_ids"] == [.text("\(cleo.id)"), .text("\(ben.id)")])
        #expect(likes["status_id"] == .text(post))
        let shown = try await ana.get("/api/v1/notifications?types[]=favourite").json.list
        let ids = shown.compactMap { $0["id"].string }
        // A number, alone among ids: read as text, since it is larger than a double's whole numbers.
        #expect(page.shows("\"most_recent_notification_id\":\(ids[0]),"))
        #expect(likes["page_max_id"] == .text(ids[0]) && likes["page_min_id"] == .text(ids[1]))
        #expect(likes["latest_page_notification_at"] == shown[0]["created_at"])
        #expect(groups[1]["group_key"].string?.hasPrefix("ungrouped-") == true)
        #expect(groups[1]["status_id"] == .text(comment))
        #expect(page["accounts"].list.map { $0["username"] } == ["cleo", "ben"])
        #expect(page["statuses"].list.map { $0["id"] } == [.text(post), .text(comment)])
        // The list without groups names the same ones.
        #expect(shown.map { $0["group_key"] } == [.text("favourite-\(post)"), .text("favourite-\(post)")])
        // An app may want none.
        let alone = try await ana.get("/api/v2/notifications?types[]=favourite&grouped_types[]=follow")
        #expect(alone["notification_groups"].list.map { $0["notifications_count"] } == [1, 1])
        let bens = try await ana.get("/api/v2/notifications?types[]=favourite&account_id=\(ben.id)")
        #expect(bens["notification_groups"].list.map { $0["notifications_count"] } == [1])
        // Nobody else of the group is named.
        #expect(bens["notification_groups"][0]["sample_account_ids"] == [.text("\(ben.id)")])
        #expect(bens["accounts"].list.map { $0["username"] } == ["ben"])
        #expect(try await world.stranger.get("/api/v2/notifications").status == 401)
    }

    @Test("Pages follow each other by the newest notification of each group, in both directions")
    func pages() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let ana = people[0]
        var posts: [String] = []
        for number in 1...5 { posts.append(try await ana.post(caption: "\(number)")) }
        for person in people.dropFirst() { for post in posts { try await person.like(post) } }
        func read(_ query: String) async throws -> (keys: [String], next: String?, prev: String?) {
            let page = try await ana.get("/api/v2/notifications?types[]=favourite&limit=2\(query)")
            let link = page.headers[.link] ?? ""
            func id(_ name: String, _ relation: String) -> String? {
                link.matches(of: /<[^>]*[?&](max_id|min_id)=(\d+)>; rel="(next|prev)"/).first {
                    $0.1 == name && $0.3 == relation
                }.map { String($0.2) }
            }
            return (
                page["notification_groups"].list.compactMap { $0["group_key"].string }, id("max_id", "next"),
                id("min_id", "prev")
            )
        }
        func keys(_ indices: Int...) -> [String] { indices.map { "favourite-\(posts[$0])" } }
        let first = try await read("")
        #expect(first.keys == keys(4, 3))
        let second = try await read("&max_id=\(try #require(first.next))")
        #expect(second.keys == keys(2, 1))
        let third = try await read("&max_id=\(try #require(second.next))")
        #expect(third.keys == keys(0) && third.next == nil)
        #expect(try await read("&min_id=\(try #require(third.prev))").keys == keys(2, 1))
        #expect(try await read("&since_id=\(try #require(third.prev))").keys == keys(4, 3))
        #expect(try await ana.get("/api/v2/notifications?max_id=x").status == 422)
    }

    @Test("A group is read, its people listed, and dismissed; nobody else's is there")
    func one() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let post = try await ana.post(caption: "Liked")
        for person in [ben, cleo] { try await person.like(post) }
        _ = try await ben.comment("Nice", on: post)
        let path = "/api/v2/notifications/favourite-\(post)"
        #expect(try await ana.get(path)["notification_groups"][0]["notifications_count"] == 2)
        #expect(try await ana.get("\(path)/accounts").json.list.map { $0["username"] } == ["cleo", "ben"])
        let mention = try await ana.get("/api/v2/notifications?types[]=mention")["notification_groups"][0]
        let single = "/api/v2/notifications/\(mention["group_key"].string ?? "")"
        #expect(try await ana.get(single)["notification_groups"][0]["type"] == "mention")
        #expect(try await ana.get("\(single)/accounts").json.list.map { $0["username"] } == ["ben"])
        for wrong in [path, single] {
            #expect(try await ben.get(wrong).status == 404)
            #expect(try await ben.get("\(wrong)/accounts").status == 404)
            #expect(try await ben.post("\(wrong)/dismiss").status == 404)
        }
        for wrong in ["favourite", "favourite-", "favourite-x", "-1", "like-\(post)", "ungrouped-\(post)"] {
            #expect(try await ana.get("/api/v2/notifications/\(wrong)").status == 404, "\(wrong)")
            #expect(try await ana.post("/api/v2/notifications/\(wrong)/dismiss").status == 404, "\(wrong)")
        }
        #expect(try await ana.get("/api/v2/notifications/unread_count")["count"].int ?? 0 >= 2)
        for path in [path, single] {
            #expect(try await ana.post("\(path)/dismiss").status == 200)
            #expect(try await ana.get(path).status == 404)
        }
    }
}
