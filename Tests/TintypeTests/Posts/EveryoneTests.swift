import Foundation
import Testing

@testable import Tintype

@Suite("Home's list of the posts for everyone")
struct EveryoneTests {
    @Test("It shows what is for everyone here, to those who follow nobody too, without what they have hidden")
    func list() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let newcomer = try await world.account("newcomer")
        for number in 1...12 { _ = try await ana.post(caption: "For all \(number).", visibility: "public") }
        _ = try await ana.post(caption: "For followers")
        let hidden = try await ana.post(caption: "Hidden", visibility: "public")
        let following = try await newcomer.visit("/home")
        #expect(!following.shows("For all") && following.shows("Find people"))
        #expect(following.shows(#"href="/home?show=everyone""#))
        #expect(try await newcomer.visit("/home?show=everyone").shows("Hidden"))
        _ = try await newcomer.submit("/posts/\(hidden)/hide")
        let first = try await newcomer.visit("/home?show=everyone")
        #expect(first.shows("For all 12.") && !first.shows("For followers") && !first.shows("Hidden"))
        let next = try #require(first.text.firstMatch(of: /class="more" href="([^"]+)"/)).1
        let second = try await newcomer.visit(String(next).replacing("&amp;", with: "&"))
        #expect(second.shows("For all 1.") && !second.shows("For all 12."))
        #expect(try await newcomer.get("/api/v1/timelines/public").json.list.count == 12)
        try await ana.block(newcomer)
        #expect(try await newcomer.visit("/home?show=everyone").shows("Nobody has posted for everyone"))
    }
}
