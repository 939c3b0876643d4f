import HTML
import Imaging
import Storage

/// How collages appear on pages: drawn as SVG from the same numbers from which the server renders them.
struct CollageComponents: Sendable {
    let frame: Frame

    /// The side of the square in which spacing and corners are counted.
    private static let side = 400.0

    // MARK: The square

    /// A collage with its photos.
    ///
    /// - Parameters:
    ///   - label: what the square is called.
    ///   - id: what tells this square's clips from those of others on the page.
    ///   - links: whether each cell leads to its own page.
    func square(_ collage: Collage, label: String, id: String = "window", links: Bool) -> Node {
        let frames = collage.style.layout.cells.map { CollageFrame($0, spacing: collage.style.spacing) }
        return svg(
            "collage-square", .attribute("data-square", links ? "" : nil), .role("group"), .label(label),
            .describedBy(links ? "collage-keys" : nil)
        ) {
            rect("ground", CollageFrame.whole, .attribute("fill", collage.style.background))
            element("defs") {
                for (index, frame) in frames.enumerated() {
                    element("clipPath", .id("\(id)-\(index)")) {
                        rect(
                            nil, frame, .attribute("rx", String(collage.style.cornerRadius)))
                    }
                }
            }
            for (index, frame) in frames.enumerated() {
                let cell = collage.cells[index]
                let content = Node.list([
                    element("g", .attribute("clip-path", "url(#\(id)-\(index))")) {
                        rect("hole", frame)
                        if let photo = cell.photo { image(photo, frame, cell.view) }
                    },
                    cell.photo == nil ? mark(cell, frame) : .empty,
                ])
                if links {
                    a(
                        .class("cell"), .attribute("data-index", String(index)),
                        .href("\(CollageService.path(collage.id))/cells/\(index)"),
                        .label(Self.name(index, cell, of: frames.count))
                    ) { content }
                } else {
                    content
                }
            }
        }
    }

    /// What a cell is called: its number, and what is in it.
    static func name(_ index: Int, _ cell: CollageCell, of count: Int) -> String {
        let content =
            if let photo = cell.photo {
                photo.description.isEmpty ? "photo" : photo.description
            } else if cell.isMissing {
                "its photo was deleted"
            } else if let assignee = cell.assignee {
                "for \(assignee.displayName)"
            } else {
                "empty"
            }
        return "Cell \(index + 1) of \(count): \(content)"
    }

    private func image(_ photo: Photo, _ frame: CollageFrame, _ view: CollageView) -> Node {
        let place = frame.place(of: photo, view)
        return element(
            "image", .href(Photo.path(photo.id, .large)), .attribute("x", place.x.plain),
            .attribute("y", place.y.plain), .attribute("width", place.width.plain),
            .attribute("height", place.height.plain), .attribute("preserveAspectRatio", "none")
        ) { Node.empty }
    }

    /// What an empty cell shows: a plus, and who is to fill it, or that its photo is gone.
    private func mark(_ cell: CollageCell, _ frame: CollageFrame) -> Node {
        let words = cell.isMissing ? "Photo deleted" : cell.assignee?.displayName
        return element(
            "g", .class("plus"),
            .attribute("transform", "translate(\(frame.middle.x.plain) \(frame.middle.y.plain))")
        ) {
            element("path", .attribute("d", "M-12 0H12M0-12V12")) { Node.empty }
            if let words { element("text", .attribute("y", "34")) { words } }
        }
    }

    /// A layout as a small symbol.
    func symbol(_ layout: CollageLayout) -> Node {
        element("svg", .attribute("viewBox", "0 0 400 400"), .decorative) {
            for cell in layout.cells { rect(nil, CollageFrame(cell, spacing: 24)) }
        }
    }

    private func svg(_ name: StaticString, _ attributes: Attribute..., @NodeBuilder content: () -> Node)
        -> Node
    {
        element("svg", [.class(name), .attribute("viewBox", "0 0 400 400")] + attributes) { content() }
    }

