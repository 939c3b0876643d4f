import ArgumentParser
import Core
import Storage
import Tintype

struct Move: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a server from its data folder to PostgreSQL and an S3 store, or back.",
        discussion: """
            Stop the server first. --database moves the rows and --blobs the pictures; what isn't named stays in the folder. \
            The secrets move with the rows, sealed with the key in --secrets-key-file. The database and the store must be \
            empty, or the folder have no SQLite file. A move that failed can be made again.
            """)

    @Option(help: "The data folder that is moved.")
    var from: String?

    @Option(help: "The data folder to which a server is moved back.")
    var to: String?

    @Option(help: "The PostgreSQL database, such as postgres://tintype@db.example/tintype.")
    var database: String?

    @Option(help: "The store of pictures, such as s3://bucket/prefix?endpoint=https://store.example.")
    var blobs: String?

    @Option(
        name: .customLong("secrets-key-file"),
        help: "The file with the key that seals the secrets of the PostgreSQL database.")
    var secretsKeyFile: String?

    func validate() throws {
        guard (from == nil) != (to == nil) else { throw ValidationError("Say either --from or --to.") }
        guard database != nil || blobs != nil else {
            throw ValidationError("Say --database, --blobs or both.")
        }
        guard database == nil || secretsKeyFile != nil else {
            throw ValidationError("With --database, say --secrets-key-file, too.")
        }
    }

    func run() async throws {
        let move = ServerMove(
            folder: from ?? to ?? "", database: try database.map { try PostgresAddress($0) },
            secretsKeyFile: secretsKeyFile, blobs: try blobs.map { try S3Address($0) })
        let moved = from == nil ? try await move.back() : try await move.out()
        print(moved.map { "\($0)." }.joined(separator: "\n"))
    }
}
