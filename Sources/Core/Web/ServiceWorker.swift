import HTML
import HTTPTypes
import Hummingbird
import NIOCore

/// The service worker with which a browser shows the library and Then & Now without a network, and the page that it
/// shows in place of all others (js/offline).
///
/// The program is at the root of the site, since a service worker answers for the addresses below its own.
package struct ServiceWorker {
    package let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
    }

    /// Adds the program, which is the same for everybody and needs no log-in.
    package func addProgram(to router: Router<AppContext>) {
        router.get("sw.js") { request, _ in program(request) }
    }

    /// Adds the page, which is in the frame of the person who asks.
    package func addPage(to router: Router<AppContext>) {
        router.get("offline") { request, context in page(request, context) }
    }

    /// The program names the version of the static files, so that a browser finds a new one whenever a file has changed.
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

    /// Large pictures of the app's icon are for the system, which asks for them by itself.
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
                            a(.class("button primary"), .href("/library")) { "Library" }
                            a(.class("button"), .href("/then-and-now/nearby")) { "Last search" }
                        } else {
                            h1 { "Offline" }
                            p { "Connect to the network to log in." }
                        }
                        // Without a path of its own it leads to the page that was asked for.
                        a(.class("button plain"), .href("")) { "Try again" }
                    }
                }
            }
    }
}
