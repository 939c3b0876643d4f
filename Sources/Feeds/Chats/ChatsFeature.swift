import Core
import HTML
import Hummingbird
import People
import Storage

extension JobKind {
    /// Adds a notification about a message that is still unread; the payload is the message's id.
    static let notifyOfMessage = JobKind("tell-of-message", .short)
    /// Erases a view-once picture that everyone has seen or that has expired; the payload is its message's id, at the end of
    /// a look with that of the person who looked.
    static let closeOncePicture = JobKind("close-once-picture", .erasing)
}

extension Notification.Kind {
    /// Someone wrote a message that hasn't been read.
    static let message = Notification.Kind("message")
    /// Someone who isn't a friend wrote the first messages of a chat, and the person hasn't read them.
    static let messageRequest = Notification.Kind("message_request")
    /// Someone wrote in a group, and the person hasn't read it.
    static let groupMessage = Notification.Kind("group_message")
    /// Someone mentioned the person in a group.
    static let groupMention = Notification.Kind("group_mention")
    /// Someone added the person to a group.
    static let groupAdded = Notification.Kind("group_added")
    /// Someone saved a photo that the person had sent them.
    static let saved = Notification.Kind("saved")
}

extension NotificationTopic {
    static let messages = NotificationTopic(
        "messages", title: "Messages", position: 10, news: "New message", isUrgent: true)
    static let messageRequests = NotificationTopic(
        "requests", title: "Message requests", position: 20, news: "New message request",
        isUrgent: true)
}

extension Chat {
    /// Returns the tags of a device's notifications about a chat (Documentation/Interface.md, "Announcements on devices").
    static func notificationTags(_ id: Chat.ID) -> String {
        [Notification.Kind.message, .messageRequest, .groupMessage, .groupMention, .groupAdded].map {
            "\($0.name)-\(id)"
        }.joined(separator: " ")
    }
}

extension OAuthScope.Topic {
    static let chats = Self(
        "chats", seen: "your chats and messages",
        changed: "write messages, send photos and open view-once photos in your chats")
}

extension Photo.Kind {
    /// A photo that was saved from a chat.
    static let saved = Photo.Kind("saved")
}

extension SingleUseMedia.Purpose {
    /// A message whose picture the other sees once.
    static let viewOnce = Self("view_once", isSeenOnce: true)
}

