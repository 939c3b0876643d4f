import Imaging

/// A way to divide a square among photos: cells in the unit square, which they cover without gap or overlap.
///
/// Browsers draw from these numbers, and `Imaging` renders from them.
struct CollageLayout: Sendable, Hashable {
    /// A rectangle in the unit square.
    typealias Cell = CollageSpec.Frame

    /// The layout's name in the database and the JSON interface.
    let id: String
    /// The layout's name on screens.
    let name: String
    /// The cells, from left to right and from top to bottom.
    let cells: [Cell]

    /// All layouts, in the order in which people choose from them.
    static let all = [
        CollageLayout("one-above-two", "One above two", rows: 1, 2),
        twoAboveOne,
        CollageLayout("two-by-two", "Two by two", rows: 2, 2),
        CollageLayout(
            "one-beside-three", "One beside three",
            [
                Cell(x: 0, y: 0, width: 2.0 / 3, height: 1),
                Cell(x: 2.0 / 3, y: 0, width: 1.0 / 3, height: 1.0 / 3),
                Cell(x: 2.0 / 3, y: 1.0 / 3, width: 1.0 / 3, height: 1.0 / 3),
                Cell(x: 2.0 / 3, y: 2.0 / 3, width: 1.0 / 3, height: 1.0 / 3),
            ]),
        CollageLayout("side-by-side", "Side by side", columns: 1, 1),
        CollageLayout("stacked", "Stacked", rows: 1, 1),
        CollageLayout("one-beside-two", "One beside two", columns: 1, 2),
        CollageLayout("two-beside-one", "Two beside one", columns: 2, 1),
        CollageLayout("three-columns", "Three columns", columns: 1, 1, 1),
        CollageLayout("one-above-three", "One above three", rows: 1, 3),
        CollageLayout("two-above-three", "Two above three", rows: 2, 3),
        CollageLayout(
            "around-the-middle", "Around the middle",
            [
                Cell(x: 0, y: 0, width: 2.0 / 3, height: 1.0 / 3),
                Cell(x: 2.0 / 3, y: 0, width: 1.0 / 3, height: 2.0 / 3),
                Cell(x: 0, y: 1.0 / 3, width: 1.0 / 3, height: 2.0 / 3),
                Cell(x: 1.0 / 3, y: 1.0 / 3, width: 1.0 / 3, height: 1.0 / 3),
                Cell(x: 1.0 / 3, y: 2.0 / 3, width: 2.0 / 3, height: 1.0 / 3),
            ]),
        CollageLayout("two-by-three", "Two by three", rows: 3, 3),
        CollageLayout("two-three-two", "Two, three, two", rows: 2, 3, 2),
        CollageLayout("three-two-three", "Three, two, three", rows: 3, 2, 3),
        CollageLayout("three-by-three", "Three by three", rows: 3, 3, 3),
    ]

    /// The layout of a new collage.
    static let twoAboveOne = CollageLayout("two-above-one", "Two above one", rows: 2, 1)

    /// The most cells of a layout.
    static let mostCells = all.map(\.cells.count).max() ?? 0

    /// Finds a layout by its id; nil for an unknown one.
    init?(id: String) {
        guard let layout = Self.all.first(where: { $0.id == id }) else { return nil }
        self = layout
    }

    /// Returns the layout with the fewest cells that has room for `count` photos; for two to nine photos, the first
    /// such layout.
    static func holding(_ count: Int) -> CollageLayout {
        if count == twoAboveOne.cells.count { return twoAboveOne }
        let fitting = all.filter { $0.cells.count >= count }
        return fitting.min { $0.cells.count < $1.cells.count } ?? twoAboveOne
    }

    private init(_ id: String, _ name: String, _ cells: [Cell]) {
        (self.id, self.name, self.cells) = (id, name, cells)
    }

    /// Creates a layout of rows of the same height, each divided into a number of cells.
    private init(_ id: String, _ name: String, rows counts: Int...) {
        self.init(
            id, name,
            Self.bands(counts).map { Cell(x: $0.within, y: $0.band, width: $0.width, height: $0.depth) })
    }

    /// Creates a layout of columns of the same width, each divided into a number of cells.
    private init(_ id: String, _ name: String, columns counts: Int...) {
        self.init(
            id, name,
            Self.bands(counts).map { Cell(x: $0.band, y: $0.within, width: $0.depth, height: $0.width) })
    }

    private static func bands(
        _ counts: [Int]
    ) -> [(band: Double, within: Double, depth: Double, width: Double)] {
        let depth = 1 / Double(counts.count)
        return counts.enumerated().flatMap { band, count in
            (0..<count).map { place in
                (
                    band: Double(band) / Double(counts.count), within: Double(place) / Double(count),
                    depth: depth, width: 1 / Double(count)
                )
            }
        }
    }
}
