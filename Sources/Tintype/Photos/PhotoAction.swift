import Foundation
import HTML

/// Something that a feature does with photos of the library, which the library offers (``PhotoOffers/actions``).
struct PhotoAction: Sendable {
    /// Where it is offered.
    enum Place: Sendable {
        /// In the library's bar, for several photos: leads to a page that lets people choose them.
        case library(path: String)
        /// Below a photo, for this photo; nil where it isn't offered. The date is that of now.
        case photo(path: @Sendable (Photo, Date) -> String?)
        /// In the menu that sends any photo on (``PhotoSharing``).
        case sharing(path: @Sendable (Photo.ID) -> String)
        /// A group of its own at the end of that menu.
        case sharingGroup(node: @Sendable (Photo.ID, Frame) -> Node)
    }

    let name: String
    let icon: StaticString
    let place: Place
}
