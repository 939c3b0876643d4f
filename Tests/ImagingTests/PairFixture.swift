import Alignment
import Foundation
import Imaging
import Testing

/// A black picture with a red, a green and a blue square, whose places in a rendered pair can be measured.
struct MarkedPicture: Sendable, CustomTestStringConvertible {
    /// The width of the upright picture.
    var width: Int
    /// The height of the upright picture.
    var height: Int
    var orientation = 1
    /// The side of the squares in parts of the shorter side.
    var side = 0.08

    var testDescription: String { "\(width) × \(height), turned by \(orientation)" }

    /// The middles of the squares, in parts of the sides.
    static let middles = [(x: 0.42, y: 0.41), (x: 0.6, y: 0.46), (x: 0.5, y: 0.59)]

    /// The left or upper edge of a square, and the edge after it.
    private func edges(_ middle: Double, _ length: Int) -> (first: Int, end: Int) {
        let side = max(1, Int((self.side * Double(min(width, height))).rounded()))
        let first = Int((middle * Double(length) - Double(side) / 2).rounded())
        return (first, first + side)
    }

    /// The middle of a square in pixels of the upright picture.
    func middle(_ index: Int) -> (x: Double, y: Double) {
        let (columns, rows) = (edges(Self.middles[index].x, width), edges(Self.middles[index].y, height))
        return (Double(columns.first + columns.end) / 2, Double(rows.first + rows.end) / 2)
    }

    /// The picture as TIFF.
    var file: [UInt8] {
        let (storedWidth, storedHeight) = orientation >= 5 ? (height, width) : (width, height)
        var pixels = [UInt8](repeating: 0, count: width * height * 3)
        for index in Self.middles.indices {
            let (columns, rows) = (edges(Self.middles[index].x, width), edges(Self.middles[index].y, height))
            for y in rows.first..<rows.end {
                for x in columns.first..<columns.end {
                    let place = stored(x, y)
                    pixels[(place.y * storedWidth + place.x) * 3 + index] = 255
                }
            }
        }
        return Painting.file(storedWidth, storedHeight, pixels, orientation: orientation)
    }

    /// Where a pixel of the upright picture is stored (TIFF 6.0, tag 274).
    private func stored(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
        let (right, below) = (width - 1 - x, height - 1 - y)
        return switch orientation {
        case 2: (right, y)
        case 3: (right, below)
        case 4: (x, below)
        case 5: (y, x)
        case 6: (y, right)
        case 7: (below, right)
        case 8: (below, x)
        default: (x, y)
        }
    }
}

/// A pair that a test has rendered.
struct RenderedPair {
    let folder: Folder
    let spec: PairSpec
    let composed: ComposedImage

    /// Renders a pair of files, written as they would have come in.
    init(
        _ spec: PairSpec?, _ then: [UInt8], _ now: [UInt8], isFade: Bool = false,
        renditions: [RenditionSpec] = []
    ) async throws {
        self.spec = try #require(spec)
        folder = try Folder()
        let paths = (try folder.write(then, as: "then.upload"), try folder.write(now, as: "now.upload"))
        composed =
            isFade
            ? try await Shared.processor.fade(self.spec, then: paths.0, now: paths.1, into: folder.path)
            : try await Shared.processor.pair(
                self.spec, then: paths.0, now: paths.1, renditions: renditions, into: folder.path)
    }

