import Foundation
import Imaging
import Storage

/// A link that shows one post to anyone who has it, for seven days or until it is revoked.
struct GuestLink: Sendable {
    /// 256 random bits; who knows them may look.
    var token: String
    var expiresAt: Date

    /// How long a link lasts.
    static let lifetime: TimeInterval = 7 * 86_400

    /// Returns how long the link still works, as in "7 days left": rounded up, so that a new link has its 7 days.
    func remaining(at now: Date) -> String {
        let hours = max(1, Int((expiresAt.timeIntervalSince(now) / 3600).rounded(.up)))
        return hours < 48 ? "\(hours.of("hour")) left" : "\((hours + 23) / 24) days left"
    }

    /// Where the link leads.
    var path: String { "/guest/\(token)" }
}

/// The SQL of guest links. A post has one at the most.
struct GuestLinkStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// A post's link, if it still works.
    func link(of post: Post.ID) throws -> GuestLink? {
        try transaction.row(
            "SELECT token, expires_at FROM guest_links WHERE post_id = $1 AND expires_at > $2", post,
            transaction.now
        ) { GuestLink(token: try $0.string("token"), expiresAt: try $0.date("expires_at")) }
    }

    /// The post that a link shows, if it still does.
    func post(token: String) throws -> Post.ID? {
        try transaction.value(
            "SELECT post_id FROM guest_links WHERE token = $1 AND expires_at > $2", token, transaction.now)
    }

    func set(_ link: GuestLink, of post: Post.ID) throws {
        try transaction.execute(
            """
            INSERT INTO guest_links (post_id, token, expires_at) VALUES ($1, $2, $3)
            ON CONFLICT (post_id) DO UPDATE SET token = $2, expires_at = $3
            """, post, link.token, link.expiresAt)
    }

    func delete(of post: Post.ID) throws {
        try transaction.execute("DELETE FROM guest_links WHERE post_id = $1", post)
    }
}

/// What people can do with guest links: make, revoke, and, as a guest, look.
final class GuestLinkService: Sendable {
    private let database: Database

    init(database: Database) {
        self.database = database
    }

    /// The link of one's own post, nil when there is none.
    func link(of id: Post.ID, by viewer: Account) async throws -> GuestLink? {
        try await database.read { transaction in
            _ = try Self.own(id, viewer, transaction)
            return try GuestLinkStore(transaction).link(of: id)
        }
    }

    /// Makes a link for one's own post, or gives the one that still works.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's post, and for comments.
    func make(for id: Post.ID, by viewer: Account) async throws -> GuestLink {
        let token = Session.newToken()
        return try await database.write { transaction in
            _ = try Self.own(id, viewer, transaction)
            let store = GuestLinkStore(transaction)
            if let known = try store.link(of: id) { return known }
            let link = GuestLink(
                token: token, expiresAt: transaction.now.addingTimeInterval(GuestLink.lifetime))
            try store.set(link, of: id)
            return link
        }
    }

    /// Makes the link show nothing any more, at once.
    func revoke(of id: Post.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            _ = try Self.own(id, viewer, transaction)
            try GuestLinkStore(transaction).delete(of: id)
        }
    }

    private static func own(_ id: Post.ID, _ viewer: Account, _ transaction: Transaction) throws -> Post {
        let post = try PostService.visible(id, for: viewer, transaction)
        guard post.author.id == viewer.id, post.root == nil else { throw Refusal.notFound }
        return post
    }

    // MARK: As a guest

    /// The post behind a link.
    ///
    /// - Throws: ``Refusal`` (404) when the link has expired or was revoked, or its author is suspended.
    func post(token: String) async throws -> Post {
        try await database.read { try Self.post(token: token, $0) }
    }

    private static func post(token: String, _ transaction: Transaction) throws -> Post {
        guard let id = try GuestLinkStore(transaction).post(token: token),
            let post = try PostService.unchecked(id, transaction), !post.author.isSuspended
        else { throw Refusal.notFound }
        return post
    }

    /// A picture of the post behind a link.
    func rendition(
        token: String, _ photo: Photo.ID, _ size: Photo.Size, _ format: RenditionFormat
    ) async throws -> BlobKey {
        try await database.read { transaction in
            let post = try Self.post(token: token, transaction)
            guard post.photos.contains(where: { $0.id == photo }),
                let file = try PhotoService.uncheckedFile(photo, size, format, transaction)
            else { throw Refusal.notFound }
            return file
        }
    }
}
