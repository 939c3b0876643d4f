import Core
import Feeds
import Hummingbird
import People

/// The profiles of people as others see them: Users, profiles, and their JSON interface.
struct ProfilesFeature: Feature {
    static let scripts = FeatureScripts(
        offline: [.init("profiles/offline.js", page: "Users", at: AppPaths.users, position: 60)])

    let menu = [Page.Link.users]

    private let app: AppParts
    private let accounts: AccountService
    private let relations: RelationshipService
    private let posts: PostsFeature

    init(
        _ app: AppParts, accounts: AccountsFeature, relationships: RelationshipsFeature, posts: PostsFeature
    ) {
        self.app = app
        self.accounts = accounts.accounts
        relations = relationships.relations
        self.posts = posts
    }

    func addRoutes(to router: Router<AppContext>) {
        ProfilePages(
            frame: app.frame, accounts: accounts, relations: relations, posts: posts.posts
        ).add(to: router)
        SettingsProfilePages(frame: app.frame, accounts: accounts, blobs: app.blobs).add(to: router)
        ProfileAPI(
            accounts: accounts, relations: relations, posts: posts.posts, blobs: app.blobs,
            entities: app.entities
        ).add(to: router)
        SearchPages(frame: app.frame, relations: relations, posts: posts.posts).add(to: router)
        SearchAPI(accounts: accounts, relations: relations, posts: posts, entities: app.entities).add(
            to: router)
    }
}

extension Page.Link {
    static let users = Page.Link(name: "users", icon: "people", position: 10)
}

extension Page.Style {
    static let profiles = Page.Style(name: "profiles")
}
