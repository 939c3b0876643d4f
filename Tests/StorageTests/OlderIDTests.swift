import Foundation
import Storage
import Testing

@Suite("Ids of old things")
struct OlderIDTests {
    private static let second: Int64 = 1000
    /// 2024-01-02 00:00:00 UTC.
    private static let border = IDSequence.epoch + 86_400_000

    @Test(
        "An id of an old thing holds its second",
        arguments: [0, 1, 1_262_304_000, 1_437_000_123, 1_704_067_200, 1_704_153_599])
    func old(seconds: Int64) {
        let ids = IDSequence.ids(at: seconds * 1000 + 999)
        #expect(ids.count == 1 << 17)
        for id in [ids.lowerBound, ids.upperBound] {
            #expect(IDSequence.milliseconds(of: id) == seconds * 1000)
        }
    }

    @Test("An id since then holds its millisecond", arguments: [border, border + 1, 1_790_000_000_123])
    func new(milliseconds: Int64) {
        let ids = IDSequence.ids(at: milliseconds)
        #expect(ids.count == 1 << 22)
        #expect(ids.contains(IDSequence(node: 5).after(milliseconds)))
        for id in [ids.lowerBound, ids.upperBound] {
            #expect(IDSequence.milliseconds(of: id) == milliseconds)
        }
    }

    @Test("Ids are in the order of their times, over the border, too, and times don’t overlap")
    func order() {
        let times = [
            0, 1, 999_999, 1_262_304_000, 1_704_067_199, 1_704_067_200, 1_704_153_599, 1_704_153_600,
            1_704_153_601, 1_790_000_000, 3_800_000_000,
        ].map { $0 * Self.second }
        for (earlier, later) in zip(times, times.dropFirst()) {
            #expect(IDSequence.ids(at: earlier).upperBound < IDSequence.ids(at: later).lowerBound)
        }
        #expect(IDSequence.ids(at: -5_000) == IDSequence.ids(at: 0))
    }
}

extension IDSequence {
    /// The first id at a time.
    fileprivate func after(_ milliseconds: Int64) -> Int64 {
        var sequence = self
        return sequence.next(at: milliseconds)
    }
}
