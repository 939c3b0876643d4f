import Core

/// In tests, names of events are written as they are, and not declared.
extension EventName: ExpressibleByStringInterpolation {
    /// Names an event that is kept.
    public init(stringLiteral name: String) { self.init(name) }
}
