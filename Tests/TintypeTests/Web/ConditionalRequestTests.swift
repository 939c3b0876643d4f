import HTTPTypes
import Testing

@testable import Serving
@testable import Tintype

@Suite("What an app has already")
struct ConditionalRequestTests {
    @Test(
        "An app that asks again for the same gets no content, until something has changed",
        arguments: [
            "/api/v1/timelines/home", "/api/v1/accounts/verify_credentials", "/api/v1/instance",
            "/api/v1/notifications", "/api/v1/preferences",
        ])
    func again(_ path: String) async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let post = try await ben.post(caption: "Harbour, with @ana")
        let app = try await world.app().logIn(ana)
        let first = try await app.get(path)
        let tag = try #require(first.headers[.eTag])
        #expect(tag.hasPrefix("W/\""))
        for sent in [tag, "\"other\", \(tag)"] {
            let second = try await app.send(.get, path, headers: [.ifNoneMatch: sent])
            #expect(second.status == 304 && second.bytes.isEmpty)
            #expect(second.headers[.eTag] == tag && second.headers[.cacheControl] == "private, no-cache")
            #expect(second.headers[.link] == first.headers[.link])
        }
        let changed = try await app.send(.get, path, headers: [.ifNoneMatch: "W/\"AAAAAAAAAAAAAAAAAAAA\""])
        #expect(changed.status == 200 && changed.bytes == first.bytes)
        if path.hasSuffix("home") {
            try await ben.like(post)
            let after = try await app.send(.get, path, headers: [.ifNoneMatch: tag])
            #expect(after.status == 200 && after.headers[.eTag] != tag)
            let others = try await world.app().logIn(ben)
            #expect(try await others.send(.get, path, headers: [.ifNoneMatch: tag]).status == 200)
        }
        // What a browser's page asks for is always new.
        let browser = try await ana.visit(path)
        #expect(browser.status == 200 && browser.headers[.eTag] == nil)
    }
}
