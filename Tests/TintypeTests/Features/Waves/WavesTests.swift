import Foundation
import HTTPTypes
import Logging
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("A feature is a folder: waves")
struct WavesTests {
    private struct Scene {
        var world: World
        /// The administrator.
        var olga: Person
        var ana: Person
        var ben: Person
    }

    /// A server with waves.
    private func scene(_ configure: (inout ServerConfiguration) -> Void = { _ in }) async throws -> Scene {
        let waves = FeatureAddition(type: WavesFeature.self) { app, features in
            WavesFeature(
                app, notifications: features.notifications, reports: features.reports, chats: features.chats)
        }
        let world = try await World(adding: [waves], files: Self.files.get(), configure: configure)
        try await world.tintype.database.write { transaction in
            for statement in WaveStore.schema { try transaction.execute(statement) }
        }
        let olga = try await world.account("olga")
        let people = try await world.friends("ana", "ben")
        return Scene(world: world, olga: olga, ana: people[0], ben: people[1])
    }

    /// The folder of the sample.
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    private static let files = Result {
        try StaticFiles(
            folders: [Resources.folder("public"), folder.appending(path: "public")], installed: [:])
    }

    /// Lets one person wave at another; the wave's id.
    private func wave(_ one: Person, at other: Person) async throws -> String {
        let answer = try await one.post("/api/v1/accounts/\(other.id)/wave")
        #expect(answer.status == 201)
        return try #require(answer["id"].string)
    }

    @Test("Its page, its styles and its script are served, and a form works without the script")
    func page() async throws {
        let scene = try await scene()
        #expect(try await scene.world.stranger.visit("/waves").status == 303)
        #expect(try await scene.ana.submit("/waves", ["username": "ben"]).status == 303)
        let page = try await scene.ben.visit("/waves")
        #expect(page.shows("<b>ana</b>") && page.shows("<wave-list>"))
        let styles = try #require(page.text.firstMatch(of: #/href="([^"]*css\/waves.css)"/#))
        #expect(try await scene.ben.get(String(styles.1)).shows("wave-list li"))
        let script = String(styles.1).replacing("css/waves.css", with: "js/waves/wave-list.js")
        #expect(try await scene.ben.get(script).shows("tintype:wave"))
        // What the shared scripts learn of its element and its event.
        let scripts = String(styles.1).replacing("css/waves.css", with: "js/features.js")
        let learned = try await scene.ben.get(scripts)
        #expect(learned.shows(#""wave-list":"./waves/wave-list.js""#) && learned.shows(#""tintype.wave""#))
        #expect(learned.shows(#""path":"./waves/wave-title.js","isForEveryone":false"#))
    }

    @Test("Its page can be opened without a network")
    func offline() async throws {
        let scene = try await scene()
        let worker = try await scene.ben.visit("/sw.js")
        let script = try #require(worker.text.firstMatch(of: #/from "([^"]*js\/waves\/offline.js)"/#))
        #expect(try await scene.ben.get(String(script.1)).shows("export const keeping"))
        #expect(try await scene.ben.visit("/offline").shows("Waves"))
    }

    @Test("Waving counts as reading, since it has a limit of its own")
    func readingRoute() async throws {
        let scene = try await scene()
        let answer = try await scene.ana.post("/api/v1/accounts/\(scene.ben.id)/wave")
        #expect(answer.headers[.rateLimit] == String(scene.world.tintype.configuration.limits.reads))
    }

    @Test("Its counter is counted again by the operator's check")
    func counter() async throws {
        let scene = try await scene()
        _ = try await wave(scene.ana, at: scene.ben)
        #expect(try await scene.world.tintype.problems().isEmpty)
        try await scene.world.tintype.database.write { transaction in
            try transaction.execute("UPDATE waved_accounts SET count = 7")
        }
        let found = try await scene.world.tintype.problems()
        #expect(found.count == 1 && "\(found)".contains("the waves of waved_account"))
    }

