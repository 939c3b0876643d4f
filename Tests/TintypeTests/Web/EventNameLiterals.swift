import Core

/// In tests, names of events are written as they are, and not declared.
extension EventName: ExpressibleByStringInterpolation {
    /// Makes the name of an event from a literal.
    public init(stringLiteral name: String) { self.init(name) }
}
