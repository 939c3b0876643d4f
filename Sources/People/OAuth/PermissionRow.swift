import Core
import HTML

/// A permission as people read it: what an app may do, and under a broad permission, folded, all that it includes.
struct PermissionRow {
    let frame: Frame
    let topics: OAuthTopics

    /// Draws a permission as an entry of a list whose title ends in “may”.
    func draw(_ scope: OAuthScope) -> Node {
        let parts = topics.parts(of: scope)
        return li(.class("choice permission")) {
            frame.icon(scope.symbol)
            span {
                phrase(scope.words)
                if !parts.isEmpty {
                    details {
                        summary { "What this includes" }
                        ul { for part in parts { li { phrase(part) } } }
                    }
                }
            }
        }
    }

    /// Draws a continuation of “This app may …” as a line of its own.
    private func phrase(_ words: String) -> Node {
        .text(words.prefix(1).uppercased() + words.dropFirst())
    }
}

extension OAuthScope {
    fileprivate var symbol: StaticString {
        switch self {
        case .read: "eye"
        case .write: "pencil"
        case .follow: "people"
        case .push: "bell"
        }
    }
}
