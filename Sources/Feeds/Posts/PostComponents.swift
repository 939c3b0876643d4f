import Core
import HTML
import People
import Serving

/// A post as the feed and its own page draw it, with the sizes of Documentation/Product.md, "Home".
struct PostComponents {
    let frame: Frame

    /// The screens that show a whole post.
    enum Screen {
        /// A list of posts.
        case list
        /// The post's own page, where a tap on a photo opens it in full screen.
        case own
    }

    /// Draws a post with its author, photos, buttons, counts and caption.
    ///
    /// - Parameters:
    ///   - isFirst: whether it is in sight at once, so that its picture isn't loaded lazily.
    ///   - covering: which pictures the viewer sees covered.
    func card(_ post: Post, isFirst: Bool, _ covering: Covering, on screen: Screen = .list) -> Node {
        let name = post.author.username
        return element("post-card", .attribute("data-id", post.id.description)) {
            article(.class("post")) {
                header(.class("post-author")) {
                    a(.href(AppPaths.profile(name))) {
                        frame.portrait(post.author, pixels: 30)
                        b { name }
                    }
                    frame.symbolLink(
                        "More options for \(name)’s post", "three-dots", href: "/posts/\(post.id)/options")
                }
                pictures(post, isFirst: isFirst, covering, screen)
                engagement(post)
                information(post, isCovered: post.isCovered(covering))
            }
        }
    }

    /// Draws a short form of a post, for the top of pages about the post.
    func about(_ post: Post, _ covering: Covering) -> Node {
        div(.class("about-thing")) {
            if let photo = post.photos.first {
                post.isCovered(covering)
                    ? PostCover(frame: frame).small("Covered picture")
                    : PhotoComponents.square(photo, alt: "")
            }
            p {
                b { post.author.username }
                " "
                Caption.isolated(post.cover ?? post.caption)
            }
        }
    }

    private func pictures(
        _ post: Post, isFirst: Bool, _ covering: Covering, _ screen: Screen
    ) -> Node {
        guard post.isCovered(covering) else { return carousel(post, isFirst: isFirst, screen) }
        return PostCover(frame: frame).pictures(
            post.warning, carousel(post, isFirst: false, screen))
    }

    private func carousel(_ post: Post, isFirst: Bool, _ screen: Screen) -> Node {
        let photos = post.photos
        return element("photo-carousel") {
            ul(
                .class("photos"), photos.count > 1 ? .attribute("tabindex", "0") : .none,
                photos.count > 1 ? .label("\(photos.count) photos") : .none
            ) {
                for (index, photo) in photos.enumerated() {
                    li(.flag("data-photo")) {
                        switch screen {
                        case .list: picture(photo, isLazy: !isFirst || index > 0)
                        case .own: opening(photo, index, of: post)
                        }
                    }
                }
            }
            if photos.count > 1 {
                p(.class("counter"), .flag("data-counter")) { "1/\(photos.count)" }
                p(.class("dots"), .flag("data-dots"), .decorative) {
                    for index in photos.indices { span(.flag("data-current", index == 0)) }
                }
            }
        }
    }

    private func opening(_ photo: Photo, _ index: Int, of post: Post) -> Node {
        let path = PostPhotoPages.path(of: index, in: post.id)
        let words = photo.description.isEmpty ? "" : ": \(photo.description)"
        return a(.href(path), .label("Open photo \(index + 1)\(words)")) {
            picture(photo, isLazy: index > 0, .attribute("data-hero", path))
        }
    }

    private func picture(_ photo: Photo, isLazy: Bool, _ hero: Attribute = .none) -> Node {
        let large = photo.pixels(.large)
        let medium = photo.pixels(.medium)
        return img(
            .src(Photo.path(photo.id, .large)),
            .srcset(
                "\(Photo.path(photo.id, .medium)) \(medium.width)w, \(Photo.path(photo.id, .large)) \(large.width)w"
            ),
            .sizes("(min-width: 768px) and (min-height: 500px) 470px, 100vw"), .width(large.width),
            .height(large.height),
            .alt(photo.description), .attribute("data-blurhash", photo.blurhash), isLazy ? .lazy : .none, hero
        )
    }

    private func engagement(_ post: Post) -> Node {
        div(.class("engagement")) {
            toggle(post.id, "like", isOn: post.isLiked, "heart", "heart-fill", label: "Like")
            frame.symbolLink("Comment", "chat", href: "/posts/\(post.id)/comments")
            frame.symbolLink("Share", "send", href: PostPaths.share(post.id))
            toggle(post.id, "save", isOn: post.isSaved, "bookmark", "bookmark-fill", label: "Save")
        }
    }

    private func toggle(
        _ id: Post.ID, _ kind: String, isOn: Bool, _ off: StaticString, _ on: StaticString, label: String
    ) -> Node {
        form(
            .method("post"), .action("/posts/\(id)/\(isOn ? "un" : "")\(kind)"),
            .attribute("data-toggle", kind)
        ) {
            button(.class("symbol"), .pressed(isOn), .label(label)) {
                frame.icon(off)
                frame.icon(on)
            }
        }
    }

