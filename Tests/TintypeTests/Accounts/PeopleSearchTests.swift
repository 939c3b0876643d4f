import Foundation
import Storage
import Testing

@testable import Core
@testable import People
@testable import Serving
@testable import Tintype

@Suite("Search for people")
struct PeopleSearchTests {
    @Test("The exact name comes first, then people whom the viewer follows, then the closest names")
    func order() async throws {
        let world = try await World()
        let viewer = try await world.account("viewer")
        for (name, shown) in [
            ("anna.z", "Anna Zett"), ("annabel", "Annabel"), ("ann", "Somebody"), ("zoe", "Ann Zoe"),
            ("friend", "Annika Friend"), ("b.ann", "Ann Annis"), ("hanna", "Hanna"),
        ] {
            let person = try await world.account(name, displayName: shown)
            if name == "friend" { try await viewer.follow(person) }
        }
        let all = ["ann", "friend", "zoe", "b.ann", "anna.z", "annabel"]
        #expect(try await viewer.people("ann") == all)
        #expect(try await viewer.people("@ANN") == all)
        #expect(try await viewer.people("ann", "&limit=2") == Array(all.prefix(2)))
        #expect(try await viewer.people("ann", "&limit=2&offset=1") == Array(all[1...2]))
        #expect(try await viewer.people("ann", "&offset=6").isEmpty)
        #expect(try await viewer.people("ann", "&offset=1001").isEmpty)
        #expect(try await viewer.people("anna") == ["anna.z", "annabel"])
        #expect(try await viewer.people("zett ann") == ["anna.z"])
        #expect(try await viewer.people("anna friend").isEmpty)
        #expect(try await viewer.people("ann", "&following=true") == ["friend"])
        #expect(try await viewer.people("@friend@localhost", "&following=true") == ["friend"])
        #expect(try await viewer.people("zoe", "&following=true").isEmpty)
    }

    @Test("A list of people goes on behind the last one, whom nobody sees twice")
    func pages() async throws {
        let world = try await World()
        let viewer = try await world.account("viewer")
        var names = ["mist"]
        _ = try await world.account("mist", displayName: "Exact")
        for number in 1...22 {
            let name = "friend\(number + 10)"
            try await viewer.follow(try await world.account(name, displayName: "Mist Mistral \(number)"))
            names.append(name)
        }
        for number in 1...65 {
            _ = try await world.account("other\(number)", displayName: "Mist \(number) Mistral")
            names.append("other\(number)")
        }
        #expect(try await viewer.walk("/users?q=mist") == names)
        #expect(try await viewer.walk("/users?q=mistral+mist") == Array(names.dropFirst()))
        // One of the first is the last of its page.
        let behind = try await viewer.walk("/users?q=mist&after=friend13")
        #expect(behind == Array(names.drop { $0 != "friend14" }))
        #expect(try await viewer.walk("/users?q=mist&after=mist") == Array(names.dropFirst()))
        #expect(try await viewer.walk("/users?q=mist&after=other64") == ["other65"])
        #expect(try await viewer.walk("/users?q=mist&after=nobody").isEmpty)
    }

    @Test("Who is suspended or blocked isn't found, nor the viewer")
    func hidden() async throws {
        let world = try await World()
        let people = try await world.friends("mist.a", "mist.b", "mist.c", "mist.d")
        let viewer = people[0]
        try await viewer.block(people[1])
        try await people[2].block(viewer)
        #expect(try await viewer.people("mist") == ["mist.d"])
        for name in ["mist.b", "mist.c"] { #expect(try await viewer.people(name).isEmpty) }
        try await world.tintype.database.write {
            try $0.execute("UPDATE accounts SET is_suspended = 1 WHERE id = $1", people[3].id)
        }
        #expect(try await viewer.people("mist").isEmpty)
    }

    @Test("A search with thousands of matches looks at a bounded number of them")
    func bounds() async throws {
        let world = try await World()
        let viewer = try await world.account("viewer")
        try await world.tintype.database.write { transaction in
            for number in 1...6_010 {
                let id = transaction.newID()
                try transaction.execute(
                    """
                    INSERT INTO accounts (id, username, username_folded, display_name, password)
                    VALUES ($1, $2, $2, 'Mist', '')
                    """, id, "m\(number)")
                let words = (number <= 5_010 ? ["mist"] : []) + (number > 5_005 ? ["wide"] : [])
                for term in words + ["m\(number)"] {
                    try transaction.execute(
                        "INSERT INTO account_terms (term, account_id) VALUES ($1, $2)", term, id)
                }
            }
        }
        #expect(try await viewer.people("mist", "&limit=2") == ["m1", "m2"])
        #expect(try await viewer.people("mist", "&limit=1&offset=999") == ["m1000"])
        #expect(try await viewer.people("mist m5010") == ["m5010"])
        #expect(try await viewer.people("m5010") == ["m5010"])
        // Of a word that few names have, all are looked at. Of two words that many have, the first 5,000 with one of them.
        #expect(try await viewer.people("wide mist").isEmpty)
        try await world.tintype.database.write {
            try $0.execute(
                """
                DELETE FROM account_terms WHERE term = 'mist' AND account_id IN
                    (SELECT id FROM accounts WHERE username_folded IN ('m1', 'm2', 'm3', 'm4', 'm5', 'm6'))
                """)
        }
        #expect(try await viewer.people("wide mist") == ["m5006"])
    }
}

extension Person {
    /// The people whom apps find, by their usernames.
    fileprivate func people(_ words: String, _ more: String = "") async throws -> [String] {
        let answer = try await get("/api/v1/accounts/search?q=\(words.queryEncoded)\(more)")
        try #require(answer.status == 200, "\(words): \(answer.text)")
        return answer.json.list.compactMap { $0["username"].string }
    }

    /// The people of all pages of a list from a path on, by their usernames.
    fileprivate func walk(_ path: String) async throws -> [String] {
        var (found, next): ([String], String?) = ([], path)
        while let path = next {
            let page = try await visit(path)
            try #require(page.status == 200)
            found += page.text.matches(of: /<span>@([a-z0-9.]+)<\/span>/).map { String($0.1) }
            next = page.text.firstMatch(of: /class="more" href="([^"]+)"/)
                .map { String($0.1).replacing("&amp;", with: "&") }
        }
        return found
    }
}
