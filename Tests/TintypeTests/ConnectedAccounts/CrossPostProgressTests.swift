import Foundation
import Testing

@testable import People

@Suite("How far a cross-post is")
struct CrossPostProgressTests {
    private typealias Outcome = CrossPostProgress.Outcome
    private let start = Date(timeIntervalSince1970: 1_790_000_000)

    /// Follows outcomes one after the other, each when its step is due.
    private func after(_ outcomes: [Outcome], from given: CrossPostProgress? = nil) -> CrossPostProgress {
        var progress = given ?? CrossPostProgress(now: start)
        for outcome in outcomes {
            let now = progress.nextAt
            _ = progress.begin(at: now)
            progress.note(outcome, at: now)
        }
        return progress
    }

    private let uploaded = Outcome.uploaded(id: "5", url: "https://a.example/5.jpg", isReady: true)
    private let lost = Outcome.lost(why: "It broke.", retryAfter: nil)
    private let undone = Outcome.undone(why: "It is away.", retryAfter: nil)
    private let posted = Outcome.posted(url: "https://a.example/@ana/9")
    private var ready: [Outcome] { [uploaded, .ready(url: nil), .marked("4")] }

    @Test("Goes from the upload to the post without a pause")
    func straight() {
        var progress = CrossPostProgress(now: start)
        let steps: [(CrossPostProgress.Step, Outcome)] = [
            (.upload, uploaded), (.check, .ready(url: nil)), (.mark, .marked("4")), (.post, posted),
        ]
        for (step, outcome) in steps {
            #expect(progress.state == .pending)
            #expect(progress.nextAt == start)
            #expect(progress.begin(at: start) == step)
            progress.note(outcome, at: start)
        }
        #expect(progress.state == .published(url: "https://a.example/@ana/9"))
        #expect(progress.begin(at: start) == nil)
    }

    @Test(
        "Looks at the account before it posts again what may be out, and not before that request has settled")
    func lostAnswer() {
        let progress = after(ready + [lost])
        #expect(progress.step == .search && progress.mayBeOut)
        #expect(progress.nextAt == start.addingTimeInterval(CrossPostProgress.settling))
        #expect(after([posted], from: progress).ending == .published)
        let again = after([.absent], from: progress)
        #expect(again.step == .post && !again.mayBeOut && again.ending == nil)
        #expect(after([posted], from: again).ending == .published)
        for riddle in [Outcome.alike, .tooMany, .unlistable, .missing, .unauthorized, .refused(why: "No.")] {
            #expect(after([riddle], from: progress).state == .uncertain, "\(riddle)")
        }
        #expect(after([lost], from: progress).step == .search)
        #expect(after([undone], from: progress).step == .search)
    }

    @Test("Treats a post as possibly out when the process ended before the answer was noted")
    func killed() {
        var progress = after(ready)
        #expect(progress.begin(at: start) == .post)
        // As it was written down before the request.
        #expect(progress.begin(at: start.addingTimeInterval(1)) == nil)
        #expect(progress.step == .search && progress.mayBeOut)
        #expect(progress.nextAt == start.addingTimeInterval(CrossPostProgress.settling))
    }

    @Test("Stops as uncertain at once when the answer is lost and the account can't be looked through")
    func unlistable() {
        let progress = after([uploaded, .ready(url: nil), .unlistable])
        #expect(progress.step == .post)
        #expect(after([posted], from: progress).ending == .published)
        #expect(after([lost], from: progress).state == .uncertain)
    }

    @Test("Tries again what surely wasn't done, after asking whether the upload is still there")
    func undoneThere() {
        let progress = after(ready + [undone])
        #expect(progress.step == .check && !progress.mayBeOut)
        #expect(progress.state == .retrying(attempts: 1, nextAttempt: start.addingTimeInterval(30)))
        #expect(after([.missing], from: progress).step == .upload)
        // Where an earlier answer was lost, the account is looked at each time.
        let other = after(ready + [lost, .absent, undone])
        #expect(other.step == .search)
        #expect(after([.missing], from: other).state == .uncertain)
    }

    @Test("A refusal is final when the upload is still there, and no earlier request can have used it")
    func refused() {
        let progress = after(ready + [.refused(why: "Too long.")])
        #expect(progress.step == .check)
        #expect(after([.ready(url: nil)], from: progress).state == .failed(reason: "Too long."))
        #expect(after([.missing], from: progress).step == .upload)
        let other = after(ready + [lost, .absent, .refused(why: "Media not found")])
        #expect(other.step == .search && other.mayBeOut)
        #expect(after([posted], from: other).ending == .published)
        #expect(after([.absent], from: other).state == .failed(reason: "Media not found"))
        #expect(after([.missing], from: other).state == .uncertain)
        #expect(after([.refused(why: "Not a picture.")]).state == .failed(reason: "Not a picture."))
    }

    @Test("Loses its access: revoked when nothing can be out")
    func unauthorized() {
        #expect(after([.unauthorized]).state == .revoked)
        #expect(after(ready + [.unauthorized]).state == .revoked)
        #expect(after(ready + [lost, .unauthorized]).state == .uncertain)
        var progress = after(ready)
        _ = progress.begin(at: start)
        progress.disconnect()
        #expect(progress.state == .uncertain)
        // The answer comes all the same.
        progress.note(posted, at: start)
        #expect(progress.ending == .published)
    }