/// Chats of two people and of groups, with text, photos and pictures that are seen once.
package struct ChatsFeature: Feature {
    package let tabs = [Page.Tab.friends]
    package let menu = [Page.Link.feed, .messages]
    package static let topics = [OAuthScope.Topic.chats]
    package static let scripts = FeatureScripts(
        elements: [
            "chat-composer": "chats/chat-composer.js", "chat-list": "chats/chat-list.js",
            "chat-mute": "chats/chat-mute.js", "chat-name": "chats/chat-name.js",
            "chat-thread": "chats/chat-thread.js", "exchange-list": "chats/exchange-list.js",
        ],
        events: [
            .message, .messageDeleted, .reaction, .delivered, .read, .chatRequest, .chatMute, .chatChanged,
            .typing,
        ],
        background: [.account("chats/background.js")],
        offline: [.init("chats/offline.js", page: "Messages", at: AppPaths.messages, position: 30)],
        outbox: ["message": "chats/sending.js"])
    package static let tables = [
        FeatureTable("chats", accounts: ["owner_id": .cleared]),
        FeatureTable("chat_members", accounts: ["account_id": .erased, "peer_id": .erased]),
        FeatureTable("messages", accounts: ["sender_id": .erased, "subject_id": .erased]),
        FeatureTable("exchanged_photos", accounts: ["account_id": .deleted]),
        FeatureTable("saved_photos", accounts: ["account_id": .deleted]),
        FeatureTable("message_words", isKept: true),
        FeatureTable("message_reactions", accounts: ["account_id": .deleted]),
        FeatureTable("once_looks", accounts: ["account_id": .deleted], isKept: true),
        FeatureTable("once_pictures"), FeatureTable("once_picture_files", ownsFiles: true),
    ]
    package static let counters = [
        FeatureCounter(
            "messages", of: "chats", "messages_count",
            "SELECT count(*) FROM messages m WHERE m.chat_id = o.id AND m.is_deleted = 0"),
        FeatureCounter(
            "newest message", of: "chats", "last_number",
            // The numbers of what somebody wrote in a group who has left for good aren't given again.
            """
            SELECT CASE WHEN o.is_group = 1 AND o.last_number > coalesce(max(m.number), 0) THEN o.last_number
                ELSE coalesce(max(m.number), 0) END
            FROM messages m WHERE m.chat_id = o.id
            """),
        FeatureCounter(
            "last message", of: "chats", "last_message_id",
            """
            SELECT coalesce(max(m.id), CASE WHEN o.is_group = 1 THEN o.last_message_id ELSE 0 END)
            FROM messages m WHERE m.chat_id = o.id AND m.is_deleted = 0
            """),
        FeatureCounter(
            "unread messages", of: "chat_members", id: "chat_id", "unread_count",
            """
            SELECT count(*) FROM messages m WHERE m.chat_id = o.chat_id AND m.is_deleted = 0
                AND m.sender_id <> o.account_id AND m.id > o.read_through AND m.id > o.cleared_through
                AND o.is_dropped = 0 AND (o.peer_id IS NOT NULL OR m.number <= o.counted_through)
            """),
        FeatureCounter(
            "last message", of: "chat_members", id: "chat_id", "last_message_id",
            """
            SELECT coalesce(max(m.id), 0) FROM messages m
            WHERE m.chat_id = o.chat_id AND m.is_deleted = 0 AND m.id > o.cleared_through
                AND o.is_dropped = 0 AND o.peer_id IS NOT NULL
            """),
    ]

    /// Keeps the messages in the backup without their view-once pictures. An unopened picture counts as expired there.
    package static func leaveOutOfBackup(_ transaction: Transaction) throws {
        try OncePictureStore(transaction).deleteAll()
    }

    package let chats: ChatService
    package let messages: MessageService
    let oncePictures: OncePictureService
    private let events: ChatEvents
    /// The registries in which other features add to chats.
    package let offers: ChatOffers
    /// The JSON of messages and chats.
    let entities: ChatEntities
    private let app: AppParts
    private let accounts: AccountService
    private let relations: RelationshipService
    private let photos: PhotosFeature

    package init(
        _ app: AppParts, accounts: AccountsFeature, relationships: RelationshipsFeature,
        notifications: NotificationsFeature,
        photos: PhotosFeature, once: OnceFeature, reports: ReportsFeature, posts: PostsFeature,
        snaps: SnapsFeature
    ) {
        self.app = app
        self.accounts = accounts.accounts
        relations = relationships.relations
        self.photos = photos
        offers = ChatOffers(app)
        entities = ChatEntities(entities: app.entities, shared: offers.shared, exchanges: offers.exchanges)
        let notifications = notifications.notifications
        events = ChatEvents(events: app.events, entities: entities, notifications: notifications)
        chats = ChatService(
            database: app.database, events: events, departures: offers.departures, logger: app.logger)
        oncePictures = OncePictureService(database: app.database, events: events, copies: once.copies)
        messages = MessageService(
            database: app.database, events: events, chats: chats,
            copies: photos.copies, snaps: snaps.snaps, onceCopies: once.copies, notifications: notifications,
            sources: offers.exchanges)
        notifications.kinds.add(notificationKinds)
        photos.offers.kinds.add(
            PhotoKind(
                .saved, symbol: "download",
                chip: .init(
                    name: "saved", title: "Saved", empty: "No photos saved from chats yet.", position: 30)))
        photos.offers.purposes.add(.viewOnce)
        photos.offers.uses.add(ChatsPhotoUse(events: events))
        photos.offers.arrivals.add(
            PhotoArrival(
                tone: 8, icon: "chat-fill", title: "Message", text: "To a friend, also to view once",
                position: 30, photos: 1...MessageForm.mostPictures, texts: .alone,
                way: .carried(path: ChatPaths.new)))
        reports.reports.kinds.add(MessageReports(messages: messages))
        posts.otherStatuses.add(
            MessageStatuses(chats: chats, messages: messages, entities: entities).asOthers)
    }

    /// The calls that a page sends by itself about received messages, since each message of the other person causes
    /// some, and the calls of a look at a view-once picture, which works once for each.
    package var readingRoutes: [String] {
        [
            "/messages/{id}/{message}/open", "/api/v1/conversations/{id}/read",
            "/api/v1.1/direct/thread/read", "/api/v1.1/direct/lookup",
        ]
            + ["delivered", "read", "typing"].map { "/api/v1/chats/{id}/\($0)" }
            + ["open", "shown", "close"].map { "/api/v1/chats/{id}/messages/{message}/\($0)" }
    }

    package func addRoutes(to router: Router<AppContext>) {
        let (frame, blobs) = (app.frame, app.blobs)
        ChatPages(frame: frame, chats: chats, offers: offers).add(to: router)
        ChatThreadPages(
            frame: frame, chats: chats, messages: messages, accounts: accounts, photos: photos.photos,
            singleUse: photos.singleUse, blobs: blobs, offers: offers
        ).add(to: router)
        GroupPages(
            frame: frame, chats: chats, relations: relations, photos: photos.photos, blobs: blobs
        ).add(to: router)
        ChatMutePages(frame: frame, chats: chats).add(to: router)
        MessageSearchPages(frame: frame, messages: messages).add(to: router)
        ChatLibraryPages(frame: frame, chats: chats).add(to: router)
        OncePicturePages(frame: frame, pictures: oncePictures, blobs: blobs).add(to: router)
        OncePictureAPI(pictures: oncePictures, blobs: blobs, publicURL: app.configuration.publicURL).add(
            to: router)
        PrivateFeedPages(frame: frame, messages: messages).add(to: router)
        ChatAPI(chats: chats, messages: messages, entities: entities).add(to: router)
        ConversationAPI(chats: chats, entities: entities).add(to: router)
        DirectThreadAPI(chats: chats, messages: messages, relations: relations, entities: entities).add(
            to: router)
    }

    package var jobs: [JobKind: JobRunner.Handler] {
        let (database, events) = (app.database, events)
        let groups = GroupJobs(database: database, notifications: events.notifications)
        return [
            .endChatMute: { [chats] in try await chats.endMute($0) },
            .findMessageWords: { try await MessageService.findWords($0, in: database) },
            .forgetMessageWords: { try await MessageService.forgetWords($0, in: database) },
            .notifyGroup: { try await groups.notify($0) },
            .spreadPhoto: { try await groups.spread($0) },
            .eraseGroup: { try await groups.erase($0) },
            .notifyOfMessage: { try await MessageService.notify($0, in: database, events.notifications) },
            .closeOncePicture: { try await OncePictureService.erase($0, in: database, events) },
        ]
    }

    package var news: [NewsKind: NewsKind.Handler] { events.news }
    package var badge: Badge? { Badge(name: "friends") { [chats] in try chats.unreadCount(of: $0, $1) } }
    package var privacy: [PrivacyLine] {
        [
            PrivacyLine(
                .people, 20,
                """
                Your chats are seen by you and the people you write to. A view-once photo is seen once by each of them. \
                Who joins a group sees what comes from then on.
                """
            ),
            PrivacyLine(
                .hidden, 20,
                "view-once photos"),
        ]
    }

    package var accountData: (any AccountData)? { ChatsData(chats: chats) }

    private var notificationKinds: [NotificationKind] {
        [
            NotificationKind(
                kind: .message, topic: .messages, mastodonType: "tintype.message", colour: "comment",
                symbol: "chat-fill", isAlwaysHeard: true, words: { _ in .text(" wrote to you.") },
                path: { "/messages/@\($0.newest.actor.username)" },
                announcement: { [shared = offers.shared] in
                    try MessageAnnouncement($2, shared).text(of: $0, for: $1)
                }, hasNews: true),
            NotificationKind(
                kind: .messageRequest, topic: .messageRequests, mastodonType: "tintype.message_request",
                colour: "request", symbol: "chat-fill", isAlwaysHeard: true,
                words: { _ in .text(" sent you a message request.") },
                path: { "/messages/@\($0.newest.actor.username)" },
                announcement: { group, _, _ in
                    Announcement.Text(
                        title: NotificationTopic.messageRequests.title,
                        body: "\(group.newest.actor.username) wants to send you a message.")
                }),
            groupKind(.groupMessage, "tintype.group_message", " wrote in"),
            groupKind(.groupMention, "tintype.group_mention", " mentioned you in"),
            NotificationKind(
                kind: .groupAdded, topic: .messageRequests, mastodonType: "tintype.group_added",
                colour: "request",
                symbol: "people", subjects: GroupSubject.subjects, member: "chat_id*:id", isAlwaysHeard: true,
                words: { _ in .text(" added you to a group.") },
                path: { ChatPaths.page(ID(rawValue: $0.newest.group)) }),
            NotificationKind(
                kind: .saved, topic: .other, mastodonType: "tintype.saved", colour: "follow",
                symbol: "download", isAlwaysHeard: true,
                words: { _ in .text(" saved your photo.") },
                path: { "/messages/@\($0.newest.actor.username)" }),
        ]
    }
}

