/// What a feature says on the page that tells who can see what (``Feature/privacy``).
package struct PrivacyLine: Sendable {
    /// The parts of the page, in order.
    package enum Part: Sendable {
        /// What other people see.
        case people
        /// What is erased, and when.
        case erasure
        /// Other companies and servers that get something.
        case others
        /// A plural, such as `snaps`, of what administrators never see and no backup contains.
        case hidden
    }

    package let part: Part
    /// Lines of one part are in the order of their positions.
    package let position: Int
    package let text: String

    package init(_ part: Part, _ position: Int, _ text: String) {
        self.part = part
        self.position = position
        self.text = text
    }
}
