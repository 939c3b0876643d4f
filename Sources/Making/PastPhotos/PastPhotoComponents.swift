import Core
import Foundation
import HTML
import People
import Serving

/// The parts of the page "Find Nearby". The scripts in `js/past-photos` add the map, the wheels and the slider; without
/// scripts there are plain fields and a list.
struct PastPhotoComponents {
    let frame: Frame
    /// The address of the camera that retakes old photos.
    let camera: String

    /// The form's id, which buttons outside of the form refer to.
    static let formID = "nearby-form"

    /// A message about a search, with what to do.
    struct Alert {
        /// The kind of the message, unique on the page: `none`, `server`, `source-flickr`.
        var kind: String
        var sentence: String
        /// Whether the message isn't about a failure.
        var isNote = false
        /// Whether a button offers a wider search.
        var offersWider = false

        /// Returns the message that nothing was found.
        static func nothingFound(_ query: PastPhotoQuery, thisYear: Int) -> Alert {
            let widenable = PastPhotoForm.widenable(query, thisYear: thisYear)
            let years = "from \(String(query.years.lowerBound)) to \(String(query.years.upperBound))"
            let radius = PastPhotoComponents.radius(query.radiusKilometres)
            return Alert(
                kind: "none",
                sentence: "No photos \(years) within \(radius). "
                    + (widenable.isEmpty ? "Choose another place." : "Widen \(widenable)."),
                offersWider: !widenable.isEmpty)
        }

        /// Creates the message about one source's answer; nil when there is nothing to say.
        init?(_ answer: PastSearch.Answer) {
            guard let message = answer.message else { return nil }
            self.init(
                kind: "source-\(answer.name)", sentence: message, isNote: answer.state != .failed)
        }

        /// The message that a search failed and the last results are still shown.
        static let kept = Alert(
            kind: "kept", sentence: "These are the photos of your last search.", isNote: true)

        /// Creates a message.
        ///
        /// - Parameters:
        ///   - kind: the message's kind, unique on the page.
        ///   - sentence: what happened and what to do.
        ///   - isNote: whether the message isn't about a failure.
        ///   - offersWider: whether a button searches wider.
        init(kind: String, sentence: String, isNote: Bool = false, offersWider: Bool = false) {
            (self.kind, self.sentence, self.isNote) = (kind, sentence, isNote)
            self.offersWider = offersWider
        }
    }

    // MARK: Map

    /// Draws the frame of the map, with its buttons.
    func map(_ settings: MapSettings) -> Node {
        section(
            .class("nearby-map"), .flag("data-map"), .label("Map"),
            .attribute("data-tiles", settings.tiles)
        ) {
            div(
                .class("ground"), .flag("data-ground"), .role("application"),
                .label("Map around your position"), .describedBy("map-keys")
            ) {}
            p(.class("unseen"), .id("map-keys")) {
                """
                Arrow keys move the map, plus and minus zoom. “Set position here” takes the middle of the map.
                """
            }
            div(.class("map-cross")) { frame.icon("plus-lg") }
            button(.class("button small primary set-here"), .type("button"), .flag("data-set-here")) {
                "Set position here"
            }
            div(.class("map-buttons")) {
                mapButton("data-locate", "Use my position", "cursor-fill")
                div {
                    mapButton("data-zoom-in", "Zoom in", "plus-lg")
                    mapButton("data-zoom-out", "Zoom out", "dash-lg")
                }
            }
            p(.class("map-credit")) { credit(of: settings) }
            p(.class("no-map note")) { "The map can’t be shown. Type coordinates, or use your position." }
        }
    }

    private func mapButton(_ flag: StaticString, _ name: String, _ icon: StaticString) -> Node {
        button(.type("button"), .flag(flag), .label(name)) { frame.icon(icon) }
    }

    /// Draws the attribution of the map. An address at its end becomes the link of its words.
    private func credit(of settings: MapSettings) -> Node {
        guard settings.tiles != nil else { return .text("Natural Earth") }
        let words = settings.attribution.split(separator: " ")
        guard let address = words.last.map(String.init), address.hasPrefix("https://"), words.count > 1 else {
            return .text(settings.attribution)
        }
        return outside(address, words.dropLast().joined(separator: " "))
    }

    // MARK: Form

