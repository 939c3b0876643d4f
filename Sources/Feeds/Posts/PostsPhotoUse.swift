import Core
import People
import Serving
import Storage

/// The use of photos in posts: people who may see a post see its photos, and a deleted photo leaves its posts.
struct PostsPhotoUse: PhotoUse {
    let announcements: PostAnnouncements

    func shows(_ photo: Photo.ID, to viewer: Account.ID, _ transaction: Transaction) throws -> Bool {
        try PostStore(transaction).shows(photo, to: viewer)
    }

    func uses(of photo: Photo.ID, _ transaction: Transaction) throws -> PhotoUses? {
        let places = try PostStore(transaction).places(of: photo)
        guard !places.isEmpty else { return nil }
        let comments = places.count(where: \.isComment)
        let words = [(places.count - comments, "post"), (comments, "comment")].filter { $0.0 > 0 }.map {
            $0.0 == 1 ? "one \($0.1)" : $0.0.of($0.1)
        }
        return PhotoUses(places: words.joined(separator: " and "), loss: Self.loss(places))
    }

    private static func loss(_ places: [PostStore.PhotoPlace]) -> String? {
        guard places.contains(where: \.goesWithPhoto) else { return nil }
        guard places.count == 1 else {
            return "Posts and comments without another photo will be deleted, with their likes and comments."
        }
        return places[0].isComment
            ? "That comment will be deleted, with its likes and replies."
            : "That post will be deleted, with its likes and comments."
    }

    /// Removes a photo from posts and comments. A post without another photo is deleted with its last photo; a comment
    /// with text stays.
    func release(_ photo: Photo.ID, _ transaction: Transaction) throws {
        let store = PostStore(transaction)
        try store.touchPosts(with: photo)
        for place in try store.places(of: photo) {
            // The deletion of a post above this one may already have deleted this one.
            guard let post = try store.post(place.post) else { continue }
            if place.goesWithPhoto {
                try PostRecords(transaction).delete(post, announcements)
            } else {
                announcements.edited(post.id, transaction)
            }
        }
    }

    func changed(_ photo: Photo.ID, _ transaction: Transaction) throws {
        try PostStore(transaction).touchPosts(with: photo)
    }
}
