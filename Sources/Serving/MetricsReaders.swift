/// The addresses that may read `/metrics`, which shows how a server is used.
public struct MetricsReaders: Sendable, Equatable {
    /// The addresses; nil for everyone.
    private let addresses: Set<String>?

    /// The readers on the server's own computer.
    public static let thisComputer = MetricsReaders("127.0.0.1,::1")

    /// - Parameter list: addresses separated by commas, or `all`.
    public init(_ list: String) {
        let names = list.split(separator: ",").map { String($0).trimmed }
        addresses = names == ["all"] ? nil : Set(names.map(ClientNetwork.canonical))
    }

    /// Returns whether a request may read `/metrics`: its client and all proxies on its way must be on the list. Behind
    /// a proxy that isn't trusted, everyone seems to be the proxy.
    ///
    /// - Parameters:
    ///   - client: the client's address, from the connection or from a trusted proxy's header.
    ///   - way: the addresses that the request has passed through, except those of trusted proxies
    ///     (``ForwardedFor/untrusted(behind:trusting:)``).
    package func include(_ client: String, way: [String]) -> Bool {
        guard let addresses else { return true }
        return ([client] + way).allSatisfy { addresses.contains(ClientNetwork.canonical($0)) }
    }
}