    private func information(_ post: Post, isCovered: Bool) -> Node {
        let comments = post.commentsCount
        return div(.class("information")) {
            a(
                .class("likes"), .attribute("data-likes", String(post.likesCount)),
                .href("/posts/\(post.id)/likes")
            ) { post.likesCount == 0 ? "Be the first to like this" : post.likesCount.of("like") }
            if !isCovered, let cover = post.cover {
                p(.class("warned")) {
                    frame.icon("eye-slash")
                    element("bdi") { cover }
                }
            }
            if !post.caption.isEmpty {
                p(.class("caption"), .flag("data-caption"), .attribute("lang", post.language)) {
                    a(.href(AppPaths.profile(post.author.username))) { post.author.username }
                    " "
                    Caption.isolated(post.caption, .of(post.mentions), on: .page(of: frame.publicURL))
                }
            }
            a(
                .class("comments"), .attribute("data-comments", String(comments)),
                .href("/posts/\(post.id)/comments"), .hidden(comments == 0)
            ) { comments == 1 ? "View 1 comment" : "View all \(comments.grouped) comments" }
            a(.class("when"), .href(PostPaths.page(post.id))) { frame.time(post.id.createdAt) }
        }
    }
}

/// A cache of the HTML of posts' cards.
///
/// A card is kept with everything that it shows, and compared with that, so nothing has to be invalidated. Viewers for whom
/// a post looks the same share its card.
final class PostCards: Sendable {
    /// What viewers see differently of a post. The rest has to be the same for a kept card to be used.
    private struct Key: Hashable {
        var post: Post.ID
        var isLiked: Bool
        var isSaved: Bool
        var isFirst: Bool
        var isCovered: Bool
    }

    private struct Card: Sendable {
        var post: Post
        var age: String
        var html: [UInt8]
    }

    private let frame: Frame
    /// The kept cards. A card has some 5 kB, including its post.
    private let kept = Cache<Key, Card>(capacity: 2_000, bytes: 4_000_000) { $0.html.count + 500 }

    init(frame: Frame) { self.frame = frame }

    /// Returns the kept HTML of ``PostComponents/card(_:isFirst:_:on:)``, or draws the card; folded if one of the viewer's
    /// filters fits the post there.
    func card(
        _ post: Post, isFirst: Bool, _ covering: Covering, in context: PostFilter.Context
    ) -> Node {
        // Viewers with and without filters share a card.
        var plain = post
        plain.filtered = []
        return FilterFold(frame: frame).fold(post, in: context, card(plain, isFirst: isFirst, covering))
    }

    private func card(_ post: Post, isFirst: Bool, _ covering: Covering) -> Node {
        let age = Timestamp.relative(post.id.createdAt, now: frame.now())
        let key = Key(
            post: post.id, isLiked: post.isLiked, isSaved: post.isSaved, isFirst: isFirst,
            isCovered: post.isCovered(covering))
        if let known = kept[key], known.age == age, known.post == post { return .fragment(known.html) }
        let html = PostComponents(frame: frame).card(post, isFirst: isFirst, covering).rendered().withoutSlack
        kept[key] = Card(post: post, age: age, html: html)
        return .fragment(html)
    }
}

/// A grid of square posts, for profiles, hashtags and Saved.
package struct PostGrid {
    package let frame: Frame
    /// Which pictures the viewer sees covered.
    let covering: Covering

    /// Where the viewer's filters have to count to fold or hide a post of the grid; nil where none do.
    let filters: PostFilter.Context?

    package init(frame: Frame, _ covering: Covering, filters: PostFilter.Context? = nil) {
        self.frame = frame
        self.covering = covering
        self.filters = filters
    }

    /// Draws the posts.
    ///
    /// - Parameter pinned: posts to show before the others, with a pin.
    package func list(_ posts: [Post], pinned: [Post] = [], next: String?) -> Node {
        frame.endlessList("grid", next: next) {
            for post in shown(pinned) { cell(post, isPinned: true) }
            for post in shown(posts) { cell(post) }
        }
    }

    @NodeBuilder package func rows(_ posts: [Post], next: String?) -> Node {
        for post in shown(posts) { cell(post) }
        frame.more(next)
    }

    private func shown(_ posts: [Post]) -> [Post] {
        filters.map { posts.unhidden(in: $0) } ?? posts
    }

    private func cell(_ post: Post, isPinned: Bool = false) -> Node {
        li(.attribute("data-id", post.id.description)) {
            a(.href(PostPaths.page(post.id))) {
                if let title = filters.flatMap(post.foldedBy(in:)) {
                    PostCover(frame: frame).small("Filtered: \(title)")
                } else if post.isCovered(covering) {
                    PostCover(frame: frame).small("Covered post by \(post.author.username)")
                } else if let photo = post.photos.first {
                    PhotoComponents.square(
                        photo,
                        alt: photo.description.isEmpty
                            ? "Post by \(post.author.username)" : photo.description)
                }
                if post.photos.count > 1 { frame.icon("images", class: "icon mark") }
                if isPinned {
                    frame.icon("pin-angle-fill", class: "icon mark pin")
                    span(.class("unseen")) { "Pinned" }
                }
            }
        }
    }
}
