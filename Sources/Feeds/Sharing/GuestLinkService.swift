import Core
import Foundation
import Imaging
import People
import Serving
import Storage

/// The service of guest links: making, revoking and, for guests, looking.
final class GuestLinkService: Sendable {
    private let database: Database
    private let photoKinds: Registry<PhotoKind>

    init(database: Database, photoKinds: Registry<PhotoKind>) {
        self.database = database
        self.photoKinds = photoKinds
    }

    /// Returns a photo of the viewer's library with its link, nil when there is none.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's photo.
    func photo(_ id: Photo.ID, by viewer: Account) async throws -> (photo: Photo, link: GuestLink?) {
        try await database.read { transaction in
            let photo = try PhotoService.own(id, of: viewer, transaction)
            return (photo, try GuestLinkStore(transaction).link(of: .photo(id)))
        }
    }

    /// A post that the viewer is about to share.
    struct Shared: Sendable {
        let post: Post
        /// Whether it is a post of the viewer's, which may have a guest link.
        let isOwn: Bool
        let link: GuestLink?
    }

    /// Returns a post that the viewer is about to share, inside a transaction of another service.
    ///
    /// - Throws: ``Refusal`` (404) for a post that the viewer can't see.
    static func shared(_ id: Post.ID, by viewer: Account, _ transaction: Transaction) throws -> Shared {
        let post = try PostService.post(id, for: viewer, transaction)
        let isOwn = post.author.id == viewer.id && post.root == nil
        let link = isOwn ? try GuestLinkStore(transaction).link(of: .post(id)) : nil
        return Shared(post: post, isOwn: isOwn, link: link)
    }

    /// Makes a link for one of the viewer's posts or photos, or returns the one that still works.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's, and for comments.
    func make(for subject: GuestLink.Subject, by viewer: Account) async throws -> GuestLink {
        let token = Session.newToken()
        return try await database.write { transaction in
            try Self.checkOwn(subject, viewer, transaction)
            let store = GuestLinkStore(transaction)
            if let known = try store.link(of: subject) { return known }
            let link = GuestLink(
                token: token, expiresAt: transaction.now.addingTimeInterval(GuestLink.lifetime))
            try store.set(link, of: subject)
            return link
        }
    }

    /// Ends a link at once.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's post or photo, and for comments.
    func revoke(of subject: GuestLink.Subject, by viewer: Account) async throws {
        try await database.write { transaction in
            try Self.checkOwn(subject, viewer, transaction)
            try GuestLinkStore(transaction).delete(of: subject)
        }
    }

    private static func checkOwn(
        _ subject: GuestLink.Subject, _ viewer: Account, _ transaction: Transaction
    ) throws {
        switch subject {
        case .post(let id):
            let post = try PostService.visible(id, for: viewer, transaction)
            guard post.author.id == viewer.id, post.root == nil else { throw Refusal.notFound }
        case .photo(let id): _ = try PhotoService.own(id, of: viewer, transaction)
        }
    }

    // MARK: As a guest

    /// The post or photo that a guest sees.
    struct Sight: Sendable {
        var owner: Account
        var photos: [Photo]
        /// The post's caption; empty for a photo.
        var caption: String
        /// The noun for the post or photo: `post`, `photo`, `collage`.
        var noun: String
        /// When the post was published, or the photo was added to the library.
        var date: Date
        /// When the link expires.
        var until: Date
    }

    /// Returns the post or photo behind a link.
    ///
    /// - Throws: ``Refusal`` (404) when the link has expired or was revoked, when the post or photo is deleted, and when
    ///   the owner's account is suspended or being deleted.
    func sight(token: String) async throws -> Sight {
        try await database.read { [self] in try sight(token: token, $0) }
    }

    private func sight(token: String, _ transaction: Transaction) throws -> Sight {
        guard let (subject, until) = try GuestLinkStore(transaction).shown(by: token),
            let sight = try sight(of: subject, until: until, transaction),
            try AccountService.visible([sight.owner.id], to: nil, transaction).contains(sight.owner.id)
        else { throw Refusal.notFound }
        return sight
    }

    private func sight(
        of subject: GuestLink.Subject, until: Date, _ transaction: Transaction
    ) throws -> Sight? {
        switch subject {
        case .post(let id):
            guard let post = try PostService.unchecked(id, transaction) else { return nil }
            return Sight(
                owner: post.author, photos: post.photos, caption: post.caption, noun: "post",
                date: post.id.createdAt, until: until)
        case .photo(let id):
            guard let photo = try PhotoService.unchecked(id, transaction),
                let owner = try AccountService.unchecked(photo.owner, transaction)
            else { return nil }
            return Sight(
                owner: owner, photos: [photo], caption: "",
                noun: photoKinds[photo.kind]?.noun ?? "photo", date: photo.id.createdAt, until: until)
        }
    }

    /// Returns the file of a picture behind a link.
    ///
    /// - Throws: ``Refusal`` (404) as ``sight(token:)`` does, and for any other picture.
    func rendition(
        token: String, _ photo: Photo.ID, _ size: Photo.Size, _ format: RenditionFormat
    ) async throws -> BlobKey {
        try await database.read { [self] transaction in
            let sight = try sight(token: token, transaction)
            guard sight.photos.contains(where: { $0.id == photo }),
                let file = try PhotoService.uncheckedFile(photo, size, format, transaction)
            else { throw Refusal.notFound }
            return file
        }
    }
}
