import Core
import Feeds
import Foundation
import Imaging
import People
import Serving

/// A collage: photos in the cells of a square, alone or filled together with friends.
///
/// It is a recipe as long as it exists, and a picture once it has been rendered (``photo``).
package struct Collage: Sendable {
    /// The collage's identifier.
    package typealias ID = Core.ID<Collage>

    package let id: ID
    let owner: Account
    /// The people who fill it together with the owner; empty for a collage of one.
    var people: [Account]
    /// The chat in which it was started.
    var chat: Chat.ID?
    /// The collage made together of which this one is a copy.
    var copiedFrom: Collage.ID?
    var style: CollageStyle
    /// Grows with each change.
    var revision: Int
    /// The revision that ``photo`` shows; 0 when it was never rendered.
    var renderedRevision: Int
    /// The rendered picture in the viewer's library.
    var photo: Photo?
    /// Whether it was made together and is done.
    var isFinished: Bool
    /// Nine: those of the layout, and behind them photos that wait for a layout with more room.
    var cells: [CollageCell]

    /// Whether several people fill it.
    var isShared: Bool { !people.isEmpty || chat != nil }

    /// The cells that the layout shows.
    var shownCells: ArraySlice<CollageCell> { cells.prefix(style.layout.cells.count) }

    /// The photos of all cells, in their order.
    var photos: [Photo.ID?] { cells.map { $0.photo?.id } }

    /// How many photos wait for a layout with more room.
    var spareCount: Int { cells.dropFirst(style.layout.cells.count).count { $0.photo != nil } }

    /// The indices of the cells that the layout shows without a photo.
    var emptyCells: [Int] { shownCells.indices.filter { cells[$0].photo == nil } }

    /// Whether the rendered picture shows the collage as it is. The picture of a finished one stays the picture, even if
    /// somebody leaves.
    var isRendered: Bool { photo != nil && (isFinished || renderedRevision == revision) }

    /// Whether a cell's photo is lent to the owner: somebody else gave it for the collage of which this one is a copy.
    func isLent(_ cell: CollageCell) -> Bool {
        cell.photo != nil && !isShared && cell.giver.map { $0.id != owner.id } == true
    }

    /// Whether photos of others are lent to it.
    var hasLentPhotos: Bool { cells.contains(where: isLent) }

    /// Whether an account takes part.
    func includes(_ account: Account.ID) -> Bool {
        owner.id == account || people.contains { $0.id == account }
    }
}

/// A cell of a collage.
struct CollageCell: Sendable, Equatable {
    /// Who is to fill it; nil for anyone.
    var assignee: Account?
    /// Who filled it. With no photo, theirs was deleted since.
    var giver: Account?
    var photo: Photo?
    var view = CollageView()

    /// Whether the photo that was here has been deleted.
    var isMissing: Bool { giver != nil && photo == nil }
}

/// The part of a photo that a cell shows.
package struct CollageView: Sendable, Hashable {
    /// 1 to 8: at 1 the photo just fills the cell.
    var zoom = 1.0
    /// 0 to 1: which part is shown of what the cell can't hold; 0 the left, 1 the right.
    var x = 0.5
    /// 0 to 1: 0 the top, 1 the bottom.
    var y = 0.5

    static let zooms = CollageSpec.Cell.zooms

    /// Returns what is wrong with the numbers, which are then rounded to a ten-thousandth; NaN is never right.
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

/// How a collage looks, apart from its photos.
struct CollageStyle: Sendable, Hashable {
    var layout = CollageLayout.twoAboveOne
    /// `#rrggbb`
    var background = "#ffffff"
    /// Pixels of a square of 400 between the cells and around them.
    var spacing = 10
    /// Pixels of a square of 400, at the corners of each cell.
    var cornerRadius = 0

    /// The range of ``spacing`` and of ``cornerRadius``.
    static let lengths = CollageSpec.spacings
}

/// A change of a style, as a request asks for it: what is nil stays.
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

    /// Whether it changes nothing.
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
    /// Returns the cells for a layout of `count` cells: photos keep their order, and those that wait behind the layout
    /// come back where there is room.
    ///
    /// As long as a photo lies beyond the layout and a cell within it is empty, the last empty cell within gives way
    /// and goes to the end.
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

/// What a picture of a collage is to be.
package struct CollageOutput: Sendable, Hashable {
    /// Pixels of the side.
    var size = 2048
    var format = CollageSpec.Format.jpeg

    init() {}

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
