import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Storage
import Synchronization
import TestPostgres
import TestS3
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Tintype

/// A server of a test's own: the whole application over a real database in a temporary folder.
///
/// ```swift
/// let world = try await World()
/// let ana = try await world.account("ana")
/// let post = try await ana.post(caption: "Morning")
/// #expect(try await ana.get("/api/v1/statuses/\(post)")["text"] == "Morning")
/// ```
final class World: Sendable {
    /// The application, for what can't be reached through its routes.
    let tintype: TintypeApplication
    /// The application's clock, which moves only when a test moves it.
    let clock: TestClock
    /// The data folder.
    let folder: String
    private let application: Application<RouterResponder<AppContext>>
    private let ownsFolder: Bool

    /// Builds the application.
    ///
    /// - Parameters:
    ///   - folder: the data folder; nil for a new one that goes with the world.
    ///   - other: the world whose folder, database and clock this one has, too, as a second server; nil for none.
    ///   - clock: the time; by default a new clock.
    ///   - additions: features that aren't part of the app.
    ///   - files: the public files, with those of these features; nil for the app's own.
    ///   - sharesProcessor: whether pictures are processed by a pool that worlds share, which has no limits; false for
    ///     one with the limits of a server and the settings for pictures, and for a server that is stopped.
    ///   - configure: changes settings. Sign-up is open by default.
    init(
        folder: String? = nil, beside other: World? = nil, clock: TestClock? = nil,
        adding additions: [FeatureAddition] = [],
        files: StaticFiles? = nil, sharesProcessor: Bool = true,
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        let clock = clock ?? other?.clock ?? TestClock()
        self.clock = clock
        self.folder = folder ?? other?.folder ?? Self.newFolder()
        ownsFolder = folder == nil && other == nil
        if ownsFolder {
            try FileManager.default.createDirectory(
                atPath: self.folder, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            if TestPostgres.engine == nil {
                try Self.emptyDatabase.get().write(to: URL(filePath: "\(self.folder)/tintype.sqlite"))
            }
        }
        var configuration = ServerConfiguration()
        if let other {
            configuration.database = other.tintype.configuration.database
            configuration.sharedDatabase = true
        } else {
            configuration.database = try Self.postgres(for: self.folder)
        }
        if configuration.database != nil {
            configuration.secretsKeyFile = try Self.secretsKeyFile(in: self.folder)
        }
        configuration.data = self.folder
        configuration.blobs = TestS3.isStore ? try await Self.bucket(for: self.folder) : nil
        configuration.signUp = .open
        configuration.publicURL = "http://localhost"
        configuration.logLevel = ProcessInfo.processInfo.environment["TINTYPE_TEST_LOG"] ?? "critical"
        configuration.statementWatch = StatementPlans.watch
        configure(&configuration)
        // The cheapest cost: tests make many accounts.
        configuration.passwordCost = 1
        tintype = try await TintypeApplication(
            configuration, adding: additions,
            files: files ?? StaticFiles.own.get(),
            processor: sharesProcessor ? TestPicture.processor : nil
        ) { [clock = self.clock] in clock.now }
        var logger = Logger(label: "test")
        logger.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .critical
        application = Application(
            responder: try tintype.router().buildResponder(), server: try tintype.server(), logger: logger)
    }

    /// Two servers on one database.
    ///
    /// - Parameter configure: changes settings of both.
    static func two(
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws -> (World, World) {
        let first = try await World {
            $0.sharedDatabase = true
            configure(&$0)
        }
        return (first, try await World(beside: first, configure: configure))
    }

    /// Returns the file of the operator's key for secrets in PostgreSQL, which is in the data folder.
    static func secretsKeyFile(in folder: String) throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = "\(folder)/operators.key"
        let key = Data((0..<32).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
        _ = try PrivateFile.contents(of: path, orCreate: Array(key.utf8))
        return path
    }

    deinit {
        tintype.breakCycles()
        if ownsFolder {
            try? FileManager.default.removeItem(atPath: folder)
            try? TestPostgres.engine?.drop(TestPostgres.name(for: folder))
        }
    }

    /// A database that is up to date and has no rows: made once, so that not every test waits for all migrations.
    private static let emptyDatabase = Result {
        let folder = newFolder()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = "\(folder)/tintype.sqlite"
        let database = try Database(path: path, now: { TestClock().now }, logger: Logger(label: "test"))
        _ = try database.migrate(folder: Resources.folder("migrations").path)
        try database.close()
        return try Data(contentsOf: URL(filePath: path))
    }

    /// The PostgreSQL database that belongs to a data folder, made if it isn't there; nil if tests use SQLite.
    static func postgres(for folder: String) throws -> PostgresAddress? {
        // A folder that was restored from a backup has a SQLite file.
        guard let server = TestPostgres.engine,
            !FileManager.default.fileExists(atPath: "\(folder)/tintype.sqlite")
        else { return nil }
        let name = TestPostgres.name(for: folder)
        if try server.has(name) {
            // A folder is opened again as after the end of the process that had it.
            try server.disconnect(name)
        } else {
            try server.make(name, from: try template.get())
        }
        return try server.address(name)
    }

    /// The part of the tests' bucket that belongs to a data folder; nil if the folder has pictures itself, from a backup.
    static func bucket(for folder: String) async throws -> S3Address? {
        guard !FileManager.default.fileExists(atPath: "\(folder)/blobs") else { return nil }
        let server = try #require(TestS3.server)
        try await server.make("worlds")
        return try server.address("worlds", prefix: (folder as NSString).lastPathComponent)
    }

    /// The name of a PostgreSQL database that is up to date and has no rows.
    private static let template = Result {
        let server = try #require(TestPostgres.engine)
        let name = "template_\(ProcessInfo.processInfo.processIdentifier)"
        try server.make(name)
        let database = try Database(
            address: server.address(name), as: .command, now: { TestClock().now },
            logger: Logger(label: "test"))
        _ = try database.migrate(folder: Resources.folder("migrations").path)
        try database.close()
        return name
    }

    private static func newFolder() -> String { NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString }

    // MARK: People

    /// A new person, with a log-in in a browser.
    ///
    /// - Parameters:
    ///   - displayName: by default the username with a capital.
    ///   - portrait: whether to give them a picture instead of initials.
    func account(
        _ username: String, displayName: String? = nil, password: String = "correct horse",
        isAdmin: Bool = false,
        portrait: Bool = false
    ) async throws -> Person {
        let account = try await tintype.accounts.create(
            .init(username: username, displayName: displayName ?? username.capitalized, password: password),
            isAdmin: isAdmin)
        let token = try await tintype.sessions.start(for: account.id, device: "Test", kind: .browser)
        let person = Person(world: self, id: account.id, username: username, token: token)
        if portrait {
            let answer = try await person.send(
                .patch, "/api/v1/accounts/update_credentials",
                multipart: [.file("avatar", try await TestPicture.jpeg())])
            try #require(answer.status == 200)
        }
        return person
    }

    /// New people who all follow each other.
    func friends(_ usernames: String...) async throws -> [Person] {
        var people: [Person] = []
        for username in usernames { people.append(try await account(username)) }
        for person in people {
            for other in people where other.id != person.id { try await person.follow(other) }
        }
        return people
    }

    /// Someone who isn't logged in.
    var stranger: Person { Person(world: self, id: ID(rawValue: 0), username: "", token: nil) }

    // MARK: Requests

    /// Sends one request straight to the router.
    func send(
        _ method: HTTPRequest.Method, _ path: String, headers: HTTPFields = [:], body: ByteBuffer? = nil
    ) async throws -> Answer {
        try await application.test(.router) { client in
            try await client.execute(uri: path, method: method, headers: headers, body: body) { Answer($0) }
        }
    }

    /// Serves on a real port while the closure runs, for streams and broken connections.
    func live<Value: Sendable>(_ body: @escaping @Sendable (LiveServer) async throws -> Value) async throws
        -> Value
    {
        try await application.test(.live) { client in
            try await body(LiveServer(port: #require(client.port)))
        }
    }

    // MARK: What a test looks at behind the routes

    /// Does the background work that is due, until none is left.
    func work() async throws {
        while try await tintype.jobs.runDueJobs() > 0 {}
    }

    /// The one number that a statement gives.
    func number(_ sql: String) async throws -> Int {
        // The comment says that the statement isn't the application's, for `StatementPlans`.
        try await tintype.database.read { try $0.value("/* a test */ \(sql)", as: Int.self) ?? 0 }
    }

    /// Inserts many posts of a person at once, without photos.
    func insertPosts(
        _ count: Int, by author: Person, _ caption: String, visibility: Post.Visibility
    ) async throws {
        try await tintype.database.write { transaction in
            for _ in 1...count {
                try PostStore(transaction).insert(
                    ID(rawValue: transaction.newID()), author: author.id, words: PostWords(caption: caption),
                    visibility: visibility, photos: [])
            }
        }
    }

    /// The rows of one list of a person's download.
    func downloaded(_ name: String, of person: Person) async throws -> [JSON] {
        let lists = tintype.features.all.compactMap(\.accountData).flatMap(\.lists)
        let list = try #require(lists.first { $0.name == name })
        return try await tintype.database.read {
            try list.page(of: person.id, after: 0, $0).rows.map { JSON($0) }
        }
    }

    /// How many files of pictures lie on the disk.
    func fileCount() async throws -> Int {
        try await tintype.blobs.keys(after: nil, limit: .max).count
    }

    /// The path of a picture's file.
    func path(of key: BlobKey) -> String { "\(folder)/blobs/\(key.rawValue.prefix(2))/\(key.rawValue)" }
}

/// A clock that a test moves.
final class TestClock: Sendable {
    private let date: Mutex<Date>
    private let held = Mutex<(looks: Int, gate: Gate)?>(nil)

    init(_ date: Date = Date(timeIntervalSince1970: 1_790_000_000)) {
        self.date = Mutex(date)
    }

    var now: Date {
        let gate: Gate? = held.withLock { held in
            held?.looks -= 1
            guard let (looks, gate) = held, looks == 0 else { return nil }
            held = nil
            return gate
        }
        gate?.pass()
        return date.withLock { $0 }
    }

    /// Holds the look at the clock that comes after `looks - 1` others until the gate is opened. A service looks at it in
    /// each transaction, so that a test stops it at any of its steps; not in a write, since all others wait for that, and only
    /// in a world without reads in place, since a thread that many tasks share must not be held.
    func hold(look looks: Int) -> Gate {
        let gate = Gate()
        held.withLock { $0 = (looks, gate) }
        return gate
    }

    /// What a thread of the database waits for.
    final class Gate: Sendable {
        private let isOpen = DispatchSemaphore(value: 0)
        private let arrivals = AsyncStream<Void>.makeStream()

        fileprivate func pass() {
            arrivals.continuation.yield()
            isOpen.wait()
        }

        /// Returns once somebody is held.
        func isReached() async { for await _ in arrivals.stream { return } }

        func open() { isOpen.signal() }
    }

    /// Moves the time forward.
    func advance(seconds: TimeInterval) {
        date.withLock { $0 = $0.addingTimeInterval(seconds) }
    }

    /// Moves the time forward.
    func advance(hours: Double) { advance(seconds: hours * 3600) }
}

/// The services, for what a test can't reach through routes.
extension TintypeApplication {
    var accounts: AccountService { features.accounts.accounts }
    var invitations: InvitationService { features.accounts.invitations }
    var sessions: SessionService { features.sessions.sessions }
    var notifications: NotificationService { features.notifications.notifications }
    var photos: PhotoService { features.photos.photos }
    var snaps: SnapService { features.snaps.snaps }
    var administration: AdministrationService { features.administration.administration }
    var gauges: ServerGauges { features.administration.gauges }
}
