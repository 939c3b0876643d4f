import Foundation

extension FileManager {
    /// Returns how many bytes are free on the disk of a file or folder.
    ///
    /// - Throws: the operating system's error; `CocoaError` when it doesn't say.
    package func freeBytes(at path: String) throws -> Int {
        guard let free = try attributesOfFileSystem(forPath: path)[.systemFreeSize] as? NSNumber else {
            throw CocoaError(.fileReadUnknown)
        }
        return free.intValue
    }
}
