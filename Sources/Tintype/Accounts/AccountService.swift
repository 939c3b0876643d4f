import Crypto
import Foundation
import Storage

/// What people can do with accounts: sign up, be found, follow, block.
final class AccountService: Sendable {
    let database: Database
    let sessions: SessionService
    private let hasher: PasswordHasher
    private let portraits: PortraitService
    let notifications: NotificationService
    private let announcements: PostAnnouncements
    let events: EventBus
    private let signUps: SignUpPolicy

    init(
        database: Database, hasher: PasswordHasher, sessions: SessionService, portraits: PortraitService,
        notifications: NotificationService, announcements: PostAnnouncements, events: EventBus,
        signUps: SignUpPolicy
    ) {
        self.database = database
        self.notifications = notifications
        self.announcements = announcements
        self.events = events
        self.hasher = hasher
        self.sessions = sessions
        self.portraits = portraits
        self.signUps = signUps
    }

    // MARK: Signing up

    /// What a new person fills in.
    struct SignUp: Sendable {
        var username: String
        var displayName: String
        var password: String
        var invitationCode: String = ""
        var bio: String = ""
    }

    /// Whether the sign-up form asks for an invitation code.
    func needsInvitation() async throws -> Bool {
        try await database.read { [signUps] transaction in
            try signUps.mode(transaction) != .open && AccountStore(transaction).hasAny()
        }
    }

    /// Makes an account. The first on a server is its administrator and needs no invitation.
    ///
    /// - Parameter portrait: a picture and its square; nil for initials.
    /// - Throws: ``Refusal``: 422 with every wrong field; 415, 413 for the portrait.
    func signUp(_ form: SignUp, portrait: PortraitService.Upload?) async throws -> Account {
        try await signUp(form, portrait: portrait, isAdmin: false, mode: signUps.mode())
    }

    /// Checks that someone with this invitation code may make an account now; any code will do where none is needed.
    ///
    /// - Throws: ``Refusal`` (422) when they may not.
    func checkAdmission(_ invitationCode: String) async throws {
        try await database.read { [signUps] transaction in
            var problems = Problems()
            _ = try Self.checkAdmission(
                invitationCode, signUps.mode(transaction), transaction, into: &problems)
            try problems.throwIfAny()
        }
    }

    /// Makes an account from the command line: no invitation, and a password already chosen.
    func create(_ form: SignUp, portrait: PortraitService.Upload? = nil, isAdmin: Bool) async throws
        -> Account
    {
        try await signUp(form, portrait: portrait, isAdmin: isAdmin, mode: .open)
    }

    private func signUp(
        _ form: SignUp, portrait: PortraitService.Upload?, isAdmin: Bool, mode: SignUpMode
    ) async throws -> Account {
        var problems = Problems()
        AccountRules.check(username: form.username, into: &problems)
        AccountRules.check(displayName: form.displayName, into: &problems)
        AccountRules.check(bio: form.bio, into: &problems)
        AccountRules.check(password: form.password, into: &problems)
        var form = form
        form.displayName = AccountRules.cleaned(name: form.displayName)
        form.bio = AccountRules.cleaned(bio: form.bio)
        let (known, cleaned) = (problems, form)
        problems = try await database.read { transaction in
            var problems = known
            if try Self.checkAdmission(cleaned.invitationCode, mode, transaction, into: &problems) {
                try Self.checkName(cleaned, transaction, into: &problems)
            }
            return problems
        }
        try problems.throwIfAny()
        let processed = try await portraits.process(portrait)
        do {
            return try await insert(
                cleaned, passwordHash: hasher.hash(cleaned.password), portrait: processed, isAdmin: isAdmin,
                mode: mode)
        } catch {
            await portraits.discard(processed, after: error)
            throw error
        }
    }

    /// Checks that someone may come in; returns whether they may.
    private static func checkAdmission(
        _ invitationCode: String, _ mode: SignUpMode, _ transaction: Transaction,
        into problems: inout Problems
    ) throws -> Bool {
        guard mode != .open, try AccountStore(transaction).hasAny() else { return true }
        guard mode == .invitation else {
            problems.add("username", "ERR_CLOSED", "This server takes no new people at the moment.")
            return false
        }
        let code = Invitation.normalized(invitationCode)
        if code.isEmpty {
            problems.add("invitation_code", "ERR_BLANK", "Ask a friend here for an invitation code.")
            return false
        }
        let isGood = try InvitationStore(transaction).isGood(code: code)
        if !isGood { problems.add("invitation_code", badInvitation.code, badInvitation.sentence) }
        return isGood
    }

