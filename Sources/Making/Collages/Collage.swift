import Core
import Feeds
import Foundation
import Imaging
import People
import Serving

/// A collage: photos in the cells of a square, filled by one person or together with friends.
///
/// It is a recipe as long as it exists, and a picture once it has been rendered (``photo``).
package struct Collage: Sendable {
    /// The collage's identifier.
    package typealias ID = Core.ID<Collage>

    package let id: ID
    let owner: Account
    /// The people who fill the collage together with the owner; empty for a collage of one person.
    var people: [Account]
    /// The groups by which some of these take part, and leave the collage with the group.
    var groups: Set<Chat.ID>
    /// The chat in which the collage was started, of two or of a group.
    var chat: Chat.ID?
    /// The collage made together of which this collage is a copy.
    var copiedFrom: Collage.ID?
    var style: CollageStyle
    /// A number that grows with each change.
    var revision: Int
    /// The revision that ``photo`` shows; 0 when the collage was never rendered.
    var renderedRevision: Int
    /// The rendered picture in the viewer's library.
    var photo: Photo?
    /// Whether the collage was made together and is finished.
    var isFinished: Bool
    /// The nine cells: those of the layout, followed by photos that wait for a layout with more cells.
    var cells: [CollageCell]

    /// Whether several people fill the collage.
    var isShared: Bool { !people.isEmpty || chat != nil }

    /// The cells that the layout shows.
    var shownCells: ArraySlice<CollageCell> { cells.prefix(style.layout.cells.count) }

    /// The photos of all cells, in their order.
    var photos: [Photo.ID?] { cells.map { $0.photo?.id } }

    /// The ids of the photos in private feeds, with nil for one that is new.
    var exchanges: Set<Int64?> { Set(cells.filter { $0.photo != nil }.map(\.exchange)) }

    /// The number of photos that wait for a layout with more cells.
    var spareCount: Int { cells.dropFirst(style.layout.cells.count).count { $0.photo != nil } }

    /// The indices of the cells that the layout shows without a photo.
    var emptyCells: [Int] { shownCells.indices.filter { cells[$0].photo == nil } }

    /// Whether the rendered picture shows the collage as it is. A finished collage keeps its picture, even if somebody
    /// leaves.
    var isRendered: Bool { photo != nil && (isFinished || renderedRevision == revision) }

    /// Returns whether a cell's photo is lent to the owner: another person gave it for the collage of which this one is
    /// a copy.
    func isLent(_ cell: CollageCell) -> Bool {
        cell.photo != nil && !isShared && cell.giver.map { $0.id != owner.id } == true
    }

    /// Whether photos of other people are lent to the collage.
    var hasLentPhotos: Bool { cells.contains(where: isLent) }

    /// Returns whether an account takes part in the collage.
    func includes(_ account: Account.ID) -> Bool {
        owner.id == account || people.contains { $0.id == account }
    }
}

/// A cell of a collage.
struct CollageCell: Sendable, Equatable {
    /// The person who is to fill the cell; nil for anyone.
    var assignee: Account?
    /// The person who filled the cell. Without a photo, theirs was deleted since.
    var giver: Account?
    var photo: Photo?
    var view = CollageView()
    /// The id of the photo in private feeds, made when others could see it; nil before.
    var exchange: Int64?

    /// Whether the cell's photo was deleted.
    var isMissing: Bool { giver != nil && photo == nil }
}

/// The part of a photo that a cell shows.
package struct CollageView: Sendable, Hashable {
    /// The enlargement, 1 to 8; at 1 the photo just fills the cell.
    var zoom = 1.0
    /// The horizontal position of the shown part, 0 (left) to 1 (right), in a photo that is wider than the cell.
    var x = 0.5
    /// The vertical position of the shown part, 0 (top) to 1 (bottom), in a photo that is taller than the cell.
    var y = 0.5

    static let zooms = CollageSpec.Cell.zooms

    init(zoom: Double = 1, x: Double = 0.5, y: Double = 0.5) {
        (self.zoom, self.x, self.y) = (zoom, x, y)
    }

    /// The part of a photo that a cell begins with: all that fits, around the photo's focus.
    init(of photo: Photo, in index: Int, of style: CollageStyle) {
        self.init()
        guard photo.focus != .middle, style.layout.cells.indices.contains(index) else { return }
        let frame = CollageFrame(style.layout.cells[index], spacing: style.spacing)
        (x, y) = photo.focus.placeOfCut(
            ofWidth: photo.width, height: photo.height, to: (frame.width, frame.height))
    }

    /// Adds the numbers that are out of range to the problems, and rounds all to a ten-thousandth. NaN is out of range.
    mutating func check(_ field: String = "", into problems: inout Problems) {
        if !Self.zooms.contains(zoom) {
            problems.add(field + "zoom", "ERR_INVALID", "A photo can be enlarged 1 to 8 times.")
        }
        for (name, value) in [("x", x), ("y", y)] where !(0.0...1.0).contains(value) {
            problems.add(field + name, "ERR_INVALID", "A photo’s place in its cell is between 0 and 1.")
        }
        (zoom, x, y) = (Self.rounded(zoom), Self.rounded(x), Self.rounded(y))
    }

    private static func rounded(_ value: Double) -> Double {
        value.isFinite && abs(value) < 1000 ? (value * 10_000).rounded() / 10_000 : value
    }
}

