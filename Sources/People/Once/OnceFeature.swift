import Core

/// The parts that features share whose pictures are seen once. It has no tables and no screens of its own.
package struct OnceFeature: Feature {
    package let copies: OnceCopies

    package init(_ app: AppParts, photos: PhotosFeature) {
        copies = OnceCopies(
            photos: photos.photos, intake: app.intake, blobs: app.blobs)
    }
}

extension Page.Style {
    /// The style of the viewer of a picture that is seen once, and of the lists of snaps.
    package static let snaps = Page.Style(name: "snaps")
    /// The style of the answers over such a picture.
    package static let snapAnswers = Page.Style(name: "snap-answers")
    /// The style of cameras in pages.
    package static let camera = Page.Style(name: "camera")
}