    /// Checks that a name is free, for someone who may come in: which names are taken is not for strangers to find
    /// out.
    private static func checkName(
        _ form: SignUp, _ transaction: Transaction, into problems: inout Problems
    ) throws {
        let store = AccountStore(transaction)
        guard try store.account(username: form.username) != nil else { return }
        problems.add(
            "username", "ERR_TAKEN", takenSentence(form.username, free: try freeNames(like: form, store)))
    }

    private static let badInvitation = Refusal.Problem(
        code: "ERR_INVALID", sentence: "This code is unknown, used or out of date.")

    private func insert(
        _ form: SignUp, passwordHash: String, portrait: StoredPicture?, isAdmin: Bool, mode: SignUpMode
    ) async throws -> Account {
        do {
            let account = try await database.write { transaction in
                let store = AccountStore(transaction)
                let isFirst = try !store.hasAny()
                var account = Account(
                    id: ID(rawValue: transaction.newID()), username: form.username,
                    displayName: form.displayName, bio: form.bio, portrait: nil,
                    isAdmin: isFirst || isAdmin,
                    approvesFollowers: false, isSuspended: false, postsCount: 0, followersCount: 0,
                    followingCount: 0, newestPost: nil)
                try store.insert(account, password: passwordHash)
                if !isFirst, mode == .invitation {
                    let code = Invitation.normalized(form.invitationCode)
                    guard try InvitationStore(transaction).use(code: code, by: account.id) else {
                        throw Refusal.invalid(
                            "invitation_code", Self.badInvitation.code, Self.badInvitation.sentence)
                    }
                }
                if let portrait {
                    account.portrait = try PortraitStore(transaction).insert(portrait, of: account.id)
                    try store.update(account)
                }
                return account
            }
            await portraits.keep(portrait)
            return account
        } catch DatabaseError.uniqueViolation {
            // Someone else took the name between the look and the write.
            throw Refusal.invalid("username", "ERR_TAKEN", Self.takenSentence(form.username, free: []))
        }
    }

    private static func takenSentence(_ username: String, free: [String]) -> String {
        let taken = "@\(username) is taken."
        return free.isEmpty
            ? taken : "\(taken) \(free.joined(separator: " and ")) \(free.count == 1 ? "is" : "are") free."
    }

    /// Up to two free usernames made from what the person typed.
    private static func freeNames(like form: SignUp, _ store: AccountStore) throws -> [String] {
        let words = AccountRules.searchTerms(form.displayName)
        let base = String(form.username.lowercased().prefix(20))
        var candidates = [String]()
        if let initial = words.first(where: { !base.hasPrefix($0) })?.first {
            candidates.append("\(base).\(initial)")
        }
        candidates += [words.joined(), "\(base)_", "\(base).2", "\(base)2"]
        var free: [String] = []
        for candidate in candidates where free.count < 2 && !free.contains(candidate) {
            var problems = Problems()
            AccountRules.check(username: candidate, into: &problems)
            if problems.fields.isEmpty, try store.account(username: candidate) == nil {
                free.append(candidate)
            }
        }
        return free
    }

    // MARK: Being found

    /// A person by username, as `viewer` may see them.
    ///
    /// - Throws: ``Refusal`` (404) for nobody, the suspended, and blocks in either direction.
    func account(username: String, for viewer: Account) async throws -> Account {
        try await database.read { transaction in
            guard let account = try AccountStore(transaction).account(username: username) else {
                throw Refusal.notFound
            }
            return try Self.visible(account, to: viewer, transaction)
        }
    }

    /// A person by id, as `viewer` may see them.
    func account(_ id: Account.ID, for viewer: Account) async throws -> Account {
        try await database.read { try Self.account($0, id, for: viewer) }
    }

    /// Returns a person by id, for what shows their face or initials, which needs no log-in.
    ///
    /// - Parameter viewer: who asks, where that is known. Administrators see every face.
    /// - Throws: ``Refusal`` (404) for nobody, the suspended, and those who block the viewer.
    func face(of id: Account.ID, for viewer: Account?) async throws -> Account {
        try await database.read { try Self.face(of: id, for: viewer, $0) }
    }

