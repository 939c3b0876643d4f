import Core
import HTML

/// The components that show people on every screen.
package struct PeopleComponents {
    package let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
    }

    /// The state of a follow button: Follow, Following or Requested.
    enum FollowState: String {
        case none, following, requested

        init(_ relationship: Relationship) {
            self = relationship.follows ? .following : relationship.requested ? .requested : .none
        }

        var label: String {
            switch self {
            case .none: "Follow"
            case .following: "Following"
            case .requested: "Requested"
            }
        }
    }

    /// Returns a button that follows and unfollows.
    package func followButton(
        _ account: Account, _ relationship: Relationship, class classes: StaticString = ""
    ) -> Node {
        let state = FollowState(relationship)
        return element(
            "follow-button", .classes("\(classes)"), .attribute("data-account", account.id.description),
            .attribute("data-name", account.displayName), .attribute("data-following", state.rawValue),
            .flag("data-locked", account.approvesFollowers)
        ) {
            form(
                .method("post"), .action("/accounts/\(account.id)/\(state == .none ? "follow" : "unfollow")")
            ) {
                button(.class("button small"), .pressed(state != .none)) {
                    span(.flag("data-label")) { state.label }
                }
            }
        }
    }

    /// Returns the buttons that accept or decline a follow request.
    func requestButtons(_ account: Account) -> Node {
        answerButtons("/requests/\(account.id)", declining: "reject")
    }

    @NodeBuilder private func answerButtons(_ path: String, declining: StaticString) -> Node {
        form(.method("post"), .action("\(path)/accept")) {
            button(.class("button small primary")) { "Accept" }
        }
        form(.method("post"), .action("\(path)/\(declining)")) {
            button(.class("button small")) { "Delete" }
        }
    }

    /// Returns a person who waits for an answer, with the buttons that give it.
    ///
    /// - Parameters:
    ///   - path: the address of what is answered; `/accept` and a word for its opposite follow.
    ///   - declining: that word.
    func waiting(_ account: Account, at path: String, declining: StaticString) -> Node {
        div(.class("row wraps")) {
            a(.href(AppPaths.profile(account.username)), .label("Profile of \(account.displayName)")) {
                frame.portrait(account, pixels: 48)
            }
            span(.class("text")) {
                b { account.displayName }
                span { "@\(account.username)" }
            }
            span(.class("buttons")) { answerButtons(path, declining: declining) }
        }
    }

    /// Returns a row of the Users screen: its portrait leads to the profile, the row itself follows the person.
    package func followRow(_ listed: RelationshipService.Listed) -> Node {
        let account = listed.account
        let state = FollowState(listed.relationship)
        return li(.class("person")) {
            a(.href(AppPaths.profile(account.username)), .label("Profile of \(account.displayName)")) {
                frame.portrait(account, pixels: 52)
            }
            element(
                "follow-button", .attribute("data-account", account.id.description),
                .attribute("data-name", account.displayName), .attribute("data-following", state.rawValue),
                .flag("data-locked", account.approvesFollowers)
            ) {
                form(
                    .method("post"),
                    .action("/accounts/\(account.id)/\(state == .none ? "follow" : "unfollow")")
                ) {
                    button(.class("row"), .pressed(state != .none)) {
                        span(.class("text")) {
                            b { account.displayName }
                            span { "@\(account.username)" }
                        }
                        span(.class("unseen"), .flag("data-label")) { state.label }
                        frame.icon("circle")
                        frame.icon("check-circle-fill")
                    }
                }
            }
        }
    }

    /// Returns a row that leads to a profile, with a follow button at its end.
    package func personRow(_ listed: RelationshipService.Listed, viewer: Account.ID) -> Node {
        let account = listed.account
        return li(.class("person")) {
            a(.class("row"), .href(AppPaths.profile(account.username))) {
                frame.portrait(account, pixels: 48)
                span(.class("text")) {
                    b { account.displayName }
                    span { "@\(account.username)" }
                }
            }
            if account.id != viewer { followButton(account, listed.relationship, class: "end") }
        }
    }
}
