import Core
import Feeds
import People
import Storage

/// The SQL of collages.
struct CollageStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    // MARK: Reading

    /// The row of a collage, without people and cells.
    struct Head: Sendable {
        var id: Collage.ID
        var owner: Account.ID
        var chat: Chat.ID?
        var style: CollageStyle
        var revision: Int
        var renderedRevision: Int
        var photo: Photo.ID?
        var isFinished: Bool
        var copiedFrom: Collage.ID?
    }

    private static let columns = """
        c.id, c.owner_id, c.chat_id, c.layout, c.background, c.spacing, c.corner_radius, c.revision,
        c.rendered_revision, c.photo_id, c.is_finished, c.copied_from
        """

    /// Whether the account `$2` takes part in the collage `c`.
    private static let takesPart = """
        (c.owner_id = $2 OR EXISTS (SELECT 1 FROM collage_people p WHERE p.collage_id = c.id AND p.account_id = $2))
        """

    /// Whether the account `$2` takes part in the collage `c` and sees its photos. A finished collage shows them to its owner,
    /// and to the people who gave a photo for it.
    static let seesPhotos = """
        \(takesPart) AND (c.is_finished = 0 OR c.owner_id = $2
            OR EXISTS (SELECT 1 FROM collage_cells g WHERE g.collage_id = c.id AND g.giver_id = $2))
        """

    private static func head(from row: Row) throws -> Head {
        Head(
            id: try row.get("id"), owner: try row.get("owner_id"), chat: try row.get("chat_id"),
            style: CollageStyle(
                layout: CollageLayout(id: try row.string("layout")) ?? .twoAboveOne,
                background: try row.string("background"), spacing: try row.int("spacing"),
                cornerRadius: try row.int("corner_radius")),
            revision: try row.int("revision"), renderedRevision: try row.int("rendered_revision"),
            photo: try row.get("photo_id"), isFinished: try row.bool("is_finished"),
            copiedFrom: try row.get("copied_from"))
    }

    /// Returns a collage in which an account takes part; nil for all others.
    func head(_ id: Collage.ID, of account: Account.ID) throws -> Head? {
        try transaction.row(
            "SELECT \(Self.columns) FROM collages c WHERE c.id = $1 AND \(Self.takesPart)", id, account
        ) { try Self.head(from: $0) }
    }

    /// Returns a collage without checking who may see it.
    func head(_ id: Collage.ID) throws -> Head? {
        try transaction.row("SELECT \(Self.columns) FROM collages c WHERE c.id = $1", id) {
            try Self.head(from: $0)
        }
    }

    /// Returns the collage whose picture is a photo.
    func head(renderedTo photo: Photo.ID) throws -> Head? {
        try transaction.row("SELECT \(Self.columns) FROM collages c WHERE c.photo_id = $1", photo) {
            try Self.head(from: $0)
        }
    }

    /// Returns the finished collage whose picture was delivered to an account as a photo.
    func head(deliveredAs photo: Photo.ID, to account: Account.ID) throws -> Head? {
        try transaction.row(
            """
            SELECT \(Self.columns) FROM collage_people q JOIN collages c ON c.id = q.collage_id
            WHERE q.photo_id = $1 AND q.account_id = $2
            """, photo, account
        ) { try Self.head(from: $0) }
    }

    /// Returns the copies of a collage that was made together.
    func copies(of id: Collage.ID) throws -> [Head] {
        try transaction.rows(
            "SELECT \(Self.columns) FROM collages c WHERE c.copied_from = $1 ORDER BY c.id", id
        ) { try Self.head(from: $0) }
    }

    /// Returns the newest copy of a collage that an account has begun and not rendered yet.
    func begunCopy(of id: Collage.ID, by account: Account.ID) throws -> Collage.ID? {
        try transaction.value(
            """
            SELECT id FROM collages WHERE copied_from = $1 AND owner_id = $2 AND rendered_revision = 0
            ORDER BY id DESC LIMIT 1
            """, id, account)
    }

    /// Returns a page of the unfinished collages of an account, its own and shared ones, newest first: collages that
    /// were changed since they were rendered, or never were.
    func unfinished(of account: Account.ID, page: PageRequest) throws -> [Head] {
        try page.rows(
            idColumn: "c.id",
            """
            SELECT \(Self.columns) FROM collages c
            WHERE c.id IN (
                SELECT id FROM collages WHERE owner_id = $1 AND is_finished = 0 AND rendered_revision <> revision
                UNION ALL SELECT collage_id FROM collage_people WHERE account_id = $1)
            AND c.is_finished = 0 AND c.rendered_revision <> c.revision
            """, arguments: [account], transaction
        ) { try Self.head(from: $0) }
    }

    /// Returns how many unfinished collages an account has begun.
    func unfinishedCount(ownedBy account: Account.ID) throws -> Int {
        try transaction.value(
            """
            SELECT count(*) FROM collages
            WHERE owner_id = $1 AND is_finished = 0 AND rendered_revision <> revision
            """, account) ?? 0
    }

    /// The row of a person who fills a collage together with its owner.
    struct Person: Sendable {
        var account: Account.ID
        /// The group by which they take part; nil when they were invited by name, or with a chat of two.
        var group: Chat.ID?
        /// The copy of the finished picture in their library.
        var copy: Photo.ID?
    }

    /// Returns the rows of the people who fill a collage together with its owner.
    func company(of id: Collage.ID) throws -> [Person] {
        try transaction.rows(
            "SELECT account_id, group_id, photo_id FROM collage_people WHERE collage_id = $1 ORDER BY account_id",
            id
        ) {
            Person(
                account: try $0.get("account_id"), group: try $0.get("group_id"),
                copy: try $0.get("photo_id"))
        }
    }

    /// Returns the people who fill a collage together with its owner.
    func people(of id: Collage.ID) throws -> [Account.ID] { try company(of: id).map(\.account) }

    /// Returns the people who fill each of some collages together with its owner.
    func people(of ids: Set<Collage.ID>) throws -> [Collage.ID: [Account.ID]] {
        let rows = try transaction.rows(for: ids.sorted()) { places in
            """
            SELECT collage_id, account_id FROM collage_people WHERE collage_id IN (\(places))
            ORDER BY collage_id, account_id
            """
        } map: { row -> (collage: Collage.ID, account: Account.ID) in
            (try row.get("collage_id"), try row.get("account_id"))
        }
        return Dictionary(grouping: rows) { $0.collage }.mapValues { $0.map { $0.account } }
    }

    /// Returns the photo of the finished picture that an account has.
    func copy(of id: Collage.ID, for account: Account.ID) throws -> Photo.ID? {
        try transaction.value(
            "SELECT photo_id FROM collage_people WHERE collage_id = $1 AND account_id = $2", id, account)
    }

    /// The row of a cell.
    struct Cell: Sendable {
        var assignee: Account.ID?
        var giver: Account.ID?
        var photo: Photo?
        var view: CollageView
        var exchange: Int64?
    }

    /// Returns the nine cells of a collage.
    func cells(of id: Collage.ID) throws -> [Cell] {
        try transaction.rows(
            """
            SELECT k.assignee_id, k.giver_id, k.photo_id AS cell_photo_id, k.zoom, k.x, k.y, k.exchange_id,
                \(PhotoRow.columns)
            FROM collage_cells k LEFT JOIN \(PhotoRow.table) ph ON ph.id = k.photo_id
            WHERE k.collage_id = $1 ORDER BY k.position
            """, id
        ) { row in
            Cell(
                assignee: try row.get("assignee_id"), giver: try row.get("giver_id"),
                photo: row.isNull("cell_photo_id") ? nil : try PhotoRow.photo(from: row),
                view: CollageView(
                    zoom: try row.double("zoom"), x: try row.double("x"), y: try row.double("y")),
                exchange: try row.optionalInt64("exchange_id"))
        }
    }

    /// Returns whether a collage shows a photo to an account that takes part in it (``seesPhotos``).
    func shows(_ photo: Photo.ID, to account: Account.ID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM collage_cells k JOIN collages c ON c.id = k.collage_id
            WHERE k.photo_id = $1 AND \(Self.seesPhotos) LIMIT 1
            """, photo, account
        ) { _ in true } ?? false
    }

    /// Returns the collages that contain a photo.
    func collages(with photo: Photo.ID) throws -> [Head] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM collages c
            WHERE c.id IN (SELECT collage_id FROM collage_cells WHERE photo_id = $1) ORDER BY c.id
            """, photo
        ) { try Self.head(from: $0) }
    }

    /// Returns the collages that an account fills together with others.
    func shared(by account: Account.ID) throws -> [Head] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM collages c
            WHERE c.id IN (SELECT collage_id FROM collage_people WHERE account_id = $1
                UNION SELECT p.collage_id FROM collages o JOIN collage_people p ON p.collage_id = o.id
                    WHERE o.owner_id = $1)
            ORDER BY c.id
            """, account
        ) { try Self.head(from: $0) }
    }

    /// Returns the unfinished collages in which an account takes part by a group, and those of its own in which others do
    /// or which were started in the group.
    func unfinished(by group: Chat.ID, with account: Account.ID) throws -> [Head] {
        // collage_people_by_group; collages_unfinished, because a collage of several is rendered when it is finished;
        // collages_by_chat.
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM collages c
            WHERE c.is_finished = 0 AND c.id IN (
                SELECT collage_id FROM collage_people WHERE group_id = $1 AND account_id = $2
                UNION SELECT o.id FROM collages o JOIN collage_people p ON p.collage_id = o.id AND p.group_id = $1
                    WHERE o.owner_id = $2 AND o.is_finished = 0 AND o.rendered_revision <> o.revision
                UNION SELECT id FROM collages WHERE chat_id = $1 AND owner_id = $2)
            ORDER BY c.id
            """, group, account
        ) { try Self.head(from: $0) }
    }

    /// Returns the number of unfinished collages that two accounts fill together, at most 100.
    func pendingCount(with one: Account.ID, and other: Account.ID) throws -> Int {
        // Both sets are small: collage_people_by_account, and the collages that an account has begun.
        try transaction.value(
            """
            SELECT count(*) FROM (
                SELECT c.id FROM collage_people p JOIN collages c ON c.id = p.collage_id AND c.is_finished = 0
                WHERE p.account_id = $1 AND (c.owner_id = $2
                    OR EXISTS (SELECT 1 FROM collage_people q WHERE q.collage_id = c.id AND q.account_id = $2))
                UNION
                SELECT c.id FROM collage_people p JOIN collages c ON c.id = p.collage_id AND c.is_finished = 0
                WHERE p.account_id = $2 AND c.owner_id = $1
                LIMIT 100) AS few
            """, one, other) ?? 0
    }

    /// Returns some collages of an account.
    func collages(ownedBy account: Account.ID, limit: Int) throws -> [Collage.ID] {
        try transaction.values("SELECT id FROM collages WHERE owner_id = $1 LIMIT $2", account, limit)
    }

    // MARK: Writing

    /// Adds a collage with nine empty cells.
    ///
    /// - Parameter source: the collage of which it is a copy.
    func insert(
        _ style: CollageStyle, of owner: Account.ID, chat: Chat.ID?, copyOf source: Collage.ID? = nil
    ) throws -> Collage.ID {
        let id = Collage.ID(rawValue: transaction.newID())
        try transaction.execute(
            """
            INSERT INTO collages (id, owner_id, chat_id, layout, background, spacing, corner_radius, revision,
                rendered_revision, is_finished, copied_from)
            VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 0, 0, $8)
            """, id, owner, chat, style.layout.id, style.background, style.spacing, style.cornerRadius,
            source)
        for position in 0..<CollageLayout.mostCells {
            try transaction.execute(
                "INSERT INTO collage_cells (collage_id, position, zoom, x, y) VALUES ($1, $2, 1, 0.5, 0.5)",
                id, position)
        }
        return id
    }

    /// Adds a person who fills a collage together with its owner. Who was invited by name stays when a group is added, and
    /// who came with a group stays without it when they are invited by name.
    func add(_ account: Account.ID, to id: Collage.ID, by group: Chat.ID? = nil) throws {
        try transaction.execute(
            """
            INSERT INTO collage_people (collage_id, account_id, group_id) VALUES ($1, $2, $3)
            ON CONFLICT (collage_id, account_id) DO UPDATE
                SET group_id = CASE WHEN excluded.group_id IS NULL THEN NULL ELSE collage_people.group_id END
            """, id, account, group)
    }

    /// Separates a collage from the chat in which it was started.
    func leaveChat(_ id: Collage.ID) throws {
        try transaction.execute("UPDATE collages SET chat_id = NULL WHERE id = $1", id)
    }

    /// Removes a person from a collage.
    func remove(_ account: Account.ID, from id: Collage.ID) throws {
        try transaction.execute(
            "DELETE FROM collage_people WHERE collage_id = $1 AND account_id = $2", id, account)
        try unexchange(id, with: account)
    }

    /// Writes a collage's look.
    func set(_ style: CollageStyle, of id: Collage.ID) throws {
        try transaction.execute(
            "UPDATE collages SET layout = $2, background = $3, spacing = $4, corner_radius = $5 WHERE id = $1",
            id, style.layout.id, style.background, style.spacing, style.cornerRadius)
    }

    /// Writes one cell.
    func set(_ cell: CollageCell, at position: Int, of id: Collage.ID) throws {
        try transaction.execute(
            """
            UPDATE collage_cells SET assignee_id = $3, giver_id = $4, photo_id = $5, zoom = $6, x = $7, y = $8,
                exchange_id = $9
            WHERE collage_id = $1 AND position = $2
            """, id, position, cell.assignee?.id, cell.giver?.id, cell.photo?.id, cell.view.zoom, cell.view.x,
            cell.view.y, cell.exchange)
    }

    /// Empties the cells that an account has filled or is to fill.
    func empty(_ id: Collage.ID, of account: Account.ID) throws {
        try removePhotos(setting: Self.emptied, where: "collage_id = $1 AND giver_id = $2", id, account)
        try transaction.execute(
            "UPDATE collage_cells SET assignee_id = NULL WHERE collage_id = $1 AND assignee_id = $2", id,
            account)
    }

    /// Empties the cells with a photo.
    func empty(_ id: Collage.ID, of photo: Photo.ID) throws {
        try removePhotos(setting: Self.emptied, where: "collage_id = $1 AND photo_id = $2", id, photo)
    }

    /// Empties the cells that others than the owner have filled, from a position on.
    func emptyOthers(_ id: Collage.ID, owner: Account.ID, from position: Int = 0) throws {
        try removePhotos(
            setting: Self.emptied, where: "collage_id = $1 AND giver_id <> $2 AND position >= $3", id, owner,
            position)
    }

    /// Removes a photo that is about to be deleted from its cells. The cells keep the name of the person who gave it.
    func release(_ photo: Photo.ID) throws {
        try removePhotos(setting: Self.withoutPhoto, where: "photo_id = $1", photo)
    }

    private static let withoutPhoto = "photo_id = NULL, exchange_id = NULL"
    private static let emptied = "\(withoutPhoto), giver_id = NULL, zoom = 1, x = 0.5, y = 0.5"

    /// Removes the photos of some cells, also from private feeds.
    private func removePhotos(
        setting columns: String, where condition: String, _ arguments: (any SQLConvertible)?...
    ) throws {
        try transaction.execute(
            """
            DELETE FROM collage_exchanges
            WHERE collage_id IN (SELECT collage_id FROM collage_cells WHERE \(condition))
                AND exchange_id IN (SELECT exchange_id FROM collage_cells WHERE \(condition))
            """, arguments: arguments)
        try transaction.execute(
            "UPDATE collage_cells SET \(columns) WHERE \(condition)", arguments: arguments)
    }

    /// Raises the revision of a collage. A finished collage isn't changed: a person who leaves it removes their photos,
    /// and its picture stays.
    func touch(_ id: Collage.ID) throws {
        try transaction.execute(
            "UPDATE collages SET revision = revision + 1 WHERE id = $1 AND is_finished = 0", id)
    }

    /// Records the picture of a collage.
    func setRendered(_ id: Collage.ID, photo: Photo.ID, revision: Int, isFinished: Bool) throws {
        try transaction.execute(
            "UPDATE collages SET photo_id = $2, rendered_revision = $3, is_finished = $4 WHERE id = $1", id,
            photo, revision, isFinished)
    }

    /// Records the photo of the finished picture that an account has.
    func setCopy(_ photo: Photo.ID, of id: Collage.ID, for account: Account.ID) throws {
        try transaction.execute(
            "UPDATE collage_people SET photo_id = $3 WHERE collage_id = $1 AND account_id = $2", id, account,
            photo)
    }

    func delete(_ id: Collage.ID) throws {
        try transaction.execute("DELETE FROM collages WHERE id = $1", id)
    }
}
