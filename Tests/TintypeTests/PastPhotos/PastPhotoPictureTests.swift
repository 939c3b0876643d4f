import Foundation
import HTTPTypes
import Imaging
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Making
@testable import Tintype

@Suite("Pictures of old photos", .timeLimit(.minutes(15)))
struct PastPhotoPictureTests {
    /// Answers with one photo of Flickr's whose picture is what the closure says.
    private static func flickr(
        photos: Int = 1, _ picture: @escaping @Sendable (SourceServer.Call) async throws -> SourceServer.Reply
    ) -> @Sendable (SourceServer.Call) async throws -> SourceServer.Reply {
        { call in
            guard call.path == "/flickr" else { return try await picture(call) }
            let pictures = "http://\(call.headers["host"] ?? "")"
            return .json(
                SourceFixtures.flickr(
                    (0..<photos).map { SourceFixtures.flickrPhoto("\($0)", pictures: pictures) }))
        }
    }

    private static func world(_ sources: SourceServer) async throws -> World {
        try await World(asking: sources) { $0.pastPhotos.commonsURL = "" }
    }

    @Test("Come in both sizes and formats to the one who searched, with what they need to be asked for again")
    func shown() async throws {
        let picture = try await TestPicture.jpeg(width: 2_000, height: 1_000)
        try await SourceServer.with(Self.flickr { _ in .picture(picture) }) { sources in
            let world = try await Self.world(sources)
            let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
            let photo = try await ana.search()["photos"][0]
            let id = try #require(photo["id"].string)
            let large = try await ana.picture(photo, "large_url")
            #expect(large.status == 200 && large.headers[.contentType] == "image/jpeg")
            #expect(large.headers[.cacheControl] == "private, no-cache")
            let square = try await ana.get("/past-photos/\(id)/square", headers: [.accept: "image/webp"])
            #expect(square.status == 200 && square.headers[.contentType] == "image/webp")
            let tag = try #require(square.headers[.eTag])
            let again = try await ana.get(
                "/past-photos/\(id)/square", headers: [.accept: "image/webp", .ifNoneMatch: tag])
            #expect(again.status == 304)
            #expect(
                try await ana.get("/past-photos/\(id)/large", headers: [.range: "bytes=0-9"]).bytes.count
                    == 10)
            let last = try await ana.lastSearch()["photos"][0]["picture"]
            #expect(last["state"] == "ready" && last["width"] == 2_000 && last["height"] == 1_000)
            // Nobody else, no other size, no other id, no forged signature.
            for path in ["\(id)/medium", "\(id)/full", "\(id)/original", "1/large", "x/large"] {
                #expect(try await ana.get("/past-photos/\(path)").status == 404, "\(path)")
            }
            #expect(try await ben.get("/past-photos/\(id)/large").status == 404)
            #expect(try await world.stranger.get("/past-photos/\(id)/large").status == 404)
            let session = try await ana.session
            #expect(
                try await world.stranger.get("/past-photos/\(id)/large?v=\(session)&s=AAAA").status == 404)
            #expect(try await ben.lastSearch()["search"] == .null)
        }
    }

    /// Pictures that can't be had, and a part of the sentence for the person.
    private static let bad: [(SourceServer.Reply, String)] = [
        (.text("no picture"), "other than a picture"), (.picture(Array("<html>".utf8)), "can’t be read"),
        (.picture([]), "can’t be read"), (.error(404), "no longer"), (.error(500), "couldn’t be fetched"),
        (SourceServer.Reply(type: "image/jpeg", length: 900_000_000, ending: .silence), "too large"),
        (SourceServer.Reply(body: [0xFF], type: "image/jpeg", ending: .endless), "too large"),
        (SourceServer.Reply(body: [0xFF], type: "image/jpeg", ending: .cutOff), "couldn’t be fetched"),
        (.redirect("file:///etc/passwd"), "address"), (.redirect("/round"), "address"),
        (.picture(Array(Data(base64Encoded: hugePNG) ?? Data()), type: "image/png"), "too large"),
    ]
    /// A PNG whose header says 60,000 × 60,000 pixels.
    private static let hugePNG =
        "iVBORw0KGgoAAAANSUhEUgAA6mAAAOpgCAIAAAAPsOIVAAAADElEQVR4nGNgoD0AAABkAAGGZDw1AAAAAElFTkSuQmCC"

    @Test("That can’t be had fail alone, with a reason", arguments: 0..<11)
    func bad(number: Int) async throws {
        let (reply, words) = Self.bad[number]
        let good = try await SourceFixtures.picture()
        let answer = Self.flickr(photos: 2) {
            $0.path == "/l/0.jpg" || $0.path == "/round" ? reply : .picture(good)
        }
        try await SourceServer.with(answer) { sources in
            let world = try await Self.world(sources)
            let ana = try await world.account("ana")
            let photos = try await ana.search()["photos"].list
            let (first, second) = (try #require(photos.first), try #require(photos.last))
            #expect(try await ana.picture(first).status == 404)
            #expect(try await ana.picture(second).status == 200)
            let pictures = try await ana.lastSearch()["photos"].list.map { $0["picture"] }
            #expect(pictures.map { $0["state"] } == ["failed", "ready"])
            #expect(pictures[0]["message"].string?.contains(words) == true, "\(pictures[0].text)")
            #expect(try await world.fileCount() == 4)
        }
    }

    @Test("A picture that comes late is waited for")
    func waits() async throws {
        let picture = try await SourceFixtures.picture()
        let mayCome = Mutex(false)
        try await SourceServer.with(
            Self.flickr { _ in
                while !mayCome.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(5)) }
                return .picture(picture)
            }
        ) { sources in
            let world = try await Self.world(sources)
            let ana = try await world.account("ana")
            let photo = try await ana.search()["photos"][0]
            let waiting = (1...5).map { _ in Task { try await ana.picture(photo).status } }
            await sources.isAsked(for: "/l/0.jpg")
            #expect(photo["picture"]["state"] == "waiting")
            mayCome.withLock { $0 = true }
            for task in waiting { #expect(try await task.value == 200) }
            #expect(sources.calls.filter { $0.path == "/l/0.jpg" }.count == 1)
        }
    }

    @Test("Waiting for a picture has an end, for all and for those who go")
    func waitingEnds() async throws {
        try await SourceServer.with(
            Self.flickr { _ in
                try await Task.sleep(for: .seconds(600))
                return .error(500)
            }
        ) { sources in
            let world = try await Self.world(sources)
            let ana = try await world.account("ana")
            let photo = try #require(
                try await ana.search()["photos"][0]["id"].string.flatMap { PastPhoto.ID($0) })
            let pictures = PastPhotoPictures(world.tintype.parts, patience: 240)
            try await pictures.wait(for: photo, seconds: 0.05)
            let gone = Task { try await pictures.wait(for: photo, seconds: 60) }
            gone.cancel()
            try await gone.value
            let many = (1...200).map { _ in
                Task { () -> Bool in
                    do { try await pictures.wait(for: photo, seconds: 1) } catch { return false }
                    return true
                }
            }
            var admitted = 0
            for task in many where await task.value { admitted += 1 }
            #expect(admitted == 128)
        }
    }

    @Test("The files of an earlier search are erased with it, and all with the account")
    func erased() async throws {
        let picture = try await SourceFixtures.picture()
        try await SourceServer.with(Self.flickr { _ in .picture(picture) }) { sources in
            let world = try await Self.world(sources)
            let ana = try await world.account("ana")
            let first = try await ana.search()["photos"][0]
            #expect(try await ana.picture(first).status == 200)
            #expect(try await world.fileCount() == 4)
            #expect(try await world.number("SELECT byte_count FROM storage_uses") > 0)
            let second = try await ana.search("&from_year=1900")["photos"][0]
            #expect(try await ana.picture(first).status == 404)
            #expect(try await ana.picture(second).status == 200)
            try await world.work()
            #expect(try await world.fileCount() == 4)
            let download = try await world.tintype.database.read { transaction in
                try PastPhotosData().lists.map { try $0.page(of: ana.id, after: 0, transaction).rows.count }
            }
            #expect(download == [1, 1])
            #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
            try await world.work()
            #expect(try await world.fileCount() == 0)
            for table in [
                "past_searches", "past_search_turns", "past_search_answers", "past_photos",
                "past_photo_files", "blobs",
            ] {
                #expect(try await world.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
            }
        }
    }

    @Test("A backup keeps the last search with its pictures")
    func backup() async throws {
        let picture = try await SourceFixtures.picture()
        try await SourceServer.with(Self.flickr { _ in .picture(picture) }) { sources in
            let world = try await Self.world(sources)
            let ana = try await world.account("ana")
            let photo = try await ana.search()["photos"][0]
            let shown = try await ana.picture(photo)
            let (file, folder) = (world.folder + ".tar", world.folder + "-restored")
            defer { for path in [file, folder] { try? FileManager.default.removeItem(atPath: path) } }
            #expect(try await world.tintype.backUp(to: file).files == 4)
            var configuration = world.tintype.configuration
            configuration.data = folder
            _ = try await TintypeApplication.restore(from: file, configuration)
            let restored = try await World(asking: sources, folder: folder, clock: world.clock)
            let again = Person(world: restored, id: ana.id, username: "ana", token: ana.token)
            let found = try await again.lastSearch()["photos"][0]
            #expect(found["title"] == "Harbour 0")
            #expect(try await again.picture(found).bytes == shown.bytes)
        }
    }

    @Test("A search that nobody looks at for thirty days is erased, and one that is looked at isn’t")
    func unused() async throws {
        let picture = try await SourceFixtures.picture()
        try await SourceServer.with(Self.flickr { _ in .picture(picture) }) { sources in
            let world = try await Self.world(sources)
            let ana = try await world.account("ana")
            let photo = try await ana.search()["photos"][0]
            #expect(try await ana.picture(photo).status == 200)
            world.clock.advance(hours: 20 * 24)
            #expect(try await ana.lastSearch()["search"] != .null)
            world.clock.advance(hours: 15 * 24)
            try await world.work()
            #expect(try await world.fileCount() == 4)
            world.clock.advance(hours: 16 * 24)
            try await world.work()
            #expect(try await world.fileCount() == 0)
            #expect(try await ana.lastSearch()["search"] == .null)
            #expect(try await ana.search()["photos"].list.count == 1)
        }
    }

    @Test("The files for a pair come in full size where the source has it")
    func files() async throws {
        let (small, full) = (
            try await SourceFixtures.picture(), try await TestPicture.jpeg(width: 1_500, height: 1_000)
        )
        let hasFull = Mutex(true)
        let answer = Self.flickr { call in
            guard call.path.hasPrefix("/o/") else { return .picture(small) }
            return hasFull.withLock { $0 } ? .picture(full) : .error(404)
        }
        try await SourceServer.with(answer) { sources in
            let world = try await Self.world(sources)
            let person = try await world.account("ana")
            let ana = try #require(
                try await world.tintype.database.read { try AccountRecords($0).unchecked(person.id) })
            let service = world.tintype.features.pastPhotos.pastPhotos
            for isThere in [true, false] {
                hasFull.withLock { $0 = isThere }
                let found = try await person.search("&from_year=\(isThere ? 1900 : 1901)")["photos"][0]
                let id = try #require(found["id"].string.flatMap { PastPhoto.ID($0) })
                let files = try await service.files(of: id, for: ana)
                let usual = ["large.jpeg", "large.webp", "square.jpeg", "square.webp"]
                #expect(files.map(\.variant).sorted() == (isThere ? ["full.jpeg"] : []) + usual)
                if isThere { #expect(files.first { $0.variant == "full.jpeg" }?.width == 1_500) }
                #expect(try await service.files(of: id, for: ana) == files)
            }
        }
    }
}
