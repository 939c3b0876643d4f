import Foundation
import HTML
import Hummingbird

/// Writes Mastodon's entities (docs.joinmastodon.org/entities), with every field that real apps need
/// (CLIENTS.md, 2).
///
/// What all viewers share of a post is made once and kept; what is the viewer's own (counts, marks, signed
/// picture URLs) is filled in.
struct Entities: Sendable {
    let photoURL: PhotoURL
    let publicURL: String
    private let accounts = Cache<Account.ID, AccountFragment>(capacity: 10_000, bytes: 2_000_000) {
        $0.json.count + 500
    }
    private let posts = Cache<Post.ID, PostFragment>(capacity: 20_000, bytes: 6_000_000) { $0.byteCount }

    init(photoURL: PhotoURL, publicURL: String) {
        self.photoURL = photoURL
        self.publicURL = publicURL
    }

    private struct AccountFragment: Sendable {
        var account: Account
        var json: [UInt8]
    }

    /// The constant parts of a post: between them stand the viewer's. It is good for one revision, as long as the
    /// same people are meant by the names in the caption and seen behind what it answers.
    private struct PostFragment: Sendable {
        var revision: Int
        var mentions: [Mention]
        var parentAuthor: Account.ID?
        var head: [UInt8]
        var photos: [(id: Photo.ID, beforeURL: [UInt8], beforePreview: [UInt8], rest: [UInt8])]
        var tail: [UInt8]

        /// About what it takes, each array with a header and rounding.
        var byteCount: Int {
            photos.reduce(head.count + tail.count + 100 * mentions.count + 200) {
                $0 + $1.beforeURL.count + $1.beforePreview.count + $1.rest.count + 200
            }
        }
    }

    private struct Mention: Sendable, Equatable {
        var id: Account.ID
        var username: String
    }

    // MARK: Accounts

    /// An account as anyone sees it.
    func account(_ account: Account, into json: inout JSONWriter) {
        if let known = accounts[account.id], known.account == account {
            json.value(fragment: known.json)
            return
        }
        var writer = JSONWriter(capacity: 1500)
        writer.object { accountMembers(account, into: &$0) }
        accounts[account.id] = AccountFragment(account: account, json: writer.bytes.withoutSlack)
        json.value(fragment: writer.bytes)
    }

    /// One's own account, with what only oneself may know.
    ///
    /// - Parameter followRequestsCount: how many wait for an answer.
    func ownAccount(_ account: Account, followRequestsCount: Int, into json: inout JSONWriter) {
        json.object { json in
            accountMembers(account, into: &json)
            json.object("source") { json in
                json.member("privacy", "private")
                json.member("sensitive", false)
                json.member("language", "")
                json.member("note", account.bio)
                json.emptyArray("fields")
                json.member("follow_requests_count", followRequestsCount)
            }
            json.object("role") { json in
                json.member("id", account.isAdmin ? "3" : "-99")
                json.member("name", account.isAdmin ? "Admin" : "")
                json.member("permissions", account.isAdmin ? "1" : "0")
                json.member("color", "")
                json.member("highlighted", account.isAdmin)
            }
        }
    }

    private func accountMembers(_ account: Account, into json: inout JSONWriter) {
        let url = "\(publicURL)/@\(account.username)"
        let portrait =
            account.portrait.map { publicURL + Portrait.path($0, .large) }
            ?? "\(publicURL)/initials/\(account.id).svg"
        json.member("id", account.id)
        json.member("username", account.username)
        json.member("acct", account.username)
        json.member("display_name", account.displayName)
        json.member("locked", account.approvesFollowers)
        json.member("bot", false)
        json.member("discoverable", true)
        json.member("group", false)
        json.member("created_at", account.id.createdAt)
        json.member("note", html(account.bio, .all))
        json.member("url", url)
        json.member("uri", url)
        json.member("avatar", portrait)
        json.member("avatar_static", portrait)
        json.member("header", portrait)
        json.member("header_static", portrait)
        json.member("followers_count", account.followersCount)
        json.member("following_count", account.followingCount)
        json.member("statuses_count", account.postsCount)
        json.member("last_status_at", account.newestPost.map { Timestamp.day($0.createdAt) })
        json.member("website", "")
        json.member("local", true)
        json.member("is_admin", account.isAdmin)
        json.emptyArray("emojis")
        json.emptyArray("fields")
    }

