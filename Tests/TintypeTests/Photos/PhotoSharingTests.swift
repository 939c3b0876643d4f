import Foundation
import HTTPTypes
import Testing

@testable import Tintype

@Suite("Sending photos on")
struct PhotoSharingTests {
    @Test("Every photo of the library has the same menu: post, snap, send, another app, download")
    func menu() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let plain = try await ana.photo()
        let collage = try await ana.collage(layout: "side-by-side")
        for cell in 0...1 { try await ana.fill(cell, of: collage) }
        let pictures = [plain, try await ana.finish(collage), try await ana.pairID()]
        for photo in pictures {
            let page = try await ana.visit("/library/\(photo)")
            let menu = try await ana.refresh("/library/\(photo)/share")
            #expect(menu.status == 200)
            for path in ["/posts/new?photo=\(photo)", "/snaps/new/\(photo)", "/library/\(photo)/send"] {
                #expect(try await ana.visit(path).status == 200, "\(path)")
                for answer in [page, menu] {
                    let links = answer.text.components(separatedBy: "href=\"\(path)\"").count - 1
                    #expect(links == 1, "\(path) is linked \(links) times")
                }
            }
            for answer in [page, menu] {
                #expect(answer.shows("Share with another app") && answer.shows("download=\"tintype-"))
                // Nobody but the owner could open this address.
                #expect(!answer.shows("data-url"))
            }
        }
        // A collage goes out in full size, a photo without the place that its original may name.
        let viewer = try await ana.visit("/library/\(plain)")
        #expect(viewer.shows("data-picture=\"/photos/\(plain)/large\""))
        #expect(viewer.shows("href=\"/api/v1/photos/\(plain)/original\""))
        let made = pictures[1]
        #expect(
            try await ana.visit("/library/\(made)").shows("data-picture=\"/api/v1/photos/\(made)/original\""))
        #expect(try await ana.visit("/library/\(plain)/share").headers[.location] == "/library/\(plain)")
    }

    @Test("The owner reads before a download that the original names a place")
    func place() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let taken = try TestPicture.taken(await TestPicture.jpeg(width: 400, height: 300))
        let sentence = "names the place where it was taken"
        #expect(try await ana.visit("/library/\(try await ana.photo(taken))").shows(sentence))
        #expect(try await !ana.visit("/library/\(try await ana.photo())").shows(sentence))
    }

    @Test("A photo goes to friends as one message each; nobody else's photo can be sent")
    func send() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let photo = try await ana.photo()
        let path = "/library/\(photo)/send"
        let page = try await ana.visit(path)
        for friend in [ben, cleo] { #expect(page.shows("data-account=\"\(friend.id)\"")) }
        let nobody = try await ana.submit(path, ["key": "1"])
        #expect(nobody.status == 303 && nobody.headers[.location] == path)
        for _ in 1...2 {
            let sent = try await ana.submit(path, ["to": "\(ben.id)", "key": "once"])
            #expect(sent.status == 303 && sent.headers[.location] == "/library/\(photo)")
        }
        let chat = try await ben.chat(with: ana)
        #expect(try await ben.get("/api/v1/chats/\(chat)/messages").json.list.count == 1)
        #expect(try await cleo.visit(path).status == 404)
        #expect(try await cleo.submit(path, ["to": "\(ben.id)"]).status == 404)
        #expect(try await cleo.refresh("/library/\(photo)/share").status == 404)
    }

    @Test("A person without friends reads where to find some")
    func alone() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let page = try await ana.visit("/library/\(try await ana.photo())/send")
        #expect(page.status == 200 && page.shows("Find people"))
    }
}
