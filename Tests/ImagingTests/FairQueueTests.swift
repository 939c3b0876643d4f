import Imaging
import Testing

/// A queue whose workers and time the test controls. Each job is a name; its owner is the first letter.
private final class Queue {
    private var queue: FairQueue<String>
    private var running: [(name: String, id: UInt64)] = []
    var now = 0.0

    init(workers: Int = 1, waiting: Int = 1000, limits: OwnerLimits = .none) {
        queue = FairQueue(workers: workers, waiting: waiting, limits: limits)
    }

    var waitingCount: Int { queue.waitingCount }
    var ownersCount: Int { queue.ownersCount }

    /// Adds a job. Returns the job that had to leave for it.
    @discardableResult
    func add(
        _ name: String, cost: Double = 1, _ urgency: PictureTurn.Urgency = .awaited
    ) throws -> String? {
        let turn = PictureTurn(PictureOwner(String(name.prefix(1))), urgency)
        return try queue.add(name, turn, cost: cost, at: now).displaced
    }

    /// Adds jobs of one owner.
    func add(_ names: [String], cost: Double = 1) throws {
        for name in names { try add(name, cost: cost) }
    }

    /// Starts the next job; nil if none may start.
    func start() -> String? {
        guard let entry = queue.next(at: now) else { return nil }
        running.append((entry.job, entry.id))
        return entry.job
    }

    /// Finishes a running job that has used as much as was predicted, or something else.
    func finish(_ name: String, cost: Double = 1, used: Double? = nil) {
        queue.finish(id(name), used: used ?? cost, at: now)
        running.removeAll { $0.name == name }
    }

    func weigh(_ name: String, cost: Double) -> Bool {
        queue.weigh(id(name), cost: cost, at: now)
    }

    func putBack(_ name: String) {
        queue.putBack(id(name), at: now)
        running.removeAll { $0.name == name }
    }

    /// Does jobs one after the other, each of which takes what was predicted.
    func order(of count: Int, costs: [Character: Double] = [:]) -> String {
        var order = ""
        for _ in 0..<count {
            guard let name = start(), let owner = name.first else { break }
            order.append(owner)
            finish(name, used: costs[owner] ?? 1)
        }
        return order
    }

    private func id(_ name: String) -> UInt64 { running.first { $0.name == name }?.id ?? 0 }
}

private func names(_ owner: Character, _ count: Int) -> [String] {
    (0..<count).map { "\(owner)\($0)" }
}

@Suite("The order of work on pictures")
struct FairQueueTests {
    @Test("One job of a person comes after one of the person who sent seventy, not after all")
    func turns() throws {
        let queue = Queue()
        try queue.add(names("a", 70))
        #expect(queue.start() == "a0")
        try queue.add("b0")
        queue.finish("a0")
        #expect(queue.start() == "b0")
        queue.finish("b0")
        #expect(queue.order(of: 100) == String(repeating: "a", count: 69))
    }

    @Test("People share the time, not the number of jobs")
    func costs() throws {
        let queue = Queue()
        try queue.add(names("a", 10), cost: 4)
        try queue.add(names("b", 40), cost: 1)
        let order = queue.order(of: 25, costs: ["a": 4, "b": 1])
        #expect(order.count { $0 == "a" } == 5)
    }

    @Test("A picture that cost more than it seemed is charged in full")
    func truth() throws {
        let queue = Queue()
        try queue.add(names("a", 3), cost: 0.25)
        #expect(queue.start() == "a0")
        try queue.add(names("b", 9), cost: 0.25)
        queue.finish("a0", used: 2)
        #expect(queue.order(of: 9, costs: ["b": 0.25]) == "bbbbbbbba")
    }

    @Test("Someone who was away has saved nothing, and someone who comes back owes nothing")
    func idle() throws {
        let queue = Queue()
        // Ana has worked a lot while Ben was away.
        try queue.add(names("a", 100))
        #expect(queue.order(of: 90).allSatisfy { $0 == "a" })
        try queue.add(names("b", 10))
        #expect(queue.order(of: 8).count { $0 == "b" } == 4)
        // And after everything is done, Ben's many jobs of before don't count.
        _ = queue.order(of: 100)
        try queue.add(names("b", 10))
        try queue.add(names("c", 10))
        #expect(queue.order(of: 8).count { $0 == "c" } == 4)
    }

    @Test("What a page waits for comes before what nobody waits for, of the same person and of others")
    func urgency() throws {
        let queue = Queue()
        try queue.add("a-later", .background)
        try queue.add("b-later", .background)
        try queue.add("a-now")
        try queue.add("c-now")
        var order: [String] = []
        while let name = queue.start() {
            order.append(name)
            queue.finish(name)
        }
        #expect(order == ["a-now", "c-now", "b-later", "a-later"])
    }