/// The look of a collage, apart from its photos.
struct CollageStyle: Sendable, Hashable {
    var layout = CollageLayout.twoAboveOne
    /// The background colour, `#rrggbb`.
    var background = "#ffffff"
    /// The space between the cells and around them, in pixels of a square of 400.
    var spacing = 10
    /// The radius of each cell's corners, in pixels of a square of 400.
    var cornerRadius = 0

    /// The range of ``spacing`` and of ``cornerRadius``.
    static let lengths = CollageSpec.spacings
}

/// A requested change of a style. What is nil stays as it is.
package struct CollageStyleChange: Sendable {
    package var layout: String?
    package var background: String?
    package var spacing: String?
    package var cornerRadius: String?

    package init(
        layout: String? = nil, background: String? = nil, spacing: String? = nil, cornerRadius: String? = nil
    ) {
        self.layout = layout
        self.background = background
        self.spacing = spacing
        self.cornerRadius = cornerRadius
    }

    /// Whether the change is empty.
    var isEmpty: Bool { layout == nil && background == nil && spacing == nil && cornerRadius == nil }

    /// Returns a style with the change.
    ///
    /// - Throws: ``Refusal`` (422) with every wrong field.
    func applied(to style: CollageStyle) throws -> CollageStyle {
        var (style, problems) = (style, Problems())
        if let layout {
            if let known = CollageLayout(id: layout) {
                style.layout = known
            } else {
                problems.add("layout_id", "ERR_INVALID", "There is no layout “\(layout.prefix(40))”.")
            }
        }
        if let background {
            if CollageSpec.Colour(hex: background) != nil {
                style.background = background.lowercased()
            } else {
                problems.add("background", "ERR_INVALID", "Write the colour as #rrggbb, such as #1d5fd1.")
            }
        }
        for (name, text, field) in [
            ("spacing", spacing, \CollageStyle.spacing),
            ("corner_radius", cornerRadius, \CollageStyle.cornerRadius),
        ] {
            guard let text else { continue }
            if let length = Int(text), CollageStyle.lengths.contains(length) {
                style[keyPath: field] = length
            } else {
                problems.add(name, "ERR_INVALID", "Choose a whole number from 0 to 40.")
            }
        }
        try problems.throwIfAny()
        return style
    }
}

extension [CollageCell] {
    /// Returns the cells for a layout of `count` cells. Photos keep their order, and photos that wait outside the
    /// layout return where there is room.
    ///
    /// As long as a photo is outside the layout and a cell inside is empty, the last empty cell inside is moved to the
    /// end.
    func arranged(for count: Int) -> [CollageCell] {
        var cells = self
        while cells.dropFirst(count).contains(where: { $0.photo != nil }),
            let hole = cells.prefix(count).lastIndex(where: { $0.photo == nil && $0.assignee == nil })
        {
            cells.append(cells.remove(at: hole))
        }
        return cells
    }
}

/// The size and format of a collage's picture.
package struct CollageOutput: Sendable, Hashable {
    /// The length of the side in pixels.
    var size = 2048
    var format = CollageSpec.Format.jpeg

    init() {}

    /// Creates an output from the values of a request.
    ///
    /// - Throws: ``Refusal`` (422) for a size or format that there isn't.
    init(size: String?, format: String?) throws {
        var problems = Problems()
        if let size {
            if let pixels = Int(size), CollageSpec.sides.contains(pixels) {
                self.size = pixels
            } else {
                problems.add("size", "ERR_INVALID", "The size is 512 to 4096 pixels.")
            }
        }
        if let format {
            if let known = CollageSpec.Format(rawValue: format) {
                self.format = known
            } else {
                problems.add("format", "ERR_INVALID", "The format is jpeg, png or webp.")
            }
        }
        try problems.throwIfAny()
    }
}
