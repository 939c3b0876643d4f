import Foundation
import Logging
import Storage
import Testing

@testable import Core
@testable import People

@Suite("Reports of earlier versions")
struct ReportMigrationTests {
    @Test("Open reports of posts get their words, and deleting a post takes none away any more")
    func migration() async throws {
        let folder = URL(filePath: NSTemporaryDirectory() + "tintype-migration-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let earlier = folder.appending(path: "earlier")
        try FileManager.default.createDirectory(at: earlier, withIntermediateDirectories: true)
        let all = try Resources.folder("migrations")
        for name in try FileManager.default.contentsOfDirectory(atPath: all.path) where name < "0010" {
            try FileManager.default.copyItem(
                at: all.appending(path: name), to: earlier.appending(path: name))
        }
        let database = try Database(
            path: folder.appending(path: "tintype.sqlite").path, logger: Logger(label: "test"))
        #expect(try database.migrate(folder: earlier.path).count == 8)
        try await database.write { transaction in
            for (id, name) in [(1, "ana"), (2, "ben")] {
                try transaction.execute(
                    """
                    INSERT INTO accounts (id, username, username_folded, display_name, password)
                    VALUES ($1, $2, $2, $2, '')
                    """, Int64(id), name)
            }
            try transaction.execute(
                """
                INSERT INTO posts (id, author_id, parent_id, root_id, caption, visibility)
                VALUES (10, 1, NULL, NULL, 'A post', 'public'), (11, 1, 10, 10, 'A comment', 'public')
                """)
            try transaction.execute(
                """
                INSERT INTO reports (id, reporter_id, account_id, post_id, reason, words, closed_at, snap_id, quote)
                VALUES (20, 2, 1, 10, 'mean', 'Open', NULL, NULL, ''), (21, 2, 1, 11, 'spam', '', NULL, NULL, ''),
                    (22, 2, 1, 10, 'mean', 'Closed', 5, NULL, ''), (23, 2, 1, NULL, 'mean', '', NULL, 30, 'memes')
                """)
        }
        _ = try database.migrate(folder: all.path)
        try await database.write { try $0.execute("DELETE FROM posts WHERE id = 10") }
        try await database.read { transaction in
            let store = ReportStore(transaction)
            let subjects = try (20...23).map { try store.report(ID(rawValue: $0))?.subject }
            #expect(
                subjects == [
                    .init(kind: "post", id: 10, quote: "A post"),
                    .init(kind: "comment", id: 11, quote: "A comment"), nil,
                    .init(kind: "snap", id: 30, quote: "memes"),
                ])
            #expect(try store.report(ID(rawValue: 20))?.words == "Open")
            let closed = try transaction.row("SELECT quote, closed_at FROM reports WHERE id = 22") {
                "\(try $0.string("quote")) \(try $0.int64("closed_at"))"
            }
            #expect(closed == " 5")
        }
        #expect(try await database.integrityProblems() == [])
        try database.close()
    }
}
