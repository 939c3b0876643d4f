import Core
import Foundation
import Hummingbird
import NIOCore
import Serving
import Storage

/// The routes for machines: health, metrics and the app's own files.
struct OperatorRoutes {
    let database: Database
    let metrics: Metrics
    let gauges: ServerGauges
    let frame: Frame
    let configuration: ServerConfiguration

    func add(to router: Router<AppContext>) {
        router.get("healthz") { _, _ in Self.plain("ok\n") }
        // As Mastodon answers, for programs that ask before they log in.
        router.get("health") { _, _ in Self.plain("OK") }
        router.get("readyz") { _, _ in
            // The server is ready when the database answers.
            _ = try await database.read { try JobOutbox($0).nextRun() }
            return Self.plain("ready\n")
        }
        router.get("metrics") { request, context in
            let way = ForwardedFor(request.headers).untrusted(
                behind: context.peer, trusting: Set(configuration.trustedProxies.map(ClientNetwork.canonical))
            )
            guard configuration.metricsReaders.include(context.address, way: way) else {
                throw Refusal.notFound
            }
            return Self.plain(metrics.text(gauges: try await gauges.read()))
        }
        router.get("static/:version/**") { request, context in
            let file = context.parameters.getCatchAll().joined(separator: "/")
            let response = try frame.files.response(file, request)
            // Web clients show the server's picture (`thumbnail` of Mastodon's instance).
            return file.hasPrefix("icons/") ? response.forOtherSites() : response
        }
    }

    private static func plain(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
