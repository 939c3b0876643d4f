import Foundation
import Testing

@testable import People

@Suite("Places on the earth")
struct CoordinateTests {
    private static func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: latitude, longitude: longitude))
    }

    @Test("Distances are right, across the date line and at the poles too")
    func distances() throws {
        let degree = Coordinate.earthRadius * .pi / 180
        let cases: [((Double, Double), (Double, Double), Double)] = [
            ((0.0, 0.0), (0.0, 1.0), degree), ((0, 0), (1, 0), degree), ((0, 179.5), (0, -179.5), degree),
            ((89.5, 0), (89.5, 180), degree), ((90, 0), (90, 120), 0), ((-90, 5), (-89, -70), degree),
            ((0, -180), (0, 180), 0), ((0, 0), (0, 180), degree * 180),
            ((52.52, 13.405), (48.8566, 2.3522), 877_464),
        ]
        for (one, other, metres) in cases {
            let distance = try Self.place(one.0, one.1).distance(to: Self.place(other.0, other.1))
            #expect(abs(distance - metres) <= max(1, metres * 0.001), "\(one) \(other): \(distance)")
        }
    }

    @Test("Nothing outside of the earth is a place")
    func range() {
        let cases: [(Double, Double)] = [
            (90.1, 0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .infinity),
        ]
        for (latitude, longitude) in cases {
            #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
        }
    }

    @Test("Others learn of a place to about a hundred metres")
    func rounded() throws {
        let place = try Self.place(48.858367, 2.2945)
        #expect(place.rounded == (try Self.place(48.858, 2.295)))
        #expect(place.distance(to: place.rounded) < 100)
        #expect(try Self.place(90, -180).rounded == Self.place(90, -180))
    }

    @Test("The cells around a place hold every place within the radius, everywhere on earth")
    func cells() throws {
        var generator = SystemRandomNumberGenerator()
        for latitude: Double in [-90, -89.95, -60, -0.05, 0, 33.3, 71.2, 89.7, 90] {
            for longitude: Double in [-180, -179.99, -0.01, 0, 77.7, 179.95, 180] {
                let centre = try Self.place(latitude, longitude)
                for radius: Double in [100, 5_000, 30_000] {
                    let cells = PlaceGrid.cells(around: centre, radius: radius)
                    #expect(cells.count <= 20, "\(cells.count) ranges")
                    for _ in 1...100 {
                        let angle = Double.random(in: 0...(2 * .pi), using: &generator)
                        let place = centre.moved(by: radius * .random(in: 0...1), towards: angle)
                        let cell = PlaceGrid.cell(of: place)
                        #expect(
                            cells.contains { $0.contains(cell) }, "\(place) is missed around \(centre)")
                    }
                }
            }
        }
    }

    @Test("A place far away is in none of the cells")
    func outside() throws {
        let cells = PlaceGrid.cells(around: try Self.place(10, 10), radius: 5_000)
        let cases: [(Double, Double)] = [(10, 10.3), (10.3, 10), (-10, 10), (10, -170), (10, 9.7)]
        for (latitude, longitude) in cases {
            let cell = PlaceGrid.cell(of: try Self.place(latitude, longitude))
            #expect(!cells.contains { $0.contains(cell) })
        }
    }
}

extension Coordinate {
    /// The place some metres away (great circle; Ed Williams, "Aviation Formulary", "Lat/lon given radial and distance").
    fileprivate func moved(by metres: Double, towards angle: Double) -> Coordinate {
        let (arc, radians) = (metres / Self.earthRadius, Double.pi / 180)
        let (latitude, longitude) = (latitude * radians, longitude * radians)
        let newLatitude = asin(
            min(1, max(-1, sin(latitude) * cos(arc) + cos(latitude) * sin(arc) * cos(angle))))
        let turn = atan2(
            sin(angle) * sin(arc) * cos(latitude), cos(arc) - sin(latitude) * sin(newLatitude))
        let wrapped = (longitude + turn + 3 * .pi).truncatingRemainder(dividingBy: 2 * .pi) - .pi
        return Coordinate(
            latitude: min(90, max(-90, newLatitude / radians)),
            longitude: min(180, max(-180, wrapped / radians))) ?? self
    }
}