    /// Draws the form of a search.
    func form(_ form: PastPhotoForm) -> Node {
        HTML.form(
            .class("nearby-form group"), .id(Self.formID), .method("post"), .action(PastPhotoPaths.search),
            .flag("novalidate"), .flag("data-placed", form.hasPosition)
        ) {
            yearRow("from_year", "After", form.fromYear, form)
            yearRow("to_year", "Before", form.toYear, form)
            radiusRow(form)
            positionRow(form)
        }
    }

    private func yearRow(_ name: String, _ title: String, _ chosen: String, _ form: PastPhotoForm) -> Node {
        Node.list([
            element("year-wheel", .class("row-of-form")) {
                label(.for(name)) { title }
                select(.class("pill"), .id(name), .name(name), .invalid(form.problems[name] != nil)) {
                    for year in form.years.map({ String($0) }) {
                        option(.value(year), .flag("selected", year == chosen)) { year }
                    }
                }
                button(
                    .class("pill"), .type("button"), .attribute("aria-haspopup", "dialog"),
                    .label("\(title): \(chosen)")
                ) { chosen }
            },
            frame.problem(name, form.problems),
        ])
    }

    private func radiusRow(_ form: PastPhotoForm) -> Node {
        let radii = form.radii
        let chosen = radii.firstIndex { $0 == Double(form.radius) } ?? 0
        return Node.list([
            element("radius-slider", .class("row-of-form")) {
                label(.for("radius")) { "Within" }
                span(.class("control")) {
                    select(.class("pill"), .name("radius_km"), .label("Within")) {
                        for (index, radius) in radii.enumerated() {
                            option(
                                .value(PastPhotoForm.text(radius)), .flag("selected", index == chosen)
                            ) { Self.radius(radius) }
                        }
                    }
                    input(
                        .type("range"), .id("radius"), .attribute("min", "0"),
                        .attribute("max", String(radii.count - 1)), .value(String(chosen)))
                    output(.for("radius")) { Self.radius(radii[chosen]) }
                }
            },
            frame.problem("radius_km", form.problems),
        ])
    }

    private func positionRow(_ form: PastPhotoForm) -> Node {
        let isWrong = form.problems["latitude"] != nil || form.problems["longitude"] != nil
        return details(.flag("open", isWrong)) {
            summary {
                "Position "
                span(.class("value")) {
                    span(.flag("data-position")) { Self.position(form) }
                    frame.icon("chevron-down")
                }
            }
            div(.class("coordinates")) {
                div {
                    coordinate("latitude", "Latitude", form.latitude, "90", form)
                    coordinate("longitude", "Longitude", form.longitude, "180", form)
                }
                button(.class("button"), .type("button"), .flag("data-locate")) {
                    frame.icon("cursor-fill")
                    "Use my position"
                }
            }
        }
    }

    private func coordinate(
        _ name: String, _ title: String, _ value: String, _ most: String, _ form: PastPhotoForm
    ) -> Node {
        frame.field(
            name, title, type: "number", value: value, problems: form.problems,
            .attribute("min", "-\(most)"), .attribute("max", most), .attribute("step", "any"),
            .autocomplete("off"))
    }

    /// The note that a search is running.
    var progress: Node {
        div(.class("search-progress"), .flag("data-progress"), .hidden()) {
            p(.role("status")) {}
            button(.class("button plain small"), .type("button"), .flag("data-cancel")) { "Cancel" }
            div(.role("progressbar"), .label("Searching")) {}
        }
    }

    /// Draws a message above the form.
    func alert(_ alert: Alert) -> Node {
        div(
            .class("notice"), .role(alert.isNote ? "status" : "alert"), .attribute("data-kind", alert.kind),
            .attribute("data-tone", alert.isNote ? "note" : "error")
        ) {
            frame.icon(alert.isNote ? "info-circle" : "exclamation-triangle")
            div {
                p { alert.sentence }
                if alert.offersWider {
                    button(
                        .class("button small"), .name("wider"), .value("1"),
                        .attribute("form", Self.formID)
                    ) { "Search wider" }
                }
            }
            button(.class("symbol"), .type("button"), .label("Dismiss")) { frame.icon("x-lg") }
        }
    }

    // MARK: Results

