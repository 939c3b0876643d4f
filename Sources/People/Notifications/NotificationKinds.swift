import Core
import Synchronization

/// The kinds of notification of all features. They are added while the application is built, and only read from then
/// on.
package final class NotificationKinds: Sendable {
    private struct Known {
        var all: [NotificationKind] = []
        var byKind: [Notification.Kind: NotificationKind] = [:]
        var visible = "1 = 1"
        var unmuted = ""
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
            known.unmuted = Self.unmuted(known.all)
        }
    }

    /// All kinds.
    package var all: [NotificationKind] { known.withLock { $0.all } }
    /// The topics of all kinds, in the order of their switches.
    package var topics: [NotificationTopic] { Set(all.map(\.topic)).sorted { $0.position < $1.position } }
    /// The condition in SQL that the account `$1` may see the subject of the row `n`.
    package var visible: String { known.withLock { $0.visible } }
    /// The condition in SQL that the account `$1` gets notifications of the actor of the row `n`: it doesn't mute the
    /// actor, or no mute hides the kind.
    var unmuted: String { known.withLock { $0.unmuted } }
    /// The condition that the row `n` is among the account's notifications: unmuted, and not put aside.
    var heard: String { "n.is_put_aside = 0 AND \(unmuted)" }

    /// Returns a kind by its name.
    package subscript(_ kind: Notification.Kind) -> NotificationKind? { known.withLock { $0.byKind[kind] } }

    private static func unmuted(_ all: [NotificationKind]) -> String {
        let shown = all.filter { !$0.isHiddenByMutes }.map { "'\($0.kind.name)'" }.sorted()
        let condition = MuteRow.allowsNotifications(of: "n.actor_id")
        return shown.isEmpty ? condition : "(n.kind IN (\(shown.joined(separator: ", "))) OR \(condition))"
    }

    /// Returns the condition for all kinds; kinds with the same condition share it. Their names come from the program's
    /// source.
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
