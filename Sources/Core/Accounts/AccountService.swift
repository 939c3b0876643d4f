import Crypto
import Foundation
import Imaging
import Serving
import Storage

/// The service of accounts: signing up, profiles, and finding people.
package final class AccountService: Sendable {
    private let database: Database
    private let hasher: PasswordHasher
    private let portraits: PortraitService
    private let signUps: SignUpPolicy
    private let features: Registry<any Feature>
    private let takenNames: TakenNames

    init(
        database: Database, hasher: PasswordHasher, portraits: PortraitService, signUps: SignUpPolicy,
        features: Registry<any Feature>, takenNames: TakenNames
    ) {
        self.takenNames = takenNames
        self.database = database
        self.hasher = hasher
        self.portraits = portraits
        self.signUps = signUps
        self.features = features
    }

    // MARK: Signing up

    /// The values that a new person fills in.
    package struct SignUp: Sendable {
        package var username: String
        package var displayName: String
        package var password: String
        package var invitationCode: String = ""
        package var bio: String = ""

        package init(
            username: String, displayName: String, password: String, invitationCode: String = "",
            bio: String = ""
        ) {
            self.username = username
            self.displayName = displayName
            self.password = password
            self.invitationCode = invitationCode
            self.bio = bio
        }
    }

    /// Returns whether the sign-up form asks for an invitation code.
    package func needsInvitation() async throws -> Bool {
        try await database.read { [signUps] transaction in
            try signUps.mode(transaction) != .open && AccountStore(transaction).hasAny()
        }
    }

    /// Creates an account. The first account of a server is its administrator and needs no invitation.
    ///
    /// - Parameters:
    ///   - portrait: a picture and the chosen square of it; nil for initials.
    ///   - network: the network of the request, a key of ``ClientNetwork``.
    /// - Throws: ``Refusal``: 422 with every wrong field; 415 or 413 for the portrait.
    package func signUp(
        _ form: SignUp, portrait: PortraitService.Upload?, from network: String
    ) async throws -> Account {
        try await signUp(
            form, portrait: portrait, for: .network(network), isAdmin: false, mode: signUps.mode())
    }

    /// Checks that someone with this invitation code may sign up now. Any code is accepted if none is needed.
    ///
    /// - Throws: ``Refusal`` (422) if they may not sign up.
    package func checkAdmission(_ invitationCode: String) async throws {
        try await database.read { [signUps] transaction in
            var problems = Problems()
            _ = try self.checkAdmission(
                invitationCode, signUps.mode(transaction), transaction, into: &problems)
            try problems.throwIfAny()
        }
    }

    /// Creates an account for the command line, without an invitation and with a password that is already
    /// chosen.
    package func create(
        _ form: SignUp, portrait: PortraitService.Upload? = nil, isAdmin: Bool
    ) async throws -> Account {
        try await signUp(form, portrait: portrait, for: .server, isAdmin: isAdmin, mode: .open)
    }

    private func signUp(
        _ form: SignUp, portrait: PortraitService.Upload?, for owner: PictureOwner, isAdmin: Bool,
        mode: SignUpMode
    ) async throws -> Account {
        var problems = Problems()
        var form = form
        form.displayName = form.displayName.trimmed
        form.bio = ShownText.cleaned(form.bio, hasLines: true)
        AccountRules.check(username: form.username, taken: takenNames, into: &problems)
        AccountRules.check(displayName: form.displayName, taken: takenNames, into: &problems)
        AccountRules.check(bio: form.bio, into: &problems)
        AccountRules.check(password: form.password, into: &problems)
        let (known, cleaned) = (problems, form)
        problems = try await database.read { [self] transaction in
            var problems = known
            if try checkAdmission(cleaned.invitationCode, mode, transaction, into: &problems) {
                try checkName(cleaned, transaction, into: &problems)
            }
            return problems
        }
        try problems.throwIfAny()
        let processed = try await portraits.process(portrait, for: owner)
        do {
            return try await insert(
                cleaned, passwordHash: hasher.hash(cleaned.password), portrait: processed, isAdmin: isAdmin,
                mode: mode)
        } catch {
            await portraits.discard(processed, after: error)
            throw error
        }
    }

    /// Checks that someone may sign up. Returns whether they may.
    private func checkAdmission(
        _ invitationCode: String, _ mode: SignUpMode, _ transaction: Transaction,
        into problems: inout Problems
    ) throws -> Bool {
        guard mode != .open, try AccountStore(transaction).hasAny() else { return true }
        guard mode == .invitation else {
            problems.add("username", "ERR_CLOSED", "This server isn’t accepting new people at the moment.")
            return false
        }
        let code = Invitation.normalized(invitationCode)
        if code.isEmpty {
            problems.add("invitation_code", "ERR_BLANK", "Ask a friend here for an invitation code.")
            return false
        }
        let isGood = try InvitationStore(transaction).isGood(code: code)
        if !isGood { problems.add("invitation_code", Self.badInvitation.code, Self.badInvitation.sentence) }
        return isGood
    }

    /// Checks that a name is free, for someone who may sign up. Strangers must not find out which names are
    /// taken.
    private func checkName(
        _ form: SignUp, _ transaction: Transaction, into problems: inout Problems
    ) throws {
        let store = AccountStore(transaction)
        guard try store.account(username: form.username) != nil else { return }
        problems.add(
            "username", "ERR_TAKEN", Self.takenSentence(form.username, free: try freeNames(like: form, store))
        )
    }

    private static let badInvitation = Refusal.Problem(
        code: "ERR_INVALID", sentence: "This code is invalid, used or expired.")

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
                    followingCount: 0, lastPostAt: nil)
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
            // Somebody else took the name between the check and the write.
            throw Refusal.invalid("username", "ERR_TAKEN", Self.takenSentence(form.username, free: []))
        }
    }

    private static func takenSentence(_ username: String, free: [String]) -> String {
        let taken = "@\(username) is taken."
        return free.isEmpty
            ? taken : "\(taken) \(free.joined(separator: " and ")) \(free.count == 1 ? "is" : "are") free."
    }

    /// Returns up to two free usernames made from what the person typed.
    private func freeNames(like form: SignUp, _ store: AccountStore) throws -> [String] {
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
            AccountRules.check(username: candidate, taken: takenNames, into: &problems)
            if problems.fields.isEmpty, try store.account(username: candidate) == nil {
                free.append(candidate)
            }
        }
        return free
    }

    // MARK: Being found

    /// Returns a person by username, as `viewer` may see them.
    ///
    /// - Throws: ``Refusal`` (404) if there is no such person, if they are suspended, or if either blocks the
    ///   other.
    package func account(username: String, for viewer: Account) async throws -> Account {
        try await database.read { try AccountRecords($0).account(username: username, for: viewer) }
    }

    /// Returns a person by id, as `viewer` may see them.
    package func account(_ id: Account.ID, for viewer: Account) async throws -> Account {
        try await database.read { try AccountRecords($0).account(id, for: viewer) }
    }

    /// Returns those of some people whom `viewer` may see, in the order of `ids`.
    package func accounts(_ ids: [Account.ID], for viewer: Account) async throws -> [Account] {
        let found = try await database.read { try AccountRecords($0).accounts(Set(ids), for: viewer.id) }
        return ids.compactMap { found[$0] }
    }

    /// Returns a person by id, for routes that show portraits or initials and need no log-in.
    ///
    /// - Parameter viewer: the person who asks, if known. Administrators see every portrait.
    /// - Throws: ``Refusal`` (404) if there is no such person, if they are suspended, or if they block the
    ///   viewer.
    func face(of id: Account.ID, for viewer: Account?) async throws -> Account {
        try await database.read { try AccountRecords($0).face(of: id, for: viewer) }
    }

    // MARK: Your profile

    /// The changes to a profile; nil leaves a value unchanged.
    package struct ProfileChange: Sendable {
        package var username: String?
        package var displayName: String?
        package var bio: String?
        package var approvesFollowers: Bool?
        package var covering: Covering?
        package var portrait: PictureChange
        package var banner: PictureChange
        /// All fields in their order; those in which nothing is written are left out.
        package var fields: [ProfileField]?
        package var isDiscoverable: Bool?

        package init(
            username: String? = nil, displayName: String? = nil, bio: String? = nil,
            approvesFollowers: Bool? = nil, covering: Covering? = nil,
            portrait: PictureChange = .kept, banner: PictureChange = .kept, fields: [ProfileField]? = nil,
            isDiscoverable: Bool? = nil
        ) {
            self.username = username
            self.displayName = displayName
            self.bio = bio
            self.approvesFollowers = approvesFollowers
            self.covering = covering
            self.portrait = portrait
            self.banner = banner
            self.fields = fields
            self.isDiscoverable = isDiscoverable
        }
    }

    /// Changes the viewer's profile. When follow requests are turned off, all waiting requests are accepted.
    ///
    /// - Throws: ``Refusal``: 422 with every wrong field; 415 or 413 for the portrait or banner.
    package func update(_ change: ProfileChange, of viewer: Account) async throws -> Account {
        var problems = Problems()
        // Names that are older than a rule stay, also when a form sends them again.
        if let name = change.username, name != viewer.username {
            AccountRules.check(username: name, taken: takenNames, into: &problems)
        }
        if let name = change.displayName, name != viewer.displayName {
            AccountRules.check(displayName: name, taken: takenNames, into: &problems)
        }
        if let bio = change.bio { AccountRules.check(bio: bio, into: &problems) }
        change.fields?.check(into: &problems)
        try problems.throwIfAny()
        let made = try await portraits.process(change, of: viewer.id)
        do {
            let account = try await database.write { [features, portraits] transaction in
                let store = AccountStore(transaction)
                guard let old = try store.account(viewer.id) else { throw Refusal.notFound }
                var account = old
                account.username = change.username ?? account.username
                account.displayName = change.displayName ?? account.displayName
                account.bio = change.bio.map { ShownText.cleaned($0, hasLines: true) } ?? account.bio
                account.approvesFollowers = change.approvesFollowers ?? account.approvesFollowers
                account.covering = change.covering ?? account.covering
                account.fields = change.fields?.written ?? account.fields
                account.isDiscoverable = change.isDiscoverable ?? account.isDiscoverable
                let pictures = PortraitStore(transaction)
                account.portrait = try pictures.change(
                    old.portrait, by: change.portrait, made.portrait, of: account.id)
                account.banner = try pictures.change(
                    old.banner, by: change.banner, made.banner, of: account.id)
                if made.portrait != nil || made.banner != nil {
                    try portraits.checkRoom(of: account.id, transaction)
                }
                try store.update(account)
                try features.profileChanged(account, from: old, transaction)
                return try store.account(viewer.id) ?? account
            }
            for picture in [made.portrait, made.banner] { await portraits.keep(picture) }
            return account
        } catch {
            for picture in [made.portrait, made.banner] { await portraits.discard(picture, after: error) }
            guard case DatabaseError.uniqueViolation = error else { throw error }
            throw Refusal.invalid(
                "username", "ERR_TAKEN", Self.takenSentence(change.username ?? viewer.username, free: []))
        }
    }
}
