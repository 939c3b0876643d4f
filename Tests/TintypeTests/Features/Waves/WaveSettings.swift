import Core

/// How often people may wave.
struct WaveSettings: FeatureSettings {
    /// The most waves that one person may have sent within ``Wave/lifetime``.
    var perDay = 100

    static let names = ["waves-per-day"]

    mutating func read(_ given: GivenSettings) throws {
        perDay = try given.integer("waves-per-day", 1...10_000) ?? perDay
    }
}
