import Foundation
import HTML

/// Something that a feature does with photos of the library, which the library offers (``Feature/photoActions``).
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

    /// The actions of all features.
    static let all = TintypeApplication.features.flatMap { $0.photoActions }

    /// Links to what is offered for several photos.
    static func links(in frame: Frame) -> Node {
        .list(
            all.map { action in
                guard case .library(let path) = action.place else { return .empty }
                return frame.symbolLink(action.name, action.icon, href: path)
            })
    }

    /// A line of the menu that sends a photo on.
    struct Way {
        var name: String
        var icon: StaticString
        var path: String
    }

    /// Returns the ways on which a photo can be sent within Tintype.
    static func ways(of photo: Photo.ID) -> [Way] {
        all.compactMap { action in
            guard case .sharing(let path) = action.place else { return nil }
            return Way(name: action.name, icon: action.icon, path: path(photo))
        }
    }

    /// Returns the groups that features add to the menu that sends a photo on.
    static func groups(of photo: Photo.ID, in frame: Frame) -> Node {
        .list(
            all.map { action in
                guard case .sharingGroup(let node) = action.place else { return .empty }
                return node(photo, frame)
            })
    }

    /// Links to what is offered for one photo.
    static func links(for photo: Photo, in frame: Frame) -> Node {
        .list(
            all.map { action in
                guard case .photo(let path) = action.place, let path = path(photo, frame.now()) else {
                    return .empty
                }
                return frame.symbolLink(action.name, action.icon, href: path)
            })
    }
}
