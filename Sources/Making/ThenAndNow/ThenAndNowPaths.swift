import People

/// The addresses of Then & Now.
package enum ThenAndNowPaths {
    /// The camera, which begins with the choice of a past photo.
    package static let camera = "/then-and-now"
    /// The page to choose a past photo from the device or the library.
    static let choose = "/then-and-now/choose"

    /// Returns the address of the camera over a photo of the viewer's library.
    static func retake(_ id: Photo.ID) -> String { "\(camera)?photo=\(id)" }

    /// Returns the address of the camera over the past photo of an earlier pair.
    static func again(_ id: Pair.ID) -> String { "\(camera)?again=\(id)" }

    /// Returns the address of a photo's pairs through the years.
    static func years(_ id: Photo.ID) -> String { "/then-and-now/years/\(id)" }
}
