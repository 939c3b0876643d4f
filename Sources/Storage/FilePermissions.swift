import Foundation

/// Who may do something with a file.
public enum FilePermissions {
    /// Returns whether others than the owner of a file may read, change or run it; nil when the file can't be looked at.
    public static func mayOthersUse(_ path: String) -> Bool? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.st_mode & 0o077 != 0
    }
}
