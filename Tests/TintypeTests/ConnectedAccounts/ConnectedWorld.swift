import Foundation
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

extension OutgoingPace {
    /// Time enough for hundreds of tests at once.
    static let patient = OutgoingPace(connect: 240, idle: 240, answer: 240)
}

extension World {
    /// A world whose server may ask the servers of the tests.
    static func outward(
        pace: OutgoingPace = .patient, folder: String? = nil,
        clock: TestClock = TestClock()
    ) async throws -> World {
        try await World(folder: folder, clock: clock) { configuration in
            configuration.allowsPrivateAddresses = true
            configuration.outgoingPace = pace
        }
    }

    var connections: ConnectedAccountService { tintype.features.connectedAccounts.accounts }
    var crossPosts: CrossPostService { tintype.features.connectedAccounts.crossPosts }

    func state(_ id: CrossPost.ID) async throws -> CrossPost.State {
        try await tintype.database.read { try CrossPostRecords($0).state(of: id) }
    }

    func progress(_ id: CrossPost.ID) async throws -> CrossPostProgress {
        try await tintype.database.read { try #require(try CrossPostStore($0).post(id)).post.progress }
    }

    /// Moves the time forward to each next step until a post has ended.
    ///
    /// - Parameter hours: for how long at most.
    /// - Returns: its state then.
    @discardableResult
    func end(_ id: CrossPost.ID, within hours: Double = 80) async throws -> CrossPost.State {
        let end = clock.now.addingTimeInterval(hours * 3600)
        while true {
            try await work()
            let progress = try await progress(id)
            guard progress.ending == nil, progress.nextAt <= end else { return progress.state }
            clock.advance(seconds: max(0.001, progress.nextAt.timeIntervalSince(clock.now)))
        }
    }
}

extension Person {
    /// Begins to connect an account, as in a browser. Returns where the person is sent.
    func departure(to server: String) async throws -> String {
        let page = try await submit("/settings/connected", ["server": server])
        try #require(page.status == 200, "\(page.text.suffix(1500))")
        let link = try #require(page.text.firstMatch(of: /href="([^"]*oauth\/authorize[^"]*)"/))
        return String(link.1).replacing("&amp;", with: "&")
    }

    /// Connects the account of a server.
    func connect(_ server: OutsideMastodon) async throws {
        let answer = try await visit(server.allow(try await departure(to: server.url)))
        try #require(answer.status == 303)
        let account = try await world.connections.account(of: try await account())
        try #require(account?.isUsable == true, "not connected: \(answer.headers)")
    }

    func account() async throws -> Account {
        try await world.tintype.database.read { try #require(try AccountRecords($0).unchecked(id)) }
    }

    /// Begins to publish a photo of the library on the connected account.
    func crossPost(_ text: String = "I broke my promise", photo: String? = nil) async throws -> CrossPost.ID {
        let id: String
        if let photo { id = photo } else { id = try await self.photo() }
        return try await world.tintype.database.write { [world] transaction in
            let key = try #require(
                try transaction.value(
                    "SELECT blob_key FROM photo_files WHERE photo_id = $1 AND variant = 'large.jpeg'",
                    Int64(id) ?? 0, as: BlobKey.self))
            return try world.crossPosts.publish(
                .init(text: text, picture: key, description: "A dog"),
                reference: .init(kind: "test", id: 7), by: self.id,
                on: try ConnectedAccountRecords(transaction).connected(self.id)?.handle, transaction)
        }
    }
}