    /// Returns a person by id, inside a transaction of another service, for what shows their face.
    static func face(of id: Account.ID, for viewer: Account?, _ transaction: Transaction) throws -> Account {
        let store = AccountStore(transaction)
        guard let account = try store.account(id) else { throw Refusal.notFound }
        if viewer?.isAdmin == true { return account }
        guard !account.isSuspended, try viewer.map({ try !store.blocks(id, $0.id) }) ?? true else {
            throw Refusal.notFound
        }
        return account
    }

    /// A person by id, as `viewer` may see them, inside a transaction of another service.
    static func account(_ transaction: Transaction, _ id: Account.ID, for viewer: Account) throws -> Account {
        guard let account = try AccountStore(transaction).account(id) else { throw Refusal.notFound }
        return try visible(account, to: viewer, transaction)
    }

    /// An account as it is, for another service that checks by itself who may see it.
    static func account(_ transaction: Transaction, _ id: Account.ID) throws -> Account? {
        try AccountStore(transaction).account(id)
    }

    /// The same by username.
    static func account(_ transaction: Transaction, username: String) throws -> Account? {
        try AccountStore(transaction).account(username: username)
    }

    /// Returns accounts by folded username, those that `viewer` may see; nil for what anyone may see.
    static func accounts(
        foldedUsernames names: Set<String>, for viewer: Account.ID?, _ transaction: Transaction
    ) throws -> [String: Account] {
        let found = try AccountStore(transaction).accounts(whose: .username, isOneOf: names, for: viewer)
        let named = found.map { (AccountRules.folded(username: $0.username), $0) }
        return Dictionary(uniqueKeysWithValues: named)
    }

    /// Returns those of some accounts that `viewer` may see; nil for what anyone may see.
    static func visible(
        _ ids: Set<Account.ID>, to viewer: Account.ID?, _ transaction: Transaction
    ) throws -> Set<Account.ID> {
        Set(try AccountStore(transaction).accounts(whose: .id, isOneOf: ids, for: viewer).map(\.id))
    }

    /// The epoch that an account's picture URLs have to be signed in; nil for nobody and the suspended.
    static func pictureEpoch(of account: Account.ID, _ transaction: Transaction) throws -> Int64? {
        try AccountStore(transaction).pictureEpoch(of: account)
    }

    /// Whether neither of two people blocks the other.
    static func mayMeet(_ transaction: Transaction, _ one: Account.ID, _ other: Account.ID) throws -> Bool {
        let store = AccountStore(transaction)
        return try !store.blocks(one, other) && !store.blocks(other, one)
    }

    private static func visible(_ account: Account, to viewer: Account, _ transaction: Transaction) throws
        -> Account
    {
        guard account.id != viewer.id else { return account }
        let store = AccountStore(transaction)
        guard !account.isSuspended, try !store.blocks(viewer.id, account.id),
            try !store.blocks(account.id, viewer.id)
        else { throw Refusal.notFound }
        return account
    }

    /// What two people are to each other, inside a transaction of another service.
    static func relationship(
        _ transaction: Transaction, of viewer: Account.ID, to account: Account.ID
    ) throws -> Relationship {
        try AccountStore(transaction).relationship(of: viewer, to: account)
    }

    /// A person in a list, with what they are to the one who looks.
    struct Listed: Sendable {
        var account: Account
        var relationship: Relationship
    }

    /// People whose name or username has words beginning with those of `query`, by username; everyone when
    /// it is empty.
    ///
    /// - Parameters:
    ///   - scope: everyone, those whom the viewer follows, or friends.
    ///   - after: the username that the last page ended with, empty for the first page.
    func search(
        _ query: String, among scope: AccountStore.SearchScope = .everyone,
        by order: AccountStore.SearchOrder = .username, for viewer: Account, after: String = "", limit: Int
    ) async throws -> [Listed] {
        let terms = AccountRules.searchTerms(query.hasPrefix("@") ? String(query.dropFirst()) : query)
        guard query.isEmpty || !terms.isEmpty else { return [] }
        return try await database.read { transaction in
            let store = AccountStore(transaction)
            return try store.search(
                terms, among: scope, by: order, for: viewer.id, after: after, limit: min(limit, 100)
            ).map { Listed(account: $0, relationship: try store.relationship(of: viewer.id, to: $0.id)) }
        }
    }

