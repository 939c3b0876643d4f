import Foundation
import Logging
import Testing

@testable import Core

@Suite("Copies from before updates")
struct UpgradeCopiesTests {
    @Test("A copy is erased after a week, with all that a killed process has left beside it")
    func old() throws {
        let folder = try TemporaryFolder()
        let copies = UpgradeCopies(in: folder.path, logger: Logger(label: "test"))
        // Without copies there is nothing to erase.
        let now = Date(timeIntervalSince1970: 1_795_824_000)
        try copies.eraseOld(now: now)
        let day = Date.ISO8601FormatStyle(dateSeparator: .omitted, timeZone: .gmt).year().month().day()
        let young = "\(now.addingTimeInterval(-6 * 86_400).formatted(day))T000000Z-1.0.0.sqlite"
        let old = "\(now.addingTimeInterval(-8 * 86_400).formatted(day))T000000Z-1.0.0.sqlite"
        let left = "\(copies.folder)/going-back"
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        for path in [young, old, "\(old).unfinished", "going-back/upgraded.sqlite"] {
            try Data("rows".utf8).write(to: URL(filePath: "\(copies.folder)/\(path)"))
        }
        try copies.eraseOld(now: now)
        #expect(try FileManager.default.contentsOfDirectory(atPath: copies.folder) == [young])
        withExtendedLifetime(folder) {}
    }
}
