import Core
import People
import Serving
import Storage

/// What a person shares by guest links, inside a transaction.
struct GuestLinkRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns a post that the viewer is about to share.
    ///
    /// - Throws: ``Refusal`` (404) for a post that the viewer can't see.
    func shared(_ id: Post.ID, by viewer: Account) throws -> GuestLinkService.Shared {
        let post = try PostRecords(transaction).post(id, for: viewer)
        let isOwn = post.author.id == viewer.id && post.root == nil
        let link = isOwn ? try GuestLinkStore(transaction).link(of: .post(id)) : nil
        return GuestLinkService.Shared(post: post, isOwn: isOwn, link: link)
    }

    /// Checks that a post or photo is the viewer's own.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's, and for comments.
    func checkOwn(_ subject: GuestLink.Subject, _ viewer: Account) throws {
        switch subject {
        case .post(let id):
            let post = try PostRecords(transaction).visible(id, for: viewer)
            guard post.author.id == viewer.id, post.root == nil else { throw Refusal.notFound }
        case .photo(let id): _ = try PhotoRecords(transaction).own(id, of: viewer)
        }
    }
}
