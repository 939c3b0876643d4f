import Core
import Hummingbird
import People

/// Live events for Mastodon's apps.
package struct StreamingFeature: Feature {
    private let app: AppParts
    private let relations: RelationshipService
    private let sessions: SessionService
    private let posts: PostsFeature
    private let chats: ChatsFeature

    package init(
        _ app: AppParts, relationships: RelationshipsFeature, sessions: SessionsFeature, posts: PostsFeature,
        chats: ChatsFeature
    ) {
        self.app = app
        relations = relationships.relations
        self.sessions = sessions.sessions
        (self.posts, self.chats) = (posts, chats)
    }

    package func addRoutes(to router: Router<AppContext>) {
        StreamingAPI(
            events: app.events, sessions: sessions,
            translation: StreamTranslation(
                posts: posts.posts, statuses: posts.statuses,
                chats: chats.chats, conversations: chats.entities, relations: relations)
        ).add(to: router)
    }
}
