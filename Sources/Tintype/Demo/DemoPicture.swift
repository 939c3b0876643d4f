import Foundation
import Imaging
import Storage

/// A picture of the demo, cut out and ready to be uploaded.
struct DemoPicture: Sendable {
    let bytes: [UInt8]
    let description: String

    /// Prepares a picture. Squares are cut by the code that makes renditions; whole pictures are taken as they are.
    init(_ shot: DemoShot, processor: ImageProcessor, work: WorkFolder) async throws {
        description = shot.description
        var path = shot.path
        let folder = try await work.makeFolder()
        do {
            if let crop = shot.crop {
                let spec = RenditionSpec(name: "shot", shape: .square(side: 1440), formats: [.jpeg])
                let cut = try await processor.process(
                    fileAt: shot.path, crop: crop, renditions: [spec], into: folder)
                path = cut.renditions.first?.path ?? path
            }
            bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            work.removeFolder(folder)
            throw error
        }
        work.removeFolder(folder)
    }
}