    @Test("A suspended account's waves are taken back")
    func leave() async throws {
        let scene = try await scene()
        _ = try await wave(scene.ana, at: scene.ben)
        let suspended = try await scene.olga.submit("/administration/accounts/\(scene.ana.id)/suspend")
        #expect(suspended.status == 303)
        #expect(try await scene.world.number("SELECT count(*) FROM waves") == 0)
        #expect(try await scene.world.number("SELECT count FROM waved_accounts") == 0)
    }

    @Test("No backup has waves", .onlySQLite)
    func backup() async throws {
        let scene = try await scene()
        _ = try await wave(scene.ana, at: scene.ben)
        let path = NSTemporaryDirectory() + "tintype-test-\(UUID())"
        defer {
            for path in [path, path + "-restored"] { try? FileManager.default.removeItem(atPath: path) }
        }
        _ = try await scene.world.tintype.backUp(to: path)
        var configuration = scene.world.tintype.configuration
        configuration.data = path + "-restored"
        _ = try await TintypeApplication.restore(from: path, configuration)
        let database = try Database(
            path: "\(configuration.data)/tintype.sqlite", logger: .init(label: "test"))
        let count = try await database.read { try $0.value("SELECT count(*) FROM waves", as: Int.self) }
        #expect(count == 0)
        try database.close()
        #expect(try await scene.world.number("SELECT count(*) FROM waves") == 1)
    }

    @Test("It is in the tabs, in the menu, on Create, in Settings and on Who can see what")
    func places() async throws {
        let scene = try await scene()
        _ = try await wave(scene.ana, at: scene.ben)
        let home = try await scene.ben.visit("/home")
        #expect(home.text.matches(of: #/<a href="\/waves"/#).count == 2)
        #expect(home.shows("data-badge=\"waves\""))
        #expect(try await scene.ben.visit("/create").shows("Say hello"))
        let settings = try await scene.ben.visit("/settings")
        // The tab, the link of the menu, and the line.
        #expect(settings.text.matches(of: #/href="\/waves"/#).count == 3)
        let notice = try await scene.world.stranger.visit("/who-can-see-what")
        #expect(notice.shows("A wave is seen by the person at whom you wave"))
    }

    @Test("Its setting is read, and holds")
    func setting() async throws {
        func load(_ number: String) async throws -> ServerConfiguration {
            try await ServerConfiguration.load(
                flags: ["waves-per-day": number], environment: [:], file: nil,
                features: WavesFeature.configuration)
        }
        #expect(try await load("7")[WaveSettings.self].perDay == 7)
        await #expect(throws: SettingError.self) { try await load("none") }
        let scene = try await scene { $0[WaveSettings.self].perDay = 1 }
        _ = try await wave(scene.ana, at: scene.ben)
        #expect(try await scene.ana.post("/api/v1/accounts/\(scene.ben.id)/wave").status == 429)
    }

