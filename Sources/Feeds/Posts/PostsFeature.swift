import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

extension Notification.Kind {
    /// Someone likes a post or comment.
    static let like = Notification.Kind("like")
    /// Someone commented on a post, or answered a comment.
    static let comment = Notification.Kind("comment")
    /// Someone mentioned the person in a caption or comment.
    static let mention = Notification.Kind("mention")
}

extension NotificationTopic {
    static let comments = NotificationTopic("comments", title: "Comments", position: 50, news: "New comment")
    static let mentions = NotificationTopic("mentions", title: "Mentions", position: 60, news: "New mention")
    static let likes = NotificationTopic("likes", title: "Likes", position: 70, news: "New like")
}

/// Posts and the comments below them.
package struct PostsFeature: Feature {
    package let tabs = [Page.Tab.home]
    package let menu = [Page.Link.saved]
    package let create = [
        Page.Making(
            tone: 1, icon: "images", title: "Post", text: "One to ten photos on Home",
            path: PostPaths.compose, position: 10, shortcut: ("New Post", .init("post")))
    ]
    package static let scripts = FeatureScripts(
        elements: [
            "comment-thread": "posts/comment-thread.js", "new-posts": "posts/new-posts.js",
            "photo-carousel": "posts/photo-carousel.js", "post-card": "posts/post-card.js",
            "post-composer": "posts/post-composer.js", "shared-post": "posts/shared-post.js",
            "tag-button": "posts/tag-button.js",
        ],
        events: [.post, .postChanged, .postDeleted, .publicPost, .postCounts],
        background: [.account("posts/background.js")],
        offline: [.init("posts/offline.js", page: "Home", at: AppPaths.home, position: 10)],
        outbox: ["comment": "posts/sending-comments.js", "post": "posts/sending-posts.js"])
    package static let tables = [
        FeatureTable("posts", accounts: ["author_id": .erased]), FeatureTable("post_photos"),
        FeatureTable("likes", accounts: ["account_id": .erased]),
        FeatureTable("saves", accounts: ["account_id": .deleted]),
        FeatureTable("hidden_posts", accounts: ["account_id": .deleted], isKept: true),
        FeatureTable("post_places"),
        FeatureTable("muted_threads", accounts: ["account_id": .deleted], isKept: true),
        FeatureTable("pinned_posts", accounts: ["account_id": .deleted]),
        FeatureTable("post_versions", isKept: true),
        FeatureTable("posting_defaults", accounts: ["account_id": .deleted]),
        FeatureTable("post_filters", accounts: ["account_id": .deleted]), FeatureTable("filter_words"),
        FeatureTable("filter_posts", accounts: ["account_id": .deleted]),
        FeatureTable("post_words", isKept: true),
        FeatureTable("post_tags", accounts: ["author_id": .deleted], isKept: true),
        FeatureTable("followed_tags", accounts: ["account_id": .deleted]),
        FeatureTable("featured_tags", accounts: ["account_id": .deleted]),
    ]
    package static let counters = [
        FeatureCounter(
            "posts", of: "accounts", "posts_count",
            "SELECT count(*) FROM posts p WHERE p.author_id = o.id AND p.parent_id IS NULL"),
        FeatureCounter(
            "likes", of: "posts", "likes_count", "SELECT count(*) FROM likes l WHERE l.post_id = o.id"),
        FeatureCounter(
            "comments", of: "posts", "comments_count",
            """
            SELECT count(*) FROM posts c
            WHERE c.root_id = o.id AND o.parent_id IS NULL OR c.parent_id = o.id AND o.parent_id IS NOT NULL
            """),
        FeatureCounter(
            "newest post", of: "accounts", "newest_post_id",
            "SELECT coalesce(max(p.id), 0) FROM posts p WHERE p.author_id = o.id AND p.parent_id IS NULL"),
    ]

    package let posts: PostService
    package let comments: CommentService
    package let tags: TagService
    package let statuses: PostEntities
    package let places: PostPlaces
    private let announcements: PostAnnouncements
    /// The columns beside Home on wide screens.
    let besideHome: Registry<@Sendable (Frame) -> Node>
    /// The cards above the posts of Home.
    package let aboveHome: Registry<HomeCard>
    /// What apps see as statuses, besides posts.
    package let otherStatuses: Registry<OtherStatuses>
    private let app: AppParts
    private let accounts: AccountService
    private let photos: PhotosFeature

    package init(
        _ app: AppParts, accounts: AccountsFeature, notifications: NotificationsFeature,
        photos: PhotosFeature, reports: ReportsFeature
    ) {
        self.app = app
        self.accounts = accounts.accounts
        self.photos = photos
        (besideHome, aboveHome, otherStatuses) = (app.registry(), app.registry(), app.registry())
        statuses = PostEntities(app.entities)
        places = PostPlaces(database: app.database)
        announcements = PostAnnouncements(
            database: app.database, events: app.events, statuses: statuses, logger: app.logger)
        posts = PostService(
            database: app.database, photos: photos.photos, notifications: notifications.notifications,
            announcements: announcements)
        comments = CommentService(database: app.database, announcements: announcements, posts: posts)
        tags = TagService(database: app.database, posts: posts)
        notifications.notifications.kinds.add(notificationKinds)
        photos.offers.uses.add(PostsPhotoUse(announcements: announcements))
        photos.offers.actions.add(
            PhotoAction(
                name: "New post", icon: "plus-square", place: .sharing { "/posts/new?photo=\($0)" }))
        photos.offers.arrivals.add(
            PhotoArrival(
                tone: 1, icon: "images", title: "Post", text: "One to ten photos on Home", position: 10,
                photos: PostRules.photosCount, texts: .along,
                way: .uploaded(path: PostPaths.compose, field: "photo")))
        reports.reports.kinds.add(PostReports(posts: posts, others: otherStatuses))
    }

    package func addRoutes(to router: Router<AppContext>) {
        let frame = app.frame
        let cards = PostCards(frame: frame)
        PostPages(
            frame: frame, posts: posts, cards: cards,
            beside: { [besideHome] in .list(besideHome.all.map { $0(frame) }) },
            above: aboveHome
        ).add(to: router)
        let commentEdits = CommentEditPages(frame: frame, posts: posts)
        commentEdits.add(to: router)
        PostOptionsPages(
            frame: frame, posts: posts, comments: commentEdits, publicURL: app.configuration.publicURL
        ).add(to: router)
        ListFeedPages(frame: frame, posts: posts, cards: cards).add(to: router)
        PostFindablePages(places: places).add(to: router)
        SharedPostCards(frame: frame, posts: posts).add(to: router)
        PostPhotoPages(frame: frame, posts: posts).add(to: router)
        PostComposerPages(frame: frame, posts: posts, photos: photos.photos, blobs: app.blobs).add(to: router)
        PostSettingsPages(frame: frame, posts: posts, accounts: accounts).add(to: router)
        let filters = FilterService(database: app.database)
        FilterPages(frame: frame, filters: filters).add(to: router)
        PostFilterPages(frame: frame, filters: filters).add(to: router)
        FilterAPI(filters: filters).add(to: router)
        TagPages(frame: frame, tags: tags).add(to: router)
        TagAPI(tags: tags, statuses: statuses).add(to: router)
        PostSearchPages(frame: frame, posts: posts).add(to: router)
        CommentPages(frame: frame, comments: comments).add(to: router)
        CommentAPI(posts: posts, comments: comments, statuses: statuses, others: otherStatuses).add(
            to: router)
        PostAPI(
            posts: posts, comments: comments, statuses: statuses, places: places, others: otherStatuses
        ).add(to: router)
    }

    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .people, 10,
                "Your posts are seen by your followers, or by everyone on this server. You choose for each post."
            )
        ]
    }

    package func settings(for viewer: Account, _ transaction: Transaction) throws -> [SettingsLine] {
        [
            SettingsLine(
                group: .privacy, position: 15, title: "Posts", symbol: "images",
                path: PostSettingsPages.path,
                value: try PostStore(transaction).defaults(of: viewer.id).visibility.title),
            SettingsLine(
                group: .privacy, position: 27, title: "Filters", symbol: "funnel", path: FilterPages.path,
                value: try FilterStore(transaction).count(of: viewer.id).nonzero),
            SettingsLine(
                group: .privacy, position: 17, title: "Followed hashtags", symbol: "hash",
                path: TagPages.followedPath,
                value: try TagStore(transaction).count(.followed, of: viewer.id).nonzero),
        ]
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [
            .findHashtags: { [tags] in try await tags.findOlder($0) },
            .findPostWords: { [posts] in try await posts.findOlderWords($0) },
        ]
    }

    package var news: [NewsKind: NewsKind.Handler] { announcements.news }
    package var accountData: (any AccountData)? { PostsData() }

    /// Shows earlier posts to followers only, when their author begins to approve followers.
    package func profileChanged(_ account: Account, from old: Account, _ transaction: Transaction) throws {
        guard !old.approvesFollowers, account.approvesFollowers else { return }
        announcements.narrowed(account, transaction)
    }

    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        announcements.left(account, transaction)
    }

    private var notificationKinds: [NotificationKind] {
        func kind(
            _ kind: Notification.Kind, _ topic: NotificationTopic, _ mastodonType: String, _ colour: String,
            _ symbol: StaticString, _ words: @escaping @Sendable (NotificationGroup, Post) -> Node
        ) -> NotificationKind {
            NotificationKind(
                kind: kind, topic: topic, mastodonType: mastodonType, colour: colour, symbol: symbol,
                subjects: { [statuses] ids, reader, transaction in
                    try PostRecords(transaction).subjects(
                        ids.map { ID(rawValue: $0) }, for: reader, statuses)
                },
                member: "status*:Status", isVisible: PostRow.subjectIsVisible, isGroupedInApps: kind == .like,
                words: { group in PostSubject.of(group).map { words(group, $0.post) } ?? .empty },
                path: { group in
                    guard let post = PostSubject.of(group)?.post else { return AppPaths.home }
                    return post.root.map { CommentPages.path(of: post.id, under: $0) }
                        ?? PostPaths.page(post.id)
                })
        }
        return [
            kind(.like, .likes, "favourite", "like", "heart-fill") { _, post in
                .text(post.root == nil ? " liked your post." : " liked your comment.")
            },
            kind(.comment, .comments, "mention", "comment", "chat-fill") { group, post in
                group.peopleCount > 1
                    ? .text(" commented on your post.") : PostSubject.quoted(" commented: ", post)
            },
            kind(.mention, .mentions, "mention", "mention", "at") { _, post in
                PostSubject.quoted(" mentioned you: ", post)
            },
        ]
    }
}

