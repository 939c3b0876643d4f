import Foundation
import Testing

@testable import Core
@testable import Tintype

@Suite("Events go out in the order of what happened", .timeLimit(.minutes(15)))
struct EventOrderTests {
    @Test("Two who write to each other at once both get the messages in the order of their ids")
    func messages() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let chat = try await people[0].chat(with: people[1])
        let positions = people.map { world.tintype.events.position(of: $0.id) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<8 {
                group.addTask {
                    for number in 0..<20 {
                        _ = try await people[lane % 2].write("\(lane): \(number)", in: chat)
                    }
                }
            }
            try await group.waitForAll()
        }
        _ = try await people[0].write("The last", in: chat)
        for (person, position) in zip(people, positions) {
            let received = try await person.takesUp(after: position, until: "The last")
            let ids = received.split(separator: "\n").filter { $0.contains(#""text":"#) }.compactMap { line in
                line.split(separator: "\"").dropFirst(2).first { Int64($0) != nil }.flatMap { Int64($0) }
            }
            #expect(ids.count == 161)
            let steps = zip(ids, ids.dropFirst()).filter { $0 > $1 }
            #expect(steps.isEmpty, "messages came after later ones: \(steps)")
        }
    }

    @Test("However many follow at once, the count on the badge never steps back")
    func counts() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        var fans: [Person] = []
        for number in 0..<16 { fans.append(try await world.account("fan\(number)")) }
        let all = fans
        let received = try await ana.receives(until: #"{"notifications":16}"#) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for fan in all { group.addTask { try await fan.follow(ana) } }
                try await group.waitForAll()
            }
        }
        let counts = received.components(separatedBy: #"{"notifications":"#).dropFirst().compactMap {
            Int($0.prefix { $0.isNumber })
        }
        #expect(counts == counts.sorted())
        #expect(counts.last == 16)
    }

    @Test("The event is published before the answer")
    func beforeTheAnswer() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let chat = try await people[0].chat(with: people[1])
        let bus = world.tintype.events
        for number in 0..<50 {
            let position = bus.position(of: people[1].id)
            _ = try await people[0].write("Number \(number)", in: chat)
            #expect(bus.position(of: people[1].id) >= position + 2, "both got an event")
        }
    }
}

extension Person {
    /// Takes up the event stream after an event; all that comes until `text`.
    func takesUp(after position: Int, until text: String) async throws -> String {
        try await world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/events", as: self, headers: ["Last-Event-ID: \(position)"])
                return try await stream.read(until: text)
            }
        }
    }
}
