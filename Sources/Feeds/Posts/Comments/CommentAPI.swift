import Core
import Hummingbird
import Serving

/// JSON routes of threads, in Mastodon's form. Comments are statuses, so they are written and deleted by `PostAPI`.
struct CommentAPI {
    let posts: PostService
    let comments: CommentService
    let statuses: PostEntities
    /// The statuses that aren't posts.
    let others: Registry<OtherStatuses>

    func add(to router: Router<AppContext>) {
        router.get("api/v1/statuses/:id/context") { request, context in
            try await others.answer(.context, request, context) { try await thread($0, request, context) }
        }
        for (path, isOn) in [("mute", true), ("unmute", false)] {
            router.post("api/v1/statuses/:id/\(path)") { request, context in
                try await others.answer(.muteThread, request, context) { id in
                    let post = try await posts.setThreadMuted(isOn, id, by: context.viewer)
                    return .json(for: request, capacity: 4096) {
                        statuses.status(post, viewer: context.reader, into: &$0)
                    }
                }
            }
        }
    }

    private func thread(_ id: Post.ID, _ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let thread = try await comments.context(of: id, for: viewer)
        return .json(for: request, capacity: 4096) { json in
            json.object { json in
                json.array("ancestors", thread.ancestors) {
                    statuses.status($1, viewer: context.reader, into: &$0)
                }
                json.array("descendants", thread.descendants) {
                    statuses.status($1, viewer: context.reader, into: &$0)
                }
            }
        }
    }
}
