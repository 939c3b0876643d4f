import Foundation
import Storage
import Testing

@testable import Core
@testable import Serving

@Suite("Rows that this version doesn’t write")
struct StrangeRowTests {
    @Test("A time without a year of four digits is shown as the nearest that has one")
    func times() {
        let (early, late) = (Date(timeIntervalSince1970: -1e300), Date(timeIntervalSince1970: 1e300))
        #expect(Timestamp.iso8601(early) == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp.iso8601(late) == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp.long(late) == "31 December 9999 at 23:59 UTC")
        #expect(Timestamp.relative(early, now: late) == "1 January 0")
        #expect(Timestamp.year(of: late) == 9999)
    }

    @Test(
        "A password’s hash with a cost that nobody can pay fits no password",
        arguments: ["62$8$1", "15$-8$1", "15$8$4611686018427387904", "24$64$64", "0$8$1"])
    func cost(cost: String) async throws {
        let hasher = PasswordHasher(cost: .init(logRounds: 4))
        let isRight = try await hasher.verify("", against: "scrypt$\(cost)$AAAA$AAAA", in: .strangers)
        #expect(!isRight)
    }

    @Test("A picture has pixels, however large a row says it is")
    func pixels() {
        #expect(KeptFile(variant: "a", key: .random(), width: .max, height: 2).pixels == .max)
    }
}
