import Foundation
import Serving

/// A data folder that is created either completely or not at all: it is filled under a temporary name and then renamed.
struct NewDataFolder {
    /// The path under which the folder is filled.
    let path: String
    private let destination: String

    /// Creates the folder under its temporary name.
    ///
    /// - Parameter destination: where the folder will be; it must be missing or empty.
    /// - Throws: ``Refusal`` (409) when it isn't.
    init(_ destination: String) throws {
        self.destination = destination
        let manager = FileManager.default
        if manager.fileExists(atPath: destination),
            try !manager.contentsOfDirectory(atPath: destination).isEmpty
        {
            throw Refusal(.conflict, "\(destination) isn't empty. Name a new folder with --data.")
        }
        let place = URL(filePath: destination).standardizedFileURL
        let parent = place.deletingLastPathComponent().path
        try manager.createDirectory(atPath: parent, withIntermediateDirectories: true)
        path = "\(parent)/.\(place.lastPathComponent)-\(UUID().uuidString)"
        try manager.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    /// Renames the folder to its final name.
    func finish() throws {
        // rename(2) replaces an empty folder.
        guard rename(path, destination) == 0 else {
            throw Refusal(.conflict, "\(destination) can't be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Removes the folder as far as possible, after a failure that is reported anyway.
    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
