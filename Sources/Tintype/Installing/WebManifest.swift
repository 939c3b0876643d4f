import Core
import Hummingbird
import Serving

/// What a browser reads to install the app (W3C Web App Manifest, Web Share Target, Launch Handler).
struct WebManifest {
    let frame: Frame
    /// The name of this server.
    let name: String

    /// The ground of the app's icon, which fills the screen until the first page is there. It is dark enough for dark
    /// mode, where white would flash: a manifest has one colour for both themes.
    static let splash = "#1d5fd1"

    func add(to router: Router<AppContext>) {
        router.get("manifest.webmanifest") { request, _ in response(to: request) }
    }

    private func response(to request: Request) -> Response {
        var response = Response.json(for: request, capacity: 4096) { json in
            json.object(write)
        }
        response.headers[.contentType] = "application/manifest+json"
        return response
    }

    private func write(_ json: inout JSONWriter) {
        json.member("name", name)
        json.member("short_name", "Tintype")
        json.member("description", "Photos among friends.")
        json.member("lang", "en")
        json.member("id", AppPaths.home)
        json.member("start_url", AppPaths.home)
        json.member("scope", "/")
        json.member("display", "standalone")
        json.member("background_color", Self.splash)
        json.member("theme_color", Self.splash)
        json.key("launch_handler")
        // A tap on the icon, or on a notification, goes on in the window that is open.
        json.object { $0.array("client_mode", ["navigate-existing", "auto"]) { $0.value($1) } }
        json.array("icons", Self.icons) { json, icon in write(icon, &json) }
        json.array("shortcuts", frame.navigation.shortcuts) { json, shortcut in
            json.object { json in
                json.member("name", shortcut.name)
                json.member("url", shortcut.path)
                let icon = Icon(file: shortcut.drawing.file, sizes: "96x96", purpose: "any")
                json.array("icons", [icon]) { json, icon in write(icon, &json) }
            }
        }
        if let target = frame.navigation.shareTarget { write(target, &json) }
    }

    private struct Icon {
        var file: String
        var sizes: String
        var purpose: String
    }

    private static let icons = [
        Icon(file: "icon-192.png", sizes: "192x192", purpose: "any"),
        Icon(file: "icon-512.png", sizes: "512x512", purpose: "any"),
        Icon(file: "icon-maskable-512.png", sizes: "512x512", purpose: "maskable"),
    ]

    private func write(_ icon: Icon, _ json: inout JSONWriter) {
        json.object { json in
            json.member("src", frame.files.path("icons/\(icon.file)"))
            json.member("sizes", icon.sizes)
            json.member("type", "image/png")
            json.member("purpose", icon.purpose)
        }
    }

    private func write(_ target: Page.ShareTarget, _ json: inout JSONWriter) {
        json.key("share_target")
        json.object { json in
            json.member("action", target.path)
            json.member("method", "POST")
            json.member("enctype", "multipart/form-data")
            json.key("params")
            json.object { json in
                for name in ["title", "text", "url"] {
                    json.key(computed: name)
                    json.value(name)
                }
                json.array("files", ["photos"]) { json, name in
                    json.object { json in
                        json.member("name", name)
                        json.array("accept", ["image/*"]) { $0.value($1) }
                    }
                }
            }
        }
    }
}
