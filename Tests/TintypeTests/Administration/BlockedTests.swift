import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Storage
import Testing

@testable import Tintype

/// Every route of the server has a row here that says what someone finds behind it who is blocked. A new route
/// without a row fails.
private enum BlockedRoutes {
    /// Routes with something of the other in their path: 404.
    static let hidden = """
        GET /@{username}                                        username
        GET /@{username}/followers                              username
        GET /@{username}/following                              username
        GET /@{username}/options                                username
        GET /accounts/{id}/report                               account
        POST /accounts/{id}/report                              account
        POST /accounts/{id}/block                               account
        POST /accounts/{id}/follow                              account
        POST /accounts/{id}/remove                              account
        POST /accounts/{id}/unfollow                            account
        POST /requests/{id}/accept                              account
        POST /requests/{id}/reject                              account
        GET /api/v1/accounts/{id}                               account
        GET /api/v1/accounts/{id}/statuses                      account
        GET /api/v1/accounts/{id}/followers                     account
        GET /api/v1/accounts/{id}/following                     account
        POST /api/v1/accounts/{id}/follow                       account
        POST /api/v1/accounts/{id}/unfollow                     account
        POST /api/v1/accounts/{id}/block                        account
        POST /api/v1/accounts/{id}/remove_from_followers        account
        POST /api/v1/follow_requests/{id}/authorize             account
        POST /api/v1/follow_requests/{id}/reject                account
        GET /posts/{id}                                         post
        GET /posts/{id}/comments                                post
        POST /posts/{id}/comments                               post
        GET /posts/{id}/likes                                   post
        GET /posts/{id}/options                                 post
        GET /posts/{id}/report                                  post
        POST /posts/{id}/report                                 post
        GET /posts/{id}/share                                   post
        POST /posts/{id}/send                                   post
        POST /posts/{id}/like                                   post
        POST /posts/{id}/unlike                                 post
        POST /posts/{id}/save                                   post
        POST /posts/{id}/unsave                                 post
        POST /posts/{id}/caption                                post
        POST /posts/{id}/hide                                   post
        POST /posts/{id}/delete                                 post
        POST /posts/{id}/guest-link                             post
        POST /posts/{id}/guest-link/revoke                      post
        GET /api/v1/statuses/{id}                               post
        PUT /api/v1/statuses/{id}                               post
        DELETE /api/v1/statuses/{id}                            post
        GET /api/v1/statuses/{id}/context                       post
        GET /api/v1/statuses/{id}/favourited_by                 post
        POST /api/v1/statuses/{id}/favourite                    post
        POST /api/v1/statuses/{id}/unfavourite                  post
        POST /api/v1/statuses/{id}/bookmark                     post
        POST /api/v1/statuses/{id}/unbookmark                   post
        POST /api/v1/statuses/{id}/guest_link                   post
        DELETE /api/v1/statuses/{id}/guest_link                 post
        GET /portraits/{id}                                     portrait
        GET /portraits/{id}/small                               portrait
        GET /photos/{id}/{size}                                 photo
        GET /library/{id}                                       photo
        POST /library/{id}/delete                               photo
        GET /api/v1/media/{id}                                  photo
        PUT /api/v1/media/{id}                                  photo
        GET /api/v1/photos/{id}                                 photo
        GET /api/v1/photos/{id}/original                        photo
        DELETE /api/v1/photos/{id}                              photo
        GET /snaps/new/{picture}                                photo
        GET /snaps/{id}                                         snap
        GET /snaps/{id}/report                                  snap
        POST /snaps/{id}/report                                 snap
        POST /snaps/{id}/open                                   snap
        POST /snaps/{id}/delete                                 snap
        DELETE /api/v1/snaps/{id}                               snap
        GET /api/v1/snaps/{id}/viewers                          snap
        POST /api/v1/snaps/{id}/open                            snap
        POST /api/v1/snaps/{id}/shown                           snap
        POST /api/v1/snaps/{id}/close                           snap
        GET /api/v1/snap_views/{view}                           snapView
        GET /api/v1/once_views/{view}                           onceView
        GET /messages/{id}                                      message
        POST /messages/{id}                                     message
        GET /messages/{id}/library                              message
        GET /messages/{id}/{message}/options                    message
        GET /messages/{id}/{message}/report                     message
        POST /messages/{id}/{message}/report                    message
        POST /messages/{id}/{message}/delete                    message
        POST /messages/{id}/{message}/save                      message
        GET /messages/{id}/photos/{message}                     message
        POST /messages/requests/{id}/accept                     message
        POST /messages/requests/{id}/delete                     message
        GET /api/v1/chats/{id}                                  message
        DELETE /api/v1/chats/{id}                               message
        POST /api/v1/chats/{id}/accept                          message
        POST /api/v1/chats/{id}/delivered                       message
        POST /api/v1/chats/{id}/read                            message
        POST /api/v1/chats/{id}/typing                          message
        GET /api/v1/chats/{id}/messages                         message
        POST /api/v1/chats/{id}/messages                        message
        GET /api/v1/chats/{id}/messages/{message}               message
        DELETE /api/v1/chats/{id}/messages/{message}            message
        POST /api/v1/chats/{id}/messages/{message}/save         message
        POST /api/v1/chats/{id}/messages/{message}/open         message
        POST /api/v1/chats/{id}/messages/{message}/shown        message
        POST /api/v1/chats/{id}/messages/{message}/close        message
        POST /api/v1/conversations/{id}/read                    message
        DELETE /api/v1/conversations/{id}                       message
        GET /api/v1/notifications/{id}                          notification
        POST /api/v1/notifications/{id}/dismiss                 notification
        """

