import Core
import Crypto
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import HummingbirdTLS
import Imaging
import Logging
import Making
import NIOCore
import NIOSSL
import People
import ServiceLifecycle
import Serving
import Storage
import UnixSignals

import struct Core.ServerConfiguration

/// The whole application, built once: configuration, then storage, services, routes and jobs.
public struct TintypeApplication: Sendable {
    let parts: AppParts
    /// The features.
    let features: Features
    let openRequests: OpenRequests
    private let allocator = Allocator()

    /// The settings that the application was built with.
    public var configuration: ServerConfiguration { parts.configuration }
    private var logger: Logger { parts.logger }
    var metrics: Metrics { parts.metrics }
    var database: Database { parts.database }
    var blobs: any BlobStore { parts.blobs }
    var events: EventBus { parts.events }
    var jobs: JobRunner { parts.jobs }

    /// Opens the data folder, brings its database up to date and builds all features.
    ///
    /// - Parameters:
    ///   - node: whether this is the server or a command beside it.
    ///   - now: the clock.
    /// - Throws: when the data folder can't be opened.
    public init(
        _ configuration: ServerConfiguration, node: ProcessKind = .server,
        now: @escaping @Sendable () -> Date = { Date() }
    ) async throws {
        try FolderOwner.check(configuration.data)
        try await self.init(configuration, node: node, adding: [], files: StaticFiles.own.get(), now: now)
    }

    /// Opens a data folder as the other initialiser does, with more features.
    ///
    /// - Parameters:
    ///   - additions: features that aren't part of the app, such as the sample in the tests.
    ///   - files: the public files, with those of these features.
    ///   - processor: a pool for pictures that tests share; nil for one of its own.
    init(
        _ configuration: ServerConfiguration, node: ProcessKind = .server,
        adding additions: [FeatureAddition],
        files: StaticFiles, processor: ImageProcessor? = nil, now: @escaping @Sendable () -> Date
    ) async throws {
        let types = Features.types + additions.map(\.type)
        let parts = try await AppParts(
            configuration, features: types, files: files, node: node, processor: processor, now: now)
        self.parts = parts
        openRequests = OpenRequests(perNetwork: configuration.networkConnections)
        features = try await Features(parts, adding: additions)
        let (blobs, attempts) = (parts.blobs, parts.attempts)
        parts.jobs.handle([
            .eraseBlob: { job in
                guard let key = BlobKey(rawValue: job.payload) else { return }
                try await blobs.erase(key)
            },
            .settleBlob: { job in
                guard let key = BlobKey(rawValue: job.payload) else { return }
                try await blobs.settle(key)
            },
            .sweepAttempts: { try await attempts.sweep($0) },
        ])
        for feature in features.all {
            parts.jobs.handle(feature.jobs)
            parts.relay?.handle(feature.news)
        }
    }

    /// Breaks reference cycles, so that memory is freed: features hold registries that features have added to, and
    /// background work holds its runner. A server ends with its process, but tests build hundreds of applications in
    /// one process, each with threads and open files.
    func breakCycles() {
        parts.registries.removeAll()
        parts.jobs.removeHandlers()
        parts.relay?.removeHandlers()
    }

