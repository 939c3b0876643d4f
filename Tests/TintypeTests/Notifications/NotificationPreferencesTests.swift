import Foundation
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Preferences for notifications")
struct NotificationPreferencesTests {
    private func date(_ text: String) throws -> Date {
        try Date(text, strategy: .iso8601)
    }

    private func hours(_ start: String, _ end: String, _ zone: String) throws -> QuietHours {
        let (from, to) = (try #require(ClockTime(start)), try #require(ClockTime(end)))
        let timeZone = try #require(TimeZone(identifier: zone))
        return try #require(QuietHours(from: from, to: to, in: timeZone))
    }

    @Test("Everything is announced at once, with its words, as long as nothing was changed")
    func standard() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let preferences = try await world.tintype.database.read {
            try NotificationPreferencesStore($0).preferences(of: ana.id)
        }
        #expect(preferences == NotificationPreferences())
        let now = try date("2026-07-01T03:00:00Z")
        #expect(preferences.showsPreviews && preferences.moment(for: .follows, at: now) == now)
    }

    @Test("A topic that is switched off is never announced, and the others still are")
    func topics() throws {
        var preferences = NotificationPreferences(silentTopics: ["follows"])
        let now = try date("2026-07-01T03:00:00Z")
        #expect(preferences.moment(for: .follows, at: now) == nil)
        #expect(preferences.moment(for: .other, at: now) == now)
        preferences.quietHours = try hours("22:00", "07:00", "Etc/UTC")
        #expect(preferences.moment(for: .follows, at: now) == nil)
        #expect(try preferences.moment(for: .other, at: now) == date("2026-07-01T07:00:00Z"))
    }

