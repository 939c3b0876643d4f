/// A queue that orders the work of several owners fairly: in turns, by the processor time that the work takes rather
/// than by the number of jobs.
///
/// - **Turns** follow start-time fair queueing (Goyal, Vin, Cheng: *Start-time Fair Queuing*, SIGCOMM 1996). Each owner
///   has a clock that runs ahead by the cost of every job, and the owner whose clock is furthest behind is next. An owner
///   who comes back begins at the clock of the job that started last, so idle time earns nothing and earlier work costs
///   nothing.
/// - **Urgent jobs** come before all others, of the same owner and across owners.
/// - **Heavy jobs never have all workers.** A job is heavy if it is long, or if its owner has used much lately. One
///   worker is left to jobs that are soon done.
/// - **A budget** for each owner refills slowly; an owner who has used it up is refused until then.
///
/// The queue is a value without a clock or threads of its own: callers pass the time in seconds. Costs are seconds of
/// processor time, predicted at first and corrected when more is known.
package struct FairQueue<Job> {
    /// A job in the queue or on a worker.
    package struct Entry {
        /// The order of arrival.
        package let id: UInt64
        package let turn: PictureTurn
        package let job: Job
        /// What the owner is charged for the job so far, in seconds.
        fileprivate(set) package var cost: Double
        fileprivate var isHeavy = false
    }

    fileprivate struct Owner {
        /// Whose turn it is: the owner with the lowest number.
        var clock = 0.0
        /// The seconds used lately: what running jobs are charged is included, what has refilled is not.
        var used = 0.0
        /// When ``used`` was right.
        var usedAt = 0.0
        /// The first is next: urgent jobs before others.
        var waiting: [Entry] = []
        var running = 0

        var isIdle: Bool { waiting.isEmpty && running == 0 }
        var waitingCost: Double { waiting.reduce(0) { $0 + $1.cost } }
    }

    private let workers: Int
    private let mostWaiting: Int
    private let ownerLimits: OwnerLimits
    private var owners: [PictureOwner: Owner] = [:]
    private var running: [UInt64: Entry] = [:]
    /// The clock of the owner whose job started last.
    private var clock = 0.0
    private var lastID: UInt64 = 0
    private var sweptAt = 0.0

    /// The most owners that are remembered while they have no job.
    private static var mostIdleOwners: Int { 10_000 }
    private static var secondsBetweenSweeps: Double { 60 }

    /// - Parameters:
    ///   - workers: the number of jobs that can run at once, at least 1.
    ///   - waiting: how many jobs may wait if no worker is free.
    ///   - limits: what one owner may have.
    package init(workers: Int, waiting: Int, limits: OwnerLimits) {
        precondition(workers > 0 && waiting >= 0)
        self.workers = workers
        mostWaiting = waiting
        ownerLimits = limits
    }

    /// The number of jobs that wait.
    package private(set) var waitingCount = 0
    /// The number of jobs on workers.
    package var runningCount: Int { running.count }
    /// The number of owners with jobs, or with something used lately.
    package var ownersCount: Int { owners.count }

    // MARK: Waiting

    /// Adds a job.
    ///
    /// If the queue is full, the owner with the most waiting jobs loses the last one of them, unless that is the owner
    /// who asks.
    ///
    /// - Parameters:
    ///   - cost: the predicted cost in seconds.
    ///   - now: the time in seconds.
    /// - Returns: the number of the job, and the job that had to leave the queue for it.
    /// - Throws: ``QueueRefusal``.
    package mutating func add(
        _ job: Job, _ turn: PictureTurn, cost: Double, at now: Double
    ) throws(QueueRefusal) -> (id: UInt64, displaced: Job?) {
        sweep(at: now)
        var owner = owners[turn.owner] ?? Owner()
        refill(&owner, at: now)
        let limits = limits(of: turn.owner)
        let claimed = owner.used + owner.waitingCost
        guard claimed < limits.seconds else {
            throw .usedUp(retryAfter: Self.wholeSeconds((claimed - limits.seconds) / limits.secondsPerSecond))
        }
        let free = max(0, workers - running.count)
        guard owner.waiting.count < limits.waiting + free else {
            throw .tooManyWaiting(retryAfter: Self.wholeSeconds(owner.waitingCost))
        }
        var displaced: Job?
        if waitingCount >= mostWaiting + free {
            guard let longest = owners.max(by: { $0.value.waiting.count < $1.value.waiting.count }),
                longest.key != turn.owner, longest.value.waiting.count > owner.waiting.count + 1
            else { throw .full }
            displaced = owners[longest.key]?.waiting.removeLast().job
            waitingCount -= 1
        }
        if owner.isIdle { owner.clock = max(owner.clock, clock) }
        lastID += 1
        let entry = Entry(id: lastID, turn: turn, job: job, cost: cost)
        // Behind all of the same urgency.
        let index = owner.waiting.firstIndex { $0.turn.urgency < turn.urgency } ?? owner.waiting.endIndex
        owner.waiting.insert(entry, at: index)
        owners[turn.owner] = owner
        waitingCount += 1
        return (entry.id, displaced)
    }

    /// Removes a waiting job. Returns nil if it doesn't wait.
    package mutating func remove(_ id: UInt64) -> Job? {
        for (key, owner) in owners {
            guard let index = owner.waiting.firstIndex(where: { $0.id == id }) else { continue }
            waitingCount -= 1
            return owners[key]?.waiting.remove(at: index).job
        }
        return nil
    }

    /// Removes all waiting jobs and returns them.
    package mutating func removeAll() -> [Job] {
        let jobs = owners.values.flatMap(\.waiting).sorted { $0.id < $1.id }.map(\.job)
        for key in Array(owners.keys) { owners[key]?.waiting = [] }
        waitingCount = 0
        return jobs
    }

    // MARK: Running

    /// Takes the next job for a free worker. Returns nil if none may start now.
    package mutating func next(at now: Double) -> Entry? {
        guard running.count < workers else { return nil }
        var best: (key: PictureOwner, owner: Owner, entry: Entry)?
        for (key, value) in owners {
            var owner = value
            guard var entry = owner.waiting.first else { continue }
            refill(&owner, at: now)
            entry.isHeavy = isHeavy(entry, used: owner.used)
            guard !entry.isHeavy || hasRoomForHeavy else { continue }
            if let best {
                let (theirs, ours) = (best.entry.turn.urgency, entry.turn.urgency)
                if ours < theirs { continue }
                let isEarlier = (owner.clock, entry.id) < (best.owner.clock, best.entry.id)
                if ours == theirs && !isEarlier { continue }
            }
            best = (key, owner, entry)
        }
        guard let best else { return nil }
        let entry = best.entry
        var owner = best.owner
        owner.waiting.removeFirst()
        owner.running += 1
        clock = max(clock, owner.clock)
        owner.clock += entry.cost
        owner.used += entry.cost
        owners[best.key] = owner
        waitingCount -= 1
        running[entry.id] = entry
        return entry
    }

    /// Corrects the cost of a running job that isn't finished.
    ///
    /// - Returns: whether the job may go on; false if it turned out to be heavy and must leave the worker to lighter jobs.
    package mutating func weigh(_ id: UInt64, cost: Double, at now: Double) -> Bool {
        guard var entry = running[id] else { return true }
        charge(entry, cost - entry.cost, at: now)
        entry.cost = cost
        let used = (owners[entry.turn.owner]?.used ?? 0) - cost
        let mayGoOn = entry.isHeavy || !isHeavy(entry, used: used) || hasRoomForHeavy
        entry.isHeavy = mayGoOn && (entry.isHeavy || isHeavy(entry, used: used))
        running[id] = entry
        return mayGoOn
    }

    /// Puts a running job back to the front of its owner's queue. It costs nothing until it is started again.
    package mutating func putBack(_ id: UInt64, at now: Double) {
        guard let entry = running.removeValue(forKey: id) else { return }
        charge(entry, -entry.cost, at: now)
        owners[entry.turn.owner]?.running -= 1
        let waiting = owners[entry.turn.owner]?.waiting ?? []
        let index = waiting.firstIndex { $0.turn.urgency <= entry.turn.urgency } ?? waiting.endIndex
        owners[entry.turn.owner]?.waiting.insert(entry, at: index)
        waitingCount += 1
    }

    /// Frees the worker of a job, and charges the owner what the job has used instead of what was predicted.
    package mutating func finish(_ id: UInt64, used seconds: Double, at now: Double) {
        guard let entry = running.removeValue(forKey: id) else { return }
        charge(entry, seconds - entry.cost, at: now)
        owners[entry.turn.owner]?.running -= 1
        if running.isEmpty && waitingCount == 0 {
            // A busy period has ended, and the next one begins with equal clocks.
            clock = owners.values.reduce(clock) { max($0, $1.clock) }
        }
    }

    // MARK: Costs

    private var hasRoomForHeavy: Bool {
        running.values.count { $0.isHeavy } < max(1, workers - 1)
    }

    private func isHeavy(_ entry: Entry, used: Double) -> Bool {
        let limits = limits(of: entry.turn.owner)
        return entry.cost > limits.lightJob || used + entry.cost > limits.lightUse
    }

    /// Returns the limits of an owner. The server itself has none: nobody waits for what it makes for itself.
    private func limits(of owner: PictureOwner) -> OwnerLimits { owner == .server ? .none : ownerLimits }

    private mutating func charge(_ entry: Entry, _ seconds: Double, at now: Double) {
        guard var owner = owners[entry.turn.owner] else { return }
        refill(&owner, at: now)
        owner.clock += seconds
        owner.used = max(0, owner.used + seconds)
        owners[entry.turn.owner] = owner
    }

    private func refill(_ owner: inout Owner, at now: Double) {
        owner.used = max(0, owner.used - max(0, now - owner.usedAt) * ownerLimits.secondsPerSecond)
        owner.usedAt = now
    }

    /// Forgets owners who have no jobs and have used nothing lately; when there are too many, also those who have used
    /// least.
    private mutating func sweep(at now: Double) {
        let isFull = owners.count >= Self.mostIdleOwners + mostWaiting + workers
        guard isFull || now - sweptAt >= Self.secondsBetweenSweeps else { return }
        sweptAt = now
        for (key, value) in owners where value.isIdle {
            var owner = value
            refill(&owner, at: now)
            owners[key] = owner.used > 0 || owner.clock > clock ? owner : nil
        }
        guard owners.count >= Self.mostIdleOwners else { return }
        let idle = owners.filter(\.value.isIdle).sorted { $0.value.used < $1.value.used }
        for (key, _) in idle.prefix(Self.mostIdleOwners / 2) { owners[key] = nil }
    }

    private static func wholeSeconds(_ seconds: Double) -> Int {
        Int(min(max(1, seconds.rounded(.up)), 3600))
    }
}

extension FairQueue: Sendable where Job: Sendable {}
extension FairQueue.Owner: Sendable where Job: Sendable {}
extension FairQueue.Entry: Sendable where Job: Sendable {}

/// Why a job isn't taken, or no longer worked on, although nothing is wrong with its picture.
public enum QueueRefusal: Error, Hashable, Sendable {
    /// Too many jobs of all owners wait.
    case full
    /// As many jobs of the owner wait as may, for about so many seconds.
    case tooManyWaiting(retryAfter: Int)
    /// The owner has used the processor for too long, and may use it again after so many seconds.
    case usedUp(retryAfter: Int)
    /// The server is stopping.
    case stopping
}
