import Foundation
import Imaging

/// The pixels of a collage while its cells are drawn.
struct Canvas {
    /// The collage as a picture, to be used once all cells are drawn.
    let picture: Picture
    private let side: Int
    private let background: CollageSpec.Colour
    private let pixels: UnsafeMutablePointer<UInt8>
    private var rowBytes: Int { side * 3 }

    /// Creates a canvas that shows its background alone.
    ///
    /// - Parameters:
    ///   - side: the width and height in pixels.
    ///   - background: the colour.
    /// - Throws: ``ImageError/broken`` if there is no memory for it.
    init(side: Int, background: CollageSpec.Colour) throws(ImageError) {
        picture = try Picture(canvasOf: side)
        guard let pixels = picture.canvasPixels else { throw .broken }
        self.side = side
        self.background = background
        self.pixels = pixels
        for pixel in 0..<side {
            pixels[pixel * 3] = background.red
            pixels[pixel * 3 + 1] = background.green
            pixels[pixel * 3 + 2] = background.blue
        }
        for row in 1..<side { memcpy(pixels + row * rowBytes, pixels, rowBytes) }
    }

    /// Computes the pixels of a cell and writes them.
    ///
    /// - Parameters:
    ///   - shown: the cell's pixels, not turned yet: three bytes each.
    ///   - area: the cell.
    ///   - orientation: how the pixels have to be turned.
    func draw(_ shown: Picture, in area: PixelArea, turnedBy orientation: Orientation) throws(ImageError) {
        let sides = orientation.swapsSides ? (area.height, area.width) : (area.width, area.height)
        precondition(sides == (shown.width, shown.height), "pixels that don't fit a cell")
        precondition(
            area.x >= 0 && area.y >= 0 && area.x + area.width <= side && area.y + area.height <= side)
        var (across, down) = orientation.swapsSides ? (rowBytes, 3) : (3, rowBytes)
        var first = place(area.x, area.y)
        if orientation.reversesColumns {
            first += across * (shown.width - 1)
            across = -across
        }
        if orientation.reversesRows {
            first += down * (shown.height - 1)
            down = -down
        }
        try shown.draw(at: pixels + first, across: across, down: down)
    }

    /// Lays the background over the corners of a cell.
    func roundCorners(of area: PixelArea, radius: Double) {
        let corner = Int(radius.rounded(.up))
        for y in 0..<corner {
            for x in 0..<corner {
                let covered = Self.coverage(x, y, radius: radius)
                guard covered < 1 else { continue }
                for (left, top) in [
                    (area.x + x, area.y + y), (area.x + area.width - 1 - x, area.y + y),
                    (area.x + x, area.y + area.height - 1 - y),
                    (area.x + area.width - 1 - x, area.y + area.height - 1 - y),
                ] {
                    blend(place(left, top), covered)
                }
            }
        }
    }

    /// Returns how much of a pixel is within the quarter of a circle that ends a corner, 0 to 1, by the distance of the
    /// pixel's middle from the circle.
    private static func coverage(_ x: Int, _ y: Int, radius: Double) -> Double {
        let (across, down) = (radius - Double(x) - 0.5, radius - Double(y) - 0.5)
        guard across > 0, down > 0 else { return 1 }
        return min(max(radius - (across * across + down * down).squareRoot() + 0.5, 0), 1)
    }

    private func blend(_ place: Int, _ covered: Double) {
        let parts = [background.red, background.green, background.blue]
        for (band, part) in parts.enumerated() {
            let (above, below) = (Double(pixels[place + band]), Double(part))
            pixels[place + band] = UInt8((below + (above - below) * covered).rounded())
        }
    }

    private func place(_ x: Int, _ y: Int) -> Int { y * rowBytes + x * 3 }
}
