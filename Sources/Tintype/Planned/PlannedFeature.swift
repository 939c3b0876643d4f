import HTML
import Hummingbird

/// Honest pages for the parts that are not built yet, in the final design: no link leads nowhere.
struct PlannedFeature: Feature {
    static let menu = [Page.Link.contracts]

    private let frame: Frame

    init(_ app: AppParts) { frame = app.frame }

    private struct Part {
        var path: RouterPath
        var title: String
        var icon: StaticString
        var promise: String
        var link: Page.Link
    }

    private let parts = [
        Part(
            path: "contracts", title: "Contracts", icon: "file-earmark-text",
            promise: "Two people will stake a photo each on a promise.", link: .contracts)
    ]

    func addRoutes(to router: Router<AppContext>) {
        for part in parts {
            router.get(part.path) { request, context in
                _ = try context.viewer
                return Page(title: part.title, link: part.link).response(
                    frame, request, context
                ) {
                    frame.menuBar(part.title)
                    main(.id("content")) {
                        div(.class("empty")) {
                            frame.icon(part.icon)
                            h2 { "Not built yet" }
                            p { part.promise }
                            a(.class("button primary"), .href("/home")) { "Go to Home" }
                        }
                    }
                }
            }
        }
    }
}

extension Page.Link {
    fileprivate static let contracts = Page.Link(name: "contracts", icon: "file-earmark-text", position: 40)
}
