/// Pixels of a canvas in a line, and their places in a line of a picture.
///
/// A place in a line is measured in pixels of the picture from the edge of the first one: the middle of the first pixel
/// is at 0.5.
struct PixelLine: Equatable {
    /// The place of the first pixel's edge.
    var start: Double
    /// The pixels of the canvas for one pixel of the picture.
    var scale: Double
    /// The number of pixels of the canvas.
    let count: Int

    /// The place of the last pixel's end.
    var end: Double { start + Double(count) / scale }

    /// Returns the pixels in the line of the mirrored picture, in reverse order.
    ///
    /// - Parameter length: the pixels of the picture in the line.
    func mirrored(in length: Int) -> PixelLine {
        PixelLine(start: Double(length) - end, scale: scale, count: count)
    }

    /// Returns these pixels in a line of a picture that was decoded smaller.
    ///
    /// - Parameter ratio: the pixels of the smaller picture for one pixel of the picture.
    func shrunk(by ratio: Double) -> PixelLine {
        PixelLine(start: start * ratio, scale: scale / ratio, count: count)
    }

    /// Returns these pixels in a line that begins at a pixel of this one.
    func moved(to first: Int) -> PixelLine {
        PixelLine(start: start - Double(first), scale: scale, count: count)
    }

    /// The pixels of the picture if they are exactly those of the canvas; nil otherwise.
    var pixels: Range<Int>? {
        guard scale == 1, start == start.rounded() else { return nil }
        return Int(start)..<Int(start) + count
    }

    /// The pixels of the picture from which the pixels of the canvas are interpolated, with a few on each side.
    var neighbours: Range<Int> {
        Int(start.rounded(.down)) - 4..<Int(end.rounded(.up)) + 4
    }
}

/// The reduction of a line of a picture: whole pixels become whole pixels, and some of these are shown.
///
/// libvips resizes from edge to edge. So the ends of a line are chosen so that the shown pixels are almost where they
/// should be.
struct Reduction {
    /// The pixels of the picture; they may extend beyond it.
    let source: Range<Int>
    /// The number of pixels that they become.
    let count: Int
    /// The first of these pixels that is shown.
    let first: Int
    /// The greatest error of the shown pixels' places, in their pixels.
    let error: Double

    /// The places tried on each side.
    private static let tries = 12
    /// An error that nobody can see.
    private static let enough = 0.05

    /// Finds the reduction with the smallest error.
    ///
    /// - Parameter line: the shown pixels, at a scale below 1.
    init(_ line: PixelLine) {
        // The Lanczos kernel reaches three pixels of the result to each side.
        let margin = Int((3 / line.scale).rounded(.up)) + 1
        let last = Int(line.start.rounded(.down)) - margin
        let end = Int(line.end.rounded(.up)) + margin
        var best: Reduction?
        for start in stride(from: last, to: last - Self.tries, by: -1) {
            // libvips first averages so many pixels, and none of them should be left over.
            let block = max(1, Int(0.5 / line.scale))
            let blocks = (end - start + block - 1) / block
            for count in blocks..<blocks + Self.tries {
                let reduction = Reduction(line, source: start..<start + count * block)
                if reduction.error < best?.error ?? .infinity { best = reduction }
                if reduction.error < Self.enough { break }
            }
            if let best, best.error < Self.enough { break }
        }
        self = best ?? Reduction(line, source: last..<end)
    }

    private init(_ line: PixelLine, source: Range<Int>) {
        let length = Double(source.count)
        let count = max(1, Int((length * line.scale).rounded()))
        let scale = Double(count) / length
        let (start, end) = (
            (line.start - Double(source.lowerBound)) * scale, (line.end - Double(source.lowerBound)) * scale
        )
        let first = Int(((start + end - Double(line.count)) / 2).rounded())
        self.source = source
        self.count = count
        self.first = first
        error = max(abs(start - Double(first)), abs(end - Double(first + line.count)))
    }
}
