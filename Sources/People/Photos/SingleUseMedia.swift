import Core
import Foundation
import Imaging
import Storage

/// A picture that was uploaded for one use, such as a message to be viewed once.
///
/// Such a picture never becomes a library photo by itself and never has a picture URL (Documentation/Product.md,
/// "Pictures that are seen once"). It waits for its use for an hour; then it is erased.
public struct SingleUseMedia: Sendable, Equatable {
    /// The upload's identifier.
    public typealias ID = Core.ID<SingleUseMedia>

    /// The purpose of a picture; the picture can be used for nothing else. A feature declares its own purposes in an
    /// extension, and registers them (``PhotoOffers/purposes``).
    package struct Purpose: Sendable {
        /// The purpose as the database and apps have it.
        let name: String
        /// Whether the picture is seen once. Otherwise it may become a photo of its owner's library in the end.
        let isSeenOnce: Bool
        /// Whether the day when it was taken is kept, for its owner.
        let keepsDate: Bool

        package init(_ name: String, isSeenOnce: Bool, keepsDate: Bool = false) {
            self.name = name
            self.isSeenOnce = isSeenOnce
            self.keepsDate = keepsDate
        }

        /// The sizes that its use shows. The full one becomes the original of a photo of the library.
        var renditions: [RenditionSpec] {
            isSeenOnce ? RenditionSpec.seenOnce : RenditionSpec.photo + [.full]
        }

        /// Whether a blurred impression of the picture is kept. A picture that is seen once has none: that would be a
        /// second look.
        var keepsImpression: Bool { !isSeenOnce }
    }

    /// The identifier.
    public let id: ID
    /// The owner of the picture.
    public let owner: Account.ID
    /// The name of the purpose for which the picture may be used.
    public let purpose: String
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
