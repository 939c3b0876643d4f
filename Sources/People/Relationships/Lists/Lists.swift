import Core
import Serving
import Storage

// Lists of people whom the viewer follows.
extension RelationshipService {
    /// Returns the viewer's lists, oldest first.
    package func lists(of viewer: Account) async throws -> [PeopleList] {
        try await database.read { try ListStore($0).lists(of: viewer.id) }
    }

    /// Returns one of the viewer's lists.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    package func list(_ id: PeopleList.ID, of viewer: Account) async throws -> PeopleList {
        try await database.read { try RelationshipRecords($0).list(id, of: viewer) }
    }

    /// Returns the viewer's lists in which somebody is.
    ///
    /// - Throws: ``Refusal`` (404) for someone whom the viewer can't see.
    func lists(of viewer: Account, with id: Account.ID) async throws -> [PeopleList] {
        try await database.read { transaction in
            _ = try AccountRecords(transaction).account(id, for: viewer)
            return try ListStore(transaction).lists(of: viewer.id, with: id)
        }
    }

    /// Returns the ids of a person's lists in which somebody is.
    package func lists(of viewer: Account.ID, with member: Account.ID) async throws -> Set<PeopleList.ID> {
        try await database.read { Set(try ListStore($0).lists(of: viewer, with: member).map(\.id)) }
    }

    /// Makes a list without people.
    ///
    /// - Parameter key: the idempotency key. A second call with the key within 24 hours returns the list of the first.
    /// - Throws: ``Refusal``: 410 if the key's list was deleted, 422 for a title that can't be, and beyond
    ///   ``ListRules/most`` lists.
    func makeList(
        _ title: String, isExclusive: Bool, by viewer: Account, key: IdempotencyKey? = nil
    ) async throws -> PeopleList {
        let title = try ListRules.title(title)
        return try await database.write { transaction in
            let store = ListStore(transaction)
            let known = try key?.made(by: viewer.id, gone: "This list was made and is deleted.", transaction)
            {
                try store.list(ID(rawValue: $0), of: viewer.id)
            }
            if let known { return known }
            guard try store.count(of: viewer.id) < ListRules.most else {
                throw Refusal.invalid(
                    "title", "ERR_TOO_MANY", "You already have \(ListRules.most) lists, which is the limit.")
            }
            let id = PeopleList.ID(rawValue: transaction.newID())
            try store.insert(id, title: title, isExclusive: isExclusive, of: viewer.id)
            try key?.record(id.rawValue, transaction, viewer.id)
            return PeopleList(id: id, title: title, isExclusive: isExclusive, peopleCount: 0)
        }
    }

    /// Changes the title of a list, and whether Home leaves out its people; nil keeps what it is.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's list, 422 for a title that can't be.
    func change(
        _ id: PeopleList.ID, title: String?, isExclusive: Bool?, by viewer: Account
    ) async throws -> PeopleList {
        try await database.write { transaction in
            var list = try RelationshipRecords(transaction).list(id, of: viewer)
            if let title { list.title = try ListRules.title(title) }
            list.isExclusive = isExclusive ?? list.isExclusive
            try ListStore(transaction).update(list)
            return list
        }
    }

    /// Deletes a list. The people in it stay followed.
    func deleteList(_ id: PeopleList.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            _ = try RelationshipRecords(transaction).list(id, of: viewer)
            try ListStore(transaction).delete(id)
        }
    }

    // MARK: People

    /// Returns a page of the people in a list, added last first, with the id by which each is paged.
    func people(
        in id: PeopleList.ID, of viewer: Account, page: PageRequest
    ) async throws -> [(Int64, Account)] {
        try await database.read { transaction in
            _ = try RelationshipRecords(transaction).list(id, of: viewer)
            return try ListStore(transaction).people(in: id, of: viewer.id, page: page)
        }
    }

    /// Adds people to a list: all of them, or none when one of them can't be added. Who is in it already stays.
    ///
    /// - Throws: ``Refusal``: 404 for anyone else's list and for people whom the viewer can't see, 422 for people whom
    ///   the viewer doesn't follow, and beyond ``ListRules/mostPeople``.
    func add(_ people: [Account.ID], to id: PeopleList.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            let list = try RelationshipRecords(transaction).list(id, of: viewer)
            guard !people.isEmpty else {
                throw Refusal.invalid("account_ids", "ERR_BLANK", "Choose somebody to add.")
            }
            let people = people.withoutRepeats()
            guard people.count <= ListRules.mostPeople else { throw Self.tooManyPeople }
            let accounts = try AccountRecords(transaction).accounts(Set(people), for: viewer.id)
            guard accounts.count == people.count else { throw Refusal.notFound }
            let relationships = try FollowStore(transaction).relationships(of: viewer.id, to: people)
            let store = ListStore(transaction)
            var count = list.peopleCount
            for person in people {
                guard relationships[person]?.follows == true else {
                    let name = accounts[person]?.displayName ?? ""
                    throw Refusal.invalid(
                        "account_ids", "ERR_INVALID", "Follow \(name) first: lists are of people you follow.")
                }
                if try store.add(person, to: id, of: viewer.id) { count += 1 }
            }
            guard count <= ListRules.mostPeople else { throw Self.tooManyPeople }
        }
    }

    private static var tooManyPeople: Refusal {
        Refusal.invalid(
            "account_ids", "ERR_TOO_MANY", "A list has at most \(ListRules.mostPeople) people.")
    }

    /// Takes people out of a list. Who isn't in it changes nothing.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's list.
    func remove(_ people: [Account.ID], from id: PeopleList.ID, by viewer: Account) async throws {
        try await database.write { transaction in
            _ = try RelationshipRecords(transaction).list(id, of: viewer)
            try ListStore(transaction).remove(
                Array(people.withoutRepeats().prefix(ListRules.mostPeople)), from: id)
        }
    }

    // MARK: Pages

    /// A list with a page of its people, and followed people to add.
    struct ListToEdit: Sendable {
        let list: PeopleList
        /// The people, each with the id by which they are paged.
        let people: [(Int64, Account)]
        /// Followed people who aren't in the list.
        let others: [Account]
        /// Whether more people may be found by their names.
        let hasMore: Bool
    }

    /// The most followed people that are found to add to a list.
    private static let mostFound = 40

    /// Returns a list with a page of its people, and with followed people to add, whose names begin with `query`.
    func listToEdit(
        _ id: PeopleList.ID, query: String, of viewer: Account, page: PageRequest
    ) async throws -> ListToEdit {
        try await database.read { transaction in
            let list = try RelationshipRecords(transaction).list(id, of: viewer)
            let store = ListStore(transaction)
            let found = try RelationshipRecords(transaction).search(
                query, among: .followed, by: .name, for: viewer, after: "", limit: Self.mostFound
            ).map(\.account)
            let added = try store.people(in: id, among: Set(found.map(\.id)))
            return ListToEdit(
                list: list, people: try store.people(in: id, of: viewer.id, page: page),
                others: found.filter { !added.contains($0.id) }, hasMore: found.count == Self.mostFound)
        }
    }

    /// A person with the viewer's lists, and those in which the person is.
    struct ListsOfPerson: Sendable {
        let person: Listed
        let lists: [PeopleList]
        let has: Set<PeopleList.ID>
    }

    /// Returns a person with the viewer's lists.
    ///
    /// - Throws: ``Refusal`` (404) for someone whom the viewer can't see.
    func lists(of viewer: Account, withUsername username: String) async throws -> ListsOfPerson {
        try await database.read { transaction in
            let account = try AccountRecords(transaction).account(username: username, for: viewer)
            let relationship = try FollowStore(transaction).relationship(of: viewer.id, to: account.id)
            let store = ListStore(transaction)
            return ListsOfPerson(
                person: Listed(account: account, relationship: relationship),
                lists: try store.lists(of: viewer.id),
                has: Set(try store.lists(of: viewer.id, with: account.id).map(\.id)))
        }
    }
}