    private func rect(_ name: String?, _ frame: CollageFrame, _ attributes: Attribute...) -> Node {
        element(
            "rect",
            [
                .attribute("class", name), .attribute("x", frame.x.plain), .attribute("y", frame.y.plain),
                .attribute("width", frame.width.plain), .attribute("height", frame.height.plain),
            ] + attributes
        ) { Node.empty }
    }

    // MARK: Elsewhere

    /// A collage as a card in a conversation: its cells filling, or the finished picture.
    func card(_ collage: Collage) -> Node {
        a(.href(CollageService.path(collage.id))) {
            span(.class("author")) {
                frame.portrait(collage.owner, pixels: 24)
                b { collage.owner.username }
            }
            if collage.isFinished, let photo = collage.photo {
                img(
                    .src(Photo.path(photo.id, .medium)), .width(720), .height(720),
                    .alt(photo.description.isEmpty ? "Collage" : photo.description))
            } else if !collage.isFinished {
                square(collage, label: "Collage", id: "card-\(collage.id)", links: false)
            }
            span(.class("words")) { Self.progress(of: collage) }
        }
    }

    /// What is to be done in a collage, in a few words.
    static func progress(of collage: Collage) -> String {
        if collage.isFinished { return "Finished collage" }
        let (empty, count) = (collage.emptyCells.count, collage.shownCells.count)
        if empty == 0 { return "All cells are filled" }
        return empty == count
            ? "\(count) cells to fill" : "\(count - empty) of \(count) cells filled"
    }
}

/// A rectangle in a square of 400, as a cell takes it with the spacing around it.
struct CollageFrame {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    /// The whole square.
    static let whole = CollageFrame(.init(x: 0, y: 0, width: 1, height: 1), spacing: 0)

    /// Where a cell lies: gaps and the border are as wide as the spacing (Documentation/Interface.md, "Collages").
    init(_ cell: CollageLayout.Cell, spacing: Int) {
        let (spacing, room) = (Double(spacing), 400 - Double(spacing))
        x = spacing + cell.x * room
        y = spacing + cell.y * room
        width = cell.width * room - spacing
        height = cell.height * room - spacing
    }

    private init(x: Double, y: Double, width: Double, height: Double) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
    }

    var middle: (x: Double, y: Double) { (x + width / 2, y + height / 2) }

    /// Where a photo lies that fills the rectangle, most of it perhaps outside.
    func place(of photo: Photo, _ view: CollageView) -> CollageFrame {
        let (across, down) = (Double(max(1, photo.width)), Double(max(1, photo.height)))
        let scale = max(width / across, height / down) * view.zoom
        let (whole, tall) = (across * scale, down * scale)
        return CollageFrame(
            x: x - view.x * (whole - width), y: y - view.y * (tall - height), width: whole, height: tall)
    }
}

extension Double {
    /// With up to three decimals, as SVG takes numbers.
    fileprivate var plain: String {
        let thousandths = (self * 1000).rounded() / 1000
        return thousandths == thousandths.rounded(.towardZero) && abs(thousandths) < 1e15
            ? String(Int(thousandths)) : String(thousandths)
    }
}

/// Collages as cards in conversations.
struct CollageCards: Sendable {
    let collages: CollageService
    let components: CollageComponents

    /// Reads some collages inside a transaction, and returns the inside of a card for each, whether the viewer takes part
    /// or not.
    func read(
        _ ids: [String], for viewer: Account, _ transaction: Transaction
    ) throws -> [String: Drawing] {
        let wanted = Set(ids.compactMap { Collage.ID($0) })
        let found = try CollageService.collages(wanted, for: viewer, transaction)
        return Dictionary(
            uniqueKeysWithValues: wanted.map { id in
                let collage = found[id]
                return (
                    id.description,
                    { collage.map(components.card) ?? p { "This collage is no longer available." } }
                )
            })
    }
}
