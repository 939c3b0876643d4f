import Core
import Foundation
import HTML

/// Something that a feature does with photos of the library, which the library offers (``PhotoOffers/actions``).
package struct PhotoAction: Sendable {
    /// Where it is offered.
    package enum Place: Sendable {
        /// In the library's bar, for several photos: leads to a page that lets people choose them.
        case library(path: String)
        /// Below a photo, for this photo; nil where it isn't offered. The date is that of now.
        case photo(path: @Sendable (Photo, Date) -> String?)
        /// In the menu that sends any photo on (``PhotoSharing``).
        case sharing(path: @Sendable (Photo.ID) -> String)
        /// A group of its own at the end of that menu.
        case sharingGroup(node: @Sendable (Photo.ID, Frame) -> Node)
    }

    package let name: String
    package let icon: StaticString
    package let place: Place

    package init(name: String, icon: StaticString, place: Place) {
        self.name = name
        self.icon = icon
        self.place = place
    }
}
