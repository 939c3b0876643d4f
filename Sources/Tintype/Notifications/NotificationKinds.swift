/// The kinds of notification of all features, as notifications are looked up by them.
struct NotificationKinds: Sendable {
    /// All of them.
    let all: [NotificationKind]
    /// Whether the account `$1` may see what the row `n` is about, as a condition in SQL.
    let visible: String
    private let byKind: [Notification.Kind: NotificationKind]

    init(_ all: [NotificationKind]) {
        self.all = all
        byKind = Dictionary(all.map { ($0.kind, $0) }) { first, _ in first }
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
