/// What tells the history of a server's transactions from another, in which their numbers may have been given again.
struct PostgresHistory: Equatable {
    /// The number of the server's timeline, which grows with each failover.
    let timeline: UInt32
    /// Since when the server counts, which a crash changes and a clean stop doesn't: a crash takes back transactions whose log
    /// had not reached the disk, and their numbers.
    let start: String

    /// Asks a server for its history. The first eight digits of a log file's name are the timeline.
    static let question = """
        SELECT substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' || extract(epoch FROM stats_reset) FROM pg_stat_wal
        """

    /// Reads the answer to `question`; nil if it isn't one.
    init?(_ answer: String) {
        let parts = answer.split(separator: " ")
        guard parts.count == 2, let timeline = UInt32(parts[0], radix: 16) else { return nil }
        self.timeline = timeline
        start = String(parts[1])
    }

    /// How a history is related to another.
    enum Order {
        case same
        /// A server that was replaced by the other's.
        case earlier
        /// A server that has crashed since, or that has taken the place of the other's.
        case later
    }

    /// Returns how this history is related to another.
    func order(after other: PostgresHistory) -> Order {
        if timeline < other.timeline { return .earlier }
        return self == other ? .same : .later
    }
}
