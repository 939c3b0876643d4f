import Core

/// The addresses of photos.
package enum PhotoPaths {
    /// The tab that lists what can be made.
    package static let create = "/create"

    /// Returns the address of the library with one chip chosen.
    ///
    /// - Parameter chip: the name of the chip.
    package static func library(show chip: String) -> String { "\(AppPaths.library)?show=\(chip)" }

    /// Returns the address of a photo of the viewer's own library.
    package static func page(_ id: Photo.ID) -> String { "\(AppPaths.library)/\(id)" }

    /// Returns the address of a rendition in a template that a script fills.
    ///
    /// - Parameter name: the name in braces for which the script puts the id.
    package static func picture(template name: String, _ size: Photo.Size) -> String {
        "/photos/\(name)/\(size.rawValue)"
    }
}
