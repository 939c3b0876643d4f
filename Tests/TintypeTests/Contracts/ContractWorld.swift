import Foundation
import HTTPTypes
import Storage
import Testing

@testable import Serving

extension Person {
    /// The calls of contracts.
    static let contracts = "/api/v1/contracts"

    /// What a proposer sends, by default with a stake of their own. A member with null is left out.
    func proposal(to partner: Person, witness: Person? = nil, changed: [String: JSON] = [:]) async throws
        -> JSON
    {
        var form: [String: JSON] = [
            "partner_id": "\(partner.id)", "promise": "We run every Sunday", "rules": ["Outside", "An hour"],
            "ends_at": .text(Timestamp.iso8601(world.clock.now.addingTimeInterval(30 * 24 * 3_600))),
            "publish_to": ["server"], "breach_text": "I stayed in bed", "consent": true, "of_age": true,
        ]
        if let witness { form["witness_id"] = "\(witness.id)" }
        if changed["stake_media_id"] == nil, changed["stake_photo_id"] == nil {
            form["stake_media_id"] = .text(try await photo(description: "Embarrassing", purpose: "stake"))
        }
        form.merge(changed) { _, new in new }
        return .object(form.filter { $0.value != .null })
    }

    /// Proposes a contract; its id.
    func propose(to partner: Person, witness: Person? = nil, changed: [String: JSON] = [:]) async throws
        -> String
    {
        let answer = try await post(
            Self.contracts, json: try await proposal(to: partner, witness: witness, changed: changed))
        try #require(answer.status == 201, "a contract was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }

    /// Sends the form of a new contract as a browser does.
    func sendForm(
        to partner: Person, stake: String, promise: String = "We swim on Mondays", ends: String = "24",
        witness: String = "", witnessName: String = "", key: String = ""
    ) async throws -> Answer {
        try await submit(
            "/contracts/new/\(partner.id)",
            [
                "promise": promise, "rules[]": "In the lake", "ends": ends, "stake_media_id": stake,
                "witness_id": witness, "witness_name": witnessName, "publish_to": "server",
                "breach_text": "I stayed dry", "consent": "true", "of_age": "true", "key": key,
            ])
    }

    /// What somebody sends who accepts.
    func acceptance(_ changed: [String: JSON] = [:]) async throws -> JSON {
        var form: [String: JSON] = ["publish_to": ["server"], "consent": true, "of_age": true]
        if changed["stake_media_id"] == nil, changed["stake_photo_id"] == nil {
            form["stake_media_id"] = .text(try await photo(description: "Worse", purpose: "stake"))
        }
        form.merge(changed) { _, new in new }
        return .object(form.filter { $0.value != .null })
    }

    /// Accepts a contract.
    func accept(_ contract: String) async throws {
        let answer = try await move("accept", contract, try await acceptance())
        try #require(answer.status == 200, "an acceptance was refused: \(answer.text)")
    }

    /// Makes a contract that binds both, once its witness has agreed; its id.
    func contract(with partner: Person, witness: Person? = nil, changed: [String: JSON] = [:]) async throws
        -> String
    {
        let id = try await propose(to: partner, witness: witness, changed: changed)
        try await witness?.make("witness", id)
        try await partner.accept(id)
        return id
    }

    /// Makes a move.
    @discardableResult
    func move(_ move: String, _ contract: String, _ form: JSON = [:]) async throws -> Answer {
        try await post("\(Self.contracts)/\(contract)/\(move)", json: form)
    }

    /// Makes a move that must be possible.
    @discardableResult
    func make(_ move: String, _ contract: String, _ form: JSON = [:]) async throws -> Answer {
        let answer = try await self.move(move, contract, form)
        try #require(answer.status == 200, "\(move) was refused: \(answer.text)")
        return answer
    }

    /// The state of a contract as they see it; its status when they don't.
    func state(of contract: String) async throws -> String {
        let answer = try await get("\(Self.contracts)/\(contract)")
        return answer["state"].string ?? "\(answer.status)"
    }

    /// The moves that they may make now.
    func moves(in contract: String) async throws -> [String] {
        try await get("\(Self.contracts)/\(contract)")["moves"].list.compactMap(\.string)
    }

    /// What they see of a contract, as a move brings it back.
    func seen(of contract: String) async throws -> String {
        try #require(try await get("\(Self.contracts)/\(contract)")["seen"].string)
    }

    /// The ids of their contracts of a list.
    func contracts(_ list: String) async throws -> [String] {
        try await get("\(Self.contracts)?list=\(list)").json.list.compactMap { $0["id"].string }
    }

    /// The captions of their posts, newest first.
    func posts() async throws -> [String] {
        try await get("/api/v1/accounts/\(id)/statuses").json.list.compactMap { $0["text"].string }
    }

    /// The kinds of their notifications of contracts, newest first, with the move that each is about.
    func contractNews() async throws -> [String] {
        try await get("/api/v1/notifications?types[]=tintype.contract&types[]=tintype.contract_news").json
            .list
            .compactMap { $0["contract"]["move"].string }
    }
}

extension World {
    /// Three friends: who proposes, who is asked, who is the witness.
    func three() async throws -> (ana: Person, ben: Person, cleo: Person) {
        let people = try await friends("ana", "ben", "cleo")
        return (people[0], people[1], people[2])
    }

    /// How many posts there are.
    func postsCount() async throws -> Int { try await number("SELECT count(*) FROM posts") }

    /// Lets time pass, and does what is due.
    func pass(hours: Double) async throws {
        clock.advance(hours: hours)
        try await work()
    }
}
