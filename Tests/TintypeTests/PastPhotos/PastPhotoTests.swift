import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import Core
@testable import Making
@testable import Serving
@testable import Tintype

@Suite("Old photos near a place", .timeLimit(.minutes(15)))
struct PastPhotoTests {
    /// Answers as both sources, each with one photo, whose pictures are at the same server.
    private static func usual(_ picture: [UInt8]) -> @Sendable (SourceServer.Call) -> SourceServer.Reply {
        { call in
            let pictures = "http://\(call.headers["host"] ?? "")"
            switch call.path {
            case "/flickr":
                return .json(SourceFixtures.flickr([SourceFixtures.flickrPhoto("7", pictures: pictures)]))
            case "/commons":
                return .json(
                    SourceFixtures.commons([
                        SourceFixtures.commonsPage(5, pictures: pictures, latitude: -41.281)
                    ]))
            default: return .picture(picture)
            }
        }
    }

    // MARK: Searching

    @Test("A search asks every source and lists what they have, nearest first")
    func search() async throws {
        let picture = try await SourceFixtures.picture()
        try await SourceServer.with(Self.usual(picture)) { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            #expect(try await ana.lastSearch().json["search"] == .null)
            #expect(
                try await ana.lastSearch()["sources"].list.map { $0["name"] } == [
                    "flickr", "commons", "server",
                ])
            let answer = try await ana.search("&from_year=1900&to_year=1970")
            #expect(answer.status == 200 && answer.headers[.init("X-Cache")!] == "miss")
            #expect(answer["search"]["sources"] == ["flickr", "commons", "server"])
            #expect(answer["search"]["radius_km"] == 1 && answer["search"]["from_year"] == 1900)
            #expect(answer["sources"].list.map { $0["state"] } == ["ok", "ok", "ok"])
            #expect(answer["sources"].list.map { $0["count"] } == [1, 1, 0])
            let photos = answer["photos"].list
            #expect(photos.map { $0["source"] } == ["flickr", "commons"])
            #expect(photos[0]["distance_m"] == 0 && photos[1]["distance_m"] == 111)
            #expect(photos[1]["credit"] == "Fondo Arrieta, CC BY 4.0")
            #expect(photos[1]["source_title"] == "Wikimedia Commons")
            #expect(photos[1]["licence_url"] == "https://creativecommons.org/licenses/by/4.0")
            #expect(photos[0]["date"] == "4 July 1965" && photos[0]["from_year"] == 1965)
            #expect(try await ana.lastSearch()["search"]["id"] == answer["search"]["id"])
        }
    }

    @Test("The sources are asked as they want to be")
    func parameters() async throws {
        try await SourceServer.with(Self.usual([])) { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            _ = try await ana.get(
                "/api/v1/past_photos?latitude=-41.2800001&longitude=0.00001&radius_km=25&from_year=1900&to_year=1970"
            )
            let flickr = try #require(sources.calls.first { $0.path == "/flickr" }).parameters
            #expect(flickr["lat"] == "-41.28" && flickr["lon"] == "0.00001" && flickr["radius"] == "25.0")
            #expect(flickr["min_taken_date"] == "1900-01-01 00:00:00")
            #expect(flickr["max_taken_date"] == "1970-12-31 23:59:59")
            #expect(flickr["api_key"] == "key" && flickr["has_geo"] == "1" && flickr["per_page"] == "250")
            let commons = try #require(sources.calls.first { $0.path == "/commons" }).parameters
            #expect(commons["ggscoord"] == "-41.28|0.00001" && commons["ggsradius"] == "10000")
            #expect(commons["maxlag"] == "5" && commons["formatversion"] == "2")
        }
    }

    @Test("A wish beyond Commons’ ten kilometres is cut, and said so")
    func narrowed() async throws {
        try await SourceServer.with(Self.usual([])) { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            let answer = try await ana.get(
                "/api/v1/past_photos?latitude=-41.28&longitude=174.77&radius_km=30&source=commons")
            #expect(answer["sources"][0]["state"] == "narrowed")
            #expect(answer["sources"][0]["message"].string?.contains("10 km") == true)
        }
    }

    @Test("Every answer of Commons is read until there is no more")
    func pieces() async throws {
        try await SourceServer.with { call in
            let pictures = "http://\(call.headers["host"] ?? "")"
            guard case .object(var page) = SourceFixtures.commonsPage(5, pictures: pictures) else {
                return .error(500)
            }
            if call.parameters["iistart"] == "1" {
                page["coordinates"] = nil
                return .json(SourceFixtures.commons([.object(page)]))
            }
            page["imageinfo"] = nil
            return .json([
                "continue": ["iistart": "1", "continue": "||"], "query": ["pages": [.object(page)]],
            ])
        } _: { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            let answer = try await ana.search("&source=commons")
            #expect(answer["photos"].list.count == 1 && answer["sources"][0]["state"] == "ok")
            #expect(sources.calls.filter { $0.path == "/commons" }.count == 2)
        }
    }

    @Test("Of ten thousand photos the nearest sixty are kept, and few pages are asked for")
    func many() async throws {
        try await SourceServer.with { call in
            let pictures = "http://\(call.headers["host"] ?? "")"
            let page = Int(call.parameters["page"] ?? "") ?? 1
            let photos = (0..<250).map { number in
                SourceFixtures.flickrPhoto(
                    "\(page)-\(number)", pictures: pictures,
                    changing: ["latitude": .number(-41.28 - Double(page * 250 + number) / 1_000_000)])
            }
            return .json(SourceFixtures.flickr(photos, page: page, pages: 40, total: 10_000))
        } _: { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            let answer = try await ana.search("&source=flickr")
            #expect(answer["photos"].list.count == 60)
            #expect(answer["sources"][0]["state"] == "narrowed" && answer["sources"][0]["count"] == 60)
            #expect(answer["sources"][0]["message"].string?.contains("10,000") == true)
            #expect(sources.calls.filter { $0.path == "/flickr" }.count == 3)
        }
    }

    // MARK: Failures

    /// What a source answers, and a part of the sentence for the person.
    private static let failures: [(SourceServer.Reply, String)] = [
        (.json(SourceFixtures.flickr(failing: 100)), "key"), (.error(429, retryAfter: "120"), "in 2 minutes"),
        (.error(503, retryAfter: "30"), "in a minute"), (.error(500), "Flickr isn’t answering."),
        (.error(403), "refuses"), (.text("<html>"), "couldn’t be read"),
        (.text("{\"stat\":"), "couldn’t be read"),
        (.redirect("file:///etc/passwd"), "set up"), (.redirect("/flickr"), "set up"),
        (SourceServer.Reply(body: [0x7B], ending: .cutOff), "too long"),
        (SourceServer.Reply(body: [0x7B], ending: .endless), "too many"),
    ]

    @Test("A source that fails is named, and doesn't delay the others", arguments: 0..<11)
    func failure(number: Int) async throws {
        let (reply, words) = Self.failures[number]
        try await SourceServer.with { call in
            call.path == "/flickr" ? reply : Self.usual([])(call)
        } _: { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            let answer = try await ana.search()
            #expect(answer.status == 200)
            #expect(answer["sources"].list.map { $0["state"] } == ["failed", "ok", "ok"])
            let message = answer["sources"][0]["message"].string ?? ""
            #expect(message.contains(words), "\(message)")
            #expect(answer["photos"].list.map { $0["source"] } == ["commons"])
            // The search isn't cached, since something was missing.
            #expect(try await ana.search().headers[.init("X-Cache")!] == "miss")
        }
    }

    @Test("A source that doesn’t answer has only so long")
    func silence() async throws {
        try await SourceServer.with { _ in
            SourceServer.Reply(body: [0x7B], ending: .silence)
        } _: { sources in
            let world = try await World(asking: sources) { $0.pastPhotos.patience = 1 }
            let answer = try await (try await world.account("ana")).search("&source=flickr,commons")
            #expect(answer["sources"].list.map { $0["state"] } == ["failed", "failed"])
            for source in answer["sources"].list {
                #expect(source["message"].string?.contains("too long") == true)
            }
        }
    }

    @Test("A server that nobody answers, and one that isn’t allowed to ask")
    func unreachable() async throws {
        let port = try await SourceServer.with { _ in
            .text("")
        } _: {
            $0.port
        }
        let world = try await World { configuration in
            configuration.pastPhotos.commonsURL = "http://127.0.0.1:\(port)/"
            configuration.allowsPrivateAddresses = true
        }
        let answer = try await (try await world.account("ana")).search("&source=commons")
        #expect(answer["sources"][0]["message"].string?.contains("can’t be reached") == true)
        try await SourceServer.with(Self.usual([])) { sources in
            let world = try await World(asking: sources) { $0.allowsPrivateAddresses = false }
            let answer = try await (try await world.account("ana")).search()
            #expect(answer["sources"].list.map { $0["state"] } == ["failed", "failed", "ok"])
            #expect(sources.calls.isEmpty)
        }
    }

    @Test("Only what is set up is asked")
    func configured() async throws {
        let world = try await World { $0.pastPhotos.commonsURL = "" }
        let ana = try await world.account("ana")
        #expect(try await ana.lastSearch()["sources"].list.map { $0["name"] } == ["server"])
        let answer = try await ana.search("&source=flickr")
        #expect(answer.status == 422 && answer["details"]["source"] != .null)
        #expect(try await world.stranger.search().status == 401)
        #expect(try await world.stranger.lastSearch().status == 401)
    }

    @Test(
        "Values out of range are refused by their field",
        arguments: [
            ("latitude", "90.1"), ("latitude", "-91"), ("latitude", ""), ("latitude", "north"),
            ("latitude", "nan"), ("longitude", "180.5"), ("longitude", "1e400"), ("radius_km", "0.05"),
            ("radius_km", "30.1"), ("radius_km", "-1"), ("radius_km", "inf"), ("from_year", "1824"),
            ("from_year", "1900.5"), ("to_year", "2027"), ("to_year", "99999999999999999999"),
            ("to_year", "1850"), ("source", "bing"), ("source", "server,bing"),
        ])
    func invalid(field: String, value: String) async throws {
        let world = try await World { $0.pastPhotos.commonsURL = "" }
        let ana = try await world.account("ana")
        let usual = [
            "latitude": "0", "longitude": "0", "radius_km": "1", "from_year": "1900", "to_year": "1950",
            "source": "server",
        ]
        let query = usual.merging([field: value]) { $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
        let answer = try await ana.get("/api/v1/past_photos?\(query)")
        #expect(answer.status == 422)
        #expect(answer["details"][field] != .null, "\(answer.text)")
        #expect(try await ana.lastSearch()["search"] == .null)
    }

    @Test(
        "A place at a pole or on the date line is like any other",
        arguments: [(90, 0), (-90, 180), (0, 180), (0, -180), (0, 0), (89.9999, -179.9999)]
            as [(Double, Double)])
    func edges(latitude: Double, longitude: Double) async throws {
        try await SourceServer.with { call in
            let place = (call.parameters["ggscoord"] ?? "").split(separator: "|").compactMap { Double($0) }
            guard call.path == "/commons", place.count == 2 else { return .error(404) }
            // What is near on the other side of the line.
            let page = SourceFixtures.commonsPage(
                5, pictures: "http://\(call.headers["host"] ?? "")", latitude: place[0],
                longitude: place[1] >= 0 ? place[1] - 180 : place[1] + 180)
            return .json(SourceFixtures.commons([page]))
        } _: { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            let answer = try await ana.get(
                "/api/v1/past_photos?latitude=\(latitude)&longitude=\(longitude)&radius_km=5&source=commons")
            #expect(answer.status == 200 && answer["search"]["latitude"] == .number(latitude))
            // At a pole every longitude is the same place; elsewhere half the earth is between.
            #expect(answer["photos"].list.count == (abs(latitude) > 89 ? 1 : 0))
        }
    }

    // MARK: The map

    @Test("Tiles of the map come from the address that is set up and from no other, with their attribution")
    func tiles() async throws {
        let world = try await World {
            $0.pastPhotos.commonsURL = ""
            $0.map.tiles = "https://{s}.tiles.example.org:8443/{z}/{x}/{y}.png"
            $0.map.attribution = "© The mappers https://example.org/credit"
        }
        let page = try await world.account("ana").visit("/then-and-now/nearby")
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(policy.contains("img-src 'self' blob: data: https://*.tiles.example.org:8443;"))
        #expect(policy.components(separatedBy: "://").count == 2)
        #expect(page.shows("data-tiles=\"https://{s}.tiles.example.org:8443/{z}/{x}/{y}.png\""))
        #expect(page.shows("href=\"https://example.org/credit\"") && page.shows("© The mappers"))
    }

    @Test("Without an address of tiles the map is the outline of the world that comes with the app")
    func outline() async throws {
        let world = try await World { $0.pastPhotos.commonsURL = "" }
        let page = try await world.account("ana").visit("/then-and-now/nearby")
        let policy = try #require(page.headers[.contentSecurityPolicy])
        #expect(!policy.contains("://") && !page.shows("data-tiles") && page.shows("Natural Earth"))
    }

    // MARK: What is kept

    @Test("The same search within ten minutes is answered from what is kept")
    func kept() async throws {
        try await SourceServer.with(Self.usual([])) { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            let first = try await ana.search("&from_year=1900")
            let asked = sources.calls.filter { $0.path == "/flickr" }.count
            let again = try await ana.search("&from_year=1900")
            #expect(again.headers[.init("X-Cache")!] == "hit")
            #expect(again["search"] == first["search"])
            #expect(again["photos"].list.map { $0["id"] } == first["photos"].list.map { $0["id"] })
            #expect(sources.calls.filter { $0.path == "/flickr" }.count == asked)
            #expect(try await ana.search("&from_year=1901").headers[.init("X-Cache")!] == "miss")
            #expect(try await ana.search("&from_year=1900").headers[.init("X-Cache")!] == "miss")
            world.clock.advance(seconds: 601)
            #expect(try await ana.search("&from_year=1900").headers[.init("X-Cache")!] == "miss")
        }
    }

    @Test("The last search is still there after a restart, and a picture that hadn’t come is fetched then")
    func restart() async throws {
        let picture = try await SourceFixtures.picture()
        let isUp = Mutex(false)
        try await SourceServer.with { call in
            // Until the restart pictures don't come.
            if call.path.hasPrefix("/l/") || call.path.hasPrefix("/thumb"), !isUp.withLock({ $0 }) {
                try await Task.sleep(for: .seconds(600))
            }
            return Self.usual(picture)(call)
        } _: { sources in
            let folder = NSTemporaryDirectory() + "past-photos-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: folder) }
            let world = try await World(asking: sources, folder: folder)
            let ana = try await world.account("ana")
            let found = try await ana.search()
            world.tintype.parts.outgoing.stop()
            isUp.withLock { $0 = true }
            let later = try await World(asking: sources, folder: folder, clock: world.clock)
            let again = Person(world: later, id: ana.id, username: "ana", token: ana.token)
            let last = try await again.lastSearch()
            #expect(last["search"] == found["search"] && last["sources"] == found["sources"])
            #expect(last["photos"].list.map { $0["picture"]["state"] } == ["waiting", "waiting"])
            #expect(try await again.picture(last["photos"][0]).status == 200)
            #expect(try await again.search().headers[.init("X-Cache")!] == "hit")
        }
    }

    @Test("A search of which a source fails and the others find nothing leaves the last results")
    func failed() async throws {
        let picture = try await SourceFixtures.picture()
        let broken = Mutex<Set<String>>([])
        try await SourceServer.with { call in
            if broken.withLock({ $0.contains(call.path) }) { return .error(500) }
            // Only the first place has photos.
            let place = call.parameters["lat"] ?? call.parameters["ggscoord"] ?? ""
            let isFar = place == "10" || place.hasPrefix("10|")
            guard isFar else { return Self.usual(picture)(call) }
            return .json(
                call.path == "/flickr" ? SourceFixtures.flickr([]) : SourceFixtures.commons([]))
        } _: { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            let found = try await ana.search()
            #expect(found["photos"].list.count == 2)
            let photo = try #require(found["photos"].list.first)
            #expect(try await ana.picture(photo).status == 200)
            let far = "/api/v1/past_photos?latitude=10&longitude=10&radius_km=1"
            for failing in [["/flickr", "/commons"], ["/flickr"]] as [Set<String>] {
                broken.withLock { $0 = failing }
                let answer = try await ana.get(far)
                #expect(answer.status == 200 && answer["search"] == .null && answer["photos"] == [])
                #expect(answer["sources"][0]["state"] == "failed")
                #expect(answer["sources"][0]["message"].string?.hasPrefix("Flickr isn’t answering.") == true)
                let last = try await ana.lastSearch()
                #expect(last["search"] == found["search"] && last["sources"] == found["sources"])
                #expect(last["photos"].list.map { $0["id"] } == found["photos"].list.map { $0["id"] })
                #expect(try await ana.picture(photo).status == 200)
                // The form without scripts says why, and still shows the photos.
                let page = try await ana.submit(
                    "/then-and-now/nearby", ["latitude": "10", "longitude": "10", "radius_km": "1"])
                #expect(page.shows("Flickr isn’t answering.") && !page.shows("Widen"))
                #expect(page.shows("These are the photos of your last search.") && page.shows("2 photos"))
                #expect(page.shows("value=\"10.0\""))
                #expect(try await ana.lastSearch()["search"] == found["search"])
            }
            broken.withLock { $0 = [] }
            // Where all have answered, nothing is a result too.
            let nothing = try await ana.get(far)
            #expect(nothing["search"] != .null && nothing["photos"] == [])
            #expect(try await ana.lastSearch()["search"] == nothing["search"])
        }
    }

    @Test(
        "Only what can be widened is offered",
        arguments: [
            ("30", "1900", "1950", "Widen the years."), ("2", "1825", "2026", "Widen the radius."),
            ("2", "1900", "1950", "Widen the years or the radius."),
            ("30", "1825", "2026", "Choose another place."),
        ])
    func widest(radius: String, from: String, to: String, words: String) async throws {
        let world = try await World { $0.pastPhotos.commonsURL = "" }
        let ana = try await world.account("ana")
        let form: KeyValuePairs = [
            "latitude": "0", "longitude": "0", "radius_km": radius, "from_year": from, "to_year": to,
        ]
        #expect(try await ana.submit("/then-and-now/nearby", form).status == 303)
        let page = try await ana.visit("/then-and-now/nearby")
        #expect(page.shows(words))
        #expect(page.shows("Search wider") == words.hasPrefix("Widen"))
    }

    @Test("Of two searches at once the later one counts, and the earlier leaves nothing")
    func overtaken() async throws {
        try await SourceServer.with { call in
            if call.parameters["min_taken_date"]?.hasPrefix("1900") == true {
                try await Task.sleep(for: .seconds(600))
            }
            return Self.usual([])(call)
        } _: { sources in
            let world = try await World(asking: sources)
            let ana = try await world.account("ana")
            let slow = Task { try await ana.search("&from_year=1900") }
            await sources.isAsked(for: "/flickr")
            let quick = try await ana.search("&from_year=1950")
            #expect(quick.status == 200)
            #expect(try await slow.value.status == 409)
            #expect(try await ana.lastSearch()["search"] == quick["search"])
            #expect(try await world.number("SELECT count(*) FROM past_searches") == 1)
        }
    }

    @Test("Many searches soon are refused, those answered from what is kept aside")
    func limit() async throws {
        let world = try await World { $0.pastPhotos.commonsURL = "" }
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        for year in 1900..<1920 { #expect(try await ana.search("&from_year=\(year)").status == 200) }
        let refused = try await ana.search("&from_year=1950")
        #expect(refused.status == 429 && refused.headers[.retryAfter] != nil)
        #expect(try await ana.search("&from_year=1919").headers[.init("X-Cache")!] == "hit")
        #expect(try await ben.search().status == 200)
    }
}
