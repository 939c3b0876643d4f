import Alignment
import Imaging

/// Where the parts of a rendered pair are, in its pixels.
struct PairLayout {
    /// The width of the whole pair.
    let width: Int
    /// The height of the whole pair.
    let height: Int
    /// The place of the past picture.
    let then: PicturePlace
    /// The place of today's picture.
    let now: PicturePlace
    /// The place of the caption; its height is 0 if there is none.
    let caption: PixelArea
    /// The size of the caption's letters, in pixels of an em.
    let letterSize: Double

    /// The arrangement of the halves.
    enum Arrangement {
        case stacked, sideBySide
        /// Both halves in the same place.
        case fade
    }

    /// The width of the gap between the halves, as a part of the longer side of both together.
    private static let gap = 0.004
    /// The size of letters, as a part of the longer side of both halves together.
    private static let letterSize = 0.022

    /// Lays out a pair so that no picture is enlarged unless the other one contains more pixels, as far as the range
    /// allows.
    ///
    /// - Parameters:
    ///   - spec: the pair.
    ///   - arrangement: how the halves are arranged.
    ///   - then: the sides of the upright past picture.
    ///   - now: the sides of today's upright picture.
    ///   - longestSides: the allowed lengths of the longer side of the whole.
    init(
        _ spec: PairSpec, _ arrangement: Arrangement, then: PictureSides, now: PictureSides,
        longestSides: ClosedRange<Int>
    ) {
        // Everything is first measured in widths of a half.
        let halfHeight = spec.crop.height / (spec.crop.width * spec.frame.aspect)
        var sides =
            switch arrangement {
            case .stacked: (width: 1.0, height: 2 * halfHeight)
            case .sideBySide: (width: 2.0, height: halfHeight)
            case .fade: (width: 1.0, height: halfHeight)
            }
        let longer = max(sides.width, sides.height)
        let gap = Self.gap * longer
        switch arrangement {
        case .stacked: sides.height += gap
        case .sideBySide: sides.width += gap
        case .fade: break
        }
        let letters = Self.letterSize * longer
        let picturesHeight = sides.height
        sides.height += Caption.height(lines: spec.caption.count, letterSize: letters)

        let held = max(
            then.width(shownIn: spec.frame, as: spec.frame.then),
            now.width(shownIn: spec.frame, as: spec.frame.now) * spec.enlargement)
        let (least, most) = (Double(longestSides.lowerBound), Double(longestSides.upperBound))
        let longest = min(
            max((held * spec.crop.width * max(sides.width, sides.height)).rounded(), least), most)
        let scale = longest / max(sides.width, sides.height)

        func half(_ left: Double, _ top: Double) -> PicturePlace {
            let half = ExactArea(
                left: left * scale, top: top * scale, width: scale, height: halfHeight * scale)
            return PicturePlace(showing: spec.crop, in: half)
        }
        self.then = half(0, 0)
        self.now =
            switch arrangement {
            case .stacked: half(0, halfHeight + gap)
            case .sideBySide: half(1 + gap, 0)
            case .fade: half(0, 0)
            }
        caption =
            ExactArea(
                left: 0, top: picturesHeight * scale, width: sides.width * scale,
                height: (sides.height - picturesHeight) * scale
            ).rounded
        letterSize = letters * scale
        width = caption.width
        height = caption.y + caption.height
    }
}

extension PicturePlace {
    /// Creates the place of a picture of which an area shows a part.
    ///
    /// - Parameters:
    ///   - crop: the part of the picture's frame that is shown.
    ///   - shown: the area that shows it.
    fileprivate init(showing crop: PairSpec.Crop, in shown: ExactArea) {
        let (width, height) = (shown.width / crop.width, shown.height / crop.height)
        self.init(
            covered: ExactArea(
                left: shown.left - crop.x * width, top: shown.top - crop.y * height, width: width,
                height: height),
            area: shown.rounded)
    }
}

/// The sides of an upright picture in pixels.
struct PictureSides {
    let width: Int
    let height: Int

    /// Returns the width of a frame in pixels of a picture that covers it.
    func width(shownIn frame: PairFrame, as view: PictureView) -> Double {
        min(Double(width), frame.aspect * Double(height)) / view.zoom
    }
}

extension PictureFile {
    /// The sides of the upright picture.
    var sides: PictureSides { PictureSides(width: width, height: height) }
}

extension PairSpec {
    /// The length in the frame of today's picture that a length in the middle of the crop shows.
    fileprivate var enlargement: Double {
        guard let back = transform?.inverse else { return 1 }
        return back.areaScale(at: (crop.x + crop.width / 2, crop.y + crop.height / 2)).squareRoot()
    }
}
