import Foundation

/// The progress of a cross-post, and what follows from each answer of the other server: pure rules, without a clock of
/// their own.
///
/// Only one request can publish anything: that of ``Step/post``. Before it, ``triedAt`` is recorded, so that a process
/// that is killed at any moment knows afterwards that a post may exist. From then on no request is sent to publish the
/// post until a search of the account (``Step/search``) has shown that the post doesn't exist.
struct CrossPostProgress: Sendable, Equatable {
    /// The next step.
    enum Step: String, Sendable, CaseIterable {
        /// Upload the picture. Repeating this is harmless: servers erase uploads that no post uses.
        case upload
        /// Ask whether the upload is ready.
        case check
        /// Remember the newest post of the account, where a later search can stop.
        case mark
        /// Create the post.
        case post
        /// Search for the post among those that are newer than the mark.
        case search
    }

    /// The end of a cross-post.
    enum Ending: String, Sendable, CaseIterable {
        case published, failed, uncertain, revoked
    }

    /// The outcome of a step.
    enum Outcome: Sendable, Equatable {
        /// The picture was uploaded and has an id. Servers that need time to process it say so.
        case uploaded(id: String, url: String?, isReady: Bool)
        /// The upload is ready for a post. `url` is the file's address, if the server returns it.
        case ready(url: String?)
        /// The upload is still being processed.
        case processing
        /// The upload doesn't exist, or belongs to a post already.
        case missing
        /// The account's newest post; nil when it has none.
        case marked(String?)
        /// The account's posts can't be listed with our access.
        case unlistable
        /// The post was created, or found, at `url`.
        case posted(url: String)
        /// No post newer than the mark is ours, and the upload is still free for one.
        case absent
        /// A newer post has the same words, and nobody can say whether it is ours.
        case alike
        /// There are too many newer posts to search.
        case tooMany
        /// The request has surely not arrived, or the server was too busy to do anything.
        case undone(why: String, retryAfter: Int?)
        /// Nobody can say whether the server did what was asked.
        case lost(why: String, retryAfter: Int?)
        /// The server has read the request and refuses it.
        case refused(why: String)
        /// The access token isn't valid any more.
        case unauthorized
    }

    var step = Step.upload
    /// The end; nil while publishing is under way.
    var ending: Ending?
    /// The upload's id on the other server.
    var mediaID: String?
    /// The address of the upload's file, without a query.
    var mediaURL: String?
    /// Whether the newest earlier post was read: without a mark nobody can search for ours.
    var hasMark = false
    /// The id of the newest earlier post; nil when there was none.
    var mark: String?
    /// The time at which the post was requested, while nobody knows whether it was created.
    var triedAt: Date?
    /// Whether the answer to an earlier request was lost. Even if the post didn't exist afterwards, that request might
    /// have been done later, so the account is searched before each further request.
    var hasLostTry = false
    /// The server's reason against the post, while it isn't certain that it is final.
    var refusal: String?
    /// The number of failed attempts.
    var attempts = 0
    /// How often the upload was not ready.
    var polls = 0
    /// The time at which publishing began; it is given up after ``patience``.
    var beganAt: Date
    /// The time of the next step.
    var nextAt: Date
    /// The last failure, or the reason for giving up, in a sentence; empty before any failure.
    var reason = ""
    /// The address of the post; nil unless it was published, and when nobody knows the address.
    var url: String?

    /// How long publishing is tried, in seconds: three days.
    static let patience: TimeInterval = 3 * 86_400
    /// The pause after the first failure, in seconds; each further failure doubles it.
    static let firstPause: TimeInterval = 30
    /// The longest pause between two attempts, in seconds.
    static let longestPause: TimeInterval = 4 * 3600
    /// How long the other server may still be working on a request without an answer, in seconds. An earlier search of
    /// the account would prove nothing.
    static let settling: TimeInterval = 180
    /// The longest pause that a server may ask for, in seconds.
    static let longestWait = 86_400
    /// How long an uncertain post waits for the person to look, in seconds: 30 days.
    static let waitForPerson: TimeInterval = 30 * 86_400

    init(now: Date) {
        beganAt = now
        nextAt = now
    }

    /// The state of publishing, for people.
    var state: CrossPost.State {
        switch ending {
        case .published: .published(url: url)
        case .failed: .failed(reason: reason)
        case .uncertain: .uncertain
        case .revoked: .revoked
        case nil: attempts == 0 ? .pending : .retrying(attempts: attempts, nextAttempt: nextAt)
        }
    }

    // MARK: Before a step

    /// Prepares the step that is due. Returns the step; nil when none is.
    mutating func begin(at now: Date) -> Step? {
        guard ending == nil else { return nil }
        if step == .post, triedAt != nil {
            // The process ended after the request, before its answer was recorded.
            note(.lost(why: "Tintype was stopped while it was posting.", retryAfter: nil), at: now)
            return nil
        }
        // After a long pause of this server, nothing is published that nobody expects any more.
        if step != .search, hasNoTime(at: now) {
            giveUp()
            return nil
        }
        if step == .post { triedAt = now }
        return step
    }

    // MARK: After a step

