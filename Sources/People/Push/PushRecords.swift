import Core
import Foundation
import Storage

extension JobKind {
    /// Sends an announcement to a device, or removes it from there. The payload is the subscription's id, the turn and
    /// the tag.
    static let push = JobKind("push", .announcing)
}

/// The queue of what is announced, inside a transaction. Each message that isn't on its device in its newest version has
/// one job.
struct PushRecords {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private var messages: PushMessageStore { PushMessageStore(transaction) }

    /// The seconds until its time within which a job counts as one that is about to send.
    private static let soon: TimeInterval = 5

    /// Puts a message into the queue in place of an earlier one with its tag. A job that waits for a later time, such as
    /// the end of the quiet hours, is replaced by one that looks now whether the message may be sent.
    func put(_ message: PushMessage) throws {
        let known = try messages.message(message.subscription, message.tag)
        try messages.put(message)
        if let known, known.state.hasJob { try hurry(known) } else { try schedule(message) }
    }

    /// Decides again when an account's messages are sent that wait for the end of its quiet hours. Messages that a push
    /// service hasn't taken go on waiting for it.
    func reconsider(_ account: Account.ID) throws {
        for message in try messages.messages(of: account) where message.state.hasJob && message.attempts == 0
        {
            try hurry(message)
        }
    }

    /// Schedules the job that sends a message, in place of an earlier job.
    func schedule(_ message: PushMessage, at date: Date? = nil) throws {
        let due = date ?? transaction.now
        guard let scheduled = try messages.beginTurn(of: message, at: due) else { return }
        try transaction.schedule(.push, payload: scheduled.payload, at: due)
    }

    /// Lets a job that waits for a later time look now whether its message may be sent.
    private func hurry(_ message: PushMessage) throws {
        guard message.dueAt > transaction.now.addingTimeInterval(Self.soon) else { return }
        try JobOutbox(transaction).cancel(.push, payload: message.payload, runAt: message.dueAt)
        try schedule(message)
    }

    /// Removes a message from the queue, and from its device if that shows it.
    func takeBack(_ message: PushMessage) throws {
        // The job that was to send it finds nothing.
        guard message.isShown else { return try messages.delete(message) }
        guard message.state != .closing else { return }
        try messages.set(.closing, of: message)
        if !message.state.hasJob {
            try schedule(message)
        } else if message.attempts == 0 {
            // The device shows an older version, and the newer one waits for the end of the quiet hours.
            try hurry(message)
        }
    }

    /// Removes a message from its device that was read while it was sent, when nobody knew yet that the device shows it.
    func close(_ message: PushMessage) throws {
        guard try PushStore(transaction).subscription(message.subscription) != nil else { return }
        try messages.put(message)
        try messages.set(.closing, of: message, isShown: true)
        try schedule(message)
    }

    /// Removes a message that isn't to be sent, as it was when that was decided. If it has news since, its job goes on.
    func drop(_ message: PushMessage) throws {
        guard let current = try messages.message(message.subscription, message.tag) else { return }
        guard current.place == message.place, current.state == message.state else {
            return try schedule(current)
        }
        guard message.state == .waiting, message.isShown else { return try messages.delete(message) }
        try messages.set(.closing, of: message)
        try schedule(message)
    }

    /// Takes back what an account has read, and what was removed.
    func check(_ account: Account.ID, _ notifications: NotificationService) throws {
        /// A version of a message, which several devices may have while others are behind.
        struct Version: Hashable {
            let tag: String
            let place: Int64
        }
        var unread: [Version: Bool] = [:]
        for message in try messages.messages(of: account) where message.kind != PushMessage.test {
            let version = Version(tag: message.tag, place: message.place)
            let isUnread =
                try unread[version]
                ?? notifications.isUnread(
                    message.kind, message.group, at: message.place, of: account, transaction)
            unread[version] = isUnread
            if !isUnread { try takeBack(message) }
        }
    }
}
