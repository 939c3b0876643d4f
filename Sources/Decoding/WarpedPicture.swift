import Alignment
import Imaging

/// A picture that a projective map moves on a canvas: first drawn upright in memory, about as large as the canvas shows
/// it, and then resampled.
struct WarpedPicture: Drawing {
    private let picture: PlacedPicture
    /// The pixels of the canvas that show the picture.
    private let area: PixelArea
    /// The places of these pixels in the picture in memory.
    private let map: Homography

    /// The pixels in memory beyond those that are shown, on each side, which the resampling needs.
    private static let margin = 4
    /// The pixels in memory for one pixel of the canvas, so that resampling twice loses no visible sharpness.
    private static let density = 1.25

    /// Computes the place of a picture.
    ///
    /// - Parameters:
    ///   - file: the picture.
    ///   - view: the part of it that its frame shows.
    ///   - transform: the map from the unit square of that frame to the unit square of the covered rectangle.
    ///   - place: the covered rectangle, and the part that is drawn.
    /// - Throws: ``ImageError/broken`` for a map that has no inverse, which no ``PairSpec`` has.
    init(
        _ file: PictureFile, _ view: PictureView, movedBy transform: Homography, at place: PicturePlace
    ) throws(ImageError) {
        let covered = place.covered
        // From the canvas to the frame that the unmoved picture covers, which is as large as the covered rectangle.
        guard
            let back = transform.inverse?.scaled(x: covered.width, y: covered.height),
            let toOrigin = Homography([1, 0, -covered.left, 0, 1, -covered.top, 0, 0, 1]),
            let unmoved = toOrigin.followed(by: back)
        else { throw .broken }
        let frame = PicturePlace(
            covered: ExactArea(left: 0, top: 0, width: covered.width, height: covered.height),
            area: PixelArea(x: 0, y: 0, width: 1, height: 1))
        let lines = frame.lines(of: view, width: file.width, height: file.height)
        let scale = 1 / lines.columns.scale
        // From the canvas to the upright picture.
        guard
            let toPicture = Homography([
                scale, 0, lines.columns.start, 0, scale, lines.rows.start, 0, 0, 1,
            ]).flatMap(unmoved.followed(by:))
        else { throw .broken }
        let middle = (
            x: Double(place.area.x) + Double(place.area.width) / 2,
            y: Double(place.area.y) + Double(place.area.height) / 2
        )
        let reduction = Self.density / toPicture.areaScale(at: middle).squareRoot()
        // A picture that would stay almost as large is used as it is.
        let density = reduction < 0.9 ? reduction : 1
        let corners = place.area.corners.compactMap(toPicture.applied(to:))
        guard corners.count == 4 else { throw .broken }
        let columns = Self.line(through: corners.map(\.x), length: file.width, density: density)
        let rows = Self.line(through: corners.map(\.y), length: file.height, density: density)
        guard
            let toMemory = Homography([
                density, 0, -columns.start * density, 0, density, -rows.start * density, 0, 0, 1,
            ]).flatMap(toPicture.followed(by:))
        else { throw .broken }
        picture = PlacedPicture(
            file: file, area: PixelArea(x: 0, y: 0, width: columns.count, height: rows.count),
            lines: (columns, rows))
        area = place.area
        map = toMemory
    }

    /// Returns the pixels in memory that contain all of some places.
    ///
    /// - Parameters:
    ///   - places: places in a line of the picture.
    ///   - length: the pixels of the picture in the line.
    ///   - density: the pixels in memory for one pixel of the picture.
    private static func line(through places: [Double], length: Int, density: Double) -> PixelLine {
        // Beyond its edge, the picture has only its last pixels to show.
        let edge = Double(length)
        let (first, last) = (
            min(max(places.min() ?? 0, 0), edge - 1), max(min(places.max() ?? edge, edge), 1)
        )
        let margin = Double(Self.margin) / density
        let start = (first - margin).rounded(.down)
        return PixelLine(
            start: start, scale: density, count: Int(((last + margin - start) * density).rounded(.up)))
    }

    var memory: Int { picture.memory + picture.area.width * picture.area.height * 3 }

    func draw(on canvas: Canvas) throws(ImageError) {
        let source = try Canvas(
            width: picture.area.width, height: picture.area.height, background: canvas.background)
        try picture.draw(on: source)
        canvas.draw(source, in: area, resampledBy: map)
    }
}

extension PixelArea {
    /// The corners clockwise, the upper left one first.
    fileprivate var corners: [(x: Double, y: Double)] {
        let (left, top) = (Double(x), Double(y))
        let (right, bottom) = (left + Double(width), top + Double(height))
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    }
}
