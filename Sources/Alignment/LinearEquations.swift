/// Returns the solution of as many linear equations as unknowns, or nil if there isn't exactly one, by
/// Gaussian elimination with the largest pivot of each column.
///
/// - Parameter matrix: the coefficients, row by row.
func solution(of matrix: [Double], _ right: [Double]) -> [Double]? {
    let count = right.count
    var (matrix, right) = (matrix, right)
    let largest = matrix.reduce(0) { max($0, abs($1)) }
    guard matrix.count == count * count, largest.isFinite, largest > 0 else { return nil }
    for column in 0..<count {
        guard
            let pivot = (column..<count).max(by: {
                abs(matrix[$0 * count + column]) < abs(matrix[$1 * count + column])
            }),
            abs(matrix[pivot * count + column]) > 1e-13 * largest
        else { return nil }
        if pivot != column {
            for other in 0..<count { matrix.swapAt(pivot * count + other, column * count + other) }
            right.swapAt(pivot, column)
        }
        for row in column + 1..<max(count, column + 1) {
            let factor = matrix[row * count + column] / matrix[column * count + column]
            guard factor != 0 else { continue }
            for other in column..<count {
                matrix[row * count + other] -= factor * matrix[column * count + other]
            }
            right[row] -= factor * right[column]
        }
    }
    for row in (0..<count).reversed() {
        for other in row + 1..<max(count, row + 1) {
            right[row] -= matrix[row * count + other] * right[other]
        }
        right[row] /= matrix[row * count + row]
    }
    return right.allSatisfy(\.isFinite) ? right : nil
}