    @Test("Pauses grow from half a minute to four hours, follow Retry-After, and end after three days")
    func pauses() {
        var progress = CrossPostProgress(now: start)
        var pauses: [Double] = []
        while progress.ending == nil {
            let now = progress.nextAt
            if progress.begin(at: now) != nil { progress.note(undone, at: now) }
            if progress.ending == nil { pauses.append(progress.nextAt.timeIntervalSince(now)) }
        }
        #expect(Array(pauses.prefix(4)) == [30, 60, 120, 240] && pauses.max() == 4 * 3600)
        #expect(pauses == pauses.sorted())
        #expect(progress.state == .failed(reason: "It is away."))
        #expect(progress.nextAt >= start.addingTimeInterval(CrossPostProgress.patience))
        #expect(pauses.dropLast().reduce(0, +) < CrossPostProgress.patience)
        let busy = after([.undone(why: "Busy.", retryAfter: 7200)])
        #expect(busy.nextAt == start.addingTimeInterval(7200))
        let never = after([.undone(why: "Busy.", retryAfter: .max)])
        #expect(never.nextAt == start.addingTimeInterval(86_400))
    }

    @Test("Gives up as uncertain when a post may be out")
    func givesUpUncertain() {
        var progress = after(ready + [lost])
        while progress.ending == nil { progress = after([undone], from: progress) }
        #expect(progress.state == .uncertain)
    }

    @Test("Nothing is published that was due while this server was away for three days")
    func longAway() {
        var progress = after(ready)
        #expect(progress.begin(at: start.addingTimeInterval(CrossPostProgress.patience)) == nil)
        #expect(progress.ending == .failed)
        // What may be out is still looked for, and not published again.
        var lost = after(ready + [self.lost])
        let late = start.addingTimeInterval(2 * CrossPostProgress.patience)
        #expect(lost.begin(at: late) == .search)
        lost.note(.absent, at: late)
        #expect(lost.ending == .failed)
    }

    @Test("The person's word ends what is uncertain, or begins it again")
    func settled() {
        let progress = after(ready + [lost, .alike])
        var there = progress
        there.settle(isPublished: true, profile: "https://a.example/@ana", canTryAgain: true, at: start)
        #expect(there.state == .published(url: "https://a.example/@ana"))
        var again = progress
        again.settle(isPublished: false, profile: "", canTryAgain: true, at: start)
        #expect(again == CrossPostProgress(now: start))
        var gone = progress
        gone.settle(isPublished: false, profile: "", canTryAgain: false, at: start)
        #expect(gone.state == .revoked)
        var expired = progress
        expired.expire()
        #expect(expired.ending == .failed)
        var other = after(ready + [posted])
        let before = other
        other.settle(isPublished: false, profile: "", canTryAgain: true, at: start)
        other.expire()
        other.disconnect()
        #expect(other == before)
    }

    @Test("Whatever is answered, no post is asked for while another may be out, and each ends")
    func random() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<3_000 {
            let outcomes: [Outcome] = [
                uploaded, .uploaded(id: "6", url: nil, isReady: false), .ready(url: nil), .processing,
                .missing,
                .marked(nil), .marked("4"), .unlistable, .absent, .alike, .tooMany, undone, lost,
                .refused(why: "No."), .lost(why: "Wait.", retryAfter: 4_000), posted, .unauthorized,
            ]
            var progress = CrossPostProgress(now: start)
            var isPossiblyOut = false
            var steps = 0
            while progress.ending == nil {
                steps += 1
                guard steps < 200_000 else {
                    Issue.record("it doesn't end: \(progress)")
                    return
                }
                let now = progress.nextAt
                let step = progress.begin(at: now)
                if step == .post {
                    #expect(!isPossiblyOut, "a second request while the first may have got through")
                    isPossiblyOut = true
                    // Killed, sometimes.
                    if Bool.random(using: &generator) { continue }
                }
                guard let step, let outcome = possible(outcomes, step).randomElement(using: &generator) else {
                    continue
                }
                switch (step, outcome) {
                case (.search, .absent), (.post, .undone), (.post, .refused): isPossiblyOut = false
                default: break
                }
                // Time passes, or loops of uploads would be endless.
                progress.note(outcome, at: now.addingTimeInterval(1))
            }
            if progress.ending == .failed || progress.ending == .revoked {
                #expect(!isPossiblyOut || progress.step == .post, "\(progress)")
            }
        }
    }

    /// Those that a step can have.
    private func possible(_ outcomes: [Outcome], _ step: CrossPostProgress.Step) -> [Outcome] {
        outcomes.filter { outcome in
            switch (outcome, step) {
            case (.uploaded, .upload), (.ready, .check), (.processing, .check), (.missing, .check),
                (.missing, .search), (.marked, .mark), (.unlistable, .mark), (.unlistable, .search),
                (.absent, .search), (.alike, .search), (.tooMany, .search), (.posted, .post),
                (.posted, .search):
                true
            case (.undone, _), (.lost, _), (.refused, _), (.unauthorized, _): true
            default: false
            }
        }
    }
}
