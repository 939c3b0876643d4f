import Foundation

/// Addresses of clients: how they are compared, and which part of an address is counted as one client.
///
/// Anyone with an IPv6 connection has at least 2^64 addresses (RFC 6177), so the first 64 bits of an IPv6 address
/// count. Of IPv4 the whole address counts, also when it is written inside an IPv6 address (RFC 4291, 2.5.5.2).
package enum ClientNetwork {
    /// Returns a key such as `192.0.2.1` or `2001:db8:0:1::/64`. Returns a text that is no address as it is.
    package static func key(_ address: String) -> String {
        let plain = withoutZone(address)
        guard let bytes = bytes(ofIPv6: plain) else { return plain }
        if let inner = innerIPv4(bytes) { return inner }
        let groups = stride(from: 0, to: 8, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }

    /// Returns the one spelling of an address under which addresses are compared: a socket for both versions writes
    /// IPv4 inside IPv6 (`::ffff:192.0.2.1`), and people write IPv6 in many ways. Returns a text that is no address as
    /// it is.
    package static func canonical(_ address: String) -> String {
        let plain = withoutZone(address)
        guard let bytes = bytes(ofIPv6: plain) else { return plain }
        if let inner = innerIPv4(bytes) { return inner }
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(AF_INET6, bytes, &text, socklen_t(text.count)) != nil else { return plain }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Returns whether a text is an IPv4 or IPv6 address.
    static func isAddress(_ text: String) -> Bool {
        var bytes = in_addr()
        return inet_pton(AF_INET, text, &bytes) == 1 || self.bytes(ofIPv6: withoutZone(text)) != nil
    }

    /// Returns an address without the name of a network interface, as in `fe80::1%eth0`.
    private static func withoutZone(_ address: String) -> String { String(address.prefix { $0 != "%" }) }

    private static func bytes(ofIPv6 address: String) -> [UInt8]? {
        guard address.contains(":") else { return nil }
        var bytes = [UInt8](repeating: 0, count: 16)
        return inet_pton(AF_INET6, address, &bytes) == 1 ? bytes : nil
    }

    /// Returns the IPv4 address that is written inside an IPv6 address; nil when there is none.
    private static func innerIPv4(_ bytes: [UInt8]) -> String? {
        guard bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF else { return nil }
        return bytes[12...].map(String.init).joined(separator: ".")
    }
}
