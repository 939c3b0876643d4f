import Decoding
import Imaging
import Testing

@Suite("What a picture looks like from far away")
struct ImpressionTests {
    private func impression(
        _ width: Int, _ height: Int, _ colour: (_ x: Int, _ y: Int) -> [Int]
    ) throws -> Impression {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { pixels += colour(x, y).map { UInt8($0) } }
        }
        return try Impression(pixels: pixels, width: width, height: height)
    }

    /// The expected texts were made with the PyPI package `blurhash` 1.1.5, another implementation.
    @Test("as BlurHash")
    func blurhash() throws {
        #expect(
            try impression(32, 24) { x, y in [x * 8, y * 10, x * y % 256] }.blurhash
                == "LxH27h2lwtX3mAWUjwfAgFfmfTfi")
        #expect(try impression(32, 24) { _, _ in [200, 100, 50] }.blurhash == "L7M|T9^4fQ^4}XoKfQoKfQfQfQfQ")
        #expect(try impression(1, 1) { _, _ in [0, 0, 0] }.blurhash == "L00000fQfQfQfQfQfQfQfQfQfQfQ")
        #expect(
            try impression(20, 32) { x, y in (x / 5 + y / 8) % 2 == 1 ? [255, 255, 255] : [0, 0, 128] }
                .blurhash
                == "LLLqeQ-;fQ-;xvD%fQ01fQfQfQfQ")
    }

    @Test("as the colour that covers most of it, not as a mean of all")
    func dominantColour() throws {
        #expect(
            try impression(10, 10) { x, _ in x < 6 ? [200, 10, 10] : [0, 0, 255] }.dominantColour == "#c80a0a"
        )
        #expect(try impression(3, 1) { _, _ in [1, 2, 3] }.dominantColour == "#010203")
    }

    @Test(
        "of other than three bytes a pixel is none",
        arguments: [
            (11, 2, 2), (13, 2, 2), (16, 2, 2), (0, 0, 0), (0, 4, 0), (3, Int.max, Int.max), (3, -1, -1),
        ])
    func otherBytes(count: Int, width: Int, height: Int) {
        #expect(throws: ImageError.broken) {
            try Impression(pixels: zeros(count), width: width, height: height)
        }
    }
}
