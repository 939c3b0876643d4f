import Core
import Foundation
import People
import Serving

/// The JSON of posts and comments, in the form of Mastodon's statuses.
///
/// The parts of a post that are the same for all viewers are made once and kept. The viewer's own parts (counts, marks,
/// signed picture URLs) are filled in.
package struct PostEntities: Sendable {
    let entities: Entities
    private let posts = Cache<Post.ID, PostFragment>(capacity: 20_000, bytes: 6_000_000) { $0.byteCount }

    init(_ entities: Entities) { self.entities = entities }

    /// The parts of a post's JSON that are the same for all viewers, with gaps for the viewer's own parts. A fragment
    /// is valid for one revision, as long as the viewers see the same mentioned people and the same author of the
    /// answered comment.
    private struct PostFragment: Sendable {
        var revision: Int
        var mentions: [Caption.Mention]
        var parentAuthor: Account.ID?
        var head: [UInt8]
        var photos: [(id: Photo.ID, beforeURL: [UInt8], beforePreview: [UInt8], rest: [UInt8])]
        var tail: [UInt8]

        /// The approximate size in memory, with an array's header and rounding.
        var byteCount: Int {
            photos.reduce(head.count + tail.count + 100 * mentions.count + 200) {
                $0 + $1.beforeURL.count + $1.beforePreview.count + $1.rest.count + 200
            }
        }
    }

    /// Writes a post or comment as a status.
    package func status(_ post: Post, viewer: Reader, into json: inout JSONWriter) {
        let fragment = fragment(post)
        json.object { json in
            json.members(fragment.head)
            json.member("visibility", post.audience.rawValue)
            json.member("replies_count", post.commentsCount)
            json.member("reply_count", post.commentsCount)
            json.member("favourites_count", post.likesCount)
            json.member("favourited", post.isLiked)
            json.member("bookmarked", post.isSaved)
            json.member("muted", post.isThreadMuted)
            json.member("pinned", post.isPinned)
            json.key("account")
            entities.account(post.author, into: &json)
            json.array("media_attachments", fragment.photos) { json, photo in
                let query = entities.signatures.query(photo.id.rawValue, viewer: viewer)
                json.object { json in
                    json.members(photo.beforeURL)
                    json.rest(of: query)
                    json.members(photo.beforePreview)
                    json.rest(of: query)
                    json.members(photo.rest)
                }
            }
            json.members(fragment.tail)
            json.array("filtered", post.filtered) { FilterEntities.match($1, of: post, into: &$0) }
        }
    }

    /// Writes the text of a status for its author, who is about to edit it.
    ///
    /// - Parameter isFindable: whether others find the photos by their place; nil leaves it out.
    func source(_ post: Post, isFindable: Bool?, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", post.id)
            json.member("text", post.caption)
            json.member("spoiler_text", post.warning ?? "")
            json.member("sensitive", post.warning != nil)
            json.member("language", post.language)
            json.member("visibility", post.audience.rawValue)
            if let isFindable { json.member("findable", isFindable) }
        }
    }

    /// Writes an earlier or the present version of a status, with the photos that it has now.
    func version(_ version: PostVersion, of post: Post, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            json.member("content", entities.html(version.caption, .of(post.mentions)))
            json.member("spoiler_text", version.warning ?? "")
            json.member("sensitive", version.warning != nil)
            json.member("created_at", version.writtenAt)
            json.key("account")
            entities.account(post.author, into: &json)
            json.array("media_attachments", post.photos) {
                entities.media($1, viewer: viewer, into: &$0)
            }
            json.emptyArray("emojis")
        }
    }

    private func fragment(_ post: Post) -> PostFragment {
        if let known = posts[post.id], known.revision == post.revision, known.mentions == post.mentions,
            known.parentAuthor == post.parentAuthor
        {
            return known
        }
        let fragment = PostFragment(
            revision: post.revision, mentions: post.mentions, parentAuthor: post.parentAuthor,
            head: constants(post),
            photos: post.photos.map(parts), tail: tail(post))
        posts[post.id] = fragment
        return fragment
    }

    private func constants(_ post: Post) -> [UInt8] {
        JSONWriter.members { json in
            json.member("id", post.id)
            json.member("created_at", post.id.createdAt)
            json.member("in_reply_to_id", post.parent?.description)
            json.member("in_reply_to_account_id", post.parentAuthor?.description)
            json.member("sensitive", post.warning != nil)
            json.member("spoiler_text", post.warning ?? "")
            json.member("language", post.language)
            json.member("uri", entities.publicURL + PostPaths.page(post.id))
            json.member("url", entities.publicURL + PostPaths.page(post.id))
            json.member("reblogs_count", 0)
            json.member("edited_at", post.editedAt.map(Timestamp.iso8601))
            json.member("content", entities.html(post.caption, .of(post.mentions)))
            json.member("text", post.caption)
        }
    }

    private func parts(
        _ photo: Photo
    ) -> (id: Photo.ID, beforeURL: [UInt8], beforePreview: [UInt8], rest: [UInt8]) {
        // The fragment's URL ends after its question mark; the viewer's signature and the closing quote follow.
        func open(_ size: Photo.Size) -> String { "\(entities.publicURL)\(Photo.path(photo.id, size))?" }
        let before = JSONWriter.members { json in
            json.member("id", photo.id)
            json.key("url")
            json.openText(open(.large))
        }
        let between = JSONWriter.members { json in
            json.key("preview_url")
            json.openText(open(.medium))
        }
        return (photo.id, before, between, JSONWriter.members { entities.mediaConstants(photo, into: &$0) })
    }

    private func tail(_ post: Post) -> [UInt8] {
        JSONWriter.members { json in
            json.member("pf_type", post.photos.count > 1 ? "photo:album" : "photo")
            json.member("reblogged", false)
            json.null("reblog")
            json.null("application")
            json.null("card")
            json.null("poll")
            json.null("liked_by")
            json.array("mentions", post.mentions) { entities.mention($1.id, $1.username, into: &$0) }
            json.array("tags", Caption.tags(post.caption)) { json, tag in
                json.object { json in
                    json.member("name", tag.name)
                    json.member("url", entities.publicURL + AppPaths.tag(tag.name))
                }
            }
            json.emptyArray("emojis")
        }
    }
}

extension Entities {
    /// Writes somebody whom a status mentions.
    func mention(_ id: Account.ID, _ username: String, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("username", username)
            json.member("url", publicURL + AppPaths.profile(username))
            json.member("acct", username)
        }
    }
}
