import Foundation
import HTTPTypes
import NIOCore
import Testing

@testable import Core
@testable import People
@testable import Serving

/// A browser somewhere on the network, which keeps the cookies that it is given.
private struct Browser {
    let world: World
    var network: String
    private(set) var cookies: [String: String] = [:]

    init(_ world: World, in network: String) {
        self.world = world
        self.network = network
    }

    mutating func submit(_ path: String, _ form: KeyValuePairs<String, String> = [:]) async throws -> Answer {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        let answer = try await world.send(
            .post, path, headers: headers, body: ByteBuffer(string: urlEncoded(form)))
        for cookie in answer.headers[values: .setCookie] {
            let pair = cookie.prefix { $0 != ";" }.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            cookies[String(pair[0])] = cookie.contains("Max-Age=0") ? nil : String(pair[1])
        }
        return answer
    }

    func visit(_ path: String) async throws -> Answer { try await world.send(.get, path, headers: headers) }

    mutating func logIn(
        _ username: String = "ana", _ password: String = "correct horse"
    ) async throws -> Answer {
        try await submit("/login", ["username": username, "password": password])
    }

    /// Keeps one of its cookies only.
    mutating func keep(_ name: String) { cookies = cookies.filter { $0.key == name } }

    private var headers: HTTPFields {
        var headers: HTTPFields = [.fetchSite: "same-origin", .accept: "text/html", .forwardedFor: network]
        if !cookies.isEmpty {
            headers[.cookie] = cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; ")
        }
        return headers
    }
}

@Suite("Guessing passwords")
struct PasswordAttemptsTests {
    private static let proof = "tintype_browser"

    /// A server behind a proxy, where ana has an account.
    private func world(limit: Int = 10) async throws -> (World, Person) {
        let world = try await World {
            // What a request that came over no socket has for an address.
            $0.trustedProxies = ["unknown"]
            $0.limits.logIns = limit
        }
        return (world, try await world.account("ana"))
    }

    /// A browser in which ana has logged in and out before.
    private func knownBrowser(_ world: World, in network: String) async throws -> Browser {
        var browser = Browser(world, in: network)
        #expect(try await browser.logIn().status == 303)
        #expect(try await browser.submit("/logout").status == 303)
        return browser
    }

    /// Tries wrong passwords from one network after the other until the account's pause has grown to its longest.
    private func flood(_ world: World, _ username: String = "ana") async throws {
        for number in 1...10_000 {
            var stranger = Browser(world, in: "10.0.\(number / 200).\(number % 200 + 1)")
            let answer = try await stranger.logIn(username, "guess")
            guard answer.status == 429 else { continue }
            let wait = try #require(answer.headers[.retryAfter].flatMap(Double.init))
            if wait == 900 { return }
            world.clock.advance(seconds: wait)
        }
        Issue.record("the pause did not grow")
    }

    @Test("From one network pauses grow from 15 seconds to 15 minutes, and the answer says how long")
    func pauses() async throws {
        let (world, _) = try await world()
        var stranger = Browser(world, in: "192.0.2.1")
        for _ in 1...10 { #expect(try await stranger.logIn("ana", "guess").status == 401) }
        var waits: [Double] = []
        for _ in 1...12 {
            let slowed = try await stranger.logIn()
            #expect(slowed.status == 429)
            let wait = try #require(slowed.headers[.retryAfter].flatMap(Double.init))
            let words =
                wait < 60 ? "\(Int(wait)) seconds" : wait == 60 ? "1 minute" : "\(Int(wait / 60)) minutes"
            #expect(slowed.shows("Too many wrong passwords. Try again in \(words)."))
            #expect(slowed.shows("value=\"ana\""))
            waits.append(wait)
            world.clock.advance(seconds: wait)
            #expect(try await stranger.logIn("ana", "guess").status == 401)
        }
        #expect(waits.prefix(6) == [15, 30, 60, 120, 240, 480])
        #expect(waits.max() == 900 && waits.last == 900)
    }

    @Test(
        "A flood from one network keeps the owner out of no other network, and out of no browser known before"
    )
    func oneNetwork() async throws {
        let (world, _) = try await world()
        var known = try await knownBrowser(world, in: "192.0.2.1")
        var stranger = Browser(world, in: "192.0.2.1")
        for _ in 1...20 { _ = try await stranger.logIn("ana", "guess") }
        #expect(try await stranger.logIn().status == 429)
        #expect(try await known.logIn().status == 303)
        var elsewhere = Browser(world, in: "198.51.100.1")
        #expect(try await elsewhere.logIn().status == 303)
    }

    @Test(
        "In a flood from many networks a known browser gets in at once, and a new one after a quarter of an hour"
    )
    func manyNetworks() async throws {
        let (world, _) = try await world(limit: 2)
        var known = try await knownBrowser(world, in: "192.0.2.1")
        try await flood(world)
        #expect(try await known.logIn().status == 303)
        var new = Browser(world, in: "198.51.100.1")
        let slowed = try await new.logIn()
        #expect(slowed.status == 429 && slowed.headers[.retryAfter] == "900")
        #expect(
            slowed.shows(
                "Someone has tried many passwords for this name. Try again in 15 minutes, or use a browser in which you have logged in before."
            ))
        world.clock.advance(seconds: 900)
        #expect(try await new.logIn().status == 303)
        // In the next one it goes on, and what is known now still gets in.
        try await flood(world)
        #expect(try await new.submit("/logout").status == 303)
        #expect(try await new.logIn().status == 303)
    }

