import Core
import Foundation
import People
import Serving
import Storage

/// The search for photos of posts by place, and the authors' choice whether theirs may be found.
package final class PostPlaces: Sendable {
    /// A photo near a place.
    package struct NearPhoto: Sendable {
        package var photo: Photo
        package var post: Post.ID
        package var author: Account
        package var caption: String
        /// The place where the photo was taken, to about 100 m.
        package var place: Coordinate
        /// The year in which the photo was taken.
        package var year: Int
    }

    /// Photos near a place, nearest first.
    package struct Near: Sendable {
        package var photos: [NearPhoto]
        /// Whether the search looked at all places in the circle.
        package var isWhole: Bool
    }

    private let database: Database

    init(database: Database) { self.database = database }

    /// Returns photos that were taken within a circle in some years, from posts that the viewer may see, whose
    /// authors let them be found and haven't covered them, each photo once, nearest first.
    ///
    /// - Parameters:
    ///   - radius: in metres.
    ///   - limit: the most photos.
    package func near(
        _ centre: Coordinate, radius: Double, years: ClosedRange<Int>, for viewer: Account, limit: Int
    ) async throws -> Near {
        try await database.read { transaction in
            let (rows, isWhole) = try PostPlaceStore(transaction)
                .rows(in: PlaceGrid.cells(around: centre, radius: radius), years: years, for: viewer.id)
            var seen: Set<Photo.ID> = []
            let near = rows.map { ($0, centre.distance(to: $0.place)) }
                .filter { $0.1 <= radius }
                .sorted { ($0.1, $0.0.year, $0.0.photo.id) < ($1.1, $1.0.year, $1.0.photo.id) }
                .map(\.0).filter { seen.insert($0.photo.id).inserted }
            return Near(photos: Array(near.prefix(limit)), isWhole: isWhole && near.count <= limit)
        }
    }

    // MARK: The author's switch

    /// Lets others find the photos of the viewer's post by the place where they were taken, or stops that.
    ///
    /// - Throws: ``Refusal``: 404 for a post of someone else, 422 for a comment.
    func setFindable(_ isFindable: Bool, _ id: Post.ID, by viewer: Account) async throws -> Post {
        try await database.write { transaction in
            let post = try PostRecords(transaction).post(id, for: viewer)
            guard post.author.id == viewer.id else { throw Refusal.notFound }
            guard post.root == nil else {
                throw Refusal.invalid(
                    "findable", "ERR_INVALID", "Photos of comments can’t be found by their place.")
            }
            try PostRecords(transaction).setFindable(isFindable, post)
            return post
        }
    }

    /// Returns whether others may find photos of a post by their place; nil when none of them has a place and a date, so
    /// that nobody could.
    func isFindable(_ post: Post) async throws -> Bool? {
        try await database.read { try PostRecords($0).isFindable(post) }
    }

    fileprivate static func place(of photo: Photo) -> (Coordinate, year: Int)? {
        guard let latitude = photo.capture.latitude, let longitude = photo.capture.longitude,
            let place = Coordinate(latitude: latitude, longitude: longitude), let date = photo.capture.date
        else { return nil }
        let year = Timestamp.year(of: date)
        guard (1_800...2_100).contains(year) else { return nil }
        return (place.rounded, year)
    }
}

extension PostRecords {
    /// Returns whether others may find photos of a post by their place; nil when none of them has a place and a date, so
    /// that nobody could.
    func isFindable(_ post: Post) throws -> Bool? {
        guard post.root == nil, post.photos.contains(where: { PostPlaces.place(of: $0) != nil }) else {
            return nil
        }
        return try PostPlaceStore(transaction).isFindable(post.id)
    }

    /// Returns whether a viewer may find a photo at present.
    package func isFindable(_ photo: Photo.ID, for viewer: Account.ID) throws -> Bool {
        try PostPlaceStore(transaction).isFindable(photo, for: viewer)
    }

