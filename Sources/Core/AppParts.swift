import Foundation
import Imaging
import Logging
import Serving
import Storage

/// The parts from which the features are built: storage, the frame of the pages, events, and the features built before.
package struct AppParts: Sendable {
    /// The settings that the app was built with.
    package let configuration: ServerConfiguration
    /// Whether this process is the server, and not a command beside it.
    package let isServer: Bool
    package let logger: Logger
    /// The clock.
    package let now: @Sendable () -> Date
    package let database: Database
    package let blobs: any BlobStore
    /// This process's own folder for files in work.
    package let work: WorkFolder
    /// The key that encrypts secrets before they are stored in the database.
    package let secrets: SecretsKey
    /// The counts of attempts that all servers limit together.
    package let attempts: AttemptCounts
    /// The pool of processes that decode pictures.
    package let processor: ImageProcessor
    /// Turns uploads into renditions.
    package let intake: PictureIntake
    /// The client for requests to other servers.
    package let outgoing: OutgoingHTTP
    /// The runner of background work.
    package let jobs: JobRunner
    /// The figures of all requests.
    package let metrics = Metrics()
    /// What the features have in the browser.
    package let scripts: FeatureScripts
    /// The frame that pages share.
    package let frame: Frame
    /// The events to open pages and apps.
    package let events: EventBus
    /// What carries events to other nodes and from them; nil when there can't be any.
    package let relay: EventRelay?
    /// The hasher of passwords.
    package let hasher: PasswordHasher
    /// The epoch in which each person's picture URLs are signed.
    package let epochs: AccountEpochs
    /// The epochs in which people may see what they see of others.
    package let sight: Sight
    /// The signer of picture URLs.
    package let signatures: PictureSignatures
    /// The writer of the JSON of people, photos and posts.
    package let entities: Entities
    /// The names that only the server itself has.
    package let takenNames: TakenNames
    /// The topics of apps' permissions.
    package let topics: OAuthTopics
    /// The registries in which features register values with one another.
    package let registries = Registries()
    /// The features built so far.
    package let features: Registry<any Feature>

    /// Whether the server's address uses HTTPS.
    package var isSecure: Bool { configuration.publicURL.hasPrefix("https") }

    /// Creates a registry, which is emptied when the application ends.
    package func registry<Element: Sendable>(of type: Element.Type = Element.self) -> Registry<Element> {
        registries.make()
    }

    /// Opens the data folder and updates its database.
    ///
    /// - Parameters:
    ///   - types: the types of all features.
    ///   - files: the public files.
    ///   - node: which of the processes that share the data folder this is.
    ///   - processor: a pool for pictures that is shared with other applications; nil for one of its own.
    ///   - now: the clock.
    /// - Throws: when the data folder can't be opened.
    package init(
        _ configuration: ServerConfiguration, features types: [any Feature.Type], files: StaticFiles,
        node: ProcessKind, processor: ImageProcessor?,
        now: @escaping @Sendable () -> Date
    ) async throws {
        var logger = Logger(label: "tintype")
        logger.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
        self.logger = logger
        self.configuration = configuration
        isServer = node == .server
        self.now = now
        topics = OAuthTopics(types.flatMap { $0.topics })
        scripts = FeatureScripts(of: types)

        let data = configuration.data
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let database =
            if let address = configuration.database {
                try Database(
                    address: address, as: Self.place(of: node, configuration),
                    patience: configuration.databasePatience, now: now, logger: logger,
                    watch: configuration.statementWatch)
            } else {
                try Database(
                    path: "\(data)/tintype.sqlite", node: (configuration.sharedDatabase ? .tool : node).node,
                    isShared: configuration.sharedDatabase, inPlace: configuration.readsInPlace, now: now,
                    logger: logger, watch: configuration.statementWatch)
            }
        if configuration.database == nil {
            try await UpgradeCopies(in: data, logger: logger).upgrade(
                database, makesCopy: configuration.copiesBeforeUpgrade, now: now)
            if isServer { try await UpgradeCopies.noteVersion(in: database) }
        } else {
            _ = try database.migrate(folder: try Resources.folder("migrations").path)
        }
        try await BlobPlace.check(configuration, database: database)
        let (blobs, work) = try await BlobPlace.open(configuration, database: database, logger: logger)
        try await blobs.recover { key in
            try await database.read { try FileRecords($0).exists(key) }
        }
        self.database = database
        self.blobs = blobs
        self.work = work
        secrets = try await SecretsKey.load(for: database, configuration)
        attempts = AttemptCounts(database: database, secrets: secrets, now: now)
        self.processor =
            processor
            ?? ImageProcessor(
                limits: ImageLimits(bytes: configuration.pictureBytes, pixels: configuration.picturePixels),
                concurrency: configuration.pictureThreads, waiting: 64, owners: .shared, logger: logger)
        intake = PictureIntake(
            processor: self.processor, blobs: blobs, work: work,
            allowance: StorageAllowance(bytes: configuration.storagePerAccount), logger: logger)
        outgoing = OutgoingHTTP(
            publicURL: configuration.publicURL,
            mayAsk: { [isOpen = configuration.allowsPrivateAddresses] in isOpen || $0.isPublic },
            pace: configuration.outgoingPace,
            logger: logger, now: now)
        jobs = JobRunner(
            database: database, afterErasures: { try await database.eraseDeleted() }, logger: logger, now: now
        )
        frame = Frame(
            files: files.adding(scripts),
            publicURL: configuration.publicURL,
            now: now)
        if isServer, let address = configuration.database {
            let relay = EventRelay(address, database: database, logger: logger)
            self.relay = relay
            events = EventBus(node: database.node, others: { relay.send($0) }, now: now)
        } else {
            relay = nil
            events = EventBus(now: now)
        }
        hasher = PasswordHasher(cost: .init(logRounds: configuration.passwordCost))
        epochs = AccountEpochs()
        sight = Sight(epochs: AccountEpochs())
        signatures = PictureSignatures(
            key: try await ServerKey.load(PictureSignatures.keyName, from: database), epochs: epochs)
        entities = Entities(
            signatures: signatures, publicURL: configuration.publicURL, files: frame.files)
        takenNames = TakenNames(server: configuration.name)
        features = registries.make()
    }
}

extension AppParts {
    /// Servers share a database only if they share the pictures, too.
    private static func place(of node: ProcessKind, _ configuration: ServerConfiguration) -> DatabasePlace {
        guard node == .server else { return .command }
        return configuration.blobs != nil || configuration.sharedDatabase ? .server : .onlyServer
    }
}

/// The kind of a process that writes to the database. Each process makes ids of its own.
public enum ProcessKind: Sendable {
    /// The server.
    case server
    /// A command that may run beside the server and other commands.
    case tool

    /// The node number in this process's ids. A tool takes a random one: if two tools that run in the same millisecond
    /// drew the same of 1,023 numbers, the database would refuse the second id.
    package var node: Int { self == .server ? 0 : Int.random(in: 1...1023) }
}
