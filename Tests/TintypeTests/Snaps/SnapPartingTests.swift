import Foundation
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Snaps of people who part")
struct SnapPartingTests {
    /// What ends the friendship of the two who posted and who sees.
    enum Parting: String, CaseIterable, CustomTestStringConvertible {
        case viewerUnfollows, posterUnfollows, viewerBlocks, posterBlocks, suspension, deletion

        var testDescription: String { rawValue }

        func happen(_ poster: Person, _ viewer: Person, _ admin: Person) async throws {
            switch self {
            case .viewerUnfollows:
                #expect(try await viewer.post("/api/v1/accounts/\(poster.id)/unfollow").status == 200)
            case .posterUnfollows:
                #expect(try await poster.post("/api/v1/accounts/\(viewer.id)/unfollow").status == 200)
            case .viewerBlocks: try await viewer.block(poster)
            case .posterBlocks: try await poster.block(viewer)
            case .suspension:
                let answer = try await admin.submit("/administration/accounts/\(poster.id)/suspend")
                #expect(answer.status == 303)
            case .deletion:
                let answer = try await poster.submit("/settings/delete", ["password": "correct horse"])
                #expect(answer.status == 303)
            }
        }
    }

    @Test(
        "Their snaps vanish at every call, the open and the unopened, before any background work",
        arguments: Parting.allCases)
    func vanish(_ parting: Parting) async throws {
        let world = try await World()
        let admin = try await world.account("zoe", isAdmin: true)
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let open = try await ana.snap()
        let unopened = try await ana.snap(feed: "random")
        let path = try await ben.post("/api/v1/snaps/\(open)/open").viewPath
        #expect(try await ben.get(path).status == 200)
        #expect(try await ben.finds(unopened))

        try await parting.happen(ana, ben, admin)
        for id in [open, unopened] {
            for (call, status) in try await ben.everyCall(about: id, view: path) {
                #expect(status == 404, "\(call)")
            }
            #expect(try await !ben.finds(id))
        }
        #expect(try await ben.unreadSnaps() == 0)
        let isForOthers = parting != .suspension && parting != .deletion
        #expect(try await cleo.finds(unopened) == isForOthers)
        #expect(try await cleo.post("/api/v1/snaps/\(unopened)/open").status == (isForOthers ? 200 : 404))
    }

    @Test(
        "A page that is open hears that the other's snaps are gone",
        arguments: Parting.allCases.filter { ![.viewerBlocks, .posterBlocks].contains($0) })
    func reportsGoneSnaps(_ parting: Parting) async throws {
        let world = try await World()
        let admin = try await world.account("zoe", isAdmin: true)
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let snap = try await ana.snap()
        let received = try await ben.receives(until: #""snaps":0"#) {
            try await parting.happen(ana, ben, admin)
            try await world.work()
        }
        #expect(received.contains(#"{"id":"\#(snap)","feed_id":"memes","gone":true"#))
    }

    @Test("With the last who had not looked goes a picture that others saw", arguments: Parting.allCases)
    func lastAwaited(_ parting: Parting) async throws {
        let world = try await World()
        let admin = try await world.account("zoe", isAdmin: true)
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let seen = try await ana.snap()
        _ = try await ben.post("/api/v1/snaps/\(seen)/open")
        _ = try await ben.post("/api/v1/snaps/\(seen)/close")
        let unseen = try await ana.snap(feed: "random")
        try await world.work()
        #expect(try await world.fileCount() == 4)
        switch parting {
        // Here it is the one who looks that leaves.
        case .suspension, .deletion: try await parting.happen(cleo, ana, admin)
        default: try await parting.happen(ana, cleo, admin)
        }
        try await world.work()
        #expect(try await world.fileCount() == 2)
        #expect(try await ben.finds(seen))
        #expect(try await ben.finds(unseen))
        #expect(try await ben.post("/api/v1/snaps/\(unseen)/open").status == 200)
    }

