import Core
import People
import Serving
import Storage

/// The pairs inside a transaction, and the photos that a pair can be made of.
struct PairRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns a pair of the viewer's.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    func pair(_ id: Pair.ID, for viewer: Account) throws -> Pair {
        guard let pair = try PairStore(transaction).pair(id), pair.photo.owner == viewer.id else {
            throw Refusal.notFound
        }
        return pair
    }

    /// Returns whether a photo has pairs, or the past photo of a pair has other pairs than this one.
    func hasRetakes(_ photo: Photo, for viewer: Account) throws -> Bool {
        try PairStore(transaction).hasRetakes(of: photo.id, of: viewer.id)
    }
}
