import Core
import Storage

/// A feature that shows photos to people other than their owner, or uses them.
package protocol PhotoUse: Sendable {
    /// Returns whether the feature shows this photo to `viewer`.
    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool
    /// Returns what uses the photo; nil if nothing does.
    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses?
    /// Detaches a photo that is about to be deleted, and sends events to the people who see the change.
    func release(_ photo: Photo.ID, _ transaction: Transaction) throws
    /// Records that a photo's description has changed.
    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws
}

/// The places where a photo is used, in words.
package struct PhotoUses: Sendable {
    /// The places, such as "one post".
    package var places: String
    /// A sentence that says what else is deleted together with the photo; nil if nothing is.
    package var loss: String?

    package init(places: String, loss: String? = nil) {
        self.places = places
        self.loss = loss
    }

    /// Returns sentences that say what several features use a photo for.
    ///
    /// - Parameter opening: makes the first sentence from the places.
    package static func sentences(_ uses: [PhotoUses], _ opening: (_ places: String) -> String) -> String {
        let places = uses.map(\.places).joined(separator: " and ")
        return ([opening(places)] + uses.compactMap(\.loss)).joined(separator: " ")
    }
}
