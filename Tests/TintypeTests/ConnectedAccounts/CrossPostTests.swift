import Foundation
import Storage
import Synchronization
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Publishing on a connected account", .timeLimit(.minutes(15)))
struct CrossPostTests {
    /// Someone with a connected account, and its server.
    private func scene(
        pace: OutgoingPace = .patient,
        _ body: @escaping @Sendable (OutsideMastodon, Person) async throws -> Void
    ) async throws {
        try await OutsideMastodon.with { server in
            let world = try await World.outward(pace: pace)
            let ana = try await world.account("ana")
            try await ana.connect(server)
            try await body(server, ana)
        }
    }

    @Test("A picture with words goes out once, and its copy is erased here")
    func publishes() async throws {
        try await scene { server, ana in
            let photo = try await ana.photo()
            let files = try await ana.world.fileCount()
            let id = try await ana.crossPost("Late again & sorry", photo: photo)
            #expect(try await ana.world.state(id) == .pending)
            #expect(try await ana.world.end(id, within: 0) == .published(url: "\(server.url)/@ana/109002"))
            let post = try #require(server.posts.first)
            #expect(server.publishedCount == 1 && server.posts.count == 1)
            #expect(post.text == "Late again & sorry")
            let upload = try #require(server.calls.first { $0.uploads })
            let body = String(decoding: upload.body, as: UTF8.self)
            #expect(body.contains("A dog") && body.contains("filename=\"photo.jpg\""))
            // The bytes of a JPEG.
            #expect(Data(upload.body).range(of: Data([0xFF, 0xD8, 0xFF])) != nil)
            #expect(try await ana.world.fileCount() == files)
            let page = try await ana.visit("/settings/connected")
            #expect(page.shows("Published on \(server.host)") && page.shows("Late again &amp; sorry"))
        }
    }

    @Test("The picture is copied at once, so that it may be erased right after")
    func copies() async throws {
        try await scene { server, ana in
            server.misbehave { _ in .cutOff }
            let photo = try await ana.photo()
            let id = try await ana.crossPost(photo: photo)
            let database = ana.world.tintype.database
            #expect(try await database.read { try !CrossPostRecords($0).isCopied(id) })
            try await ana.world.work()
            #expect(try await database.read { try CrossPostRecords($0).isCopied(id) })
            #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 200)
            try await ana.world.work()
            server.behave()
            #expect(try await ana.world.end(id).isPublished)
            #expect(try await ana.world.fileCount() == 0)
            #expect(try await ana.world.tintype.problems() == [])
        }
    }