    /// Lets others find the photos of a post by their place, or stops that. Photos without a recorded place or date
    /// can't be found.
    func setFindable(_ isFindable: Bool, _ post: Post) throws {
        let store = PostPlaceStore(transaction)
        try store.delete(post.id)
        guard isFindable, post.root == nil else { return }
        for photo in post.photos {
            guard let (place, year) = PostPlaces.place(of: photo) else { continue }
            try store.insert(photo.id, of: post.id, at: place, year: year)
        }
    }
}

/// The SQL of the places of posts.
struct PostPlaceStore {
    let transaction: Transaction

    /// The most rows that one search looks at.
    private static let mostRows = 5_000

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the rows in some cells of the grid, of posts that `viewer` may see.
    ///
    /// - Returns: the rows, and whether these are all.
    func rows(
        in cells: [ClosedRange<Int>], years: ClosedRange<Int>, for viewer: Account.ID
    ) throws -> (rows: [PostPlaces.NearPhoto], isWhole: Bool) {
        guard !cells.isEmpty else { return ([], true) }
        var arguments: [(any SQLConvertible)?] = [
            viewer, years.lowerBound, years.upperBound, Self.mostRows + 1,
        ]
        let ranges = cells.map { range in
            arguments += [range.lowerBound, range.upperBound]
            return "pl.cell BETWEEN $\(arguments.count - 1) AND $\(arguments.count)"
        }
        let rows = try transaction.rows(
            """
            SELECT pl.latitude AS place_latitude, pl.longitude AS place_longitude, pl.taken_year,
                \(PostRow.columns), \(PhotoRow.columns)
            FROM post_places pl JOIN posts p ON p.id = pl.post_id
            JOIN \(AccountRow.table) a ON a.id = p.author_id JOIN \(PhotoRow.table) ph ON ph.id = pl.photo_id
            WHERE (\(ranges.joined(separator: " OR "))) AND pl.taken_year BETWEEN $2 AND $3
                AND p.warning IS NULL AND \(PostRow.visible) AND \(PostRow.isUnmuted)
            LIMIT $4
            """, arguments: arguments
        ) { try Self.photo(from: $0) }
        return (rows.prefix(Self.mostRows).compactMap { $0 }, rows.count <= Self.mostRows)
    }

    private static func photo(from row: Row) throws -> PostPlaces.NearPhoto? {
        let place = Coordinate(
            latitude: try row.double("place_latitude"), longitude: try row.double("place_longitude"))
        guard let place else { return nil }
        let post = try PostRow.post(from: row)
        return PostPlaces.NearPhoto(
            photo: try PhotoRow.photo(from: row), post: post.id, author: post.author, caption: post.caption,
            place: place, year: try row.int("taken_year"))
    }

    /// Returns whether a photo may be found in a post that `viewer` may see.
    func isFindable(_ photo: Photo.ID, for viewer: Account.ID) throws -> Bool {
        try transaction.row(
            """
            SELECT 1 FROM post_places pl JOIN posts p ON p.id = pl.post_id
            JOIN \(AccountRow.table) a ON a.id = p.author_id
            WHERE pl.photo_id = $2 AND p.warning IS NULL AND \(PostRow.visible) LIMIT 1
            """, viewer, photo
        ) { _ in true } ?? false
    }

    func isFindable(_ post: Post.ID) throws -> Bool {
        try transaction.row("SELECT 1 FROM post_places WHERE post_id = $1 LIMIT 1", post) { _ in true }
            ?? false
    }

    func insert(_ photo: Photo.ID, of post: Post.ID, at place: Coordinate, year: Int) throws {
        try transaction.execute(
            """
            INSERT INTO post_places (post_id, photo_id, cell, latitude, longitude, taken_year)
            VALUES ($1, $2, $3, $4, $5, $6)
            """, post, photo, PlaceGrid.cell(of: place), place.latitude, place.longitude, year)
    }

    func delete(_ post: Post.ID) throws {
        try transaction.execute("DELETE FROM post_places WHERE post_id = $1", post)
    }
}
