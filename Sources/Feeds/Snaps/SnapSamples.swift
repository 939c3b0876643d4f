import Foundation
import Serving

/// A predefined picture that anyone can post as a snap; drawn for Tintype.
struct SnapSample: Sendable, Equatable {
    /// Such as `dogs-1`.
    let id: String
    /// What it shows, in a sentence.
    let description: String
    /// The WebP file.
    let file: URL

    /// `dogs`, `memes` or `other`.
    var kind: String { String(id.prefix { $0 != "-" }) }

    /// Where the server offers it; it is the same for everyone.
    var path: String { "/snap_samples/\(id)" }
}

/// The predefined pictures, part of every server.
struct SnapSamples: Sendable {
    /// In the order in which they are offered.
    let all: [SnapSample]

    /// Reads what the folder holds.
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

    /// - Throws: ``Refusal`` (404) when there is none.
    func sample(_ id: String) throws -> SnapSample {
        guard let sample = all.first(where: { $0.id == id }) else { throw Refusal.notFound }
        return sample
    }
}
