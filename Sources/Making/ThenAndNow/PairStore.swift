import Alignment
import Core
import Imaging
import People
import Storage

/// The SQL of pairs.
struct PairStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Reading

    private static let columns = """
        r.series_id, r.then_origin, r.then_title, r.then_author, r.then_licence, r.then_licence_url,
        r.then_source_url, r.then_date, r.then_year, r.now_year, r.aspect, r.past_zoom, r.past_x, r.past_y,
        r.now_zoom, r.now_x, r.now_y, r.alignment, r.alignment_reason, r.transform, r.crop, r.mode,
        r.has_caption, r.revision, tf.width AS then_width, tf.height AS then_height, nf.width AS now_width,
        nf.height AS now_height
        """

    private static let tables = """
        pairs r JOIN \(PhotoRow.table) ph ON ph.id = r.photo_id
        JOIN pair_files tf ON tf.photo_id = r.photo_id AND tf.variant = 'then.full'
        JOIN pair_files nf ON nf.photo_id = r.photo_id AND nf.variant = 'now.full'
        """

    private static func pair(from row: Row) throws -> Pair {
        Pair(
            photo: try PhotoRow.photo(from: row), series: try row.int64("series_id"),
            composition: try composition(from: row), revision: try row.int("revision"))
    }

    private static func composition(from row: Row) throws -> PairComposition {
        PairComposition(
            then: .init(
                origin: .init(rawValue: try row.string("then_origin")) ?? .library,
                title: try row.string("then_title"), author: try row.string("then_author"),
                licence: try row.string("then_licence"), licenceURL: try row.get("then_licence_url"),
                sourceURL: try row.get("then_source_url"), dateWords: try row.string("then_date"),
                year: try row.get("then_year"), width: try row.int("then_width"),
                height: try row.int("then_height")),
            now: .init(
                year: try row.int("now_year"), width: try row.int("now_width"),
                height: try row.int("now_height")),
            aspect: try row.double("aspect"),
            pastView: PictureView(
                zoom: try row.double("past_zoom"), x: try row.double("past_x"), y: try row.double("past_y")),
            nowView: PictureView(
                zoom: try row.double("now_zoom"), x: try row.double("now_x"), y: try row.double("now_y")),
            alignment: try alignment(from: row),
            mode: .init(rawValue: try row.string("mode")) ?? .slider,
            hasCaption: try row.bool("has_caption"))
    }

    private static func alignment(from row: Row) throws -> Pair.Alignment {
        let state = try row.string("alignment")
        if state == "refused" { return .refused(reason: try row.string("alignment_reason")) }
        let crop = numbers(try row.string("crop"))
        guard let hand = Pair.Alignment.Hand(rawValue: state), crop.count == 4,
            let map = Homography(numbers(try row.string("transform")))
        else { return .none }
        return .aligned(
            map, crop: .init(x: crop[0], y: crop[1], width: crop[2], height: crop[3]), by: hand)
    }

    private static func numbers(_ text: String) -> [Double] {
        text.split(separator: " ").compactMap { Double($0) }
    }

    /// Returns a pair, without checking its owner.
    func pair(_ id: Pair.ID) throws -> Pair? {
        try transaction.row(
            "SELECT \(PhotoRow.columns), \(Self.columns) FROM \(Self.tables) WHERE r.photo_id = $1", id
        ) { try Self.pair(from: $0) }
    }

    /// Returns an account's pairs of a series, oldest first, at most `limit`.
    func series(_ series: Int64, of owner: Account.ID, limit: Int) throws -> [Pair] {
        try transaction.rows(
            """
            SELECT \(PhotoRow.columns), \(Self.columns) FROM \(Self.tables)
            WHERE r.owner_id = $1 AND r.series_id = $2 ORDER BY r.photo_id LIMIT $3
            """, owner, series, limit
        ) { try Self.pair(from: $0) }
    }

    /// Returns whether an account has pairs of a photo's series, without the photo itself.
    func hasRetakes(of photo: Photo.ID, of owner: Account.ID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM pairs
            WHERE owner_id = $1 AND photo_id <> $2 AND series_id =
                coalesce((SELECT series_id FROM pairs WHERE photo_id = $2), $2)
            LIMIT 1
            """, owner, photo
        ) { _ in true } ?? false
    }

    // MARK: Writing

    /// Adds a pair to its photo.
    ///
    /// - Parameter series: the series that the pair belongs to; nil for a new one.
    func insert(_ pair: PairComposition, as id: Pair.ID, of owner: Account.ID, series: Int64?) throws {
        let (then, past, now) = (pair.then, pair.pastView, pair.nowView)
        try transaction.execute(
            """
            INSERT INTO pairs (photo_id, owner_id, series_id, then_origin, then_title, then_author,
                then_licence, then_licence_url, then_source_url, then_date, then_year, now_year, aspect,
                past_zoom, past_x, past_y, now_zoom, now_x, now_y, alignment, alignment_reason, transform, crop,
                mode, has_caption, revision)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19,
                'none', '', '', '', $20, $21, 1)
            """, id, owner, series ?? id.rawValue, then.origin.rawValue, then.title, then.author,
            then.licence, then.licenceURL, then.sourceURL, then.dateWords, then.year, pair.now.year,
            pair.aspect, past.zoom, past.x, past.y, now.zoom, now.x, now.y, pair.mode.rawValue,
            pair.hasCaption)
        try setAlignment(pair.alignment, of: id)
    }

    /// Writes the look of a pair, if nothing has changed the pair since it was read. Returns whether it was written.
    func update(_ pair: Pair) throws -> Bool {
        let isCurrent =
            try transaction.execute(
                """
                UPDATE pairs SET mode = $3, has_caption = $4, then_year = $5, then_date = $6,
                    revision = revision + 1
                WHERE photo_id = $1 AND revision = $2
                """, pair.id, pair.revision, pair.mode.rawValue, pair.hasCaption, pair.then.year,
                pair.then.dateWords) > 0
        if isCurrent { try setAlignment(pair.alignment, of: pair.id) }
        return isCurrent
    }

    private func setAlignment(_ alignment: Pair.Alignment, of id: Pair.ID) throws {
        var (state, reason, transform, crop) = ("none", "", "", "")
        switch alignment {
        case .none: break
        case .refused(let why): (state, reason) = ("refused", why)
        case .aligned(let map, let part, let hand):
            state = hand.rawValue
            transform = map.elements.map { "\($0)" }.joined(separator: " ")
            crop = [part.x, part.y, part.width, part.height].map { "\($0)" }.joined(separator: " ")
        }
        try transaction.execute(
            """
            UPDATE pairs SET alignment = $2, alignment_reason = $3, transform = $4, crop = $5
            WHERE photo_id = $1
            """, id, state, reason, transform, crop)
    }

    // MARK: Files

    /// Returns a file of a pair.
    func file(_ variant: String, of id: Pair.ID) throws -> BlobKey? {
        try transaction.value(
            "SELECT blob_key FROM pair_files WHERE photo_id = $1 AND variant = $2", id, variant)
    }

    /// Returns the files of a pair's two sources, in full size and in the sizes that are shown. A variant is `then` or
    /// `now`, followed by the size and format, such as `then.full` or `now.large.webp`.
    func sources(of id: Pair.ID) throws -> [KeptFile] {
        try transaction.rows(
            """
            SELECT variant, blob_key, width, height FROM pair_files
            WHERE photo_id = $1 AND variant NOT LIKE 'made.%'
            """, id
        ) { try KeptFile(from: $0) }
    }

    /// Inserts a file of a pair.
    func insert(_ file: KeptFile, of id: Pair.ID) throws {
        try transaction.execute(
            """
            INSERT INTO pair_files (photo_id, variant, blob_key, width, height)
            VALUES ($1, $2, $3, $4, $5)
            """, id, file.variant, file.key, file.width, file.height)
    }

    /// Erases the pictures of a pair that were rendered on request.
    func eraseMade(of id: Pair.ID) throws {
        let keys = try transaction.values(
            "DELETE FROM pair_files WHERE photo_id = $1 AND variant LIKE 'made.%' RETURNING blob_key",
            id, as: BlobKey.self)
        for key in keys { try transaction.eraseFile(key) }
    }

    /// Deletes everything that makes a photo a pair, and schedules the erasure of its files.
    func delete(_ id: Pair.ID) throws {
        let keys = try transaction.values(
            "DELETE FROM pair_files WHERE photo_id = $1 RETURNING blob_key", id, as: BlobKey.self)
        for key in keys { try transaction.eraseFile(key) }
        try transaction.execute("DELETE FROM pairs WHERE photo_id = $1", id)
    }

    /// Returns some pairs of an account.
    func pairs(of owner: Account.ID, limit: Int) throws -> [Pair.ID] {
        try transaction.values(
            "SELECT photo_id FROM pairs WHERE owner_id = $1 LIMIT $2", owner, limit)
    }
}
