/// Codes that let a new person in.
enum Invitation {
    /// No letters or digits that look alike when read aloud or copied from paper.
    private static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTUVWXYZ")

    /// A new code such as `7QF2-MRXA`: 31^8, about 8.5 × 10^11 possibilities.
    static func newCode() -> String {
        var generator = SystemRandomNumberGenerator()
        let characters = (0..<8).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
        return String(characters[..<4]) + "-" + String(characters[4...])
    }

    /// A code as it is stored, from what someone typed.
    static func normalized(_ typed: String) -> String {
        let characters = typed.uppercased().filter { $0.isLetter || $0.isNumber }
        return characters.count == 8 ? "\(characters.prefix(4))-\(characters.suffix(4))" : characters
    }
}
