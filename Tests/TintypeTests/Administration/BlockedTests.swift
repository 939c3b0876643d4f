import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Storage
import Testing

@testable import Core
@testable import Tintype

/// What ana has done with ben in mind, before she blocks him.
private struct Scene {
    let world: World
    let olga: Person
    let ana: Person
    let ben: Person
    /// They have asked to follow ben, and one has written to him.
    let askers: [Person]
    /// Values of path parameters, for each thing of ana's.
    var things: [String: [[String: String]]] = [:]
    /// A post and a snap of ben's that she has liked, commented on and seen, and olga, whom she follows.
    private(set) var known: [String: String] = [:]
    /// The path of her picture that was made for him.
    var signedPath = ""

    init() async throws {
        world = try await World()
        olga = try await world.account("olga")
        let people = try await world.friends("ana", "ben")
        (ana, ben) = (people[0], people[1])
        _ = try await ben.send(.patch, "/api/v1/accounts/update_credentials", json: ["locked": true])
        var askers: [Person] = []
        for name in ["dora", "eli", "fay", "gus"] { askers.append(try await world.account(name)) }
        self.askers = askers
        for asker in askers { try await asker.follow(ben) }
        _ = try await askers[0].write("Hello, it is me", in: try await askers[0].chat(with: ben))
        try await addPosts()
        try await addPictures()
        try await addCollages()
        try await addPastPhotos()
        things["stake"] = [["id": try await ana.contract(with: ben), "account": "\(ana.id)"]]
        things["username"] = [["username": "ana"]]
        things["account"] = [["id": "\(ana.id)"]]
        // They are deleted in two ways before somebody is taken out of the third.
        var lists: [[String: String]] = []
        for title in ["First", "Second", "Third"] {
            lists.append(["id": try await ana.list(title, of: [olga]), "account": "\(olga.id)"])
        }
        things["list"] = lists
        var filters: [[String: String]] = []
        for title in ["First", "Second"] {
            filters.append(["id": try await ana.filter(title, words: ["one", "two", "three", "four"])])
        }
        things["filter"] = filters
        let words = try await ana.get("/api/v1/filters").json.list.compactMap { $0["id"].string }
        things["filterWord"] = words.map { ["id": $0] }
        let post = try await ben.post(caption: "In a filter", visibility: "public")
        let single = try await ana.post(
            "/api/v2/filters/\(filters[1]["id"] ?? "")/statuses", json: ["status_id": .text(post)])
        things["filterPost"] = [["id": try #require(single["id"].string)]]
        things["asker"] = askers.map { ["id": "\($0.id)"] }
        for asker in askers { try await ben.putAside(from: asker) }
        things["putAside"] = things["asker"]
        things["none"] = [[:]]
        let listed = try await ben.get("/api/v1/notifications").json
        things["notification"] = [["id": try #require(listed[0]["id"].string)]]
        things["notificationGroup"] = [["group_key": try #require(listed[1]["group_key"].string)]]
        var reports: [[String: String]] = []
        for form in ["account_id=\(ana.id)", "status_ids[]=\(id("post"))", "snap_id=\(id("snap"))"] {
            let report = try await ben.send("POST", "/api/v1/reports", form)
            reports.append(["id": try #require(report["id"].string)])
        }
        things["report"] = reports
    }

    private mutating func addPosts() async throws {
        let post = try await ana.post(caption: "For all, @ben #dogs", visibility: "public")
        let comment = try await ana.comment("Mine", on: post)
        try await ben.like(post)
        _ = try await ben.post("/api/v1/statuses/\(post)/bookmark")
        let mine = try await ben.post(caption: "Ben's", visibility: "public")
        try await ana.like(mine)
        _ = try await ana.comment("Hello", on: mine)
        try await ana.follow(olga)
        try await olga.follow(ana)
        let seen = try await ben.snap()
        _ = try await ana.post("/api/v1/snaps/\(seen)/open")
        known = [
            "{hers}": post, "{hashtag}": "dogs", "{name}": "dogs", "{post}": mine, "{snap}": seen,
            "{olga}": "\(olga.id)", "{ana}": "\(ana.id)",
        ]
        let attachment = try await ben.get("/api/v1/statuses/\(post)")["media_attachments"][0]
        let photo = try #require(attachment["id"].string)
        signedPath = String(try #require(attachment["url"].string).dropFirst("http://localhost".count))
        let portraits = try await ana.send(
            .patch, "/api/v1/accounts/update_credentials",
            multipart: [
                .file("avatar", try await TestPicture.jpeg()), .file("header", try await TestPicture.jpeg()),
            ])
        let portrait = try #require(portraits["avatar"].string?.split(separator: "/").last)
        let banner = try #require(portraits["header"].string?.split(separator: "/").last)
        // Of what can be deleted in two ways there are two.
        let other = try await ana.post(caption: "For all to see", visibility: "public")
        let another = try #require(
            try await ben.get("/api/v1/statuses/\(other)")["media_attachments"][0]["id"].string)
        things["post"] = [post, comment, other].map { ["id": $0, "number": "1"] }
        things["photo"] = [photo, another].map { ["id": $0, "size": "large", "picture": $0] }
        things["portrait"] = [["id": String(portrait)]]
        things["banner"] = [["id": String(banner)]]
    }

    private mutating func addPictures() async throws {
        func snap() async throws -> String {
            try await ana.snap(media: try await ana.photo(purpose: "snap"))
        }
        func view(_ path: String) async throws -> String {
            try #require(try await ben.post(path)["view"]["id"].string)
        }
        let chat = try await ana.chat(with: ben)
        let hello = try await ana.write("Hello", in: chat)
        let message = try await ana.send(photo: try await ana.photo(), in: chat)
        let once = try await ana.sendOnce(in: chat)
        things["snap"] = [["id": try await snap()], ["id": try await snap()]]
        things["snapView"] = [["view": try await view("/api/v1/snaps/\(try await snap())/open")]]
        things["onceView"] = [["view": try await view("/api/v1/chats/\(chat)/messages/\(once)/open")]]
        // They are deleted in three ways.
        things["message"] = [message, once, hello].map { ["id": chat, "message": $0] }
        things["messageStatus"] = [hello, message, once].map { ["id": $0] }
    }

    /// A photo of hers that may be found by its place, and what she has found herself.
    private mutating func addPastPhotos() async throws {
        _ = try await ana.findable(caption: "For all to find")
        let found = try await ana.searchServer()
        things["pastPhoto"] = [
            ["id": try #require(found["photos"][0]["id"].string), "size": "large"]
        ]
    }

    private mutating func addCollages() async throws {
        var collages: [[String: String]] = []
        // Of what can be left in two ways there are two.
        for _ in 1...2 {
            let begun = try await ana.post("/api/v1/collage_drafts", json: ["account_ids": ["\(ben.id)"]])
            let id = try #require(begun["id"].string)
            _ = try await ana.send(
                .put, "/api/v1/collage_drafts/\(id)/cells/0", json: ["photo_id": .text(try await ana.photo())]
            )
            collages.append(["id": id, "index": "0"])
        }
        things["collage"] = collages
        let photo = JSON.text(try await ana.photo())
        let made = try await ana.post(
            "/api/v1/collages",
            json: [
                "layout_id": "side-by-side", "size": 512,
                "cells": [["photo_id": photo], ["photo_id": photo]],
            ])
        things["collagePhoto"] = [["id": try #require(made["id"].string)]]
        things["pair"] = [["id": try await ana.pairID()]]
    }

    /// The id of the first of some things.
    func id(_ thing: String, _ parameter: String = "id") -> String { things[thing]?[0][parameter] ?? "" }

    /// Ana, and everyone else who knows ben, blocks him.
    func block() async throws {
        for person in [ana] + askers { try await person.block(ben) }
    }

    /// The paths that a row of a table stands for.
    func paths(_ row: BlockedRoutes.Row) throws -> [String] {
        try #require(things[row.thing], "\(row)").map { parameters in
            parameters.reduce(row.path) { $0.replacing("{\($1.key)}", with: $1.value) }
        }
    }

    /// A parameter's text with what it names of ana's.
    func parameters(_ text: String) -> String {
        [
            "account": "\(ana.id)", "post": id("post"), "snap": id("snap"), "photo": id("photo"),
            "chat": id("message"), "message": id("message", "message"),
            "putAside": "\(askers[0].id)", "alsoPutAside": "\(askers[1].id)",
        ].reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
    }
}

extension Person {
    /// Sends a form that has something in every field that anything asks for.
    fileprivate func send(_ method: String, _ path: String, _ form: String? = nil) async throws -> Answer {
        let all =
            "status=x&caption=1&text=x&reason=spam&description=x&last_read_id=1&last_delivered_id=1&mode=open"
            + "&username=ana"
        let headers: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded", .accept: "text/html",
        ]
        return try await send(
            HTTPRequest.Method(rawValue: method) ?? .get, path, headers: headers,
            body: method == "GET" ? nil : ByteBuffer(string: form ?? all))
    }
}

/// Everything is asked for twice: as long as nobody is blocked, when it is found, and after the block. So no row
/// passes because its request was wrong anyway.
@Suite("Blocked people")
struct BlockedTests {
    @Test("Every route has a row that says what a blocked person finds there")
    func complete() async throws {
        let world = try await World()
        let rows = Set(
            BlockedRoutes.all.flatMap(BlockedRoutes.rows).map {
                "\($0.method) \($0.path.prefix { $0 != "?" })"
            })
        let routes = Set(
            try world.tintype.router().routes.filter { $0.method != .head }
                .map { "\($0.method.rawValue) \($0.path.description)" })
        #expect(routes.subtracting(rows).sorted() == [], "routes without a row")
        #expect(rows.subtracting(routes).sorted() == [], "rows without a route")
    }

    /// Tables of what is 404 for ben, and who finds it.
    enum Hidden: CaseIterable {
        case fromThem, fromAllButTheOwner, fromAllButAdministrators

        private var table: String {
            switch self {
            case .fromThem: BlockedRoutes.hidden
            case .fromAllButTheOwner: BlockedRoutes.owned
            case .fromAllButAdministrators: BlockedRoutes.administration
            }
        }

        fileprivate func finder(in scene: Scene) -> Person {
            switch self {
            case .fromThem: scene.ben
            case .fromAllButTheOwner: scene.ana
            case .fromAllButAdministrators: scene.olga
            }
        }

        fileprivate var rows: [BlockedRoutes.Row] {
            (BlockedRoutes.rows(table) + (self == .fromThem ? BlockedRoutes.aboutMessages : []))
                .sorted { $0.order < $1.order }
        }

        /// Whether a row of the table is 404 also for somebody whom nobody blocks, and who knows nobody.
        fileprivate func isClosedToStrangers(_ row: BlockedRoutes.Row) -> Bool {
            self != .fromThem || BlockedRoutes.closed.contains(row.thing)
        }
    }

    @Test(
        "Find nothing of the other behind any page, call or picture, nor do strangers of what is private: 404",
        arguments: Hidden.allCases)
    func everywhere(hidden: Hidden) async throws {
        let (before, after) = (try await Scene(), try await Scene())
        try await after.block()
        let sam = try await before.world.account("sam")
        for row in hidden.rows {
            for path in try before.paths(row) where hidden.isClosedToStrangers(row) {
                let answer = try await sam.send(row.method, path)
                #expect(answer.status == 404, "\(row.method) \(path) answered a stranger \(answer.status)")
            }
            var statuses: [Int] = []
            for path in try before.paths(row) where !statuses.contains(where: { $0 != 404 }) {
                statuses.append(try await hidden.finder(in: before).send(row.method, path).status)
            }
            #expect(statuses.contains { $0 != 404 && $0 < 500 }, "\(row) before: \(statuses)")
            for path in try after.paths(row) {
                let answer = try await after.ben.send(row.method, path)
                #expect(answer.status == 404, "\(row.method) \(path) answered \(answer.status)")
            }
        }
    }

    @Test("Who doesn't follow the author finds a post for followers behind no address of posts")
    func postForFollowers() async throws {
        let scene = try await Scene()
        let sam = try await scene.world.account("sam")
        let post = try await scene.ana.post(caption: "For followers", visibility: "private")
        let rows = BlockedRoutes.rows(BlockedRoutes.hidden).filter { $0.thing == "post" }
        #expect(rows.count > 20)
        for row in rows {
            let path = row.path.replacing("{id}", with: post).replacing("{number}", with: "1")
            let answer = try await sam.send(row.method, path)
            #expect(answer.status == 404, "\(row.method) \(path) answered \(answer.status)")
            #expect(!answer.shows("For followers"), "\(row.method) \(path)")
        }
    }

    @Test("A picture's URL that was made before the block is worth nothing after it")
    func signedPath() async throws {
        let scene = try await Scene()
        #expect(try await scene.ben.get(scene.signedPath).status == 200)
        try await scene.block()
        #expect(try await scene.ben.get(scene.signedPath).status == 404)
    }

    @Test("None of their own lists shows anything of the other")
    func lists() async throws {
        let scene = try await Scene()
        let people = [scene.ana] + scene.askers
        let marks =
            people.flatMap { ["@\($0.username)", "\($0.id)"] } + ["For all", "Hello"]
            // A contract stays for both, without the other in it. In a list is somebody else.
            + scene.things.filter { !["stake", "list"].contains($0.key) && !$0.key.hasPrefix("filter") }
            .values.joined().flatMap(\.values)
            .filter { $0.count > 5 }
        func revealed(_ row: BlockedRoutes.Row) async throws -> [String] {
            let path = scene.known.reduce(row.path) { $0.replacing($1.key, with: $1.value) }
            let answers =
                path.hasPrefix("/api")
                ? [try await row.method == "POST" ? scene.ben.post(path) : scene.ben.get(path)]
                : [try await scene.ben.visit(path), try await scene.ben.refresh(path)]
            for answer in answers {
                #expect(answer.status == 200 || answer.status == 303, "\(path) answered \(answer.status)")
            }
            return marks.filter { mark in answers.contains { $0.shows(mark) } }
        }
        let rows = [BlockedRoutes.silent, BlockedRoutes.among].flatMap(BlockedRoutes.rows)
        for row in rows where row.thing != "never" {
            #expect(try await !revealed(row).isEmpty, "\(row.path) before the block")
        }
        try await scene.block()
        for row in rows { #expect(try await revealed(row) == [], "\(row.path)") }
    }

    @Test("Nothing of the other can be named in a call")
    func calls() async throws {
        let (before, after) = (try await Scene(), try await Scene())
        try await after.block()
        let counts =
            "SELECT (SELECT count(*) FROM posts) + (SELECT count(*) FROM snaps)"
            + " + (SELECT count(*) FROM reports) + (SELECT count(*) FROM chats)"
        let made = try await after.world.number(counts)
        func send(_ row: BlockedRoutes.Row, in scene: Scene) async throws -> Int {
            let form = scene.parameters(row.thing)
            return row.method == "GET"
                ? try await scene.ben.get("\(row.path)?\(form)").status
                : try await scene.ben.send(row.method, row.path, form).status
        }
        for row in BlockedRoutes.rows(BlockedRoutes.refused) {
            #expect((200...201).contains(try await send(row, in: before)), "\(row) before")
            let status = try await send(row, in: after)
            #expect(status == 404 || status == 422, "\(row) answered \(status)")
        }
        let sam = try await before.world.account("sam")
        let closed = ["{message}", "{chat}", "{snap}", "{putAside}", "{alsoPutAside}"]
        for row in BlockedRoutes.rows(BlockedRoutes.refused) where closed.contains(where: row.thing.contains)
        {
            let status = try await sam.send(row.method, row.path, before.parameters(row.thing)).status
            #expect(status == 404 || status == 422, "\(row) answered a stranger \(status)")
        }
        for row in BlockedRoutes.rows(BlockedRoutes.ownPhotos) {
            for (scene, person) in [(before, before.ben), (after, after.ben), (before, sam)] {
                let form = scene.parameters(row.thing)
                let status = try await person.send(row.method, row.path, form).status
                #expect(status == 404 || status == 422, "\(row) answered \(person.username) \(status)")
            }
        }
        #expect(try await after.world.number(counts) == made)
    }

    @Test(
        "What a third person writes names neither to the other, whether it was written before the block or after"
    )
    func mentions() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let post = try await cleo.post(caption: "With @ana and @ben", visibility: "public")
        let comment = try await ana.comment("Thank you", on: post)
        let answer = try await cleo.comment("@ana you are welcome", on: comment)
        let paths = [
            "/api/v1/statuses/\(post)", "/api/v1/statuses/\(answer)", "/api/v1/statuses/\(post)/context",
            "/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/accounts/\(cleo.id)/statuses",
            "/api/v1/notifications?types[]=mention",
        ]
        for path in paths.dropLast() {
            #expect(try await ben.get(path).shows("\(ana.id)"), "\(path) before the block")
        }
        try await ana.block(ben)
        for path in paths { #expect(try await !ben.get(path).shows("\(ana.id)"), "\(path)") }
        let seen = try await ben.get("/api/v1/statuses/\(post)")
        #expect(seen["mentions"].list.map { $0["username"] } == ["ben"])
        #expect(seen["text"] == "With @ana and @ben")
        #expect(try await ben.get("/api/v1/statuses/\(answer)")["in_reply_to_account_id"] == nil)
        #expect(try await !ben.visit("/posts/\(post)").shows("href=\"/@ana\""))
        #expect(try await ana.get("/api/v1/statuses/\(post)")["mentions"].list.count == 1)
        #expect(try await cleo.get("/api/v1/statuses/\(post)")["mentions"].list.count == 2)
        // Neither do open pages get events.
        var stream = world.tintype.events.subscribe(ben.id, session: ID(rawValue: 1), after: nil).stream
            .makeAsyncIterator()
        _ = try await cleo.send(.put, "/api/v1/statuses/\(post)", json: ["status": "Still with @ana"])
        _ = try await cleo.send(.put, "/api/v1/statuses/\(answer)", json: ["status": "@ana!"])
        _ = try await cleo.post(caption: "Again @ana")
        let end = try await ben.post(caption: "The end")
        var names: Set<String> = []
        while let event = await stream.next(), JSON(event.data)["id"].string != end {
            let name = event.name?.description ?? ""
            names.insert(name)
            #expect(!String(decoding: event.data, as: UTF8.self).contains("\(ana.id)"), "\(name)")
        }
        #expect(names.isSuperset(of: ["update", "status.update"]))
    }

    @Test("Initials are 404 for whom their owner blocks, and for nobody else")
    func initials() async throws {
        let world = try await World()
        let (olga, ana, ben) = (
            try await world.account("olga"), try await world.account("ana"), try await world.account("ben")
        )
        let path = "/initials/\(ana.id).svg"
        let drawing = try await ben.get(path)
        #expect(drawing.status == 200 && drawing.headers[.cacheControl] == "private, max-age=600")
        try await ana.block(ben)
        #expect(try await ben.get(path).status == 404)
        #expect(try await ben.visit(path).status == 404)
        for person in [olga, ana, world.stranger] { #expect(try await person.get(path).status == 200) }
        // In the list of those whom ana blocks.
        #expect(try await ana.get("/initials/\(ben.id).svg").status == 200)
    }

    @Test("Nothing that the other does comes through their stream")
    func streams() async throws {
        let names = try await received(in: Scene())
        let all: Set = ["update", "notification", "status.update", "tintype.snap", "delete"]
        #expect(all.isSubset(of: names))
        let scene = try await Scene()
        try await scene.block()
        #expect(try await received(in: scene) == [])
    }

    /// The names of what ben hears of what ana does; counts left out.
    private func received(in scene: Scene) async throws -> [String] {
        // Earlier events that are still due, such as those of erased snaps, come before it.
        try await scene.world.work()
        var stream = scene.world.tintype.events.subscribe(scene.ben.id, session: ID(rawValue: 1), after: nil)
            .stream
            .makeAsyncIterator()
        var names: [String] = []
        /// Reads up to a new post of his own.
        func listen() async throws {
            let own = try await scene.ben.post(caption: "My own")
            while let event = await stream.next(), JSON(event.data)["id"].string != own {
                guard let name = event.name?.description else { continue }
                if !name.hasSuffix("counts"), !names.contains(name) { names.append(name) }
            }
        }
        let post = try await scene.ana.post(caption: "Again, @ben", visibility: "public")
        // What a stream has not taken yet is forgotten with a change or deletion.
        try await listen()
        try await scene.ana.like(post)
        _ = try await scene.ana.comment("@ben?", on: post)
        _ = try await scene.ana.send(.put, "/api/v1/statuses/\(post)", json: ["status": "Changed, @ben"])
        _ = try await scene.ana.snap(media: try await scene.ana.photo(purpose: "snap"))
        try await scene.world.work()
        try await listen()
        _ = try await scene.ana.delete("/api/v1/statuses/\(post)")
        try await listen()
        return names
    }
}
