import Foundation

/// The lock of a folder, which one process has at a time: held until the last reference is gone or the process ends.
public final class FolderLock: Sendable {
    private let folder: OpenFile

    /// Takes the lock as soon as it is free.
    init(waitingFor path: String) throws(SystemError) {
        folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        try folder.waitForLock()
    }

    /// Takes the lock; nil when another process holds it, or removed the folder a moment ago.
    /// - Throws: when there is no such folder.
    public init?(ifFree path: String) throws {
        folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        guard try folder.lockIfFree(), access(path, F_OK) == 0 else { return nil }
    }
}
