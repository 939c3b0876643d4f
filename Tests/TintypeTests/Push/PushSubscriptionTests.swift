import Crypto
import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Core
@testable import People
@testable import Tintype

@Suite("Subscriptions to announcements")
struct PushSubscriptionTests {
    private static let path = "/api/v1/push/subscription"
    private static let endpoint = "https://push.example.net/send/abc"

    @Test("A log-in subscribes, looks, changes its choice and unsubscribes, as in Mastodon")
    func all() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        #expect(try await ana.get(Self.path).status == 404)
        #expect(try await ana.send(.put, Self.path, form: ["data[policy]": "all"]).status == 404)
        let device = TestDevice()
        let made = try await ana.subscribe(
            device, at: Self.endpoint, ["data": ["alerts": ["mention": true, "poll": false]]])
        #expect(made.status == 200 && made["id"].int != nil)
        #expect(made["endpoint"] == .text(Self.endpoint) && made["standard"] == true)
        #expect(made["policy"] == "all" && made["alerts"]["mention"] == true)
        for name in PushSubscription.alertNames where name != "mention" {
            #expect(made["alerts"][name] == false, "\(name)")
        }
        #expect(try await ana.get(Self.path).json == made.json)
        let changed = try await ana.send(
            .put, Self.path, form: ["data[alerts][favourite]": "1", "data[policy]": "followed"])
        #expect(changed["alerts"]["favourite"] == true && changed["alerts"]["mention"] == false)
        #expect(changed["policy"] == "followed" && changed["id"] == made["id"])
        // A second subscription of the log-in replaces the first.
        let again = try await ana.subscribe(device, at: Self.endpoint + "2")
        #expect(again.status == 200 && again["endpoint"] == .text(Self.endpoint + "2"))
        #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 1)
        #expect(try await ana.delete(Self.path).json == .object([:]))
        #expect(try await ana.get(Self.path).status == 404)
        #expect(try await ana.delete(Self.path).status == 200)
    }

    @Test("Parameters come from query, form, multipart and JSON")
    func parameters() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let device = TestDevice()
        let fields: KeyValuePairs = [
            "subscription[endpoint]": Self.endpoint, "subscription[keys][p256dh]": device.p256dh,
            "subscription[keys][auth]": device.auth, "data[alerts][follow]": "true",
        ]
        let query = urlEncoded(fields)
        let multipart = fields.map { FormPart.text($0.key, $0.value) }
        for answer in [
            try await ana.post("\(Self.path)?\(query)"), try await ana.post(Self.path, form: fields),
            try await ana.post(Self.path, multipart: multipart),
        ] {
            #expect(answer.status == 200, "\(answer.text)")
            // Apps that don't know the standard get its draft.
            #expect(answer["standard"] == false && answer["alerts"]["follow"] == true)
        }
    }

    @Test("The server's key is where apps look for it, and stays the same")
    func key() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let key = try await ana.subscribe(TestDevice(), at: Self.endpoint)["server_key"]
        let bytes = try #require(key.string.flatMap { Data(base64URL: $0) })
        #expect(throws: Never.self) { try P256.Signing.PublicKey(x963Representation: bytes) }
        let instance = try await world.stranger.get("/api/v2/instance")
        #expect(instance["configuration"]["vapid"]["public_key"] == key)
        let app = try await world.stranger.post(
            "/api/v1/apps", json: ["client_name": "App", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob"])
        #expect(app["vapid_key"] == key)
        let restarted = try await World(folder: world.folder, clock: world.clock)
        #expect(restarted.tintype.features.push.serverKey == key.string)
    }

    @Test("Two starts at once make one key")
    func twoStarts() async throws {
        let world = try await World()
        try await world.tintype.database.write { try $0.deleteServerValue(PushIdentity.valueName) }
        let parts = world.tintype.parts
        let keys = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 { group.addTask { try await PushIdentity.load(parts).publicKey } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(keys.count == 1)
    }

    @Test(
        "With another secrets.key, as on another server, there is a new key and no subscription", .onlySQLite)
    func otherSecrets() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.subscribe(TestDevice(), at: Self.endpoint)
        let key = world.tintype.features.push.serverKey
        try FileManager.default.removeItem(atPath: "\(world.folder)/\(SecretsKey.fileName)")
        let other = try await World(folder: world.folder, clock: world.clock)
        #expect(other.tintype.features.push.serverKey != key)
        #expect(try await other.number("SELECT count(*) FROM push_subscriptions") == 0)
        let ours = Person(world: other, id: ana.id, username: "ana", token: ana.token)
        #expect(try await ours.get(Self.path).status == 404)
    }

    @Test(
        "A command without the file ends nothing: the operator may bring it before the next start",
        .onlySQLite)
    func command() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        _ = try await ana.subscribe(TestDevice(), at: Self.endpoint)
        let (path, aside) = ("\(world.folder)/\(SecretsKey.fileName)", "\(world.folder)/aside")
        try FileManager.default.moveItem(atPath: path, toPath: aside)
        let tool = try await TintypeApplication(world.tintype.configuration, node: .tool)
        defer { tool.breakCycles() }
        #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 1)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: aside, toPath: path)
        let restarted = try await World(folder: world.folder, clock: world.clock)
        #expect(
            restarted.tintype.features.push.serverKey == world.tintype.features.push.serverKey)
        #expect(try await restarted.number("SELECT count(*) FROM push_subscriptions") == 1)
    }

    @Test("An app needs the permission push, and nothing else")
    func permission() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let app = try await world.app()
        let without = try await app.logIn(ana, scope: "read write follow")
        for answer in [
            try await without.subscribe(TestDevice(), at: Self.endpoint), try await without.get(Self.path),
            try await without.send(.put, Self.path, form: [:]), try await without.delete(Self.path),
            try await without.post("/api/v1/push/test"),
        ] { #expect(answer.status == 403) }
        let with = try await app.logIn(ana, scope: "push")
        #expect(try await with.subscribe(TestDevice(), at: Self.endpoint).status == 200)
        #expect(try await world.stranger.subscribe(TestDevice(), at: Self.endpoint).status == 401)
        // The app's token is nowhere in the database.
        let token = try #require(with.token)
        let sealed = try await world.tintype.database.read { transaction in
            try transaction.value("SELECT sealed_token FROM push_subscriptions", as: String.self)
        }
        #expect(sealed != nil && sealed?.contains(token) == false)
    }

    // MARK: Bad input

    @Test(
        "Endpoints that lead inward, of another scheme, or that are too long are refused",
        arguments: [
            "", "push.example.net/send", "http://push.example.net/send", "ftp://push.example.net/send",
            "file:///etc/passwd", "javascript:alert(1)", "https://127.0.0.1/send", "https://10.0.0.8/send",
            "https://[::1]/send", "https://192.168.1.1:8443/", "https://localhost/send", "https:///send",
            "https://user:secret@push.example.net/", "https://push.example.net:99999/",
            "https://push.example.net:99999999999999999999/", "https://127.1/", "https://0x7f000001/",
            "https://2130706433/", "https://0/", "https://localhost./", "https://ip6-localhost/",
            "https://10.0x7f/", "https://push.example.net/" + String(repeating: "a", count: 4_975),
        ])
    func endpoints(endpoint: String) async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let answer = try await ana.subscribe(TestDevice(), at: endpoint)
        #expect(answer.status == 422, "\(endpoint): \(answer.text)")
        #expect(answer["details"]["subscription[endpoint]"] != .null, "\(answer.text)")
        #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 0)
    }

    @Test("Keys that are no points of P-256, and secrets of another length, are refused with a sentence each")
    func keys() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let device = TestDevice()
        var offCurve = device.key.publicKey.x963Representation
        offCurve[64] ^= 1
        for (key, secret) in [
            (base64URL(offCurve), device.auth), ("", device.auth), ("AAAA", device.auth),
            (device.p256dh, ""), (device.p256dh, base64URL(Data(repeating: 1, count: 15))),
            (String(repeating: "A", count: 100_000), device.auth),
        ] {
            let answer = try await ana.post(
                Self.path,
                json: [
                    "subscription": [
                        "endpoint": .text(Self.endpoint),
                        "keys": ["p256dh": .text(key), "auth": .text(secret)],
                    ]
                ])
            #expect(answer.status == 422 && answer["error"].string?.isEmpty == false, "\(answer.text)")
        }
        let policy = try await ana.subscribe(device, at: Self.endpoint, ["data": ["policy": "some"]])
        #expect(policy.status == 422)
    }

    @Test("Nobody reaches the subscription of another log-in")
    func others() async throws {
        let world = try await World()
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        _ = try await ana.subscribe(TestDevice(), at: Self.endpoint)
        let second = try await ana.logIn(.browser)
        for person in [ben, second] {
            #expect(try await person.get(Self.path).status == 404)
            #expect(try await person.send(.put, Self.path, form: ["data[policy]": "none"]).status == 404)
            #expect(try await person.post("/api/v1/push/test").status == 404)
            #expect(try await person.delete(Self.path).status == 200)
        }
        #expect(try await ana.get(Self.path)["policy"] == "all")
        // One browser, another person: the device announces to who is there now.
        #expect(try await ben.subscribe(TestDevice(), at: Self.endpoint).status == 200)
        #expect(try await ana.get(Self.path).status == 404)
    }

    @Test("Of a thousand subscriptions of one person, the last ten stay")
    func thousand() async throws {
        let world = try await World { configuration in
            configuration.limits.writes = 100_000
        }
        let ana = try await world.account("ana")
        let device = TestDevice()
        var last = ana
        for number in 1...1_000 {
            world.clock.advance(seconds: 1)
            last = try await ana.logIn(.token, device: "Device \(number)")
            #expect(try await last.subscribe(device, at: "\(Self.endpoint)/\(number)").status == 200)
        }
        #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 10)
        #expect(try await last.get(Self.path)["endpoint"] == .text("\(Self.endpoint)/1000"))
    }

    @Test("A subscription ends with its log-in, and with its account")
    func ends() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let phone = try await ana.logIn(.browser)
        _ = try await ana.subscribe(TestDevice(), at: Self.endpoint)
        _ = try await phone.subscribe(TestDevice(), at: Self.endpoint + "2")
        let other = try await world.number("SELECT max(id) FROM sessions")
        #expect(try await ana.submit("/settings/devices/\(other)/end").status == 303)
        #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 1)
        _ = try await ana.submit("/settings/delete", ["password": "correct horse"])
        try await world.work()
        #expect(try await world.number("SELECT count(*) FROM push_subscriptions") == 0)
    }

    @Test("A download names devices and push services, and no key or address")
    func download() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let device = TestDevice()
        _ = try await ana.subscribe(device, at: Self.endpoint)
        let feature = world.tintype.features.push
        let list = try #require(feature.accountData?.lists.first { $0.name == "push_devices" })
        let text = try await world.tintype.database.read { transaction in
            try list.page(of: ana.id, after: 0, transaction).rows
                .map { String(decoding: $0, as: UTF8.self) }.joined()
        }
        #expect(text.contains("push.example.net"))
        for secret in [Self.endpoint, device.p256dh, device.auth] { #expect(!text.contains(secret)) }
    }
}