    /// Lists and pages of one's own: they answer, and tell nothing of the other.
    static let silent = """
        GET /home
        GET /saved
        GET /users
        GET /users?q=ana
        GET /friends
        GET /notifications
        GET /requests
        GET /messages
        GET /messages/new
        GET /messages/requests
        GET /feed
        GET /snaps
        GET /snaps/newest
        GET /settings/blocked
        GET /api/v1/timelines/home
        GET /api/v1/timelines/public
        GET /api/v1/timelines/between
        GET /api/v1/bookmarks
        GET /api/v1/favourites
        GET /api/v1/blocks
        GET /api/v1/follow_requests
        GET /api/v1/notifications
        GET /api/v1/accounts/search?q=ana
        GET /api/v2/search?q=ana
        GET /api/v1/accounts/relationships
        GET /api/v1/chats
        GET /api/v1/conversations
        GET /api/v1/snaps
        GET /api/v1/snap_feeds
        """

    /// Calls that take something of the other as a parameter.
    static let refused = """
        GET /api/v1/accounts/lookup?acct=ana
        POST /api/v1/chats
        POST /api/v1/reports
        POST /api/v1/statuses
        POST /posts
        POST /snaps
        POST /api/v1/snaps
        """

    /// For administrators, who block nobody out; nothing is there for anyone else.
    static let administration = """
        GET /administration
        GET /administration/accounts
        GET /administration/record
        GET /administration/sign-up
        POST /administration/sign-up
        POST /administration/accounts/{id}/restore
        POST /administration/accounts/{id}/suspend
        POST /administration/reports/{id}/dismiss
        POST /administration/reports/{id}/remove
        POST /administration/reports/{id}/suspend
        """

