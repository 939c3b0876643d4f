import Core
import People
import Serving
import Storage

/// The waves inside a transaction, as the two people see them.
struct WaveRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    func wave(_ id: Wave.ID, for viewer: Account) throws -> Wave {
        guard let wave = try WaveStore(transaction).wave(id),
            [wave.sender.id, wave.receiver].contains(viewer.id)
        else { throw Refusal.notFound }
        _ = try AccountRecords(transaction).account(wave.sender.id, for: viewer)
        return wave
    }
}
