import Core
import Hummingbird
import People
import Serving

/// JSON routes of posts, in Mastodon's form: statuses and timelines.
struct PostAPI {
    let posts: PostService
    let comments: CommentService
    let statuses: PostEntities
    let places: PostPlaces

    func add(to router: Router<AppContext>) {
        router.get("api/v1/timelines/home") { request, context in
            try await timeline(request, context) { try await posts.home(for: $0, page: $1) }
        }
        router.get("api/v1/timelines/public") { request, context in
            try await timeline(request, context) { try await posts.publicPosts(for: $0, page: $1) }
        }
        router.get("api/v1/accounts/:id/statuses", use: postsOfAccount)
        router.get("api/v1/preferences", use: preferences)
        router.get("api/v1/bookmarks") { try await marked($0, $1, .save) }
        router.get("api/v1/favourites") { try await marked($0, $1, .like) }
        router.post("api/v1/statuses", use: post)
        router.get("api/v1/statuses/:id") { request, context in
            try await status(request, context, posts.post(context.id("id"), for: context.viewer))
        }
        router.put("api/v1/statuses/:id", use: edit)
        router.delete("api/v1/statuses/:id") { request, context in
            try await status(request, context, posts.delete(context.id("id"), by: context.viewer))
        }
        router.get("api/v1/statuses/:id/source") { request, context in
            let viewer = try context.viewer
            let post = try await posts.post(context.id("id"), for: viewer)
            // Only the author of a post learns whether its photos can be found.
            let isFindable =
                post.author.id == viewer.id && post.root == nil
                ? try await places.isFindable(post) ?? false : nil
            return Response.json(for: request) {
                statuses.source(post, isFindable: isFindable, into: &$0)
            }
        }
        router.get("api/v1/statuses/:id/history", use: history)
        router.get("api/v1/statuses/:id/favourited_by", use: likers)
        // Posts can't be boosted. For a post that the viewer can't see, the answer is 404.
        router.get("api/v1/statuses/:id/reblogged_by") { request, context in
            _ = try await posts.post(context.id("id"), for: context.viewer)
            return Response.json(for: request) { $0.array([]) { (_, _: Int) in } }
        }
        for (path, mark, isOn) in [
            ("favourite", PostMark.like, true), ("unfavourite", .like, false), ("bookmark", .save, true),
            ("unbookmark", .save, false),
        ] {
            router.post("api/v1/statuses/:id/\(path)") { request, context in
                try await status(
                    request, context, posts.set(mark, isOn, on: context.id("id"), by: context.viewer))
            }
        }
        for (path, isOn) in [("pin", true), ("unpin", false)] {
            router.post("api/v1/statuses/:id/\(path)") { request, context in
                try await status(
                    request, context, posts.setPinned(isOn, context.id("id"), by: context.viewer))
            }
        }
    }

    private func history(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let (post, versions) = try await posts.versions(of: context.id("id"), for: viewer)
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

    private func postsOfAccount(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.id("id", of: Account.self)
        if Input.query(request).bool("pinned") == true {
            let viewer = try context.viewer
            let pinned = try await posts.pinned(by: id, for: viewer)
            return .json(for: request, capacity: 4096) { json in
                json.array(pinned) { statuses.status($1, viewer: context.reader, into: &$0) }
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

    private func likers(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = try PageRequest(Input.query(request))
        let rows = try await posts.likers(of: context.id("id"), for: context.viewer, page: page)
        return .list(rows, ids: rows.map(\.0), page, request, statuses.entities) { json, row in
            statuses.entities.account(row.1.account, into: &json)
        }
    }

    private func post(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let key = try IdempotencyKey.read(request, scope: "status")
        let input = try await Input.read(request, context)
        try Self.refuseUnsupported(input)
        let ids: [Photo.ID] = try input.ids("media_ids", of: "a photo")
        if let parent = input.filled("in_reply_to_id") {
            guard let parent = Post.ID(parent) else { throw Refusal.notFound }
            let words = Self.change(input).words(after: PostWords(caption: ""))
            let draft = CommentService.Draft(parent: parent, words: words, photos: ids)
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

    /// Refuses polls and scheduled posts, which Mastodon has and Tintype doesn't, so that an app never posts something
    /// other than it meant.
    private static func refuseUnsupported(_ input: Input) throws {
        if input.filled("scheduled_at") != nil {
            throw Refusal.invalid(
                "scheduled_at", "ERR_INVALID",
                "Posts can’t be scheduled here. Send the post when you want to publish it.")
        }
        if input.values.keys.contains(where: { $0 == "poll" || $0.hasPrefix("poll[") }) {
            throw Refusal.invalid("poll", "ERR_INVALID", "There are no polls here: Tintype is for pictures.")
        }
    }

    private func edit(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        try Self.refuseUnsupported(input)
        let id = try context.id("id", of: Post.self)
        var change = Self.change(input)
        change.visibility = try PostRules.visibility(input.string("visibility"))
        let ids: [Photo.ID] = try input.ids("media_ids", of: "a photo")
        if !ids.isEmpty { change.photos = ids }
        for attributes in input.objects("media_attributes") {
            guard let description = attributes["description"] else { continue }
            let photo: Photo.ID = try Input.id(attributes["id"] ?? "", in: "media_attributes", of: "a photo")
            change.descriptions[photo] = description.trimmed
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
