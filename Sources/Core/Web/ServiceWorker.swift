import HTML
import HTTPTypes
import Hummingbird
import NIOCore

/// The service worker with which a browser shows the library and Then & Now offline, and the page that it shows in
/// place of all others (js/offline).
///
/// The program is at the root of the site, since a service worker controls only the addresses below its own.
package struct ServiceWorker {
    package let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
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
        let program = """
            import { serve } from "\(frame.files.path("js/offline/worker.js"))";
            serve({ version: "\(frame.files.version)", files: [\(files)] });

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

    private func page(_ request: Request, _ context: AppContext) -> Response {
        let isLoggedIn = context.session != nil
        return Page(title: "Offline", bodyClass: isLoggedIn ? nil : "bare")
            .response(frame, request, context) {
                if isLoggedIn { frame.largeBar("Offline") }
                main(.id("content"), .class("message")) {
                    div(.class("empty")) {
                        frame.icon("wifi-off")
                        if isLoggedIn {
                            p { "This page isn’t available offline. Your library and your last search are." }
                            a(.class("button primary"), .href(AppPaths.library)) { "Library" }
                            a(.class("button"), .href(AppPaths.lastSearch)) { "Last search" }
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
