import Core
import Hummingbird
import People

/// The sharing of posts and snaps with friends and groups, in messages, and of posts and library photos with guests, by links.
package struct SharingFeature: Feature {
    package static let scripts = FeatureScripts(
        elements: [
            "guest-link": "sharing/guest-link.js", "share-arrival": "sharing/share-arrival.js",
        ],
        offline: [.init("sharing/arriving.js")])
    package static let tables = [FeatureTable("guest_links")]

    private let links: GuestLinkService
    private let app: AppParts
    private let relations: RelationshipService
    private let photos: PhotosFeature
    private let posts: PostService
    private let chats: ChatsFeature
    private let snapSending: SnapSendingRoutes

    package init(
        _ app: AppParts, relationships: RelationshipsFeature, photos: PhotosFeature, posts: PostsFeature,
        snaps: SnapsFeature, chats: ChatsFeature
    ) {
        self.app = app
        relations = relationships.relations
        self.posts = posts.posts
        (self.photos, self.chats) = (photos, chats)
        links = GuestLinkService(database: app.database, photoKinds: photos.offers.kinds)
        snapSending = SnapSendingRoutes(
            sending: SnapSending(
                snaps: snaps.snaps, chats: chats.chats, messages: chats.messages, singleUse: photos.singleUse),
            frame: app.frame, relations: relations, snapEntities: snaps.entities,
            chatEntities: chats.entities)
        snaps.receivers.add(snapSending)
        app.frame.navigation.shareTarget = Page.ShareTarget(path: ArrivalPages.path)
        let cards = SharedPostCards(frame: app.frame, posts: posts.posts)
        chats.offers.shared.cards.add(SharedCards(kind: .post) { try cards.read($0, for: $1, $2) })
        photos.offers.actions.add(
            PhotoAction(
                name: "Send to a friend", icon: "send", place: .sharing(path: SendPhotoPages.path(of:))))
        photos.offers.actions.add(
            PhotoAction(
                name: "Copy link", icon: "link-45deg",
                place: .sharingGroup { GuestLinkComponents.menu(of: $0, in: $1) }))
    }

    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .people, 60,
                "A guest link that you make shows one post or photo to anyone who has the link, for 7 days or until you revoke it."
            )
        ]
    }

    package func addRoutes(to router: Router<AppContext>) {
        let publicURL = app.configuration.publicURL
        SendPhotoPages(
            frame: app.frame, photos: photos.photos, relations: relations, chats: chats.chats,
            messages: chats.messages
        ).add(to: router)
        ArrivalPages(frame: app.frame, photos: photos.photos, offers: photos.offers, blobs: app.blobs)
            .add(to: router)
        snapSending.add(to: router)
        GuestLinkAPI(links: links, publicURL: publicURL).add(to: router)
        GuestLinkPages(frame: app.frame, links: links, files: photos.files).add(to: router)
        PhotoSharePages(frame: app.frame, links: links, publicURL: publicURL).add(to: router)
        SharePages(
            frame: app.frame, posts: posts, relations: relations, links: links,
            chats: chats.chats, messages: chats.messages, publicURL: publicURL
        ).add(to: router)
    }
}
