import Synchronization

/// The entries of features in the frame of the pages. They are added while the application is built, and only read from
/// then on.
package final class Navigation: Sendable {
    private struct Places {
        var tabs: [Page.Tab] = []
        var menu: [Page.Link] = []
        var create: [Page.Making] = []
        var shareTarget: Page.ShareTarget?
    }

    private let places = Mutex(Places())

    /// The tabs, in order.
    package var tabs: [Page.Tab] { places.withLock { $0.tabs } }
    /// The links of the side menu, in order.
    package var menu: [Page.Link] { places.withLock { $0.menu } }
    /// The entries of the Create tab, in order.
    package var create: [Page.Making] { places.withLock { $0.create } }

    /// The entries in the menu of the installed app's icon: what people make first, then where they look.
    package var shortcuts: [Page.Shortcut] {
        places.withLock { places in
            let makings = places.create.compactMap { making in
                making.shortcut.map {
                    Page.Shortcut(name: $0.name, path: making.path, drawing: $0.drawing)
                }
            }
            let links = places.menu.compactMap { link in
                link.shortcut.map { Page.Shortcut(name: link.title, path: link.path, drawing: $0) }
            }
            return makings + links
        }
    }

    /// The screen that takes what other apps of a device share; nil while no feature has one.
    package var shareTarget: Page.ShareTarget? {
        get { places.withLock { $0.shareTarget } }
        set { places.withLock { $0.shareTarget = newValue } }
    }

    /// Adds the entries of one feature.
    package func add(tabs: [Page.Tab], menu: [Page.Link], create: [Page.Making]) {
        places.withLock { places in
            places.tabs = (places.tabs + tabs).sorted { $0.position < $1.position }
            places.menu = (places.menu + menu).sorted { $0.position < $1.position }
            places.create = (places.create + create).sorted { $0.position < $1.position }
        }
    }
}
