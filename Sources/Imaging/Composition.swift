/// What is drawn of several pictures and written in full size.
package enum Composition: Equatable, Sendable {
    /// A square with a picture in each cell.
    case collage(CollageSpec)
    /// A picture of then beside or above one of now.
    case pair(PairSpec)
    /// An animation that goes from a picture of then to one of now and back.
    case fade(PairSpec)

    /// The number of pictures that are read.
    var pictureCount: Int {
        switch self {
        case .collage(let spec): spec.cells.count
        case .pair, .fade: 2
        }
    }

    /// The beginning of the file's name.
    var name: String {
        switch self {
        case .collage: "collage"
        case .pair: "pair"
        case .fade: "fade"
        }
    }

    /// The format of the file.
    package var format: ImageFormat {
        switch self {
        case .collage(let spec): spec.format.imageFormat
        case .pair: .jpeg
        case .fade: .webp
        }
    }

    /// The number of frames in the file.
    package var frameCount: Int {
        guard case .fade = self else { return 1 }
        return FadeTiming.frames.count
    }

    /// Returns whether a worker may say that the file has these sides. Those of a pair follow from its pictures.
    func allows(width: Int, height: Int) -> Bool {
        switch self {
        case .collage(let spec): width == spec.side && height == spec.side
        case .pair: PairSpec.longestSides.contains(max(width, height))
        case .fade: PairSpec.longestSidesOfFade.contains(max(width, height))
        }
    }
}

/// The frames of a fade: the past picture, steps to the picture of today, that picture, and the same steps back.
package enum FadeTiming {
    /// A frame of a fade.
    package struct Frame: Equatable, Sendable {
        /// The part of the picture of today in the frame, in ``steps`` and one more.
        package let now: Int
        /// How long the frame is shown.
        package let milliseconds: Int
    }

    /// The number of frames between the two pictures.
    package static let steps = 9

    /// All frames in the order in which they are shown.
    package static let frames: [Frame] =
        ((0...steps + 1) + (1...steps).reversed()).map { part in
            Frame(now: part, milliseconds: part == 0 || part == steps + 1 ? 1600 : 70)
        }
}
