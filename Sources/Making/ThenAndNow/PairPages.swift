import Alignment
import Core
import Foundation
import HTML
import Hummingbird
import Imaging
import People
import Serving

/// The pages of one pair besides the photo viewer, and the viewer's forms for browsers without scripts.
struct PairPages {
    let frame: Frame
    let pairs: PairService

    private var components: PairComponents { PairComponents(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.post("pairs/:id/presentation", use: present)
        router.post("pairs/:id/align", use: align)
        router.post("pairs/:id/align/undo") { _, context in
            let id: Pair.ID = try context.id("id")
            return try await Self.back(to: PhotoPaths.page(id)) {
                _ = try await pairs.undoAlignment(of: id, by: context.viewer)
            }
        }
        router.get("pairs/:id/points", use: points)
        router.get("then-and-now/years/:id", use: years)
    }

    // MARK: Forms

    private func present(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id: Pair.ID = try context.id("id")
        let input = try await Input.read(request, context)
        return try await Self.back(to: PhotoPaths.page(id)) {
            _ = try await pairs.pair(id, for: viewer)
            _ = try await pairs.show(id, as: try PairAPI.look(input), by: viewer)
        }
    }

    private func align(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id: Pair.ID = try context.id("id")
        let input = try await Input.read(request, context)
        guard input.string("points[0][then][x]") != nil else {
            return try await Self.back(to: PhotoPaths.page(id)) { _ = try await pairs.align(id, by: viewer) }
        }
        return try await Self.back(to: PhotoPaths.page(id), or: "\(PairComponents.path(id))/points") {
            _ = try await pairs.pair(id, for: viewer)
            let points = try PairAPI.points(input) ?? []
            _ = try await pairs.align(id, points: points, by: viewer)
        }
    }

    /// Redirects after a form. After a refusal of its values, redirects to `alternative` with the sentence.
    private static func back(
        to path: String, or alternative: String? = nil, _ body: () async throws -> Void
    ) async throws -> Response {
        do {
            try await body()
            return .see(path)
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(alternative ?? path, flash: .error(refusal.message))
        }
    }

    // MARK: Points

    /// Shows the page on which four points are set by hand on both photos.
    private func points(_ request: Request, _ context: AppContext) async throws -> Response {
        let pair = try await pairs.pair(context.id("id"), for: context.viewer)
        return Page(
            title: "Match four points", styles: [.photos, .controls, .pairs], bodyClass: "bare viewer"
        ).response(frame, request, context) {
            element("pair-points", PairComponents.numbers(of: pair)) {
                form(
                    .class("points"), .method("post"),
                    .action("\(PairComponents.path(pair.id))/align")
                ) {
                    header(.class("bar")) {
                        a(.class("back"), .href(PhotoPaths.page(pair.id)), .flag("data-back")) { "Cancel" }
                        h1 { "Match four points" }
                        div(.class("actions")) {
                            button(.class("button"), .flag("data-save")) { "Save" }
                        }
                    }
                    main(.id("content")) {
                        div(.class("points-room")) {
                            pane(.then, pair)
                            pane(.now, pair)
                        }
                        p(.class("points-note"), .role("status"), .flag("data-note")) {
                            "Set each number on the same spot of both photos."
                        }
                        label(.class("points-onion")) {
                            "Then"
                            span(.class("unseen")) { " or Now: how much of Now covers Then" }
                            input(
                                .type("range"), .attribute("min", "0"), .attribute("max", "100"), .value("0"),
                                .flag("data-onion"), .autocomplete("off"))
                            span(.decorative) { "Now" }
                        }
                        table(pair)
                    }
                }
            }
        }
    }

    private func pane(_ source: PairService.Source, _ pair: Pair) -> Node {
        figure(.class("points-pane"), .attribute("data-side", source.rawValue)) {
            components.half(source, of: pair)
            // A preview of the match over the past photo.
            if source == .then { components.half(.now, of: pair, name: "over", isDecorative: true) }
            figcaption { source == .then ? pair.composition.yearThen : String(pair.now.year) }
        }
    }

    /// Draws the points as a table of numbers. Scripts read and write the numbers, and hide the table.
    private func table(_ pair: Pair) -> Node {
        fieldset(.class("points-numbers")) {
            legend { "Shares of the width and the height, from the upper left corner" }
            for (index, point) in Self.startingPoints(of: pair).enumerated() {
                p {
                    span { "Point \(index + 1)" }
                    number("Then, across", "points[\(index)][then][x]", point.then.x)
                    number("Then, down", "points[\(index)][then][y]", point.then.y)
                    number("Now, across", "points[\(index)][now][x]", point.now.x)
                    number("Now, down", "points[\(index)][now][y]", point.now.y)
                }
            }
        }
    }

    private func number(_ title: String, _ name: String, _ value: Double) -> Node {
        label {
            "\(title) "
            input(
                .class("input"), .type("number"), .name(name), .value(String(value)), .attribute("min", "0"),
                .attribute("max", "1"), .attribute("step", "any"), .required, .autocomplete("off"))
        }
    }

    /// Returns the points of an alignment, or points near the corners of both photos.
    private static func startingPoints(of pair: Pair) -> [PointPair] {
        let corners = [(x: 0.2, y: 0.2), (x: 0.8, y: 0.2), (x: 0.8, y: 0.8), (x: 0.2, y: 0.8)]
        if case .aligned(let map, _, _) = pair.alignment, let back = map.inverse {
            let found = corners.compactMap { corner in
                back.applied(to: corner).map { PointPair(then: corner, now: $0) }
            }
            let isInside = found.allSatisfy { (0...1).contains($0.now.x) && (0...1).contains($0.now.y) }
            if found.count == corners.count, isInside { return found }
        }
        return corners.map { PointPair(then: $0, now: $0) }
    }

    // MARK: Years

    /// Shows a photo and its retakes, one year after the other.
    private func years(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id: Photo.ID = try context.id("id")
        let retakes = try await pairs.retakes(of: id, for: viewer)
        guard let newest = retakes.last else {
            return .see(PhotoPaths.page(id), flash: .good("This photo has no retakes yet."))
        }
        let names = [newest.composition.yearThen] + retakes.map { String($0.now.year) }
        return Page(
            title: "Through the years", styles: [.photos, .pairs], bodyClass: "bare viewer"
        ).response(frame, request, context) {
            element("year-sequence", .class("years")) {
                header(.class("bar")) {
                    a(.class("back"), .href(PhotoPaths.page(id)), .flag("data-back")) { "Done" }
                    h1 { "Through the years" }
                    div(.class("actions")) {
                        frame.symbolLink(
                            "Take it again", "camera", href: ThenAndNowPaths.again(newest.id))
                    }
                }
                main(.id("content")) {
                    div(.class("years-room")) {
                        year(0, names[0], .then, newest) { components.source(newest.then) }
                        for (index, pair) in retakes.enumerated() {
                            year(index + 1, names[index + 1], .now, pair) {
                                a(.href(PhotoPaths.page(pair.id))) { pair.title(today: frame.now()) }
                            }
                        }
                    }
                    div(.class("years-tools")) {
                        step("data-earlier", "Earlier", "chevron-left")
                        button(
                            .class("symbol"), .type("button"), .flag("data-play"), .label("Play the years"),
                            .pressed(false)
                        ) {
                            frame.icon("play-fill")
                            frame.icon("square-fill")
                        }
                        step("data-later", "Later", "chevron-right")
                    }
                    nav(.class("years-strip"), .flag("data-strip"), .label("Years")) {
                        ol {
                            for (index, name) in names.enumerated() {
                                li { a(.class("chip"), .href("#year-\(index)")) { name } }
                            }
                        }
                    }
                    p(.class("unseen"), .role("status"), .flag("data-status")) {}
                }
            }
        }
    }

    private func year(
        _ index: Int, _ name: String, _ source: PairService.Source, _ pair: Pair,
        @NodeBuilder caption: () -> Node
    ) -> Node {
        let caption = caption()
        return figure(.id("year-\(index)"), .attribute("data-year", name)) {
            element("div", [.class("years-picture")] + PairComponents.numbers(of: pair)) {
                components.half(source, of: pair)
            }
            figcaption {
                b { name }
                " · "
                caption
            }
        }
    }

    private func step(_ flag: StaticString, _ label: String, _ icon: StaticString) -> Node {
        button(.class("symbol"), .type("button"), .flag(flag), .label(label)) { frame.icon(icon) }
    }
}

extension Page.Style {
    static let waitingPairs = Page.Style(name: "waiting-pairs")
    /// Pairs in the photo viewer, four points by hand, and the years.
    static let pairs = Page.Style(name: "pairs")
}
