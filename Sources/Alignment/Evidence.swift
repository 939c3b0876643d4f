/// The numbers that support a map, and whether they are enough.
///
/// Details alone don't decide: two unrelated pictures have up to 50 that look alike on some map. So a
/// plausible map is needed, on which both the details that are compared again around it and the brightness of
/// blocks agree.
package struct Evidence: Sendable {
    /// Keypoints of the picture that has fewer of them.
    package var details = 0
    /// Pairs of keypoints that look most like each other.
    package var matches = 0
    /// Matches in different parts of the picture that the map takes to their place.
    package var inliers = 0
    /// Matches in different parts of the picture that the best map from matches alone takes to their place.
    package var inliersOfFeatures = 0
    /// Pairs of keypoints that look most like each other among those within 2 % of the width of where the map
    /// takes them.
    package var nearby = 0
    /// Inliers among these.
    package var confirmed = 0
    /// Blocks of the now picture with something to see, at a quarter of the size.
    package var blocks = 0
    /// Blocks whose brightness the map explains.
    package var agreeing = 0
    /// Columns and rows of the picture, of 4 and 3, in which matches are confirmed.
    package var columns = 0, rows = 0
    /// Whether the map is one between two photographs of a view.
    package var isPlausible = false

    /// The least details of a picture, and the least confirmed matches.
    static let least = 15

    /// Whether more matches are confirmed than chance explains. Of places within 20 pixels, chance puts 5 %
    /// within 4 pixels; five standard deviations more than that are no chance.
    private var areConfirmed: Bool {
        let byChance = 0.05 * Double(nearby)
        return confirmed >= Self.least && Double(confirmed) > byChance + 5 * byChance.squareRoot()
    }

    /// The reason to refuse the map, or nil if the evidence is enough.
    var objection: Aligner.Reason? {
        if details < Self.least { return .tooFewDetails }
        if blocks == 0 { return .nothingInCommon }
        let share = Double(agreeing) / Double(blocks)
        // What agrees in one corner says nothing about the others.
        let isEverywhere = share > 0.3 || columns >= 2 && rows >= 2
        let isConfirmed = areConfirmed && share > 0.05 && isEverywhere
        // Enough details agree on a map, but the brightness leads elsewhere.
        if 2 * inliers < inliersOfFeatures, inliersOfFeatures >= 2 * Self.least { return .disagreement }
        if !isConfirmed { return .nothingInCommon }
        return isPlausible ? nil : .implausible
    }
}
