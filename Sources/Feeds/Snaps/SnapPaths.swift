/// Returns the address of the screen on which a snap is answered, from its id and its poster's username. A later feature has
/// that screen.
package typealias SnapAnswering = @Sendable (_ snap: Snap.ID, _ poster: String) -> String

/// The addresses of the screens of snaps that other screens lead to.
enum SnapPaths {
    /// The Snaps tab. A form that is sent there posts a snap.
    static let list = "/snaps"
    /// The grid of pictures for a new snap.
    static let new = "/snaps/new"
}
