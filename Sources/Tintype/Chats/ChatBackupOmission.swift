import Storage

/// Leaves pictures that wait to be seen once out of backups.
struct ChatBackupOmission: BackupOmission {
    /// Their messages stay, as used up.
    func omit(_ transaction: Transaction) throws {
        try transaction.execute("DELETE FROM once_pictures")
        try transaction.execute(
            "UPDATE messages SET opened_at = coalesce(opened_at, $1) WHERE is_once = 1", transaction.now)
    }
}
