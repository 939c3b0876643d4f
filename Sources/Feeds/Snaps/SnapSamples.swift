import Foundation
import Serving

/// A predefined picture that anyone can post as a snap.
struct SnapSample: Sendable, Equatable {
    /// The picture's identifier, such as `dogs-1`.
    let id: String
    /// A description of the picture, in a sentence.
    let description: String
    /// The WebP file.
    let file: URL

    /// The kind of picture: `dogs`, `memes` or `other`.
    var kind: String { String(id.prefix { $0 != "-" }) }

    /// The path at which the server offers the picture, the same for everyone.
    var path: String { "/snap_samples/\(id)" }
}

/// The predefined pictures, which every server has.
struct SnapSamples: Sendable {
    /// The pictures in the order in which they are offered.
    let all: [SnapSample]

    /// Reads the pictures of a folder.
    ///
    /// - Parameter folder: WebP files, and `samples.json` with a sentence for each.
    /// - Throws: when the list can't be read.
    init(folder: URL) throws {
        let list = try Data(contentsOf: folder.appending(path: "samples.json"))
        all = try JSONDecoder().decode([String: String].self, from: list)
            .map {
                SnapSample(id: $0.key, description: $0.value, file: folder.appending(path: "\($0.key).webp"))
            }
            .sorted { $0.id < $1.id }
    }

    /// Returns the picture with an identifier.
    ///
    /// - Throws: ``Refusal`` (404) when there is none.
    func sample(_ id: String) throws -> SnapSample {
        guard let sample = all.first(where: { $0.id == id }) else { throw Refusal.notFound }
        return sample
    }
}
