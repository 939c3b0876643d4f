import Crypto
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Imaging
import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Storage

/// The whole application, built once: configuration, then storage, services, routes and jobs.
public struct TintypeApplication: Sendable {
    /// The settings that it was built with.
    public let configuration: ServerConfiguration
    let logger: Logger
    /// What a demo's log-in page shows.
    let demoAccount: String?
    let database: Database
    let blobs: BlobFolder
    let processor: ImageProcessor
    let jobs: JobRunner
    let metrics = Metrics()
    let gauges: ServerGauges
    let frame: Frame
    let photoURL: PhotoURL
    let events: EventBus
    let openRequests: OpenRequests
    private let allocator = Allocator()

    let sessions: SessionService
    let portraits: PortraitService
    let signUps: SignUpPolicy
    let accounts: AccountService
    let invitations: InvitationService
    let downloads: DownloadService
    let deletion: AccountDeletion
    let photos: PhotoService
    let singleUse: SingleUseMediaService
    let snaps: SnapService
    let entities: Entities
    let notifications: NotificationService
    let posts: PostService
    let comments: CommentService
    let reports: ReportService
    let administration: AdministrationService
    let chats: ChatService
    let messages: MessageService
    let oncePictures: OncePictureService

    /// Opens the data folder, brings its database up to date and builds all services.
    ///
    /// - Parameters:
    ///   - node: whether this is the server or a command beside it.
    ///   - now: the clock.
    /// - Throws: when the data folder can't be opened.
    public init(
        _ configuration: ServerConfiguration, node: ProcessKind = .server,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        var logger = Logger(label: "tintype")
        logger.logLevel = Logger.Level(rawValue: configuration.logLevel) ?? .info
        self.logger = logger

        // Storage
        let data = configuration.data
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let database = try Database(path: "\(data)/tintype.sqlite", node: node.node, now: now, logger: logger)
        _ = try database.migrate(folder: try Resources.folder("migrations").path)
        let blobs = try BlobFolder(path: "\(data)/blobs", maximumBytes: configuration.pictureBytes)
        try await blobs.recover { key in
            try await database.read { try BlobRecordStore($0).exists(key) }
        }
        self.database = database
        demoAccount = try await DemoAccount.remembered(in: database)
        self.configuration = configuration
        self.blobs = blobs
        processor = ImageProcessor(
            limits: ImageLimits(bytes: configuration.pictureBytes, pixels: configuration.picturePixels),
            concurrency: configuration.pictureThreads, waiting: 64, logger: logger)

        // What pages, JSON and events share
        frame = Frame(
            files: try StaticFiles(folder: try Resources.folder("public")),
            publicURL: configuration.publicURL, now: now)
        let epochs = PictureEpochs()
        photoURL = PhotoURL(
            key: try await ServerKey.load("picture-urls", from: database), publicURL: configuration.publicURL,
            epochs: epochs)
        entities = Entities(photoURL: photoURL, publicURL: configuration.publicURL)
        let events = EventBus(now: now)
        self.events = events
        openRequests = OpenRequests(perNetwork: configuration.networkConnections)
        notifications = NotificationService(
            database: database, events: events, entities: entities, logger: logger)
        let postAnnouncements = PostAnnouncements(
            database: database, events: events, entities: entities, logger: logger)
        let chatEvents = ChatEvents(
            events: events, entities: ChatEntities(entities: entities), notifications: notifications)

        // Background work
        let allowance = StorageAllowance(bytes: configuration.storagePerAccount)
        let intake = PictureIntake(
            processor: processor, blobs: blobs, allowance: allowance, logger: logger)
        let photoUses: [any PhotoUse] = [
            PostsPhotoUse(announcements: postAnnouncements), ReportsPhotoUse(),
            ChatsPhotoUse(events: chatEvents),
        ]
        // What uses photos before the photos themselves.
        let accountData: [any AccountData] = [
            PostsData(), ReportsData(), ChatsData(), SnapsData(), PhotosData(uses: photoUses),
            AccountsData(),
        ]
        let announcements = SnapAnnouncements(
            settings: configuration.snaps, database: database, events: events,
            entities: SnapEntities(entities: entities), logger: logger)
        let snapJobs = SnapJobs(
            settings: configuration.snaps, database: database, announcements: announcements,
            notifications: notifications)
        let eraser = AccountEraser(database: database, data: accountData)
        let packer = DownloadPacker(
            database: database, blobs: blobs, intake: intake, data: accountData, notifications: notifications,
            events: events, logger: logger)
        jobs = JobRunner(
            database: database,
            handlers: [
                .eraseBlob: { job in
                    guard let key = BlobKey(rawValue: job.payload) else { return }
                    try await blobs.erase(key)
                },
                .eraseAccount: { try await eraser.erase($0) },
                .packDownload: { try await packer.pack($0) },
                .expireDownload: { try await packer.expire($0) },
                .eraseUnusedMedia: { try await SingleUseMediaService.eraseUnused($0, in: database) },
                .tellOfSnap: { try await snapJobs.tell($0) },
                .closeSnapView: { try await snapJobs.closeView($0) },
                .expireSnap: { try await snapJobs.expire($0) },
                .partSnaps: { try await snapJobs.part($0) },
                .leaveSnaps: { try await snapJobs.leave($0) },
                .tellOfMessage: { [notifications] in
                    try await MessageService.tell($0, in: database, notifications)
                },
                .closeOncePicture: { try await OncePictureService.erase($0, in: database, chatEvents) },
            ],
            afterErasures: { try await database.eraseDeleted() }, logger: logger, now: now)

        // Services
        let hasher = PasswordHasher(cost: .init(logRounds: configuration.passwordCost))
        gauges = ServerGauges(
            database: database, blobs: blobs, processor: processor, hasher: hasher, events: events,
            folder: data,
            now: now)
        sessions = SessionService(
            database: database, hasher: hasher, events: events, epochs: epochs,
            attemptsLimit: configuration.limits.logIns, wrongTokensLimit: configuration.limits.reads,
            logger: logger, now: now)
        portraits = PortraitService(database: database, intake: intake)
        signUps = SignUpPolicy(database: database, setting: configuration.signUp)
        accounts = AccountService(
            database: database, hasher: hasher, sessions: sessions, portraits: portraits,
            notifications: notifications, announcements: postAnnouncements, events: events,
            signUps: signUps)
        invitations = InvitationService(database: database, signUps: signUps)
        downloads = DownloadService(database: database, jobs: jobs, now: now)
        deletion = AccountDeletion(database: database, sessions: sessions, events: events, jobs: jobs)
        photos = PhotoService(
            database: database, intake: intake, uses: photoUses, photoURL: photoURL, jobs: jobs)
        singleUse = SingleUseMediaService(database: database, intake: intake)
        posts = PostService(
            database: database, notifications: notifications, announcements: postAnnouncements)
        comments = CommentService(
            database: database, notifications: notifications, announcements: postAnnouncements, posts: posts)
        chats = ChatService(database: database, events: chatEvents, logger: logger)
        oncePictures = OncePictureService(database: database, events: chatEvents, jobs: jobs)
        let onceCopies = OnceCopies(photos: photos, intake: intake, blobs: blobs)
        messages = MessageService(
            database: database, events: chatEvents, chats: chats,
            copies: PhotoCopies(database: database, blobs: blobs, intake: intake, allowance: allowance),
            onceCopies: onceCopies,
            notifications: notifications, jobs: jobs)
        snaps = SnapService(
            settings: configuration.snaps, database: database,
            samples: try SnapSamples(folder: try Resources.folder("samples")), copies: onceCopies,
            announcements: announcements, jobs: jobs)
        reports = ReportService(database: database, snapSettings: configuration.snaps, now: now)
        administration = AdministrationService(
            database: database, posts: posts, snaps: snaps, messages: messages, sessions: sessions,
            events: events, signUps: signUps, gauges: gauges)
    }

