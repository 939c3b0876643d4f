import Core
import HTML
import Storage

/// What a feature draws above the photos of the library, such as those that wait to be sent.
package struct LibraryAddition: Sendable {
    /// The kind of photos with which it is shown.
    let kind: Photo.Kind
    let style: Page.Style
    let draw: Drawing

    package init(with kind: Photo.Kind, style: Page.Style, _ draw: @escaping Drawing) {
        self.kind = kind
        self.style = style
        self.draw = draw
    }
}

/// What features do with photos of the library, and add to their pages.
package struct PhotoOffers: Sendable {
    /// What shows photos, and hears when they change or go.
    package let uses: Registry<any PhotoUse>
    /// What is offered for photos.
    package let actions: Registry<PhotoAction>
    /// Reads what is added to the page of one of the viewer's photos; nil for nothing.
    package typealias Presentation =
        @Sendable (_ photo: Photo, _ viewer: Account, _ transaction: Transaction) throws ->
        PhotoPresentation.Drawing?
    /// What adds to the pages of photos; the first with something to add wins.
    package let presentations: Registry<Presentation>

    /// What is drawn above the photos of the library.
    package let library: Registry<LibraryAddition>

    package init(_ app: AppParts) {
        (uses, actions) = (app.registry(), app.registry())
        (presentations, library) = (app.registry(), app.registry())
    }

    /// Links to what is offered for several photos.
    package func links(in frame: Frame) -> Node {
        .list(
            actions.all.map { action in
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
    func ways(of photo: Photo.ID) -> [Way] {
        actions.all.compactMap { action in
            guard case .sharing(let path) = action.place else { return nil }
            return Way(name: action.name, icon: action.icon, path: path(photo))
        }
    }

    /// Returns the groups that features add to the menu that sends a photo on.
    package func groups(of photo: Photo.ID, in frame: Frame) -> Node {
        .list(
            actions.all.map { action in
                guard case .sharingGroup(let node) = action.place else { return .empty }
                return node(photo, frame)
            })
    }

    /// Links to what is offered for one photo.
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
