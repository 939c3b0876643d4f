import Core
import HTML
import Storage

/// What features offer to do with photos of the library, and add to their pages.
package struct PhotoOffers: Sendable {
    /// The kinds of photo.
    package let kinds: Registry<PhotoKind>
    /// The purposes of pictures that are used once.
    package let purposes: Registry<SingleUseMedia.Purpose>
    /// The features that show photos, which are notified when photos change or are deleted.
    package let uses: Registry<any PhotoUse>
    /// The actions that are offered for photos.
    package let actions: Registry<PhotoAction>
    /// The destinations for photos that another app of the device hands over.
    package let arrivals: Registry<PhotoArrival>
    /// Reads what a feature adds to the page of one of the viewer's photos; nil for nothing.
    package typealias Presentation =
        @Sendable (_ photo: Photo, _ viewer: Account, _ transaction: Transaction) throws ->
        PhotoPresentation.Drawing?
    /// The presentations of features for the pages of photos; the first one that isn't nil is used.
    package let presentations: Registry<Presentation>

    package init(_ app: AppParts) {
        (kinds, purposes, arrivals) = (app.registry(), app.registry(), app.registry())
        (uses, actions, presentations) = (app.registry(), app.registry(), app.registry())
    }

    /// Returns the links to the actions with several photos.
    package func links(in frame: Frame) -> Node {
        .list(
            actions.all.map { action in
                guard case .library(let path) = action.place else { return .empty }
                return frame.symbolLink(action.name, action.icon, href: path)
            })
    }

    /// A line of the menu that shares a photo.
    struct Way {
        var name: String
        var icon: StaticString
        var path: String
    }

    /// Returns the ways in which a photo can be shared within Tintype.
    func ways(of photo: Photo.ID) -> [Way] {
        actions.all.compactMap { action in
            guard case .sharing(let path) = action.place else { return nil }
            return Way(name: action.name, icon: action.icon, path: path(photo))
        }
    }

    /// Returns the groups that features add to the menu that shares a photo.
    package func groups(of photo: Photo.ID, in frame: Frame) -> Node {
        .list(
            actions.all.map { action in
                guard case .sharingGroup(let node) = action.place else { return .empty }
                return node(photo, frame)
            })
    }

    /// Returns the links to the actions with one photo.
    package func links(for photo: Photo, in frame: Frame) -> Node {
        .list(
            actions.all.map { action in
                guard case .photo(let path) = action.place, let path = path(photo, frame.now()) else {
                    return .empty
                }
                return frame.symbolLink(action.name, action.icon, href: path)
            })
    }
}
