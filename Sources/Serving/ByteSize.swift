/// Sizes of files in words.
package enum ByteSize {
    /// Returns a size such as `812 bytes`, `9 kB`, `412 MB` or `1.2 GB`, in powers of 1,000 as the SI defines them.
    package static func words(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: return bytes.of("byte")
        case ..<1_000_000: return "\(bytes / 1_000) kB"
        case ..<1_000_000_000: return "\(bytes / 1_000_000) MB"
        default: return "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
        }
    }
}

extension Int {
    /// The number with commas between thousands: `1,204`.
    package var grouped: String {
        var digits = String(magnitude)
        var groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return (self < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
    }

    /// Returns the number with its noun: `1 like`, `2 likes`.
    package func of(_ singular: String, _ plural: String? = nil) -> String {
        "\(grouped) \(self == 1 ? singular : plural ?? singular + "s")"
    }
}
