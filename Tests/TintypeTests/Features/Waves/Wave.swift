import Core
import Foundation

/// Somebody waves at somebody.
struct Wave: Sendable {
    /// The wave's identifier; its time is when it was sent.
    typealias ID = Core.ID<Wave>

    let id: ID
    let sender: Account
    let receiver: Account.ID

    /// How long a wave can be seen, in seconds.
    static let lifetime: TimeInterval = 24 * 3600
    /// Where the waves of the person who is logged in are.
    static let path = "/waves"
}
