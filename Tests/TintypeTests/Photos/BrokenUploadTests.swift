import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Tintype

/// Every way in which a file comes to the server.
private enum UploadRoute: String, CaseIterable, CustomTestStringConvertible {
    case media = "POST /api/v2/media"
    case oldMedia = "POST /api/v1/media"
    case snapMedia = "POST /api/v2/media?purpose=snap"
    case onceMedia = "POST /api/v2/media?purpose=view_once"
    case stakeMedia = "POST /api/v2/media?purpose=stake"
    case portrait = "PATCH /api/v1/accounts/update_credentials"
    case oldPortrait = "POST /api/v1/accounts/update_credentials"
    case banner = "PATCH /api/v1/accounts/update_credentials?banner"
    case profile = "POST /settings/profile"
    case profileBanner = "POST /settings/profile?banner"
    case signUp = "POST /signup"
    case library = "POST /library"
    case post = "POST /posts"
    case snap = "POST /snaps"
    case message = "POST /messages/CHAT"
    case onceMessage = "POST /messages/CHAT?once=true"

    var testDescription: String { rawValue }

    /// Sends a file as a person does.
    func send(_ file: [UInt8], by person: Person, to chat: String) async throws -> Answer {
        let words = rawValue.split(separator: " ").map(String.init)
        let path = words[1].replacing("CHAT", with: chat)
        if path.hasPrefix("/api") {
            let name = self == .banner ? "header" : path.contains("media") ? "file" : "avatar"
            return try await person.send(
                .init(rawValue: words[0]) ?? .post, path, multipart: [.file(name, file)])
        }
        let names: [UploadRoute: String] = [
            .profile: "portrait", .signUp: "portrait", .profileBanner: "header",
        ]
        let name = names[self] ?? "file"
        let parts: [FormPart] = [
            .text("username", self == .signUp ? "nina" : person.username), .text("display_name", "Nina"),
            .text("password", "correct horse"), .text("caption", "Look"), .text("feed_id", "memes"),
            .file(name, file),
        ]
        return try await (self == .signUp ? person.world.stranger : person).submit(path, multipart: parts)
    }
}

@Suite("Files that aren’t pictures", .timeLimit(.minutes(15)))
struct BrokenUploadTests {
    /// What is sent under the name photo.jpg, the status it gets, and words of the sentence.
    private struct File: Sendable {
        var name: String
        var status: Int
        var words: String
        var bytes: [UInt8]
    }

    private func files() async throws -> [File] {
        let jpeg = try await TestPicture.jpeg(width: 320, height: 240)
        let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>"#
        // Its head claims 30,000 × 30,000 pixels (PNG 1.2, 4.1.1); the checksums are those of these bytes.
        let bomb: [UInt8] =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13] + Array("IHDR".utf8)
            + [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30, 8, 2, 0, 0, 0, 0xe9, 0x45, 0x6f, 0xed, 0, 0, 0, 8]
            + Array("IDAT".utf8) + [0x78, 0x9c, 3, 0, 0, 0, 0, 1, 0x48, 0x06, 0x89, 0xd2]
        // A HEIC file whose only item is a grid of 0xFFFFFFFF × 0xFFFFFFFF (ISO/IEC 23008-12, 6.6.2.3.2).
        let grid = """
            AAAAEGZ0eXBoZWljAAAAAAAAAGNtZXRhAAAAAAAAACBpbG9jAQAAAEQAAAEAAQABAAAAAQAAAAAAAAAMAAAAI2lpbmYAAAAAAAEA\
            AAAVaW5mZQIAAAAAAQAAZ3JpZAAAAAAUaWRhdAABAAD//////////w==
            """
        return [
            File(
                name: "a grid of 2⁶⁴ pixels", status: 413, words: "too many pixels",
                bytes: [UInt8](try #require(Data(base64Encoded: grid)))),
            File(
                name: "a TIFF of old-style JPEG", status: 415, words: "TIFF with old-style JPEG",
                bytes: TestPicture.tiff(width: 16, height: 16, changing: (259, 6))),
            File(
                name: "half a JPEG", status: 415, words: "damaged", bytes: Array(jpeg.prefix(jpeg.count / 2))),
            File(name: "text", status: 415, words: "isn’t a picture", bytes: Array("Not a picture".utf8)),
            File(name: "nothing", status: 415, words: "isn’t a picture", bytes: []),
            File(name: "30,000 × 30,000 pixels", status: 413, words: "too many pixels", bytes: bomb),
            File(name: "SVG", status: 415, words: "SVG", bytes: Array(svg.utf8)),
            File(name: "PDF", status: 415, words: "PDF", bytes: Array("%PDF-1.7\n1 0 obj".utf8)),
        ]
    }

    /// Every file under the folder of pictures, also those that are not complete.
    private func filesOnDisk(_ world: World) throws -> [String] {
        let paths = FileManager.default.enumerator(atPath: world.folder + "/blobs")
        return (paths?.allObjects as? [String] ?? []).filter { path in
            var isFolder: ObjCBool = false
            let path = "\(world.folder)/blobs/\(path)"
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }

    @Test(
        "are refused in words wherever they come in, and leave nothing behind",
        arguments: UploadRoute.allCases)
    private func refused(route: UploadRoute) async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let chat = try await people[0].chat(with: people[1])
        for file in try await files() {
            let answer = try await route.send(file.bytes, by: people[0], to: chat)
            if route == .library {
                // It takes many files, and says on the next page what became of them.
                let flash = answer.flash ?? ""
                #expect(
                    answer.status == 303 && flash.contains(file.words),
                    "\(file.name): \(answer.status) \(flash)")
            } else {
                #expect(answer.status == file.status, "\(file.name): \(answer.status)")
                #expect(answer.shows(file.words), "\(file.name): \(answer.text.prefix(200))")
            }
            #expect(try filesOnDisk(world) == [], "\(file.name)")
        }
        let counts =
            "(SELECT count(*) FROM posts) + (SELECT count(*) FROM snaps) + (SELECT count(*) FROM messages)"
        #expect(try await world.number("SELECT \(counts) + (SELECT count(*) FROM photos)") == 0)
        #expect(try await world.number("SELECT count(*) FROM accounts") == 2)
        #expect(try await world.tintype.problems() == [])
        // What is a picture comes in the same way.
        let taken = try await route.send(try await TestPicture.jpeg(), by: people[0], to: chat)
        #expect(taken.status == 200 || taken.status == 303, "\(taken.text.prefix(300))")
        #expect(try !filesOnDisk(world).isEmpty)
    }

    /// Colours that aren't red, green and blue, and two samples more than those.
    @Test("but a TIFF in Lab, or with five samples a pixel, is one", arguments: [UploadRoute.signUp, .media])
    private func unusual(route: UploadRoute) async throws {
        for change in [(262, 8), (277, 5)] as [(UInt16, UInt32)] {
            let world = try await World()
            let people = try await world.friends("ana", "ben")
            let file = TestPicture.tiff(width: 40, height: 30, changing: change)
            let answer = try await route.send(file, by: people[0], to: "")
            #expect(answer.status == 200 || answer.status == 303, "\(change): \(answer.text.prefix(300))")
            #expect(try await world.tintype.problems() == [])
        }
    }
}
