import Imaging

/// A WebP animation that fades from one canvas to another and back.
enum Animation {
    /// The quality of each frame, 1 to 100. A frame is seen for a moment only, and there are many.
    private static let encoding = Encoding.webp(quality: 75)

    /// Returns the bytes that the frames of a fade take while the file is put together, estimated rather too high.
    static func memory(width: Int, height: Int) -> Int { FadeTiming.frames.count * width * height * 3 }

    /// Encodes the frames of ``/Imaging/FadeTiming``. Frames that look alike are encoded once.
    static func fade(from first: Canvas, to last: Canvas) throws(ImageError) -> [UInt8] {
        let parts = FadeTiming.steps + 1
        var coded: [[UInt8]] = []
        for part in 0...parts {
            let picture =
                switch part {
                case 0: first.picture
                case parts: last.picture
                default: try first.blended(with: last, part, of: parts).picture
                }
            coded.append(try picture.encoded(by: encoding))
        }
        return try WebPContainer.animation(
            FadeTiming.frames.map { (file: coded[$0.now], milliseconds: $0.milliseconds) },
            width: first.width, height: first.height)
    }
}

extension Canvas {
    /// Returns a canvas whose pixels are between those of this canvas and another of the same size.
    ///
    /// - Parameters:
    ///   - other: the other canvas.
    ///   - part: the visible part of the other canvas.
    ///   - parts: the number of parts in a whole.
    fileprivate func blended(with other: Canvas, _ part: Int, of parts: Int) throws(ImageError) -> Canvas {
        let blend = try Canvas(width: width, height: height, background: background)
        let (here, there) = (parts - part, part)
        for index in 0..<width * height * 3 {
            let sum = Int(pixels[index]) * here + Int(other.pixels[index]) * there
            blend.pixels[index] = UInt8((sum + parts / 2) / parts)
        }
        return blend
    }
}
