/// The small movement on which most blocks agree.
///
/// Least squares with weights that fall off for blocks that disagree with the others (S. Geman and D.
/// McClure, *Statistical Methods for Tomographic Image Reconstruction*, 1987), in three rounds.
struct Consensus {
    /// The movement, from where a block of the now picture is to where it should be, in pixels of the level.
    let change: Homography
    /// Creates the consensus of votes on pictures of the given sides, or returns nil if hardly any block
    /// remains.
    init?(of votes: [Refinement.Vote], width: Double, height: Double, isAffine: Bool) {
        guard votes.count >= 6 else { return nil }
        let half = max(width, height) / 2
        let places = votes.map { SIMD2(($0.x - width / 2) / half, ($0.y - height / 2) / half) }
        // In the first round, blocks that seem to be off by several pixels count little: their slope doesn't
        // reach so far.
        var weights = votes.map { 1 / (1 + ($0.across * $0.across + $0.down * $0.down) / 4) }
        var found: [Double] = []
        for round in 0..<3 {
            var equations = Equations(unknowns: isAffine ? 6 : 8)
            for (index, vote) in votes.enumerated() where weights[index] > 1e-6 {
                equations.add(vote, at: places[index], weight: weights[index])
            }
            guard let solved = equations.solved() else { return nil }
            found = solved
            guard round < 2 else { break }
            // The squared distance of each vote from the common movement, in its own standard deviations.
            let rests = zip(votes, places).map { vote, place in
                let common = Self.movement(found, at: place)
                let (across, down) = (vote.across - common.x, vote.down - common.y)
                return vote.xx * across * across + 2 * vote.xy * across * down + vote.yy * down * down
            }
            let middle = max(rests.sorted()[rests.count / 2], 1e-9)
            weights = rests.map { rest in
                let ratio = 4 * middle / (4 * middle + rest)
                return ratio * ratio
            }
        }
        // The found terms are the first order of a homography in coordinates from −1 to 1.
        let bend = isAffine ? (0, 0) : (found[6] / half, found[7] / half)
        let terms: [Double] = [1 + found[0] / half, found[1] / half, found[2] / half]
        let others: [Double] = [found[3] / half, 1 + found[4] / half, found[5] / half]
        let to = Homography([1 / half, 0, -width / 2 / half, 0, 1 / half, -height / 2 / half, 0, 0, 1])
        let back = Homography([half, 0, width / 2, 0, half, height / 2, 0, 0, 1])
        guard let normalised = Homography(terms + others + [-bend.0, -bend.1, 1]), let to, let back,
            let change = to.followed(by: normalised)?.followed(by: back)
        else { return nil }
        self.change = change
    }

    /// Returns the movement of a place by the found terms.
    private static func movement(_ found: [Double], at place: SIMD2<Double>) -> SIMD2<Double> {
        let bend = found.count == 8 ? found[6] * place.x + found[7] * place.y : 0
        return [
            found[0] * place.x + found[1] * place.y + found[2] + bend * place.x,
            found[3] * place.x + found[4] * place.y + found[5] + bend * place.y,
        ]
    }
}

/// The normal equations of a movement with 6 (affine) or 8 terms.
private struct Equations {
    let unknowns: Int
    private var matrix: [Double]
    private var right: [Double]

    init(unknowns: Int) {
        self.unknowns = unknowns
        matrix = [Double](repeating: 0, count: unknowns * unknowns)
        right = [Double](repeating: 0, count: unknowns)
    }

    /// Returns how the movement across and down at a place depends on the terms.
    private static func rows(at place: SIMD2<Double>) -> (across: SIMD8<Double>, down: SIMD8<Double>) {
        let (x, y) = (place.x, place.y)
        return ([x, y, 1, 0, 0, 0, x * x, x * y], [0, 0, 0, x, y, 1, x * y, y * y])
    }

    mutating func add(_ vote: Refinement.Vote, at place: SIMD2<Double>, weight: Double) {
        let rows = Self.rows(at: place)
        let across = (rows.across * vote.xx + rows.down * vote.xy) * weight
        let down = (rows.across * vote.xy + rows.down * vote.yy) * weight
        let value = across * vote.across + down * vote.down
        for i in 0..<unknowns {
            let products = rows.across * across[i] + rows.down * down[i]
            for j in 0..<unknowns { matrix[i * unknowns + j] += products[j] }
            right[i] += value[i]
        }
    }

    /// Returns the terms, with a little more on the diagonal so that those that no block knows of stay zero.
    func solved() -> [Double]? {
        let trace = (0..<unknowns).reduce(0) { $0 + matrix[$1 * unknowns + $1] }
        var steadied = matrix
        for i in 0..<unknowns { steadied[i * unknowns + i] += 1e-7 * trace + 1e-9 }
        return solution(of: steadied, right)
    }
}
