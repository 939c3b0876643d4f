import Core
import Synchronization

/// The kinds of notification of all features, as notifications are looked up by them. They are added while the
/// application is built, and only read from then on.
package final class NotificationKinds: Sendable {
    private struct Known {
        var all: [NotificationKind] = []
        var byKind: [Notification.Kind: NotificationKind] = [:]
        var visible = "1 = 1"
        var heard = ""
    }

    private let known = Mutex(Known())

    package init(_ app: AppParts) {
        app.registries.add { [weak self] in self?.known.withLock { $0 = Known() } }
    }

    /// Adds the kinds of a feature.
    package func add(_ kinds: [NotificationKind]) {
        known.withLock { known in
            known.all += kinds
            known.byKind = Dictionary(known.all.map { ($0.kind, $0) }) { first, _ in first }
            known.visible = Self.visible(known.all)
            known.heard = Self.heard(known.all)
        }
    }

    /// All of them.
    package var all: [NotificationKind] { known.withLock { $0.all } }
    /// Whether the account `$1` may see what the row `n` is about, as a condition in SQL.
    package var visible: String { known.withLock { $0.visible } }
    /// Whether the account `$1` hears of the actor of the row `n`, as a condition in SQL: it doesn't mute the actor, or the
    /// kind is one that no mute hides.
    package var heard: String { known.withLock { $0.heard } }

    /// Returns a kind by its name.
    package subscript(_ kind: Notification.Kind) -> NotificationKind? { known.withLock { $0.byKind[kind] } }

    private static func heard(_ all: [NotificationKind]) -> String {
        let unheeding = all.filter { !$0.heedsMutes }.map { "'\($0.kind.name)'" }.sorted()
        let hears = MuteRow.hears("n.actor_id")
        return unheeding.isEmpty ? hears : "(n.kind IN (\(unheeding.joined(separator: ", "))) OR \(hears))"
    }

    /// Kinds with one condition are asked together. Their names come from the program's source.
    private static func visible(_ all: [NotificationKind]) -> String {
        let conditions = Dictionary(grouping: all.filter { $0.isVisible != nil }) { $0.isVisible ?? "" }
        return conditions.isEmpty
            ? "1 = 1"
            : conditions.sorted { $0.key < $1.key }.map { condition, kinds in
                let names = kinds.map { "'\($0.kind.name)'" }.sorted().joined(separator: ", ")
                return "(n.kind NOT IN (\(names)) OR \(condition))"
            }.joined(separator: " AND ")
    }
}
