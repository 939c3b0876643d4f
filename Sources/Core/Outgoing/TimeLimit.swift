/// Runs a closure with a limit in seconds of real time.
///
/// - Throws: ``OutgoingError/timedOut`` when the closure takes longer, after it has noticed that it is cancelled; what
///   the closure throws.
package func withTimeLimit<Value: Sendable>(
    seconds: Double, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: .seconds(max(0, seconds)))
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let value = first else { throw OutgoingError.timedOut }
        return value
    }
}
