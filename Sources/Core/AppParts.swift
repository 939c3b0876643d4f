import Foundation
import Imaging
import Logging
import Serving
import Storage

/// What the features are built from: storage, the frame of the pages, events, and the features built before.
package struct AppParts: Sendable {
    /// The settings that the app was built with.
    package let configuration: ServerConfiguration
    package let logger: Logger
    /// The clock.
    package let now: @Sendable () -> Date
    package let database: Database
    package let blobs: BlobFolder
    /// The pool of processes that decode pictures.
    package let processor: ImageProcessor
    /// Turns uploads into renditions.
    package let intake: PictureIntake
    /// Asks other servers.
    package let outgoing: OutgoingHTTP
    /// Background work.
    package let jobs: JobRunner
    /// What pages share.
    package let frame: Frame
    /// Events to open pages and apps.
    package let events: EventBus
    /// Hashes passwords.
    package let hasher: PasswordHasher
    /// Under which epoch each person's picture URLs are signed.
    package let epochs: PictureEpochs
    /// Signs picture URLs.
    package let signatures: PictureSignatures
    /// Writes the JSON of people, photos and posts.
    package let entities: Entities
    /// The names that only the server itself has.
    package let takenNames: TakenNames
    /// What permissions of apps are about.
    package let topics: OAuthTopics
    /// What features hand to one another.
    package let registries = Registries()
    /// The features, those built so far.
    package let features: Registry<any Feature>

    /// Whether people reach the server by HTTPS.
    package var isSecure: Bool { configuration.publicURL.hasPrefix("https") }

    /// Makes an empty registry, which is emptied at the end of the application.
    package func registry<Element: Sendable>(of type: Element.Type = Element.self) -> Registry<Element> {
        registries.make()
    }

    /// Opens the data folder and brings its database up to date.
    ///
    /// - Parameters:
    ///   - types: the types of all features.
    ///   - files: the public files.
    ///   - node: which of the processes that share the data folder this is.
    ///   - now: the clock.
    /// - Throws: when the data folder can't be opened.
    package init(
        _ configuration: ServerConfiguration, features types: [any Feature.Type], files: StaticFiles,
        node: ProcessKind,
        now: @escaping @Sendable () -> Date
    ) async throws {
        var logger = Logger(label: "tintype")
        logger.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
        self.logger = logger
        self.configuration = configuration
        self.now = now
        topics = OAuthTopics(types.flatMap { $0.topics })

        let data = configuration.data
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let database = try Database(
            path: "\(data)/tintype.sqlite", node: node.node, now: now, logger: logger,
            watch: configuration.statementWatch)
        _ = try database.migrate(folder: try Resources.folder("migrations").path)
        let blobs = try BlobFolder(path: "\(data)/blobs", maximumBytes: configuration.pictureBytes)
        try await blobs.recover { key in
            try await database.read { try FileRecords($0).exists(key) }
        }
        self.database = database
        self.blobs = blobs
        processor = ImageProcessor(
            limits: ImageLimits(bytes: configuration.pictureBytes, pixels: configuration.picturePixels),
            concurrency: configuration.pictureThreads, waiting: 64, owners: .shared, logger: logger)
        intake = PictureIntake(
            processor: processor, blobs: blobs,
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
            files: files,
            publicURL: configuration.publicURL,
            now: now)
        events = EventBus(now: now)
        hasher = PasswordHasher(cost: .init(logRounds: configuration.passwordCost))
        epochs = PictureEpochs()
        signatures = PictureSignatures(
            key: try await ServerKey.load(PictureSignatures.keyName, from: database), epochs: epochs)
        entities = Entities(signatures: signatures, publicURL: configuration.publicURL)
        takenNames = TakenNames(server: configuration.name)
        features = registries.make()
    }
}

/// Which of the processes that write to one database this is; each makes ids of its own.
public enum ProcessKind: Sendable {
    /// The server.
    case server
    /// A command that may run beside the server and other commands.
    case tool

    /// The number that this process's ids carry. A tool takes any: two that run at the same millisecond and
    /// drew the same of 1,023 numbers would be refused by the database, not confused.
    var node: Int { self == .server ? 0 : Int.random(in: 1...1023) }
}
