import Storage
import Synchronization

/// Values that features register with another feature, such as kinds of notification. They are added while the
/// application is built, and only read from then on, so the first service can already hold what the last feature adds.
package final class Registry<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// All values, in the order in which they were added.
    package var all: [Element] { elements.withLock { $0 } }

    /// Adds a value after the others.
    package func add(_ element: Element) {
        elements.withLock { $0.append(element) }
    }

    /// Removes all values.
    fileprivate func removeAll() {
        elements.withLock { $0 = [] }
    }
}

/// The registries of one application. They are emptied together at its end, because their values hold services that
/// hold the registries.
package final class Registries: Sendable {
    private let emptying = Mutex<[@Sendable () -> Void]>([])

    /// Creates a registry.
    package func make<Element: Sendable>(of type: Element.Type = Element.self) -> Registry<Element> {
        let registry = Registry<Element>()
        add { registry.removeAll() }
        return registry
    }

    /// Adds a closure that empties something else together with the registries.
    package func add(_ empty: @escaping @Sendable () -> Void) {
        emptying.withLock { $0.append(empty) }
    }

    /// Empties all registries, at the end of an application.
    package func removeAll() {
        for empty in emptying.withLock({ $0 }) { empty() }
    }
}

/// A closure that is called when something happens to an account, in the transaction in which it happens.
package typealias AccountListener = @Sendable (Account.ID, Transaction) throws -> Void
