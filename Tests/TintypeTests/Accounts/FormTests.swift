import HTTPTypes
import NIOCore
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Forms that come back")
struct FormTests {
    /// A file beyond the limit of 20,000 bytes, as the first part, in place of the portrait.
    private let tooLarge = FormPart.file("portrait", [UInt8](repeating: 7, count: 30_000))

    private func check(_ answer: Answer, _ typed: String...) {
        #expect(answer.status == 413)
        // Else the rest of it would be read.
        #expect(answer.headers[.connection] == "close")
        #expect(answer.shows("This file is too large."))
        for text in typed { #expect(answer.shows(text), "\(text)") }
    }

    @Test("A file that is too large is reported above the form, which keeps everything that was typed")
    func tooLargeFile() async throws {
        let world = try await World(sharesProcessor: false) { $0.pictureBytes = 20_000 }
        let ana = try await world.account("ana")
        check(
            try await world.stranger.submit(
                "/signup",
                multipart: [
                    tooLarge, .text("username", "cleo"), .text("display_name", "Cleo Typed"),
                    .text("password", "correct horse"),
                ]), #"value="cleo""#, #"value="Cleo Typed""#)
        check(
            try await ana.submit(
                "/settings/profile",
                multipart: [
                    tooLarge, .text("username", "ana.typed"), .text("display_name", "Ana"),
                    .text("note", "Bio typed"),
                ]), #"value="ana.typed""#, "Bio typed")
        check(
            try await ana.submit(
                "/posts",
                multipart: [
                    .text("caption", "Caption typed"), .file("photos", [UInt8](repeating: 7, count: 30_000)),
                    .text("audience", "public"),
                ]), "Caption typed")
        check(
            try await ana.submit(
                "/snaps",
                multipart: [tooLarge, .text("description", "Snap typed"), .text("feed_id", "memes")]),
            "Snap typed")
        let chat = try await ana.chat(with: try await world.account("bea"))
        check(
            try await ana.submit("/messages/\(chat)", multipart: [tooLarge, .text("text", "Message typed")]),
            "Message typed")
        #expect(try await world.fileCount() == 0)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("A file that is far too large is not read to its end, and what came before it is kept")
    func farTooLarge() async throws {
        let world = try await World(sharesProcessor: false) { $0.pictureBytes = 20_000 }
        let body = Array(
            buffer: FormPart.body([
                .text("display_name", "Before"), .file("portrait", [UInt8](repeating: 7, count: 400_000)),
            ]))
        let answer = try await world.live { server in
            try await server.connect { connection in
                try await connection.write(
                    """
                    POST /signup HTTP/1.1\r
                    Host: localhost\r
                    Sec-Fetch-Site: same-origin\r
                    Content-Type: \(FormPart.contentType)\r
                    Content-Length: 50000000\r\n\r\n
                    """)
                // The other 49 megabytes never come, and nobody waits for them.
                try await connection.write(body)
                return try await connection.read(until: "</html>")
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 413") && answer.contains("This file is too large."))
        #expect(answer.contains(#"value="Before""#))
        #expect(try await world.fileCount() == 0)
    }

    @Test("A body that is no form is 400 on the form, and what is tried too often says when to come back")
    func otherRefusals() async throws {
        let world = try await World { $0.limits.signUps = 1 }
        var headers: HTTPFields = [.fetchSite: "same-origin"]
        headers[.contentType] = FormPart.contentType
        let broken = try await world.send(.post, "/signup", headers: headers, body: .init(string: "nothing"))
        #expect(broken.status == 400 && broken.shows("The form was cut off") && broken.shows("<form"))
        for (name, status) in [("cleo", 303), ("dora", 429)] {
            let answer = try await world.stranger.submit(
                "/signup", ["username": name, "display_name": name, "password": "correct horse"])
            #expect(answer.status == status)
            #expect((answer.headers[.retryAfter] == "3600") == (status == 429))
            #expect(status == 303 || answer.shows(#"value="dora""#))
        }
    }
}
