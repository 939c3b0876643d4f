import Hummingbird

/// People as others see them: Users, profiles, and the interface to both.
struct ProfilesFeature: Feature {
    static let menu = [Page.Link.users]

    private let app: AppParts

    init(_ app: AppParts) { self.app = app }

    func addRoutes(to router: Router<AppContext>) throws {
        let accounts = try app.features.get(AccountsFeature.self).accounts
        let relations = try app.features.get(RelationshipsFeature.self).relations
        ProfilePages(
            frame: app.frame, accounts: accounts, relations: relations,
            posts: try app.features.get(PostsFeature.self).posts
        ).add(to: router)
        SettingsProfilePages(frame: app.frame, accounts: accounts, blobs: app.blobs).add(to: router)
        AccountAPI(accounts: accounts, relations: relations, blobs: app.blobs, entities: app.entities).add(
            to: router)
    }
}

extension Page.Link {
    static let users = Page.Link(name: "users", icon: "people", position: 10)
}
