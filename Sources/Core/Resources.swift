import Foundation
import Serving

/// The files beside the executable: migrations, styles, scripts, drawings.
public enum Resources {
    /// Returns a folder of the resources.
    ///
    /// - Throws: an error when the resources folder wasn't installed with the executable.
    public static func folder(_ name: String) throws -> URL {
        let folder = Bundle.module.bundleURL.appending(path: "Resources/\(name)")
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw Refusal.malformed("The folder \(folder.path) is missing beside the executable.")
        }
        return folder
    }
}
