import Foundation
import Imaging

/// The work that a warm process does once, so that its jobs needn't: finding functions, types and conformances, which
/// takes a third of the processor time of a small picture.
///
/// libvips computes nothing meanwhile, because it would start threads, and no file is read.
enum Rehearsal {
    /// Does the work.
    ///
    /// - Throws: ``ImageError`` if even a picture of our own can't be prepared.
    static func run() throws(ImageError) {
        let side = Impression.side
        let picture = try Picture(canvasOf: 2 * side, 2 * side)
        let area = PixelArea(x: 0, y: 0, width: side, height: side)
        _ = try picture.cropped(to: area).flattened().resized(to: (width: side, height: side)).inSRGB()
            .turned(by: .upright)
        _ = Capture(exif: Data())
        let impression = try Impression(
            pixels: [UInt8](repeating: 128, count: side * side * 3), width: side, height: side)
        let request = PictureRequest(limits: ImageLimits(), renditions: RenditionSpec.photo)
        let header = PictureHeader(format: .jpeg, width: side, height: side, memory: 0, capture: Capture())
        let result = PictureResult(
            blurhash: impression.blurhash, placeholder: impression.dominantColour,
            sizes: [.init(width: side, height: side)])
        for frame in [.request(request), .header(header), .proceed, WorkerFrame.result(result)] {
            guard (try? WorkerFrame(frame.bytes)) == frame else { throw .broken }
        }
    }
}
