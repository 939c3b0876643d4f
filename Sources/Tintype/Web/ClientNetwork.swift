import Foundation

/// The part of an address that stands for one client when something is counted by address.
///
/// Whoever has an IPv6 connection has at least 2^64 addresses (RFC 6177), so its first 64 bits count; of IPv4
/// the whole address, also when it is written inside of an IPv6 one (RFC 4291, 2.5.5.2).
enum ClientNetwork {
    /// A key such as `192.0.2.1` or `2001:db8:0:1::/64`; anything that is no address stands for itself.
    static func key(_ address: String) -> String {
        let plain = address.prefix { $0 != "%" }
        guard plain.contains(":") else { return String(plain) }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, String(plain), &bytes) == 1 else { return String(plain) }
        if bytes[..<10].allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes[12...].map(String.init).joined(separator: ".")
        }
        let groups = stride(from: 0, to: 8, by: 2).map {
            String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }
}
