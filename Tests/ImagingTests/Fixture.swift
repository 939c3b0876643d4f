import Decoding
import Foundation
import Imaging
import Testing

/// The committed pictures; `Fixtures/make.py` says what each shows.
enum Fixture {
    static func path(_ name: String) throws -> String {
        try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil)).path()
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: path(name))))
    }

    /// All pictures, without the script that made them.
    static let names: [String] = {
        let folder = Bundle.module.bundleURL.appending(path: "Fixtures").path()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { !$0.hasSuffix(".py") }.sorted()
    }()
}

/// A folder of a test's own, gone with it.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "imaging-\(UUID().uuidString)").path()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Writes a file as if it had come in.
    func write(_ bytes: [UInt8], as name: String = "upload.jpg") throws -> String {
        let file = "\(path)/\(name)"
        try Data(bytes).write(to: URL(filePath: file))
        return file
    }

    var files: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

/// Colours of the fixtures as letters, so that a picture's quadrants read as a word.
enum Colour: Character, CaseIterable {
    case red = "R"
    case green = "G"
    case blue = "B"
    case yellow = "Y"
    case white = "W"
    case grey = "-"
    case black = "K"

    var components: [Int] {
        switch self {
        case .red: [230, 30, 30]
        case .green: [30, 180, 30]
        case .blue: [30, 30, 230]
        case .yellow: [240, 230, 30]
        case .white: [255, 255, 255]
        case .grey: [100, 100, 100]
        case .black: [0, 0, 0]
        }
    }
}

/// A rendition's pixels.
struct Pixels {
    let width: Int
    let height: Int
    private let bytes: [UInt8]

    init(path: String, format: ImageFormat) throws {
        let picture = try Picture(file: Descriptor(reading: path), format: format).inSRGB()
        (width, height) = (picture.width, picture.height)
        bytes = try picture.pixels()
    }

    init(_ rendition: Rendition) throws {
        try self.init(path: rendition.path, format: rendition.format == .jpeg ? .jpeg : .webp)
    }

    /// Red, green, blue at a place in the unit square.
    subscript(x: Double, y: Double) -> [Int] {
        self[Int(x * Double(width)), Int(y * Double(height))]
    }

    /// Red, green, blue of a pixel.
    subscript(x: Int, y: Int) -> [Int] {
        let start = (y * width + x) * 3
        return bytes[start..<start + 3].map { Int($0) }
    }

    /// The nearest colours at the middles of the quadrants: above left, above right, below left, below right.
    var quadrants: String {
        let places = [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]
        return String(places.map { nearest(self[$0.0, $0.1]).rawValue })
    }

    func nearest(_ pixel: [Int]) -> Colour {
        Colour.allCases.min { distance($0, pixel) < distance($1, pixel) } ?? .black
    }

    private func distance(_ colour: Colour, _ pixel: [Int]) -> Int {
        zip(colour.components, pixel).reduce(0) { sum, pair in
            let difference = pair.0 - pair.1
            return sum + difference * difference
        }
    }
}

/// One processor for tests that need nothing special of it.
enum Shared {
    /// Patient, since beside all other tests a large photo may take minutes.
    static let processor = ImageProcessor(concurrency: 2, waiting: 10_000, patience: .seconds(600))
}

/// One small rendition in each format.
let small = [RenditionSpec(name: "small", shape: .fit(longestSide: 48))]