extension Int {
    /// The number with commas between thousands; nil for 0.
    fileprivate var nonzero: String? { self == 0 ? nil : grouped }
}

extension PostRecords {
    /// Returns those of some posts and comments of notifications that the reader may see, by their ids.
    fileprivate func subjects(
        _ ids: [Post.ID], for reader: Account, _ statuses: PostEntities
    ) throws -> [Int64: any NotificationSubject] {
        // Someone who mutes a thread gets no notifications about it.
        let found = try posts(ids, for: reader).filter { !$0.isThreadMuted }
        let roots = try posts(Set(found.compactMap(\.root)).sorted(), for: reader)
        let tops = Dictionary(uniqueKeysWithValues: roots.map { ($0.id, $0) })
        let subjects = found.compactMap { post -> PostSubject? in
            guard let top = post.root.map({ tops[$0] }) ?? post else { return nil }
            return PostSubject(post: post, top: top, covering: reader.covering, statuses: statuses)
        }
        return Dictionary(uniqueKeysWithValues: subjects.map { ($0.post.id.rawValue, $0) })
    }
}

/// The post or comment that a notification is about.
private struct PostSubject: NotificationSubject {
    let post: Post
    /// The post at the top of a comment's thread; for a post, the post itself.
    let top: Post
    /// Which pictures the reader sees covered.
    fileprivate let covering: Covering
    fileprivate let statuses: PostEntities

