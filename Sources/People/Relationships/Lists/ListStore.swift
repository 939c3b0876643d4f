import Core
import Serving
import Storage

/// The SQL of lists.
struct ListStore {
    let transaction: Transaction

    init(_ transaction: Transaction) { self.transaction = transaction }

    private static let columns = """
        l.id, l.title, l.is_exclusive,
        (SELECT count(*) FROM list_members c WHERE c.list_id = l.id) AS people_count
        """

    private static func list(from row: Row) throws -> PeopleList {
        PeopleList(
            id: ID(rawValue: try row.int64("id")), title: try row.string("title"),
            isExclusive: try row.bool("is_exclusive"), peopleCount: try row.int("people_count"))
    }

    // MARK: Lists

    /// Returns the lists of a person, oldest first.
    func lists(of owner: Account.ID) throws -> [PeopleList] {
        // people_lists_by_owner
        try transaction.rows(
            "SELECT \(Self.columns) FROM people_lists l WHERE l.owner_id = $1 ORDER BY l.id", owner,
            map: Self.list)
    }

    /// Returns a list of a person; nil for anyone else's.
    func list(_ id: PeopleList.ID, of owner: Account.ID) throws -> PeopleList? {
        try transaction.row(
            "SELECT \(Self.columns) FROM people_lists l WHERE l.id = $1 AND l.owner_id = $2", id, owner,
            map: Self.list)
    }

    /// Returns the lists of a person in which somebody is.
    func lists(of owner: Account.ID, with member: Account.ID) throws -> [PeopleList] {
        // list_members_by_owner
        try transaction.rows(
            """
            SELECT \(Self.columns) FROM list_members m JOIN people_lists l ON l.id = m.list_id
            WHERE m.owner_id = $1 AND m.member_id = $2 ORDER BY l.id
            """, owner, member, map: Self.list)
    }

    func count(of owner: Account.ID) throws -> Int {
        try transaction.value("SELECT count(*) FROM people_lists WHERE owner_id = $1", owner) ?? 0
    }

    func insert(_ id: PeopleList.ID, title: String, isExclusive: Bool, of owner: Account.ID) throws {
        try transaction.execute(
            "INSERT INTO people_lists (id, owner_id, title, is_exclusive) VALUES ($1, $2, $3, $4)", id, owner,
            title, isExclusive)
    }

    func update(_ list: PeopleList) throws {
        try transaction.execute(
            "UPDATE people_lists SET title = $2, is_exclusive = $3 WHERE id = $1", list.id, list.title,
            list.isExclusive)
    }

    func delete(_ id: PeopleList.ID) throws {
        try transaction.execute("DELETE FROM people_lists WHERE id = $1", id)
    }

    // MARK: People

    /// Returns a page of the people in a list whom its owner can see, added last first, each with the id that pages it.
    func people(in list: PeopleList.ID, of owner: Account.ID, page: PageRequest) throws -> [(Int64, Account)]
    {
        // list_members_by_list
        try page.rows(
            idColumn: "m.id",
            """
            SELECT m.id, \(AccountRow.columns) FROM list_members m
            JOIN \(AccountRow.table) a ON a.id = m.member_id WHERE m.list_id = $2 AND \(AccountRow.isVisible)
            """, arguments: [owner, list], transaction
        ) { (try $0.int64("id"), try AccountRow.account(from: $0)) }
    }

    /// Returns those of some people, at most a page, who are in a list.
    func people(in list: PeopleList.ID, among people: Set<Account.ID>) throws -> Set<Account.ID> {
        Set(
            try transaction.rows(for: people, after: [list]) { places in
                "SELECT member_id FROM list_members WHERE list_id = $1 AND member_id IN (\(places))"
            } map: {
                Account.ID(rawValue: try $0.int64("member_id"))
            })
    }

    /// Adds somebody to a list. Returns whether they weren't in it.
    func add(_ member: Account.ID, to list: PeopleList.ID, of owner: Account.ID) throws -> Bool {
        try transaction.execute(
            """
            INSERT INTO list_members (list_id, member_id, owner_id, id) VALUES ($1, $2, $3, $4)
            ON CONFLICT (list_id, member_id) DO NOTHING
            """, list, member, owner, transaction.newID()) > 0
    }

    func remove(_ members: [Account.ID], from list: PeopleList.ID) throws {
        try transaction.inPortions(members, after: [list]) { places, arguments in
            try transaction.execute(
                "DELETE FROM list_members WHERE list_id = $1 AND member_id IN (\(places))",
                arguments: arguments)
        }
    }

    /// Takes somebody out of all lists of a person, who no longer follows them.
    func removeFromAll(_ member: Account.ID, of owner: Account.ID) throws {
        try transaction.execute(
            "DELETE FROM list_members WHERE owner_id = $1 AND member_id = $2", owner, member)
    }

    /// Returns those of some people who keep the posts of an account out of Home.
    func withoutInHome(_ account: Account.ID, among others: Set<Account.ID>) throws -> Set<Account.ID> {
        let found = try transaction.rows(for: others, after: [account], of: 400) { places in
            """
            SELECT m.owner_id FROM list_members m JOIN people_lists l ON l.id = m.list_id
            WHERE m.owner_id IN (\(places)) AND m.member_id = $1 AND l.is_exclusive = 1
            """
        } map: {
            Account.ID(rawValue: try $0.int64("owner_id"))
        }
        return Set(found)
    }
}

extension RelationshipRecords {
    /// Returns a list of the viewer's.
    ///
    /// - Throws: ``Refusal`` (404) for anyone else's.
    package func list(_ id: PeopleList.ID, of viewer: Account) throws -> PeopleList {
        guard let list = try ListStore(transaction).list(id, of: viewer.id) else { throw Refusal.notFound }
        return list
    }

    /// Returns those of some people who keep the posts of an account out of Home.
    package func withoutInHome(
        _ account: Account.ID, among others: Set<Account.ID>
    ) throws -> Set<Account.ID> {
        guard !others.isEmpty else { return [] }
        return try ListStore(transaction).withoutInHome(account, among: others)
    }
}