extension ChatsFeature {
    /// Returns a kind of notification about what is written in groups.
    private func groupKind(
        _ kind: Notification.Kind, _ type: String, _ words: String
    ) -> NotificationKind {
        NotificationKind(
            kind: kind, topic: .messages, mastodonType: type, colour: "comment", symbol: "chat-fill",
            subjects: GroupSubject.subjects, member: "chat_id*:id", isAlwaysHeard: true,
            words: { group in
                let title = (group.newest.subject as? GroupSubject)?.title
                return .text("\(words) \(title.map { "“\($0)”" } ?? "a group").")
            },
            path: { ChatPaths.page(ID(rawValue: $0.newest.group)) },
            announcement: { [shared = offers.shared] in
                try MessageAnnouncement($2, shared).text(
                    ofGroup: $0, for: $1, isMention: kind == .groupMention)
            }, hasNews: true)
    }
}

extension SharedKind {
    static let post = SharedKind(
        folder: PostPaths.folder, element: "shared-post", member: "status_id", name: "post")
}

extension Page.Link {
    static let feed = Page.Link(name: "feed", icon: "image", position: 20)
    static let messages = Page.Link(
        name: "messages", icon: "chat-dots", position: 30, badge: "friends", shortcut: .init("messages"))
}

extension Page.Style {
    package static let chats = Page.Style(name: "chats")
    package static let chat = Page.Style(name: "chat")
    static let sharedPost = Page.Style(name: "shared-post")
}

extension Page.Tab {
    package static let friends = Page.Tab(
        name: "friends", icon: "chat", currentIcon: "chat-fill", position: 40, badge: "friends")
}