    @Test(
        "Nothing of a deleted account's snaps and uploads is left on the disk, the database included",
        .onlySQLite)
    func erased() async throws {
        let world = try await World()
        _ = try await world.account("zoe", isAdmin: true)
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let description = "DESCRIBED-\(UUID().uuidString)"
        let picture = try await TestPicture.jpeg(width: 640, height: 480)
        let media = try await ana.photo(picture, description: description, purpose: "snap")
        let seen = try await ana.snap(media: media)
        let path = try await ben.post("/api/v1/snaps/\(seen)/open").viewPath
        let bytes = try await ben.get(path).bytes
        _ = try await ana.snap(feed: "random")
        _ = try await ana.photo(picture, description: "WAITING-\(description)", purpose: "snap")
        // What ana has seen of ben's goes too, and is taken out of his count.
        let bens = try await ben.snap()
        _ = try await ana.post("/api/v1/snaps/\(bens)/open")
        let traces = [Array(description.utf8), Array(bytes[(bytes.count / 2)...].prefix(64))]
        for trace in traces { #expect(try await world.filesHolding(trace) != []) }

        #expect(
            try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
        try await world.work()
        for trace in traces { #expect(try await world.filesHolding(trace) == []) }
        // Ben's own snap has two files.
        #expect(try await world.fileCount() == 2)
        #expect(try await world.number("SELECT count(*) FROM blobs") == 2)
        #expect(try await world.number("SELECT count(*) FROM snaps") == 1)
        #expect(try await world.number("SELECT count(*) FROM snap_views") == 0)
        #expect(try await world.number("SELECT count(*) FROM single_use_media") == 0)
        #expect(try await ben.get("/api/v1/snaps").json[0]["snaps"][0]["viewers_count"] == 0)
    }

    @Test("Neither the database nor a file ever keeps a small or blurred impression of a snap", .onlySQLite)
    func noImpression() async throws {
        let picture = try await TestPicture.jpeg(width: 640, height: 480)
        // A photo of the library has one, which shows what to look for.
        let elsewhere = try await World()
        let owner = try await elsewhere.account("ana")
        let photo = try await owner.get("/api/v1/photos/\(owner.photo(picture))")
        let blurhash = Array(try #require(photo["blurhash"].string).utf8)
        try #require(blurhash.count > 20)
        #expect(try await elsewhere.filesHolding(blurhash) != [])

        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let media = try await people[0].photo(picture, purpose: "snap")
        #expect(try await world.filesHolding(blurhash) == [])
        let id = try await people[0].snap(media: media)
        #expect(try await world.filesHolding(blurhash) == [])
        #expect(try await world.fileCount() == 2, "one size in two formats")
        _ = try await people[1].post("/api/v1/snaps/\(id)/open")
        _ = try await people[1].post("/api/v1/snaps/\(id)/close")
        try await world.work()
        #expect(try await world.filesHolding(blurhash) == [])
        #expect(try await world.fileCount() == 0)
    }
}

extension Person {
    /// The account as the application knows it.
    var account: Account {
        get async throws {
            try #require(try await world.tintype.database.read { try AccountStore($0).account(id) })
        }
    }

    /// How many snaps the badge counts.
    func unreadSnaps() async throws -> Int {
        let (viewer, snaps) = (try await account, world.tintype.snaps)
        return try await world.tintype.database.read { try snaps.unreadCount(for: viewer, $0) }
    }

    /// What each call about a snap answers, of the JSON interface and of the pages.
    func everyCall(about snap: String, view path: String) async throws -> [(call: String, status: Int)] {
        var answers: [(call: String, status: Int)] = []
        for call in ["open", "shown", "close"] {
            answers.append((call, try await post("/api/v1/snaps/\(snap)/\(call)").status))
        }
        answers.append(("viewers", try await get("/api/v1/snaps/\(snap)/viewers").status))
        answers.append(("delete", try await delete("/api/v1/snaps/\(snap)").status))
        answers.append(("picture", try await get(path).status))
        answers.append(("page", try await visit("/snaps/\(snap)").status))
        answers.append(("page's open", try await submit("/snaps/\(snap)/open").status))
        answers.append(("page's delete", try await submit("/snaps/\(snap)/delete").status))
        return answers
    }

    /// Whether any list shows a snap.
    func finds(_ snap: String) async throws -> Bool {
        let listed = try await get("/api/v1/snaps").json.list.flatMap { $0["snaps"].list }
        let isListed = listed.contains { $0["id"] == .text(snap) }
        let isOnPage = try await visit("/snaps").shows("data-snap=\"\(snap)\"")
        #expect(isListed == isOnPage)
        return isListed
    }
}
