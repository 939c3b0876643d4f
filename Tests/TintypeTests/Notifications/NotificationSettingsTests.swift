import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Settings of notifications")
struct NotificationSettingsTests {
    private static let path = "/settings/notifications"

    private func preferences(of person: Person) async throws -> NotificationPreferences {
        try await person.world.tintype.database.read {
            try NotificationPreferencesStore($0).preferences(of: person.id)
        }
    }

    @Test("Settings leads to a switch for each topic, all of them on at first")
    func first() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        #expect(try await ana.visit("/settings").shows(#"href="/settings/notifications""#))
        let page = try await ana.visit(Self.path)
        let topics = world.tintype.notifications.kinds.topics
        for topic in topics {
            #expect(page.shows(#"name="topics[]" value="\#(topic.name)" checked"#), "\(topic.name)")
            #expect(page.shows(">\(topic.title)<"), "\(topic.title)")
        }
        #expect(page.shows(#"name="previews" value="true" checked"#))
        #expect(page.shows(#"name="quiet" value="true">"#))
        #expect(try await world.stranger.visit(Self.path).status == 303)
    }

    @Test("What was chosen is saved, shown again, and in the download")
    func saved() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let answer = try await ana.submit(
            Self.path,
            [
                "topics[]": "messages", "topics[]": "mentions", "quiet": "true", "quiet_from": "22:30",
                "quiet_to": "06:15", "time_zone": "Europe/Berlin",
            ])
        #expect(answer.status == 303 && answer.headers[.location] == Self.path)
        let saved = try await preferences(of: ana)
        #expect(
            saved.silentTopics == ["requests", "snaps", "follows", "comments", "likes", "contracts", "other"])
        #expect(!saved.showsPreviews)
        #expect(saved.quietHours?.start.text == "22:30" && saved.quietHours?.end.text == "06:15")
        #expect(saved.quietHours?.timeZone.identifier == "Europe/Berlin")
        let page = try await ana.visit(Self.path)
        #expect(page.shows(#"value="mentions" checked"#) && page.shows(#"value="likes">"#))
        #expect(page.shows(#"name="quiet" value="true" checked"#))
        #expect(page.shows(#"value="22:30""#) && page.shows(#"<option value="Europe/Berlin" selected>"#))
        let rows = try await world.tintype.database.read { transaction in
            let list = NotificationsFeature.self
            return try world.tintype.features.all.first { type(of: $0) == list }?.accountData?.lists[0]
                .page(of: ana.id, after: 0, transaction).rows ?? []
        }
        #expect(
            rows.map { JSON($0) } == [
                [
                    "silent_topics": "comments contracts follows likes other requests snaps",
                    "shows_previews": false, "is_quiet": true, "quiet_from": 1350, "quiet_to": 375,
                    "time_zone": "Europe/Berlin",
                ]
            ])
        // Switched off again, the hours are only remembered.
        let off = try await ana.submit(
            Self.path,
            [
                "topics[]": "likes", "previews": "true", "quiet_from": "22:30", "quiet_to": "06:15",
                "time_zone": "Europe/Berlin",
            ])
        #expect(off.status == 303)
        let later = try await preferences(of: ana)
        #expect(later.showsPreviews && later.quietHours?.isOn == false)
        let again = try await ana.visit(Self.path)
        #expect(again.shows(#"value="22:30""#) && !again.shows(#"name="quiet" value="true" checked"#))
        // Times that are off may be anything.
        #expect(try await ana.submit(Self.path, ["quiet_from": "25:00"]).status == 303)
        #expect(try await preferences(of: ana).quietHours == nil)
    }

    @Test(
        "What makes no sense is refused beside its field, and what was typed stays",
        arguments: [
            (["quiet_from": "07:00"], "quiet_to", "Quiet hours can’t end at the time at which they begin."),
            (["quiet_from": "25:00"], "quiet_from", "Give a time, such as 22:00."),
            (["quiet_to": ""], "quiet_to", "Give a time, such as 22:00."),
            (["time_zone": ""], "time_zone", "Choose your time zone."),
            (["time_zone": "Europe/Atlantis"], "time_zone", "Choose your time zone."),
            (["time_zone": "GMT+2"], "time_zone", "Choose your time zone."),
            (["time_zone": "../../etc/passwd"], "time_zone", "Choose your time zone."),
            (["time_zone": String(repeating: "a/", count: 4_000)], "time_zone", "Choose your time zone."),
        ])
    func refused(change: [String: String], field: String, sentence: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let right = ["quiet_from": "22:30", "quiet_to": "07:00", "time_zone": "Europe/Paris"]
        let form = right.merging(change) { $1 }
        let answer = try await ana.submit(
            Self.path,
            [
                "topics[]": "likes", "quiet": "true", "quiet_from": form["quiet_from"] ?? "",
                "quiet_to": form["quiet_to"] ?? "", "time_zone": form["time_zone"] ?? "",
            ])
        #expect(answer.status == 422)
        #expect(answer.shows(#"id="\#(field)-error">\#(sentence)<"#), "\(change)")
        #expect(answer.shows(#"aria-describedby="\#(field)-error""#))
        #expect(answer.shows(#"value="likes" checked"#) && answer.shows(#"value="snaps">"#))
        for name in ["quiet_from", "quiet_to"] {
            if let value = form[name], !value.isEmpty { #expect(answer.shows(#"value="\#(value)""#)) }
        }
        #expect(try await preferences(of: ana) == NotificationPreferences())
    }

    @Test(
        "Old names of time zones, which browsers use, are taken",
        arguments: ["Asia/Calcutta", "Etc/UTC", "UTC"])
    func oldNames(zone: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let form: KeyValuePairs = [
            "quiet": "true", "quiet_from": "22:00", "quiet_to": "07:00", "time_zone": zone,
        ]
        #expect(try await ana.submit(Self.path, form).status == 303)
        let saved = try #require(try await preferences(of: ana).quietHours?.timeZone)
        #expect(saved == TimeZone(identifier: zone))
        #expect(try await ana.visit(Self.path).shows(#"<option value="\#(saved.identifier)" selected>"#))
    }
}
