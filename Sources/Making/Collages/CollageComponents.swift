import Core
import HTML
import Imaging
import People
import Storage

/// The parts of collages that several pages draw: as SVG, from the same numbers from which the server renders them.
struct CollageComponents: Sendable {
    let frame: Frame

    /// The side of the square in whose pixels spacing and corners are measured.
    private static let side = 400.0

    // MARK: The square

    /// Draws a collage with its photos.
    ///
    /// - Parameters:
    ///   - label: the square's accessible name.
    ///   - id: a prefix for the ids of this square's clips, unique on the page.
    ///   - links: whether each cell leads to its own page.
    func square(_ collage: Collage, label: String, id: String = "window", links: Bool) -> Node {
        let cells = zip(collage.cells, collage.style.layout.cells).enumerated().map { index, cell in
            DrawnCell(
                cell.0, at: index, of: collage,
                frame: CollageFrame(cell.1, spacing: collage.style.spacing))
        }
        return svg(
            "collage-square", .attribute("data-square", links ? "" : nil), .role("group"), .label(label),
            .describedBy(links ? "collage-keys" : nil)
        ) {
            rect("ground", CollageFrame.whole, .attribute("fill", collage.style.background))
            element("defs") { for cell in cells { clip(cell, id) } }
            element("g", .class("windows")) { for cell in cells { window(cell, id) } }
            for cell in cells {
                if links { link(cell, in: collage.id) } else if !cell.isFilled { plus(cell) }
            }
        }
    }

    /// Draws the templates from which scripts draw photos, and the additional cells of a layout.
    @NodeBuilder func templates(for collage: Collage) -> Node {
        template("cell") {
            element("svg") {
                clip(DrawnCell(), "window")
                window(DrawnCell(), "window")
                link(DrawnCell(), in: collage.id)
            }
        }
        template("photo") { element("svg") { image(PhotoPaths.picture(template: "{id}", .large), nil) } }
    }

    /// A cell for drawing. On the page, it has the values of a collage's cell; in the template from which scripts draw
    /// other cells (`collages/drawn-cell.js`), it has names in braces.
    private struct DrawnCell {
        let index: String
        /// The cell's rectangle; nil in a template.
        let frame: CollageFrame?
        let corner: String?
        let photo: (path: String, frame: CollageFrame)?
        /// The words of an empty cell: who is to fill it, or that its photo was deleted.
        let words: String
        let name: String?

        var isFilled: Bool { photo != nil }

        init(_ cell: CollageCell, at index: Int, of collage: Collage, frame: CollageFrame) {
            self.index = String(index)
            self.frame = frame
            corner = String(collage.style.cornerRadius)
            photo = cell.photo.map { (Photo.path($0.id, .large), frame.place(of: $0, cell.view)) }
            words = cell.isMissing ? "Photo deleted" : cell.assignee?.displayName ?? ""
            name = CollageComponents.name(index, cell, of: collage.style.layout.cells.count)
        }

        /// Creates the template.
        init() {
            index = "{index}"
            (frame, corner, photo, words, name) = (nil, nil, nil, "", nil)
        }
    }

    private func clip(_ cell: DrawnCell, _ id: String) -> Node {
        element("clipPath", .id("\(id)-\(cell.index)")) {
            rect(nil, cell.frame, .attribute("rx", cell.corner))
        }
    }

    /// Draws the part of the photo that the cell shows.
    private func window(_ cell: DrawnCell, _ id: String) -> Node {
        element("g", .class("window"), .attribute("clip-path", "url(#\(id)-\(cell.index))")) {
            rect("hole", cell.frame, .attribute("rx", cell.corner))
            if let photo = cell.photo { image(photo.path, photo.frame) }
        }
    }

