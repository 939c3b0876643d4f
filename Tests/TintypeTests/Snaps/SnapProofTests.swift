import Foundation
import HTTPTypes
import Storage
import TestS3
import Testing

@testable import Tintype

/// What Documentation/Product.md, "Pictures that are seen once", promises, tried the hard way.
@Suite("Seen once, then gone")
struct SnapProofTests {
    @Test("200 simultaneous opens from two devices give one view, and its bytes to one device only")
    func simultaneousOpens() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let phone = people[1]
        let laptop = try await world.device(of: phone)
        let id = try await people[0].snap()
        let answers = try await world.live { server in
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for index in 0..<200 {
                    group.addTask {
                        let answer = try await server.connect { connection in
                            try await connection.post(
                                "/api/v1/snaps/\(id)/open", as: index % 2 == 0 ? phone : laptop)
                            return try await connection.read(until: "}")
                        }
                        return (index, answer)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        let winners = answers.filter { $0.1.hasPrefix("HTTP/1.1 200") }
        #expect(winners.count == 1)
        #expect(answers.count { $0.1.hasPrefix("HTTP/1.1 410") } == 199)
        #expect(try await world.number("SELECT count(*) FROM snap_views") == 1)

        let (index, text) = try #require(winners.first)
        let path = try #require(text.firstMatch(of: /"url":"[^"]*?(\/api[^"]+)"/)).output.1
        let (winner, loser) = index % 2 == 0 ? (phone, laptop) : (laptop, phone)
        #expect(try await loser.get(String(path)).status == 404)
        #expect(try await winner.get(String(path)).status == 200)
    }

    @Test("A connection cut at half the bytes can go on, and after the close it can't")
    func brokenConnection() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let ben = people[1]
        let media = try await people[0].photo(
            try await TestPicture.jpeg(width: 1400, height: 1000), purpose: "snap")
        let id = try await people[0].snap(media: media)
        let path = try await ben.post("/api/v1/snaps/\(id)/open").viewPath
        let whole = try await ben.get(path).bytes
        try await world.live { server in
            let half = whole.count / 2
            try await server.connect { connection in
                try await connection.get(path, as: ben)
                // Left in the middle of the answer.
                _ = try await connection.read(until: "HTTP/1.1 200")
            }
            try await server.connect { connection in
                try await connection.get(path, as: ben, headers: ["Range: bytes=\(half)-"])
                #expect(try await connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 206"))
            }
            #expect(
                try await ben.get(path, headers: [.range: "bytes=\(half)-"]).bytes == Array(whole[half...]))
            #expect(try await ben.post("/api/v1/snaps/\(id)/close").status == 204)
            try await server.connect { connection in
                try await connection.get(path, as: ben, headers: ["Range: bytes=\(half)-"])
                #expect(try await connection.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 410"))
            }
        }
    }

    @Test("After the last view nothing of the picture remains in the data folder", .onlySQLite)
    func nothingRemains() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let mark = "MARKED-\(UUID().uuidString)"
        let upload = try await TestPicture.jpeg(width: 640, height: 480).marked(mark)
        let description = "DESCRIBED-\(UUID().uuidString)"
        let media = try await people[0].photo(upload, description: description, purpose: "snap")
        // The untouched upload is never kept.
        #expect(try await world.filesHolding(Array(mark.utf8)) == [])
        let id = try await people[0].snap(media: media)

        let path = try await people[1].post("/api/v1/snaps/\(id)/open").viewPath
        var traces = [Array(description.utf8)]
        for format in ["image/webp", "image/jpeg"] {
            let bytes = try await people[1].get(path, headers: [.accept: format]).bytes
            try #require(bytes.count > 600)
            traces.append(Array(bytes[(bytes.count / 2)...].prefix(64)))
        }
        for trace in traces { #expect(try await world.filesHolding(trace) != []) }

        _ = try await people[1].post("/api/v1/snaps/\(id)/close")
        try await world.work()
        for trace in traces {
            #expect(try await world.filesHolding(trace) != [], "one friend has not seen it")
        }

        _ = try await people[2].post("/api/v1/snaps/\(id)/open")
        _ = try await people[2].post("/api/v1/snaps/\(id)/close")
        try await world.work()
        for trace in traces { #expect(try await world.filesHolding(trace) == []) }
        #expect(try await world.number("SELECT count(*) FROM snap_files") == 0)
        #expect(try await world.number("SELECT count(*) FROM blobs") == 0)
        // Its friends still find it, read, and the poster who has seen it.
        #expect(try await people[2].get("/api/v1/snaps").json[0]["snaps"][0]["read"] == true)
        #expect(try await people[2].post("/api/v1/snaps/\(id)/open").status == 410)
        #expect(try await people[0].get("/api/v1/snaps/\(id)/viewers").json.list.count == 2)
    }

    @Test("A snap from the library is a copy: the photo stays when the snap goes")
    func libraryCopyStays() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let photo = try await people[0].photo()
        let files = try await world.fileCount()
        let answer = try await people[0].post(
            "/api/v1/snaps", json: ["photo_id": .text(photo), "feed_id": "memes"])
        #expect(answer.status == 201)
        #expect(try await world.fileCount() == files + 2)
        let id = try #require(answer["id"].string)
        let path = try await people[1].post("/api/v1/snaps/\(id)/open").viewPath
        #expect(try await people[1].get(path).status == 200)
        _ = try await people[1].post("/api/v1/snaps/\(id)/close")
        try await world.work()
        #expect(try await world.fileCount() == files)
        #expect(try await people[0].get("/api/v1/photos/\(photo)").status == 200)
        let other = try await people[1].post(
            "/api/v1/snaps", json: ["photo_id": .text(photo), "feed_id": "memes"])
        #expect(other.status == 404)
    }

