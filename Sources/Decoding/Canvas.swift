import Foundation
import Imaging

/// The pixels of a composition while its parts are drawn.
struct Canvas {
    /// The composition as a picture, to be used once all parts are drawn.
    let picture: Picture
    /// The width in pixels.
    let width: Int
    /// The height in pixels.
    let height: Int
    /// The colour where nothing is drawn.
    let background: CollageSpec.Colour
    /// The red, green and blue of each pixel, row by row, which live as long as the picture.
    let pixels: UnsafeMutablePointer<UInt8>
    private var rowBytes: Int { width * 3 }

    /// Creates a canvas that shows its background alone.
    ///
    /// - Parameters:
    ///   - width: the width in pixels.
    ///   - height: the height in pixels.
    ///   - background: the colour.
    /// - Throws: ``ImageError/broken`` if there is not enough memory.
    init(width: Int, height: Int, background: CollageSpec.Colour) throws(ImageError) {
        picture = try Picture(canvasOf: width, height)
        guard let pixels = picture.canvasPixels else { throw .broken }
        self.width = width
        self.height = height
        self.background = background
        self.pixels = pixels
        for pixel in 0..<width {
            pixels[pixel * 3] = background.red
            pixels[pixel * 3 + 1] = background.green
            pixels[pixel * 3 + 2] = background.blue
        }
        for row in 1..<height { memcpy(pixels + row * rowBytes, pixels, rowBytes) }
    }

    /// Computes the pixels of an area and writes them.
    ///
    /// - Parameters:
    ///   - shown: the area's pixels, not turned yet: three bytes each.
    ///   - area: the area, within the canvas.
    ///   - orientation: how the pixels have to be turned.
    func draw(_ shown: Picture, in area: PixelArea, turnedBy orientation: Orientation) throws(ImageError) {
        let sides = orientation.swapsSides ? (area.height, area.width) : (area.width, area.height)
        precondition(sides == (shown.width, shown.height), "pixels that don't fit an area")
        precondition(
            area.x >= 0 && area.y >= 0 && area.x + area.width <= width && area.y + area.height <= height)
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
                    blend(background, into: place(left, top), 1 - covered)
                }
            }
        }
    }

    /// Returns how much of a pixel is inside the quarter of a circle that rounds a corner, 0 to 1, by the distance of
    /// the pixel's middle from the circle.
    private static func coverage(_ x: Int, _ y: Int, radius: Double) -> Double {
        let (across, down) = (radius - Double(x) - 0.5, radius - Double(y) - 0.5)
        guard across > 0, down > 0 else { return 1 }
        return min(max(radius - (across * across + down * down).squareRoot() + 0.5, 0), 1)
    }

    /// Draws an outline in a colour.
    ///
    /// - Parameters:
    ///   - coverage: the pixels that the outline covers.
    ///   - corner: the place of their upper left corner.
    ///   - area: the area beyond which nothing is drawn, within the canvas.
    ///   - colour: the colour.
    func draw(
        _ coverage: Coverage, at corner: (x: Int, y: Int), within area: PixelArea,
        in colour: CollageSpec.Colour
    ) {
        let columns =
            max(corner.x, area.x)..<max(min(corner.x + coverage.width, area.x + area.width), corner.x, area.x)
        let rows =
            max(
                corner.y, area.y)..<max(
                min(corner.y + coverage.height, area.y + area.height), corner.y, area.y)
        for y in rows {
            for x in columns {
                let part = coverage.parts[(y - corner.y) * coverage.width + x - corner.x]
                if part > 0 { blend(colour, into: place(x, y), min(part, 1)) }
            }
        }
    }

    /// Lays a colour over a part of a pixel.
    private func blend(_ colour: CollageSpec.Colour, into place: Int, _ part: Double) {
        for (band, level) in [colour.red, colour.green, colour.blue].enumerated() {
            let below = Double(pixels[place + band])
            pixels[place + band] = UInt8((below + (Double(level) - below) * part).rounded())
        }
    }

    private func place(_ x: Int, _ y: Int) -> Int { y * rowBytes + x * 3 }
}
