import HTTPTypes
import Hummingbird
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Tintype

@Suite("What pages read")
struct PageReadTests {
    @Test("Each page reads in one transaction, so that all of it shows the same moment")
    func once() async throws {
        let reads = Mutex(0)
        let world = try await World { configuration in
            // A read that needs the disk, or a lock, begins again on another thread.
            configuration.readsInPlace = 0
            configuration.statementWatch = { sql, plan in
                StatementPlans.watch(sql, plan)
                if sql == "BEGIN" { reads.withLock { $0 += 1 } }
            }
        }
        for (person, path) in try await Self.pages(of: world).flatMap(\.visits) {
            // The first visit may find out whose log-in it is, and mark what it shows as read.
            #expect(try await person.visit(path).status == 200, "\(path)")
            reads.withLock { $0 = 0 }
            #expect(try await person.visit(path).status == 200, "\(path)")
            // Where several servers share a database, each request looks its log-in up first.
            let forLogIn = world.tintype.database.isShared && person.token != nil ? 1 : 0
            let count = reads.withLock { $0 } - forLogIn
            // Home is kept until something in it changes; some pages show only what is the same for everyone.
            let allowed = path.hasPrefix("/home") ? 0...1 : Self.readNothing.contains(path) ? 0...0 : 1...1
            #expect(allowed.contains(count), "\(path) reads in \(count) transactions")
        }
    }

    @Test("Every page of the app is counted, or left out for a reason")
    func complete() async throws {
        let world = try await World()
        let routes = try world.tintype.router().routes.filter { $0.method == .get }.map(\.path.description)
        let pages = Set(routes).filter { route in !Self.noPages.contains(where: route.hasPrefix) }
        let counted = Set(try await Self.pages(of: world).map(\.route))
        let known = counted.union(Self.leftOut.keys)
        #expect(pages.subtracting(known).sorted() == [], "pages that are neither counted nor left out")
        #expect(known.subtracting(pages).sorted() == [], "pages that the app doesn't have")
        #expect(counted.intersection(Self.leftOut.keys).sorted() == [], "pages that are counted and left out")
    }

    /// Pages that read nothing.
    private static let readNothing: Set = [
        "/offline", "/create", "/install", "/share", "/settings/password", "/messages/search",
        "/settings/profile", "/settings/filters/new",
        "/then-and-now", "/who-can-see-what",
    ]

    /// Beginnings of routes that aren't pages: the interface, files, pictures, and what only the operator asks for.
    private static let noPages = [
        "/api/", "/.well-known/", "/static/", "/photos/", "/past-photos/", "/portraits/", "/banners/",
        "/initials/", "/snap_samples/", "/sw.js", "/manifest.webmanifest", "/health", "/readyz", "/metrics",
        "/oauth/userinfo",
        "/contracts/{id}/stakes/", "/pairs/{id}/then", "/pairs/{id}/now", "/guest/{token}/{photo}",
    ]

    /// Pages that aren't counted, with the reason.
    private static let leftOut = [
        "/": "leads to Home or to the log-in",
        "/administration": "shows figures that are kept for a while",
        "/collage": "may begin a collage, and leads on",
        "/collage/edit/{id}": "may copy a collage, and leads on",
        "/contracts/with/{id}": "leads to the form",
        "/messages/{id}/name": "leads to the chat, except for a script",
        "/messages/{id}/mute": "leads to the chat, except for a script",
        "/library/{id}/share": "leads to the photo, except for a script",
        "/settings/connected/callback/{id}": "connects an account, and leads on",
        "/settings/data/{id}": "a file",
        "/settings/notifications/devices": "leads to the settings, except for a script",
        "/snaps/newest": "leads to the tab, except for a script",
        "/snaps/receivers": "leads to a new snap, except for a script",
    ]

    /// Pages of one route, each with the person who visits it.
    private struct Visited {
        let route: String
        let visits: [(Person, String)]
    }

