import Core
import Foundation
import HTML

/// An action of a feature with photos of the library, which the library offers (``PhotoOffers/actions``).
package struct PhotoAction: Sendable {
    /// The place where an action is offered.
    package enum Place: Sendable {
        /// The library's bar, for several photos: a link to a page on which people choose them.
        case library(path: String)
        /// The page of a photo, for this photo; nil where the action isn't offered. The date is the current time.
        case photo(path: @Sendable (Photo, Date) -> String?)
        /// The menu that shares any photo (``PhotoSharing``).
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
