import Foundation
import Serving

/// The JSON file with an operator's settings, as `tintype setup` changes it.
public struct SettingsFile: Sendable {
    /// The path of the Debian package's file.
    public static let installed = "/etc/tintype/tintype.json"

    private let path: String

    /// - Parameter path: the path of the file, which needn't exist.
    public init(_ path: String) {
        self.path = path
    }

    /// Sets some settings and keeps all others. The file is replaced when the new one is complete.
    ///
    /// - Throws: ``Refusal`` when the file holds something else than settings, or can't be written.
    public func set(_ changes: [String: String]) throws {
        var settings: [String: Any] = [:]
        if FileManager.default.fileExists(atPath: path) {
            let known = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
            guard let members = known as? [String: Any] else {
                throw Refusal.malformed("\(path) doesn’t hold settings: a JSON object.")
            }
            settings = members
        }
        for (name, value) in changes { settings[name] = value }
        var text = try JSONSerialization.data(
            withJSONObject: settings, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        text.append(UInt8(ascii: "\n"))
        do {
            try text.write(to: URL(filePath: path), options: .atomic)
            // What is secret isn't in here (Documentation/Operating.md, "As a service"), and the server's user reads it.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        } catch {
            throw Refusal.conflict(
                "\(path) can’t be written. Run this command as root, or name another file.")
        }
    }
}