    /// All pages of a server on which there is something of everything.
    private static func pages(of world: World) async throws -> [Visited] {
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let olga = try await world.account("olga", isAdmin: true)
        let photo = try await ana.photo()
        let post = try await ana.post(caption: "Morning, @ben #dogs", photos: [photo])
        _ = try await ana.post("/api/v1/statuses/\(post)/pin")
        _ = try await ben.like(post)
        let comment = try await ben.comment("Nice", on: post)
        let answer = try await ana.comment("Thanks", on: comment)
        let link = try await ana.post("/api/v1/statuses/\(post)/guest_link")
        let token = try #require(link["url"].string?.split(separator: "/").last.map(String.init))
        let bens = try await ben.post(caption: "Evening")
        let snap = try await ana.snap()
        let bensSnap = try await ben.snap()
        let collage = try await ana.collage(layout: "side-by-side", with: [ben])
        try await ben.fill(0, of: collage)
        let contract = try await ana.contract(with: ben)
        let claimed = try await ana.contract(with: ben)
        try await ben.make("claim", claimed, ["rule": 0])
        let proposal = try await ben.propose(to: ana)
        let pair = try await ana.pairID(then: photo)
        let chat = try await ana.chat(with: ben)
        _ = try await ana.write("http://localhost/posts/\(post)", in: chat)
        _ = try await ana.write("http://localhost/collage/\(collage)", in: chat)
        let picture = try await ana.send(photo: photo, in: chat)
        let text = try await ben.write("Hello", in: chat)
        for (one, other) in [(ana, olga), (olga, ana)] { try await one.follow(other) }
        let group = try await ana.group(with: ben, olga, title: "Pizza or ramen?")
        _ = try await ben.send(photo: try await ben.photo(), in: group)
        let list = try await ana.list("Crew", of: [ben])
        let filter = try await ana.filter("Weather", words: ["rain"])
        _ = try await ana.submit("/posts/\(bens)/filter", ["filter": filter])
        let eve = try await world.account("eve")
        try await ana.putAside(from: eve)
        let app = try await world.app()
        let logInLink = String(
            try await world.tintype.createLogInLink(username: "ben").dropFirst(
                world.tintype.configuration.publicURL.count))
        let visited: KeyValuePairs<String, [String]> = [
            "/home": ["/home", "/home?show=everyone"],
            "/posts/{id}": ["/posts/\(post)"],
            "/posts/{id}/options": ["/posts/\(post)/options"],
            "/posts/{id}/edit": ["/posts/\(answer)/edit"],
            "/posts/{id}/filter": ["/posts/\(bens)/filter"],
            "/posts/{id}/likes": ["/posts/\(post)/likes"],
            "/posts/{id}/comments": [
                "/posts/\(post)/comments", "/posts/\(post)/comments?at=\(comment)&reply=\(comment)",
            ],
            "/posts/{id}/photos/{number}": ["/posts/\(post)/photos/1"],
            "/posts/{id}/share": ["/posts/\(post)/share", "/posts/\(post)/share?to=\(ben.id)"],
            "/posts/{id}/report": ["/posts/\(bens)/report"],
            "/posts/{id}/card": ["/posts/\(post)/card"],
            "/posts/new": ["/posts/new", "/posts/new?photo=\(photo)"],
            "/saved": ["/saved"],
            "/lists": ["/lists"],
            "/lists/{id}": ["/lists/\(list)"],
            "/lists/{id}/edit": ["/lists/\(list)/edit", "/lists/\(list)/edit?q=ben"],
            "/@{username}/lists": ["/@ben/lists"],
            "/tags/{name}": ["/tags/dogs"],
            "/settings/hashtags": ["/settings/hashtags"],
            "/@{username}": ["/@ana", "/@ben"],
            "/@{username}/options": ["/@ben/options"],
            "/@{username}/followers": ["/@ben/followers"],
            "/@{username}/following": ["/@ben/following"],
            "/accounts/{id}/report": ["/accounts/\(ben.id)/report"],
            "/users": ["/users", "/users?q=ben", "/users?q=morning"],
            "/search/posts": ["/search/posts?q=morning"],
            "/requests": ["/requests"],
            "/notifications": ["/notifications"],
            "/notifications/requests": ["/notifications/requests"],
            "/notifications/requests/{id}": ["/notifications/requests/\(eve.id)"],
            "/snaps": ["/snaps"],
            "/snaps/{id}": ["/snaps/\(snap)"],
            "/snaps/{id}/report": ["/snaps/\(bensSnap)/report"],
            "/snaps/new": ["/snaps/new"],
            "/snaps/new/{picture}": ["/snaps/new/\(photo)"],
            "/snaps/camera": ["/snaps/camera"],
            "/library": ["/library"],
            "/library/{id}": ["/library/\(photo)", "/library/\(pair)"],
            "/library/{id}/send": ["/library/\(photo)/send", "/library/\(photo)/send?to=\(ben.id)"],
            "/library/{id}/guest-link": ["/library/\(photo)/guest-link"],
            "/create": ["/create"],
            "/guest/{token}": ["/guest/\(token)"],
            "/collage/{id}": ["/collage/\(collage)"],
            "/collage/{id}/card": ["/collage/\(collage)/card"],
            "/collage/{id}/together": ["/collage/\(collage)/together"],
            "/collage/{id}/cells/{index}": ["/collage/\(collage)/cells/0", "/collage/\(collage)/cells/1"],
            "/collage/{id}/cells/{index}/report": ["/collage/\(collage)/cells/0/report"],
            "/collage/with/{id}": ["/collage/with/\(chat)"],
            "/collage/library": ["/collage/library"],
            "/collage/choose": ["/collage/choose"],
            "/contracts": ["/contracts"],
            "/contracts/{id}": ["/contracts/\(contract)"],
            "/contracts/{id}/accept": ["/contracts/\(proposal)/accept"],
            "/contracts/{id}/claim": ["/contracts/\(contract)/claim"],
            "/contracts/{id}/dispute": ["/contracts/\(claimed)/dispute"],
            "/contracts/{id}/forfeit": ["/contracts/\(contract)/forfeit"],
            "/contracts/{id}/report": ["/contracts/\(contract)/report"],
            "/contracts/card/{id}": ["/contracts/card/\(ben.id)"],
            "/contracts/new": ["/contracts/new", "/contracts/new?q=ben"],
            "/contracts/new/{id}": ["/contracts/new/\(ben.id)"],
            "/pairs/{id}/points": ["/pairs/\(pair)/points"],
            "/then-and-now": [
                "/then-and-now", "/then-and-now?photo=\(photo)", "/then-and-now?photo=\(pair)",
                "/then-and-now?again=\(pair)",
            ],
            "/then-and-now/choose": ["/then-and-now/choose"],
            "/then-and-now/nearby": ["/then-and-now/nearby"],
            "/then-and-now/years/{id}": ["/then-and-now/years/\(photo)"],
            "/friends": ["/friends"],
            "/messages": ["/messages", "/messages?q=ben"],
            "/messages/search": ["/messages/search", "/messages/search?q=hello"],
            "/messages/{id}/search": [
                "/messages/\(chat)/search?q=hello", "/messages/\(group)/search?q=hello",
            ],
            "/messages/new": ["/messages/new", "/messages/new?q=ben"],
            "/messages/new/group": ["/messages/new/group", "/messages/new/group?q=ben"],
            "/messages/{id}/group": ["/messages/\(group)/group"],
            "/messages/{id}/group/add": ["/messages/\(group)/group/add"],
            "/messages/requests": ["/messages/requests"],
            "/messages/{id}": [
                "/messages/\(chat)", "/messages/\(chat)?reply_to=\(text)",
                "/messages/\(chat)?message=\(text)",
                "/messages/\(group)",
            ],
            "/messages/{id}/{message}/options": ["/messages/\(chat)/\(text)/options"],
            "/messages/{id}/{message}/report": ["/messages/\(chat)/\(text)/report"],
            "/messages/{id}/photos/{message}": ["/messages/\(chat)/photos/\(picture)"],
            "/messages/{id}/library": ["/messages/\(chat)/library"],
            "/feed": ["/feed"],
            "/login": [],
            "/login/new-password": [logInLink],
            "/signup": [],
            "/offline": ["/offline"],
            "/install": ["/install"],
            "/share": ["/share"],
            "/oauth/authorize": [app.address()],
            "/settings": ["/settings"],
            "/settings/profile": ["/settings/profile"],
            "/settings/posts": ["/settings/posts"],
            "/settings/privacy": ["/settings/privacy"],
            "/settings/notifications": ["/settings/notifications"],
            "/settings/blocked": ["/settings/blocked"],
            "/settings/muted": ["/settings/muted"],
            "/settings/filters": ["/settings/filters"],
            "/settings/filters/new": ["/settings/filters/new", "/settings/filters/new?post=\(bens)"],
            "/settings/filters/{id}": ["/settings/filters/\(filter)"],
            "/settings/connected": ["/settings/connected"],
            "/settings/devices": ["/settings/devices"],
            "/settings/password": ["/settings/password"],
            "/settings/apps": ["/settings/apps"],
            "/settings/invitations": ["/settings/invitations"],
            "/settings/data": ["/settings/data"],
            "/settings/delete": ["/settings/delete"],
            "/who-can-see-what": ["/who-can-see-what"],
        ]
        let forAdministrators = ["accounts", "record", "sign-up", "administrators"].map {
            Visited(route: "/administration/\($0)", visits: [(olga, "/administration/\($0)")])
        }
        return visited.map { route, paths in
            guard paths.isEmpty else { return Visited(route: route, visits: paths.map { (ana, $0) }) }
            return Visited(route: route, visits: [(world.stranger, route)])
        } + forAdministrators
    }
}
