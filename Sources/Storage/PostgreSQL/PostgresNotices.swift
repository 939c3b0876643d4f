import CPostgres

/// What a PostgreSQL server says to a connection beside its answers, of which one thing counts.
final class PostgresNotices {
    /// Whether the server has acknowledged a commit that is on no standby yet, although it is to wait for one: it does when the
    /// wait is cancelled.
    var hasSkippedStandby = false

    /// Receives what a connection is told. This object must live as long as the connection.
    func receive(from connection: OpaquePointer) {
        _ = PQsetNoticeReceiver(
            connection,
            { notices, notice in
                // The function of PostgreSQL's source that waits; the message would be translated.
                guard let notices, let notice,
                    let function = PQresultErrorField(notice, CInt(UInt8(ascii: "R"))),
                    String(cString: function) == "SyncRepWaitForLSN"
                else { return }
                Unmanaged<PostgresNotices>.fromOpaque(notices).takeUnretainedValue().hasSkippedStandby = true
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
