extension Array where Element: Hashable {
    /// Returns the elements in their order, each once.
    package func withoutRepeats() -> [Element] {
        var known: Set<Element> = []
        return filter { known.insert($0).inserted }
    }
}
