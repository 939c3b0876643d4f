/// A line of a feature on the page that says who can see what (``Feature/privacy``).
package struct PrivacyLine: Sendable {
    /// The parts of the page, in order.
    package enum Part: Sendable {
        /// What other people see.
        case people
        /// What is erased, and when.
        case erasure
        /// The companies and servers that receive something.
        case others
        /// A plural, such as `snaps`, of what administrators never see and no backup contains.
        case hidden
    }

    package let part: Part
    /// The position among the lines of the part.
    package let position: Int
    package let text: String

    package init(_ part: Part, _ position: Int, _ text: String) {
        self.part = part
        self.position = position
        self.text = text
    }
}