    @Test("A picture that is erased before it is copied is said to be")
    func erasedBefore() async throws {
        try await scene { server, ana in
            let photo = try await ana.photo()
            let id = try await ana.crossPost(photo: photo)
            #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 200)
            #expect(
                try await ana.world.end(id)
                    == .failed(reason: "The picture was erased before it could be published."))
            #expect(server.publishedCount == 0)
        }
    }

    @Test(
        "A picture that can't be copied for three days is given up, and the person gets a notification",
        .onlyFolder)
    func uncopied() async throws {
        try await scene { _, ana in
            let world = ana.world
            let id = try await ana.crossPost()
            let found = try await world.tintype.database.read { try CrossPostStore($0).post(id) }
            let source = try #require(found?.source)
            let path = world.path(of: source)
            // A folder can't be copied as a file, not even by root.
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try await world.work()
            world.clock.advance(seconds: CrossPostProgress.patience - 1)
            try await world.work()
            #expect(try await world.state(id) == .pending)
            world.clock.advance(hours: 1)
            try await world.work()
            guard case .failed(let reason) = try await world.state(id) else {
                Issue.record("not given up")
                return
            }
            #expect(reason.contains("couldn’t be copied"))
            #expect(try await ana.visit("/settings/connected").shows("couldn’t be copied"))
            let jobs = "SELECT count(*) FROM jobs WHERE kind = 'copy-cross-post-picture'"
            #expect(try await world.number(jobs) == 0)
        }
    }

    @Test("Waits for an upload that is processed, and takes no longer than it does")
    func processing() async throws {
        try await scene { server, ana in
            server.takesPolls(4)
            let id = try await ana.crossPost()
            try await ana.world.work()
            #expect(try await ana.world.state(id) == .pending)
            #expect(try await ana.world.end(id, within: 0.1).isPublished)
            #expect(server.publishedCount == 1 && server.calls.filter(\.uploads).count == 1)
        }
    }

    @Test("A server that lists far more posts than it was asked for isn't listened to")
    func tooLong() async throws {
        try await scene { server, ana in
            let posts = (1...81).map {
                #"{"id":"\#($0)","content":"<p>x</p>","media_attachments":[],"account":{"id":"42"}}"#
            }
            server.misbehave { call in
                call.lists ? .answersAfter(200, "[\(posts.joined(separator: ","))]") : nil
            }
            let id = try await ana.crossPost()
            try await ana.world.work()
            guard case .retrying = try await ana.world.state(id) else {
                Issue.record("The list was listened to.")
                return
            }
            #expect(server.publishedCount == 0)
            server.behave()
            #expect(try await ana.world.end(id).isPublished)
        }
    }

    /// What goes wrong at any request.
    private static let faults: [(String, OutsideMastodon.Fault)] = [
        ("lost before", .cutOff), ("lost after", .lostAnswer), ("500", .answers(500)),
        ("503", .answers(503, retryAfter: "20")),
        ("502 after", .answersAfter(502, "<html>Bad Gateway</html>")),
        ("504 after", .answersAfter(504, "")), ("429", .answers(429, retryAfter: "400")),
        ("nonsense", .answersAfter(200, "<html>Hello</html>")), ("empty", .answersAfter(200, "")),
        ("other JSON", .answersAfter(200, "{\"ok\":true}")),
        ("bad id", .answersAfter(200, "{\"id\":\"../../x\"}")), ("endless", .endless),
        ("elsewhere", .redirects("http://127.0.0.1:1/")), ("204", .answersAfter(204, "")),
        ("an upload", .answersAfter(200, OutsideMastodon.upload)),
        ("somebody else's post", .answersAfter(200, OutsideMastodon.post(of: "77"))),
        ("another post of the account", .answersAfter(200, OutsideMastodon.post(of: "42"))),
        ("somebody else's list", .answersAfter(200, "[\(OutsideMastodon.post(of: "77"))]")),
    ]

    @Test("Whatever happens once to any request, exactly one post results", arguments: faults.indices)
    func once(index: Int) async throws {
        let (name, fault) = Self.faults[index]
        for hasKeys in [true, false] {
            try await scene { server, ana in
                server.remembersKeys(hasKeys)
                for request in 0..<4 {
                    server.misbehaveOnce { call in
                        let isMeant = [call.uploads, call.checks, call.lists, call.creates][request]
                        return isMeant ? fault : nil
                    }
                    // Words of its own: of the same words nobody could say whose they are.
                    let id = try await ana.crossPost("Broken for the \(request + 1). time")
                    let state = try await ana.world.end(id, within: 2)
                    #expect(state.isPublished, "\(name) at request \(request): \(state)")
                    #expect(server.publishedCount == request + 1, "\(name) at request \(request)")
                    let newest = try #require(server.posts.first)
                    #expect(state == .published(url: "\(server.url)/@ana/\(newest.id)"))
                }
            }
        }
    }

    @Test("A server that sends each answer twice mixes up nobody's posts", arguments: [1, 30])
    func twice(milliseconds: Int) async throws {
        try await OutsideMastodon.with { server in
            let world = try await World.outward()
            var posts: [(text: String, id: CrossPost.ID)] = []
            for name in ["ana", "ben", "cleo"] {
                let person = try await world.account(name)
                try await person.connect(server)
                posts.append((name, try await person.crossPost(name)))
            }
            server.repeatsAnswers(afterMilliseconds: milliseconds)
            for post in posts {
                let state = try await world.end(post.id, within: 0)
                let published = try #require(server.posts.first { $0.text == post.text })
                #expect(state == .published(url: "\(server.url)/@ana/\(published.id)"))
                #expect(try await world.progress(post.id).attempts == 0)
            }
            #expect(server.publishedCount == 3)
        }
    }

    @Test("A post isn't taken for an upload, nor somebody else's list for one without our post")
    func otherAnswers() async throws {
        try await scene { server, ana in
            server.misbehaveOnce { $0.uploads ? .answersAfter(200, OutsideMastodon.post(of: "42")) : nil }
            let first = try await ana.crossPost("First")
            #expect(try await ana.world.end(first, within: 1).isPublished)
            #expect(!server.calls.contains { $0.path == "/api/v1/media/999" })
            let isLost = Mutex(false)
            server.misbehave { call in
                if call.creates {
                    isLost.withLock { $0 = true }
                    return .lostAnswer
                }
                guard call.lists, isLost.withLock({ $0 }) else { return nil }
                isLost.withLock { $0 = false }
                return .answersAfter(200, "[\(OutsideMastodon.post(of: "77"))]")
            }
            let second = try await ana.crossPost("Second")
            #expect(try await ana.world.end(second, within: 1).isPublished)
            #expect(server.publishedCount == 2)
        }
    }

    @Test("Every request to publish fails in one way again and again: one post at most, and it is found")
    func again() async throws {
        for (name, fault) in Self.faults {
            try await scene { server, ana in
                server.remembersKeys(false)
                server.misbehave { $0.creates ? fault : nil }
                let id = try await ana.crossPost()
                let state = try await ana.world.end(id)
                #expect(server.publishedCount <= 1, "\(name)")
                #expect(state.isPublished == (server.publishedCount == 1), "\(name): \(state)")
                if server.publishedCount == 0 {
                    guard case .failed(let reason) = state else {
                        Issue.record("\(name): \(state)")
                        return
                    }
                    #expect(reason.contains(server.host), "\(name): \(reason)")
                }
            }
        }
    }

    @Test("A server that never answers is given up with its request, and looked at later")
    func silence() async throws {
        try await scene(pace: OutgoingPace(connect: 240, idle: 12)) { server, ana in
            server.misbehaveOnce { $0.creates ? .silence : nil }
            let id = try await ana.crossPost()
            try await ana.world.work()
            guard case .retrying(attempts: 1, _) = try await ana.world.state(id) else {
                Issue.record("it isn't tried again")
                return
            }
            #expect(try await ana.world.end(id, within: 2).isPublished)
            #expect(server.publishedCount == 1)
        }
    }

    @Test("A server that is away for hours is tried with growing pauses, for three days")
    func away() async throws {
        try await scene { server, ana in
            server.misbehave { _ in .answers(503) }
            let id = try await ana.crossPost()
            let before = server.calls.count
            for _ in 0..<6 {
                try await ana.world.work()
                let next = try await ana.world.progress(id).nextAt
                ana.world.clock.advance(seconds: next.timeIntervalSince(ana.world.clock.now))
            }
            let page = try await ana.visit("/settings/connected")
            #expect(
                page.shows("Not published yet, after 6 tries.") && page.shows("answered with an error (503)"))
            server.behave()
            #expect(try await ana.world.end(id).isPublished)
            server.misbehave { _ in .answers(503) }
            let other = try await ana.crossPost()
            let state = try await ana.world.end(other)
            guard case .failed(let reason) = state else {
                Issue.record("\(state)")
                return
            }
            #expect(reason.contains("503"))
            let days = try await ana.world.progress(other)
            #expect(ana.world.clock.now.timeIntervalSince(days.beganAt) < 3.2 * 86_400)
            // Some thirty tries in three days.
            #expect(server.calls.count - before < 60)
            #expect(server.publishedCount == 1)
            #expect(try await ana.visit("/settings/connected").shows("Not published. "))
        }
    }

    @Test("Nobody there is surely nothing sent: it is tried again without a search")
    func unreachable() async throws {
        let world = try await World.outward()
        let ana = try await world.account("ana")
        // An address of its own, since other tests' servers may get its port.
        let (id, host) = try await OutsideMastodon.with(address: "127.0.0.77") { server in
            try await ana.connect(server)
            return (try await ana.crossPost(), server.host)
        }
        try await world.work()
        let progress = try await world.progress(id)
        #expect(progress.attempts == 1 && progress.step == .upload)
        #expect(progress.reason == "\(host) can’t be reached.")
    }

    @Test("The server says to wait, by either header")
    func retryAfter() async throws {
        try await scene { server, ana in
            server.misbehaveOnce { $0.uploads ? .answers(429, retryAfter: "5000") : nil }
            let id = try await ana.crossPost()
            try await ana.world.work()
            let progress = try await ana.world.progress(id)
            #expect(progress.nextAt == ana.world.clock.now.addingTimeInterval(5_000))
        }
        let now = Date(timeIntervalSince1970: 1_790_000_000)
        #expect(RetryAfter.seconds(until: "2026-09-21T14:14:20.123456Z", now: now) == 60)
        #expect(RetryAfter.seconds(until: "2020-01-01T00:00:00Z", now: now) == 0)
        for text in ["", "soon", "1790000000"] { #expect(RetryAfter.seconds(until: text, now: now) == nil) }
    }

    // MARK: Access and refusals

    @Test("An access that was revoked there ends what is under way, and is seen in Settings")
    func revokedThere() async throws {
        try await scene { server, ana in
            server.revokeTokens()
            let id = try await ana.crossPost()
            #expect(try await ana.world.end(id) == .revoked)
            #expect(try await ana.world.connections.account(of: ana.account())?.isUsable == false)
            #expect(
                try await ana.visit("/settings/connected").shows("doesn’t accept Tintype’s access any more"))
            #expect(try await ana.visit("/settings").shows("Not working"))
            // Without access, the next one ends at once.
            #expect(try await ana.world.state(ana.crossPost()) == .revoked)
            try await ana.connect(server)
            #expect(try await ana.world.end(ana.crossPost()).isPublished)
            #expect(server.publishedCount == 1)
        }
    }

    @Test("What the server refuses has failed with its words")
    func refused() async throws {
        try await scene { server, ana in
            server.misbehave { call in
                call.creates
                    ? .answers(422, "{\"error\":\"Validation failed: <b>Text</b> is too long\"}") : nil
            }
            let id = try await ana.crossPost()
            #expect(
                try await ana.world.end(id)
                    == .failed(reason: "\(server.host) says: Validation failed: <b>Text</b> is too long"))
            #expect(try await ana.visit("/settings/connected").shows("&lt;b&gt;Text&lt;/b&gt; is too long"))
            #expect(server.calls.filter(\.creates).count == 1)
        }
    }

    @Test("An upload that is gone meanwhile is uploaded again")
    func mediaDeleted() async throws {
        try await scene { server, ana in
            // The server swears that nothing was done, as with 429.
            let isRefused = Mutex(false)
            server.misbehave { call in
                guard call.creates, isRefused.withLock({ $0 }) == false else { return nil }
                isRefused.withLock { $0 = true }
                server.forgetMedia()
                return .answers(429)
            }
            let id = try await ana.crossPost()
            #expect(try await ana.world.end(id, within: 2).isPublished)
            #expect(server.publishedCount == 1 && server.calls.filter(\.uploads).count == 2)
            // Gone between the question and the post.
            let isGone = Mutex(false)
            server.misbehave { call in
                if call.creates, isGone.withLock({ $0 }) == false {
                    isGone.withLock { $0 = true }
                    server.forgetMedia()
                }
                return nil
            }
            let other = try await ana.crossPost()
            #expect(try await ana.world.end(other, within: 2).isPublished)
            #expect(server.publishedCount == 2)
        }
    }

    @Test("A redirect leads nowhere, so that no other server gets the token")
    func redirects() async throws {
        try await OutsideMastodon.with { inner in
            try await scene { server, ana in
                server.misbehave { _ in .redirects(inner.url + "/api/v1/statuses") }
                let id = try await ana.crossPost()
                try await ana.world.end(id, within: 1)
                #expect(inner.calls.isEmpty)
                #expect(server.calls.count > 3)
            }
        }
    }

    // MARK: When nobody can know

    @Test("An account that can't be listed makes a lost answer uncertain, and the person decides")
    func unlistable() async throws {
        try await scene { server, ana in
            server.misbehave { call in
                call.lists ? .answers(403) : call.creates ? .lostAnswer : nil
            }
            let id = try await ana.crossPost()
            #expect(try await ana.world.end(id) == .uncertain)
            #expect(server.publishedCount == 1)
            let page = try await ana.visit("/settings/connected")
            #expect(page.shows("This may have been published.") && page.shows("It isn’t there"))
            let path = "/settings/connected/posts/\(id)/settle"
            let ben = try await ana.world.account("ben")
            #expect(try await ben.submit(path, ["published": "true"]).status == 404)
            #expect(try await ben.submit(path).status == 404)
            #expect(try await ana.submit(path).status == 422)
            #expect(try await ana.submit(path, ["published": "true"]).status == 303)
            #expect(try await ana.world.state(id) == .published(url: "\(server.url)/@ana"))
            #expect(try await ana.submit(path, ["published": "true"]).status == 409)
            #expect(server.publishedCount == 1)
        }
    }

    @Test("What isn't there by the person's word is published from the beginning, with a new key")
    func notThere() async throws {
        try await scene { server, ana in
            server.misbehave { call in
                call.lists ? .answers(403) : call.creates ? .cutOff : nil
            }
            let id = try await ana.crossPost()
            #expect(try await ana.world.end(id) == .uncertain)
            server.behave()
            let answer = try await ana.submit(
                "/settings/connected/posts/\(id)/settle", ["published": "false"])
            #expect(answer.status == 303)
            #expect(try await ana.world.end(id, within: 1).isPublished)
            #expect(server.publishedCount == 1)
            #expect(
                Set(server.calls.filter(\.creates).compactMap { $0.headers["idempotency-key"] }).count == 2)
        }
    }

    @Test("An uncertain one waits for thirty days, and its picture goes then")
    func nobodyLooks() async throws {
        try await scene { server, ana in
            server.misbehave { call in
                call.lists ? .answers(403) : call.creates ? .cutOff : nil
            }
            let photo = try await ana.photo()
            let files = try await ana.world.fileCount()
            let id = try await ana.crossPost(photo: photo)
            #expect(try await ana.world.end(id) == .uncertain)
            ana.world.clock.advance(hours: 24 * 29)
            try await ana.world.work()
            #expect(try await ana.world.state(id) == .uncertain)
            #expect(try await ana.world.fileCount() == files + 1)
            ana.world.clock.advance(hours: 25)
            try await ana.world.work()
            #expect(try await ana.world.state(id) == .failed(reason: "Nobody said whether it was published."))
            #expect(try await ana.world.fileCount() == files)
        }
    }

    @Test("A post that was lost, and deleted there since, isn't published again")
    func deletedThere() async throws {
        try await scene { server, ana in
            server.misbehaveOnce { $0.creates ? .lostAnswer : nil }
            let id = try await ana.crossPost()
            try await ana.world.work()
            server.deletePosts()
            #expect(try await ana.world.end(id) == .uncertain)
            #expect(server.publishedCount == 1)
        }
    }

    @Test("Among many newer posts ours is found; beyond four hundred nobody can know")
    func manyPosts() async throws {
        for (count, isFound) in [(0, true), (39, true), (40, true), (350, true), (450, false)] {
            try await scene { server, ana in
                server.remembersKeys(false)
                server.write(["Before", "Long before"])
                server.misbehaveOnce { $0.creates ? .lostAnswer : nil }
                let id = try await ana.crossPost()
                try await ana.world.work()
                server.write((0..<count).map { "Post \($0)" })
                let state = try await ana.world.end(id, within: 1)
                #expect(state.isPublished == isFound, "\(count): \(state)")
                #expect(isFound || state == .uncertain)
                #expect(server.publishedCount == 1)
            }
        }
    }

    @Test("Another post with the same words is a riddle; older ones and others aren't")
    func alike() async throws {
        for (before, after, state) in [
            (["I broke my promise"], ["Other"], true), ([], ["I broke  my\npromise"], false),
        ] as [([String], [String], Bool)] {
            try await scene { server, ana in
                server.write(before)
                server.misbehaveOnce { $0.creates ? .cutOff : nil }
                let id = try await ana.crossPost()
                try await ana.world.work()
                server.write(after)
                let found = try await ana.world.end(id, within: 1)
                #expect(found.isPublished == state && (state || found == .uncertain), "\(found)")
                #expect(server.publishedCount == (state ? 1 : 0))
            }
        }
    }

    @Test("On a server that numbers attachments again, ours is known by its file")
    func renumbered() async throws {
        try await scene { server, ana in
            server.renumbersMedia(true)
            server.remembersKeys(false)
            server.misbehaveOnce { $0.creates ? .lostAnswer : nil }
            let id = try await ana.crossPost()
            #expect(try await ana.world.end(id, within: 1).isPublished)
            #expect(server.publishedCount == 1)
        }
    }

    @Test("A list that nobody can read is tried again, and in the end uncertain")
    func nonsenseList() async throws {
        for text in [
            "{}", "[1]", "[{\"id\":\"5\"}]", "[{\"id\":\"a/b\",\"media_attachments\":[]}]", "<html>",
        ] {
            try await scene { server, ana in
                server.misbehaveOnce { $0.creates ? .lostAnswer : nil }
                let id = try await ana.crossPost()
                try await ana.world.work()
                server.misbehave { $0.lists ? .answers(200, text) : nil }
                #expect(try await ana.world.end(id) == .uncertain)
                #expect(server.publishedCount == 1)
            }
        }
    }

    // MARK: Kills

    @Test(
        "Killed between the request and its note: the next start looks, and posts no second time",
        arguments: [true, false])
    func killed(isDone: Bool) async throws {
        try await OutsideMastodon.with { server in
            let world = try await World.outward()
            let ana = try await world.account("ana")
            try await ana.connect(server)
            server.remembersKeys(false)
            let id = try await ana.crossPost()
            let note = world.folder + "/pid"
            server.misbehaveOnce { call in
                guard call.creates,
                    let pid = Int32((try? String(contentsOfFile: note, encoding: .utf8)) ?? "")
                else { return nil }
                kill(pid, SIGKILL)
                return isDone ? .lostAnswer : .cutOff
            }
            await #expect(processExitsWith: .signal(SIGKILL)) { [folder = world.folder as String] in
                try "\(getpid())".write(toFile: folder + "/pid", atomically: true, encoding: .utf8)
                try await World.outward(folder: folder).work()
            }
            #expect(server.publishedCount == (isDone ? 1 : 0))
            let progress = try await world.progress(id)
            #expect(progress.step == .post && progress.mayBeOut && progress.ending == nil)
            // Nobody else takes the job before its lease has ended.
            try await world.work()
            #expect(server.calls.filter(\.creates).count == 1)
            world.clock.advance(seconds: JobRunner.leaseSeconds)
            #expect(try await world.end(id, within: 1).isPublished)
            #expect(server.publishedCount == 1)
        }
    }

    @Test("A job that a crash has left behind its successor does nothing")
    func staleJob() async throws {
        try await scene { server, ana in
            server.misbehave { $0.uploads ? .answers(503) : nil }
            let id = try await ana.crossPost()
            try await ana.world.work()
            try await ana.world.tintype.database.write { transaction in
                for turn in 0...1 { try transaction.schedule(.crossPost, payload: "\(id) \(turn)") }
                for payload in ["", "x 1", "1 1", "\(id)", "\(id) 99"] {
                    try transaction.schedule(.crossPost, payload: payload)
                }
            }
            let before = server.calls.count
            try await ana.world.work()
            #expect(server.calls.count == before)
            #expect(try await ana.world.number("SELECT count(*) FROM jobs WHERE kind = 'cross-post'") == 1)
        }
    }

    @Test("Nothing local waits while another server is slow")
    func lanes() async throws {
        try await scene { server, ana in
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            server.misbehave { call in
                guard call.uploads else { return nil }
                ask.yield()
                return .silence
            }
            _ = try await ana.crossPost()
            let running = Task { try await ana.world.tintype.jobs.run() }
            for await _ in asked { break }
            // Another person's picture is erased meanwhile.
            let photo = try await ana.photo()
            #expect(try await ana.delete("/api/v1/photos/\(photo)").status == 200)
            while try await ana.world.number("SELECT count(*) FROM jobs WHERE kind = 'erase-blob'") > 0 {
                await Task.yield()
            }
            running.cancel()
            try await running.value
        }
    }

    // MARK: Leaving

    @Test("Disconnecting ends what is under way, and what may be out is uncertain")
    func disconnects() async throws {
        try await scene { server, ana in
            server.misbehave { $0.uploads ? .answers(503) : nil }
            let id = try await ana.crossPost()
            try await ana.world.work()
            server.misbehaveOnce { $0.creates ? .cutOff : nil }
            let other = try await ana.crossPost()
            try await ana.world.work()
            #expect(try await ana.submit("/settings/connected/disconnect").status == 303)
            #expect(try await ana.world.state(id) == .revoked)
            #expect(try await ana.world.state(other) == .uncertain)
            try await ana.world.work()
            #expect(server.tokens.isEmpty)
            ana.world.clock.advance(hours: 100)
            try await ana.world.work()
            #expect(server.publishedCount == 0)
            // Nothing can be published any more.
            let path = "/settings/connected/posts/\(other)/settle"
            #expect(try await ana.submit(path, ["published": "false"]).status == 303)
            #expect(try await ana.world.state(other) == .revoked)
        }
    }

    @Test("A deleted account publishes nothing, leaves nothing, and gives its token back")
    func deleted() async throws {
        try await scene { server, ana in
            server.misbehave { $0.uploads ? .answers(503) : nil }
            let id = try await ana.crossPost()
            try await ana.world.work()
            #expect(try await ana.submit("/settings/delete", ["password": "correct horse"]).status == 303)
            try await ana.world.work()
            server.behave()
            ana.world.clock.advance(hours: 100)
            try await ana.world.work()
            #expect(server.publishedCount == 0 && server.tokens.isEmpty)
            #expect(try await ana.world.state(id) == .revoked)
            for table in ["cross_posts", "connected_accounts", "connection_attempts", "blobs"] {
                #expect(try await ana.world.number("SELECT count(*) FROM \(table)") == 0, "\(table)")
            }
        }
    }

    @Test("A feature hears of every change of its own cross-posts, in its transaction, and of no others")
    func changes() async throws {
        try await scene { server, ana in
            let received = ReceivedChanges()
            ana.world.crossPosts.listeners.add("test", agreed: "in a test", received.changed)
            ana.world.crossPosts.listeners.add("other", agreed: "elsewhere") { _, _ in
                Issue.record("heard of another's")
            }
            server.misbehaveOnce { $0.uploads ? .answers(503) : nil }
            let id = try await ana.crossPost()
            try await ana.world.end(id)
            let states = received.states
            #expect(states.last?.isPublished == true)
            if case .retrying(attempts: 1, _) = states.first {} else { Issue.record("\(states)") }
        }
    }
}

/// Listens as a feature does.
private final class ReceivedChanges: Sendable {
    private let received = Mutex<[CrossPost.State]>([])
    var states: [CrossPost.State] { received.withLock { $0 } }

    @Sendable func changed(_ post: CrossPost, _ transaction: Transaction) throws {
        #expect(try CrossPostRecords(transaction).state(of: post.id) == post.state)
        #expect(post.reference == .init(kind: "test", id: 7))
        received.withLock { $0.append(post.state) }
    }
}

extension CrossPost.State {
    /// Whether it is out.
    var isPublished: Bool { if case .published = self { true } else { false } }
}
