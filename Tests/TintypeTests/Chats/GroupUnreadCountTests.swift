import Foundation
import HTTPTypes
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Unread messages of groups")
struct GroupUnreadCountTests {
    @Test(
        "The count on an open page is that of the database, whatever happened",
        arguments: [1, 2, 3] as [UInt64])
    func agrees(seed: UInt64) async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        var groups: [String] = []
        for _ in 0..<3 { groups.append(try await ana.group(with: ben, cleo)) }
        let own = try await ana.chat(with: ben)
        let script = Script(ana: ana, ben: ben, cleo: cleo, groups: groups)
        let expected = Mutex<[Int]>([])
        let steps = 60
        let received = try await ben.receives(until: "Step \(steps)") {
            var random = SplitMix64(state: seed)
            for step in 1...steps {
                try await script.happen(&random)
                if step == steps / 2 { world.clock.advance(seconds: 61) }
                _ = try await ana.write("Step \(step).", in: own)
                let count = try await ben.unread()
                expected.withLock { $0.append(count) }
            }
        }
        // The count of a message comes with it, before or after.
        let counts = received.matches(of: /"text":"Step (\d+)\.|"friends":(\d+)/).map { match in
            (step: match.1.flatMap { Int($0) }, count: match.2.flatMap { Int($0) })
        }
        var shown: [Int?] = []
        for (place, mark) in counts.enumerated() where mark.step != nil {
            shown.append(counts[place...].lazy.compactMap(\.count).first)
        }
        let known = expected.withLock { $0 }
        #expect(shown.count == steps)
        for (step, (count, count2)) in zip(shown, known).enumerated() where step < steps - 1 {
            #expect(count == count2, "step \(step + 1): \(script.told[step])")
        }
    }

    /// What three people may do in groups.
    private final class Script: Sendable {
        let ana: Person
        let ben: Person
        let cleo: Person
        let groups: [String]
        private let sent = Mutex<[(sender: String, group: String, id: String)]>([])
        private let log = Mutex<[String]>([])
        var told: [String] { log.withLock { $0 } }

        init(ana: Person, ben: Person, cleo: Person, groups: [String]) {
            (self.ana, self.ben, self.cleo, self.groups) = (ana, ben, cleo, groups)
        }

        func happen(_ random: inout SplitMix64) async throws {
            let group = groups[Int.random(in: 0..<groups.count, using: &random)]
            let what = Int.random(in: 0..<12, using: &random)
            log.withLock { $0.append("\(what) in \(group)") }
            switch what {
            case 0...3: try await write(what == 3 ? cleo : ana, in: group)
            case 4: try await write(ben, in: group)
            case 5...6: try await read(group)
            case 7: try await deleteOne(in: group)
            case 8: _ = try await ben.post("/api/v1/chats/\(group)/mute", json: [:])
            case 9: _ = try await ben.delete("/api/v1/chats/\(group)/mute")
            case 10: _ = try await ben.delete("/api/v1/chats/\(group)")
            default:
                _ = try await ana.delete("/api/v1/chats/\(group)/members/\(ben.id)")
                try await write(ana, in: group)
                _ = try await ana.post(
                    "/api/v1/chats/\(group)/members", json: ["account_ids": [.text("\(ben.id)")]])
            }
        }

        private func write(_ sender: Person, in group: String) async throws {
            let id = try await sender.write("Hello", in: group)
            sent.withLock { $0.append((sender.username, group, id)) }
        }

        private func read(_ group: String) async throws {
            guard let last = sent.withLock({ $0.last { $0.group == group } }) else { return }
            try await ben.read(through: last.id, in: group)
        }

        private func deleteOne(in group: String) async throws {
            let found = sent.withLock { sent in
                sent.lastIndex { $0.group == group && $0.sender == "ana" }.map { sent.remove(at: $0) }
            }
            guard let found else { return }
            _ = try await ana.delete("/api/v1/chats/\(group)/messages/\(found.id)")
        }
    }
}

extension Person {
    /// The number of messages that the person hasn't read, as the database knows it.
    fileprivate func unread() async throws -> Int {
        let account = try await account()
        return try await world.tintype.database.read {
            try world.tintype.features.chats.chats.unreadCount(of: account, $0)
        }
    }
}
