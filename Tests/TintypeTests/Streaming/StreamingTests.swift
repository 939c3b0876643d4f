import HTTPTypes
import NIOCore
import Storage
import Testing

@testable import Core
@testable import Serving
@testable import Tintype

@Suite("Streaming over a WebSocket")
struct StreamingTests {
    // MARK: Opening

    @Test("Opens with the token in the protocol, which is returned, in the query, or in the header")
    func tokens() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let token = try #require(try await ana.logIn(.token).token)
        for (path, headers) in [
            ("/api/v1/streaming", ["Sec-WebSocket-Protocol: \(token)"]),
            ("/api/v1/streaming/", ["Sec-WebSocket-Protocol: \(token), other"]),
            ("/api/v1/streaming?access_token=\(token)&stream=user", []),
            // An app in a browser comes from elsewhere, and brings no cookie.
            ("/api/v1/streaming?access_token=\(token)", ["Origin: https://app.example"]),
            ("/api/v1/streaming", ["Authorization: Bearer \(token)"]),
        ] {
            try await ana.webSocket(path, headers: headers) { socket in
                #expect(socket.status == 101, "\(path) \(headers)")
                #expect(socket.head.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
                let hasProtocol = socket.head.contains("Sec-WebSocket-Protocol: \(token)\r\n")
                #expect(hasProtocol == (headers.first?.hasPrefix("Sec") == true), "\(socket.head)")
                let answers = try await socket.subscribe("user")
                #expect(answers == [])
            }
        }
    }

    @Test("Refuses wrong tokens, nobody, and a cookie that a page of another site sends along")
    func refused() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let cookie = "Cookie: \(Session.cookieName(isSecure: false))=\(ana.token ?? "")"
        for (headers, status) in [
            ([], 401), (["Authorization: Bearer nonsense"], 401), (["Sec-WebSocket-Protocol: nonsense"], 401),
            (["Authorization: Basic YTpi"], 401), ([cookie], 403), ([cookie, "Origin: null"], 403),
            ([cookie, "Origin: https://evil.example"], 403),
            ([cookie, "Origin: http://localhost", "Sec-Fetch-Site: cross-site"], 403),
            ([cookie, "Origin: http://localhost"], 101), ([cookie, "Sec-Fetch-Site: same-origin"], 101),
        ] as [([String], Int)] {
            try await ana.webSocket(headers: headers) { socket in
                #expect(socket.status == status, "\(headers)")
            }
        }
        // Neither does a cookie open the stream where the token in the address is wrong.
        try await ana.webSocket("/api/v1/streaming?access_token=x", headers: [cookie]) { socket in
            #expect(socket.status == 401)
        }
    }

    @Test("What is no opening of a WebSocket gets a sentence, and an unknown stream too")
    func noOpening() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        #expect(try await ana.get("/api/v1/streaming").status == 400)
        #expect(try await world.stranger.get("/api/v1/streaming").status == 401)
        try await ana.webSocket("/api/v1/streaming?stream=nonsense") { #expect($0.status == 422) }
        let opening: HTTPFields = [.upgrade: "websocket", .connection: "Upgrade"]
        let old = try await ana.get("/api/v1/streaming", headers: opening)
        #expect(old.status == 426 && old.headers[.secWebSocketVersion] == "13")
        var keyless = opening
        keyless[.secWebSocketVersion] = "13"
        #expect(try await ana.get("/api/v1/streaming", headers: keyless).status == 400)
        keyless[.secWebSocketKey] = "c2hvcnQ="
        #expect(try await ana.get("/api/v1/streaming", headers: keyless).status == 400)
    }

    // MARK: Events

    @Test("A subscriber gets posts, changes, notifications and deletions, each with its three members")
    func user() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let mine = try await ana.post(caption: "Mine")
        try await ana.webSocket { socket in
            #expect(try await socket.subscribe("user") == [])
            let post = try await ben.post(caption: "A “new” post")
            let update = try await socket.text()
            #expect(update["stream"] == ["user"] && update["event"] == "update")
            let payload = JSON(Array((update["payload"].string ?? "").utf8))
            #expect(payload["id"].string == post && payload["text"] == "A “new” post")
            _ = try await ben.send(.put, "/api/v1/statuses/\(post)", json: ["status": "Changed"])
            #expect(try await socket.text()["event"] == "status.update")
            try await ben.like(mine)
            let shown = try await socket.text()
            #expect(shown["event"] == "notification")
            #expect(shown["payload"].string?.contains("\"favourite\"") == true)
            _ = try await ben.delete("/api/v1/statuses/\(post)")
            let gone = try await socket.text()
            #expect(gone == ["stream": ["user"], "event": "delete", "payload": .text(post)])
            // Unsubscribed, there is nothing more.
            _ = try await socket.say("{\"type\":\"unsubscribe\",\"stream\":\"user\"}")
            _ = try await ben.post(caption: "Not heard")
            #expect(try await socket.say("{\"type\":\"subscribe\",\"stream\":\"user:notification\"}") == [])
            _ = try await ben.post(caption: "Nor this")
            _ = try await ben.comment("But this", on: mine)
            let last = try await socket.text()
            #expect(last["stream"] == ["user:notification"] && last["event"] == "notification")
        }
    }

    @Test(
        "Posts for everyone come on the public streams, also of people not followed; messages on the direct one"
    )
    func others() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        let cleo = try await world.account("cleo")
        try await ana.webSocket("/api/v1/streaming?stream=public") { socket in
            _ = try await socket.subscribe("direct")
            _ = try await ben.post(caption: "For followers")
            let theirs = try await cleo.post(caption: "For everyone", visibility: "public")
            let update = try await socket.text()
            #expect(update["stream"] == ["public"] && update["event"] == "update")
            let status = JSON(Array((update["payload"].string ?? "").utf8))
            #expect(status["id"].string == theirs && status["account"]["username"] == "cleo")
            let bens = try await ben.post(caption: "Ben's for everyone", visibility: "public")
            #expect(try await socket.text()["payload"].string?.contains(bens) == true)
            _ = try await ben.write("Hello", in: try await ben.chat(with: ana))
            let direct = try await socket.text()
            #expect(direct["stream"] == ["direct"] && direct["event"] == "conversation")
            let conversation = JSON(Array((direct["payload"].string ?? "").utf8))
            #expect(conversation["accounts"][0]["username"] == "ben" && conversation["unread"] == true)
            #expect(conversation["last_status"]["content"].string?.contains("Hello") == true)
        }
        // The events also come as server-sent events.
        let received = try await world.live { server in
            try await server.connect { stream in
                try await stream.get("/api/v1/streaming/public/local", as: ana)
                return try await stream.read(
                    until: ":)\n",
                    then: {
                        _ = try await ben.post(caption: "For followers")
                        _ = try await cleo.post(caption: "Public again", visibility: "public")
                    }, until: "Public again")
            }
        }
        #expect(received.contains("event: update\ndata: {") && !received.contains("For followers"))
    }

    // MARK: Ending

    @Test("Ends when the log-in is revoked, with a goodbye, and nothing comes after it")
    func revoked() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben")
        let (ana, ben) = (people[0], people[1])
        try await ana.webSocket("/api/v1/streaming?stream=user") { socket in
            _ = try await socket.subscribe("public")
            let session = try await world.number(
                "SELECT id FROM sessions WHERE account_id = \(ana.id) ORDER BY id DESC LIMIT 1")
            #expect(try await ana.submit("/settings/devices/\(session)/end").status == 303)
            _ = try await ben.post(caption: "Not heard")
            #expect(try await socket.next() == .close(1008))
            #expect(try await socket.next() == nil)
        }
        #expect(world.tintype.events.streamsCount == 0)
        try await ana.webSocket { #expect($0.status == 401) }
    }

    /// Ends a person's log-ins as another process does, of which this one gets no event.
    private static func endElsewhere(_ person: Person) async throws {
        try await person.world.tintype.database.write {
            try $0.execute("DELETE FROM sessions WHERE account_id = $1", person.id)
        }
    }

    @Test("Ends within two heartbeats when another process has ended the log-in")
    func endedElsewhere() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        try await ana.webSocket("/api/v1/streaming?stream=user") { socket in
            Self.beat(world)
            #expect(try await socket.next() == .ping)
            try await socket.send("", first: 0x8A)
            try await Self.endElsewhere(ana)
            Self.beat(world)
            #expect(try await socket.next() == .close(1008))
            #expect(try await socket.next() == nil)
        }
    }

    @Test("The stream of a page ends at a heartbeat, too", .timeLimit(.minutes(15)))
    func pageEndedElsewhere() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let received = try await ana.receives(until: "\r\n0\r\n\r\n") {
            try await Self.endElsewhere(ana)
            var rounds = 0
            while world.tintype.events.streamsCount > 0 {
                rounds += 1
                try #require(rounds < 1000, "the stream goes on")
                Self.beat(world)
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(received.contains("id: "))
    }

    @Test("A client that says goodbye gets it back, and its stream is gone")
    func goodbye() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        try await ana.webSocket { socket in
            #expect(world.tintype.events.streamsCount == 1)
            // 1000 has a byte that no text has; this is a code of the client's own (RFC 6455, 7.4.2).
            try await socket.send("\u{10}\u{1}", first: 0x88)
            #expect(try await socket.next() == .close(0x1001))
            #expect(try await socket.next() == nil)
        }
        #expect(world.tintype.events.streamsCount == 0)
    }

    /// Lets all streams have their heartbeat.
    private static func beat(_ world: World) {
        for second in 1...EventBus.heartbeatSeconds { world.tintype.events.beat(second) }
    }

    @Test("Pings come with every heartbeat; who never answers is cut off")
    func pings() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        try await ana.webSocket("/api/v1/streaming?stream=user") { socket in
            for _ in 1...10 {
                Self.beat(world)
                #expect(try await socket.next() == .ping)
                try await socket.send("", first: 0x8A)
                _ = try await socket.say("{\"type\":\"subscribe\",\"stream\":\"user\"}")
            }
            for _ in 1...WebSocket.silentBeats {
                Self.beat(world)
                #expect(try await socket.next() == .ping)
            }
            Self.beat(world)
            #expect(try await socket.next() == .close(1001))
            #expect(try await socket.next() == nil)
        }
    }

    @Test("Without a subscription it ends after two minutes")
    func idle() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        try await ana.webSocket { socket in
            for _ in 1...7 {
                Self.beat(world)
                #expect(try await socket.next() == .ping)
                try await socket.send("", first: 0x8A)
                #expect(try await socket.catchUp() == [])
            }
            Self.beat(world)
            let last = try await socket.next()
            #expect(last == .close(1008))
        }
    }

    @Test("Messages that make no sense get a sentence; frames that break the rules end it")
    func nonsense() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        try await ana.webSocket { socket in
            for text in ["", "x", "[]", "{\"type\":\"subscribe\"}", "{\"type\":\"x\",\"stream\":\"user\"}"] {
                guard case .text(let answer) = try await socket.say(text).first else {
                    Issue.record("no answer to \(text)")
                    continue
                }
                #expect(JSON(Array(answer.utf8))["error"].string != nil)
            }
            guard case .text(let answer) = try await socket.subscribe("nonsense").first else {
                Issue.record("no answer")
                return
            }
            #expect(JSON(Array(answer.utf8))["error"] == "There is no stream of this name.")
            // A text in two frames is one text.
            try await socket.send("{\"type\":\"subscribe\",", first: 0x01)
            try await socket.send("\"stream\":\"nothing\"}", first: 0x80)
            #expect(try await socket.text()["error"] == "There is no stream of this name.")
        }
        let long = String(repeating: "x", count: WebSocket.messageBytes)
        for (first, isMasked, text, code) in [
            (0x81, false, "{}", 1002), (0x82, true, "{}", 1003), (0x80, true, "{}", 1002),
            (0xC1, true, "{}", 1002),
            (0x83, true, "{}", 1002), (0x81, true, long + "x", 1009), (0x09, true, "", 1002),
        ] as [(UInt8, Bool, String, Int)] {
            try await ana.webSocket { socket in
                try await socket.send(text, first: first, isMasked: isMasked)
                #expect(try await socket.next() == .close(code), "\(first) \(code)")
                #expect(try await socket.next() == nil)
            }
        }
        // Long texts in parts are as long.
        try await ana.webSocket { socket in
            try await socket.send(long, first: 0x01)
            try await socket.send("x", first: 0x80)
            let last = try await socket.next()
            #expect(last == .close(1009))
        }
        #expect(world.tintype.events.streamsCount == 0)
    }

    @Test(
        "Texts are read whose length is in the first byte, in two more or in eight, also if fewer would do",
        arguments: [
            (40, 0), (125, 0), (40, 2), (126, 2), (WebSocket.messageBytes, 2), (40, 8), (126, 8),
            (WebSocket.messageBytes, 8),
        ])
    func lengths(count: Int, lengthBytes: Int) async throws {
        let ana = try await World().account("ana")
        let words = "{\"type\":\"subscribe\",\"stream\":\"no\"}"
        let text = words + String(repeating: " ", count: count - words.utf8.count)
        try await ana.webSocket { socket in
            for _ in 1...2 {
                try await socket.send(text, lengthBytes: lengthBytes)
                #expect(try await socket.text()["error"] == "There is no stream of this name.")
            }
        }
    }

    @Test("A frame that is too long ends it at its head, before anything of it was sent")
    func heads() async throws {
        let ana = try await World().account("ana")
        for length in [UInt64(WebSocket.messageBytes) + 1, 1 << 32, 1 << 62, 1 << 63, .max] {
            try await ana.webSocket { socket in
                try await socket.sendHead(length: length)
                #expect(try await socket.next() == .close(1009), "\(length)")
                #expect(try await socket.next() == nil)
            }
        }
    }

    @Test("Pings, pongs and goodbyes are short, whole and masked, or end it")
    func controlFrames() async throws {
        let ana = try await World().account("ana")
        let most = String(repeating: "x", count: 125)
        try await ana.webSocket { socket in
            try await socket.send(most, first: 0x89)
            #expect(try await socket.next() == .pong(most))
            // Between the parts of a text, a ping is answered.
            try await socket.send("{\"type\":\"subscribe\",", first: 0x01)
            try await socket.send("now", first: 0x89)
            #expect(try await socket.next() == .pong("now"))
            try await socket.send("\"stream\":\"no\"}", first: 0x80)
            #expect(try await socket.text()["error"] == "There is no stream of this name.")
        }
        for kind: UInt8 in [0x8, 0x9, 0xA] {
            for (first, text, isMasked) in [
                (0x80 | kind, most + "x", true), (kind, "", true), (0x80 | kind, "", false),
            ] {
                try await ana.webSocket { socket in
                    try await socket.send(text, first: first, isMasked: isMasked)
                    #expect(try await socket.next() == .close(1002), "\(first) \(text.count) \(isMasked)")
                    #expect(try await socket.next() == nil)
                }
            }
        }
    }

    @Test(
        "The server's frames say their length in as few bytes as possible",
        arguments: [
            (0, [0x81, 0]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]),
            (65_535, [0x81, 126, 0xFF, 0xFF]), (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])])
    func ownLengths(count: Int, head: [UInt8]) {
        let frame = WebSocket.frame(Array(repeating: 120, count: count))
        #expect(Array(frame.readableBytesView.prefix(head.count)) == head)
        #expect(frame.readableBytes == head.count + count)
    }

    @Test("A flood of frames ends it")
    func flood() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        try await ana.webSocket { socket in
            for _ in 0...WebSocket.framesPerBeat { try await socket.send("", first: 0x8A) }
            #expect(try await socket.next() == .close(1008))
            #expect(try await socket.next() == nil)
        }
    }

    @Test("An account has so many streams and no more; the oldest is displaced with a goodbye")
    func displaced() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        try await ana.webSocket { socket in
            for _ in 1...EventBus.streamsPerAccount {
                _ = world.tintype.events.subscribe(ana.id, session: ID(rawValue: 1), after: nil)
            }
            let last = try await socket.next()
            #expect(last == .close(1008))
        }
    }
}

