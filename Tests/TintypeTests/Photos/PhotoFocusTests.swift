import Foundation
import HTTPTypes
import Imaging
import NIOCore
import Storage
import Testing

@testable import Core
@testable import Tintype

@Suite("The focus of a photo")
struct PhotoFocusTests {
    /// A picture three times as wide as high, red, green and blue from the left; or turned, from the top.
    private static func stripes(isTall: Bool = false) async throws -> [UInt8] {
        let colours: [[UInt8]] = [[230, 20, 20], [20, 230, 20], [20, 20, 230]]
        var pixels: [UInt8] = []
        for row in 0..<(isTall ? 300 : 100) {
            for column in 0..<(isTall ? 100 : 300) { pixels += colours[(isTall ? row : column) / 100] }
        }
        return try await TestPicture.jpeg(
            width: isTall ? 100 : 300, height: isTall ? 300 : 100, pixels: pixels)
    }

    /// Uploads a picture with a focus. Returns what the server answers.
    private func upload(_ picture: [UInt8], _ focus: String, by person: Person) async throws -> Answer {
        try await person.post("/api/v2/media", multipart: [.file("file", picture), .text("focus", focus)])
    }

    /// Returns the main colour of the square that a person sees, decoded from the format of the `Accept` header.
    private func square(_ photo: String, by person: Person, _ accept: String = "image/webp") async throws
        -> String
    {
        let answer = try await person.get("/photos/\(photo)/square", headers: [.accept: accept])
        try #require(answer.status == 200, "\(answer)")
        let decoded = try await TestPicture.read(answer.bytes)
        #expect(decoded.width == 100 && decoded.height == 100)
        let digits = try #require(Int(decoded.placeholder.dropFirst(), radix: 16))
        let parts = [(digits >> 16, "red"), (digits >> 8 & 255, "green"), (digits & 255, "blue")]
        // One colour alone: no other stripe is in the square.
        #expect(parts.filter { $0.0 > 60 }.count == 1, "\(decoded.placeholder)")
        return try #require(parts.max { $0.0 < $1.0 }).1
    }

    @Test(
        "An upload’s square is cut around the focus, as far as the edges allow, and apps are told the focus",
        arguments: [
            ("-1,0", false, "red"), ("-0.67, 1", false, "red"), ("0,0", false, "green"),
            ("1,-1", false, "blue"),
            ("0,1", true, "red"), ("0.5,0", true, "green"), ("-1,-0.9", true, "blue"),
        ])
    func upload(focus: String, isTall: Bool, colour: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let made = try await upload(Self.stripes(isTall: isTall), focus, by: ana)
        let photo = try #require(made["id"].string)
        let numbers = focus.split(separator: ",").compactMap {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        let expected: JSON = ["x": .number(numbers[0]), "y": .number(numbers[1])]
        #expect(made["meta"]["focus"] == expected)
        #expect(try await ana.get("/api/v1/media/\(photo)")["meta"]["focus"] == expected)
        for format in ["image/webp", "image/jpeg"] {
            #expect(try await square(photo, by: ana, format) == colour)
        }
        let post = try await ana.post(caption: "Stripes", photos: [photo])
        let shown = try await ana.get("/api/v1/statuses/\(post)")["media_attachments"][0]
        #expect(shown["meta"]["focus"] == expected)
        let row = try #require(try await world.downloaded("photos", of: ana).first)
        #expect(row["focus_x"] == .number(numbers[0]))
        #expect(row["focus_y"] == .number(numbers[1]))
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'cut-square'") == 0)
    }

    @Test("With another focus the square is cut again, and the old one leaves the disk")
    func change() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try #require(try await upload(Self.stripes(), "-1,0", by: ana)["id"].string)
        let post = try await ana.post(caption: "Stripes", photos: [photo])
        #expect(
            try await ana.get("/api/v1/statuses/\(post)")["media_attachments"][0]["meta"]["focus"]["x"] == -1)
        let old = try await ana.get("/photos/\(photo)/square", headers: [.accept: "image/webp"])
        let tag = try #require(old.headers[.eTag])
        let files = try await world.tintype.blobs.keys(after: nil, limit: .max)

