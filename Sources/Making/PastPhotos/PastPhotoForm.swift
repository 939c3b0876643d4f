import Core
import People
import Serving

/// The values of the form "Find Nearby", as text, so that wrong values are shown again, too.
struct PastPhotoForm {
    var latitude = ""
    var longitude = ""
    var fromYear = "1900"
    var toYear = "1980"
    var radius = "2.5"
    /// The problems, by the fields' names.
    var problems: [String: Refusal.Problem] = [:]
    /// The years to choose from.
    let years: ClosedRange<Int>

    /// The radii to choose from in kilometres: steps that look even on a slider.
    private static let radii = [
        0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30,
    ]
    /// The number of years by which "Search wider" extends each end of the years.
    private static let wideningYears = 20
    private static let wideningRadii = 6

    /// Creates the form with the values of the last search, or the first values.
    init(_ query: PastPhotoQuery?, thisYear: Int) {
        years = PastPhotoQuery.firstYear...max(PastPhotoQuery.firstYear, thisYear)
        guard let query else { return }
        latitude = String(query.place.latitude)
        longitude = String(query.place.longitude)
        fromYear = String(query.years.lowerBound)
        toYear = String(query.years.upperBound)
        radius = Self.text(query.radiusKilometres)
    }

    /// Reads the form that was sent.
    init(_ input: Input, _ problems: [String: Refusal.Problem], thisYear: Int) {
        self.init(nil, thisYear: thisYear)
        self.problems = problems
        latitude = input.text("latitude")
        longitude = input.text("longitude")
        fromYear = input.string("from_year") ?? fromYear
        toYear = input.string("to_year") ?? toYear
        radius = input.string("radius_km") ?? radius
    }

    /// Whether there is a position.
    var hasPosition: Bool { !latitude.isEmpty && !longitude.isEmpty }

    /// The radii to choose from in kilometres, with the one that was searched.
    var radii: [Double] {
        guard let chosen = Double(radius), PastPhotoQuery.radii.contains(chosen), !Self.radii.contains(chosen)
        else { return Self.radii }
        return (Self.radii + [chosen]).sorted()
    }

    /// Writes a number of kilometres as the form sends it: `2.5`, `10`.
    static func text(_ kilometres: Double) -> String {
        kilometres.rounded() == kilometres && abs(kilometres) < 1000
            ? String(Int(kilometres)) : String(kilometres)
    }

    /// Returns in words what can still be widened in a search: `the years or the radius`; empty when nothing can.
    static func widenable(_ query: PastPhotoQuery, thisYear: Int) -> String {
        let wider = wider(query, thisYear: thisYear)
        let parts = [
            wider.years == query.years ? nil : "the years", wider.radius > query.radius ? "the radius" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " or ")
    }

    /// Widens a search: twenty years at each end, and about three times as far.
    static func wider(_ query: PastPhotoQuery, thisYear: Int) -> PastPhotoQuery {
        let next = radii.firstIndex { $0 >= query.radiusKilometres } ?? radii.count - 1
        let radius = radii[min(radii.count - 1, next + wideningRadii)]
        let from = max(PastPhotoQuery.firstYear, query.years.lowerBound - wideningYears)
        let to = max(query.years.upperBound, min(thisYear, query.years.upperBound + wideningYears))
        return PastPhotoQuery(
            place: query.place, radius: Int((radius * 1000).rounded()), years: from...to,
            sources: query.sources)
    }
}
