import Core
import Feeds
import Making
import People

/// All features, each built from the features before it that it uses. A new feature is a folder, its type in the list,
/// a line among the properties and one in the initialiser.
struct Features: Sendable {
    /// The types of all features, in the order in which they are built. Their descriptions of the schema are available
    /// without an application.
    static let types: [any Feature.Type] = [
        AccountsFeature.self, SessionsFeature.self, OAuthFeature.self, RelationshipsFeature.self,
        NotificationsFeature.self, PushFeature.self, PhotosFeature.self, OnceFeature.self,
        ConnectedAccountsFeature.self, ReportsFeature.self, PostsFeature.self, PastPhotosFeature.self,
        SnapsFeature.self, ChatsFeature.self,
        StreamingFeature.self, SharingFeature.self, CollagesFeature.self, ThenAndNowFeature.self,
        ContractsFeature.self, ProfilesFeature.self, PersonalDataFeature.self, AdministrationFeature.self,
        ImportingFeature.self, SettingsFeature.self, InstallingFeature.self,
    ]
    /// The tables of all features.
    static let tables = types.flatMap { $0.tables }

    let accounts: AccountsFeature
    let sessions: SessionsFeature
    let oauth: OAuthFeature
    let relationships: RelationshipsFeature
    let notifications: NotificationsFeature
    let push: PushFeature
    let photos: PhotosFeature
    let once: OnceFeature
    let connectedAccounts: ConnectedAccountsFeature
    let reports: ReportsFeature
    let posts: PostsFeature
    let pastPhotos: PastPhotosFeature
    let snaps: SnapsFeature
    let chats: ChatsFeature
    let streaming: StreamingFeature
    let sharing: SharingFeature
    let collages: CollagesFeature
    let thenAndNow: ThenAndNowFeature
    let contracts: ContractsFeature
    let profiles: ProfilesFeature
    let personalData: PersonalDataFeature
    let administration: AdministrationFeature
    let importing: ImportingFeature
    let settings: SettingsFeature
    let installing: InstallingFeature

    /// All features, in the order in which they were built.
    private(set) var all: [any Feature]

    /// The types of all features, in the order in which they were built.
    var types: [any Feature.Type] { all.map { type(of: $0) } }

    /// Builds all features.
    ///
    /// - Parameter additions: further features, which are built after those of the app.
    /// - Throws: when a feature can't read its files.
    init(_ app: AppParts, adding additions: [FeatureAddition]) async throws {
        func add<F: Feature>(_ feature: F) -> F {
            app.features.add(feature)
            app.frame.navigation.add(tabs: feature.tabs, menu: feature.menu, create: feature.create)
            return feature
        }
        accounts = add(AccountsFeature(app))
        sessions = add(try await SessionsFeature(app, accounts: accounts))
        oauth = add(OAuthFeature(app, accounts: accounts, sessions: sessions))
        relationships = add(RelationshipsFeature(app))
        notifications = add(NotificationsFeature(app, relationships: relationships))
        push = add(
            try await PushFeature(
                app, sessions: sessions, oauth: oauth, notifications: notifications,
                installing: InstallPages.path))
        photos = add(PhotosFeature(app, accounts: accounts))
        once = add(OnceFeature(app, photos: photos))
        connectedAccounts = add(ConnectedAccountsFeature(app))
        reports = add(ReportsFeature(app, accounts: accounts, photos: photos))
        posts = add(
            PostsFeature(
                app, accounts: accounts, notifications: notifications, photos: photos, reports: reports))
        pastPhotos = add(
            PastPhotosFeature(app, photos: photos, posts: posts, camera: ThenAndNowPaths.camera))
        snaps = add(
            try SnapsFeature(
                app, relationships: relationships, notifications: notifications, photos: photos, once: once,
                reports: reports, posts: posts, answering: { ChatPaths.answer($0, of: $1) }))
        chats = add(
            ChatsFeature(
                app, accounts: accounts, relationships: relationships, notifications: notifications,
                photos: photos, once: once, reports: reports, posts: posts, snaps: snaps))
        streaming = add(
            StreamingFeature(
                app, relationships: relationships, sessions: sessions, posts: posts, chats: chats))
        sharing = add(
            SharingFeature(
                app, relationships: relationships, photos: photos, posts: posts, snaps: snaps, chats: chats))
        collages = add(
            CollagesFeature(
                app, relationships: relationships, notifications: notifications, photos: photos,
                reports: reports, chats: chats))
        thenAndNow = add(ThenAndNowFeature(app, photos: photos, pastPhotos: pastPhotos))
        contracts = add(
            ContractsFeature(
                app, accounts: accounts, relationships: relationships, notifications: notifications,
                photos: photos, once: once, connected: connectedAccounts, reports: reports, posts: posts,
                chats: chats))
        profiles = add(
            ProfilesFeature(app, accounts: accounts, relationships: relationships, posts: posts))
        personalData = add(
            PersonalDataFeature(app, sessions: sessions, notifications: notifications, photos: photos))
        administration = add(
            AdministrationFeature(
                app, accounts: accounts, sessions: sessions, push: push, reports: reports))
        importing = add(ImportingFeature(app, photos: photos, posts: posts))
        settings = add(SettingsFeature(app, accounts: accounts, relationships: relationships))
        installing = add(InstallingFeature(app, push: push, posts: posts, chats: chats))
        all = app.features.all
        for addition in additions { all.append(add(try addition.make(app, self))) }
    }
}

/// A feature that is added to those of the app.
struct FeatureAddition: Sendable {
    let type: any Feature.Type
    /// Builds the feature.
    let make: @Sendable (AppParts, Features) throws -> any Feature
}

extension ServerConfiguration {
    /// The settings of the features.
    private static let features = Features.types.flatMap { $0.configuration }

    /// The names of all settings.
    static var allNames: [String] { names + features.flatMap { $0.names } }

    /// Reads all settings.
    ///
    /// - Parameters:
    ///   - flags: settings from the command line, by the names of the file.
    ///   - environment: the variables of the process, of which those with a name in `TINTYPE_` are read.
    ///   - file: path of a JSON file, nil for none.
    /// - Throws: when the file can't be read, or a value isn't what its setting takes.
    public static func load(
        flags: [String: String], environment: [String: String], file: String?
    ) async throws -> ServerConfiguration {
        try await load(flags: flags, environment: environment, file: file, features: features)
    }
}
