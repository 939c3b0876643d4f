import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Core
@testable import Serving

@Suite("What a request may carry")
struct InputTests {
    private func send(_ body: String, type: String, to path: String, by person: Person) async throws -> Answer
    {
        var headers: HTTPFields = [.fetchSite: "same-origin"]
        headers[.contentType] = type
        return try await person.send(.post, path, headers: headers, body: ByteBuffer(string: body))
    }

    private static let form = "application/x-www-form-urlencoded"

    @Test("A thousand values come through, one more is refused in words, in whatever way they come")
    func values() async throws {
        let world = try await World()
        let (ana, bea) = (try await world.account("ana"), try await world.account("bea"))
        let path = "/api/v1/chats"
        let most = Input.maximumValues - 1
        func ways(_ count: Int) -> [(type: String, body: String)] {
            let multipart = FormPart.body(
                (0..<count).map { .text("a\($0)", "1") } + [.text("account_id", bea.id.description)])
            return [
                (Self.form, String(repeating: "a&", count: count) + "account_id=\(bea.id)"),
                (
                    "application/json",
                    #"{"a":["# + Array(repeating: "1", count: count - 1).joined(separator: ",")
                        + #"],"account_id":"\#(bea.id)"}"#
                ),
                (FormPart.contentType, String(buffer: multipart)),
            ]
        }
        for way in ways(most).prefix(2) {
            #expect(try await send(way.body, type: way.type, to: path, by: ana).status == 200, "\(way.type)")
        }
        for way in ways(most + 2) {
            let refused = try await send(way.body, type: way.type, to: path, by: ana)
            // Forms have their own, lower limit of parts.
            #expect(refused.status == (way.type == FormPart.contentType ? 400 : 413), "\(way.type)")
            #expect(refused["error"].string?.isEmpty == false)
        }
        let both = try await send(
            String(repeating: "b&", count: 600), type: Self.form,
            to: path + "?" + String(repeating: "a&", count: 600), by: ana)
        #expect(both.status == 413 && both["error"] == "A request may carry at most 1,000 values.")
    }

    @Test("JSON is counted and measured before anything is made of it")
    func json() async throws {
        let ana = try await World().account("ana")
        let type = "application/json"
        func status(_ body: String) async throws -> Int {
            try await send(body, type: type, to: "/api/v1/chats", by: ana).status
        }
        // What follows is no JSON, which only a parser finds out.
        #expect(try await status(#"{"a":["# + String(repeating: "1,", count: 1_001) + "}}}") == 413)
        #expect(try await status(#"{"a":"# + String(repeating: "[", count: 100_000)) == 400)
        #expect(
            try await status(
                #"{"a":"# + String(repeating: #"{"b":"#, count: 7) + "1" + String(repeating: "}", count: 8))
                == 422)
        #expect(try await status("{\"\(String(repeating: "a", count: 300))\":[1]}") == 400)
        // Brackets and commas in texts are none.
        #expect(try await status(#"{"a":"\"\#(String(repeating: "[,", count: 2_000))","b":"\\"}"#) == 422)
    }