    func relationship(_ relationship: Relationship, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", relationship.account)
            json.member("following", relationship.follows)
            json.member("showing_reblogs", relationship.follows)
            json.member("notifying", false)
            json.emptyArray("languages")
            json.member("followed_by", relationship.isFollowedBy)
            json.member("blocking", relationship.blocks)
            json.member("blocked_by", relationship.isBlockedBy)
            json.member("muting", false)
            json.member("muting_notifications", false)
            json.member("requested", relationship.requested)
            json.member("requested_by", relationship.isRequestedBy)
            json.member("domain_blocking", false)
            json.member("endorsed", false)
            json.member("note", "")
        }
    }

    // MARK: Photos

    /// A media attachment.
    ///
    /// - Parameter isOwner: whether to add what only the owner may know: kind, camera date and place.
    func media(_ photo: Photo, viewer: Account.ID, isOwner: Bool = false, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", photo.id)
            json.member("url", photoURL.url(photo.id, .large, viewer: viewer))
            json.member("preview_url", photoURL.url(photo.id, .medium, viewer: viewer))
            mediaConstants(photo, into: &json)
            guard isOwner else { return }
            json.member("kind", photo.kind.rawValue)
            json.member("created_at", photo.id.createdAt)
            json.member("captured_at", photo.capture.date.map(Timestamp.iso8601))
            if let latitude = photo.capture.latitude, let longitude = photo.capture.longitude {
                json.object("place") { json in
                    json.member("latitude", latitude)
                    json.member("longitude", longitude)
                }
            } else {
                json.null("place")
            }
        }
    }

    /// A picture that waits for its one use: nothing that shows it.
    func singleUseMedia(_ media: SingleUseMedia, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", media.id)
            json.member("type", "image")
            json.null("url")
            json.null("preview_url")
            json.null("remote_url")
            json.null("text_url")
            json.object("meta") { json in size("original", (media.width, media.height), into: &json) }
            json.member("description", media.description.isEmpty ? nil : media.description)
            json.null("blurhash")
            json.member("purpose", media.purpose.rawValue)
            json.member("expires_at", media.expiresAt)
        }
    }

    private func mediaConstants(_ photo: Photo, into json: inout JSONWriter) {
        json.member("type", "image")
        json.null("remote_url")
        json.null("preview_remote_url")
        json.null("text_url")
        json.object("meta") { json in
            size("original", photo.pixels(.large), into: &json)
            size("small", photo.pixels(.medium), into: &json)
            json.object("focus") { json in
                json.member("x", 0)
                json.member("y", 0)
            }
        }
        json.member("description", photo.description.isEmpty ? nil : photo.description)
        json.member("blurhash", photo.blurhash)
    }

    private func size(_ name: StaticString, _ pixels: (width: Int, height: Int), into json: inout JSONWriter)
    {
        json.object(name) { json in
            json.member("width", pixels.width)
            json.member("height", pixels.height)
            json.member("size", "\(pixels.width)x\(pixels.height)")
            json.member("aspect", Double(pixels.width) / Double(max(1, pixels.height)))
        }
    }

    // MARK: Posts

    /// A post or comment as a status.
    func status(_ post: Post, viewer: Account.ID, into json: inout JSONWriter) {
        let fragment = fragment(post)
        json.object { json in
            json.members(fragment.head)
            json.member("visibility", post.audience.rawValue)
            json.member("replies_count", post.commentsCount)
            json.member("reply_count", post.commentsCount)
            json.member("favourites_count", post.likesCount)
            json.member("favourited", post.isLiked)
            json.member("bookmarked", post.isSaved)
            json.key("account")
            account(post.author, into: &json)
            json.array("media_attachments", fragment.photos) { json, photo in
                let query = photoURL.query(photo.id, viewer: viewer)
                json.object { json in
                    json.members(photo.beforeURL)
                    json.rest(of: query)
                    json.members(photo.beforePreview)
                    json.rest(of: query)
                    json.members(photo.rest)
                }
            }
            json.members(fragment.tail)
        }
    }

    private func fragment(_ post: Post) -> PostFragment {
        let mentions = post.mentions.map { Mention(id: $0.id, username: $0.username) }
        if let known = posts[post.id], known.revision == post.revision, known.mentions == mentions,
            known.parentAuthor == post.parentAuthor
        {
            return known
        }
        let fragment = PostFragment(
            revision: post.revision, mentions: mentions, parentAuthor: post.parentAuthor,
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
            json.member("sensitive", false)
            json.member("spoiler_text", "")
            json.null("language")
            json.member("uri", "\(publicURL)/posts/\(post.id)")
            json.member("url", "\(publicURL)/posts/\(post.id)")
            json.member("reblogs_count", 0)
            json.member("edited_at", post.editedAt.map(Timestamp.iso8601))
            json.member("content", html(post.caption, .of(post.mentions)))
            json.member("text", post.caption)
        }
    }

    private func parts(
        _ photo: Photo
    ) -> (id: Photo.ID, beforeURL: [UInt8], beforePreview: [UInt8], rest: [UInt8]) {
        // A URL is left open after its question mark; the viewer's signature and the closing quote follow.
        func open(_ size: Photo.Size) -> String { "\(publicURL)\(Photo.path(photo.id, size))?" }
        let before = JSONWriter.members { json in
            json.member("id", photo.id)
            json.key("url")
            json.openText(open(.large))
        }
        let between = JSONWriter.members { json in
            json.key("preview_url")
            json.openText(open(.medium))
        }
        return (photo.id, before, between, JSONWriter.members { mediaConstants(photo, into: &$0) })
    }

    private func tail(_ post: Post) -> [UInt8] {
        JSONWriter.members { json in
            json.member("pf_type", post.photos.count > 1 ? "photo:album" : "photo")
            json.member("reblogged", false)
            json.member("muted", false)
            json.member("pinned", false)
            json.null("reblog")
            json.null("application")
            json.null("card")
            json.null("poll")
            json.null("liked_by")
            json.array("mentions", post.mentions) { json, account in
                json.object { json in
                    json.member("id", account.id)
                    json.member("username", account.username)
                    json.member("url", "\(publicURL)/@\(account.username)")
                    json.member("acct", account.username)
                }
            }
            json.emptyArray("tags")
            json.emptyArray("emojis")
            json.emptyArray("filtered")
        }
    }

    /// A caption as the sanitised HTML that apps show: paragraphs, line breaks, mentions.
    func html(_ text: String, _ mentions: Caption.Mentions) -> String {
        guard !text.isEmpty else { return "" }
        let node = p { Caption.node(text, mentions, on: .app(of: publicURL)) }
        return String(decoding: node.rendered(), as: UTF8.self)
    }
}

extension Response {
    /// A page of a list as a JSON array with its `Link` header.
    static func list<Element>(
        _ elements: [Element], ids: [Int64], _ page: PageRequest, _ request: Request, _ entities: Entities,
        _ write: (inout JSONWriter, Element) -> Void
    ) -> Response {
        var response = Response.json(for: request, capacity: 4096 * max(1, elements.count)) { json in
            json.array(elements, write)
        }
        response.headers[.link] = page.link(
            request, publicURL: entities.publicURL, first: ids.first, last: ids.last,
            isFull: ids.count == page.limit)
        return response
    }
}
