import Alignment

/// The result of comparing two pictures that may show the same place.
public enum PairAlignment: Sendable, Hashable {
    /// The map that lays the picture of today over the past one: from the unit square of its frame to that of the past
    /// picture's frame. A ``PairSpec`` can show it, with its `commonCrop` as the crop.
    case aligned(Homography)
    /// The pictures don't seem to show the same place, or not clearly enough, for this reason.
    case unsure(Aligner.Reason)

    /// Whether a pair can be rendered with the map.
    package var isRenderable: Bool {
        switch self {
        case .unsure: true
        case .aligned(let transform):
            transform.commonCrop.map { PairSpec.isCovered(.init($0), transform) } ?? false
        }
    }
}

extension PairSpec.Crop {
    /// Creates a crop of the part that both halves have in common.
    public init(_ common: (x: Double, y: Double, width: Double, height: Double)) {
        self.init(x: common.x, y: common.y, width: common.width, height: common.height)
    }
}
