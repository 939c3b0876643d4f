import Hummingbird

/// Sharing a post: with friends as a message, and with guests by a link.
struct SharingFeature: Feature {
    static let tables = [FeatureTable("guest_links")]

    private let links: GuestLinkService
    private let app: AppParts

    init(_ app: AppParts) {
        self.app = app
        links = GuestLinkService(database: app.database)
    }

    func addRoutes(to router: Router<AppContext>) throws {
        let publicURL = app.configuration.publicURL
        let chats: ChatsFeature = try app.features.get()
        GuestLinkPages(
            frame: app.frame, links: links, files: try app.features.get(PhotosFeature.self).files,
            publicURL: publicURL
        ).add(to: router)
        SharePages(
            frame: app.frame, posts: try app.features.get(PostsFeature.self).posts,
            relations: try app.features.get(RelationshipsFeature.self).relations, links: links,
            chats: chats.chats, messages: chats.messages, publicURL: publicURL
        ).add(to: router)
    }
}