    /// Applies the outcome of the step.
    mutating func note(_ outcome: Outcome, at now: Date) {
        guard ending == nil || ending == .uncertain, !isOverruled(outcome) else { return }
        switch outcome {
        case .posted(let url):
            (self.url, reason, refusal, triedAt) = (url, "", nil, nil)
            ending = .published
        case .uploaded(let id, let url, let isReady):
            (mediaID, mediaURL, polls) = (id, url, 0)
            go(to: .check, at: isReady ? now : now.addingTimeInterval(pollPause()))
        case .ready(let url):
            mediaURL = url ?? mediaURL
            if let refusal { end(.failed, refusal) } else { go(to: .mark, at: now) }
        case .processing:
            polls += 1
            retryIfTime(at: now, after: pollPause(), "The server is still processing the picture.")
        case .missing: missing(at: now)
        case .marked(let newest):
            (mark, hasMark) = (newest, true)
            go(to: .post, at: now)
        case .unlistable: unlistable(at: now)
        case .absent: absent(at: now)
        case .alike, .tooMany: end(.uncertain, "")
        case .undone(let why, let wait):
            if step == .post {
                // The upload may be gone by the next attempt.
                (triedAt, step) = (nil, hasLostTry ? .search : .check)
            }
            fail(why, at: now, wait: wait)
        case .lost(let why, let wait): lost(why, at: now, wait: wait)
        case .refused(let why): refused(why, at: now)
        case .unauthorized: lostAccess()
        }
    }

    /// Ends publishing because the server refuses our access.
    private mutating func lostAccess() {
        guard ending == nil else { return }
        // A refused post doesn't exist; one that is searched for may.
        end(mayBeOut && step != .post ? .uncertain : .revoked, "")
    }

    /// Ends publishing because the person has disconnected the account, or left.
    mutating func disconnect() {
        guard ending == nil else { return }
        end(mayBeOut ? .uncertain : .revoked, "")
    }

    /// Applies what the person saw on the account.
    ///
    /// - Parameters:
    ///   - profile: the address of the connected account; nil once it is disconnected.
    ///   - canTryAgain: whether there still is a connected account, and a picture.
    mutating func settle(isPublished: Bool, profile: String?, canTryAgain: Bool, at now: Date) {
        guard ending == .uncertain else { return }
        if isPublished {
            (ending, url, triedAt) = (.published, profile, nil)
        } else if canTryAgain {
            self = CrossPostProgress(now: now)
        } else {
            (ending, triedAt) = (.revoked, nil)
        }
    }

    /// Ends an uncertain cross-post for which nobody has looked.
    mutating func expire() {
        guard ending == .uncertain else { return }
        ending = .failed
        reason = "Nobody said whether it was published."
    }

    // MARK: Rules

    /// Whether a post may exist that nobody here knows about.
    var mayBeOut: Bool { triedAt != nil }

    /// Returns whether an outcome is ignored: only late proof changes an uncertain cross-post.
    private func isOverruled(_ outcome: Outcome) -> Bool {
        guard ending == .uncertain else { return false }
        if case .posted = outcome { return false }
        return true
    }

    private mutating func go(to step: Step, at date: Date) {
        self.step = step
        nextAt = date
    }

    private mutating func end(_ ending: Ending, _ reason: String) {
        self.ending = ending
        self.reason = reason
    }

    /// Handles a missing upload. Before the post was requested, the picture is uploaded again. After that, a post may
    /// have used it, and may have been deleted since.
    private mutating func missing(at now: Date) {
        guard step == .check, !hasLostTry else { return end(.uncertain, "") }
        (mediaID, mediaURL, refusal) = (nil, nil, nil)
        step = .upload
        fail("The server has lost the picture.", at: now, wait: nil)
    }

    private mutating func unlistable(at now: Date) {
        if step == .search { return end(.uncertain, "") }
        // The post may still be created, once: if its answer is lost, nobody can search for it.
        (mark, hasMark) = (nil, false)
        go(to: .post, at: now)
    }

    /// Handles a post that wasn't found: it may be requested again, with the same upload.
    private mutating func absent(at now: Date) {
        triedAt = nil
        if let refusal { return end(.failed, refusal) }
        guard !hasNoTime(at: now) else { return giveUp() }
        go(to: .post, at: now)
    }

    private mutating func lost(_ why: String, at now: Date, wait: Int?) {
        if step == .post {
            guard hasMark else { return end(.uncertain, "") }
            (step, hasLostTry) = (.search, true)
        }
        fail(why, at: now, wait: wait)
    }

    private mutating func refused(_ why: String, at now: Date) {
        switch step {
        case .post:
            refusal = why
            if hasLostTry {
                // Servers refuse an upload that an earlier request has used by now.
                go(to: .search, at: now.addingTimeInterval(Self.settling))
            } else {
                // Otherwise the upload may be gone. If it still exists, this refusal was the answer.
                triedAt = nil
                go(to: .check, at: now)
            }
        case .search: end(.uncertain, "")
        case .upload, .check, .mark: end(.failed, why)
        }
    }

    private mutating func fail(_ why: String, at now: Date, wait: Int?) {
        attempts += 1
        let growing = min(Self.longestPause, Self.firstPause * pow(2, Double(min(attempts, 20) - 1)))
        var pause = max(growing, Double(min(wait ?? 0, Self.longestWait)))
        // The server may still be working on a lost request.
        if let triedAt {
            pause = max(pause, triedAt.addingTimeInterval(Self.settling).timeIntervalSince(now))
        }
        retryIfTime(at: now, after: pause, why)
    }

    private mutating func retryIfTime(at now: Date, after pause: TimeInterval, _ why: String) {
        reason = why
        nextAt = now.addingTimeInterval(pause)
        if hasNoTime(at: now) { giveUp() }
    }

    private func pollPause() -> TimeInterval { min(60, pow(2, Double(min(polls, 6) + 1))) }

    /// Returns whether the time for publishing is over.
    func hasNoTime(at now: Date) -> Bool { now.timeIntervalSince(beganAt) >= Self.patience }

    private mutating func giveUp() {
        end(
            mayBeOut ? .uncertain : .failed,
            reason.isEmpty ? "It couldn’t be published for three days." : reason)
    }
}
