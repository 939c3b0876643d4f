import Imaging

extension PicturePlace {
    /// Computes the place of a cell in a collage.
    ///
    /// Where a cell is in a collage.
    ///
    /// - Parameters:
    ///   - frame: the cell's place in the unit square.
    ///   - spec: the collage.
    init(_ frame: CollageSpec.Frame, in spec: CollageSpec) {
        let scale = spec.scale
        let spacing = Double(spec.spacing)
        let room = CollageSpec.designSide - spacing
        covered = ExactArea(
            left: (spacing + frame.x * room) * scale, top: (spacing + frame.y * room) * scale,
            width: (frame.width * room - spacing) * scale, height: (frame.height * room - spacing) * scale)
        area = covered.rounded
    }
}

extension CollageSpec {
    /// The pixels of the collage for one pixel of the square in which spacing and corners are measured.
    fileprivate var scale: Double { Double(side) / Self.designSide }

    /// Returns the radius of the corners of a cell.
    func cornerRadius(of area: PixelArea) -> Double {
        min(Double(cornerRadius) * scale, Double(area.width) / 2, Double(area.height) / 2)
    }
}
