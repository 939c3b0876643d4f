import Core
import Foundation
import Serving
import Storage

/// The cross-posts inside a transaction.
package struct CrossPostRecords {
    let transaction: Transaction

    package init(_ transaction: Transaction) { self.transaction = transaction }

    /// Returns the state of publishing. A post whose account is deleted is revoked.
    package func state(of id: CrossPost.ID) throws -> CrossPost.State {
        try CrossPostStore(transaction).post(id)?.post.state ?? .revoked
    }

    /// Returns a cross-post that hasn't ended; nil for any other.
    func waiting(_ id: CrossPost.ID) throws -> CrossPostStore.Found? {
        guard let found = try CrossPostStore(transaction).post(id), found.post.progress.ending == nil else {
            return nil
        }
        return found
    }

    /// Returns whether a cross-post no longer needs the file of its draft.
    func isCopied(_ id: CrossPost.ID) throws -> Bool {
        try CrossPostStore(transaction).post(id)?.source == nil
    }

    /// Returns a person's newest cross-posts.
    func posts(of viewer: Account) throws -> [CrossPost] {
        try CrossPostStore(transaction).posts(of: viewer.id, limit: 20)
    }

    /// Ends all cross-posts of an account that is disconnected or hidden.
    func stop(of account: Account.ID, _ listeners: CrossPostListeners) throws {
        for found in try CrossPostStore(transaction).open(of: account) where found.post.progress.ending == nil
        {
            var progress = found.post.progress
            progress.disconnect()
            try save(found, progress, listeners)
        }
    }

    /// Saves the progress of a cross-post, and does what follows: schedules the next step, deletes its picture, and
    /// notifies its feature.
    func save(
        _ found: CrossPostStore.Found, _ progress: CrossPostProgress, _ listeners: CrossPostListeners
    ) throws {
        var found = found
        let (before, picture) = (found.post.state, found.picture)
        found.post.progress = progress
        found.turn += 1
        let payload = "\(found.post.id) \(found.turn)"
        switch progress.ending {
        case nil: try transaction.schedule(.crossPost, payload: payload, at: progress.nextAt)
        case .uncertain:
            let end = transaction.now.addingTimeInterval(CrossPostProgress.waitForPerson)
            try transaction.schedule(.crossPost, payload: payload, at: end)
        case .published, .failed, .revoked: (found.source, found.picture) = (nil, nil)
        }
        try CrossPostStore(transaction).save(found)
        if found.picture == nil, let picture { try transaction.eraseFile(picture) }
        if found.post.state != before { try listeners.changed(found.post, transaction) }
    }
}
