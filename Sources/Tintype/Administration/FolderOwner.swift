import Foundation
import Serving

/// The user to whom a data folder belongs, as whom the server runs. What root writes there, the server couldn't read.
public enum FolderOwner {
    private struct Owner {
        let name: String
        let user: uid_t
        let group: gid_t
    }

    /// Refuses to let root work on the folder of another user.
    ///
    /// - Throws: ``Refusal`` (409) with the command to type.
    static func check(_ folder: String) throws {
        guard geteuid() == 0, let owner = try owner(of: folder), owner.user != 0 else { return }
        throw Refusal.conflict(
            "\(folder) belongs to \(owner.name). Run this command as \(owner.name): sudo -u \(owner.name) tintype …"
        )
    }

    /// Lets a process of root go on as the owner of a folder, for good. Does nothing for other processes, and where there is
    /// no folder yet.
    ///
    /// - Throws: ``Refusal`` when the system doesn't allow it.
    public static func become(_ folder: String) throws {
        guard geteuid() == 0, let owner = try owner(of: folder), owner.user != 0 else { return }
        guard initgroups(owner.name, owner.group) == 0, setgid(owner.group) == 0, setuid(owner.user) == 0
        else {
            throw Refusal.conflict(
                "This process can’t become \(owner.name): \(String(cString: strerror(errno))).")
        }
    }

    /// Returns the owner of a folder; nil if there is no folder.
    private static func owner(of folder: String) throws -> Owner? {
        guard FileManager.default.fileExists(atPath: folder) else { return nil }
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        guard let user = (attributes[.ownerAccountID] as? NSNumber)?.uint32Value,
            let group = (attributes[.groupOwnerAccountID] as? NSNumber)?.uint32Value
        else { return nil }
        return Owner(name: attributes[.ownerAccountName] as? String ?? "\(user)", user: user, group: group)
    }
}