    // MARK: Heavy jobs

    private static let limits = OwnerLimits(
        waiting: 8, seconds: 100, secondsPerSecond: 0.5, lightJob: 2, lightUse: 10)

    @Test("Long jobs never have the last worker, however many people send them")
    func lastWorker() throws {
        let queue = Queue(workers: 2, limits: Self.limits)
        try queue.add("a0", cost: 16)
        try queue.add("b0", cost: 16)
        #expect(queue.start() == "a0")
        #expect(queue.start() == nil)
        try queue.add("c0", cost: 0.25)
        #expect(queue.start() == "c0")
        queue.finish("c0", used: 0.25)
        #expect(queue.start() == nil)
        queue.finish("a0", used: 16)
        #expect(queue.start() == "b0")
    }

    @Test("Someone who has used much lately leaves one worker to others for a while")
    func heavyUse() throws {
        let queue = Queue(workers: 2, limits: Self.limits)
        for number in 0..<10 {
            try queue.add("a\(number)")
            #expect(queue.start() == "a\(number)")
            queue.finish("a\(number)")
        }
        try queue.add(["a10", "a11"])
        #expect(queue.start() == "a10")
        #expect(queue.start() == nil)
        queue.now += 10
        #expect(queue.start() == "a11")
    }

    @Test("A picture that turns out to be costly gives the last worker back, and is done in its turn")
    func putBack() throws {
        let queue = Queue(workers: 2, limits: Self.limits)
        try queue.add("a0", cost: 16)
        try queue.add(["b0", "b1"], cost: 0.25)
        #expect(queue.start() == "a0")
        #expect(queue.start() == "b0")
        #expect(!queue.weigh("b0", cost: 3))
        queue.putBack("b0")
        #expect(queue.waitingCount == 2)
        // It stays before the later one, and both are behind those that need less.
        #expect(queue.start() == nil)
        try queue.add("c0", cost: 0.25)
        #expect(queue.start() == "c0")
        queue.finish("a0", used: 16)
        #expect(queue.start() == "b0")
        #expect(queue.weigh("b0", cost: 3))
    }

    @Test("The first costly picture may go on, and is the only one")
    func weighed() throws {
        let queue = Queue(workers: 2, limits: Self.limits)
        try queue.add(["a0", "a1"], cost: 0.25)
        try queue.add("b0", cost: 0.25)
        #expect(queue.start() == "a0")
        #expect(queue.start() == "b0")
        #expect(queue.weigh("b0", cost: 3))
        #expect(!queue.weigh("a0", cost: 3))
    }

    @Test("A server with one worker does long jobs too")
    func oneWorker() throws {
        let queue = Queue(workers: 1, limits: Self.limits)
        try queue.add("a0", cost: 16)
        #expect(queue.start() == "a0")
    }

    // MARK: Limits

    @Test("A person has a few jobs waiting, and others still have room")
    func fewWaiting() throws {
        let queue = Queue(workers: 1, limits: Self.limits)
        try queue.add("z")
        #expect(queue.start() == "z")
        try queue.add(names("a", 8))
        #expect(throws: QueueRefusal.tooManyWaiting(retryAfter: 8)) { try queue.add("a8") }
        try queue.add("b0")
        #expect(queue.waitingCount == 9)
    }

    @Test("When the queue is full, the owner with the most in it makes room")
    func full() throws {
        let queue = Queue(waiting: 4)
        try queue.add("z")
        #expect(queue.start() == "z")
        try queue.add(names("a", 3))
        try queue.add("b0")
        #expect(throws: QueueRefusal.full) { try queue.add("a3") }
        #expect(try queue.add("c0") == "a2")
        #expect(throws: QueueRefusal.full) { try queue.add("b1") }
        #expect(queue.waitingCount == 4)
    }

    @Test("A budget that is used up comes back with time")
    func budget() throws {
        let queue = Queue(limits: Self.limits)
        for number in 0..<10 {
            try queue.add("a\(number)", cost: 10)
            #expect(queue.start() == "a\(number)")
            queue.finish("a\(number)", used: 11)
        }
        #expect(throws: QueueRefusal.usedUp(retryAfter: 20)) { try queue.add("a10") }
        try queue.add("b0")
        queue.now += 21
        try queue.add("a10")
    }

    @Test("People who are gone are forgotten once they owe nothing")
    func forgotten() throws {
        let queue = Queue(limits: Self.limits)
        for owner in "abcdefgh" {
            try queue.add("\(owner)0", cost: 5)
            #expect(queue.start() == "\(owner)0")
            queue.finish("\(owner)0", used: 5)
        }
        #expect(queue.ownersCount == 8)
        queue.now += 100
        try queue.add("z")
        #expect(queue.ownersCount == 1)
    }
}
