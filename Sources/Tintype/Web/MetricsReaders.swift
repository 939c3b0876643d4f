import Hummingbird

/// Who may read `/metrics`, which tells how a server is used.
public struct MetricsReaders: Sendable, Equatable {
    /// Their addresses; nil for everyone.
    private let addresses: Set<String>?

    /// Those who are on the server's own computer.
    public static let thisComputer = MetricsReaders("127.0.0.1,::1")

    /// - Parameter list: addresses with commas between, or `all`.
    public init(_ list: String) {
        let names = list.split(separator: ",").map { String($0).trimmed }
        addresses = names == ["all"] ? nil : Set(names.map(ClientNetwork.canonical))
    }

    /// Whether a request may read them.
    ///
    /// - Parameter address: the client's, or what a trusted proxy says that it is.
    func include(_ address: String, _ request: Request) -> Bool {
        guard let addresses else { return true }
        // Through a proxy that isn't trusted, everyone seems to be the proxy.
        let client = request.headers[.forwardedFor]?.split(separator: ",").last.map { String($0).trimmed }
        return [address, client ?? address].allSatisfy { addresses.contains(ClientNetwork.canonical($0)) }
    }
}
