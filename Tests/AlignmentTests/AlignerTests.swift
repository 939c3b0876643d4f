import Alignment
import Testing

@Suite("Laying the now picture over the then picture")
struct AlignerTests {
    /// Shifted by 5 % of the sides, turned by 4°, scaled by 8 %, slightly tilted.
    private let moved = Homography([1.077, -0.075, 3, 0.075, 1.077, -24, 0.0001, -0.00008, 1])!

    /// Returns the mean distance of the moved corners from where they should be, in pixels, or infinity if
    /// refused.
    private func error(_ outcome: Aligner.Outcome, truth: Homography) -> Double {
        guard case .aligned(let found) = outcome else { return .infinity }
        let corners: [(x: Double, y: Double)] = [(0, 0), (300, 0), (300, 225), (0, 225)]
        return corners.reduce(0) { sum, corner in
            let (one, two) = (found.applied(to: corner)!, truth.applied(to: corner)!)
            return sum + ((one.x - two.x) * (one.x - two.x) + (one.y - two.y) * (one.y - two.y)).squareRoot()
                / 4
        }
    }

    @Test("A moved picture of a scene is laid over the old one to a fraction of a pixel")
    func plain() {
        let scene = Scene(seed: 1)
        let outcome = Aligner().align(scene.picture(through: moved), to: scene.picture())
        #expect(error(outcome, truth: moved) < 0.3)
    }

    @Test("A faded, grainy print of another gamma is aligned too")
    func aged() {
        let scene = Scene(seed: 2)
        let then = scene.picture { shade, random in
            60 + 0.5 * 255 * (shade / 255) * (shade / 255) + 6 * random.grain()
        }
        #expect(error(Aligner().align(scene.picture(through: moved), to: then), truth: moved) < 0.5)
    }

    @Test("The negative of a picture is aligned too")
    func negative() {
        let scene = Scene(seed: 3)
        let then = scene.picture { shade, _ in 255 - shade }
        #expect(error(Aligner().align(scene.picture(through: moved), to: then), truth: moved) < 0.5)
    }

    @Test("A picture that is much larger than others is aligned as well")
    func large() {
        let scene = Scene(seed: 4)
        func enlarged(_ picture: GrayPicture) -> GrayPicture {
            var pixels: [UInt8] = []
            for row in 0..<picture.height {
                let start = row * picture.width
                let wide = picture.pixels[start..<start + picture.width].flatMap { [$0, $0, $0, $0, $0] }
                for _ in 0..<5 { pixels += wide }
            }
            return GrayPicture(width: picture.width * 5, height: picture.height * 5, pixels: pixels)!
        }
        let shift = Homography([1, 0, 12, 0, 1, -9, 0, 0, 1])!
        let outcome = Aligner().align(enlarged(scene.picture(through: shift)), to: enlarged(scene.picture()))
        guard case .aligned(let found) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(abs(found.elements[2] - 60) < 3 && abs(found.elements[5] + 45) < 3)
    }

    @Test("The same pictures give the same outcome")
    func deterministic() {
        let scene = Scene(seed: 5)
        let (now, then) = (scene.picture(through: moved), scene.picture())
        #expect(Aligner().align(now, to: then) == Aligner().align(now, to: then))
    }

    @Test("Unrelated scenes have nothing in common", arguments: [10, 11])
    func unrelated(seed: Int) {
        let outcome = Aligner().align(
            Scene(seed: UInt64(seed)).picture(through: moved), to: Scene(seed: UInt64(seed) + 100).picture())
        guard case .unsure(let reason) = outcome else {
            Issue.record("accepted")
            return
        }
        #expect([.nothingInCommon, .implausible, .disagreement].contains(reason))
    }

    @Test("Pictures without details are refused")
    func plainPictures() {
        func picture(_ width: Int, _ height: Int, _ shade: (Int) -> UInt8) -> GrayPicture {
            GrayPicture(width: width, height: height, pixels: (0..<width * height).map(shade))!
        }
        func outcome(_ one: GrayPicture) -> Aligner.Outcome { Aligner().align(one, to: one) }
        for (width, height) in [(1, 1), (47, 47), (1, 3000), (3000, 1), (60, 4000)] {
            #expect(outcome(picture(width, height) { UInt8($0 * 37 % 251) }) == .unsure(.tooFewDetails))
        }
        #expect(outcome(picture(200, 150) { _ in 0 }) == .unsure(.tooFewDetails))
        #expect(outcome(picture(200, 150) { _ in 255 }) == .unsure(.tooFewDetails))
        #expect(outcome(picture(200, 150) { UInt8($0 % 200) }) == .unsure(.tooFewDetails))
        #expect(outcome(picture(200, 150) { $0 % 200 < 100 ? 0 : 255 }) == .unsure(.tooFewDetails))
    }

    @Test("Noise doesn't fit other noise, and stripes and chequers are survived")
    func noise() {
        func noise(_ seed: UInt64) -> GrayPicture {
            var random = Random(state: seed)
            return GrayPicture(
                width: 200, height: 150, pixels: (0..<30_000).map { _ in UInt8(random.part() * 255) })!
        }
        guard case .unsure = Aligner().align(noise(1), to: noise(2)) else {
            Issue.record("accepted")
            return
        }
        for period in [1, 8] {
            let pixels = (0..<30_000).map { UInt8(($0 % 200 / period + $0 / 200 / period) % 2 * 255) }
            let picture = GrayPicture(width: 200, height: 150, pixels: pixels)!
            _ = Aligner().align(picture, to: picture)
        }
    }

    @Test("Pictures of different sizes are refused")
    func sizes() {
        let one = GrayPicture(width: 60, height: 50, pixels: [UInt8](repeating: 0, count: 3000))!
        let other = GrayPicture(width: 50, height: 60, pixels: [UInt8](repeating: 0, count: 3000))!
        #expect(Aligner().align(one, to: other) == .unsure(.differentSizes))
    }

    @Test("A picture has as many pixels as its sides say")
    func pictures() {
        #expect(GrayPicture(width: 2, height: 2, pixels: [0, 0, 0]) == nil)
        #expect(GrayPicture(width: 0, height: 0, pixels: []) == nil)
        #expect(GrayPicture(width: -1, height: -1, pixels: [0]) == nil)
        #expect(GrayPicture(width: .max, height: 2, pixels: [0]) == nil)
    }

    @Test("Each reason says what to do", arguments: Aligner.Reason.allCases)
    func sentences(reason: Aligner.Reason) {
        #expect(reason.sentence.hasSuffix(".") && reason.sentence.count > 40)
    }
}
