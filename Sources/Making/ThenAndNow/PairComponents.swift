import Alignment
import Core
import Foundation
import HTML
import Imaging
import People

/// The parts of a pair in the photo viewer, and its halves for other pages.
struct PairComponents: Sendable {
    let frame: Frame

    /// Returns the path of a pair's forms and pages.
    static func path(_ id: Pair.ID) -> String { "/pairs/\(id)" }

    /// Returns what the photo viewer shows of a pair in place of its picture, with the tools around it.
    ///
    /// - Parameter isRetaken: whether there are other pairs of the same past photo.
    func presentation(of pair: Pair, isRetaken: Bool) -> PhotoPresentation {
        let title = pair.title(today: frame.now())
        var presentation = PhotoPresentation()
        presentation.title = title
        presentation.stage = stage(pair)
        presentation.actions = div(.class("actions")) {
            button(
                .class("symbol"), .type("button"), .attribute("popovertarget", Self.menu(pair)),
                .label("More")
            ) { frame.icon("three-dots-vertical") }
        }
        presentation.shared = shared(pair, title)
        presentation.tools = frame.symbolLink(
            "Shoot again", "camera", href: ThenAndNowPaths.again(pair.id))
        presentation.sheets = PairSheet(frame: frame).menu(
            pair, id: Self.menu(pair), isRetaken: isRetaken)
        presentation.styles = [.controls, .pairs]
        return presentation
    }

    /// Returns what the photo viewer adds to a photo that isn't a pair but is the past photo of pairs.
    func presentation(ofRetaken photo: Photo) -> PhotoPresentation {
        var presentation = PhotoPresentation()
        presentation.tools = frame.symbolLink(
            "Through the years", "clock-history", href: ThenAndNowPaths.years(photo.id))
        return presentation
    }

    private static func menu(_ pair: Pair) -> String { "pair-\(pair.id)" }

    // MARK: Drawing

    /// Returns the numbers from which scripts draw a pair.
    static func numbers(of pair: Pair) -> [Attribute] {
        var (transform, crop) = ("", "")
        if case .aligned(let map, let part, _) = pair.alignment {
            transform = list(map.elements)
            crop = list([part.x, part.y, part.width, part.height])
        }
        return [
            .attribute("data-id", pair.id.description), .attribute("data-aspect", String(pair.aspect)),
            .attribute("data-past-view", view(pair.pastView)),
            .attribute("data-now-view", view(pair.nowView)), .attribute("data-mode", pair.mode.rawValue),
            .attribute("data-alignment", state(pair.alignment)), .attribute("data-transform", transform),
            .attribute("data-crop", crop),
        ]
    }

    private static func view(_ view: PictureView) -> String { list([view.zoom, view.x, view.y]) }

    private static func list(_ numbers: [Double]) -> String {
        numbers.map { String($0) }.joined(separator: " ")
    }

    private static func state(_ alignment: Pair.Alignment) -> String {
        switch alignment {
        case .none: "none"
        case .aligned(_, _, let hand): hand.rawValue
        case .refused: "refused"
        }
    }

    /// Returns one photo of a pair in its frame, which scripts place.
    ///
    /// - Parameters:
    ///   - name: what scripts know the half by; nil for the photo's own name.
    ///   - isDecorative: whether the photo is on the page already.
    func half(
        _ source: PairService.Source, of pair: Pair, name: String? = nil,
        isDecorative: Bool = false
    ) -> Node {
        let isThen = source == .then
        let (width, height) = (
            isThen ? pair.then.width : pair.now.width, isThen ? pair.then.height : pair.now.height
        )
        return div(.class("pair-half"), .attribute("data-half", name ?? source.rawValue)) {
            div(.class("pair-frame")) {
                img(
                    .src(PairPictures.path(source, of: pair.id)), .width(width), .height(height),
                    .alt(isDecorative ? "" : Self.description(of: source, pair)))
            }
        }
    }

    private static func description(of source: PairService.Source, _ pair: Pair) -> String {
        switch source {
        case .then:
            ["Then", pair.then.dateWords, pair.then.title].filter { !$0.isEmpty }.joined(separator: ", ")
        case .now: "Now, \(pair.now.year)"
        }
    }

    private func stage(_ pair: Pair) -> Node {
        element("pair-view", [.class("pair")] + Self.numbers(of: pair)) {
            div(.class("pair-room")) {
                div(
                    .class("pair-picture"), .flag("data-zoom"),
                    .attribute("data-hero", PhotoPaths.page(pair.id))
                ) {
                    let pixels = pair.photo.pixels(.large)
                    img(
                        .class("pair-plain"), .src(Photo.path(pair.id, .large)), .width(pixels.width),
                        .height(pixels.height), .alt(pair.photo.description), .lazy)
                    half(.then, of: pair)
                    half(.now, of: pair)
                    divider
                    button(.class("pair-fade"), .type("button"), .flag("data-fade")) { "Pause" }
                }
                credit(pair)
            }
            div(.class("pair-tools"), .flag("data-still")) {
                modes(pair)
                p(.class("pair-work")) {
                    span(.class("spinner"), .decorative) {}
                    "Aligning…"
                }
                verdict(pair)
            }
            p(.class("unseen"), .role("status"), .flag("data-status")) {}
        }
    }

