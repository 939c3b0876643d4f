import ArgumentParser
import Core
import Storage
import Tintype

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a server's rows from SQLite to PostgreSQL, or back.",
        discussion: """
            Stop the server first. The secrets move with the rows: the file of the key that seals them in PostgreSQL is \
            --secrets-key-file, in both directions. Pictures stay in the data folder. The PostgreSQL database must be empty, or the folder \
            have no SQLite file; after a move that failed, it is so again.
            """)

    @Option(help: "The data folder whose SQLite file is moved to --database.")
    var from: String?

    @Option(help: "The data folder that gets a SQLite file with the rows of --database.")
    var to: String?

    @Option(help: "The PostgreSQL database, such as postgres://tintype@db.example/tintype.")
    var database: String

    @Option(
        name: .customLong("secrets-key-file"),
        help: "The file with the key that seals the secrets of the PostgreSQL database.")
    var secretsKeyFile: String

    func validate() throws {
        guard (from == nil) != (to == nil) else { throw ValidationError("Say either --from or --to.") }
    }

    func run() async throws {
        let address = try PostgresAddress(database)
        if let from {
            let rows = try await TintypeApplication.move(
                from: from, to: address, secretsKeyFile: secretsKeyFile)
            print("\(rows) rows are in \(address). Serve them with --database and --data \(from).")
        } else if let to {
            try await TintypeApplication.move(from: address, to: to, secretsKeyFile: secretsKeyFile)
            print("The rows are in \(to). Serve them without --database.")
        }
    }
}
