import Foundation
import Testing

@testable import Core

@Suite("Events reach those whom they concern")
struct EventBusTests {
    private let clock = TestClock()
    private let ana = Account.ID(rawValue: 1)
    private let bea = Account.ID(rawValue: 2)
    private let session = Session.ID(rawValue: 11)

    private func bus() -> EventBus {
        EventBus { [clock] in clock.now }
    }

    /// The names of the next events, and their numbers.
    private func take(_ count: Int, of subscription: EventBus.Subscription) async -> [EventBus.Event] {
        var events: [EventBus.Event] = []
        for await event in subscription.stream {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test("An event comes to its account, in order, and to nobody else")
    func order() async {
        let bus = bus()
        let (hers, others) = (
            bus.subscribe(ana, session: session, after: nil), bus.subscribe(bea, session: session, after: nil)
        )
        for number in 1...3 { bus.publish("event \(number)", to: ana, data: []) }
        bus.publish("for bea", to: bea, data: [])
        #expect(await take(3, of: hers).map(\.name) == ["event 1", "event 2", "event 3"])
        #expect(await take(1, of: others).map(\.name) == ["for bea"])
    }

    @Test("What waits is taken without a pause, in order, and a heartbeat stays due beside it")
    func waiting() async throws {
        let bus = bus()
        let stream = bus.subscribe(ana, session: session, after: nil).stream
        for number in 1...3 { bus.publish("event \(number)", to: ana, data: []) }
        for second in 0..<EventBus.heartbeatSeconds { bus.beat(second) }
        var events = stream.makeAsyncIterator()
        #expect(await events.next()?.name == "event 1")
        #expect(stream.takeWaiting()?.name == "event 2")
        #expect(stream.takeWaiting()?.name == "event 3")
        #expect(stream.takeWaiting() == nil)
        let heartbeat = try #require(await events.next())
        #expect(heartbeat.name == nil)
    }

    @Test("A stream takes up after the last event that it had, without a gap and without a repetition")
    func resume() async throws {
        let bus = bus()
        let first = bus.subscribe(ana, session: session, after: nil)
        bus.publish("one", to: ana, data: [])
        let last = try #require(await take(1, of: first).first?.number)
        bus.unsubscribe(first)
        bus.publish("two", to: ana, data: [])
        bus.publish("for bea", to: bea, data: [])
        bus.publish("three", to: ana, data: [])
        let second = bus.subscribe(ana, session: session, after: last)
        #expect(await take(2, of: second).map(\.name) == ["two", "three"])
    }

    @Test("Counts that change a thousand times take one place in the ring, and push nothing out of it")
    func replaced() async throws {
        let bus = bus()
        let position = bus.position(of: ana)
        bus.publish("message", to: ana, data: [])
        for count in 1...1_000 {
            for post in [7, 8] {
                bus.publish(
                    "counts", to: ana, data: Array("\(post): \(count)".utf8), replacing: .id(Int64(post)))
            }
        }
        let back = bus.subscribe(ana, session: session, after: position)
        let received = await take(3, of: back)
        #expect(received.map(\.name) == ["message", "counts", "counts"])
        #expect(received.map { String(decoding: $0.data, as: UTF8.self) } == ["", "7: 1000", "8: 1000"])
    }

    @Test("Passing events, such as typing, go to open streams only and are never repeated")
    func passing() async throws {
        let bus = bus()
        let position = bus.position(of: ana)
        let open = bus.subscribe(ana, session: session, after: nil)
        bus.publish(EventName(passing: "typing"), to: ana, data: [])
        bus.publish("message", to: ana, data: [])
        let received = await take(2, of: open)
        #expect(received.map(\.name) == ["typing", "message"])
        #expect(received.first?.number == nil)
        let late = bus.subscribe(ana, session: session, after: position)
        #expect(await take(1, of: late).map(\.name) == ["message"])
    }

    @Test("What is gone is taken up by nobody, and the others without a gap")
    func forgotten() async {
        let bus = bus()
        _ = bus.position(of: bea)
        let position = bus.position(of: ana)
        bus.publish("post 1", to: ana, data: [], about: [.id(1), .person(bea)])
        bus.publish("reply to 1", to: ana, data: [], about: [.id(2), .id(1)])
        bus.publish("post 3", to: ana, data: [], about: [.id(3), .all("posts", of: bea)])
        bus.publish("post 1", to: bea, data: [], about: [.id(1)])
        bus.publish("last", to: ana, data: [])
        bus.forget([.id(1)], of: ana)
        #expect(bus.here.accounts(holding: .id(1)) == [bea])
        let hers = bus.subscribe(ana, session: session, after: position)
        #expect(await take(2, of: hers).map(\.name) == ["post 3", "last"])
        bus.forget([.id(1), .all("posts", of: bea)])
        #expect(bus.here.accounts(holding: .id(1)).isEmpty)
        let again = bus.subscribe(ana, session: session, after: position)
        #expect(await take(1, of: again).map(\.name) == ["last"])
    }

    @Test("What has changed is taken up as it is by now, in its place, by those who may still see it")
    func changed() async {
        let bus = bus()
        _ = bus.position(of: bea)
        let position = bus.position(of: ana)
        for account in [ana, bea] {
            bus.publish("update", to: account, data: Array("before".utf8), about: [.id(1)])
            bus.publish("notification", to: account, data: Array("before".utf8), about: [.id(1)])
            bus.publish("last", to: account, data: [])
        }
        let content = EventContent.written(byteCount: 20) {
            Array("as \($0.account) sees it in \($0.session)".utf8)
        }
        bus.here.replace(.id(1), named: "update", of: [ana], by: content)
        let hers = await take(2, of: bus.subscribe(ana, session: session, after: position))
        #expect(hers.map(\.name) == ["update", "last"])
        #expect(hers.first.map { String(decoding: $0.data, as: UTF8.self) } == "as 1 sees it in \(session)")
        let others = await take(1, of: bus.subscribe(bea, session: session, after: position))
        #expect(others.map(\.name) == ["last"])
    }

    @Test("An account that may see less than before gets a reset, on open streams and on resumed ones")
    func reset() async {
        let bus = bus()
        _ = bus.position(of: bea)
        let position = bus.position(of: ana)
        let open = bus.subscribe(ana, session: session, after: nil)
        bus.publish("before", to: ana, data: [])
        #expect(await take(1, of: open).map(\.name) == ["before"])
        bus.reset(ana)
        bus.publish("after", to: ana, data: [])
        #expect(await take(2, of: open).map(\.name) == ["reset", "after"])
        let late = bus.subscribe(ana, session: session, after: position)
        #expect(await take(2, of: late).map(\.name) == ["reset", "after"])
        let others = bus.subscribe(bea, session: session, after: position)
        bus.publish("for bea", to: bea, data: [])
        #expect(await take(1, of: others).map(\.name) == ["for bea"])
    }

    @Test("After five minutes nothing can be resumed, and the reader gets a reset")
    func tooOld() async {
        let bus = bus()
        let position = bus.position(of: ana)
        bus.publish("old", to: ana, data: [])
        clock.advance(seconds: EventRings.lifetime + 1)
        bus.beat(0)
        let late = bus.subscribe(ana, session: session, after: position)
        #expect(await take(1, of: late).map(\.name) == ["reset"])
        bus.publish("new", to: ana, data: [])
        #expect(await take(1, of: late).map(\.name) == ["new"])
    }

    @Test("Who was away for longer than events are kept gets a reset, also after another page")
    func away() async {
        let bus = bus()
        let position = bus.position(of: ana)
        clock.advance(seconds: EventRings.lifetime + 1)
        bus.beat(0)
        bus.publish("unseen", to: ana, data: [])
        let later = bus.position(of: ana)
        bus.publish("seen", to: ana, data: [])
        let first = bus.subscribe(ana, session: session, after: position)
        #expect(await take(1, of: first).map(\.name) == ["reset"])
        let second = bus.subscribe(ana, session: session, after: later)
        #expect(await take(1, of: second).map(\.name) == ["seen"])
    }

    @Test("A number of another node means a reset, however close the two have begun")
    func otherNode() async {
        let nodes = (0...1).map { number in EventBus(node: number) { [clock] in clock.now } }
        let position = nodes[0].position(of: ana)
        _ = nodes[1].position(of: ana)
        nodes[1].publish("missed", to: ana, data: [])
        let stream = nodes[1].subscribe(ana, session: session, after: position)
        #expect(await take(1, of: stream).map(\.name) == ["reset"])
        let own = nodes[0].subscribe(ana, session: session, after: position)
        nodes[0].publish("own", to: ana, data: [])
        #expect(await take(1, of: own).map(\.name) == ["own"])
    }

    @Test("A number of another process, or of the future, means a reset", arguments: [1, Int.max])
    func unknown(number: Int) async {
        let bus = bus()
        let stream = bus.subscribe(ana, session: session, after: number)
        #expect(await take(1, of: stream).map(\.name) == ["reset"])
    }

    @Test("Events that others miss reset no idle stream, nor one that breaks and resumes")
    func quiet() async {
        let bus = bus()
        let stream = bus.subscribe(ana, session: session, after: nil)
        var place: Int?
        for round in 0..<30 {
            _ = bus.position(of: bea)
            bus.publish("noise", to: bea, data: [])
            clock.advance(seconds: 20)
            for second in 0..<EventBus.heartbeatSeconds { bus.beat(round * 60 + second) }
            let beat = await take(1, of: stream)
            #expect(beat.map(\.name) == [nil])
            place = beat.first?.number
        }
        bus.unsubscribe(stream)
        bus.publish("at last", to: ana, data: [])
        let again = bus.subscribe(ana, session: session, after: place)
        #expect(await take(1, of: again).map(\.name) == ["at last"])
    }

    @Test("A reader that falls behind the end of the ring gets a reset, and memory stays bounded")
    func behind() async {
        let bus = bus()
        let slow = bus.subscribe(ana, session: session, after: nil)
        for _ in 0...EventRings.length {
            bus.publish("event", to: ana, data: Array(repeating: 0, count: 4096))
        }
        #expect(await take(1, of: slow).map(\.name) == ["reset"])
        var rings = EventRings(forgottenThrough: 0)
        for number in 1...2000 {
            rings.append(
                .init(
                    number: number, at: clock.now, name: "event",
                    content: .bytes(Array(repeating: 0, count: 100_000))),
                to: Account.ID(rawValue: Int64(number)))
            if rings.isFull { rings.forgetOldest() }
        }
        let kept = (1...2000).filter { rings.entry(after: 0, of: Account.ID(rawValue: Int64($0))) != nil }
        #expect(kept.count <= EventRings.bytes / 100_000)
        #expect(kept.contains(2000))
    }

    @Test(
        "Forgetting a thing takes exactly the events about it, and leaves no trace of them", arguments: 1...8)
    func forgetting(seed: UInt64) {
        var random = SeededRandom(seed)
        var rings = EventRings(forgottenThrough: 0)
        /// What each ring should hold: the number and subjects of its events, oldest first.
        var expected: [Account.ID: [(number: Int, subjects: Set<EventSubject>)]] = [:]
        func account() -> Account.ID { Account.ID(rawValue: Int64.random(in: 1...6, using: &random)) }
        func subject() -> EventSubject { .id(Int64.random(in: 1...12, using: &random)) }
        for number in 1...2_000 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let subject = subject()
                rings.forget([subject])
                for account in expected.keys {
                    expected[account]?.removeAll { $0.subjects.contains(subject) }
                }
            case 1:
                let (subject, account) = (subject(), account())
                rings.forget([subject], of: account)
                expected[account]?.removeAll { $0.subjects.contains(subject) }
            case 2:
                let account = account()
                rings.clear(account)
                expected[account] = []
            case 3:
                let (subject, account) = (subject(), account())
                rings.replace(subject, named: "update", of: [account], by: .bytes([1]))
                for other in expected.keys where other != account {
                    expected[other]?.removeAll { $0.subjects.contains(subject) }
                }
            default:
                let (account, subjects) = (account(), [subject(), subject()])
                rings.append(
                    .init(
                        number: number, at: clock.now, name: "update", subjects: subjects,
                        content: .bytes([])),
                    to: account)
                expected[account, default: []].append((number, Set(subjects)))
            }
        }
        for (account, events) in expected {
            var (place, numbers) = (0, [Int]())
            while let entry = rings.entry(after: place, of: account) {
                numbers.append(entry.number)
                place = entry.number
            }
            #expect(numbers == events.map(\.number).suffix(EventRings.length))
        }
        for number in 1...12 {
            let subject = EventSubject.id(Int64(number))
            let holders = expected.filter { $0.value.contains { $0.subjects.contains(subject) } }
            #expect(rings.accounts(holding: subject) == Set(holders.keys))
        }
        rings.forgetOld(clock.now.addingTimeInterval(EventRings.lifetime))
        for child in Mirror(reflecting: rings).children where child.label == "places" {
            #expect(Mirror(reflecting: child.value).children.isEmpty)
        }
    }