    @Test("Without a log-in 64 kB are enough for everything but files, with one a megabyte")
    func bytes() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let text = "note=" + String(repeating: "a", count: 70_000)
        let refused = try await send(text, type: Self.form, to: "/login", by: world.stranger)
        #expect(refused.status == 413 && refused.headers[.connection] == "close")
        #expect(refused.shows("The request is too long."))
        let typed = try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("username", "cleo"), .text("other", String(repeating: "a", count: 70_000)),
                .text("display_name", "Cleo"),
            ])
        #expect(typed.status == 413 && typed.shows(#"value="cleo""#) && typed.shows("The form is too long."))
        // Read in full, and refused for what it says.
        #expect(
            try await send(text, type: Self.form, to: "/api/v1/accounts/update_credentials", by: ana).status
                == 422)
        let long = "note=" + String(repeating: "a", count: 1_100_000)
        #expect(
            try await send(long, type: Self.form, to: "/api/v1/accounts/update_credentials", by: ana).status
                == 413)
    }

    @Test(
        "A URL-encoded form is decoded byte by byte",
        arguments: [
            ("a=1&b=2", ["a=1", "b=2"]), ("&&a&&=x&", ["a=", "=x"]), ("a=b=c+d", ["a=b=c d"]),
            ("caf%C3%A9=%41%2b%26", ["café=A+&"]), ("a=%&b=%4&c=%zz&d=%e", ["a=%", "b=%4", "c=%zz", "d=%e"]),
            ("a=%ff%00", ["a=\u{fffd}\0"]), ("", []),
        ])
    func decoding(text: String, pairs: [String]) {
        #expect(URLEncodedForm(text.utf8).map { "\($0.name)=\($0.value)" } == pairs)
    }

    @Test(
        "Hundreds of photos in New Post are refused by their number, and the form comes back with its words")
    func photos() async throws {
        let ana = try await World().account("ana")
        let chosen = (1...900).map { "photo=\($0)" }.joined(separator: "&")
        let refused = try await send(chosen + "&caption=Typed", type: Self.form, to: "/posts", by: ana)
        #expect(refused.status == 422 && refused.shows("A post can have at most ten photos."))
        #expect(refused.shows("Typed"))
        let bea = try await ana.world.account("bea")
        let chat = try await ana.chat(with: bea)
        let messages = try await send(
            chosen + "&text=Typed", type: Self.form, to: "/messages/\(chat)", by: ana)
        #expect(
            messages.status == 422 && messages.shows("Send at most 20 pictures at once.")
                && messages.shows("Typed"))
    }

    @Test("A route takes as many files as it says, and of more it keeps none")
    func files() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let picture = try await TestPicture.jpeg()
        let portraits = try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("username", "cleo"), .text("display_name", "Cleo"), .text("password", "correct horse"),
                .file("portrait", picture), .file("portrait", [], name: ""), .file("portrait", picture),
            ])
        #expect(portraits.status == 413 && portraits.shows("Only one file can be sent here."))
        let many = Array(repeating: FormPart.file("file", picture), count: 21)
        let library = try await ana.submit("/library", multipart: many)
        #expect(library.status == 413 && library.shows("At most 20 files at once."))
        let none = try await ana.submit("/login", multipart: [.file("file", picture)])
        #expect(none.status == 400 && none.shows("No file is expected here."))
        #expect(try await world.number("SELECT count(*) FROM accounts") == 1)
        #expect(try await world.fileCount() == 0)
        // Of two inputs for a portrait, one of which nobody filled, the other counts.
        let one = try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("username", "cleo"), .text("display_name", "Cleo"), .text("password", "correct horse"),
                .file("portrait", [], name: ""), .file("portrait", picture),
            ])
        #expect(one.status == 303)
        #expect(try await world.fileCount() == 4)
    }

    @Test(
        "A stranger's file is not written before it is known that they may come in",
        arguments: [SignUpMode.closed, .invitation, .open])
    func signUp(mode: SignUpMode) async throws {
        let world = try await World {
            $0.signUp = mode
            $0.limits.signUps = 1
        }
        _ = try await world.account("ana")
        if mode == .open {
            let first = try await world.stranger.submit(
                "/signup", ["username": "bea", "display_name": "Bea", "password": "correct horse"])
            #expect(first.status == 303)
        }
        // A server that wrote the file would fail.
        try FileManager.default.removeItem(atPath: world.folder + "/blobs/incoming")
        let answer = try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("invitation_code", "7QF2-MRXA"),
                .file("portrait", [UInt8](repeating: 7, count: 1_000_000)), .text("username", "cleo"),
                .text("display_name", "Cleo Typed"), .text("password", "correct horse"),
            ])
        #expect(answer.status == (mode == .open ? 429 : 422))
        #expect(answer.shows(#"value="Cleo Typed""#))
    }
}