    @Test("An app needs its permission, which the page of consent names")
    func permission() async throws {
        let scene = try await scene()
        let app = try await scene.world.app(scopes: "read write write:waves read:statuses")
        let page = try await scene.ana.visit(app.address(["scope": "read write write:waves"]))
        #expect(page.shows("<li>See waves at you</li>") && page.shows("Wave at people"))
        let other = try await app.logIn(scene.ana, scope: "read:statuses")
        #expect(try await other.get("/api/v1/waves").status == 403)
        for scope in ["write:waves", "write"] {
            _ = try await wave(try await app.logIn(scene.ana, scope: scope), at: scene.ben)
        }
        let description = try await scene.world.stranger.get("/api/openapi.json").json
        #expect(
            description["paths"]["/api/v1/waves"]["get"]["security"][0]["oauth"] == ["read:waves"])
        let schemas = description["components"]["schemas"]
        #expect(schemas["Wave"]["required"].list.count == 3)
        #expect(schemas["Notification"]["properties"]["wave"]["type"] == "object")
        #expect(schemas["Report"]["properties"]["wave_id"]["type"] == "string")
    }

    @Test("A wave reaches the receiver's open page, and is among the notifications")
    func news() async throws {
        let scene = try await scene()
        var stream = scene.world.tintype.events.subscribe(
            scene.ben.id, session: ID(rawValue: 1), after: nil
        ).stream.makeAsyncIterator()
        let id = try await wave(scene.ana, at: scene.ben)
        while let event = await stream.next() {
            guard event.name == "tintype.wave" else { continue }
            #expect(JSON(event.data)["id"].string == id)
            break
        }
        let found = try await scene.ben.get("/api/v1/notifications?types[]=tintype.wave")
        #expect(found.json[0]["wave"]["id"].string == id)
        #expect(try await scene.ben.visit("/notifications").shows("waved at you."))
    }

    @Test("A wave is reported, and an administrator removes it")
    func report() async throws {
        let scene = try await scene()
        let id = try await wave(scene.ana, at: scene.ben)
        #expect(try await scene.olga.visit("/waves/\(id)/report").status == 404)
        #expect(try await scene.ben.visit("/waves/\(id)/report").status == 200)
        let sent = try await scene.ben.post("/api/v1/reports", json: ["wave_id": .text(id)])
        #expect(sent.status == 200 && sent["wave_id"].string == id)
        let queue = try await scene.olga.visit("/administration")
        #expect(queue.shows("Remove wave"))
        let form = try #require(queue.text.firstMatch(of: #/(\/administration\/reports\/\d+\/remove)"/#))
        #expect(try await scene.olga.submit(String(form.1)).status == 303)
        #expect(try await scene.ben.get("/api/v1/waves").json.list == [])
    }

    @Test("After a day its job erases a wave")
    func job() async throws {
        let scene = try await scene()
        _ = try await wave(scene.ana, at: scene.ben)
        scene.world.clock.advance(hours: 23)
        try await scene.world.work()
        #expect(try await scene.ben.get("/api/v1/waves").json.list.count == 1)
        scene.world.clock.advance(hours: 2)
        try await scene.world.work()
        #expect(try await scene.ben.get("/api/v1/waves").json.list == [])
        #expect(try await scene.ben.get("/api/v1/notifications?types[]=tintype.wave").json.list == [])
    }

    @Test("A wave that a message links to is a card in the chat")
    func card() async throws {
        let scene = try await scene()
        let id = try await wave(scene.ana, at: scene.ben)
        let chat = try await scene.ben.chat(with: scene.ana)
        let message = try await scene.ben.post(
            "/api/v1/chats/\(chat)/messages", json: ["text": .text("http://localhost/waves/\(id)")])
        #expect(message["wave_id"].string == id)
        let page = try await scene.ana.visit("/messages/\(chat)")
        #expect(page.shows("<wave-card") && page.shows("Ana waved."))
        #expect(try await scene.ana.visit("/waves/\(id)/card").shows("Ana waved."))
        #expect(try await scene.olga.visit("/waves/\(id)/card").status == 404)
    }

    @Test("What it keeps of a person is in their download, and goes with their account")
    func data() async throws {
        let scene = try await scene()
        let id = try await wave(scene.ana, at: scene.ben)
        #expect(try await scene.ana.submit("/settings/data").status == 303)
        try await scene.world.work()
        let zip = try await scene.ana.visit(try await DownloadTests.path(scene.ana)).bytes
        let list = JSON(try DownloadTests.unpacked(zip)["waves.json"] ?? [])
        #expect(list[0]["id"].string == id)
        let deleted = try await scene.ana.submit("/settings/delete", ["password": "correct horse"])
        #expect(deleted.status == 303)
        try await scene.world.work()
        #expect(try await scene.world.number("SELECT count(*) FROM waves") == 0)
    }

    @Test("No other file names it")
    func nowhereElse() throws {
        let root = Self.folder.appending(path: "../../../..").standardized
        var count = 0
        for folder in ["Sources", "Tests"] {
            let files = FileManager.default.enumerator(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
            for case let file as URL in files ?? .init() {
                guard ["swift", "js", "css", "sql", "json"].contains(file.pathExtension),
                    !file.path.hasPrefix(Self.folder.path)
                else { continue }
                count += 1
                let text = try String(contentsOf: file, encoding: .utf8)
                let isNamed = text.contains(#/\bWaves?[A-Z]|\bwaves?[-\/"]|[\/".]waves?\b/#)
                #expect(!isNamed, "\(file.path) names waves")
            }
        }
        #expect(count > 500)
    }
}
