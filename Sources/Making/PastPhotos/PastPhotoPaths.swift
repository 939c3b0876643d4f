/// The addresses of old photos.
enum PastPhotoPaths {
    /// The search for old photos nearby, with the last results.
    static let search = "/then-and-now/nearby"
}