    /// What is about oneself or about nobody: a block changes nothing.
    static let sameForAll = """
        GET /
        GET /login
        POST /login
        GET /signup
        POST /signup
        POST /logout
        GET /create
        GET /library
        POST /library
        GET /posts/new
        GET /snaps/camera
        GET /snaps/new
        GET /contracts
        GET /then-and-now
        GET /collage
        GET /settings
        GET /settings/data
        POST /settings/data
        GET /settings/data/{id}
        GET /settings/delete
        POST /settings/delete
        GET /settings/devices
        POST /settings/devices/{id}/end
        POST /settings/devices/end
        GET /settings/invitations
        POST /settings/invitations
        POST /settings/invitations/{id}/revoke
        GET /settings/password
        POST /settings/password
        GET /settings/privacy
        POST /settings/privacy
        GET /settings/profile
        POST /settings/profile
        GET /snap_samples/{id}
        GET /static/{version}/**
        GET /healthz
        GET /readyz
        GET /metrics
        GET /manifest.webmanifest
        GET /api/openapi.json
        GET /api/nodeinfo/2.0.json
        GET /api/v1/instance
        GET /api/v2/instance
        GET /api/v1/preferences
        GET /api/v1/streaming/health
        GET /api/v1/accounts/verify_credentials
        PATCH /api/v1/accounts/update_credentials
        POST /api/v1/accounts/update_credentials
        POST /api/v1/media
        POST /api/v2/media
        GET /api/v1/photos
        GET /api/v1/snap_samples
        GET /api/v1/notifications/unread_count
        POST /api/v1/notifications/clear
        GET /api/v1/markers
        POST /api/v1/markers
        GET /api/v1/custom_emojis
        GET /api/v1/lists
        GET /api/v1/followed_tags
        GET /api/v1/instance/peers
        GET /api/v1/instance/rules
        GET /api/v1/mutes
        GET /api/v1/announcements
        GET /api/v1/trends/tags
        GET /api/v1/trends/statuses
        GET /api/v1/trends/links
        GET /api/v1/suggestions
        GET /api/v1/filters
        GET /api/v2/filters
        GET /api/v1/scheduled_statuses
        GET /api/v1/accounts/{id}/featured_tags
        GET /api/v1/accounts/{id}/lists
        GET /api/v1/accounts/familiar_followers
        GET /api/v1/timelines/tag/{tag}
        GET /api/v1/statuses/{id}/reblogged_by
        POST /api/v1/statuses/{id}/reblog
        POST /api/v1/statuses/{id}/unreblog
        """

    /// Undoing one's own block needs no sight of the other. Initials are public: apps ask for them without a login. A
    /// guest link shows its post to whoever has it.
    static let open = """
        POST /accounts/{id}/unblock
        POST /api/v1/accounts/{id}/unblock
        GET /initials/{id}.svg
        GET /guest/{token}
        GET /guest/{token}/{photo}/{size}
        """

    /// Streams: what comes through them is tested by what comes through them.
    static let streams = """
        GET /api/v1/events
        GET /api/v1/streaming/user
        """

    /// The rows of a table: method, path, and what else stands in the line.
    static func rows(_ table: String) -> [(method: String, path: String, thing: String)] {
        table.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return (words[0], words[1], words.count > 2 ? words[2] : "")
        }
    }
}

@Suite("Blocked people")
struct BlockedTests {
    /// What ana has done before she blocks ben, with him in mind.
    private struct Scene {
        var world: World
        var ana: Person
        var ben: Person
        /// Values of path parameters, for each thing of ana's.
        var things: [String: [[String: String]]]
        /// The URL of her picture that was made for him.
        var signedPath: String
    }