    @Test("A stream that keeps up misses nothing while the rings of others are full")
    func full() async {
        let bus = bus()
        let (quiet, busy) = (
            bus.subscribe(ana, session: session, after: nil), bus.subscribe(bea, session: session, after: nil)
        )
        for number in 1...2_000 {
            let other = Account.ID(rawValue: 100 + Int64(number))
            _ = bus.position(of: other)
            bus.publish("other", to: other, data: [UInt8](repeating: 0, count: 100_000))
            guard number.isMultiple(of: 50) else { continue }
            bus.publish("busy \(number)", to: bea, data: [])
            #expect(await take(1, of: busy).map(\.name) == ["busy \(number)"])
        }
        bus.publish("quiet", to: ana, data: [])
        #expect(await take(1, of: quiet).map(\.name) == ["quiet"])
    }

    @Test("A reader that takes nothing for a minute is cut off")
    func stuck() async {
        let bus = bus()
        await confirmation { isCut in
            let stuck = bus.subscribe(ana, session: session, after: nil) { isCut() }
            bus.publish("event", to: ana, data: [])
            clock.advance(seconds: EventBus.patience + 1)
            for second in 0..<EventBus.heartbeatSeconds { bus.beat(second) }
            #expect(bus.streamsCount == 0)
            #expect(await take(1, of: stuck).isEmpty)
        }
    }

