import Storage

/// A feature that shows photos to others than their owner, or uses them.
protocol PhotoUse: Sendable {
    /// Whether the feature shows this photo to `viewer`.
    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool
    /// What uses the photo; nil when nothing does.
    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses?
    /// Lets go of a photo that is about to be deleted, and tells those who see it happen.
    func release(_ photo: Photo.ID, _ transaction: Transaction) throws
    /// Notes that what is told about the photo has changed.
    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws
}

/// Where a photo is used, in words.
struct PhotoUses: Sendable {
    /// Such as "one post".
    var places: String
    /// A sentence that says what goes with the photo beside its place there; nil when nothing does.
    var loss: String?

    /// What several features use a photo for, in sentences.
    ///
    /// - Parameter opening: the first, with the places.
    static func told(_ uses: [PhotoUses], _ opening: (_ places: String) -> String) -> String {
        let places = uses.map(\.places).joined(separator: " and ")
        return ([opening(places)] + uses.compactMap(\.loss)).joined(separator: " ")
    }
}
