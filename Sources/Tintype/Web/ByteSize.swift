/// Sizes of files in words.
enum ByteSize {
    /// `812 bytes`, `9 kB`, `412 MB`, `1.2 GB`: powers of 1,000 as the SI has them.
    static func words(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000: return bytes.of("byte")
        case ..<1_000_000: return "\(bytes / 1_000) kB"
        case ..<1_000_000_000: return "\(bytes / 1_000_000) MB"
        default: return "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
        }
    }
}