    @Test("A picture for one use has no URL, no place in the library, one use, and an hour")
    func singleUse() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let ana = people[0]
        let picture = try await TestPicture.jpeg()
        let upload = try await ana.post(
            "/api/v2/media", multipart: [.file("file", picture), .text("purpose", "snap")])
        #expect(upload["url"] == nil)
        #expect(upload["preview_url"] == nil)
        let id = try #require(upload["id"].string)
        #expect(try await ana.get("/api/v1/photos").json.list.isEmpty)
        for path in [
            "/api/v1/photos/\(id)", "/api/v1/photos/\(id)/original", "/api/v1/media/\(id)",
            "/photos/\(id)/large",
        ] {
            #expect(try await ana.get(path).status == 404)
        }
        #expect(
            try await people[1].post("/api/v1/snaps", json: ["media_id": .text(id), "feed_id": "memes"])
                .status == 422)
        _ = try await ana.snap(media: id)
        #expect(
            try await ana.post("/api/v1/snaps", json: ["media_id": .text(id), "feed_id": "memes"]).status
                == 422)

        let stake = try await ana.photo(picture, purpose: "stake")
        #expect(
            try await ana.post("/api/v1/snaps", json: ["media_id": .text(stake), "feed_id": "memes"]).status
                == 422)
        let late = try await ana.photo(picture, purpose: "snap")
        let files = try await world.fileCount()
        world.clock.advance(hours: 1)
        #expect(
            try await ana.post("/api/v1/snaps", json: ["media_id": .text(late), "feed_id": "memes"]).status
                == 422)
        try await world.work()
        #expect(try await world.fileCount() < files)
        #expect(try await world.number("SELECT count(*) FROM single_use_media") == 0)
        #expect(
            try await ana.post("/api/v2/media", multipart: [.file("file", picture), .text("purpose", "x")])
                .status == 422)
    }

    @Test("Without scripts the picture is in one answer, which can't be fetched again")
    func withoutScripts() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let id = try await people[0].snap()
        let page = try await people[1].submit("/snaps/\(id)/open")
        #expect(page.status == 200)
        #expect(page.headers[.cacheControl] == "no-store")
        #expect(page.text.contains("src=\"data:image/jpeg;base64,"))
        #expect(!page.text.contains("snap_views"))
        #expect(try await people[1].submit("/snaps/\(id)/open").status == 410)
        #expect(try await people[1].visit("/snaps").text.contains("aria-label=\"Read\""))
    }
}

extension World {
    /// The files of the data folder, and of the store of pictures, that hold these bytes, by their names.
    func filesHolding(_ bytes: [UInt8]) async throws -> [String] {
        var stored: [String] = []
        for key in try await tintype.blobs.keys(after: nil, limit: .max) where TestS3.isStore {
            let blob = try await tintype.blobs.read(key, 0..<Int.max)
            if Data(blob).range(of: Data(bytes)) != nil { stored.append(key.rawValue) }
        }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return try stored
            + paths.filter { path in
                var isFolder: ObjCBool = false
                guard FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder),
                    !isFolder.boolValue
                else { return false }
                return try Data(contentsOf: URL(filePath: "\(folder)/\(path)")).range(of: Data(bytes)) != nil
            }
    }
}

extension [UInt8] {
    /// A JPEG with a comment (ITU-T T.81, B.2.4.5) right behind its start.
    func marked(_ text: String) -> [UInt8] {
        let length = text.utf8.count + 2
        return prefix(2) + [0xFF, 0xFE, UInt8(length >> 8), UInt8(length & 255)] + Array(text.utf8)
            + dropFirst(2)
    }
}

extension LiveConnection {
    /// Sends a POST without a body.
    func post(_ path: String, as person: Person) async throws {
        let lines = [
            "POST \(path) HTTP/1.1", "Host: localhost", person.credentialLines.joined(separator: "\r\n"),
            "Content-Length: 0",
            "", "",
        ]
        try await write(lines.joined(separator: "\r\n"))
    }
}
