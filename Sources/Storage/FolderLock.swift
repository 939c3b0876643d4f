import Foundation

/// The lock of a folder. One process can hold it at a time, until the last reference is released or the
/// process ends.
public final class FolderLock: Sendable {
    private let folder: OpenFile

    /// Waits until the lock is free, and takes it.
    init(waitingFor path: String) throws(SystemError) {
        folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        try folder.waitForLock()
    }

    /// Takes the lock. Returns nil if another process holds the lock, or has just removed the folder.
    /// - Throws: if there is no such folder.
    public init?(ifFree path: String) throws {
        folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        guard try folder.lockIfFree(), access(path, F_OK) == 0 else { return nil }
    }
}
