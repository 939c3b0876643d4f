import Core
import Serving

/// A list of people whom its owner follows, with a feed of its own. Only the owner knows of it.
package struct PeopleList: Sendable, Equatable {
    /// The list's identifier.
    package typealias ID = Core.ID<PeopleList>

    package let id: ID
    package var title: String
    /// Whether posts of the people in the list are left out of Home.
    package var isExclusive: Bool
    /// The number of people in the list, including those whom the owner can't see at present.
    package var peopleCount: Int
}

/// The rules of lists.
package enum ListRules {
    /// The most lists of one person.
    static let most = 50
    /// The most people in a list.
    static let mostPeople = 500
    /// The most characters of a title.
    static let titleLength = 100

    /// Returns a title as it is kept.
    ///
    /// - Throws: ``Refusal`` (422) for a title without characters, and one that is too long.
    static func title(_ text: String) throws -> String {
        let title = ShownText.cleaned(text).trimmed
        guard !title.isEmpty else {
            throw Refusal.invalid("title", "ERR_BLANK", "Give the list a name.")
        }
        let count = title.unicodeScalars.count
        guard count <= titleLength else {
            throw Refusal.invalid(
                "title", "ERR_TOO_LONG", "That is \(count.grouped) characters; the limit is \(titleLength).")
        }
        return title
    }

    /// Checks which comments an app wants in a list's feed. Feeds have posts alone, so there are none. `list`, which apps
    /// send unless a person chooses, counts as that.
    ///
    /// - Throws: ``Refusal`` (422) for comments to everyone followed.
    static func check(repliesPolicy: String?) throws {
        guard let repliesPolicy, !["none", "list"].contains(repliesPolicy) else { return }
        throw Refusal.invalid(
            "replies_policy", "ERR_INVALID",
            "Feeds here show posts and no comments, so a list can’t show replies. Choose to show them to no one (none)."
        )
    }
}

/// Lists, for the statements of any feature. Nothing outside this folder names the tables.
package enum ListRow {
    static let table = "people_lists"
    static let members = "list_members"

    /// The people in lists, as the columns `member_id` and `list_id` of the table `lm`, for a join.
    package static let people = "list_members lm"

    /// Returns the condition that an account is in a list, each named by a column or placeholder.
    package static func has(_ account: String, in list: String) -> String {
        "EXISTS (SELECT 1 FROM list_members lm WHERE lm.list_id = \(list) AND lm.member_id = \(account))"
    }

    /// Returns the condition that a person keeps the posts of an account in Home, each named by a column or placeholder:
    /// no list that is exclusive has the account.
    package static func isInHome(_ account: String, of viewer: String = "$1") -> String {
        """
        NOT EXISTS (SELECT 1 FROM list_members lm JOIN people_lists pl ON pl.id = lm.list_id
            WHERE lm.owner_id = \(viewer) AND lm.member_id = \(account) AND pl.is_exclusive = 1)
        """
    }
}

/// The addresses of lists.
package enum ListPaths {
    /// The viewer's lists.
    package static let all = "/lists"

    /// Returns the address of a list's feed.
    package static func feed(_ id: PeopleList.ID) -> String { "\(all)/\(id)" }

    /// Returns the address of the page that changes a list and its people.
    package static func edit(_ id: PeopleList.ID) -> String { "\(all)/\(id)/edit" }

    /// Returns the address of the page that says in which lists a person is.
    static func of(_ username: String) -> String { "\(AppPaths.profile(username))/lists" }
}