    private func scene() async throws -> Scene {
        let world = try await World()
        _ = try await world.account("olga")
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ana.post(caption: "For all, @ben", visibility: "public")
        let comment = try await ana.comment("Mine", on: post)
        try await ben.like(post)
        _ = try await ben.post("/api/v1/statuses/\(post)/bookmark")
        let mine = try await ben.post(caption: "Ben's", visibility: "public")
        try await ana.like(mine)
        _ = try await ana.comment("Hello", on: mine)
        let attachment = try await ben.get("/api/v1/statuses/\(post)")["media_attachments"][0]
        let photo = try #require(attachment["id"].string)
        let signedPath = String(try #require(attachment["url"].string).dropFirst("http://localhost".count))
        #expect(try await ben.get(signedPath).status == 200)
        let portraits = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials",
            multipart: [.file("avatar", try await TestPicture.jpeg())])
        let portrait = try #require(portraits["avatar"].string?.split(separator: "/").last)
        #expect(try await ben.get("/portraits/\(portrait)").status == 200)

        func snap() async throws -> String {
            let media = try await ana.photo(purpose: "snap")
            let answer = try await ana.post(
                "/api/v1/snaps", json: ["media_id": .text(media), "feed_id": "memes"])
            return try #require(answer["id"].string)
        }
        let chat = try #require(
            try await ana.post("/api/v1/chats", json: ["account_id": .text("\(ben.id)")])["id"].string)
        func message(_ body: JSON) async throws -> String {
            try #require(try await ana.post("/api/v1/chats/\(chat)/messages", json: body)["id"].string)
        }
        let pictured = try await message(["photo_id": .text(try await ana.photo())])
        let once = try await message([
            "media_id": .text(try await ana.photo(purpose: "view_once")), "view_once": true,
        ])
        func view(_ path: String) async throws -> String {
            try #require(try await ben.post(path)["view"]["id"].string)
        }
        let notification = try #require(try await ben.get("/api/v1/notifications").json[0]["id"].string)
        let things: [String: [[String: String]]] = [
            "username": [["username": "ana"]], "account": [["id": "\(ana.id)"]],
            "post": [["id": post], ["id": comment]],
            "photo": [["id": photo, "size": "large", "picture": photo]],
            "portrait": [["id": String(portrait)]],
            "snap": [["id": try await snap()]],
            "snapView": [["view": try await view("/api/v1/snaps/\(try await snap())/open")]],
            "onceView": [["view": try await view("/api/v1/chats/\(chat)/messages/\(once)/open")]],
            "message": [["id": chat, "message": pictured], ["id": chat, "message": once]],
            "notification": [["id": notification]],
        ]
        try await ana.block(ben)
        return Scene(world: world, ana: ana, ben: ben, things: things, signedPath: signedPath)
    }

    private func send(
        _ method: String, _ path: String, by person: Person, body: String = ""
    ) async throws -> Answer {
        let form =
            body.isEmpty
            ? "status=x&caption=x&text=x&reason=spam&description=x&last_read_id=1&last_delivered_id=1" : body
        let headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .accept: "text/html",
        ]
        return try await person.send(
            HTTPRequest.Method(rawValue: method) ?? .get, path, headers: headers,
            body: method == "GET" ? nil : ByteBuffer(string: form))
    }

    @Test("Every route has a row that says what a blocked person finds there")
    func complete() async throws {
        let world = try await World()
        let tables = [
            BlockedRoutes.hidden, BlockedRoutes.silent, BlockedRoutes.refused, BlockedRoutes.administration,
            BlockedRoutes.sameForAll, BlockedRoutes.open, BlockedRoutes.streams,
        ]
        let rows = Set(
            tables.flatMap(BlockedRoutes.rows).map { "\($0.method) \($0.path.prefix { $0 != "?" })" })
        let routes = Set(
            world.tintype.router().routes.filter { $0.method != .head }
                .map { "\($0.method.rawValue) \($0.path.description)" })
        #expect(routes.subtracting(rows).sorted() == [], "routes without a row")
        #expect(rows.subtracting(routes).sorted() == [], "rows without a route")
    }

    @Test("Find nothing of the other behind any page, call or picture: 404 on every route")
    func everywhere() async throws {
        let scene = try await scene()
        for row in BlockedRoutes.rows(BlockedRoutes.hidden) {
            let things = try #require(scene.things[row.thing], "\(row)")
            for parameters in things {
                let path = parameters.reduce(row.path) { $0.replacing("{\($1.key)}", with: $1.value) }
                let answer = try await send(row.method, path, by: scene.ben)
                #expect(answer.status == 404, "\(row.method) \(path) answered \(answer.status)")
            }
        }
        for row in BlockedRoutes.rows(BlockedRoutes.administration) {
            let path = row.path.replacing("{id}", with: "\(scene.ana.id)")
            #expect(
                try await send(row.method, path, by: scene.ben, body: "mode=open").status == 404, "\(path)")
        }
        // The picture's URL that was made for ben before the block.
        #expect(try await scene.ben.get(scene.signedPath).status == 404)
    }

    @Test("No list of their own tells of the other")
    func lists() async throws {
        let scene = try await scene()
        let marks =
            ["@ana", "For all", "\(scene.ana.id)", "Hello"] + scene.things.values.joined().flatMap(\.values)
        for row in BlockedRoutes.rows(BlockedRoutes.silent) {
            let path =
                row.path.hasSuffix("relationships") ? row.path + "?id[]=1" : row.path
            let answer =
                path.hasPrefix("/api") ? try await scene.ben.get(path) : try await scene.ben.visit(path)
            #expect(answer.status == 200 || answer.status == 303, "\(path) answered \(answer.status)")
            for mark in marks where mark != "ana" && mark != "large" {
                #expect(!answer.shows(mark), "\(path) shows \(mark)")
            }
        }
    }

    @Test("Nothing of the other can be named in a call")
    func calls() async throws {
        let scene = try await scene()
        func thing(_ name: String, _ parameter: String = "id") -> String {
            scene.things[name]?[0][parameter] ?? ""
        }
        let bodies = [
            "/api/v1/chats": ["account_id=\(scene.ana.id)"],
            "/api/v1/reports": [
                "account_id=\(scene.ana.id)", "snap_id=\(thing("snap"))", "status_ids[]=\(thing("post"))",
                "message_id=\(thing("message", "message"))&chat_id=\(thing("message"))",
            ],
            "/api/v1/statuses": [
                "status=x&in_reply_to_id=\(thing("post"))", "status=x&media_ids[]=\(thing("photo"))",
            ],
            "/posts": ["caption=x&photo=\(thing("photo"))"],
            "/snaps": ["feed_id=memes&photo_id=\(thing("photo"))"],
            "/api/v1/snaps": ["feed_id=memes&photo_id=\(thing("photo"))"],
        ]
        let counts =
            "SELECT (SELECT count(*) FROM posts) + (SELECT count(*) FROM snaps)"
            + " + (SELECT count(*) FROM reports) + (SELECT count(*) FROM chats)"
        let before = try await scene.world.number(counts)
        for row in BlockedRoutes.rows(BlockedRoutes.refused) {
            for body in row.method == "GET" ? [""] : try #require(bodies[row.path]) {
                let status = try await send(row.method, row.path, by: scene.ben, body: body).status
                #expect(status == 404 || status == 422, "\(row.path) with \(body) answered \(status)")
            }
        }
        #expect(try await scene.world.number(counts) == before)
    }

    @Test("Nothing that the other does comes through their stream")
    func streams() async throws {
        let scene = try await scene()
        let events = scene.world.tintype.events
        var stream = events.subscribe(scene.ben.id, session: ID(rawValue: 1), after: nil).stream
            .makeAsyncIterator()
        let post = try await scene.ana.post(caption: "Again, @ben", visibility: "public")
        try await scene.ana.like(post)
        _ = try await scene.ana.comment("@ben?", on: post)
        _ = try await scene.ana.send(.put, "/api/v1/statuses/\(post)", json: ["status": "Changed, @ben"])
        _ = try await scene.ana.post(
            "/api/v1/snaps",
            json: ["media_id": .text(try await scene.ana.photo(purpose: "snap")), "feed_id": "memes"])
        _ = try await scene.ana.delete("/api/v1/statuses/\(post)")
        let own = try await scene.ben.post(caption: "My own")
        let heard = try #require(await stream.next())
        #expect(JSON(heard.data)["id"].string == own)
    }
}