    @Test("The end of a log-in cuts its streams at once, and events that wait are not sent")
    func ended() async {
        let bus = bus()
        await confirmation { isCut in
            let stream = bus.subscribe(ana, session: session, after: nil) { isCut() }
            let other = bus.subscribe(ana, session: .init(rawValue: 12), after: nil)
            bus.publish("event", to: ana, data: [])
            bus.end(session)
            #expect(await take(1, of: stream).isEmpty)
            #expect(await take(1, of: other).map(\.name) == ["event"])
        }
    }

    @Test("When an account's events are forgotten, nobody takes up what came before")
    func endedForAll() async {
        let bus = bus()
        let position = bus.position(of: ana)
        bus.publish("before the block", to: ana, data: [])
        bus.end(ana)
        let again = bus.subscribe(ana, session: session, after: position)
        #expect(await take(1, of: again).map(\.name) == ["reset"])
    }

    @Test("An account has at most sixteen streams; a further one takes the place of the oldest")
    func many() async {
        let bus = bus()
        let first = bus.subscribe(ana, session: session, after: nil)
        for _ in 0..<EventBus.streamsPerAccount { _ = bus.subscribe(ana, session: session, after: nil) }
        #expect(bus.streamsCount == EventBus.streamsPerAccount)
        #expect(await take(1, of: first).isEmpty)
    }
}

/// Random numbers that are the same in each run (splitmix64, https://prng.di.unimi.it/splitmix64.c).
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &+ 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
