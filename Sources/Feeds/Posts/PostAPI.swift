import Core
import Hummingbird
import Imaging
import People
import Serving

/// JSON routes of posts, in Mastodon's form: statuses and timelines.
struct PostAPI {
    let posts: PostService
    let comments: CommentService
    let statuses: PostEntities
    let places: PostPlaces
    /// The statuses that aren't posts.
    let others: Registry<OtherStatuses>

    func add(to router: Router<AppContext>) {
        router.get("api/v1/timelines/home") { request, context in
            try await timeline(request, context) { try await posts.home(for: $0, page: $1) }
        }
        router.get("api/v1/timelines/public") { request, context in
            try await timeline(request, context) { try await posts.publicPosts(for: $0, page: $1) }
        }
        router.get("api/v1/timelines/list/:id") { request, context in
            let id = try context.id("id", of: PeopleList.self)
            return try await timeline(request, context) {
                try await posts.feed(of: id, for: $0, page: $1).posts
            }
        }
        // Pixelfed's app shows them on its screen Discover.
        for path in ["trending", "network/trending"] {
            router.get(RouterPath("api/v1.1/discover/posts/\(path)"), use: popular)
        }
        router.get("api/v1/accounts/:id/statuses", use: postsOfAccount)
        router.get("api/v1/preferences", use: preferences)
        router.get("api/v1/bookmarks") { try await marked($0, $1, .save) }
        router.get("api/v1/favourites") { try await marked($0, $1, .like) }
        router.get("api/v1/statuses") { request, context in
            let viewer = try context.viewer
            let ids: [Post.ID] = Input.query(request).list("id").compactMap { Post.ID($0) }
            let found = try await posts.posts(Array(ids.withoutRepeats().prefix(40)), for: viewer)
            return list(found, request, context)
        }
        router.post("api/v1/statuses", use: post)
        router.get("api/v1/statuses/:id") { request, context in
            try await others.answer(.look, request, context) {
                try await status(request, context, posts.post($0, for: context.viewer))
            }
        }
        router.put("api/v1/statuses/:id") { request, context in
            try await others.answer(.edit, request, context) { try await edit($0, request, context) }
        }
        router.delete("api/v1/statuses/:id") { request, context in
            try await others.answer(.delete, request, context) {
                try await status(request, context, posts.delete($0, by: context.viewer))
            }
        }
        router.get("api/v1/statuses/:id/source") { request, context in
            try await others.answer(.source, request, context) { try await source($0, request, context) }
        }
        router.get("api/v1/statuses/:id/history") { request, context in
            try await others.answer(.history, request, context) { try await history($0, request, context) }
        }
        router.get("api/v1/statuses/:id/favourited_by") { request, context in
            try await others.answer(.likers, request, context) { try await likers($0, request, context) }
        }
        // Posts can't be boosted. For a post that the viewer can't see, the answer is 404.
        router.get("api/v1/statuses/:id/reblogged_by") { request, context in
            try await others.answer(.boosters, request, context) {
                _ = try await posts.post($0, for: context.viewer)
                return Response.json(for: request) { $0.emptyArray() }
            }
        }
        for (path, mark, isOn, call) in [
            ("favourite", PostMark.like, true, OtherStatuses.Call.like(true)),
            ("unfavourite", .like, false, .like(false)),
            ("bookmark", .save, true, .save), ("unbookmark", .save, false, .save),
        ] {
            router.post("api/v1/statuses/:id/\(path)") { request, context in
                try await others.answer(call, request, context) {
                    try await status(request, context, posts.set(mark, isOn, on: $0, by: context.viewer))
                }
            }
        }
        for (path, isOn) in [("pin", true), ("unpin", false)] {
            router.post("api/v1/statuses/:id/\(path)") { request, context in
                try await others.answer(.pin, request, context) {
                    try await status(request, context, posts.setPinned(isOn, $0, by: context.viewer))
                }
            }
        }
    }

    private func source(_ id: Post.ID, _ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let post = try await posts.post(id, for: viewer)
        // Only the author of a post learns whether its photos can be found.
        let isFindable =
            post.author.id == viewer.id && post.root == nil
            ? try await places.isFindable(post) ?? false : nil
        return .json(for: request) { statuses.source(post, isFindable: isFindable, into: &$0) }
    }

    private func history(_ id: Post.ID, _ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let (post, versions) = try await posts.versions(of: id, for: viewer)
        return .json(for: request, capacity: 4096) { json in
            json.array(versions) { statuses.version($1, of: post, viewer: context.reader, into: &$0) }
        }
    }

    private func preferences(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let defaults = try await posts.defaults(of: viewer)
        return .json(for: request) { json in
            json.object { json in
                json.member("posting:default:visibility", defaults.visibility.rawValue)
                json.member("posting:default:sensitive", defaults.isCovered)
                json.member("posting:default:language", defaults.language)
                json.member("reading:expand:media", viewer.covering.mastodonName)
                json.member("reading:expand:spoilers", viewer.covering == .none)
            }
        }
    }

    private func status(_ request: Request, _ context: AppContext, _ post: Post) -> Response {
        .json(for: request, capacity: 4096) { statuses.status(post, viewer: context.reader, into: &$0) }
    }

    private func timeline(
        _ request: Request, _ context: AppContext, _ read: (Account, PageRequest) async throws -> [Post]
    ) async throws -> Response {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let found = try await read(viewer, page)
        return .list(found, ids: found.map(\.id.rawValue), page, request, statuses.entities) { json, post in
            statuses.status(post, viewer: context.reader, into: &json)
        }
    }

