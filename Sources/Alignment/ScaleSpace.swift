/// A picture at ever coarser scales, in octaves of half the size each.
///
/// D. Lowe, *Distinctive Image Features from Scale-Invariant Keypoints*, International Journal of Computer
/// Vision 60 (2004), section 3. Unlike there, the finest octave has at most half the size of a large picture:
/// the last tenth of a pixel comes from `Refinement`, and grain hides the finest details of old prints
/// anyway.
struct ScaleSpace {
    /// The planes of one size.
    struct Octave {
        /// How many pixels of the picture one pixel of this octave is wide.
        let spacing: Float
        /// The blurred planes, each by a factor of `ScaleSpace.step` more than the one before it.
        let planes: [Plane]
        /// The differences of neighbouring planes, which respond to blobs.
        let differences: [Plane]
    }

    /// The scales between one octave and the next.
    static let scales = 3
    /// The factor between neighbouring scales, the third root of 2.
    static let step: Float = 1.259921
    /// The blur of each octave's first plane, as a standard deviation in the octave's pixels.
    static let firstDeviation: Float = 1.2

    let octaves: [Octave]

    /// Creates the scales of a picture, which is taken to have a blur of half a pixel already.
    init(_ picture: Plane, spacing: Float) {
        var octaves: [Octave] = []
        var first = picture.blurred((Self.firstDeviation * Self.firstDeviation - 0.25).squareRoot())
        var spacing = spacing
        while octaves.count < 5, min(first.width, first.height) >= 24 {
            var planes = [first]
            var deviation = Self.firstDeviation
            for _ in 0..<Self.scales + 2 {
                // Gaussians one after the other add up in squares.
                let next = deviation * Self.step
                planes.append(
                    planes[planes.count - 1].blurred((next * next - deviation * deviation).squareRoot()))
                deviation = next
            }
            let differences = zip(planes.dropFirst(), planes).map { $0 - $1 }
            octaves.append(Octave(spacing: spacing, planes: planes, differences: differences))
            first = planes[Self.scales].halved()
            spacing *= 2
        }
        self.octaves = octaves
    }
}