    /// Draws the link over a cell, which leads to the cell's own page.
    private func link(_ cell: DrawnCell, in collage: Collage.ID) -> Node {
        a(
            .class("cell"), .attribute("data-index", cell.index),
            .href("\(CollageService.path(collage))/cells/\(cell.index)"),
            .attribute("aria-label", cell.name), .flag("data-filled", cell.isFilled)
        ) {
            rect("face", cell.frame, .attribute("rx", cell.corner))
            plus(cell)
            rect("mark", cell.frame, .attribute("rx", cell.corner))
        }
    }

    /// Draws an empty cell: a plus, and the cell's words.
    private func plus(_ cell: DrawnCell) -> Node {
        element(
            "g", .class("plus"),
            .attribute(
                "transform", cell.frame.map { "translate(\($0.middle.x.plain) \($0.middle.y.plain))" }),
            .hidden(cell.isFilled)
        ) {
            element("path", .attribute("d", "M-12 0H12M0-12V12")) { Node.empty }
            element("text", .attribute("y", "34")) { cell.words }
        }
    }

    /// Returns the accessible name of a cell: its number and its contents.
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

    private func image(_ path: String, _ frame: CollageFrame?) -> Node {
        element(
            "image", .href(path), .attribute("x", frame?.x.plain), .attribute("y", frame?.y.plain),
            .attribute("width", frame?.width.plain), .attribute("height", frame?.height.plain),
            .attribute("preserveAspectRatio", "none")
        ) { Node.empty }
    }

    /// Draws a layout as a small symbol.
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

    private func rect(_ name: String?, _ frame: CollageFrame?, _ attributes: Attribute...) -> Node {
        element(
            "rect",
            [
                .attribute("class", name), .attribute("x", frame?.x.plain),
                .attribute("y", frame?.y.plain), .attribute("width", frame?.width.plain),
                .attribute("height", frame?.height.plain),
            ] + attributes
        ) { Node.empty }
    }

    // MARK: Elsewhere

    /// Draws a collage as a card in a chat: the cells as they are being filled, or the finished picture.
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

    /// Returns in a few words what is left to do in a collage.
    static func progress(of collage: Collage) -> String {
        if collage.isFinished { return "Finished collage" }
        let (empty, count) = (collage.emptyCells.count, collage.shownCells.count)
        if empty == 0 { return "All cells are filled" }
        return empty == count
            ? "\(count) cells to fill" : "\(count - empty) of \(count) cells filled"
    }
}

/// A rectangle in a square of 400, such as that of a cell with the spacing around it.
struct CollageFrame {
    let x: Double
    let y: Double
    let width: Double
    let height: Double

    /// The whole square.
    static let whole = CollageFrame(.init(x: 0, y: 0, width: 1, height: 1), spacing: 0)

    /// Computes the rectangle of a cell. The gaps and the border are as wide as the spacing
    /// (Documentation/Interface.md, "Collages").
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

    /// Returns the rectangle of a photo that fills this rectangle; most of the photo may be outside.
    func place(of photo: Photo, _ view: CollageView) -> CollageFrame {
        let (across, down) = (Double(max(1, photo.width)), Double(max(1, photo.height)))
        let scale = max(width / across, height / down) * view.zoom
        let (whole, tall) = (across * scale, down * scale)
        return CollageFrame(
            x: x - view.x * (whole - width), y: y - view.y * (tall - height), width: whole, height: tall)
    }
}

extension Double {
    /// The number with up to three decimals, for SVG.
    fileprivate var plain: String {
        let thousandths = (self * 1000).rounded() / 1000
        return thousandths == thousandths.rounded(.towardZero) && abs(thousandths) < 1e15
            ? String(Int(thousandths)) : String(thousandths)
    }
}

/// The cards of collages in chats.
struct CollageCards: Sendable {
    let collages: CollageService
    let components: CollageComponents

    /// Reads some collages inside a transaction, and returns the inside of a card for each, whether the viewer takes part
    /// or not.
    func read(
        _ ids: [String], for viewer: Account, _ transaction: Transaction
    ) throws -> [String: Drawing] {
        let wanted = Set(ids.compactMap { Collage.ID($0) })
        let found = try CollageRecords(transaction).collages(wanted, for: viewer)
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
