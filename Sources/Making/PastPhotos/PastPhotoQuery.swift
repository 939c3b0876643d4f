import Core
import Foundation
import People
import Serving

/// The parameters of a search: a circle, years and sources.
package struct PastPhotoQuery: Sendable, Hashable {
    /// The middle of the circle.
    let place: Coordinate
    /// The circle's radius in metres.
    let radius: Int
    /// The first and last year.
    let years: ClosedRange<Int>
    /// The names of the sources that are asked, in the order of the server's sources.
    let sources: [String]

    /// The first year that can be searched.
    static let firstYear = 1_825
    static let radii = 0.1...30.0
    /// The most photos that are read from one source.
    static let mostCandidates = 1_000
    /// The most photos of a search that are kept.
    static let mostPhotos = 60

    /// The radius in kilometres.
    var radiusKilometres: Double { Double(radius) / 1000 }

    init(place: Coordinate, radius: Int, years: ClosedRange<Int>, sources: [String]) {
        self.place = place
        self.radius = radius
        self.years = years
        self.sources = sources
    }

    /// Reads the parameters `latitude`, `longitude`, `radius_km` (default 1), `from_year`, `to_year` (default all
    /// years) and `source` (a list with commas; default all).
    ///
    /// - Parameters:
    ///   - sources: the names of the server's sources.
    ///   - thisYear: the last year that photos can be of.
    /// - Throws: ``Refusal`` (422) with every wrong field.
    init(_ input: Input, sources: [String], thisYear: Int) throws {
        var problems = Problems()
        let latitude = Self.degrees("latitude", 90, input, &problems)
        let longitude = Self.degrees("longitude", 180, input, &problems)
        let radius = Self.number("radius_km", input, or: 1, &problems)
        if let radius, !Self.radii.contains(radius) {
            problems.add("radius_km", "ERR_INVALID", "Choose a radius from 0.1 to 30 km.")
        }
        let range = Self.firstYear...max(Self.firstYear, thisYear)
        let from = Self.year("from_year", input, or: range.lowerBound, range, &problems)
        let to = Self.year("to_year", input, or: range.upperBound, range, &problems)
        if let from, let to, from > to {
            problems.add("to_year", "ERR_INVALID", "The last year can’t be before the first.")
        }
        let wanted = Self.sources(input, known: sources, &problems)
        try problems.throwIfAny()
        guard let place = Coordinate(latitude: latitude ?? .nan, longitude: longitude ?? .nan), let radius,
            let from, let to
        else { throw Refusal.malformed("The place can’t be read.") }
        self.init(
            place: place, radius: Int((radius * 1000).rounded()), years: from...to, sources: wanted)
    }

    private static func number(
        _ name: String, _ input: Input, or fallback: Double?, _ problems: inout Problems
    ) -> Double? {
        let text = input.text(name)
        guard !text.isEmpty else { return fallback }
        guard let number = Double(text), number.isFinite else {
            problems.add(name, "ERR_INVALID", "Send a number.")
            return nil
        }
        return number
    }

    private static func degrees(
        _ name: String, _ most: Double, _ input: Input, _ problems: inout Problems
    ) -> Double? {
        guard !input.text(name).isEmpty else {
            problems.add(name, "ERR_BLANK", "Choose a place on the map first.")
            return nil
        }
        guard let number = number(name, input, or: nil, &problems) else { return nil }
        guard (-most...most).contains(number) else {
            problems.add(
                name, "ERR_INVALID", "A \(name) is between −\(Int(most)) and \(Int(most)) degrees.")
            return nil
        }
        // Six decimals are accurate to a tenth of a metre.
        return (number * 1_000_000).rounded() / 1_000_000
    }

    private static func year(
        _ name: String, _ input: Input, or fallback: Int, _ range: ClosedRange<Int>,
        _ problems: inout Problems
    ) -> Int? {
        let text = input.text(name)
        guard !text.isEmpty else { return fallback }
        guard let year = Int(text), range.contains(year) else {
            problems.add(
                name, "ERR_INVALID",
                "Choose a year from \(String(range.lowerBound)) to \(String(range.upperBound)).")
            return nil
        }
        return year
    }

    private static func sources(
        _ input: Input, known: [String], _ problems: inout Problems
    ) -> [String] {
        let wanted = input.list("source").flatMap { $0.split(separator: ",") }.map { $0.trimmed }
            .filter { !$0.isEmpty }
        guard !wanted.isEmpty else { return known }
        guard wanted.allSatisfy(known.contains) else {
            problems.add(
                "source", "ERR_INVALID",
                "This server can ask these sources: \(known.joined(separator: ", ")).")
            return []
        }
        return known.filter(wanted.contains)
    }
}
