import Core
import Foundation
import Hummingbird
import NIOCore
import Serving
import Storage

/// The routes for machines: health, metrics, the app's own files, and the description of this server for apps.
struct OperatorRoutes {
    let database: Database
    let metrics: Metrics
    let gauges: ServerGauges
    let frame: Frame
    let configuration: ServerConfiguration

    func add(to router: Router<AppContext>) {
        router.get("healthz") { _, _ in Self.plain("ok\n") }
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
        router.get("manifest.webmanifest") { request, _ in manifest(request) }
    }

    private static func plain(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// Serves the manifest that makes the app installable (W3C Web App Manifest).
    private func manifest(_ request: Request) -> Response {
        var response = Response.json(for: request) { json in
            json.object { json in
                json.member("name", configuration.name)
                json.member("short_name", "Tintype")
                json.member("description", "Photos among friends.")
                json.member("id", AppPaths.home)
                json.member("start_url", AppPaths.home)
                json.member("scope", "/")
                json.member("display", "standalone")
                json.member("background_color", "#ffffff")
                json.member("theme_color", "#ffffff")
                let icons: [(file: String, sizes: String, purpose: String)] = [
                    ("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"),
                    ("icon-maskable-512.png", "512x512", "maskable"),
                ]
                json.array("icons", icons) { json, icon in
                    json.object { json in
                        json.member("src", frame.files.path("icons/\(icon.file)"))
                        json.member("sizes", icon.sizes)
                        json.member("type", "image/png")
                        json.member("purpose", icon.purpose)
                    }
                }
            }
        }
        response.headers[.contentType] = "application/manifest+json"
        return response
    }
}
