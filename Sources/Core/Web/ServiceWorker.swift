import HTML
import HTTPTypes
import Hummingbird
import NIOCore
import Serving

/// The service worker with which a browser shows some pages offline, and the page that it shows in
/// place of all others (js/offline).
///
/// The program is at the root of the site, since a service worker controls only the addresses below its own.
package struct ServiceWorker {
    let frame: Frame
    /// The scripts of features, of which the parts that work offline count here.
    let scripts: FeatureScripts

    package init(frame: Frame, scripts: FeatureScripts) {
        self.frame = frame
        self.scripts = scripts
    }

    /// Adds the route of the program, which is identical for everyone and needs no log-in.
    package func addProgram(to router: Router<AppContext>) {
        router.get("sw.js") { request, _ in program(request) }
    }

    /// Adds the route of the page, which is in the frame of the person who asks.
    package func addPage(to router: Router<AppContext>) {
        router.get("offline") { request, context in page(request, context) }
    }

    /// Answers with the program. It names the version of the static files, so that a browser finds a new program
    /// whenever a file has changed.
    private func program(_ request: Request) -> Response {
        let files = frame.files.names.filter(Self.isKept).map { "\"\($0)\"" }.joined(separator: ",")
        // A service worker can't import anything later.
        let imports = scripts.offline.enumerated().map { number, part in
            "import { keeping as part\(number) } from \"\(frame.files.path("js/\(part.path)"))\";"
        }
        let parts = scripts.offline.indices.map { "part\($0)" }.joined(separator: ", ")
        let kinds = scripts.outbox.sorted { $0.key < $1.key }
        let senders = kinds.map { kind, path in
            "import { send as \(kind) } from \"\(frame.files.path("js/\(path)"))\";"
        }
        let program = """
            import { serve } from "\(frame.files.path("js/offline/worker.js"))";
            \((imports + senders).joined(separator: "\n"))
            const senders = { \(kinds.map(\.key).joined(separator: ", ")) };
            serve({ version: "\(frame.files.version)", files: [\(files)], parts: [\(parts)], senders });

            """
        var response = Response.text(
            Array(program.utf8), type: "text/javascript; charset=utf-8", for: request)
        response.headers[.cacheControl] = "no-cache"
        response.headers[.vary] = "Accept-Encoding"
        response.headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; connect-src 'self'"
        return response
    }

    /// Returns whether the service worker keeps a file. Large pictures of the app's icon are for the system, which
    /// loads them itself.
    private static func isKept(_ name: String) -> Bool {
        !name.hasSuffix(".png") && !name.hasSuffix(".txt") && !name.hasSuffix(".webmanifest")
    }

    /// The pages that may be kept. The service worker hides the links to those that aren't.
    private var pages: [FeatureScripts.Offline.Page] {
        scripts.offline.compactMap(\.page).sorted { $0.position < $1.position }
    }

    /// Answers with the page. With the parameter `forget`, the answer lets the browser empty its own cache, which scripts
    /// can't reach and which may show people whom the viewer may no longer see (Clear-Site-Data, W3C).
    private func page(_ request: Request, _ context: AppContext) -> Response {
        var response = page(isLoggedIn: context.session != nil, request, context)
        // Another site could ask for it too, and make this one slow.
        if Input.query(request).string("forget") != nil, request.headers[.fetchSite] == "same-origin" {
            response.headers[.clearSiteData] = "\"cache\""
        }
        return response
    }

    private func page(isLoggedIn: Bool, _ request: Request, _ context: AppContext) -> Response {
        Page(
            title: "Offline", styles: [Page.Style(name: "offline")], bodyClass: isLoggedIn ? nil : "bare"
        )
        .response(frame, request, context) {
            if isLoggedIn { frame.largeBar("Offline") }
            main(.id("content"), .class("message")) {
                div(.class("empty")) {
                    frame.icon("wifi-off")
                    if isLoggedIn {
                        p { "This page isn’t saved on this device." }
                        ul(.class("kept-pages")) {
                            for page in pages {
                                li(.attribute("data-page", page.path)) {
                                    a(.class("button"), .href(page.path)) { page.title }
                                }
                            }
                        }
                    } else {
                        h1 { "Offline" }
                        p { "Connect to the network to log in." }
                    }
                    // An empty address leads to the page that was asked for.
                    a(.class("button plain"), .href("")) { "Try again" }
                }
            }
        }
    }
}