    /// The router with every route of the app.
    func router() -> Router<AppContext> {
        let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: RequestLog(
                metrics: metrics,
                trustedProxies: Set(configuration.trustedProxies.map(ClientNetwork.canonical)),
                isSecure: configuration.publicURL.hasPrefix("https")))
        router.add(middleware: BodyWatch(patience: configuration.limits.bodyPatience))
        router.add(middleware: ErrorResponses(frame: frame))
        OperatorRoutes(
            database: database, metrics: metrics, gauges: gauges, frame: frame, configuration: configuration
        ).add(to: router)
        router.add(
            middleware: Authentication(sessions: sessions, events: events, publicURL: configuration.publicURL)
        )
        // Once more, inside: here it is known who asks, and error pages are in their frame.
        let errors = ErrorResponses(frame: frame)
        router.add(middleware: RateLimit(configuration.limits, errors: errors, now: frame.now))
        router.add(middleware: errors)
        router.add(middleware: OpenRequestLimit(requests: openRequests))
        AccountPages(
            frame: frame, accounts: accounts, sessions: sessions, blobs: blobs, policy: signUps,
            configuration: configuration, demoAccount: demoAccount
        ).add(to: router)
        ProfilePages(frame: frame, accounts: accounts, posts: posts).add(to: router)
        RelationshipPages(frame: frame, accounts: accounts).add(to: router)
        SettingsPages(
            frame: frame, accounts: accounts, sessions: sessions, photos: photos,
            administration: administration
        ).add(to: router)
        SettingsProfilePages(frame: frame, accounts: accounts, blobs: blobs).add(to: router)
        DevicePages(frame: frame, sessions: sessions).add(to: router)
        InvitationPages(frame: frame, invitations: invitations).add(to: router)
        AccountAPI(accounts: accounts, blobs: blobs, entities: entities)
            .add(to: router)
        let files = PhotoFiles(photos: photos, portraits: portraits, blobs: blobs)
        files.add(to: router)
        InitialsRoutes(accounts: accounts).add(to: router)
        DataPages(
            frame: frame, downloads: downloads, deletion: deletion, files: files,
            isSecure: configuration.publicURL.hasPrefix("https")
        ).add(to: router)
        PhotoPages(frame: frame, photos: photos, blobs: blobs).add(to: router)
        PhotoAPI(photos: photos, singleUse: singleUse, blobs: blobs, files: files, entities: entities).add(
            to: router)
        PostPages(
            frame: frame, posts: posts, accounts: accounts, publicURL: configuration.publicURL,
            homeCache: TimelineCache(database, now: frame.now), cards: PostCards(frame: frame)
        ).add(to: router)
        PostPhotoPages(frame: frame, posts: posts).add(to: router)
        let sharedPosts = SharedPostCards(frame: frame, posts: posts)
        sharedPosts.add(to: router)
        PostComposerPages(frame: frame, posts: posts, photos: photos, blobs: blobs).add(to: router)
        PostAPI(
            posts: posts, comments: comments, entities: entities,
            homeCache: TimelineCache(database, tables: PostAPI.tables, now: frame.now)
        ).add(to: router)
        let links = GuestLinkService(database: database)
        GuestLinkPages(frame: frame, links: links, files: files, publicURL: configuration.publicURL).add(
            to: router)
        SharePages(
            frame: frame, posts: posts, accounts: accounts, links: links, chats: chats, messages: messages,
            publicURL: configuration.publicURL
        ).add(to: router)
        CommentPages(frame: frame, comments: comments).add(to: router)
        NotificationPages(frame: frame, notifications: notifications, accounts: accounts).add(to: router)
        NotificationAPI(notifications: notifications, entities: entities).add(to: router)
        ReportPages(
            frame: frame, reports: reports, posts: posts, accounts: accounts, snaps: snaps, messages: messages
        ).add(to: router)
        ReportAPI(reports: reports, accounts: accounts, entities: entities).add(to: router)
        AdministrationPages(frame: frame, administration: administration).add(to: router)
        AdministratorPages(frame: frame, administration: administration).add(to: router)
        SignUpModePages(frame: frame, administration: administration).add(to: router)
        PrivacyNoticePages(frame: frame, configuration: configuration).add(to: router)
        SnapPages(frame: frame, snaps: snaps, blobs: blobs).add(to: router)
        SnapComposerPages(frame: frame, snaps: snaps, photos: photos, singleUse: singleUse, blobs: blobs)
            .add(to: router)
        SnapAPI(snaps: snaps, blobs: blobs, entities: SnapEntities(entities: entities)).add(to: router)
        ChatPages(frame: frame, chats: chats, accounts: accounts).add(to: router)
        ConversationPages(
            frame: frame, chats: chats, messages: messages, accounts: accounts, photos: photos,
            singleUse: singleUse,
            blobs: blobs, sharedPosts: sharedPosts.shared
        ).add(to: router)
        ChatLibraryPages(frame: frame, chats: chats, photos: photos).add(to: router)
        OncePicturePages(frame: frame, pictures: oncePictures, blobs: blobs).add(to: router)
        OncePictureAPI(pictures: oncePictures, blobs: blobs, publicURL: configuration.publicURL).add(
            to: router)
        PrivateFeedPages(frame: frame, messages: messages).add(to: router)
        ChatAPI(chats: chats, messages: messages, entities: ChatEntities(entities: entities)).add(to: router)
        ConversationAPI(chats: chats, entities: ChatEntities(entities: entities)).add(to: router)
        let (notifications, chats, snaps) = (notifications, chats, snaps)
        let badges = Badges(counters: [
            ("notifications", { try await notifications.unreadCount(for: $0) }),
            ("snaps", { try await snaps.unreadCount(for: $0) }),
            ("friends", { try await chats.unreadCount(of: $0) }),
        ])
        EventRoutes(events: events, sessions: sessions, badges: badges).add(to: router)
        InstanceAPI(configuration: configuration, signUps: signUps, files: frame.files).add(to: router)
        OpenAPI(operations: OpenAPI.allOperations, publicURL: configuration.publicURL).add(to: router)
        PlannedPages(frame: frame).add(to: router)
        return router
    }

    /// How connections are served: the protocols, and what one connection, one network and one slow client may hold.
    ///
    /// - Throws: when the certificate or its key can't be read.
    func server() throws -> HTTPServerBuilder {
        let networks = NetworkConnections(
            limit: configuration.networkConnections, proxies: Set(configuration.trustedProxies))
        let (pace, logger) = (configuration.readingPace, logger)
        let idle = TimeAmount.seconds(75)
        func http1(_ handlers: @escaping @Sendable () -> [any RemovableChannelHandler])
            -> HTTP1Channel.Configuration
        {
            HTTP1Channel.Configuration(
                additionalChannelHandlers: handlers(), idleTimeout: idle,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 64 * 1024, maxHeaderFieldCount: 100))
        }
        guard let certificate = configuration.tlsCertificate, let key = configuration.tlsKey else {
            let settings = http1 { [ReadingPace(limit: pace, logger: logger)] }
            return HTTPServerBuilder { responder in
                OnConnectionLoop(
                    base: BoundedConnection(
                        base: HTTP1Channel(responder: responder, configuration: settings), networks: networks)
                )
            }
        }
        let tls = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem)))
        let settings = http1 { [ReadingPace(limit: pace, logger: logger), RequestDeadline.Stay()] }
        return HTTPServerBuilder { [handshake = configuration.handshakeTime] responder in
            OnConnectionLoop(
                base: BoundedConnection(
                    base: try HTTP2UpgradeChannel(
                        tlsConfiguration: tls,
                        configuration: .init(idleTimeout: .seconds(75), streamConfiguration: settings),
                        responder: responder), networks: networks, patience: handshake))
        }
    }

    /// Serves until the process is told to stop (SIGTERM, SIGINT); then lets requests finish.
    ///
    /// - Parameter onRunning: called with the port once the server listens.
    /// - Throws: ``Refusal`` (409) when another server is using the data folder.
    public func run(onRunning: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
        // Two servers on one folder would do each other's background work, and tell neither's readers of it.
        guard let serving = try FolderLock(ifFree: "\(configuration.data)/blobs") else {
            throw Refusal.conflict(
                "Another server is using \(configuration.data). Stop it first, or name another folder with --data."
            )
        }
        defer { withExtendedLifetime(serving) {} }
        processor.logShortcomings()
        let application = Application(
            responder: StreamResponder(responder: router().buildResponder()), server: try server(),
            configuration: .init(
                address: .hostname(configuration.host, port: configuration.port), serverName: nil,
                backlog: 1024,
                availableConnectionsDelegate: MaximumAvailableConnections(connectionsLimit())),
            services: [jobs, events, allocator],
            onServerRunning: { channel in onRunning(channel.localAddress?.port ?? 0) },
            logger: logger)
        try await application.runService()
        try database.close()
    }

    /// How many connections there may be: those of the setting, if the process may open a file for each of them too.
    private func connectionsLimit() -> Int {
        let files = OpenFiles.raiseLimit()
        let possible = max(16, (files - OpenFiles.reserved) / 2)
        if possible < configuration.connections {
            logger.warning(
                "fewer connections than the setting says, since the process may open few files",
                metadata: ["connections": "\(possible)", "files": "\(files)"])
        }
        return min(configuration.connections, possible)
    }
}