    /// Draws the photos that were found, or what to do before the first search.
    func results(_ search: PastSearch?, sources: [String]) -> Node {
        let photos = search?.photos ?? []
        let answered = (search?.answers ?? []).filter { $0.state != .failed }.map(\.title)
        return section(
            .class("results"), .flag("data-results"), .flag("data-searched", search != nil),
            .label("Photos found")
        ) {
            h2(.class("section-title")) {
                span(.flag("data-count"), .role("status")) { photos.count.of("photo") }
                span(.flag("data-answered")) { answered.joined(separator: " · ") }
            }
            div(.class("empty")) {
                frame.icon("geo-alt")
                p {
                    """
                    Set a place, then search: Tintype asks \(Self.list(sources)) for photos that were taken there.
                    """
                }
                button(.class("button primary"), .type("button"), .flag("data-locate")) {
                    frame.icon("cursor-fill")
                    "Use my position"
                }
                button(.class("button primary"), .attribute("form", Self.formID)) { "Search here" }
            }
            ul(.class("strip"), .flag("data-list")) {
                for photo in photos { result(photo) }
            }
            p(.class("credit"), .flag("data-shown-credit")) {}
            element("template") { result(nil) }
        }
    }

    /// Draws a found photo; nil draws the template that scripts fill.
    private func result(_ photo: PastPhoto?) -> Node {
        let isBroken = if case .failed = photo?.picture { true } else { false }
        let source: Attribute =
            if let photo, !isBroken { .src(PastPhoto.path(photo.id, .square)) } else { .none }
        let title = photo?.found.title ?? ""
        return li {
            a(.href("\(camera)?past=\(photo?.id.description ?? "")")) {
                span(.class("picture"), .flag("data-broken", isBroken)) {
                    img(
                        source, .alt(title.isEmpty ? "Photo without a title" : title), .width(240),
                        .height(240), .lazy)
                    span(.class("spinner")) {}
                    span(.class("broken")) {
                        frame.icon("exclamation-circle")
                        "Couldn’t be loaded"
                    }
                }
                b { photo?.found.dateWords ?? "" }
                span(.flag("data-distance")) { photo.map { Self.distance($0.distance) } ?? "" }
            }
            p(.class("credit"), .flag("data-credit")) { photo.map { credit(of: $0) } }
        }
    }

    /// Draws a photo's author, licence and source.
    private func credit(of photo: PastPhoto) -> Node {
        let found = photo.found
        var parts = [found.title, found.author].filter { !$0.isEmpty }.map { text in span { text } }
        if let terms = found.licenceURL, !found.licence.isEmpty {
            parts.append(outside(terms, found.licence))
        } else if !found.licence.isEmpty {
            parts.append(span { found.licence })
        }
        parts.append(
            found.photo == nil
                ? outside(found.pageURL, "View on \(photo.sourceTitle)")
                : a(.href(found.pageURL)) { "View the post" })
        return .list(parts.enumerated().map { $0 == 0 ? $1 : Node.list([.text(" · "), $1]) })
    }

    /// Draws a link to another server, or only the words when the address isn't `http` or `https`.
    private func outside(_ address: String, _ words: String) -> Node {
        guard address.hasPrefix("https://") || address.hasPrefix("http://") else { return span { words } }
        return a(.href(address), .attribute("target", "_blank"), .rel("noopener noreferrer")) { words }
    }

    // MARK: Words

    /// Returns a radius in words: `300 m`, `2.5 km`.
    static func radius(_ kilometres: Double) -> String {
        kilometres < 1
            ? "\(Int((kilometres * 1000).rounded())) m" : "\(PastPhotoForm.text(kilometres)) km"
    }

    /// Returns a distance in words: `310 m away`, `0.9 km away`.
    static func distance(_ metres: Int) -> String {
        if metres < 5 { return "right here" }
        if metres < 500 { return "\((metres + 5) / 10 * 10) m away" }
        if metres >= 9_950 { return "\((metres + 500) / 1000) km away" }
        let tenths = (metres + 50) / 100
        return "\(tenths / 10).\(tenths % 10) km away"
    }

    /// Returns a position: `46.5412, 11.8456`.
    private static func position(_ form: PastPhotoForm) -> String {
        guard let latitude = Double(form.latitude), let longitude = Double(form.longitude) else {
            return "Not set"
        }
        return String(format: "%.4f, %.4f", latitude, longitude)
    }

    /// Joins names with commas and "and".
    private static func list(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }
}
