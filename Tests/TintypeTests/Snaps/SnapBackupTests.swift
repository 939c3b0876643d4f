import Foundation
import Storage
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Snaps and backups")
struct SnapBackupTests {
    @Test("A backup has no picture of a snap, and after a restore the unopened ones are expired", .onlySQLite)
    func leftOut() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let mark = "DESCRIBED-\(UUID().uuidString)"
        let picture = try await TestPicture.jpeg(width: 640, height: 480)
        let unopened = try await ana.snap(
            media: ana.photo(picture, description: "\(mark)-1", purpose: "snap"))
        let other = try await TestPicture.jpeg(width: 320, height: 240)
        let open = try await ana.snap(media: ana.photo(other, description: "\(mark)-2", purpose: "snap"))
        _ = try await ana.photo(picture, description: "\(mark)-3", purpose: "snap")
        let photo = try await ana.photo()
        let copy = try await ana.post(
            "/api/v1/snaps", json: ["photo_id": .text(photo), "feed_id": "random"])
        let path = try await ben.post("/api/v1/snaps/\(open)/open").viewPath
        let bytes = try await ben.get(path).bytes
        let traces = [Array(mark.utf8), Array(bytes[(bytes.count / 2)...].prefix(64))]
        for trace in traces { #expect(try await world.filesHolding(trace) != []) }

        let file = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
        let folder = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
        defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
        // The original of the photo and its six renditions.
        #expect(try await world.tintype.backUp(to: file).files == 7)
        let archive = try Data(contentsOf: URL(filePath: file))
        for trace in traces { #expect(archive.range(of: Data(trace)) == nil) }
        // What is open on the server goes on.
        #expect(try await ben.get(path).status == 200)

        var configuration = world.tintype.configuration
        configuration.data = folder
        _ = try await TintypeApplication.restore(from: file, configuration)
        let restored = try await World(folder: folder, clock: world.clock)
        let (anaLater, benLater) = (try await restored.person("ana"), try await restored.person("ben"))
        for id in [unopened, open, try #require(copy["id"].string)] {
            for (call, status) in try await benLater.everyCall(about: id, view: path) {
                #expect(status == 404, "\(call)")
            }
            #expect(try await !benLater.finds(id))
            #expect(try await !anaLater.finds(id))
        }
        #expect(try await anaLater.get("/api/v1/photos/\(photo)").status == 200)
        #expect(try await restored.fileCount() == 7)
        restored.clock.advance(hours: 24)
        try await restored.work()
        #expect(try await restored.number("SELECT count(*) FROM snaps") == 0)
        try restored.tintype.database.close()
    }

    @Test("A feed that is only written in another way stays one feed")
    func rewrittenFeed() async throws {
        let folder = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = TestClock()
        do {
            let world = try await World(folder: folder, clock: clock)
            _ = try await world.friends("ana", "ben")[0].snap(feed: "dog-spots")
            try world.tintype.database.close()
        }
        let world = try await World(folder: folder, clock: clock) {
            $0.snaps.feeds = [SnapFeed(title: "Dog Spots")]
        }
        let feeds = try await world.person("ben").get("/api/v1/snaps").json.list
        #expect(feeds.map { $0["feed"]["title"].string } == ["Dog Spots"])
        #expect(feeds[0]["snaps"].list.count == 1)
        try world.tintype.database.close()
    }

    @Test("When the feeds change, old snaps keep their feed until they are gone, and nothing new goes there")
    func changedFeeds() async throws {
        let folder = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let clock = TestClock()
        let id: String
        do {
            let world = try await World(folder: folder, clock: clock)
            let people = try await world.friends("ana", "ben")
            id = try await people[0].snap(feed: "dog-spots")
            try world.tintype.database.close()
        }
        let world = try await World(folder: folder, clock: clock) {
            $0.snaps.feeds = [SnapFeed(title: "cats")]
        }
        let (ana, ben) = (try await world.person("ana"), try await world.person("ben"))
        func titles() async throws -> [String?] {
            try await ben.get("/api/v1/snaps").json.list.map { $0["feed"]["title"].string }
        }
        #expect(try await titles() == ["cats", "dog spots"])
        #expect(try await ben.visit("/snaps").shows("No snaps in cats yet."))
        #expect(
            try await ana.post("/api/v1/snaps", json: ["sample_id": "dogs-1", "feed_id": "dog-spots"]).status
                == 422)
        let path = try await ben.post("/api/v1/snaps/\(id)/open").viewPath
        #expect(try await ben.get(path).status == 200)
        #expect(try await ben.post("/api/v1/snaps/\(id)/close").status == 204)
        clock.advance(hours: 24)
        #expect(try await titles() == ["cats"])
        try world.tintype.database.close()
    }
}
