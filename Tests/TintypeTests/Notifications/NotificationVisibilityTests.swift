import Foundation
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Notifications of people out of sight")
struct NotificationVisibilityTests {
    private func suspend(_ person: Person, by admin: Person, _ action: String = "suspend") async throws {
        let answer = try await admin.submit("/administration/accounts/\(person.id)/\(action)")
        try #require(answer.status == 303)
    }

    private func unread(_ person: Person) async throws -> Int? {
        try await person.get("/api/v1/notifications/unread_count")["count"].int
    }

    @Test("A group goes on without the suspended, its badge too, and is whole again when they are back")
    func suspended() async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        let ana = try await world.account("ana")
        let post = try await ana.post(caption: "Look", visibility: "public")
        var people: [Person] = []
        for name in ["ben", "cleo", "dora"] {
            let person = try await world.account(name)
            try await person.like(post)
            people.append(person)
        }
        #expect(try await unread(ana) == 1)
        // The newest, whose notification stood for the group.
        try await suspend(people[2], by: olga)
        #expect(try await unread(ana) == 1)
        let page = try await ana.visit("/notifications")
        #expect(page.shows("<b>cleo</b> and <b>1 other</b> liked your post.") && !page.shows("dora"))
        #expect(page.shows("Unread."))
        #expect(try await unread(ana) == 0)
        try await suspend(people[2], by: olga, "restore")
        #expect(try await unread(ana) == 1)
        #expect(try await ana.visit("/notifications").shows("<b>dora</b> and <b>2 others</b>"))
        for person in people { try await suspend(person, by: olga) }
        #expect(try await unread(ana) == 0)
        #expect(try await ana.visit("/notifications").shows("new followers appear here"))
    }

    @Test("What is about a post that one can't see any more is neither listed nor counted")
    func hiddenPost() async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        _ = try await ana.visit("/notifications")
        #expect(try await unread(ana) == 0)
        world.clock.advance(seconds: 1)
        let comment = try await ana.comment("Nice", on: ben.post(caption: "Look"))
        try await cleo.like(comment)
        #expect(try await unread(ana) == 1)
        try await suspend(ben, by: olga)
        #expect(try await unread(ana) == 0)
        #expect(try await ana.visit("/notifications").shows("liked your comment") == false)
        try await suspend(ben, by: olga, "restore")
        #expect(try await ana.visit("/notifications").shows("liked your comment"))
    }

    @Test("However many newer ones are out of sight, the first page is full of what can be seen")
    func page() async throws {
        let world = try await World()
        let olga = try await world.account("olga")
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let cleo = try await world.account("cleo")
        for actor in [ben, cleo] {
            try await world.tintype.database.write { transaction in
                for _ in 1...50 {
                    _ = try NotificationStore(transaction).insert(
                        .follow, to: ana.id, from: actor.id, about: 0, group: nil, once: false,
                        isPutAside: false)
                }
            }
        }
        try await suspend(cleo, by: olga)
        #expect(try await unread(ana) == 50)
        let page = try await ana.visit("/notifications")
        #expect(page.text.components(separatedBy: "class=\"row notification").count == 41)
        #expect(page.shows("Show more") && !page.shows("cleo"))
    }

    @Test("Only what was shown is read: what comes while the page is made stays unread")
    func between() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let ana = try await world.tintype.database.read { try AccountStore($0).account(people[0].id) }
        let viewer = try #require(ana)
        let notifications = world.tintype.notifications
        let page = try await notifications.groups(for: viewer, olderThan: nil, limit: 40)
        let post = try await people[0].post(caption: "Look")
        try await people[1].like(post)
        await notifications.read(through: try #require(page.newestUnread), by: viewer)
        #expect(try await unread(people[0]) == 1)
        #expect(try await people[0].visit("/notifications").shows("liked your post"))
        #expect(try await unread(people[0]) == 0)
        #expect(
            try await notifications.groups(for: viewer, olderThan: nil, limit: 40).newestUnread == nil)
    }
}
