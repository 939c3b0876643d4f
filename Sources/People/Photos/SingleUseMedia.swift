import Core
import Foundation
import Imaging
import Storage

/// A picture that was uploaded for one use: a snap, a message to be viewed once, a stake, or a match of a past photo.
///
/// Such a picture never becomes a library photo by itself and never has a picture URL (Documentation/Product.md,
/// "Pictures that are seen once"). It waits for its use for an hour; then it is erased.
public struct SingleUseMedia: Sendable, Equatable {
    /// The upload's identifier.
    public typealias ID = Core.ID<SingleUseMedia>

    /// The purpose of a picture; it can be used for nothing else.
    public enum Purpose: String, Sendable, CaseIterable {
        /// A snap.
        case snap
        /// A message whose picture the other person sees once.
        case viewOnce = "view_once"
        /// The photo that somebody stakes in a contract.
        case stake
        /// The match of a past photo, which becomes part of a pair in the library.
        case pair = "rephotograph"

        /// The sizes that its use shows.
        var renditions: [RenditionSpec] {
            switch self {
            case .snap, .viewOnce: RenditionSpec.seenOnce
            // The full size becomes the original, if the picture becomes a photo of its owner's library in the end.
            case .stake, .pair: RenditionSpec.photo + [.full]
            }
        }

        /// Whether a blurred impression of the picture is kept. A picture that is seen once has none: that would be a
        /// second look.
        var keepsImpression: Bool { self == .stake || self == .pair }

        /// Whether the day when the picture was taken is kept, for its owner.
        var keepsDate: Bool { self == .pair }
    }

    /// The identifier.
    public let id: ID
    /// The owner of the picture.
    public let owner: Account.ID
    /// The purpose for which it may be used.
    public let purpose: Purpose
    /// The description for people who can't see the picture.
    public let description: String
    /// The width of the upright upload in pixels.
    public let width: Int
    /// The height of the upright upload in pixels.
    public let height: Int
    /// The BlurHash; empty unless the purpose keeps an impression.
    package let blurhash: String
    /// The main colour, `#rrggbb`; empty unless the purpose keeps an impression.
    package let colour: String
    /// The format of the uploaded file.
    let format: String
    /// The time when the picture was taken; nil unless the camera recorded it and the purpose keeps it.
    package let capturedAt: Date?
    /// The time from which the picture can't be used any more.
    public let expiresAt: Date
    /// The renditions.
    package var files: [KeptFile] = []

    /// How long an upload waits for its use, in seconds.
    static let lifetime: TimeInterval = 3600
    /// How many uploads of one account may wait at once.
    static let mostWaiting = 40
}

extension RenditionSpec {
    /// A picture that is seen once, whole and on a full screen: 1,440 px at the longer side and no smaller ones.
    package static let seenOnce = [RenditionSpec(name: "large", shape: .fit(longestSide: 1440))]

    /// A picture from which others are rendered: 4,096 px at the longer side.
    static let full = RenditionSpec(name: "full", shape: .fit(longestSide: 4096), formats: [.jpeg])
}
