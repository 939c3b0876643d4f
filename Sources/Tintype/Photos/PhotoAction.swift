import Foundation
import HTML

/// Something that a feature makes of photos of the library, which the library offers (``Feature/photoActions``).
struct PhotoAction: Sendable {
    /// Where it is offered.
    enum Place: Sendable {
        /// In the library's bar, for several photos: leads to a page that lets people choose them.
        case library(path: String)
        /// Below a photo, for this photo; nil where it isn't offered. The date is that of now.
        case photo(path: @Sendable (Photo, Date) -> String?)
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
