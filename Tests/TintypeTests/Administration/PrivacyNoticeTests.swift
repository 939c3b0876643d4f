import Testing

@testable import Feeds
@testable import Making

@Suite("Who can see what")
struct PrivacyNoticeTests {
    @Test("Everyone can read what the operator can read, before they sign up and from Settings")
    func reachable() async throws {
        let world = try await World { $0.snaps.lifetime = 48 * 3600 }
        #expect(try await world.stranger.visit("/signup").shows("href=\"/who-can-see-what\""))
        let outside = try await world.stranger.visit("/who-can-see-what")
        #expect(outside.status == 200)
        #expect(outside.shows("They can read everything that is stored here"))
        #expect(outside.shows("href=\"/login\""))

        let ana = try await world.account("ana")
        #expect(try await ana.visit("/settings").shows("href=\"/who-can-see-what\""))
        let inside = try await ana.visit("/who-can-see-what")
        #expect(inside.shows("href=\"/settings\""))
        #expect(inside.shows("after 48 hours"))
    }

    @Test("It names who else gets requests: photo sources, the map’s server and the connected account’s")
    func others() async throws {
        let plain = try await World { $0.pastPhotos.commonsURL = "" }.stranger.visit("/who-can-see-what")
        #expect(!plain.shows("search for old photos"))
        #expect(!plain.shows("The map"))
        #expect(plain.shows("If you connect an account on another server"))

        let world = try await World {
            $0.pastPhotos.flickrKey = "key"
            $0.map.tiles = "https://{s}.tiles.example.org/{z}/{x}/{y}.png"
        }
        let notice = try await world.stranger.visit("/who-can-see-what")
        #expect(notice.shows("this server asks Flickr and Wikimedia Commons"))
        #expect(notice.shows("comes from *.tiles.example.org"))
    }
}
