import Foundation

/// A place on the earth in WGS 84.
package struct Coordinate: Sendable, Hashable {
    /// The latitude in degrees, north positive, −90 to 90.
    package let latitude: Double
    /// The longitude in degrees, east positive, −180 to 180.
    package let longitude: Double

    /// The mean radius of the earth in metres (IUGG).
    static let earthRadius = 6_371_008.8

    /// Creates a place. Returns nil for numbers that aren't on the earth.
    package init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The place to about 100 m (a thousandth of a degree), which is what other people may see.
    package var rounded: Coordinate {
        func rounded(_ degrees: Double) -> Double { (degrees * 1000).rounded() / 1000 }
        return Coordinate(latitude: rounded(latitude), longitude: rounded(longitude)) ?? self
    }

    /// Returns the metres to another place along the surface (haversine formula, R. W. Sinnott, "Virtues of the
    /// Haversine", 1984).
    package func distance(to other: Coordinate) -> Double {
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let upwards = sin(radians(other.latitude - latitude) / 2)
        let sideways = sin(radians(other.longitude - longitude) / 2)
        let half =
            upwards * upwards
            + cos(radians(latitude)) * cos(radians(other.latitude)) * sideways * sideways
        return 2 * Self.earthRadius * asin(min(1, half.squareRoot()))
    }
}

/// A grid over the earth with cells of a tenth of a degree, so that a database finds places by an indexed number.
package enum PlaceGrid {
    private static let rows = 1_800
    private static let columns = 3_600

    /// Returns the number of the cell that contains a place.
    package static func cell(of place: Coordinate) -> Int {
        row(place.latitude) * columns + column(place.longitude)
    }

    /// Returns the cells that a circle may touch, as ranges of numbers: one or two for each row of the grid. Across the
    /// date line a row has two ranges, and around a pole the whole row is one.
    ///
    /// - Parameter radius: the radius in metres.
    package static func cells(around centre: Coordinate, radius: Double) -> [ClosedRange<Int>] {
        let angle = min(.pi, max(0, radius) / Coordinate.earthRadius) * 180 / .pi
        // Slightly more than the circle: rounding must not leave out a cell.
        let reach = angle + 0.001
        let (south, north) = (centre.latitude - reach, centre.latitude + reach)
        let rows = row(south)...row(north)
        guard let width = halfWidth(centre.latitude, reach), width < 180, south > -90, north < 90 else {
            return rows.map { $0 * columns...($0 * columns + columns - 1) }
        }
        let (west, east) = (centre.longitude - width, centre.longitude + width)
        return rows.flatMap { row in
            spans(west, east).map { row * columns + $0.lowerBound...row * columns + $0.upperBound }
        }
    }

    /// Returns half the width of a circle's bounding box in degrees of longitude; nil when the circle contains a pole.
    private static func halfWidth(_ latitude: Double, _ angle: Double) -> Double? {
        let ratio = sin(angle * .pi / 180) / cos(latitude * .pi / 180)
        guard ratio.isFinite, abs(ratio) < 1 else { return nil }
        return asin(ratio) * 180 / .pi
    }

    private static func spans(_ west: Double, _ east: Double) -> [ClosedRange<Int>] {
        if west < -180 { return [0...column(east), column(west + 360)...(columns - 1)] }
        if east > 180 { return [column(west)...(columns - 1), 0...column(east - 360)] }
        return [column(west)...column(east)]
    }

    private static func row(_ latitude: Double) -> Int {
        min(rows - 1, max(0, Int(((latitude + 90) * 10).rounded(.down))))
    }

    private static func column(_ longitude: Double) -> Int {
        min(columns - 1, max(0, Int(((longitude + 180) * 10).rounded(.down))))
    }
}