    @Test(
        "Quiet hours end when their end is next, by the clocks of their time zone",
        arguments: [
            // Past midnight, in Berlin at UTC+2.
            ("22:00", "07:00", "Europe/Berlin", "2026-07-01T19:59:59Z", nil),
            ("22:00", "07:00", "Europe/Berlin", "2026-07-01T20:00:00Z", "2026-07-02T05:00:00Z"),
            ("22:00", "07:00", "Europe/Berlin", "2026-07-01T22:30:00Z", "2026-07-02T05:00:00Z"),
            ("22:00", "07:00", "Europe/Berlin", "2026-07-02T04:59:59Z", "2026-07-02T05:00:00Z"),
            ("22:00", "07:00", "Europe/Berlin", "2026-07-02T05:00:00Z", nil),
            // Within one day, in Kathmandu at UTC+5:45.
            ("13:00", "14:30", "Asia/Kathmandu", "2026-07-01T07:14:59Z", nil),
            ("13:00", "14:30", "Asia/Kathmandu", "2026-07-01T07:15:00Z", "2026-07-01T08:45:00Z"),
            ("13:00", "14:30", "Asia/Kathmandu", "2026-07-01T08:45:00Z", nil),
            // From or until midnight.
            ("00:00", "06:00", "Etc/UTC", "2026-07-01T00:00:00Z", "2026-07-01T06:00:00Z"),
            ("20:00", "00:00", "Etc/UTC", "2026-07-01T23:59:59Z", "2026-07-02T00:00:00Z"),
            ("20:00", "00:00", "Etc/UTC", "2026-07-02T00:00:00Z", nil),
            // Nearly always.
            ("12:01", "12:00", "Etc/UTC", "2026-07-01T12:00:00Z", nil),
            ("12:01", "12:00", "Etc/UTC", "2026-07-01T12:01:00Z", "2026-07-02T12:00:00Z"),
        ])
    func quietHours(start: String, end: String, zone: String, now: String, expected: String?) throws {
        #expect(
            try hours(start, end, zone).end(at: date(now)) == expected.map { try date($0) },
            "\(start)–\(end) in \(zone) at \(now)")
    }

    @Test(
        "Quiet hours hold while the clocks change",
        arguments: [
            // Summer begins in Berlin: the clocks jump from 2:00 to 3:00 at 1:00 UTC.
            ("22:00", "07:00", "Europe/Berlin", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"),
            ("22:00", "02:30", "Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"),
            ("22:00", "02:30", "Europe/Berlin", "2026-03-29T01:00:00Z", nil),
            ("02:30", "07:00", "Europe/Berlin", "2026-03-29T00:59:59Z", nil),
            ("02:30", "07:00", "Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29T05:00:00Z"),
            ("02:10", "02:20", "Europe/Berlin", "2026-03-29T01:00:00Z", nil),
            // Summer ends: the clocks go back from 3:00 to 2:00 at 1:00 UTC.
            ("22:00", "07:00", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T06:00:00Z"),
            ("22:00", "02:30", "Europe/Berlin", "2026-10-25T00:29:59Z", "2026-10-25T00:30:00Z"),
            ("22:00", "02:30", "Europe/Berlin", "2026-10-25T01:10:00Z", nil),
            ("02:30", "07:00", "Europe/Berlin", "2026-10-25T01:10:00Z", "2026-10-25T06:00:00Z"),
            ("02:30", "02:10", "Europe/Berlin", "2026-10-25T01:15:00Z", "2026-10-26T01:10:00Z"),
            // In São Paulo the clocks jumped from 0:00 to 1:00 at 3:00 UTC.
            ("00:30", "06:00", "America/Sao_Paulo", "2018-11-04T02:59:59Z", nil),
            ("00:30", "06:00", "America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-04T08:00:00Z"),
            ("22:00", "00:30", "America/Sao_Paulo", "2018-11-04T02:59:59Z", "2018-11-04T03:00:00Z"),
            ("22:00", "00:30", "America/Sao_Paulo", "2018-11-04T03:10:00Z", nil),
            ("23:00", "22:00", "America/Sao_Paulo", "2018-11-04T03:10:00Z", "2018-11-05T00:00:00Z"),
        ])
    func clockChanges(start: String, end: String, zone: String, now: String, expected: String?) throws {
        #expect(
            try hours(start, end, zone).end(at: date(now)) == expected.map { try date($0) },
            "\(start)–\(end) in \(zone) at \(now)")
    }

    @Test("Quiet hours that begin and end at one time aren't any")
    func equalTimes() throws {
        let time = try #require(ClockTime("07:00"))
        #expect(QuietHours(from: time, to: time, in: .gmt) == nil)
    }

    @Test("A time of day is read as forms send it, and anything else is refused")
    func clockTimes() {
        #expect(ClockTime("00:00")?.minutes == 0 && ClockTime("23:59")?.minutes == 1439)
        #expect(ClockTime("07:05")?.text == "07:05")
        for text in [
            "", ":", "7:00", "24:00", "12:60", "-1:00", "+1:00", "12:00:00", "12.00", "１２:00", "ab:cd",
        ] {
            #expect(ClockTime(text) == nil, "\(text)")
        }
        #expect(ClockTime(minutes: -1) == nil && ClockTime(minutes: 1440) == nil)
    }

    @Test("What was chosen is kept, and replaced by the next choice")
    func store() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let chosen = [
            NotificationPreferences(
                silentTopics: ["likes", "follows"], showsPreviews: false,
                quietHours: try hours("22:30", "06:45", "America/New_York")),
            NotificationPreferences(showsPreviews: true),
        ]
        for preferences in chosen {
            let kept = try await world.tintype.database.write { transaction in
                let store = NotificationPreferencesStore(transaction)
                try store.set(preferences, of: ana.id)
                return (try store.preferences(of: ana.id), try store.preferences(of: ben.id))
            }
            #expect(kept.0 == preferences && kept.1 == NotificationPreferences())
        }
    }

    @Test("Every kind has a topic, and no two topics share a name, a title or a place")
    func everyTopic() async throws {
        let world = try await World()
        let topics = world.tintype.features.notifications.notifications.kinds.topics
        #expect(
            topics.map(\.title) == [
                "Messages", "Message requests", "Snaps", "New followers", "Comments", "Mentions", "Likes",
                "Contracts", "Everything else",
            ])
        #expect(Set(topics.map(\.name)).count == topics.count)
        #expect(Set(topics.map(\.position)).count == topics.count)
        #expect(topics.allSatisfy { $0.name.allSatisfy { ("a"..."z").contains($0) } })
    }
}
