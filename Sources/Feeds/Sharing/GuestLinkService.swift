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
            let photo = try PhotoRecords(transaction).own(id, of: viewer)
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

    /// Makes a link for one of the viewer's posts or photos, or returns the one that still works.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's, and for comments.
    func make(for subject: GuestLink.Subject, by viewer: Account) async throws -> GuestLink {
        let token = Session.newToken()
        return try await database.write { transaction in
            try GuestLinkRecords(transaction).checkOwn(subject, viewer)
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
            try GuestLinkRecords(transaction).checkOwn(subject, viewer)
            try GuestLinkStore(transaction).delete(of: subject)
        }
    }

    // MARK: As a guest

    /// The post or photo that a guest sees.
    struct Sight: Sendable {
        var owner: Account
        var photos: [Photo]
        /// The post's caption; empty for a photo.
        var caption: String
        /// What covers the post until a tap; nil when nothing does.
        var warning: String?
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
            try AccountRecords(transaction).visible([sight.owner.id], to: nil).contains(sight.owner.id)
        else { throw Refusal.notFound }
        return sight
    }

    private func sight(
        of subject: GuestLink.Subject, until: Date, _ transaction: Transaction
    ) throws -> Sight? {
        switch subject {
        case .post(let id):
            guard let post = try PostRecords(transaction).unchecked(id) else { return nil }
            return Sight(
                owner: post.author, photos: post.photos, caption: post.caption, warning: post.warning,
                noun: "post", date: post.id.createdAt, until: until)
        case .photo(let id):
            guard let photo = try PhotoRecords(transaction).unchecked(id),
                let owner = try AccountRecords(transaction).unchecked(photo.owner)
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
                let file = try PhotoRecords(transaction).uncheckedFile(photo, size, format)
            else { throw Refusal.notFound }
            return file
        }
    }
}
