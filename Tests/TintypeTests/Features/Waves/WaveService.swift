import Core
import Foundation
import People
import Serving
import Storage

/// What people can do with waves.
final class WaveService: Sendable {
    /// The badge that counts the waves at a person.
    static let badge = "waves"

    private let settings: WaveSettings
    private let database: Database
    private let events: EventBus
    private let notifications: NotificationService

    init(
        settings: WaveSettings, database: Database, events: EventBus, notifications: NotificationService
    ) {
        self.settings = settings
        self.database = database
        self.events = events
        self.notifications = notifications
    }

    /// Waves at somebody.
    ///
    /// - Parameter find: finds the person with the viewer's eyes.
    /// - Throws: ``Refusal``: 404 for people whom the viewer may not see, 422 for the viewer, 429 after too many waves.
    func wave(
        by viewer: Account, at find: @escaping @Sendable (Transaction) throws -> Account
    ) async throws -> Wave {
        try await database.write { [self] transaction in
            let other = try find(transaction)
            guard other.id != viewer.id else {
                throw Refusal.invalid("username", "ERR_INVALID", "Wave at somebody else.")
            }
            let store = WaveStore(transaction)
            guard try store.count(of: viewer.id) < settings.perDay else {
                throw Refusal(
                    .tooOften(retryAfter: Int(Wave.lifetime)), "You have waved a lot. Try again tomorrow.")
            }
            let wave = Wave(id: ID(rawValue: transaction.newID()), sender: viewer, receiver: other.id)
            try store.insert(wave.id, from: viewer.id, to: other.id)
            try transaction.schedule(
                .eraseWave, payload: wave.id.description,
                at: wave.id.createdAt.addingTimeInterval(Wave.lifetime))
            try notifications.note(
                .wave, to: other.id, from: viewer.id, about: wave.id.rawValue, transaction)
            transaction.afterCommit { [events] _ in
                events.publish(
                    .wave, to: other.id, data: Self.json(of: wave),
                    about: [.thing(wave.id), .person(viewer.id)])
            }
            return wave
        }
    }

    private static func json(of wave: Wave) -> [UInt8] {
        var json = JSONWriter(capacity: 64)
        json.object { json in
            json.member("id", wave.id)
            json.member("username", wave.sender.username)
        }
        return json.bytes
    }

    /// Returns one page of the waves at the viewer, newest first.
    func waves(at viewer: Account, page: PageRequest) async throws -> [Wave] {
        try await database.read { try WaveStore($0).waves(at: viewer.id, page: page) }
    }

    /// Returns how many waves there are at the viewer.
    func count(at viewer: Account, _ transaction: Transaction) throws -> Int {
        try WaveStore(transaction).count(at: viewer.id)
    }

    /// Returns a wave.
    ///
    /// - Throws: ``Refusal`` (404) for everyone but the two whose wave it is.
    func wave(_ id: Wave.ID, for viewer: Account) async throws -> Wave {
        try await database.read { try WaveRecords($0).wave(id, for: viewer) }
    }

    /// Performs ``JobKind/eraseWave``.
    func erase(_ job: Job) async throws {
        guard let id = Wave.ID(job.payload) else { return }
        try await database.write { [self] in try erase(id, $0) }
    }

    /// Erases a wave, with its notification and the event that waits for those who come back.
    func erase(_ id: Wave.ID, _ transaction: Transaction) throws {
        try WaveStore(transaction).delete(id)
        try NotificationRecords(transaction).remove(about: id.rawValue)
        transaction.afterCommit { [events] _ in events.forget([.thing(id)]) }
    }

    /// Takes back the waves of an account that nobody may see any more, at most a hundred in this transaction: the rest
    /// is hidden with the account, and goes after its day.
    func leave(_ account: Account.ID, _ transaction: Transaction) throws {
        for id in try WaveStore(transaction).waves(of: account, limit: 100) { try erase(id, transaction) }
    }
}
