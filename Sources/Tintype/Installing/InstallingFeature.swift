import Core
import Feeds
import HTML
import Hummingbird
import People
import Storage

/// The installed app: how to put Tintype on a home screen, the invitation to do so, and the question whether to get
/// notifications of messages. ``WebManifest`` is what browsers need for it.
struct InstallingFeature: Feature {
    static let scripts = FeatureScripts(
        elements: [
            "install-button": "installing/install-button.js",
            "install-invitation": "installing/install-invitation.js",
        ],
        background: [.account("installing/background.js")])

    private let app: AppParts

    init(_ app: AppParts, push: PushFeature, posts: PostsFeature, chats: ChatsFeature) {
        self.app = app
        posts.aboveHome.add(HomeCard { InstallPages(frame: $0).invitation })
        let question = PushComponents(frame: app.frame, key: push.serverKey)
        chats.offers.above.add { _, peer, _ in
            { question.question(about: peer.displayName, after: "chat-thread li[data-id]") }
        }
    }

    func addRoutes(to router: Router<AppContext>) {
        InstallPages(frame: app.frame).add(to: router)
    }

    func settings(for viewer: Account, _ transaction: Transaction) -> [SettingsLine] {
        [
            SettingsLine(
                group: .server, position: 30, title: "Install Tintype", symbol: "phone",
                path: InstallPages.path)
        ]
    }
}