    private var divider: Node {
        div(.class("pair-divider"), .flag("data-divider"), .flag("data-still")) {
            input(
                .type("range"), .attribute("min", "0"), .attribute("max", "100"), .value("50"),
                .autocomplete("off"), .label("How much of then is shown"))
            span(.class("pair-handle"), .decorative) {
                frame.icon("chevron-left")
                frame.icon("chevron-right")
            }
        }
    }

    // MARK: Below the picture

    private func credit(_ pair: Pair) -> Node {
        div(.class("pair-credit")) {
            span {
                "Then: "
                source(pair.then)
            }
            when("none") { form("align", "align", pair) { "Align" } }
            when("automatic") {
                "aligned automatically · "
                form("align/undo", "undo", pair) { "undo" }
            }
            when("points") {
                "aligned by points · "
                form("align/undo", "undo", pair) { "undo" }
            }
            when("refused") {
                "not aligned. "
                span(.flag("data-reason")) {
                    if case .refused(let reason) = pair.alignment { reason }
                }
                " "
                a(.href("\(Self.path(pair.id))/points")) { "Set points by hand" }
            }
        }
    }

    /// Draws something that is shown in one state of the alignment, after a dot.
    private func when(_ state: String, @NodeBuilder content: () -> Node) -> Node {
        let content = content()
        return span(.attribute("data-when", state)) {
            " · "
            content
        }
    }

    /// Draws a form that scripts send without leaving the page.
    private func form(
        _ path: String, _ act: String, _ pair: Pair, @NodeBuilder words: () -> Node
    ) -> Node {
        let words = words()
        return HTML.form(
            .method("post"), .action("\(Self.path(pair.id))/\(path)"),
            .attribute("data-pair", pair.id.description), .attribute("data-act", act)
        ) { button { words } }
    }

    /// Draws the author and the licence of a past photo, as links.
    @NodeBuilder func source(_ then: Pair.Then) -> Node {
        if then.credit.isEmpty, then.sourceURL == nil {
            "your photo"
        } else {
            link(then.author.isEmpty ? "unknown author" : then.author, then.sourceURL)
            if !then.licence.isEmpty {
                ", "
                link(then.licence, then.licenceURL)
            }
        }
    }

    @NodeBuilder private func link(_ words: String, _ url: String?) -> Node {
        // The address was written by strangers, and a browser would follow other schemes, such as `javascript:`.
        if let url, url.hasPrefix("https://") || url.hasPrefix("http://") {
            a(.href(url), .attribute("target", "_blank"), .rel("noopener external")) { words }
        } else {
            words
        }
    }

    private func modes(_ pair: Pair) -> Node {
        HTML.form(
            .class("pair-modes"), .method("post"), .action("\(Self.path(pair.id))/presentation"),
            .attribute("data-pair", pair.id.description), .attribute("data-act", "mode")
        ) {
            div(.role("group"), .label("Presentation")) {
                for mode in Pair.Mode.allCases {
                    button(.name("mode"), .value(mode.rawValue), .pressed(mode == pair.mode)) { mode.title }
                }
            }
        }
    }

    /// Draws the question after an alignment, which scripts ask.
    private func verdict(_ pair: Pair) -> Node {
        div(.class("pair-verdict"), .role("group"), .label("Alignment")) {
            button(.class("button"), .type("button"), .flag("data-compare"), .pressed(false)) { "Before" }
            form("align/undo", "undo", pair) { "Undo" }
            button(.class("button primary"), .type("button"), .flag("data-keep")) { "Keep" }
        }
    }

    // MARK: Tools

    /// Returns the picture that is shared. The slider has none, so both photos side by side are shared.
    private func shared(_ pair: Pair, _ title: String) -> SharedPicture {
        let mode = pair.mode == .slider ? Pair.Mode.sideBySide : pair.mode
        return SharedPicture(
            path: "/api/v1/rephotographs/\(pair.id)/rendition?mode=\(mode.rawValue)",
            words: Self.words(pair, title))
    }

    /// Returns the words that accompany a shared picture: the years, and the credit that the licence requires.
    private static func words(_ pair: Pair, _ title: String) -> String {
        guard !pair.then.credit.isEmpty else { return title }
        let links = [pair.then.sourceURL, pair.then.licenceURL].compactMap(\.self)
        return "\(title)\nThen: \(pair.then.credit)" + links.map { "\n\($0)" }.joined()
    }
}
