import Foundation
import Synchronization

/// A clock that the demo moves through the past.
final class DemoClock: Sendable {
    private let date: Mutex<Date>

    init(_ date: Date) { self.date = Mutex(date) }

    var now: Date { date.withLock { $0 } }

    func move(to date: Date) { self.date.withLock { $0 = date } }
}

/// A generator of pseudorandom numbers that are the same every time (Steele, Lea, Flood: Fast splittable pseudorandom
/// number generators, 2014).
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
