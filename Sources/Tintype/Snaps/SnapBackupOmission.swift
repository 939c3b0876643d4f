import Storage

/// Leaves snaps and uploads for one use out of backups: no restore brings back what was seen.
struct SnapBackupOmission: BackupOmission {
    /// What was unopened is expired after a restore.
    func omit(_ transaction: Transaction) throws {
        try transaction.execute("DELETE FROM single_use_media")
        try transaction.execute("DELETE FROM snap_files")
        try transaction.execute(
            """
            UPDATE snaps SET description = '', picture_erased_at = coalesce(picture_erased_at, $1),
                expires_at = CASE WHEN expires_at > $1 THEN $1 ELSE expires_at END
            """, transaction.now)
    }
}