    @Test("Names that nobody has are counted and answered like those that exist")
    func enumeration() async throws {
        let (world, _) = try await world(limit: 2)
        func answers(_ name: String, _ network: Int) async throws -> [String] {
            var answers: [String] = []
            for attempt in 0..<14 {
                var stranger = Browser(world, in: "10.\(network).0.\(attempt < 4 ? 1 : attempt)")
                let answer = try await stranger.logIn(name, "guess")
                answers.append(
                    "\(answer.status) \(answer.headers[.retryAfter] ?? "") "
                        + answer.text.replacingOccurrences(of: name, with: "NAME"))
            }
            return answers
        }
        let (known, unknown) = (try await answers("ana", 1), try await answers("eve", 2))
        #expect(known == unknown)
        let statuses = known.map { $0.prefix(3) }
        #expect(
            statuses == ["401", "401", "429", "429"] + Array(repeating: "401", count: 8) + ["429", "429"])
    }

    @Test("Who tries one password at many names is slowed, and nobody else in that network who is known")
    func manyNames() async throws {
        let (world, _) = try await world(limit: 1)
        var known = try await knownBrowser(world, in: "192.0.2.1")
        var stranger = Browser(world, in: "192.0.2.1")
        for number in 1...10 { #expect(try await stranger.logIn("name\(number)", "password").status == 401) }
        let slowed = try await stranger.logIn("another", "password")
        #expect(slowed.status == 429 && slowed.headers[.retryAfter] == "3")
        #expect(slowed.shows("Too many attempts to log in came from your network. Try again in 3 seconds."))
        #expect(try await known.logIn().status == 303)
        world.clock.advance(seconds: 3)
        #expect(try await stranger.logIn("another", "password").status == 401)
    }

    @Test(
        "Right passwords use nothing up, and many attempts at the same moment are counted before they are checked"
    )
    func counting() async throws {
        let (world, _) = try await world()
        for _ in 1...30 {
            var browser = Browser(world, in: "192.0.2.1")
            #expect(try await browser.logIn().status == 303)
        }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...40 {
                group.addTask {
                    var stranger = Browser(world, in: "192.0.2.7")
                    return try await stranger.logIn("ana", "guess").status
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        // Those that found the line for the hasher full were not tried.
        #expect(statuses.count { $0 == 401 } <= 10 && statuses.allSatisfy { [401, 429, 503].contains($0) })
        #expect(statuses.contains(429) || statuses.contains(503))
    }

    @Test("Guesses in a known browser are slowed like any other, and slow nobody else")
    func knownGuesses() async throws {
        let (world, _) = try await world(limit: 3)
        var thief = try await knownBrowser(world, in: "192.0.2.1")
        for _ in 1...3 { #expect(try await thief.logIn("ana", "guess").status == 401) }
        #expect(try await thief.logIn().status == 429)
        thief.network = "198.51.100.1"
        #expect(try await thief.logIn().status == 429)
        var new = Browser(world, in: "192.0.2.1")
        #expect(try await new.logIn().status == 303)
    }

    @Test("A new password begins with no attempts, whatever was tried before")
    func newPassword() async throws {
        let (world, ana) = try await world(limit: 2)
        try await flood(world)
        let changed = try await ana.submit(
            "/settings/password", ["current_password": "correct horse", "new_password": "battery staple"])
        #expect(changed.status == 303)
        var new = Browser(world, in: "198.51.100.1")
        #expect(try await new.logIn("ana", "battery staple").status == 303)
    }

    @Test("Each log-in has attempts of its own to confirm the password, to delete the account too")
    func confirmation() async throws {
        let (world, ana) = try await world(limit: 2)
        var phone = Browser(world, in: "192.0.2.1")
        #expect(try await phone.logIn().status == 303)
        for path in ["/settings/delete", "/settings/password"] {
            let form: KeyValuePairs = [
                "password": "guess", "current_password": "guess", "new_password": "battery staple",
            ]
            #expect(try await phone.submit(path, form).status == 422)
        }
        let slowed = try await phone.submit("/settings/delete", ["password": "correct horse"])
        #expect(slowed.status == 429 && slowed.headers[.retryAfter] == "15")
        #expect(slowed.shows("Too many wrong passwords. Try again in 15 seconds."))
        #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
    }

    // MARK: What a known browser has

    @Test("The proof of an earlier log-in is out of scripts' reach, and logs nobody in")
    func cookie() async throws {
        let world = try await World { $0.publicURL = "https://photos.example.org" }
        _ = try await world.account("ana")
        var browser = Browser(world, in: "192.0.2.1")
        let answer = try await browser.logIn()
        let cookie = try #require(answer.headers[values: .setCookie].first { $0.contains("browser") })
        #expect(cookie.hasPrefix("__Host-tintype_browser="))
        for flag in ["Secure", "HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=34560000"] {
            #expect(cookie.contains(flag))
        }
        #expect(!cookie.contains("Domain"))
        browser.keep("__Host-tintype_browser")
        #expect(try await browser.visit("/home").headers[.location] == "/login")
        let stored = try await world.number(
            "SELECT count(*) FROM browser_proofs WHERE length(token_hash) = 64")
        #expect(stored == 1)
    }

    @Test("Signing up makes a browser known, and one browser may be known to several people")
    func severalPeople() async throws {
        let (world, _) = try await world(limit: 2)
        var tablet = try await knownBrowser(world, in: "192.0.2.1")
        let signUp = try await tablet.submit(
            "/signup", ["username": "bea", "display_name": "Bea", "password": "correct horse"])
        #expect(signUp.status == 303)
        _ = try await tablet.submit("/logout")
        for name in ["ana", "bea"] {
            try await flood(world, name)
            #expect(try await tablet.logIn(name).status == 303)
            _ = try await tablet.submit("/logout")
        }
        // One person's proof is nobody else's.
        var other = Browser(world, in: "192.0.2.2")
        _ = try await world.account("cleo")
        _ = try await other.logIn("cleo")
        try await flood(world)
        #expect(try await other.logIn().status == 429)
    }

    /// What ends a browser's proof, done by ana on another device.
    enum Ending: CaseIterable { case password, everywhereElse, device, suspension }

    @Test(
        "A new password, logging out everywhere and ending the device make a browser a stranger's",
        arguments: Ending.allCases)
    func endings(_ ending: Ending) async throws {
        let (world, _) = try await world(limit: 2)
        let olga = try await world.account("olga", isAdmin: true)
        var own = Browser(world, in: "192.0.2.1")
        _ = try await own.logIn()
        var other = Browser(world, in: "192.0.2.2")
        _ = try await other.logIn()
        let session = try await world.number("SELECT max(id) FROM sessions")
        let id = try await world.number("SELECT id FROM accounts WHERE username = 'ana'")
        var password = "correct horse"
        switch ending {
        case .password:
            let form: KeyValuePairs = ["current_password": password, "new_password": "battery staple"]
            #expect(try await own.submit("/settings/password", form).status == 303)
            password = "battery staple"
        case .everywhereElse: #expect(try await own.submit("/settings/devices/end").status == 303)
        case .device: #expect(try await own.submit("/settings/devices/\(session)/end").status == 303)
        case .suspension:
            #expect(try await olga.submit("/administration/accounts/\(id)/suspend").status == 303)
            #expect(try await olga.submit("/administration/accounts/\(id)/restore").status == 303)
        }
        try await flood(world)
        #expect(try await other.logIn("ana", password).status == 429)
        // The browser in which it was asked for stays known.
        _ = try await own.submit("/logout")
        #expect(try await own.logIn("ana", password).status == (ending == .suspension ? 429 : 303))
    }

    @Test("An account knows twenty browsers at most, a browser five accounts, and both forget the oldest")
    func bounds() async throws {
        let (world, _) = try await world(limit: 2)
        var first = try await knownBrowser(world, in: "192.0.2.1")
        for _ in 1...20 {
            world.clock.advance(seconds: 1)
            var browser = Browser(world, in: "192.0.2.1")
            #expect(try await browser.logIn().status == 303)
        }
        #expect(try await world.number("SELECT count(*) FROM browser_proofs") == 20)
        var shared = try await knownBrowser(world, in: "192.0.2.1")
        for number in 1...5 {
            _ = try await world.account("name\(number)")
            #expect(try await shared.logIn("name\(number)").status == 303)
        }
        #expect(shared.cookies[Self.proof]?.split(separator: ".").count == 5)
        try await flood(world)
        #expect(try await first.logIn().status == 429)
        #expect(try await shared.logIn().status == 429)
        try await flood(world, "name1")
        #expect(try await shared.logIn("name1").status == 303)
    }

    @Test("A clock that is set back makes no pause longer")
    func clock() {
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        let pauses = GrowingPauses(shortest: 15, longest: 900)
        let key = AttemptKey(pauses.kind("test"), "ana")
        var tally = AttemptTally(at: now, [:])
        for _ in 1...3 { tally.add(key) }
        for (seconds, pause) in [(0.0, 60.0), (-9_000, 60), (20, 40), (60, 0)] {
            let later = AttemptTally(at: now.addingTimeInterval(seconds), tally.counts)
            #expect(pauses.pause(key, after: 1, in: later) == pause)
        }
    }
}
