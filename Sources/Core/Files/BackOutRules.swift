import Storage

extension BackOutRules {
    /// What has to be known of the features' tables and the app's own.
    package init(for features: [any Feature.Type]) {
        let (files, uses, jobs) = (FileRow.table, FileRow.uses, JobOutbox.table)
        let kept = features.flatMap { $0.tables }.filter(\.isKept).map(\.name)
        self.init(
            // Work that was scheduled meanwhile still has to be done for what stays, and finds the rest gone.
            kept: Set(kept + [jobs]), files: files,
            counts: features.flatMap { $0.counters }.compactMap(\.recount),
            ends: [
                "DELETE FROM main.\(uses)",
                """
                INSERT INTO main.\(uses) (account_id, byte_count) SELECT owner_id, sum(byte_count) FROM main.\(files)
                WHERE owner_id IN (SELECT id FROM main.\(AccountRow.table)) GROUP BY owner_id
                """,
                // The files of what is lost leave the disk.
                """
                INSERT INTO main.\(jobs) (id, kind, payload, run_at)
                SELECT (SELECT coalesce(max(id), 0) FROM main.\(jobs)) + row_number() OVER (), '\(JobKind.eraseBlob.name)', p.key, 0
                FROM present.\(files) p
                WHERE NOT EXISTS (SELECT 1 FROM main.\(files) m WHERE m.key = p.key)
                    AND NOT EXISTS (SELECT 1 FROM main.\(jobs) j WHERE j.kind = '\(JobKind.eraseBlob.name)' AND j.payload = p.key)
                """,
            ])
    }
}