        let path = "/api/v1/media/\(photo)"
        let described = try await ana.send(.put, path, json: ["description": "Three", "focus": "0.1,0"])
        #expect(described["description"] == "Three")
        #expect(described["meta"]["focus"] == ["x": 0.1, "y": 0])
        #expect(try await ana.send(.put, path, form: ["focus": "1,0"])["meta"]["focus"] == ["x": 1, "y": 0])
        // The old square is shown until the new one is there, and one job cuts it for both changes.
        #expect(try await square(photo, by: ana) == "red")
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'cut-square'") == 1)
        try await world.work()
        for format in ["image/webp", "image/jpeg"] {
            #expect(try await square(photo, by: ana, format) == "blue")
        }
        // A browser that has kept the old square gets the new one.
        let again = try await ana.get(
            "/photos/\(photo)/square", headers: [.accept: "image/webp", .ifNoneMatch: tag])
        #expect(again.status == 200)
        #expect(again.headers[.eTag] != tag)
        let now = try await world.tintype.blobs.keys(after: nil, limit: .max)
        #expect(now.count == files.count)
        #expect(Set(files).subtracting(now).count == 2)
        #expect(!now.map { "\"\($0.rawValue)\"" }.contains(tag))
        #expect(try await world.tintype.problems() == [])
        let shown = try await ana.get("/api/v1/statuses/\(post)")["media_attachments"][0]
        #expect(shown["meta"]["focus"] == ["x": 1, "y": 0])
        #expect(shown["description"] == "Three")
        // What names no focus leaves it as it is.
        #expect(try await ana.send(.put, path, json: ["description": "3"])["meta"]["focus"]["x"] == 1)
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'cut-square'") == 0)
    }

    @Test("An app that edits a post sets the focus of its photos")
    func edit() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo(Self.stripes())
        let post = try await ana.post(caption: "Stripes", photos: [photo])
        let path = "/api/v1/statuses/\(post)"
        let attributes: JSON = ["media_attributes": [["id": .text(photo), "focus": "-1,0.25"]]]
        let edited = try await ana.send(.put, path, json: attributes)
        #expect(edited["media_attachments"][0]["meta"]["focus"] == ["x": -1, "y": 0.25])
        #expect(edited["text"] == "Stripes")
        try await world.work()
        #expect(try await square(photo, by: ana) == "red")
        let form = try await ana.send(
            .put, path, form: ["media_attributes[][id]": photo, "media_attributes[][focus]": "1,0"])
        #expect(form["media_attachments"][0]["meta"]["focus"] == ["x": 1, "y": 0])
        try await world.work()
        #expect(try await square(photo, by: ana) == "blue")
        let other = try await ana.photo()
        let wrong: [JSON] = [
            ["id": .text(photo), "focus": "2,0"], ["id": .text(photo), "focus": [0, 0]],
            ["id": .text(photo), "focus": ["x": 0, "y": 0]], ["id": .text(photo), "description": ["Words"]],
            ["id": .text(photo), "description": 5], ["id": .text(other), "focus": "0,0"],
            ["id": "first", "focus": "0,0"], .text(photo),
        ]
        for attributes in wrong {
            let change: JSON = ["status": "Changed", "media_attributes": .list([attributes])]
            #expect(try await ana.send(.put, path, json: change).status == 422, "\(attributes)")
        }
        let kept = try await ana.get(path)
        #expect(kept["text"] == "Stripes" && kept["media_attachments"][0]["meta"]["focus"]["x"] == 1)
        #expect(kept["media_attachments"][0]["description"] == .null)
    }

    @Test(
        "What is no point of a picture is refused with a sentence, and nothing is kept",
        arguments: ["1.01,0", "0,-2", "0", "0,0,0", "left,top", "nan,0", "inf,0", ",", "0;0"])
    func wrong(focus: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let refused = try await upload(Self.stripes(), focus, by: ana)
        #expect(refused.status == 422)
        #expect(refused["error"].string?.contains("two numbers from -1 to 1") == true)
        #expect(try await world.fileCount() == 0)
        let photo = try await ana.photo()
        let path = "/api/v1/media/\(photo)"
        let change: JSON = ["description": "New", "focus": .text(focus)]
        #expect(try await ana.send(.put, path, json: change).status == 422)
        let kept = try await ana.get(path)
        #expect(kept["meta"]["focus"] == ["x": 0, "y": 0])
        #expect(kept["description"] == .null)
    }

    @Test("A picture for one use is shown whole, so it is refused with a focus")
    func oneUse() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let refused = try await ana.post(
            "/api/v2/media",
            multipart: [
                .file("file", Self.stripes()), .text("purpose", "snap"), .text("focus", "1,0"),
            ])
        #expect(refused.status == 422)
        #expect(refused["error"].string?.contains("shown whole") == true)
        #expect(try await world.fileCount() == 0)
    }

    @Test("Nobody sets the focus of somebody else’s photo, not even of one that they see")
    func others() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let photo = try await ana.photo(Self.stripes())
        _ = try await ana.post(caption: "Stripes", photos: [photo])
        #expect(try await bea.send(.put, "/api/v1/media/\(photo)", json: ["focus": "1,0"]).status == 404)
        let own = try await bea.post(caption: "Mine")
        let attributes: JSON = ["media_attributes": [["id": .text(photo), "focus": "1,0"]]]
        _ = try await bea.send(.put, "/api/v1/statuses/\(own)", json: attributes)
        try await world.work()
        #expect(try await ana.get("/api/v1/media/\(photo)")["meta"]["focus"] == ["x": 0, "y": 0])
        #expect(try await square(photo, by: bea) == "green")
    }

    @Test("A saved copy has the focus, too, also when the square was still to be cut")
    func copy() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "bea")
        let (ana, bea) = (people[0], people[1])
        let photo = try await ana.photo(Self.stripes())
        let chat = try await ana.chat(with: bea)
        let message = try await ana.send(photo: photo, in: chat)
        _ = try await ana.send(.put, "/api/v1/media/\(photo)", json: ["focus": "1,0"])
        #expect(try await bea.post("/api/v1/chats/\(chat)/messages/\(message)/save").status == 200)
        let saved = try await bea.get("/api/v1/photos").json[0]
        #expect(saved["meta"]["focus"] == ["x": 1, "y": 0])
        let copy = try #require(saved["id"].string)
        #expect(try await square(copy, by: bea) == "green")
        try await world.work()
        #expect(try await square(copy, by: bea) == "blue")
        #expect(try await square(photo, by: ana) == "blue")
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A pair that is shown in another way keeps its focus")
    func pair() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let pair = try await ana.pairID(["aspect": 1])
        _ = try await ana.send(.put, "/api/v1/media/\(pair)", json: ["focus": "0.5,0.25"])
        #expect(
            try await ana.patch("/api/v1/rephotographs/\(pair)", json: ["mode": "side_by_side"]).status == 200
        )
        try await world.work()
        #expect(
            try await ana.get("/api/v1/media/\(pair)")["meta"]["focus"] == ["x": 0.5, "y": 0.25])
        #expect(try await world.number("SELECT count(*) FROM photos WHERE square_is_due = 1") == 0)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A square that can’t be cut stays as it is, and isn’t tried for ever")
    func lost() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo(Self.stripes())
        let keys = try await world.tintype.database.read { transaction in
            try transaction.values(
                "SELECT blob_key FROM photo_files WHERE variant = 'original'", as: BlobKey.self)
        }
        try await world.tintype.blobs.erase(try #require(keys.first))
        _ = try await ana.send(.put, "/api/v1/media/\(photo)", json: ["focus": "1,0"])
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'cut-square'") == 0)
        #expect(try await square(photo, by: ana) == "green")
        _ = try await ana.send(.put, "/api/v1/media/\(photo)", json: ["focus": "-1,0"])
        #expect(try await world.number("SELECT count(*) FROM jobs WHERE kind = 'cut-square'") == 1)
    }

    @Test("A photo that is deleted before its square is cut leaves nothing")
    func deleted() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo(Self.stripes())
        _ = try await ana.send(.put, "/api/v1/media/\(photo)", json: ["focus": "1,0"])
        #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 200)
        try await world.work()
        #expect(try await world.fileCount() == 0)
        #expect(try await world.number("SELECT count(*) FROM jobs") == 0)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A server that ends before it has cut a square cuts it after the next start")
    func restart() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let photo = try await ana.photo(Self.stripes())
        _ = try await ana.send(.put, "/api/v1/media/\(photo)", json: ["focus": "-1,0"])
        let again = try await World(folder: world.folder, clock: world.clock)
        try await again.work()
        #expect(try await square(photo, by: ana.at(again)) == "red")
        #expect(try await again.tintype.problems() == [])
    }

    @Test("A cell of a collage begins with the part around the focus, and shows another that is asked for")
    func collage() async throws {
        let ana = try await World().account("ana")
        let photo = try #require(try await upload(Self.stripes(), "-1,0", by: ana)["id"].string)
        let collage = try await ana.collage()
        let filled = try await ana.fill(0, of: collage, photo: photo)["cells"][0]
        #expect(filled["x"] == 0 && filled["y"] == 0.5 && filled["zoom"] == 1)
        let path = "/api/v1/collage_drafts/\(collage)/cells/0"
        #expect(try await ana.put(path, json: ["photo_id": .text(photo), "x": 0.7])["cells"][0]["x"] == 0.7)
        let plain = try await ana.fill(1, of: collage, photo: ana.photo(Self.stripes()))["cells"][1]
        #expect(plain["x"] == 0.5)
    }

    @Test("A stake shows the part around the focus, and keeps the focus when it goes back to the library")
    func stake() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let photo = try #require(try await upload(Self.stripes(), "1,0", by: ana)["id"].string)
        let contract = try await ana.propose(to: ben, changed: ["stake_photo_id": .text(photo)])
        #expect(try await ana.visit("/contracts/\(contract)").shows("data-cut=\"10\""))
        #expect(try await ana.post("/api/v1/contracts/\(contract)/withdraw", json: [:]).status == 200)
        let freed = try await ana.post("/api/v1/contracts/\(contract)/stake", json: ["keep": true])
        #expect(freed.status == 200, "\(freed.text)")
        let kept = try #require(try await ana.get("/api/v1/photos").json.list.first)
        #expect(kept["id"].string != photo && kept["meta"]["focus"] == ["x": 1, "y": 0])
        try await world.work()
        #expect(try await square(try #require(kept["id"].string), by: ana, "image/jpeg") == "blue")
    }
}