    var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: URL(filePath: composed.path))) }
    }

    var pixels: Pixels {
        get throws { try Pixels(path: composed.path, format: composed.image.format) }
    }

    /// The pixels of the halves before they are rounded, by the numbers of ``PairSpec``, for a pair without a caption.
    var halves: (then: (x: Double, y: Double), now: (x: Double, y: Double), width: Double, height: Double) {
        let height = spec.crop.height / spec.crop.width / spec.frame.aspect
        let longest = Double(max(composed.image.width, composed.image.height))
        switch spec.layout {
        case .stacked:
            let gap = 0.004 * max(1, 2 * height)
            let scale = longest / max(1, 2 * height + gap)
            return ((0, 0), (0, (height + gap) * scale), scale, height * scale)
        case .sideBySide:
            let gap = 0.004 * max(2, height)
            let scale = longest / max(2 + gap, height)
            return ((0, 0), ((1 + gap) * scale, 0), scale, height * scale)
        }
    }

    /// Where a place in the upright picture of a half should be, by the numbers of
    /// Documentation/Interface.md, "Then & Now".
    func place(
        _ place: (x: Double, y: Double), of picture: MarkedPicture, isNow: Bool
    ) throws -> (x: Double, y: Double) {
        let view = isNow ? spec.frame.now : spec.frame.then
        let aspect = spec.frame.aspect
        // In a frame of width 1.
        let (width, height) = (Double(picture.width), Double(picture.height))
        let scale = max(1 / width, 1 / aspect / height) * view.zoom
        var x = place.x * scale - view.x * (width * scale - 1)
        var y = (place.y * scale - view.y * (height * scale - 1 / aspect)) * aspect
        if isNow, let m = spec.transform?.elements {
            let depth = m[6] * x + m[7] * y + m[8]
            (x, y) = ((m[0] * x + m[1] * y + m[2]) / depth, (m[3] * x + m[4] * y + m[5]) / depth)
        }
        let halves = halves
        let corner = isNow ? halves.now : halves.then
        return (
            corner.x + (x - spec.crop.x) / spec.crop.width * halves.width,
            corner.y + (y - spec.crop.y) / spec.crop.height * halves.height
        )
    }

    /// Expects the squares of both pictures where the numbers say, to half a pixel, as far as they are shown.
    func expectSquares(
        then: MarkedPicture, now: MarkedPicture, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let (pixels, halves) = (try pixels, halves)
        var found = 0
        for (picture, isNow) in [(then, false), (now, true)] {
            let corner = isNow ? halves.now : halves.then
            for index in MarkedPicture.middles.indices {
                let expected = try place(picture.middle(index), of: picture, isNow: isNow)
                let margin = 45.0
                guard expected.x > corner.x + margin, expected.x < corner.x + halves.width - margin,
                    expected.y > corner.y + margin, expected.y < corner.y + halves.height - margin
                else { continue }
                let middle = try #require(
                    pixels.middle(ofBand: index, near: expected), "no square", sourceLocation: location)
                let (across, down) = (middle.x - expected.x, middle.y - expected.y)
                #expect(
                    max(abs(across), abs(down)) < 0.5,
                    "\(isNow ? "now" : "then"), square \(index): \(across), \(down) pixels off",
                    sourceLocation: location)
                found += 1
            }
        }
        #expect(found >= 2, "too few squares are shown", sourceLocation: location)
    }
}

extension Pixels {
    /// The middle of what is bright in one band near a place; nil if nothing is, or if it isn't black around it.
    func middle(ofBand band: Int, near place: (x: Double, y: Double)) -> (x: Double, y: Double)? {
        var (sum, across, down) = (0.0, 0.0, 0.0)
        let reach = 45
        let (columns, rows) = (
            max(Int(place.x) - reach, 0)...min(Int(place.x) + reach, width - 1),
            max(Int(place.y) - reach, 0)...min(Int(place.y) + reach, height - 1)
        )
        for row in rows {
            for column in columns {
                let level = self[column, row][band]
                guard level > 60 else { continue }
                let isAtEdge =
                    column == columns.lowerBound || column == columns.upperBound || row == rows.lowerBound
                    || row == rows.upperBound
                guard !isAtEdge else { return nil }
                sum += Double(level)
                across += Double(level) * (Double(column) + 0.5)
                down += Double(level) * (Double(row) + 0.5)
            }
        }
        return sum > 0 ? (across / sum, down / sum) : nil
    }
}

extension Homography {
    /// A turn by degrees about the middle of a frame, a scale, a shift and some perspective, between unit squares.
    static func turned(
        by degrees: Double, scale: Double = 1, shift: (x: Double, y: Double) = (0, 0),
        perspective: (x: Double, y: Double) = (0, 0), aspect: Double
    ) throws -> Homography {
        let angle = degrees * .pi / 180
        let (c, s) = (cos(angle) * scale, sin(angle) * scale)
        let toMiddle = try #require(Homography([1, 0, -0.5 * aspect, 0, 1, -0.5, 0, 0, 1]))
        let turn = try #require(Homography([c, -s, 0, s, c, 0, perspective.x, perspective.y, 1]))
        let back = try #require(Homography([1, 0, 0.5 * aspect + shift.x, 0, 1, 0.5 + shift.y, 0, 0, 1]))
        let map = try #require(toMiddle.followed(by: turn)?.followed(by: back))
        return try #require(map.scaled(x: 1 / aspect, y: 1))
    }
}
