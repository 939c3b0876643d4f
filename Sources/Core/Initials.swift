import HTML

/// The drawing in place of a missing portrait: initials on one of eight colours.
enum Initials {
    /// The colours of tokens.css, `--tone-8` first, as `data-tone` numbers them.
    private static let colours = [
        "#4a5878", "#1d5fd1", "#a15c00", "#7a4b2a", "#117c6a", "#69419a", "#b3325c", "#3d6b2c",
    ]

    /// Returns the number of an account's colour, 0 to 7. It depends on the millisecond in which the account was made,
    /// and so never changes.
    static func tone(of account: Account.ID) -> Int { Int(account.rawValue >> 22 & 7) }

    /// Returns the first letters of the first and the last word of a name.
    static func letters(of name: String) -> String {
        let words = name.split(separator: " ")
        let letters = [words.first, words.count > 1 ? words.last : nil].compactMap { $0?.first }
        return letters.isEmpty ? "?" : String(letters).uppercased()
    }

    /// Returns the drawing, 480 units square.
    static func drawing(of account: Account) -> [UInt8] {
        var writer = ByteWriter(capacity: 400)
        writer.raw(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 480 480\" width=\"480\" height=\"480\">")
        writer.raw("<rect width=\"480\" height=\"480\" fill=\"")
        writer.raw(verbatim: colours[tone(of: account.id)])
        writer.raw(
            "\"/><text x=\"240\" y=\"240\" fill=\"#fff\" font-family=\"system-ui, sans-serif\" font-size=\"190\""
        )
        writer.raw(" font-weight=\"500\" text-anchor=\"middle\" dominant-baseline=\"central\">")
        writer.escaped(letters(of: account.displayName))
        writer.raw("</text></svg>")
        return writer.bytes
    }
}
