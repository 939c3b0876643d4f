import Core
import Foundation
import People
import Storage

/// The SQL of guest links. A post or photo has at most one.
struct GuestLinkStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the column that names a subject, and the subject's id.
    private static func place(of subject: GuestLink.Subject) -> (column: String, id: Int64) {
        switch subject {
        case .post(let id): ("post_id", id.rawValue)
        case .photo(let id): ("photo_id", id.rawValue)
        }
    }

    /// Returns the link of a post or photo, if it still works.
    func link(of subject: GuestLink.Subject) throws -> GuestLink? {
        let (column, id) = Self.place(of: subject)
        return try transaction.row(
            "SELECT token, expires_at FROM guest_links WHERE \(column) = $1 AND expires_at > $2", id,
            transaction.now
        ) { GuestLink(token: try $0.string("token"), expiresAt: try $0.date("expires_at")) }
    }

    /// Returns the subject of a link and when the link expires, if it still works.
    func shown(by token: String) throws -> (subject: GuestLink.Subject, until: Date)? {
        try transaction.row(
            "SELECT post_id, photo_id, expires_at FROM guest_links WHERE token = $1 AND expires_at > $2",
            token, transaction.now
        ) { row in
            let until = try row.date("expires_at")
            if let post: Post.ID = try row.get("post_id") { return (.post(post), until) }
            if let photo: Photo.ID = try row.get("photo_id") { return (.photo(photo), until) }
            return nil
        } ?? nil
    }

    /// Writes the link of a post or photo, in place of an earlier one.
    func set(_ link: GuestLink, of subject: GuestLink.Subject) throws {
        let (column, id) = Self.place(of: subject)
        try transaction.execute(
            """
            INSERT INTO guest_links (\(column), token, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (\(column)) DO UPDATE SET token = $2, expires_at = $3
            """, id, link.token, link.expiresAt)
    }

    func delete(of subject: GuestLink.Subject) throws {
        let (column, id) = Self.place(of: subject)
        try transaction.execute("DELETE FROM guest_links WHERE \(column) = $1", id)
    }
}