    private func popular(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let name = Input.query(request).filled("range") ?? PopularPosts.Range.daily.rawValue
        guard let range = PopularPosts.Range(rawValue: name) else {
            throw Refusal.invalid("range", "ERR_INVALID", "Choose daily, monthly or yearly.")
        }
        let found = try await posts.popular(range, for: viewer)
        return list(found, request, context)
    }

    private func list(_ posts: [Post], _ request: Request, _ context: AppContext) -> Response {
        .json(for: request, capacity: 4096 * max(1, posts.count)) { json in
            json.array(posts) { statuses.status($1, viewer: context.reader, into: &$0) }
        }
    }

    private func postsOfAccount(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.id("id", of: Account.self)
        let input = Input.query(request)
        if input.bool("pinned") == true {
            return list(try await posts.pinned(by: id, for: context.viewer), request, context)
        }
        if let text = input.filled("tagged") {
            guard let tag = Hashtag(text) else { throw Refusal.notATag(in: "tagged") }
            return try await timeline(request, context) {
                try await posts.posts(by: id, tagged: tag, for: $0, page: $1)
            }
        }
        return try await timeline(request, context) { try await posts.posts(by: id, for: $0, page: $1) }
    }

    private func marked(_ request: Request, _ context: AppContext, _ mark: PostMark) async throws -> Response
    {
        let viewer = try context.viewer
        let page = try PageRequest(Input.query(request))
        let rows = try await posts.marked(mark, by: viewer, page: page)
        return .list(rows, ids: rows.map(\.0), page, request, statuses.entities) { json, row in
            statuses.status(row.1, viewer: context.reader, into: &json)
        }
    }

    private func likers(_ id: Post.ID, _ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await posts.likers(of: id, for: context.viewer, page: page)
        return .list(rows, ids: rows.map(\.0), page, request, statuses.entities) { json, row in
            statuses.entities.account(row.1.account, into: &json)
        }
    }

    private func post(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "status")
        let input = try await Input.read(request, context)
        try Self.refuseUnsupported(input)
        let isDirect = input.string("visibility") == PostRules.direct
        let parent = try input.filled("in_reply_to_id").map { text in
            guard let id = Post.ID(text) else { throw Refusal.notFound }
            return id
        }
        if isDirect || parent != nil,
            let answer = try await others.write(input, answering: parent, request, context)
        {
            return answer
        }
        let ids: [Photo.ID] = try input.ids("media_ids", of: "a photo")
        if let parent {
            if isDirect {
                _ = try await posts.post(parent, for: viewer)
                throw Refusal.invalid(
                    "visibility", "ERR_INVALID",
                    "A comment is seen by those who see the post. To write to somebody alone, write a new message."
                )
            }
            let words = Self.change(input).words(after: PostWords(caption: ""))
            let draft = CommentService.Draft(
                parent: parent, words: words, photos: ids,
                visibility: try PostRules.visibility(input.string("visibility")))
            return try status(request, context, await comments.comment(draft, by: viewer, key: key))
        }
        let defaults = try await posts.defaults(of: viewer)
        var change = Self.change(input)
        change.isCovered = change.isCovered ?? defaults.isCovered
        let draft = PostService.Draft(
            words: change.words(after: PostWords(caption: "")), photos: ids,
            visibility: try PostRules.visibility(input.string("visibility")) ?? defaults.visibility,
            isFindable: input.bool("findable") ?? false)
        return try status(request, context, await posts.post(draft, by: viewer, key: key))
    }

    /// Refuses polls, quotes and scheduled posts, which Mastodon has and Tintype doesn't, so that an app never posts
    /// something other than it meant.
    private static func refuseUnsupported(_ input: Input) throws {
        if input.filled("scheduled_at") != nil {
            throw Refusal.invalid(
                "scheduled_at", "ERR_INVALID",
                "Posts can’t be scheduled here. Send the post when you want to publish it.")
        }
        if input.filled("quoted_status_id") != nil {
            throw Refusal.invalid("quoted_status_id", "ERR_INVALID", "Posts can’t be quoted here.")
        }
        if input.values.keys.contains(where: { $0 == "poll" || $0.hasPrefix("poll[") }) {
            throw Refusal.invalid("poll", "ERR_INVALID", "There are no polls here: Tintype is for pictures.")
        }
    }

    private func edit(_ id: Post.ID, _ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        try Self.refuseUnsupported(input)
        var change = Self.change(input)
        change.visibility = try PostRules.visibility(input.string("visibility"))
        let ids: [Photo.ID] = try input.ids("media_ids", of: "a photo")
        // An empty list takes all photos away, and isn't the same as none.
        if input.values["media_ids[]"] != nil || !ids.isEmpty { change.photos = ids }
        for attributes in input.objects("media_attributes") {
            let photo: Photo.ID = try Input.id(attributes["id"] ?? "", in: "media_attributes", of: "a photo")
            change.photoChanges[photo] = PhotoChange(
                description: attributes["description"]?.trimmed, focus: try Focus.parsed(attributes["focus"]))
        }
        var post = try await posts.edit(id, change, by: viewer)
        if let isFindable = input.bool("findable") {
            post = try await places.setFindable(isFindable, id, by: viewer)
        }
        return status(request, context, post)
    }

    /// Reads what a call says of the words of a post; what it doesn't name stays as it is.
    private static func change(_ input: Input) -> PostChange {
        PostChange(
            caption: input.string("status").map { _ in input.text("status") },
            isCovered: input.bool("sensitive"), warning: input.string("spoiler_text"),
            language: input.string("language"))
    }
}

extension Covering {
    /// Mastodon's name of the setting.
    fileprivate var mastodonName: String {
        switch self {
        case .marked: "default"
        case .none: "show_all"
        case .all: "hide_all"
        }
    }
}
