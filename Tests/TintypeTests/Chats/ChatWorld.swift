import Testing

@testable import Tintype

extension World {
    /// Lets the time pass after which unread messages make a notification.
    func notify() async throws {
        clock.advance(seconds: 2)
        try await work()
    }
}

extension Person {
    /// Opens the chat with somebody; its id.
    func chat(with other: Person) async throws -> String {
        let answer = try await post("/api/v1/chats", json: ["account_id": "\(other.id)"])
        try #require(answer.status == 200)
        return try #require(answer["id"].string)
    }

    /// Makes a group with friends; its id.
    func group(with others: Person..., title: String = "") async throws -> String {
        let ids = others.map { JSON.text("\($0.id)") }
        let answer = try await post(
            "/api/v1/chats", json: ["account_ids": .list(ids), "title": .text(title)])
        try #require(answer.status == 200, "a group was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }

    /// Sends a text; the message's id.
    func write(_ text: String, in chat: String) async throws -> String {
        try await send(["text": .text(text)], in: chat)
    }

    /// Sends a photo of the library; the message's id.
    func send(photo: String, in chat: String) async throws -> String {
        try await send(["photo_id": .text(photo)], in: chat)
    }

    /// Sends a new picture to be seen once; the message's id.
    func sendOnce(in chat: String) async throws -> String {
        let media = try await photo(purpose: "view_once")
        return try await send(["media_id": .text(media), "view_once": true], in: chat)
    }

    private func send(_ message: JSON, in chat: String) async throws -> String {
        let answer = try await post("/api/v1/chats/\(chat)/messages", json: message)
        try #require(answer.status == 201, "a message was refused: \(answer.text)")
        return try #require(answer["id"].string)
    }

    /// Opens a picture that may be seen once.
    func open(_ message: String, in chat: String) async throws -> Answer {
        try await post("/api/v1/chats/\(chat)/messages/\(message)/open")
    }

    func read(through message: String, in chat: String) async throws {
        let answer = try await post("/api/v1/chats/\(chat)/read", json: ["last_read_id": .text(message)])
        try #require(answer.status == 200)
    }
}
