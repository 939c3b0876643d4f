import Core
import Feeds
import HTML
import Hummingbird
import People
import Serving
import Storage

extension JobKind {
    /// Delivers a finished collage to a person who gave a photo for it; the payload is the ids of both.
    static let deliverCollage = JobKind("deliver-collage", .short)
}

extension Notification.Kind {
    /// A collage with a photo of the person is finished.
    static let finishedCollage = Notification.Kind("finished_collage")
}

extension OAuthScope.Topic {
    static let collages = Self(
        "collages", seen: "your collages",
        changed: "make and change collages")
}

extension Photo.Kind {
    /// A photo that was made of several.
    static let collage = Photo.Kind("collage")
}

/// Collages: photos in a square, alone or together with friends and groups.
package struct CollagesFeature: Feature {
    package let create = [
        Page.Making(
            tone: 4, icon: "grid-1x2-fill", title: "Collage", text: "A few photos, one square",
            path: "/collage", position: 40)
    ]
    package static let topics = [OAuthScope.Topic.collages]
    package static let scripts = FeatureScripts(
        elements: [
            "collage-card": "collages/collage-card.js", "collage-editor": "collages/collage-editor.js",
        ],
        events: [.collage])
    package static let tables = [
        FeatureTable("collages", accounts: ["owner_id": .erased]),
        FeatureTable("collage_cells", accounts: ["assignee_id": .cleared, "giver_id": .cleared]),
        FeatureTable("collage_people", accounts: ["account_id": .deleted]),
        FeatureTable("collage_exchanges", accounts: ["account_id": .deleted]),
    ]

    package let collages: CollageService
    private let entities: CollageEntities
    private let app: AppParts
    private let photos: PhotoService
    private let relations: RelationshipService
    private let chats: ChatService

    package init(
        _ app: AppParts, relationships: RelationshipsFeature, notifications: NotificationsFeature,
        photos: PhotosFeature, reports: ReportsFeature, chats: ChatsFeature
    ) {
        self.app = app
        self.photos = photos.photos
        self.chats = chats.chats
        relations = relationships.relations
        entities = CollageEntities(entities: app.entities)
        collages = CollageService(
            app, photos: photos, notifications: notifications.notifications, chats: chats,
            events: CollageEvents(events: app.events, entities: entities))
        relations.listeners.add { [collages] change, follower, followee, transaction in
            guard change == .blocked else { return }
            try collages.separate(follower, from: followee, transaction)
        }
        chats.offers.departures.add { [collages] account, group, transaction in
            try collages.depart(account, from: group, transaction)
        }
        relations.waiting.add(waiting)
        notifications.notifications.kinds.add(notificationKinds)
        photos.offers.kinds.add(
            PhotoKind(
                .collage, noun: "collage", symbol: "grid-1x2-fill", isMade: true,
                chip: .init(name: "collages", title: "Collages", empty: "No collages yet.", position: 20)))
        photos.offers.uses.add(CollagesPhotoUse(collages: collages))
        photos.offers.actions.add(
            PhotoAction(name: "Make a collage", icon: "grid-1x2", place: .library(path: "/collage/choose")))
        photos.offers.arrivals.add(
            PhotoArrival(
                tone: 4, icon: "grid-1x2-fill", title: "Collage", text: "A few photos, one square",
                position: 40, photos: 2...9, way: .sent(path: "/collage", field: "photo")))
        photos.offers.actions.add(
            PhotoAction(
                name: "Edit collage", icon: "grid-1x2",
                place: .photo { photo, _ in photo.kind == .collage ? "/collage/edit/\(photo.id)" : nil }))
        reports.reports.kinds.add(CollageReports(collages: collages))
        chats.offers.actions.add(
            ChatAction(name: "Collage together", icon: "grid-1x2") { "/collage/with/\($0)" })
        chats.offers.exchanges.add(
            ExchangeSource(kind: .collage, event: .collage) { viewer, page, transaction in
                try CollageRecords(transaction).exchanges(of: viewer, page: page)
            })
        let cards = CollageCards(collages: collages, components: CollageComponents(frame: app.frame))
        chats.offers.shared.cards.add(SharedCards(kind: .collage) { try cards.read($0, for: $1, $2) })
    }

    package func addRoutes(to router: Router<AppContext>) {
        let frame = app.frame
        CollagePages(frame: frame, collages: collages, entities: entities).add(to: router)
        CollageCellPages(frame: frame, collages: collages, photos: photos, blobs: app.blobs).add(to: router)
        CollagePeoplePages(
            frame: frame, collages: collages,
            relations: relations, chats: chats
        ).add(to: router)
        CollageAPI(collages: collages, entities: entities).add(to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        [.deliverCollage: { [collages] in try await collages.deliver($0) }]
    }
    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .people, 40,
                "A collage that you make with friends or a group shows your photos to everyone who takes part, and when it is finished to everyone who gave a photo. They get the picture, and can edit a copy. If you leave the collage or delete your photos, they are taken out of the collage and of all copies; pictures that were made stay."
            )
        ]
    }

    package var news: [NewsKind: NewsKind.Handler] { collages.events.news }
    package var accountData: (any AccountData)? { CollagesData() }

    @Sendable private func waiting(
        for viewer: Account.ID, with friend: Account.ID, _ transaction: Transaction
    ) throws -> [String] {
        let count = try CollageStore(transaction).pendingCount(with: viewer, and: friend)
        return switch count {
        case 0: []
        case 1: ["The collage that you fill together isn’t finished. You both keep access to it."]
        default:
            ["\(count) collages that you fill together aren’t finished. You both keep access to them."]
        }
    }

    package func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        try collages.leave(account, transaction)
    }

    private var notificationKinds: [NotificationKind] {
        [
            NotificationKind(
                kind: .finishedCollage, topic: .other, mastodonType: "tintype.finished_collage",
                colour: "follow",
                symbol: "grid-1x2-fill",
                subjects: NotificationKind.oneByOne { id, reader, transaction in
                    CollageSubject(
                        collage: try CollageRecords(transaction).collage(ID(rawValue: id), for: reader))
                },
                member: "collage*:object", isAlwaysHeard: true,
                words: { _ in .text(" finished a collage with your photo.") },
                path: { group in
                    (group.newest.subject as? CollageSubject).map { CollageService.path($0.collage.id) }
                        ?? AppPaths.home
                })
        ]
    }
}

/// The collage that a notification is about.
private struct CollageSubject: NotificationSubject {
    let collage: Collage

    var picture: Node { collage.photo.map { PhotoComponents.square($0, alt: "") } ?? .empty }

    func eventSubjects(_ transaction: Transaction) -> [EventSubject] { [.thing(collage.id)] }

    func write(for viewer: Reader, into json: inout JSONWriter) {
        json.object("collage") { json in json.member("id", collage.id) }
    }
}

extension SharedKind {
    static let collage = SharedKind(
        folder: "/collage/", element: "collage-card", member: "collage_id", name: "collage")
}

extension Page.Style {
    static let collages = Page.Style(name: "collages")
    static let collagePages = Page.Style(name: "collage-pages")
}
