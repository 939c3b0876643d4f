import Core

/// The addresses of old photos, and those of the camera that retakes them.
enum PastPhotoPaths {
    /// The camera.
    static let camera = "/then-and-now"
    /// The search for old photos nearby, with the last results.
    static let search = "/then-and-now/nearby"

    /// Returns the address of the camera over an old photo; without an id, what a script appends the id to.
    static func retake(_ id: PastPhoto.ID?) -> String { "\(camera)?past=\(id?.description ?? "")" }
}
