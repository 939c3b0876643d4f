import Core
import HTML

/// The choice of who sees a post, as the forms of a new post, of a post's options and of Settings draw it.
struct PostAudienceChoice {
    let frame: Frame

    func draw(_ chosen: Post.Visibility, of author: Account, title: String = "Who sees it") -> Node {
        fieldset {
            legend(.class("group-title")) { title }
            div(.class("group")) {
                for visibility in author.approvesFollowers ? [.followers] : Post.Visibility.allCases {
                    frame.choice(
                        "audience", visibility.rawValue,
                        isChosen: author.approvesFollowers || visibility == chosen, visibility.title,
                        explanation: author.approvesFollowers ? "People you approved" : visibility.explanation
                    )
                }
            }
            if author.approvesFollowers {
                p(.class("note")) {
                    "Your account is private, so only your followers can see your posts. "
                    a(.href(AppPaths.privacy)) { "Privacy" }
                }
            }
        }
    }
}

extension Post.Visibility {
    /// What the audience is called on screens.
    var title: String {
        switch self {
        case .followers: "Followers"
        case .unlisted: "Everyone here, not listed"
        case .server: "Everyone here"
        }
    }

    fileprivate var explanation: String {
        switch self {
        case .followers: "People who follow you"
        case .unlisted: "On your profile and by its link, but not under Everyone"
        case .server: "Everyone with an account on this server"
        }
    }
}
