import Foundation
import Testing

@testable import Core
@testable import Feeds
@testable import People
@testable import Serving

@Suite("The states of a snap")
struct OnceStateTests {
    /// Every pair of state and event, and what becomes of it; nil where the event is refused.
    private static let table: [OnceState: [OnceState.Event: OnceState]] = [
        .unopened: [.open: .open, .expire: .expired, .erase: .erased],
        .open: [
            .fetch: .open, .show: .shown, .close: .closed, .deadline: .closed, .expire: .expired,
            .erase: .erased,
        ],
        .shown: [.show: .shown, .close: .closed, .deadline: .closed, .expire: .expired, .erase: .erased],
        .closed: [.close: .closed, .deadline: .closed, .expire: .expired, .erase: .erased],
        .expired: [.deadline: .expired, .expire: .expired, .erase: .erased],
        .erased: [.deadline: .erased, .expire: .erased, .erase: .erased],
    ]

    @Test(
        "Each pair of state and event leads where the table says", arguments: OnceState.allCases,
        OnceState.Event.allCases)
    func transition(_ state: OnceState, _ event: OnceState.Event) {
        #expect(state.after(event) == Self.table[state]?[event])
    }

    @Test("Nothing leads back to unopened, and only what was never opened can be opened")
    func nothingIsFreshAgain() {
        for state in OnceState.allCases {
            for event in OnceState.Event.allCases {
                #expect(state.after(event) != .unopened)
            }
            #expect((state.after(.open) != nil) == (state == .unopened))
            #expect((state.after(.fetch) != nil) == (state == .open))
        }
    }

    private static let opening = Date(timeIntervalSince1970: 1_790_000_000)

    private func snap(erasedAt: Date? = nil) -> Snap {
        let poster = Account(
            id: ID(rawValue: 1), username: "ana", displayName: "Ana", bio: "", portrait: nil, isAdmin: false,
            approvesFollowers: false, isSuspended: false, postsCount: 0, followersCount: 0, followingCount: 0,
            lastPostAt: nil)
        return Snap(
            id: ID(rawValue: 2), poster: poster, feed: SnapFeed(title: "random"), description: "",
            expiresAt: Self.opening.addingTimeInterval(3600), viewersCount: 0, pictureErasedAt: erasedAt)
    }

    private func view(shownAfter shown: TimeInterval? = nil, closedAfter closed: TimeInterval? = nil)
        -> SnapView
    {
        SnapView(
            hash: "secret", snap: ID(rawValue: 2), viewer: ID(rawValue: 3), session: ID(rawValue: 4),
            openedAt: Self.opening, shownAt: shown.map(Self.opening.addingTimeInterval),
            closedAt: closed.map(Self.opening.addingTimeInterval))
    }

    @Test("What is written down and the clock give the state")
    func derived() {
        func state(_ view: SnapView?, after seconds: TimeInterval, erased: Bool = false) -> OnceState {
            snap(erasedAt: erased ? Self.opening : nil).state(
                view, at: Self.opening.addingTimeInterval(seconds))
        }
        #expect(state(nil, after: 0) == .unopened)
        #expect(state(view(), after: 29.9) == .open)
        #expect(state(view(), after: 30) == .closed)
        #expect(state(view(shownAfter: 2), after: 30) == .shown)
        #expect(state(view(shownAfter: 2), after: 600) == .closed)
        #expect(state(view(closedAfter: 3), after: 4) == .closed)
        #expect(state(view(shownAfter: 2), after: 3600) == .expired)
        #expect(state(nil, after: 3600) == .expired)
        #expect(state(nil, after: 1, erased: true) == .erased)
        #expect(state(view(closedAfter: 3), after: 4, erased: true) == .erased)
    }

    @Test("Snaps tell their age in minutes, and in hours from the first hour on, however long they wait")
    func age() {
        let now = Self.opening
        func age(_ seconds: TimeInterval) -> String {
            Timestamp.relative(now.addingTimeInterval(-seconds), now: now, underAMinute: .zeroMinutes)
        }
        #expect(age(5) == "0 minutes ago")
        #expect(age(60) == "1 minute ago")
        #expect(age(59 * 60 + 59) == "59 minutes ago")
        #expect(age(3600) == "1 hour ago")
        #expect(age(23 * 3600) == "23 hours ago")
        #expect(age(24 * 3600) == "24 hours ago")
        #expect(age(719 * 3600) == "719 hours ago")
    }

    @Test("Feeds are set as names with commas: at least one, and no two alike")
    func feeds() {
        #expect(SnapSettings().feeds.map(\.title) == ["memes", "dog spots", "random"])
        #expect(SnapSettings.feeds("cats, Big Birds")?.map(\.id) == ["cats", "big-birds"])
        #expect(SnapSettings.feeds("") == nil)
        #expect(SnapSettings.feeds("cats,,dogs")?.count == 2)
        #expect(SnapSettings.feeds("cats,Cats") == nil)
        #expect(SnapSettings.feeds("cats,!!") == nil)
    }

    @Test("Sections keep the feeds' order, the empty ones, and feeds that are configured no longer")
    func sections() {
        func listed(_ id: Int64, _ feed: String, _ state: OnceState) -> ListedSnap {
            let snap = Snap(
                id: ID(rawValue: id), poster: snap().poster, feed: SnapFeed(title: feed), description: "",
                expiresAt: .distantFuture, viewersCount: 0, pictureErasedAt: nil)
            return ListedSnap(snap: snap, state: state, isOwn: false)
        }
        let sections = SnapSection.sections(
            [
                listed(1, "random", .unopened), listed(2, "random", .closed), listed(3, "random", .unopened),
                listed(4, "old", .unopened),
            ],
            feeds: SnapSettings().feeds)
        #expect(sections.map(\.feed.title) == ["memes", "dog spots", "random", "old"])
        #expect(sections.map(\.unreadCount) == [0, 0, 2, 1])
        #expect(sections[2].snaps.map(\.snap.id.rawValue) == [3, 1, 2])
    }
}
