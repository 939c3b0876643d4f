import AsyncHTTPClient
import Foundation
import HTTPTypes
import Imaging
import NIOCore
import NIOHTTP1
import Testing

@testable import Core
@testable import Tintype

@Suite("The queue for pictures", .timeLimit(.minutes(5)))
struct PictureQueueTests {
    @Test("An upload is done at once beside twenty costly ones of another account, which may have a few")
    func flood() async throws {
        let world = try await World(sharesProcessor: false)
        let (eve, ben) = (try await world.account("eve"), try await world.account("ben"))
        let (costly, photo) = (try CostlyPicture.avif(), try await TestPicture.jpeg())
        let processor = world.tintype.parts.processor
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<20 {
                group.addTask { try await eve.post("/api/v2/media", multipart: [.file("file", costly)]) }
            }
            // Those that don't fit are refused while the others still wait.
            var refused: [Answer] = []
            while refused.count < 9, let answer = try await group.next() { refused.append(answer) }
            for answer in refused {
                #expect(answer.status == 429)
                #expect(try #require(answer.headers[.retryAfter].flatMap { Int($0) }) >= 1)
                #expect(answer.shows("Several of your pictures are still being prepared."))
            }
            #expect(processor.waitingCount > 5)
            let answer = try await ben.post("/api/v2/media", multipart: [.file("file", photo)])
            #expect(answer.status == 200)
            #expect(processor.waitingCount > 5, "Ben came before those who waited")
            group.cancelAll()
            while (try? await group.next()) != nil {}
        }
    }

    @Test("A sign-up is done at once beside an account’s costly pictures")
    func signUp() async throws {
        let world = try await World(sharesProcessor: false) { $0.pictureThreads = 2 }
        let eve = try await world.account("eve")
        let costly = try CostlyPicture.avif()
        let processor = world.tintype.parts.processor
        let flood = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        _ = try await eve.post("/api/v2/media", multipart: [.file("file", costly)])
                    }
                }
                try await group.waitForAll()
            }
        }
        while processor.waitingCount < 4 { await Task.yield() }
        let answer = try await world.stranger.submit(
            "/signup",
            multipart: [
                .text("username", "nour"), .text("display_name", "Nour"), .text("password", "correct horse"),
                .file("portrait", try await TestPicture.jpeg()),
            ])
        #expect(answer.status == 303)
        #expect(processor.waitingCount > 0)
        flood.cancel()
        _ = try? await flood.value
    }

    @Test(
        "A client that goes leaves the queue, and ends what is decoded for it alone",
        arguments: Transport.allCases)
    func leaving(transport: Transport) async throws {
        let world = try await World(sharesProcessor: false) {
            $0.pictureThreads = 1
            transport.configure(&$0)
        }
        let (ana, ben) = (try await world.account("ana"), try await world.account("ben"))
        let costly = FormPart.body([.file("file", try CostlyPicture.avif())])
        let processor = world.tintype.parts.processor
        @Sendable func until(_ condition: @Sendable () -> Bool) async throws {
            while !condition() { try await Task.sleep(for: .milliseconds(1)) }
        }
        try await world.live { server in
            // With HTTP/2, Ana and Ben have streams of one connection. Each goes by resetting their own stream.
            try await transport.withClient { client in
                try await transport.greet(server, with: client)
                func upload(as person: Person) -> Task<Void, any Error> {
                    let request = transport.request(
                        .POST, "/api/v2/media", on: server, as: person, form: .bytes(costly))
                    return Task { _ = try await client.execute(request, timeout: .minutes(5)) }
                }
                let anas = upload(as: ana)
                try await until { processor.runningCount == 1 }
                let bens = upload(as: ben)
                try await until { processor.waitingCount == 1 }
                bens.cancel()
                try await until { processor.waitingCount == 0 }
                #expect(processor.runningCount == 1, "Ana’s goes on")
                anas.cancel()
                try await until { processor.runningCount == 0 }
            }
        }
        #expect(processor.lossCount == 0)
        #expect(try await world.number("SELECT count(*) FROM photos") == 0)
        #expect(try await world.fileCount() == 0)
        // And what they send again is taken.
        _ = try await ana.photo()
    }
}
