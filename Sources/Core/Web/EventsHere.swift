import Foundation
import Serving
import Synchronization

extension EventBus {
    /// The streams that are open on this node, and those that may resume on it.
    package var here: Here { Here(bus: self) }

    /// The part of the bus that acts on this node alone, and knows who listens on it. After what is done here, tell the
    /// other nodes (``EventBus/tell(_:_:)``).
    package struct Here: Sendable {
        let bus: EventBus

        /// Returns whether an account has an open stream.
        package func isListening(_ account: Account.ID) -> Bool {
            bus.state.withLock { $0.byAccount[account] != nil }
        }

        /// The accounts that have an open stream, or may resume one. However many followers someone has, events need to
        /// be sent to these accounts only.
        package var audience: Set<Account.ID> {
            let instant = bus.now()
            return bus.state.withLock { state in
                var audience = Set(state.byAccount.keys)
                for (account, seen) in state.seen
                where instant.timeIntervalSince(seen.at) < EventRings.lifetime {
                    audience.insert(account)
                }
                return audience
            }
        }

        /// Returns whether an account has an open stream, or may resume one.
        package func reaches(_ account: Account.ID) -> Bool {
            let instant = bus.now()
            return bus.state.withLock { $0.reaches(account, instant) }
        }

        /// Sends an event to the streams of some accounts, and keeps the event for streams that resume unless it is
        /// passing. Does nothing for accounts that it doesn't reach.
        ///
        /// - Parameters:
        ///   - subjects: what the event is about. It is deleted with any of them.
        ///   - subject: the thing whose state the event reports: streams that resume get the last such event only.
        ///   - remainder: what the event says once a thing that it shows is deleted.
        ///   - isFollowed: whether another event to the same accounts follows at once. Both are sent together then.
        package func publish(
            _ name: EventName, to accounts: Set<Account.ID>, _ content: EventContent,
            about subjects: [EventSubject] = [], replacing subject: EventSubject? = nil,
            leaving remainder: EventRemainder? = nil, isFollowed: Bool = false
        ) {
            let instant = bus.now()
            bus.state.withLock { state in
                for account in accounts
                where name.isPassing ? state.byAccount[account] != nil : state.reaches(account, instant) {
                    let entry = EventRings.Entry(
                        number: state.next, at: instant, name: name, replaces: subject,
                        subjects: subjects, content: content, remainder: remainder)
                    EventBus.append(entry, to: account, wakes: !isFollowed, &state)
                }
            }
        }

        /// Sends a count to an account's open streams. When it is counted in `Transaction.afterCommit`, the last count
        /// sent is the newest.
        ///
        /// - Parameters:
        ///   - subject: the counted things, by their badge's name.
        ///   - isFollowed: whether another event to the account follows at once. Both are sent together then.
        package func publishCount(
            _ count: Int, of subject: String, to account: Account.ID, isFollowed: Bool = false
        ) {
            var json = JSONWriter(capacity: 48)
            json.object { json in
                json.key(computed: subject)
                json.value(count)
            }
            publish(.counts, to: [account], .bytes(json.bytes), isFollowed: isFollowed)
        }

        /// Deletes the events about something, for one account or for all, so that streams that resume don't get them.
        package func forget(_ subjects: Set<EventSubject>, of account: Account.ID? = nil) {
            bus.state.withLock { $0.rings.forget(subjects, of: account) }
        }

        /// Replaces the content of the events about something that has changed, where they belong to some accounts and
        /// have a certain name. Deletes all other events about it.
        package func replace(
            _ subject: EventSubject, named name: EventName, of accounts: Set<Account.ID>,
            by content: EventContent
        ) {
            bus.state.withLock { $0.rings.replace(subject, named: name, of: accounts, by: content) }
        }

        /// Returns the accounts for which events about something are kept.
        package func accounts(holding subject: EventSubject) -> Set<Account.ID> {
            bus.state.withLock { $0.rings.accounts(holding: subject) }
        }

        /// Deletes an account's events, and asks its streams, and those that resume, to load everything again.
        func reset(_ account: Account.ID) {
            let instant = bus.now()
            bus.state.withLock { EventBus.reset(account, instant, &$0) }
        }

        /// Asks all streams, and those that resume, to load everything again, because events of other nodes may be
        /// missing.
        func resetAll() {
            for account in audience { reset(account) }
        }

        /// Ends the streams of a log-in that has ended.
        func end(_ session: Session.ID) {
            bus.end { $0.session == session }
        }

        /// Ends the streams of an account, all or all but those of one log-in, and deletes its events.
        func end(_ account: Account.ID, but kept: Session.ID? = nil) {
            bus.end { $0.account == account && $0.session != kept }
            if kept == nil { reset(account) }
        }
    }
}
