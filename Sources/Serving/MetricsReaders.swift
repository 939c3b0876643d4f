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

    /// Returns whether a request may read them: the client, and everyone who has passed the request on. Through a proxy
    /// that isn't trusted, everyone seems to be the proxy.
    ///
    /// - Parameters:
    ///   - client: the address of the client, or what trusted proxies say that it is.
    ///   - way: the addresses that the request has passed through, but those of trusted proxies
    ///     (``ForwardedFor/untrusted(behind:trusting:)``).
    package func include(_ client: String, way: [String]) -> Bool {
        guard let addresses else { return true }
        return ([client] + way).allSatisfy { addresses.contains(ClientNetwork.canonical($0)) }
    }
}
