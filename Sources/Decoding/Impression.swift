import Foundation
import Imaging

/// A picture seen from far away: a few of its pixels, and what can be computed from them.
package struct Impression {
    /// The pixels of the longer side from which an impression is computed.
    static let side = 32

    /// The pixels in sRGB, three bytes each, row by row.
    package let pixels: [UInt8]
    /// The width in pixels.
    package let width: Int
    /// The height in pixels.
    package let height: Int

    /// Creates an impression from pixels.
    ///
    /// - Parameters:
    ///   - pixels: the pixels in sRGB, three bytes each, row by row.
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    /// - Throws: ``ImageError/broken`` when there are no pixels, or not three bytes for each.
    package init(pixels: [UInt8], width: Int, height: Int) throws(ImageError) {
        guard width > 0, height > 0, pixels.count.isMultiple(of: 3),
            pixels.count / 3 == CodedSize(width: width, height: height).pixels
        else { throw .broken }
        self.pixels = pixels
        self.width = width
        self.height = height
    }

    /// The colour that most pixels have, as `#rrggbb`: the mean of the fullest of 512 boxes of equal size.
    package var dominantColour: String {
        var boxes: [Int: (count: Int, red: Int, green: Int, blue: Int)] = [:]
        for start in stride(from: 0, to: pixels.count, by: 3) {
            let (red, green, blue) = (Int(pixels[start]), Int(pixels[start + 1]), Int(pixels[start + 2]))
            let box = (red >> 5) << 6 | (green >> 5) << 3 | blue >> 5
            let sum = boxes[box] ?? (0, 0, 0, 0)
            boxes[box] = (sum.count + 1, sum.red + red, sum.green + green, sum.blue + blue)
        }
        // Of equally full boxes the lowest counts, so that a picture always has the same colour.
        let fullest = boxes.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
        guard let sum = fullest?.value else { return "#808080" }
        return "#"
            + [sum.red, sum.green, sum.blue].map { total in
                let digits = String((total + sum.count / 2) / sum.count, radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }.joined()
    }

    /// The BlurHash with 4 × 3 components, after https://github.com/woltapp/blurhash/blob/master/Algorithm.md.
    package var blurhash: String { BlurHash(self, across: 4, down: 3).text }
}
