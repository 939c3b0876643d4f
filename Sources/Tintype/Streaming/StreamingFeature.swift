import Hummingbird

/// Live events for Mastodon's apps.
struct StreamingFeature: Feature {
    private let app: AppParts

    init(_ app: AppParts) { self.app = app }

    func addRoutes(to router: Router<AppContext>) throws {
        let posts = try app.features.get(PostsFeature.self)
        StreamingAPI(
            events: app.events, sessions: try app.features.get(SessionsFeature.self).sessions,
            translation: StreamTranslation(
                posts: posts.posts, statuses: posts.statuses,
                chats: try app.features.get(ChatsFeature.self).chats,
                conversations: ChatEntities(entities: app.entities))
        ).add(to: router)
    }
}
