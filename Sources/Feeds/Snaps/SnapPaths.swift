/// The addresses of the screens of snaps that other screens lead to.
enum SnapPaths {
    /// The Snaps tab. A form that is sent there posts a snap.
    static let list = "/snaps"
    /// The grid of pictures for a new snap.
    static let new = "/snaps/new"
}
