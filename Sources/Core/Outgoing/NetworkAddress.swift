import Foundation
import Serving

/// An IPv4 or IPv6 address, and whether it belongs to the public internet.
package struct NetworkAddress: Sendable, Hashable, CustomStringConvertible {
    /// The 4 or 16 bytes, most significant first.
    let bytes: [UInt8]

    /// Creates an address from 4 or 16 bytes; nil for any other number.
    init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Reads dotted or colon notation (`inet_pton`), without brackets and without the name of an interface.
    package init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, text, &bytes) == 1 {
            self.bytes = bytes
            return
        }
        bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, text, &bytes) == 1 else { return nil }
        self.bytes = bytes
    }

    /// The notation that `inet_ntop` returns.
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the address can be reached over the internet: it is in none of the special-purpose ranges of IANA's
    /// registries (RFC 6890), and is no IPv6 address that leads to such an IPv4 address (mapped, 6to4, NAT64, Teredo).
    package var isPublic: Bool {
        bytes.count == 4
            ? !Self.closedIPv4.contains { $0.contains(bytes) } : isPublicIPv6
    }

    private var isPublicIPv6: Bool {
        // Only 2000::/3 is assigned (IANA, "IPv6 Address Space"). This excludes loopback, the unspecified address,
        // fc00::/7, fe80::/10, fec0::/10, ff00::/8, mapped and compatible IPv4 addresses and both NAT64 prefixes.
        guard bytes[0] & 0xE0 == 0x20 else { return false }
        return !Self.closedIPv6.contains { $0.contains(bytes) }
    }

    /// A range of addresses with the same leading bits.
    private struct Range: Sendable {
        let bytes: [UInt8]
        let bits: Int

        init(_ bytes: [UInt8], _ bits: Int) {
            self.bytes = bytes
            self.bits = bits
        }

        func contains(_ address: [UInt8]) -> Bool {
            for index in 0..<bytes.count {
                let left = min(8, max(0, bits - index * 8))
                guard left > 0 else { return true }
                let mask = UInt8(truncatingIfNeeded: 0xFF << (8 - left))
                guard address[index] & mask == bytes[index] & mask else { return false }
            }
            return true
        }
    }

    private static let closedIPv4 = [
        Range([0], 8),  // "this network"
        Range([10], 8),  // private
        Range([100, 64], 10),  // carrier-grade NAT
        Range([127], 8),  // loopback
        Range([169, 254], 16),  // link-local, and what clouds tell their machines
        Range([172, 16], 12),  // private
        Range([192, 0, 0], 24),  // protocol assignments
        Range([192, 0, 2], 24),  // documentation
        Range([192, 88, 99], 24),  // 6to4 relays
        Range([192, 168], 16),  // private
        Range([198, 18], 15),  // benchmarks
        Range([198, 51, 100], 24),  // documentation
        Range([203, 0, 113], 24),  // documentation
        Range([224], 4),  // multicast
        Range([240], 4),  // reserved, broadcast
    ]

    private static let closedIPv6 = [
        Range([0x20, 0x01, 0x00], 23),  // protocol assignments, Teredo and ORCHID among them
        Range([0x20, 0x01, 0x0D, 0xB8], 32),  // documentation
        Range([0x20, 0x02], 16),  // 6to4
        Range([0x3F, 0xFF, 0x00], 20),  // documentation
    ]
}