    /// Returns the router with every route of the app.
    func router() throws -> Router<AppContext> {
        let (frame, events) = (parts.frame, parts.events)
        let sessions = features.sessions.sessions
        let router = Router(context: AppContext.self, options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: RequestLog(
                metrics: metrics,
                trustedProxies: Set(configuration.trustedProxies.map(ClientNetwork.canonical)),
                isSecure: parts.isSecure, tiles: configuration.map.origin))
        router.add(middleware: CrossOrigin())
        router.add(middleware: RequestClient.Middleware())
        router.add(middleware: BodyWatch(patience: configuration.limits.bodyPatience))
        router.add(middleware: ErrorResponses(frame: frame))
        OperatorRoutes(
            database: parts.database, metrics: metrics,
            gauges: features.administration.gauges,
            frame: frame, configuration: configuration
        ).add(to: router)
        WebManifest(frame: frame, name: configuration.name).add(to: router)
        let serviceWorker = ServiceWorker(frame: frame, scripts: parts.scripts)
        serviceWorker.addProgram(to: router)
        let oauth = features.oauth.oauth
        router.add(
            middleware: Authentication(
                sessions: sessions, events: events, sight: parts.sight, publicURL: configuration.publicURL,
                appOfToken: { try await oauth.app(ofToken: $0, from: $1) }))
        // This middleware is added once more, inside: here it is known who asks, and error pages have their frame.
        let errors = ErrorResponses(frame: frame)
        router.add(
            middleware: RateLimit(
                configuration.limits, readingRoutes: features.all.flatMap(\.readingRoutes), errors: errors,
                now: frame.now))
        router.add(middleware: errors)
        router.add(middleware: OpenRequestLimit(requests: openRequests))
        let operations = features.all.flatMap(\.operations)
        router.add(middleware: ScopeCheck(operations))
        router.add(middleware: UnknownCalls(operations))
        router.add(middleware: ParameterTypes.Middleware(operations))
        serviceWorker.addPage(to: router)
        for feature in features.all { try feature.addRoutes(to: router) }
        OpenAPI(
            operations: operations,
            entities: features.all.flatMap(\.schemas), topics: parts.topics,
            publicURL: configuration.publicURL
        ).add(to: router)
        return router
    }

