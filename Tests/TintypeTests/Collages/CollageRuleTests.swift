import Imaging
import Testing

@testable import Core
@testable import Making
@testable import People

@Suite("Rules of collages")
struct CollageRuleTests {
    @Test("The cells of every layout tile the square without gap or overlap", arguments: CollageLayout.all)
    func tiling(layout: CollageLayout) {
        // On a grid that all edges lie on: halves, thirds and their products.
        let grid = 36
        var covered = [Int](repeating: 0, count: grid * grid)
        for cell in layout.cells {
            let edges = [cell.x, cell.y, cell.x + cell.width, cell.y + cell.height].map { $0 * Double(grid) }
            for edge in edges { #expect(abs(edge - edge.rounded()) < 1e-9, "an edge lies beside the grid") }
            let (left, top, right, bottom) = (
                Int(edges[0].rounded()), Int(edges[1].rounded()), Int(edges[2].rounded()),
                Int(edges[3].rounded())
            )
            for y in top..<bottom { for x in left..<right { covered[y * grid + x] += 1 } }
        }
        #expect(covered.allSatisfy { $0 == 1 })
    }

    @Test("The three layouts of the beginning come first, and at least nine more are for two to nine photos")
    func layouts() {
        #expect(
            CollageLayout.all.prefix(3).map(\.id) == ["one-above-two", "two-above-one", "two-by-two"])
        #expect(CollageLayout.all.count >= 12)
        #expect(Set(CollageLayout.all.map(\.id)).count == CollageLayout.all.count)
        #expect(Set(CollageLayout.all.map(\.cells.count)) == Set(2...9))
        #expect(CollageStyle().layout.id == "two-above-one")
        for count in 2...9 { #expect(CollageLayout.holding(count).cells.count == count) }
        for layout in CollageLayout.all {
            #expect(
                CollageSpec(spacing: 40, cells: layout.cells.map { .init(frame: $0) }) != nil,
                "\(layout.id) can't be rendered with the widest spacing")
        }
    }

    private static func photo(_ id: Int64) -> CollageCell {
        CollageCell(
            photo: Photo(
                id: ID(rawValue: id), owner: ID(rawValue: 1), kind: .upload, description: "", width: 1,
                height: 1, blurhash: "", colour: ""))
    }

    private static func cells(_ ids: [Int64]) -> [CollageCell] {
        (0..<9).map { ids.indices.contains($0) && ids[$0] > 0 ? photo(ids[$0]) : CollageCell() }
    }

    @Test(
        "A layout change keeps photos in order; those without room wait and come back",
        arguments: [
            ([1, 2, 3, 4], 3, [1, 2, 3, 4]), ([1, 2, 3, 4], 4, [1, 2, 3, 4]),
            // An empty cell gives way, the last one first.
            ([0, 2, 3, 4], 3, [2, 3, 4]), ([1, 0, 0, 4], 3, [1, 0, 4]), ([1, 0, 3], 2, [1, 3]),
            ([0, 0, 0, 0, 5, 6], 2, [5, 6]), ([1, 2], 9, [1, 2]), ([0, 2], 2, [0, 2]),
        ] as [([Int64], Int, [Int64])])
    func arranging(before: [Int64], count: Int, after: [Int64]) {
        let arranged = Self.cells(before).arranged(for: count)
        #expect(arranged.count == 9)
        let ids = arranged.map { $0.photo?.id.rawValue ?? 0 }
        #expect(ids == after + [Int64](repeating: 0, count: 9 - after.count))
    }

    @Test("A cell that is kept for somebody doesn't give way")
    func assigned() {
        var cells = Self.cells([1, 0, 3, 4])
        cells[1].assignee = Account(
            id: ID(rawValue: 7), username: "ben", displayName: "Ben", bio: "", portrait: nil, isAdmin: false,
            approvesFollowers: false, isSuspended: false, postsCount: 0, followersCount: 0, followingCount: 0)
        let arranged = cells.arranged(for: 3)
        #expect(arranged[1].assignee != nil && arranged[3].photo?.id.rawValue == 4)
    }
}
