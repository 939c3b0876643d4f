/// The kinds of notification of all features, as notifications are looked up by them.
struct NotificationKinds: Sendable {
    /// All of them.
    let all: [NotificationKind]
    /// Whether the account `$1` may see what the row `n` is about, as a condition in SQL.
    let visible: String
    /// Whether the account `$1` hears of the actor of the row `n`, as a condition in SQL: it doesn't mute the actor, or the
    /// kind is one that no mute hides.
    let heard: String
    private let byKind: [Notification.Kind: NotificationKind]

    init(_ all: [NotificationKind]) {
        self.all = all
        byKind = Dictionary(all.map { ($0.kind, $0) }) { first, _ in first }
        let unheeding = all.filter { !$0.heedsMutes }.map { "'\($0.kind.name)'" }.sorted()
        let hears = MuteRow.hears("n.actor_id")
        heard = unheeding.isEmpty ? hears : "(n.kind IN (\(unheeding.joined(separator: ", "))) OR \(hears))"
        // Kinds with one condition are asked together. Their names come from the program's source.
        let conditions = Dictionary(grouping: all.filter { $0.isVisible != nil }) { $0.isVisible ?? "" }
        visible =
            conditions.isEmpty
            ? "1 = 1"
            : conditions.sorted { $0.key < $1.key }.map { condition, kinds in
                let names = kinds.map { "'\($0.kind.name)'" }.sorted().joined(separator: ", ")
                return "(n.kind NOT IN (\(names)) OR \(condition))"
            }.joined(separator: " AND ")
    }

    /// Returns a kind by its name.
    subscript(_ kind: Notification.Kind) -> NotificationKind? { byKind[kind] }
}
