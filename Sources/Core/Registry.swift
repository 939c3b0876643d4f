import Storage
import Synchronization

/// Values that features hand to one of them, such as kinds of notification: they are added while the application is
/// built, and only read from then on. So the first service can already hold what the last feature adds.
package final class Registry<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// All of them, in the order in which they were added.
    package var all: [Element] { elements.withLock { $0 } }

    /// Adds one behind those that are there.
    package func add(_ element: Element) {
        elements.withLock { $0.append(element) }
    }

    /// Lets go of all of them.
    fileprivate func removeAll() {
        elements.withLock { $0 = [] }
    }
}

/// Makes the registries of one application, and empties them together: what is in them holds services that hold the
/// registries.
package final class Registries: Sendable {
    private let emptying = Mutex<[@Sendable () -> Void]>([])

    /// Makes an empty registry.
    package func make<Element: Sendable>(of type: Element.Type = Element.self) -> Registry<Element> {
        let registry = Registry<Element>()
        add { registry.removeAll() }
        return registry
    }

    /// Has something else emptied with them.
    package func add(_ empty: @escaping @Sendable () -> Void) {
        emptying.withLock { $0.append(empty) }
    }

    /// Empties all of them, at the end of an application.
    package func removeAll() {
        for empty in emptying.withLock({ $0 }) { empty() }
    }
}

/// Follows what happens to an account, in the transaction that does it.
package typealias AccountListener = @Sendable (Account.ID, Transaction) throws -> Void
