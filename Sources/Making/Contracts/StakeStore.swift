import Core
import Imaging
import Storage

// The SQL of sealed photos.
extension ContractStore {
    func stake(of id: Contract.ID, _ role: ContractRole) throws -> Contract.Stake? {
        try transaction.row(
            """
            SELECT id, description, width, height, blurhash, colour, focus_x, focus_y FROM contract_stakes
            WHERE contract_id = $1 AND role = $2
            """, id, role
        ) { row in
            Contract.Stake(
                id: ID(rawValue: try row.int64("id")), description: try row.string("description"),
                width: try row.int("width"), height: try row.int("height"),
                blurhash: try row.string("blurhash"), colour: try row.string("colour"),
                focus: Focus(x: try row.get("focus_x"), y: try row.get("focus_y")) ?? .middle)
        }
    }

    /// Inserts a sealed photo with its files, which have their rows in `blobs`.
    func insert(_ stake: Contract.Stake, _ files: [KeptFile], of id: Contract.ID, _ role: ContractRole)
        throws
    {
        try transaction.execute(
            """
            INSERT INTO contract_stakes (id, contract_id, role, description, width, height, blurhash, colour,
                focus_x, focus_y)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """, stake.id, id, role, stake.description, stake.width, stake.height, stake.blurhash,
            stake.colour, stake.focus.x, stake.focus.y)
        for file in files {
            try transaction.execute(
                """
                INSERT INTO contract_stake_files (stake_id, variant, blob_key, width, height)
                VALUES ($1, $2, $3, $4, $5)
                """, stake.id, file.variant, file.key, file.width, file.height)
        }
    }

    func files(ofStake id: Contract.Stake.ID) throws -> [KeptFile] {
        try transaction.rows(
            "SELECT variant, blob_key, width, height FROM contract_stake_files WHERE stake_id = $1", id
        ) { try KeptFile(from: $0) }
    }

    func file(ofStake id: Contract.Stake.ID, variant: String) throws -> BlobKey? {
        try transaction.value(
            "SELECT blob_key FROM contract_stake_files WHERE stake_id = $1 AND variant = $2", id, variant)
    }

    /// Releases the files of a sealed photo. The caller adds them to another table.
    func release(_ stake: Contract.Stake) throws -> [KeptFile] {
        let files = try files(ofStake: stake.id)
        try transaction.execute("DELETE FROM contract_stakes WHERE id = $1", stake.id)
        return files
    }

    /// Deletes a sealed photo and schedules the erasure of its files.
    func eraseStake(of id: Contract.ID, _ role: ContractRole) throws {
        guard let stake = try stake(of: id, role) else { return }
        for file in try release(stake) { try transaction.eraseFile(file.key) }
    }
}
