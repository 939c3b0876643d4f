import Alignment
import Core
import Foundation
import Imaging
import Serving
import Storage

// Aligning the match of a pair with its past photo.
extension PairService {
    /// Finds the alignment of one of the viewer's pairs, and shows the pair aligned.
    ///
    /// - Throws: ``Refusal``: 404 for pairs of others, 422 with the reason when no alignment is sure enough, which leaves
    ///   the pair as it is; those of ``show(_:as:by:)``.
    func align(_ id: Pair.ID, by viewer: Account) async throws -> Pair {
        let pair = try await pair(id, for: viewer)
        let (then, now) = try await sources(of: pair)
        let found = try await found(for: pair.composition, then: then, now: now, by: viewer)
        if case .refused(let reason) = found {
            throw Refusal.invalid("alignment", "ERR_UNSURE", reason)
        }
        return try await change(id, by: viewer) { $0.alignment = found }
    }

    /// Aligns one of the viewer's pairs by four points that show the same spots in both pictures.
    ///
    /// - Throws: ``Refusal``: 404 for pairs of others, 422 for points that no photo of the same place can have; those of
    ///   ``show(_:as:by:)``.
    func align(
        _ id: Pair.ID, points: [PointPair], by viewer: Account
    ) async throws -> Pair {
        let isInside = points.allSatisfy { pair in
            [pair.then.x, pair.then.y, pair.now.x, pair.now.y].allSatisfy { (0...1).contains($0) }
        }
        guard points.count == 4, isInside else {
            throw Refusal.invalid("points", "ERR_INVALID", "Set four points in each of the two pictures.")
        }
        guard let map = Homography(from: points.map(\.now), to: points.map(\.then)),
            let aligned = Self.aligned(map, by: .points)
        else {
            throw Refusal.invalid(
                "points", "ERR_IMPLAUSIBLE",
                "These points don’t fit together. Set four corners of something flat, in the same order in both."
            )
        }
        return try await change(id, by: viewer) { $0.alignment = aligned }
    }

    /// Shows the two pictures of one of the viewer's pairs as they were taken.
    ///
    /// - Throws: ``Refusal``: 404 for pairs of others; those of ``show(_:as:by:)``.
    func undoAlignment(of id: Pair.ID, by viewer: Account) async throws -> Pair {
        try await change(id, by: viewer) { $0.alignment = .none }
    }

    /// Returns the alignment of two sources, or the reason why there is none.
    func found(
        for pair: PairComposition, then: KeptFile, now: KeptFile, by viewer: Account
    ) async throws -> Pair.Alignment {
        let outcome = try await processing {
            try await intake.align(try pair.frame, then: then, now: now, for: viewer.id)
        }
        switch outcome {
        case .unsure(let reason): return .refused(reason: reason.sentence)
        case .aligned(let map):
            return Self.aligned(map, by: .automatic)
                ?? .refused(reason: "The two pictures have too little in common to be laid over each other.")
        }
    }

    /// Returns the alignment by a map of unit squares; nil when the two pictures have too small a part in common.
    private static func aligned(
        _ map: Homography, by hand: Pair.Alignment.Hand
    ) -> Pair.Alignment? {
        guard map.isPlausible(width: 1, height: 1), let part = map.commonCrop else { return nil }
        return .aligned(
            map, crop: .init(x: part.x, y: part.y, width: part.width, height: part.height), by: hand)
    }
}