    static func of(_ group: NotificationGroup) -> PostSubject? { group.newest.subject as? PostSubject }

    var picture: Node {
        guard !top.isCovered(covering), top.foldedBy(in: .notifications) == nil, let photo = top.photos.first
        else {
            return .empty
        }
        return PhotoComponents.square(photo, alt: "")
    }

    func eventSubjects(_ transaction: Transaction) throws -> [EventSubject] {
        try PostRecords(transaction).subjects(of: post)
    }

    func write(for viewer: Reader, into json: inout JSONWriter) {
        json.key("status")
        writeStatus(for: viewer, into: &json)
    }

    var isFilteredOut: Bool { post.isHidden(in: .notifications) || top.isHidden(in: .notifications) }

    var statusID: Int64? { post.id.rawValue }

    func writeStatus(for viewer: Reader, into json: inout JSONWriter) {
        statuses.status(post, viewer: viewer, into: &json)
    }

    @NodeBuilder static func quoted(_ words: String, _ post: Post) -> Node {
        words
        if let title = post.foldedBy(in: .notifications) {
            "Filtered: "
            element("bdi") { title }
        } else {
            element("q") { String((post.cover ?? post.caption).prefix(120)) }
        }
    }
}

extension Page.Link {
    static let saved = Page.Link(name: "saved", icon: "bookmark", position: 50)
}

extension Page.Style {
    package static let posts = Page.Style(name: "posts")
    static let comments = Page.Style(name: "comments")
}

/// A card of a feature above the posts of Home. It is hidden until its script has loaded its style sheet, so that Home
/// stays light for those who never see it.
package struct HomeCard: Sendable {
    let draw: @Sendable (Frame) -> Node

    package init(draw: @escaping @Sendable (Frame) -> Node) { self.draw = draw }
}
