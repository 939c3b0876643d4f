import Core
import Foundation
import Imaging
import People
import Serving
import Storage

// Sealed photos: kept where only the two parties see them, and returned at the end.
extension ContractService {
    /// How long a stake waits for its owner's choice after the contract is over, in seconds.
    static let stakeTime: TimeInterval = 30 * 24 * 3_600

    /// The file name of a stake's largest picture. It is the original after the stake becomes a photo of the library.
    private static let full = "full.jpeg"

    /// The variants of a library photo that a stake copies.
    private static let variants =
        Photo.Size.allCases.flatMap { size in
            RenditionFormat.allCases.map {
                OnceCopies.Variant(size: size, format: $0, name: variant(size, $0))
            }
        } + [OnceCopies.Variant(size: .large, format: .jpeg, name: full)]

    private static func variant(_ size: Photo.Size, _ format: RenditionFormat) -> String {
        "\(size.rawValue).\(format.rawValue)"
    }

    /// Calls `body` with a stake for a transaction that seals a photo, and erases the copied files if that fails.
    ///
    /// - Parameter body: says whether it is new, and the copy therefore needed.
    func withStake(
        _ source: StakeSource?, by viewer: Account,
        _ body:
            @escaping @Sendable (OnceCopies.Copy?, Transaction) throws -> (
                view: ContractView, isNew: Bool
            )
    ) async throws -> ContractView {
        var copied: OnceCopies.Copy?
        if case .photo(let id) = source {
            copied = try await copies.copy(of: id, by: viewer, as: Self.variants)
        }
        let copy = copied
        do {
            let (view, isNew) = try await database.write { try body(copy, $0) }
            if isNew { await copies.keep(copy) } else { await copies.discard(copy) }
            return view
        } catch {
            await copies.discard(copy, after: error)
            throw error
        }
    }

    /// Seals a party's photo.
    ///
    /// - Throws: ``Refusal`` (422) for an upload that was used already, and if the storage is used up.
    func insertStake(
        _ source: StakeSource?, _ copy: OnceCopies.Copy?, of id: Contract.ID, _ role: ContractRole,
        by viewer: Account, _ transaction: Transaction
    ) throws {
        let store = ContractStore(transaction)
        if case .upload(let upload) = source {
            let media = try SingleUseMediaRecords(transaction).use(
                upload, for: .stake, by: viewer, field: "stake_media_id")
            guard let largest = media.files.first(where: { $0.variant == Self.full }) else {
                throw Refusal.invalid("stake_media_id", "ERR_INVALID", "Choose this picture again.")
            }
            let stake = Contract.Stake(
                id: ID(rawValue: transaction.newID()), description: media.description, width: largest.width,
                height: largest.height,
                blurhash: media.blurhash, colour: media.colour)
            return try store.insert(stake, media.files, of: id, role)
        }
        guard let copy else { throw Refusal.notFound }
        try copies.insert(copy, of: viewer.id, transaction)
        let stake = Contract.Stake(
            id: ID(rawValue: transaction.newID()), description: copy.description, width: copy.width,
            height: copy.height, blurhash: copy.blurhash, colour: copy.colour, focus: copy.focus)
        let files = copy.files.map { file in
            let size = Photo.Size.allCases.first { file.variant.hasPrefix($0.rawValue + ".") } ?? .large
            let pixels = stake.pixels(size)
            return KeptFile(
                variant: file.variant, key: file.blob.key, width: pixels.width, height: pixels.height)
        }
        try store.insert(stake, files, of: id, role)
    }

    /// Returns the file of a party's sealed photo.
    ///
    /// - Parameter party: whose photo.
    /// - Throws: ``Refusal`` (404) for everyone but the two parties, and for the other's once the contract is over.
    func stake(
        _ id: Contract.ID, of party: Account.ID, _ size: Photo.Size, _ format: RenditionFormat,
        for viewer: Account
    ) async throws -> BlobKey {
        try await database.read { transaction in
            let (contract, role) = try ContractRecords(transaction).loaded(id, for: viewer)
            let store = ContractStore(transaction)
            guard role != .witness, let owner = contract.role(of: party), owner != .witness,
                contract.progress.settled(at: transaction.now).state.isOpen || owner == role,
                try AccountRecords(transaction).mayMeet(viewer.id, party),
                let stake = try store.stake(of: id, owner),
                let file = try store.file(ofStake: stake.id, variant: Self.variant(size, format))
            else { throw Refusal.notFound }
            return file
        }
    }

    /// Puts the viewer's own stake of a contract that is over into the library, or erases it.
    ///
    /// - Throws: ``Refusal`` (404); ``ContractConflict`` while the contract is open, and once the photo isn't sealed any
    ///   more: the choice is made, or it is published.
    func freeStake(_ id: Contract.ID, keep: Bool, by viewer: Account) async throws -> ContractView {
        let view = try await database.write { [self] transaction in
            let (loaded, role) = try ContractRecords(transaction).loaded(id, for: viewer)
            var contract = loaded
            try settle(&contract, transaction)
            let before = try self.view(contract, as: role, for: viewer, transaction)
            let store = ContractStore(transaction)
            guard before.mayFreeStake, let stake = try store.stake(of: id, role) else {
                throw ContractConflict(view: before, sentence: before.whyStakeStays)
            }
            if keep {
                _ = try Self.adopt(stake, of: viewer.id, store)
            } else {
                try store.eraseStake(of: id, role)
            }
            try announce(contract, transaction)
            return try self.view(contract, as: role, for: viewer, transaction)
        }
        return view
    }

    /// Turns a sealed photo into a photo of its owner's library. The files stay where they are.
    static func adopt(
        _ stake: Contract.Stake, of owner: Account.ID, _ store: ContractStore
    ) throws -> Photo {
        let files = try store.release(stake).map { $0.variant == full ? $0.named("original") : $0 }
        let facts = PhotoService.NewPhoto(
            description: stake.description, width: stake.width, height: stake.height,
            blurhash: stake.blurhash, colour: stake.colour, focus: stake.focus)
        return try PhotoRecords(store.transaction).adopt(files, of: owner, as: facts)
    }

    /// Performs ``JobKind/eraseStakes``.
    func eraseStakes(_ job: Job) async throws {
        guard let id = Contract.ID(job.payload) else { return }
        try await database.write { [self] transaction in
            let store = ContractStore(transaction)
            guard let contract = try LoadedContract(id, store), !contract.progress.state.isOpen else {
                return
            }
            for role in ContractRole.parties { try store.eraseStake(of: id, role) }
            try announce(contract, transaction)
        }
    }
}

extension ContractView {
    /// Why the viewer's stake can't be freed, in a sentence.
    fileprivate var whyStakeStays: String {
        if contract.state.isOpen { return "Your photo is sealed until the contract is over." }
        return "There is no sealed photo of yours in this contract any more."
    }
}