    /// What the viewer and others are to each other; unknown and invisible accounts are left out. Those whom the viewer
    /// blocks are there, suspended or not: they stand in the viewer's own list, to be unblocked.
    func relationships(_ ids: [Account.ID], for viewer: Account) async throws -> [Relationship] {
        try await database.read { transaction in
            let store = AccountStore(transaction)
            return try ids.prefix(40).compactMap { id in
                guard let account = try store.account(id) else { return nil }
                let relationship = try store.relationship(of: viewer.id, to: id)
                guard !relationship.isBlockedBy, !account.isSuspended || relationship.blocks else {
                    return nil
                }
                return relationship
            }
        }
    }

    /// One page of those who follow `id`, with the id that each row is paged by.
    func followers(of id: Account.ID, for viewer: Account, page: PageRequest) async throws -> [(
        Int64, Listed
    )] {
        try await listed(id, viewer) { try $0.followers(of: id, viewer: viewer.id, page: page) }
    }

    /// One page of those whom `id` follows.
    func following(of id: Account.ID, for viewer: Account, page: PageRequest) async throws -> [(
        Int64, Listed
    )] {
        try await listed(id, viewer) { try $0.following(of: id, viewer: viewer.id, page: page) }
    }

    /// Whether an account shows its posts, followers and followees to `viewer`: those that ask before someone
    /// follows show them to accepted followers only.
    static func isOpen(_ account: Account, to viewer: Account, _ transaction: Transaction) throws -> Bool {
        guard account.approvesFollowers, account.id != viewer.id else { return true }
        return try AccountStore(transaction).relationship(of: viewer.id, to: account.id).follows
    }

    private func listed(
        _ id: Account.ID, _ viewer: Account,
        _ rows: @escaping @Sendable (AccountStore) throws -> [(Int64, Account)]
    ) async throws -> [(Int64, Listed)] {
        try await database.read { transaction in
            let account = try Self.account(transaction, id, for: viewer)
            let store = AccountStore(transaction)
            guard try Self.isOpen(account, to: viewer, transaction) else { return [] }
            return try rows(store).map { key, account in
                (
                    key,
                    Listed(
                        account: account, relationship: try store.relationship(of: viewer.id, to: account.id))
                )
            }
        }
    }

    // MARK: One's own profile

    /// What may be changed of a profile; nil leaves it as it is.
    struct ProfileChange: Sendable {
        var username: String?
        var displayName: String?
        var bio: String?
        var approvesFollowers: Bool?
    }

    /// Changes one's own profile. Who stops asking accepts all who wait.
    ///
    /// - Throws: ``Refusal``: 422 with every wrong field; 415, 413 for the portrait.
    func update(
        _ change: ProfileChange, portrait: PortraitService.Upload?, of viewer: Account
    ) async throws -> Account {
        var problems = Problems()
        if let name = change.username { AccountRules.check(username: name, into: &problems) }
        if let name = change.displayName { AccountRules.check(displayName: name, into: &problems) }
        if let bio = change.bio { AccountRules.check(bio: bio, into: &problems) }
        try problems.throwIfAny()
        let processed = try await portraits.process(portrait)
        do {
            let account = try await database.write { [announcements] transaction in
                let store = AccountStore(transaction)
                guard var account = try store.account(viewer.id) else { throw Refusal.notFound }
                let beginsAsking = !account.approvesFollowers && change.approvesFollowers == true
                let stopsAsking = account.approvesFollowers && change.approvesFollowers == false
                account.username = change.username ?? account.username
                account.displayName =
                    change.displayName.map(AccountRules.cleaned(name:)) ?? account.displayName
                account.bio = change.bio.map(AccountRules.cleaned(bio:)) ?? account.bio
                account.approvesFollowers = change.approvesFollowers ?? account.approvesFollowers
                if let processed {
                    let portraitStore = PortraitStore(transaction)
                    if let old = account.portrait { try portraitStore.delete(old) }
                    account.portrait = try portraitStore.insert(processed, of: account.id)
                }
                try store.update(account)
                if beginsAsking { announcements.narrowed(account, transaction) }
                guard stopsAsking else { return account }
                try NotificationService.takeBackAll(.followRequest, to: account.id, transaction)
                return try store.acceptAllFollows(of: account.id)
            }
            await portraits.keep(processed)
            sessions.refresh(viewer.id)
            return account
        } catch {
            await portraits.discard(processed, after: error)
            guard case DatabaseError.uniqueViolation = error else { throw error }
            throw Refusal.invalid(
                "username", "ERR_TAKEN", Self.takenSentence(change.username ?? viewer.username, free: []))
        }
    }
}
