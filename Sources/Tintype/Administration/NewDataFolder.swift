import Foundation
import Serving

/// A data folder that comes to be whole or not at all: it is filled beside its place and then renamed.
struct NewDataFolder {
    /// Where it is filled.
    let path: String
    private let destination: String

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

    /// Puts it in its place.
    func finish() throws {
        // rename(2) replaces an empty folder.
        guard rename(path, destination) == 0 else {
            throw Refusal(.conflict, "\(destination) can't be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Removes it as far as that goes, after a failure that is told anyway.
    func discard() {
        try? FileManager.default.removeItem(atPath: path)
    }
}
