import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("What the features say of the schema", .timeLimit(.minutes(15)), .onlySQLite)
struct FeatureSchemaTests {
    /// The tables of what all features are built upon.
    static let shared = [
        "blobs", "storage_uses", "jobs", "idempotency_keys", "server_values", "attempts",
        "storage_ids", "storage_migrations",
    ]

    @Test("Every table is handed over by one feature")
    func tables() async throws {
        let world = try await World()
        #expect(world.tintype.features.all.map { "\(type(of: $0))" } == Features.types.map { "\($0)" })
        let claimed = Features.tables.map(\.name) + Self.shared
        #expect(claimed.count == Set(claimed).count, "claimed twice: \(claimed.sorted())")
        let database = world.tintype.database
        let tables = try await database.read { transaction in
            try transaction.values(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                as: String.self)
        }
        #expect(Set(tables).symmetricDifference(claimed).sorted() == [])
    }

    @Test("Every column that names a file or an account is claimed by the table's feature, and no other is")
    func columns() async throws {
        let world = try await World()
        let database = world.tintype.database
        for table in Features.tables {
            let columns = try await database.read { transaction in
                try transaction.values("SELECT name FROM pragma_table_info($1)", table.name, as: String.self)
            }
            #expect(columns.contains("blob_key") == table.ownsFiles, "\(table.name).blob_key")
            let references = try await database.read { transaction in
                try transaction.rows(
                    "SELECT \"from\", on_delete FROM pragma_foreign_key_list($1) WHERE \"table\" = 'accounts'",
                    table.name
                ) { (column: try $0.string("from"), rule: try $0.string("on_delete")) }
            }
            for (column, rule) in references {
                guard let claim = table.accounts[column] else {
                    Issue.record(
                        "\(table.name).\(column) names an account, and nobody says what becomes of the row")
                    continue
                }
                switch claim {
                case .deleted: #expect(rule == "CASCADE", "\(table.name).\(column)")
                case .cleared: #expect(rule == "SET NULL", "\(table.name).\(column)")
                // What erases the rows runs before the account's own row goes.
                case .erased:
                    #expect(["CASCADE", "NO ACTION", "RESTRICT"].contains(rule), "\(table.name).\(column)")
                }
            }
            #expect(
                Set(table.accounts.keys).subtracting(references.map(\.column)).sorted() == [],
                "\(table.name) claims columns that name no account")
        }
    }

    @Test("Names of jobs, notifications, reports and badges are used once")
    func names() async throws {
        let world = try await World()
        let features = world.tintype.features
        let jobs: [String] = features.all.flatMap { $0.jobs.keys.map(\.name) }
        let badges: [String] = features.all.compactMap { $0.badge?.name }
        let notifications: [String] = features.notifications.notifications.kinds.all.map(\.kind.name)
        let reports: [String] = features.reports.reports.kinds.all.flatMap(\.kinds)
        let links: [String] = features.all.flatMap { $0.menu.map(\.name) }
        for names in [jobs, badges, notifications, reports, links] {
            #expect(names.count == Set(names).count, "\(names.sorted())")
        }
    }
}
