import Storage

/// A person's uploads that wait for their one use. They are in no download, since they are seen once or never.
struct SingleUseMediaData: AccountData {
    let lists: [AccountDataList] = []

    func erase(_ account: Account.ID, _ transaction: Transaction) throws -> Bool {
        let store = SingleUseMediaStore(transaction)
        let waiting = try store.all(of: account)
        for id in waiting {
            if let media = try store.media(id) { try store.erase(media) }
        }
        return waiting.isEmpty
    }
}
