import Core
import HTML

/// What the library knows of a kind of photo (``PhotoOffers/kinds``).
package struct PhotoKind: Sendable {
    /// A chip of the library, which shows the photos of one kind.
    package struct Chip: Sendable {
        /// The chip's name in the address.
        let name: String
        let title: String
        /// The sentence that the library shows while there are no photos of the kind.
        let empty: String
        /// Chips are in the order of their positions.
        let position: Int
        /// The part above the photos of the chip and above all photos, such as photos that wait to be sent; nil for
        /// none.
        let above: Above?

        /// What is drawn above photos, with its style.
        package struct Above: Sendable {
            let style: Page.Style
            let draw: Drawing

            package init(style: Page.Style, _ draw: @escaping Drawing) {
                self.style = style
                self.draw = draw
            }
        }

        package init(
            name: String, title: String, empty: String, position: Int, above: Above? = nil
        ) {
            self.name = name
            self.title = title
            self.empty = empty
            self.position = position
            self.above = above
        }
    }

    package let kind: Photo.Kind
    /// The name of a photo of this kind.
    package let noun: String
    /// The symbol on its square in the library; nil for none.
    let symbol: StaticString?
    /// Whether the server makes photos of this kind. Their originals have no metadata, so everyone who sees a photo may
    /// also have its original.
    let isMade: Bool
    /// The chip that shows only photos of this kind; nil for none.
    let chip: Chip?

    package init(
        _ kind: Photo.Kind, noun: String = "photo", symbol: StaticString? = nil, isMade: Bool = false,
        chip: Chip? = nil
    ) {
        self.kind = kind
        self.noun = noun
        self.symbol = symbol
        self.isMade = isMade
        self.chip = chip
    }
}

extension Registry where Element == PhotoKind {
    /// Returns what is known of a kind; nil for one that no feature has registered.
    package subscript(_ kind: Photo.Kind) -> PhotoKind? { all.first { $0.kind == kind } }
}
