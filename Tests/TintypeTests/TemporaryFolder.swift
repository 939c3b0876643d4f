import Foundation

/// A folder for one test, removed with its last reference.
final class TemporaryFolder: Sendable {
    let path = NSTemporaryDirectory() + "tintype-test-" + UUID().uuidString

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
