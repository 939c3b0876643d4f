import HTML
import HTTPTypes
import Hummingbird
import NIOCore

/// The service worker with which a browser shows some pages without a network, and the page that it
/// shows in place of all others (js/offline).
///
/// The program is at the root of the site, since a service worker answers for the addresses below its own.
package struct ServiceWorker {
    let frame: Frame
    /// What features have for it.
    let offline: [FeatureScripts.Offline]

    package init(frame: Frame, offline: [FeatureScripts.Offline]) {
        self.frame = frame
        self.offline = offline
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
        // A service worker can't import anything later.
        let imports = offline.enumerated().map { number, part in
            "import { keeping as part\(number) } from \"\(frame.files.path("js/\(part.path)"))\";"
        }
        let parts = offline.indices.map { "part\($0)" }.joined(separator: ", ")
        let program = """
            import { serve } from "\(frame.files.path("js/offline/worker.js"))";
            \(imports.joined(separator: "\n"))
            serve({ version: "\(frame.files.version)", files: [\(files)], parts: [\(parts)] });

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

    private var pages: [FeatureScripts.Offline.Page] { offline.compactMap(\.page) }

    /// Says what can be opened, such as `Your library and the last search are here.`
    private var keptWords: String {
        let words = pages.map(\.words).joined(separator: " and ")
        guard !words.isEmpty else { return "" }
        return "\(words.prefix(1).uppercased())\(words.dropFirst()) \(pages.count > 1 ? "are" : "is") here."
    }

    private func page(_ request: Request, _ context: AppContext) -> Response {
        let isLoggedIn = context.session != nil
        return Page(title: "No network", bodyClass: isLoggedIn ? nil : "bare")
            .response(frame, request, context) {
                if isLoggedIn { frame.largeBar("No network") }
                main(.id("content"), .class("message")) {
                    div(.class("empty")) {
                        frame.icon("wifi-off")
                        if isLoggedIn {
                            p { "This page needs a network. \(keptWords)" }
                            for page in pages {
                                let isFirst = page.path == pages.first?.path
                                a(.class(isFirst ? "button primary" : "button"), .href(page.path)) {
                                    page.title
                                }
                            }
                        } else {
                            h1 { "No network" }
                            p { "Connect to a network to log in." }
                        }
                        // Without a path of its own it leads to the page that was asked for.
                        a(.class("button plain"), .href("")) { "Try again" }
                    }
                }
            }
    }
}
