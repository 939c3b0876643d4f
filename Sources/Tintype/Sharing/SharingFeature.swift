import Hummingbird

/// Sharing a post: with friends as a message, and with guests by a link, as photos of the library too.
struct SharingFeature: Feature {
    static let tables = [FeatureTable("guest_links")]
    static let photoActions = [
        PhotoAction(
            name: "Copy link", icon: "link-45deg",
            place: .sharingGroup { GuestLinkComponents.menu(of: $0, in: $1) })
    ]

    private let links: GuestLinkService
    private let app: AppParts

    init(_ app: AppParts) {
        self.app = app
        links = GuestLinkService(database: app.database)
    }

    func addRoutes(to router: Router<AppContext>) throws {
        let publicURL = app.configuration.publicURL
        let chats: ChatsFeature = try app.features.get()
        let photos: PhotosFeature = try app.features.get()
        GuestLinkAPI(links: links, publicURL: publicURL).add(to: router)
        GuestLinkPages(frame: app.frame, links: links, files: photos.files).add(to: router)
        PhotoSharePages(frame: app.frame, photos: photos.photos, links: links, publicURL: publicURL)
            .add(to: router)
        SharePages(
            frame: app.frame, posts: try app.features.get(PostsFeature.self).posts,
            relations: try app.features.get(RelationshipsFeature.self).relations, links: links,
            chats: chats.chats, messages: chats.messages, publicURL: publicURL
        ).add(to: router)
    }
}
