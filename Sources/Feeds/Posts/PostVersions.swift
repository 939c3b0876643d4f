import Core
import Foundation
import Storage

/// The text of a post or comment at some time.
struct PostVersion: Sendable {
    var caption: String
    var warning: String?
    /// The time at which the version was written: when the post was made, or the caption changed.
    var writtenAt: Date

    /// The most earlier versions that are kept of a post, in addition to the first one.
    static let most = 20
}

/// The SQL of earlier captions.
extension PostStore {
    /// Keeps the present caption of a post as a version, and deletes surplus versions. The first version stays.
    func keepVersion(of post: Post) throws {
        try transaction.execute(
            "INSERT INTO post_versions (id, post_id, caption, warning, written_at) VALUES ($1, $2, $3, $4, $5)",
            transaction.newID(), post.id, post.caption, post.warning, post.editedAt ?? post.id.createdAt)
        // post_versions_by_post
        try transaction.execute(
            """
            DELETE FROM post_versions WHERE post_id = $1
                AND id <= (SELECT v.id FROM post_versions v WHERE v.post_id = $1 ORDER BY v.id DESC
                    LIMIT 1 OFFSET \(PostVersion.most))
                AND id > (SELECT min(v.id) FROM post_versions v WHERE v.post_id = $1)
            """, post.id)
    }

    /// Returns the earlier versions of a post, the first one first.
    func versions(of post: Post.ID) throws -> [PostVersion] {
        try transaction.rows(
            "SELECT caption, warning, written_at FROM post_versions WHERE post_id = $1 ORDER BY id", post
        ) {
            PostVersion(
                caption: try $0.string("caption"), warning: try $0.optionalString("warning"),
                writtenAt: try $0.date("written_at"))
        }
    }
}

// Versions: earlier captions.
extension PostService {
    /// Returns a post or comment with its versions, the first one first and the present one last. A change may take
    /// something back, so only the author gets the earlier versions; others get the present one.
    ///
    /// - Throws: ``Refusal`` (404) for a post that the viewer can't see.
    func versions(of id: Post.ID, for viewer: Account) async throws -> (post: Post, versions: [PostVersion]) {
        try await database.read { transaction in
            let post = try PostRecords(transaction).post(id, for: viewer)
            let earlier =
                post.author.id == viewer.id ? try PostStore(transaction).versions(of: id) : []
            let present = PostVersion(
                caption: post.caption, warning: post.warning, writtenAt: post.editedAt ?? post.id.createdAt)
            return (post, earlier + [present])
        }
    }
}
