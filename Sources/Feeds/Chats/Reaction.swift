import Core

extension Message {
    /// An emoji with which somebody reacts to a message. Each person has at most one reaction.
    struct Reaction: Sendable, Equatable {
        var account: Account.ID
        var emoji: String
    }
}

extension MessageRules {
    /// The most code points in one emoji. Families and flags are joined from several code points.
    private static let emojiLength = 16

    /// Returns whether a text is a single emoji and nothing else.
    ///
    /// Besides emoji, a sequence may hold joiners, variation selectors, keycaps and tags (Unicode UTS #51, 1.4).
    static func isSingleEmoji(_ text: String) -> Bool {
        guard text.count == 1, text.unicodeScalars.count <= emojiLength, isEmojiOnly(text) else {
            return false
        }
        return text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x200D, 0xFE0F, 0x20E3, 0xE0020...0xE007F: true
            default: scalar.properties.isEmoji
            }
        }
    }
}
