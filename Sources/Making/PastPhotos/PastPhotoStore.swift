import Core
import Foundation
import People
import Storage

/// The SQL of searches for old photos.
struct PastPhotoStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Turns

    /// Records that an account begins a search, which replaces earlier searches. Returns the search's number.
    func beginTurn(of account: Account.ID) throws -> Int64 {
        let turn = transaction.newID()
        try transaction.execute(
            """
            INSERT INTO past_search_turns (account_id, turn) VALUES ($1, $2)
            ON CONFLICT (account_id) DO UPDATE SET turn = $2
            """, account, turn)
        return turn
    }

    /// Returns the number of the newest search that an account has begun.
    func turn(of account: Account.ID) throws -> Int64? {
        try transaction.value("SELECT turn FROM past_search_turns WHERE account_id = $1", account)
    }

    // MARK: Searches

    /// Returns the last search of an account without its photos, and when it was last looked at.
    func head(of account: Account.ID) throws -> (search: PastSearch, usedAt: Date)? {
        let found = try transaction.row(
            """
            SELECT id, latitude, longitude, radius, from_year, to_year, sources, used_at
            FROM past_searches WHERE account_id = $1
            """, account
        ) { row -> (PastSearch, Date)? in
            let (first, last) = (try row.int("from_year"), try row.int("to_year"))
            let place = Coordinate(
                latitude: try row.double("latitude"), longitude: try row.double("longitude"))
            guard let place, first <= last else { return nil }
            let query = PastPhotoQuery(
                place: place, radius: try row.int("radius"), years: first...last,
                sources: try row.string("sources").split(separator: ",").map(String.init))
            let id = PastSearch.ID(rawValue: try row.int64("id"))
            return (PastSearch(id: id, query: query, answers: [], photos: []), try row.date("used_at"))
        }
        guard case (var search, let usedAt)? = found ?? nil else { return nil }
        search.answers = try answers(of: search.id)
        return (search, usedAt)
    }

    private func answers(of search: PastSearch.ID) throws -> [PastSearch.Answer] {
        try transaction.rows(
            """
            SELECT name, title, state, photos_count, message FROM past_search_answers
            WHERE search_id = $1 ORDER BY position
            """, search
        ) { row in
            PastSearch.Answer(
                name: try row.string("name"), title: try row.string("title"),
                state: PastSearch.Answer.State(rawValue: try row.string("state")) ?? .failed,
                count: try row.int("photos_count"), message: try row.optionalString("message"))
        }
    }

    /// Inserts a search as the account's last search. There must be none before.
    func insert(
        _ query: PastPhotoQuery, _ answers: [PastSearch.Answer], _ photos: [PastPhotoMerge.Placed],
        of account: Account.ID
    ) throws {
        let id = PastSearch.ID(rawValue: transaction.newID())
        try transaction.execute(
            """
            INSERT INTO past_searches
                (id, account_id, latitude, longitude, radius, from_year, to_year, sources, used_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """, id, account, query.place.latitude, query.place.longitude, query.radius,
            query.years.lowerBound, query.years.upperBound, query.sources.joined(separator: ","),
            transaction.now)
        for (position, answer) in answers.enumerated() {
            try transaction.execute(
                """
                INSERT INTO past_search_answers (search_id, position, name, title, state, photos_count, message)
                VALUES ($1, $2, $3, $4, $5, $6, $7)
                """, id, position, answer.name, answer.title, answer.state.rawValue, answer.count,
                answer.message)
        }
        let titles = Dictionary(answers.map { ($0.name, $0.title) }) { first, _ in first }
        for (position, placed) in photos.enumerated() {
            try insert(
                placed, at: position, titles[placed.photo.source] ?? placed.photo.source, of: id, account)
        }
    }

    private func insert(
        _ placed: PastPhotoMerge.Placed, at position: Int, _ sourceTitle: String, of search: PastSearch.ID,
        _ account: Account.ID
    ) throws {
        let photo = placed.photo
        try transaction.execute(
            """
            INSERT INTO past_photos
                (id, search_id, owner_id, position, source, source_title, source_key, title, author, licence,
                licence_url, page_url, date_words, from_year, to_year, latitude, longitude, distance,
                picture_url, full_url, width, height, photo_id, state)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
                $21, $22, $23, $24)
            """, transaction.newID(), search, account, position, photo.source, sourceTitle, photo.sourceID,
            photo.title, photo.author, photo.licence, photo.licenceURL, photo.pageURL, photo.dateWords,
            photo.years.lowerBound, photo.years.upperBound, photo.place.latitude, photo.place.longitude,
            Int(placed.distance.rounded()), photo.pictureURL, photo.fullURL, photo.width, photo.height,
            photo.photo, photo.photo == nil ? "waiting" : "ready")
    }

    /// Records that a search was looked at.
    func touch(_ search: PastSearch.ID) throws {
        try transaction.execute(
            "UPDATE past_searches SET used_at = $2 WHERE id = $1", search, transaction.now)
    }

    /// Erases the search of an account with its photos and their files. Returns whether there was one.
    @discardableResult
    func erase(of account: Account.ID) throws -> Bool {
        let keys = try transaction.values(
            """
            SELECT f.blob_key FROM past_photo_files f JOIN past_photos pp ON pp.id = f.past_photo_id
            WHERE pp.owner_id = $1
            """, account, as: BlobKey.self)
        try transaction.execute(
            """
            DELETE FROM past_photo_files
            WHERE past_photo_id IN (SELECT id FROM past_photos WHERE owner_id = $1)
            """, account)
        for key in keys { try transaction.eraseFile(key) }
        try transaction.execute("DELETE FROM past_photos WHERE owner_id = $1", account)
        return try transaction.execute("DELETE FROM past_searches WHERE account_id = $1", account) > 0
    }

    // MARK: Photos

    private static let columns = """
        id, owner_id, source, source_title, source_key, title, author, licence, licence_url, page_url, date_words,
        from_year, to_year, latitude, longitude, distance, picture_url, full_url, width, height, photo_id,
        state, failure
        """

    /// Returns the photos of a search, in the order of its list.
    func photos(of search: PastSearch.ID) throws -> [PastPhoto] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM past_photos WHERE search_id = $1 ORDER BY position", search
        ) { try Self.photo(from: $0) }.compactMap { $0 }
    }

    func photo(_ id: PastPhoto.ID) throws -> PastPhoto? {
        try transaction.row("SELECT \(Self.columns) FROM past_photos WHERE id = $1", id) {
            try Self.photo(from: $0)
        } ?? nil
    }

    private static func photo(from row: Row) throws -> PastPhoto? {
        let (first, last) = (try row.int("from_year"), try row.int("to_year"))
        let place = Coordinate(latitude: try row.double("latitude"), longitude: try row.double("longitude"))
        guard let place, first <= last else { return nil }
        let (width, height) = (try row.int("width"), try row.int("height"))
        let picture: PastPhoto.Picture =
            switch try row.string("state") {
            case "ready": .ready
            case "waiting": .waiting
            default: .failed(try row.optionalString("failure") ?? "")
            }
        let found = FoundPhoto(
            source: try row.string("source"), sourceID: try row.string("source_key"),
            title: try row.string("title"), author: try row.string("author"),
            licence: try row.string("licence"), licenceURL: try row.optionalString("licence_url"),
            pageURL: try row.string("page_url"), dateWords: try row.string("date_words"),
            years: first...last, place: place, pictureURL: try row.string("picture_url"),
            fullURL: try row.optionalString("full_url"), width: width, height: height,
            photo: try row.optionalInt64("photo_id").map { ID(rawValue: $0) })
        return PastPhoto(
            id: ID(rawValue: try row.int64("id")), owner: ID(rawValue: try row.int64("owner_id")),
            found: found, sourceTitle: try row.string("source_title"), distance: try row.int("distance"),
            picture: picture, width: width, height: height)
    }

    // MARK: Files

    /// Returns the files of a photo: those of `full.jpeg`, `large.webp`, `large.jpeg`, `square.webp` and `square.jpeg`
    /// that were fetched.
    func files(of photo: PastPhoto.ID) throws -> [KeptFile] {
        try transaction.rows(
            """
            SELECT variant, blob_key, width, height FROM past_photo_files WHERE past_photo_id = $1
            ORDER BY variant
            """, photo
        ) { try KeptFile(from: $0) }
    }

    /// Returns the number of bytes of all files of the photos that an account has found.
    func byteCount(of account: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT coalesce(CAST(sum(b.byte_count) AS BIGINT), 0) FROM past_photos pp
            JOIN past_photo_files f ON f.past_photo_id = pp.id JOIN \(FileRow.table) b ON b.key = f.blob_key
            WHERE pp.owner_id = $1
            """, account) ?? 0
    }

    /// Inserts the files of a photo's picture.
    func insert(_ files: [StoredPicture.File], of photo: PastPhoto) throws {
        for file in files {
            try transaction.insertFile(file.blob, of: photo.owner)
            try transaction.execute(
                """
                INSERT INTO past_photo_files (past_photo_id, variant, blob_key, width, height)
                VALUES ($1, $2, $3, $4, $5)
                """, photo.id, file.variant, file.blob.key, file.width, file.height)
        }
    }

    /// Records that the picture is ready, and its upright size.
    func setReady(_ photo: PastPhoto.ID, width: Int, height: Int) throws {
        try transaction.execute(
            "UPDATE past_photos SET state = 'ready', width = $2, height = $3 WHERE id = $1", photo, width,
            height)
    }

    /// Records why the picture can't be fetched, unless it was fetched in the meantime.
    func setFailed(_ photo: PastPhoto.ID, _ sentence: String) throws {
        try transaction.execute(
            "UPDATE past_photos SET state = 'failed', failure = $2 WHERE id = $1 AND state = 'waiting'",
            photo,
            sentence)
    }
}
