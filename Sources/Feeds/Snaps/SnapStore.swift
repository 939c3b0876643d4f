import Core
import Foundation
import People
import Storage

/// The SQL of snaps and of their viewers.
struct SnapStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = """
        s.id AS snap_id, \(AccountRow.columns), s.feed AS snap_feed, s.description AS snap_description,
        s.expires_at AS snap_expires_at, s.viewers_count AS snap_viewers_count,
        s.picture_erased_at AS snap_picture_erased_at
        """
    private static let viewColumns = """
        v.view_hash, v.snap_id AS view_snap_id, v.viewer_id AS view_viewer_id,
        v.session_id AS view_session_id, v.opened_at AS view_opened_at, v.shown_at AS view_shown_at,
        v.closed_at AS view_closed_at
        """

    /// The most snaps that a list shows.
    static let longestList = 1_000

    private static func snap(from row: Row) throws -> Snap {
        Snap(
            id: ID(rawValue: try row.int64("snap_id")), poster: try AccountRow.account(from: row),
            feed: SnapFeed(title: try row.string("snap_feed")),
            description: try row.string("snap_description"), expiresAt: try row.date("snap_expires_at"),
            viewersCount: try row.int("snap_viewers_count"),
            pictureErasedAt: try row.optionalDate("snap_picture_erased_at"))
    }

    private static func view(from row: Row) throws -> SnapView {
        SnapView(
            hash: try row.string("view_hash"), snap: ID(rawValue: try row.int64("view_snap_id")),
            viewer: ID(rawValue: try row.int64("view_viewer_id")),
            session: ID(rawValue: try row.int64("view_session_id")),
            openedAt: try row.date("view_opened_at"), shownAt: try row.optionalDate("view_shown_at"),
            closedAt: try row.optionalDate("view_closed_at"))
    }

    // MARK: Reading

    func snap(_ id: Snap.ID) throws -> Snap? { try snaps([id]).first }

    /// Returns some snaps by their ids, at most a page, as far as they exist, in no particular order.
    func snaps(_ ids: [Snap.ID]) throws -> [Snap] {
        try transaction.rows(for: ids) { places in
            """
            SELECT \(Self.columns) FROM snaps s JOIN \(AccountRow.table) a ON a.id = s.poster_id
            WHERE s.id IN (\(places))
            """
        } map: {
            try Self.snap(from: $0)
        }
    }

    /// Returns the query `found` for the ids of other people's snaps that the viewer (`$1`) sees: snaps of mutual
    /// followers, and in `openFeeds` snaps of everyone who isn't blocked. Friends need no check for blocks, because a
    /// block ends the follows.
    private static func found(
        in openFeeds: Set<SnapFeed>, _ arguments: inout [(any SQLConvertible)?]
    ) -> String {
        let friends = """
            SELECT o.id FROM \(FollowRow.table) f
            JOIN \(FollowRow.table) g ON g.follower_id = f.followee_id AND g.followee_id = $1 AND g.is_accepted = 1
            JOIN snaps o ON o.poster_id = f.followee_id
            WHERE f.follower_id = $1 AND f.is_accepted = 1
            """
        guard !openFeeds.isEmpty else { return friends }
        let places = openFeeds.map { feed in
            arguments.append(feed.title)
            return "$\(arguments.count)"
        }
        return """
            \(friends) UNION SELECT o.id FROM snaps o
            WHERE o.feed IN (\(places.joined(separator: ", "))) AND o.poster_id <> $1
                AND \(AccountRow.haveNoBlock("$1", "o.poster_id"))
            """
    }

    /// Returns the live snaps that `viewer` sees, including their own, each with their look at it: unopened snaps
    /// first, then the newest first.
    func snaps(for viewer: Account.ID, openFeeds: Set<SnapFeed>) throws -> [(Snap, SnapView?)] {
        var arguments: [(any SQLConvertible)?] = [viewer, transaction.now, Self.longestList]
        let found = Self.found(in: openFeeds, &arguments)
        return try transaction.rows(
            """
            SELECT \(Self.columns), \(Self.viewColumns)
            FROM (SELECT o.id FROM snaps o WHERE o.poster_id = $1 UNION \(found)) AS found
            JOIN snaps s ON s.id = found.id
            JOIN \(AccountRow.table) a ON a.id = s.poster_id
            LEFT JOIN snap_views v ON v.snap_id = s.id AND v.viewer_id = $1
            WHERE s.expires_at > $2 AND a.is_suspended = 0
                AND (s.picture_erased_at IS NULL OR v.view_hash IS NOT NULL OR s.poster_id = $1)
            ORDER BY v.view_hash IS NOT NULL, s.id DESC LIMIT $3
            """, arguments: arguments
        ) { (try Self.snap(from: $0), $0.isNull("view_hash") ? nil : try Self.view(from: $0)) }
    }

    /// Counts the unopened snaps of other people that `viewer` sees.
    func unreadCount(for viewer: Account.ID, openFeeds: Set<SnapFeed>) throws -> Int {
        var arguments: [(any SQLConvertible)?] = [viewer, transaction.now]
        let found = Self.found(in: openFeeds, &arguments)
        return try transaction.value(
            """
            SELECT count(*) FROM (\(found)) AS found
            JOIN snaps s ON s.id = found.id
            JOIN \(AccountRow.table) a ON a.id = s.poster_id
            WHERE s.expires_at > $2 AND a.is_suspended = 0 AND s.picture_erased_at IS NULL
                AND NOT EXISTS (SELECT 1 FROM snap_views v WHERE v.snap_id = s.id AND v.viewer_id = $1)
            """, arguments: arguments) ?? 0
    }

    /// Counts the live snaps of an account.
    func liveCount(of poster: Account.ID) throws -> Int {
        try transaction.value(
            "SELECT count(*) FROM snaps WHERE poster_id = $1 AND expires_at > $2", poster, transaction.now)
            ?? 0
    }

    /// Returns an account's live snaps, of which there are at most ``SnapService/mostLive``.
    func live(of poster: Account.ID) throws -> [Snap] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM snaps s JOIN \(AccountRow.table) a ON a.id = s.poster_id
            WHERE s.poster_id = $1 AND s.expires_at > $2
            """, poster, transaction.now
        ) { try Self.snap(from: $0) }
    }

    /// Returns some live snaps of an account's friends that somebody has seen and that still have a picture, by id.
    func seen(ofFriendsOf account: Account.ID, after last: Snap.ID?, limit: Int) throws -> [Snap] {
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM \(FollowRow.table) f
            JOIN \(FollowRow.table) g ON g.follower_id = f.followee_id AND g.followee_id = $1 AND g.is_accepted = 1
            JOIN snaps s ON s.poster_id = f.followee_id
            JOIN \(AccountRow.table) a ON a.id = s.poster_id
            WHERE f.follower_id = $1 AND f.is_accepted = 1 AND s.expires_at > $2 AND s.picture_erased_at IS NULL
                AND s.viewers_count > 0 AND s.id > $3
            ORDER BY s.id LIMIT $4
            """, account, transaction.now, last?.rawValue ?? 0, limit
        ) { try Self.snap(from: $0) }
    }

    func snaps(of poster: Account.ID, limit: Int) throws -> [Snap.ID] {
        try transaction.values("SELECT id FROM snaps WHERE poster_id = $1 LIMIT $2", poster, limit)
    }

    func file(_ id: Snap.ID, variant: String) throws -> BlobKey? {
        try transaction.value(
            "SELECT blob_key FROM snap_files WHERE snap_id = $1 AND variant = $2", id, variant)
    }

    // MARK: Posting and erasing

    /// A file of a snap, which has a row in `blobs`.
    struct File: Sendable {
        var variant: String
        var key: BlobKey
    }

    func insert(
        poster: Account.ID, feed: SnapFeed, description: String, files: [File], expiresAt: Date
    ) throws -> Snap.ID {
        let id = Snap.ID(rawValue: transaction.newID())
        try transaction.execute(
            "INSERT INTO snaps (id, poster_id, feed, description, expires_at) VALUES ($1, $2, $3, $4, $5)",
            id, poster, feed.title, description, expiresAt)
        for file in files {
            try transaction.execute(
                "INSERT INTO snap_files (snap_id, variant, blob_key) VALUES ($1, $2, $3)", id, file.variant,
                file.key)
        }
        return id
    }

    /// Removes the picture of a snap with its description. Its files are erased from disk right after.
    func erasePicture(of id: Snap.ID) throws {
        let keys = try transaction.values(
            "DELETE FROM snap_files WHERE snap_id = $1 RETURNING blob_key", id, as: BlobKey.self)
        for key in keys { try transaction.eraseFile(key) }
        try transaction.execute(
            "UPDATE snaps SET description = '', picture_erased_at = $2 WHERE id = $1 AND picture_erased_at IS NULL",
            id, transaction.now)
    }

    /// Deletes a snap with its picture and all records of its viewers.
    func delete(_ id: Snap.ID) throws {
        try erasePicture(of: id)
        try NotificationRecords(transaction).remove(about: id.rawValue)
        try transaction.execute("DELETE FROM snaps WHERE id = $1", id)
    }

    /// Removes all pictures, and marks unopened snaps as expired, in the copy for a backup.
    func expireAll() throws {
        try transaction.execute("DELETE FROM snap_files")
        try transaction.execute(
            """
            UPDATE snaps SET description = '', picture_erased_at = coalesce(picture_erased_at, $1),
                expires_at = CASE WHEN expires_at > $1 THEN $1 ELSE expires_at END
            """, transaction.now)
    }

    // MARK: Views

    func view(of snap: Snap.ID, by viewer: Account.ID) throws -> SnapView? {
        try transaction.row(
            "SELECT \(Self.viewColumns) FROM snap_views v WHERE v.snap_id = $1 AND v.viewer_id = $2", snap,
            viewer
        ) { try Self.view(from: $0) }
    }

    func view(hash: String) throws -> SnapView? {
        try transaction.row("SELECT \(Self.viewColumns) FROM snap_views v WHERE v.view_hash = $1", hash) {
            try Self.view(from: $0)
        }
    }

    /// Opens a snap. Returns whether this was the first time: the primary key admits one of any number of requests on
    /// any number of nodes.
    func insert(_ view: SnapView, counts: Bool) throws -> Bool {
        let isFirst =
            try transaction.execute(
                """
                INSERT INTO snap_views (snap_id, viewer_id, view_hash, session_id, opened_at, id)
                VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (snap_id, viewer_id) DO NOTHING
                """, view.snap, view.viewer, view.hash, view.session, view.openedAt,
                transaction.newID()) > 0
        if isFirst, counts {
            try transaction.execute(
                "UPDATE snaps SET viewers_count = viewers_count + 1 WHERE id = $1", view.snap)
        }
        return isFirst
    }

    func setShown(_ view: SnapView) throws {
        try transaction.execute(
            "UPDATE snap_views SET shown_at = $2 WHERE view_hash = $1 AND shown_at IS NULL", view.hash,
            transaction.now)
    }

    func setClosed(_ view: SnapView) throws {
        try transaction.execute(
            "UPDATE snap_views SET closed_at = $2 WHERE view_hash = $1 AND closed_at IS NULL", view.hash,
            transaction.now)
    }

    /// Deletes the records that an account has seen some snaps, and corrects their counts. Returns how many were
    /// deleted.
    func deleteViews(by viewer: Account.ID, limit: Int) throws -> Int {
        let snaps = try transaction.values(
            """
            DELETE FROM snap_views WHERE id IN (SELECT id FROM snap_views WHERE viewer_id = $1 LIMIT $2)
            RETURNING snap_id
            """, viewer, limit, as: Int64.self)
        for snap in snaps {
            try transaction.execute(
                "UPDATE snaps SET viewers_count = viewers_count - 1 WHERE id = $1 AND poster_id <> $2", snap,
                viewer)
        }
        return snaps.count
    }

    /// Returns one page of the people who have seen a snap, latest first, each with the id that pages the list. The
    /// poster, suspended people, and people who are blocked in either direction are left out.
    func viewers(of snap: Snap, page: PageRequest) throws -> [(Int64, SnapViewer)] {
        try page.rows(
            idColumn: "v.id",
            """
            SELECT v.id, \(AccountRow.columns), v.opened_at
            FROM snap_views v JOIN \(AccountRow.table) a ON a.id = v.viewer_id
            WHERE v.snap_id = $1 AND v.viewer_id <> $2 AND \(AccountRow.isVisible(to: "$2"))
            """, arguments: [snap.id, snap.poster.id], transaction
        ) { row in
            (
                try row.int64("id"),
                SnapViewer(account: try AccountRow.account(from: row), openedAt: try row.date("opened_at"))
            )
        }
    }

    /// Returns some of the poster's friends who haven't opened the snap, by id.
    func friendsWithoutLook(at snap: Snap, after last: Account.ID?, limit: Int) throws -> [Account.ID] {
        try transaction.values(
            """
            SELECT g.followee_id FROM \(FollowRow.table) g
            JOIN \(FollowRow.table) f ON f.follower_id = g.followee_id AND f.followee_id = $2 AND f.is_accepted = 1
            WHERE g.follower_id = $2 AND g.is_accepted = 1 AND g.followee_id > $3
                AND NOT EXISTS (SELECT 1 FROM snap_views v
                    WHERE v.snap_id = $1 AND v.viewer_id = g.followee_id)
            ORDER BY g.followee_id LIMIT $4
            """, snap.id, snap.poster.id, last?.rawValue ?? 0, limit)
    }

    /// Returns whether a look at the snap is still open, or a friend of the poster hasn't opened it yet.
    func isAwaited(_ snap: Snap) throws -> Bool {
        try transaction.row(
            "SELECT 1 FROM snap_views WHERE snap_id = $1 AND closed_at IS NULL LIMIT 1", snap.id
        ) { _ in true }
            ?? transaction.row(
                """
                SELECT 1 FROM \(FollowRow.table) f
                JOIN \(FollowRow.table) g ON g.follower_id = $2 AND g.followee_id = f.follower_id AND g.is_accepted = 1
                JOIN \(AccountRow.table) a ON a.id = f.follower_id
                WHERE f.followee_id = $2 AND f.is_accepted = 1 AND a.is_suspended = 0
                    AND NOT EXISTS (SELECT 1 FROM snap_views v WHERE v.snap_id = $1 AND v.viewer_id = f.follower_id)
                LIMIT 1
                """, snap.id, snap.poster.id
            ) { _ in true } ?? false
    }

    /// Returns the friends of an account: the people who follow it and whom it follows, at most 7,500.
    func friends(of account: Account.ID) throws -> [Account.ID] {
        try transaction.values(
            """
            SELECT f.follower_id FROM \(FollowRow.table) f
            JOIN \(FollowRow.table) g ON g.follower_id = $1 AND g.followee_id = f.follower_id AND g.is_accepted = 1
            WHERE f.followee_id = $1 AND f.is_accepted = 1
            """, account)
    }
}
