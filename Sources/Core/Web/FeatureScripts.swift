import Serving

/// The scripts of a feature in the browser, besides its pages and styles. Paths are relative to `js`.
///
/// The server writes the parts of all features into one script, `js/features.js`, which the shared scripts read.
package struct FeatureScripts: Sendable {
    /// A script that runs on all pages, whatever they show.
    package struct Background: Sendable {
        let path: String
        /// Whether the script also runs on pages without a log-in.
        let isForEveryone: Bool

        /// Declares a script of every page.
        package static func everyone(_ path: String) -> Background {
            Background(path: path, isForEveryone: true)
        }

        /// Declares a script of the pages of people who are logged in.
        package static func account(_ path: String) -> Background {
            Background(path: path, isForEveryone: false)
        }
    }

    /// The part of a feature that works offline.
    package struct Offline: Sendable {
        /// The script that says what the service worker keeps: it exports `keeping` (`js/offline/places.js`).
        let path: String
        /// The page that is offered offline.
        let page: Page?

        /// A page that can be opened offline.
        package struct Page: Sendable {
            let title: String
            let path: String
            /// The position among the pages that are offered.
            let position: Int
        }

        package init(_ path: String) {
            (self.path, page) = (path, nil)
        }

        package init(_ path: String, page title: String, at pagePath: String, position: Int) {
            self.path = path
            page = Page(title: title, path: pagePath, position: position)
        }
    }

    /// The script that defines each custom element; pages load it once they have such an element.
    let elements: [String: String]
    /// The names of the live events.
    let events: [EventName]
    let background: [Background]
    package let offline: [Offline]
    /// The scripts that send what waits for a network, by its kind: each exports `send` (`js/outbox/outbox.js`).
    let outbox: [String: String]

    package init(
        elements: [String: String] = [:], events: [EventName] = [], background: [Background] = [],
        offline: [Offline] = [], outbox: [String: String] = [:]
    ) {
        self.elements = elements
        self.events = events
        self.background = background
        self.offline = offline
        self.outbox = outbox
    }

    /// Joins the scripts of the frame with those of several features, in their order.
    package init(of features: [any Feature.Type]) {
        let parts = [.shared] + features.map { $0.scripts }
        var (elements, outbox) = ([String: String](), [String: String]())
        for part in parts {
            elements.merge(part.elements) { first, _ in first }
            outbox.merge(part.outbox) { first, _ in first }
        }
        self.init(
            elements: elements, events: parts.flatMap(\.events), background: parts.flatMap(\.background),
            offline: parts.flatMap(\.offline), outbox: outbox)
    }

    /// The scripts that all pages share.
    static let shared = FeatureScripts(
        elements: [
            "copy-link": "web/copy-link.js", "endless-list": "web/endless-list.js",
            "live-search": "web/live-search.js", "local-time": "web/local-time.js",
            "relative-time": "web/relative-time.js", "share-button": "web/share-button.js",
            "side-menu": "web/side-menu.js", "text-counter": "web/text-counter.js",
            "waiting-list": "outbox/waiting-list.js",
        ],
        events: [.reset, .counts], background: [.everyone("outbox/background.js")],
        outbox: ["wish": "outbox/wish.js"])

    /// The text of `js/features.js`.
    var module: [UInt8] {
        var json = JSONWriter(capacity: 4096)
        json.object { json in
            for (key, scripts) in [("elements", elements), ("outbox", outbox)] {
                json.key(computed: key)
                json.object { json in
                    for (name, path) in scripts.sorted(by: { $0.key < $1.key }) {
                        json.key(computed: name)
                        json.value("./\(path)")
                    }
                }
            }
            json.array("events", events) { json, event in
                json.object { json in
                    json.member("name", event.description)
                    json.member("isPassing", event.isPassing)
                }
            }
            json.array("background", background) { json, script in
                json.object { json in
                    json.member("path", "./\(script.path)")
                    json.member("isForEveryone", script.isForEveryone)
                }
            }
        }
        return Array("export const features = ".utf8) + json.bytes + Array(";\n".utf8)
    }
}