@Suite("What Mastodon's apps ask for at their start")
struct AppStartTests {
    @Test("Every call that reads answers with a slash at its end as without")
    func slashes() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        for operation in world.tintype.features.all.flatMap(\.operations)
        where operation.method == "GET" && !operation.path.contains("/events")
            && !operation.path.contains("/streaming")
        {
            let path = operation.pathParameters.reduce(operation.path) {
                $0.replacing("{\($1)}", with: "\(ana.id)")
            }
            let (bare, slash) = (try await ana.get(path), try await ana.get(path + "/"))
            #expect(bare.status == slash.status, "\(path)")
        }
    }

    @Test(
        "NodeInfo is where programs look for it; nothing is exchanged with other servers, so none is blocked")
    func others() async throws {
        let world = try await World()
        let ana = try await world.account("ana")
        let links = try await world.stranger.get("/.well-known/nodeinfo")["links"]
        #expect(links[0]["rel"] == "http://nodeinfo.diaspora.software/ns/schema/2.0")
        let href = try #require(links[0]["href"].string)
        let node = try await world.stranger.get(String(href.dropFirst("http://localhost".count)))
        #expect(node["version"] == "2.0" && node["software"]["name"] == "pixelfed")
        for path in ["domain_blocks", "instance/domain_blocks"] {
            let answer = try await ana.get("/api/v1/\(path)")
            #expect(answer.status == 200 && answer.json == [])
        }
        #expect(try await ana.post("/api/v1/domain_blocks", json: ["domain": "a.example"]).status == 422)
        #expect(
            try await ana.send(.delete, "/api/v1/domain_blocks", json: ["domain": "a.example"]).status == 200)
        let compose = try await ana.get("/api/v1.1/compose/settings")
        #expect(compose["max_media_attachments"] == 10 && compose["max_altext_length"] == 1500)
        #expect(try await ana.get("/api/v1.1/accounts/username/ana")["id"].string == "\(ana.id)")
        #expect(try await ana.get("/api/v1.1/accounts/username/nobody").status == 404)
    }

    @Test(
        "The server says where its WebSocket is, with encryption where the pages have it",
        arguments: [("http://localhost", "ws://localhost"), ("https://a.example", "wss://a.example")])
    func streamingAddress(publicURL: String, streaming: String) async throws {
        let stranger = try await World { $0.publicURL = publicURL }.stranger
        let old = try await stranger.get("/api/v1/instance")
        #expect(old["urls"]["streaming_api"] == .text(streaming))
        let new = try await stranger.get("/api/v2/instance")
        #expect(new["configuration"]["urls"]["streaming"] == .text(streaming))
    }

    @Test("Mutuals are those whom one follows and who follow the other")
    func mutuals() async throws {
        let world = try await World()
        let people = try await world.friends("ana", "ben", "cleo")
        let (ana, ben, cleo) = (people[0], people[1], people[2])
        let dora = try await world.account("dora")
        try await ana.follow(dora)
        let found = try await ana.get("/api/v1.1/accounts/mutuals/\(ben.id)").json.list
        #expect(found.map { $0["username"] } == ["cleo"])
        // As Mastodon has it, for several at once, also in a body, without those who can't be seen.
        let ids: JSON = ["id": [.text("\(ben.id)"), .text("\(dora.id)"), "1"]]
        let path = "/api/v1/accounts/familiar_followers"
        for answer in [
            try await ana.get("\(path)?id[]=\(ben.id)&id[]=\(dora.id)&id[]=1"),
            try await ana.send(.get, path, json: ids),
        ] {
            let familiar = answer.json.list
            #expect(familiar.map { $0["id"] } == [.text("\(ben.id)"), .text("\(dora.id)")])
            #expect(familiar.map { $0["accounts"].list.map { $0["username"] } } == [["cleo"], []])
        }
        _ = try await cleo.post("/api/v1/accounts/\(ben.id)/unfollow")
        #expect(try await ana.get("/api/v1.1/accounts/mutuals/\(ben.id)").json == [])
    }
}
