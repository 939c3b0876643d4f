import Storage

/// Leaves pictures that wait to be seen once out of backups.
struct ChatBackupOmission: BackupOmission {
    /// Their messages stay. Without its picture one that nobody has opened is expired.
    func omit(_ transaction: Transaction) throws {
        try transaction.execute("DELETE FROM once_pictures")
    }
}
