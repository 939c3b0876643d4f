/// A search for the map that lays the now picture of a pair over the then picture.
///
/// Both pictures show the same frame, with a longest side of about 1,000 pixels. Features find the place
/// (`Features`, `RobustEstimation`); where they are few, so does a search over all shifts, turns and scales
/// (`CoarseSearch`). A direct method then finds the last tenth of a pixel (`Refinement`). Nothing is accepted
/// on the word of one method (`Evidence`).
///
/// The same pictures give the same outcome in each run. One pair of 1,000 × 750 pixels takes about a fifth of
/// a second of CPU.
///
/// ```swift
/// switch Aligner().align(now, to: then) {
/// case .aligned(let map): map.inUnitSquare(width: then.width, height: then.height)?.commonCrop
/// case .unsure(let reason): reason.sentence
/// }
/// ```
public struct Aligner: Sendable {
    /// The outcome of an attempt.
    public enum Outcome: Sendable, Hashable {
        /// The map from the pixels of the now picture to those of the then picture, measured from the upper
        /// left corner of each.
        case aligned(Homography)
        /// No map is sure enough.
        case unsure(Reason)
    }

    /// The longest side that is compared at full size. Larger pictures are compared at half the size, or a quarter, and
    /// so on.
    static let longestSide = 1400
    /// The shortest side that is accepted. Smaller pictures have too few details.
    static let shortestSide = 48

    /// Creates an aligner.
    public init() {}

    /// Returns the map that lays the now picture over the then picture, or the reason why none is sure
    /// enough.
    ///
    /// Safe for any two pictures: those of different sizes, or with nothing to see, are refused.
    public func align(_ now: GrayPicture, to then: GrayPicture) -> Outcome {
        judged(now, to: then).outcome
    }

    /// Returns the outcome with the numbers that led to it, which the benchmark prints.
    package func judged(_ now: GrayPicture, to then: GrayPicture) -> (outcome: Outcome, evidence: Evidence) {
        guard now.width == then.width, now.height == then.height else {
            return (.unsure(.differentSizes), Evidence())
        }
        guard min(now.width, now.height) >= Self.shortestSide else {
            return (.unsure(.tooFewDetails), Evidence())
        }
        var (first, second, spacing) = (Plane(now), Plane(then), 1.0)
        while max(first.width, first.height) > Self.longestSide {
            (first, second, spacing) = (first.halved(), second.halved(), spacing * 2)
        }
        // A strip of paper has no place for blocks of 16 pixels once it is small enough to work on.
        guard min(first.width, first.height) >= Self.shortestSide else {
            return (.unsure(.tooFewDetails), Evidence())
        }
        let (map, evidence) = PicturePair(now: first, then: second).bestMap()
        if let reason = evidence.objection { return (.unsure(reason), evidence) }
        guard let map = map?.scaled(x: spacing, y: spacing) else {
            return (.unsure(.nothingInCommon), evidence)
        }
        return (.aligned(map), evidence)
    }
}

extension Aligner {
    /// The reason why no map is sure enough.
    public enum Reason: String, Sendable, CaseIterable {
        /// The pictures have different sizes, so they don't show the same frame.
        case differentSizes
        /// One of the pictures shows too little that can be recognised, for example sky, fog or a blurred
        /// wall.
        case tooFewDetails
        /// Too few details of one picture are in the other.
        case nothingInCommon
        /// The best map would mirror, fold, turn or resize the picture more than another photo of the view
        /// needs.
        case implausible
        /// The details of the pictures and their brightness speak for different maps.
        case disagreement

        /// What happened and what to do, in words for the person who waits.
        public var sentence: String {
            switch self {
            case .differentSizes:
                "The two pictures have different sizes. Use the same frame for both, then align again."
            case .tooFewDetails:
                "One of the photos shows too few details to find them in the other. Set four points by hand."
            case .nothingInCommon:
                "Too little of the past photo was found in the new one. Set four points, or retake it."
            case .implausible:
                "The photos seem to be taken from different places. Set four points, or retake it."
            case .disagreement:
                "The photos fit together in more than one way. Set four points by hand."
            }
        }
    }
}