    /// Returns how connections are served: the protocols, and the limits for one connection, one network and one slow
    /// client.
    ///
    /// - Throws: when the certificate or its key can't be read.
    func connections() throws -> ServedConnections {
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
            return { responder in
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
        return { [handshake = configuration.handshakeTime] responder in
            OnConnectionLoop(
                base: BoundedConnection(
                    base: try HTTP2UpgradeChannel(
                        tlsConfiguration: tls,
                        configuration: .init(idleTimeout: .seconds(75), streamConfiguration: settings),
                        responder: responder), networks: networks, patience: handshake))
        }
    }

    /// Returns the server as Hummingbird builds it.
    ///
    /// - Throws: when the certificate or its key can't be read.
    func server() throws -> HTTPServerBuilder { HTTPServerBuilder(try connections()) }

    /// Serves until the process gets SIGTERM or SIGINT. Then pictures that wait are refused, those that are worked on
    /// have ``PictureShutdown/patience``, and all requests together ``ServerConfiguration/shutdownPatience``.
    ///
    /// - Parameters:
    ///   - systemd: what systemd gives the process; its socket takes the place of the settings' address.
    ///   - onRunning: called with the port once the server listens.
    ///   - onLoss: called when another process has taken the place of this server at the database. Then all work is ended, but what
    ///     waits for the database can take a minute to notice.
    /// - Throws: ``Refusal`` (409) when another server is using the data folder; ``DatabaseLost``.
    public func run(
        under systemd: Systemd = .none, onRunning: @escaping @Sendable (Int) -> Void = { _ in },
        onLoss: @escaping @Sendable () -> Void = {}
    ) async throws {
        // Two servers on one folder would do each other's background work, and send events only to their own readers.
        guard let serving = try FolderLock.ofServer(in: configuration.data) else {
            throw Refusal.conflict(
                "Another server is using \(configuration.data). Stop it first, or name another folder with --data."
            )
        }
        defer { withExtendedLifetime(serving) {} }
        parts.processor.logShortcomings()
        for file in parts.frame.files.missing {
            logger.warning("a file of another package isn’t installed", metadata: ["file": "\(file)"])
        }
        let services: [any Service] =
            (parts.relay.map { [EventArrivals(relay: $0, events: parts.events)] } ?? [])
            + [
                parts.jobs, parts.events, parts.outgoing, allocator,
                DatabaseWatch(database: parts.database, onLoss: onLoss),
                SystemdWatch(systemd, works: works),
                UpgradeCopyErasure(
                    copies: UpgradeCopies(in: configuration.data, logger: logger), now: parts.now,
                    logger: logger),
            ]
        let front = try listening(at: systemd.listener, beside: services) { [logger] channel in
            let failure = systemd.send(.ready)
            if failure != 0 {
                logger.error(
                    "systemd doesn't learn that the server is ready",
                    metadata: ["reason": "\(String(cString: strerror(failure)))"])
            }
            onRunning(channel.localAddress?.port ?? 0)
        }
        var group = ServiceGroupConfiguration(
            // The last service is the first to learn that the server stops, and requests wait for pictures.
            services: [front, PictureShutdown(processor: parts.processor)],
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = configuration.shutdownPatience
        try await ServiceGroup(configuration: group).run()
        parts.relay?.stop()
        try parts.database.close()
    }

    /// Returns the service that listens and answers.
    ///
    /// - Parameters:
    ///   - socket: the socket on which systemd listens; nil for one of the server's own.
    ///   - services: what runs beside it.
    ///   - onRunning: called once the server listens.
    /// - Throws: when the certificate or its key can't be read.
    private func listening(
        at socket: CInt?, beside services: [any Service],
        onRunning: @escaping @Sendable (any Channel) async -> Void
    ) throws -> any Service {
        let responder = StreamResponder(responder: try router().buildResponder())
        guard let socket else {
            return Application(
                responder: responder, server: try server(),
                configuration: .init(
                    address: .hostname(configuration.host, port: configuration.port), serverName: nil,
                    backlog: 1024,
                    availableConnectionsDelegate: MaximumAvailableConnections(connectionsLimit())),
                services: services, onServerRunning: onRunning, logger: logger)
        }
        let server = InheritedServer(
            socket: socket, responder: responder, connections: try connections(),
            mostConnections: connectionsLimit(), onRunning: onRunning, logger: logger)
        return ServiceGroup(configuration: .init(services: services + [server], logger: logger))
    }

    /// Returns once the database has said something: that it is away is no reason to start the server again.
    private func works() async {
        do {
            _ = try await database.read { try JobOutbox($0).nextRun() }
        } catch {
            logger.warning("the database doesn't answer", metadata: ["reason": "\(error)"])
        }
    }

    /// Returns how many connections there may be: as many as the setting says, if the process may open a file for each
    /// of them, too.
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

/// The service that ends the server when it has lost its place at the database, so that it is started again.
struct DatabaseWatch: Service {
    let database: Database
    let onLoss: @Sendable () -> Void

    func run() async throws {
        try await cancelWhenGracefulShutdown { [losses = database.losses] in
            for await _ in losses {
                onLoss()
                throw DatabaseLost()
            }
        }
        try? await gracefulShutdown()
    }
}

/// The error of a server that was cut off from its database for so long that another process has taken its place.
struct DatabaseLost: Error, CustomStringConvertible {
    var description: String {
        "This server was cut off from its database, and another process has taken its place. Start it again."
    }
}

/// The service that erases the copy from before an update once it is old.
struct UpgradeCopyErasure: Service {
    let copies: UpgradeCopies
    let now: @Sendable () -> Date
    let logger: Logger

    func run() async throws {
        do {
            try await cancelWhenGracefulShutdown {
                while true {
                    erase()
                    try await Task.sleep(for: .seconds(3_600))
                }
            }
        } catch is CancellationError {
            // The server ends.
        }
    }

    private func erase() {
        do {
            try copies.eraseOld(now: now())
        } catch {
            logger.error(
                "the copy from before the last update can’t be erased", metadata: ["reason": "\(error)"])
        }
    }
}

/// The service that ends the work on pictures when the server stops.
struct PictureShutdown: Service {
    /// How long pictures that are being worked on may take.
    static let patience = Duration.seconds(15)

    let processor: ImageProcessor

    func run() async throws {
        do {
            try await gracefulShutdown()
        } catch is CancellationError {
            // Another service has failed, and the process ends at once.
            return
        }
        processor.stop(within: Self.patience)
    }
}

/// The number of files, including sockets, that the process may have open (`RLIMIT_NOFILE`, getrlimit(2)).
enum OpenFiles {
    /// The number of files that are kept for the database, uploads and pictures that are being worked on.
    static let reserved = 512

    /// Raises the limit as far as a process may raise it itself. Systemd and most shells begin with 1,024, which is
    /// meant for programs that use select(2).
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