/// The files that the process may have open, sockets included (`RLIMIT_NOFILE`, getrlimit(2)).
enum OpenFiles {
    /// Kept for the database, uploads and pictures that are worked on.
    static let reserved = 512

    /// Raises the limit as far as the system lets a process do itself. Systemd and most shells begin with 1,024, which
    /// is meant for programs that use select(2).
    ///
    /// - Returns: the limit.
    static func raiseLimit() -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return Int(clamping: isRaised ? limit.rlim_max : soft)
    }
}

/// Keys that the server makes for itself at its first start and keeps in the database.
enum ServerKey {
    static func load(_ name: String, from database: Database) async throws -> SymmetricKey {
        let fresh = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }.base64EncodedString()
        let text = try await database.write { transaction in
            let store = SessionStore(transaction)
            if let known = try store.serverValue(name) { return known }
            try store.setServerValue(name, fresh)
            return fresh
        }
        guard let data = Data(base64Encoded: text) else {
            throw Refusal.malformed("The key \(name) is broken.")
        }
        return SymmetricKey(data: data)
    }
}

/// The files beside the executable: migrations, styles, scripts, drawings.
public enum Resources {
    /// A folder of them.
    ///
    /// - Throws: when the resources folder was not installed with the executable.
    public static func folder(_ name: String) throws -> URL {
        let folder = Bundle.module.bundleURL.appending(path: "Resources/\(name)")
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw Refusal.malformed("The folder \(folder.path) is missing beside the executable.")
        }
        return folder
    }
}
