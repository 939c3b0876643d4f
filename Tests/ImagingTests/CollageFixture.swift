import Foundation
import Imaging
import Testing

/// Makes uncompressed TIFF files (TIFF 6.0) in 8-bit RGB, of any size.
enum Painting {
    /// One colour.
    static func plain(_ width: Int, _ height: Int, _ colour: [UInt8]) -> [UInt8] {
        painted(width, height, colour, columns: 0..<0, rows: 0..<0)
    }

    /// Pixels of any colour, which no encoder makes smaller.
    static func noise(_ side: Int) -> [UInt8] {
        var state: UInt64 = 7
        let pixels = (0..<side * side * 3).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 56)
        }
        return file(side, side, pixels, orientation: 1)
    }

    /// Black, with white columns and rows.
    static func marked(
        _ width: Int, _ height: Int, columns: Range<Int>, rows: Range<Int>, orientation: Int = 1
    ) -> [UInt8] {
        painted(width, height, [0, 0, 0], columns: columns, rows: rows, orientation: orientation)
    }

    private static func painted(
        _ width: Int, _ height: Int, _ colour: [UInt8], columns: Range<Int>, rows: Range<Int>,
        orientation: Int = 1
    ) -> [UInt8] {
        let dark = (0..<width).flatMap { columns.contains($0) ? [255, 255, 255] : colour }
        let light = [UInt8](repeating: 255, count: width * 3)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        for y in 0..<height { pixels += rows.contains(y) ? light : dark }
        return file(width, height, pixels, orientation: orientation)
    }

    /// A file of pixels, three bytes each.
    static func file(_ width: Int, _ height: Int, _ pixels: [UInt8], orientation: Int) -> [UInt8] {
        func little(_ number: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let tags: [(tag: Int, type: Int, count: Int, value: Int)] = [
            (256, 4, 1, width), (257, 4, 1, height), (258, 3, 3, 14 + 10 * 12), (259, 3, 1, 1),
            (262, 3, 1, 2), (273, 4, 1, 20 + 10 * 12), (274, 3, 1, orientation), (277, 3, 1, 3),
            (278, 4, 1, height), (279, 4, 1, pixels.count),
        ]
        return Array("II*\0".utf8) + little(8, 4) + little(tags.count, 2)
            + tags.flatMap {
                little($0.tag, 2) + little($0.type, 2) + little($0.count, 4) + little($0.value, 4)
            } + little(0, 4) + [8, 0, 8, 0, 8, 0] + pixels
    }
}

extension CollageSpec.Frame {
    /// The whole square.
    static let whole = CollageSpec.Frame(x: 0, y: 0, width: 1, height: 1)

    /// Rows and columns of the same size.
    static func grid(_ count: Int) -> [CollageSpec.Frame] {
        let side = 1 / Double(count)
        return (0..<count * count).map {
            .init(x: Double($0 % count) * side, y: Double($0 / count) * side, width: side, height: side)
        }
    }
}

/// A collage that a test has rendered.
struct Rendered {
    let folder: Folder
    let composed: ComposedImage

    /// Renders a collage of files, written as they would have come in.
    init(_ spec: CollageSpec, _ files: [[UInt8]], renditions: [RenditionSpec] = []) async throws {
        folder = try Folder()
        var paths: [String] = []
        for (index, file) in files.enumerated() {
            paths.append(try folder.write(file, as: "\(index).upload"))
        }
        composed = try await Shared.processor.compose(
            spec, picturesAt: paths, renditions: renditions, into: folder.path)
    }

    /// Renders one picture that fills the square.
    init(
        _ file: [UInt8], side: Int = 512, format: CollageSpec.Format = .png, zoom: Double = 1,
        x: Double = 0.5,
        y: Double = 0.5
    ) async throws {
        let spec = try #require(
            CollageSpec(
                side: side, format: format, spacing: 0,
                cells: [.init(frame: .whole, zoom: zoom, x: x, y: y)]))
        try await self.init(spec, [file])
    }

    var bytes: [UInt8] {
        get throws { [UInt8](try Data(contentsOf: URL(filePath: composed.path))) }
    }

    var pixels: Pixels {
        get throws { try Pixels(path: composed.path, format: composed.image.format) }
    }
}

/// A file that is refused, and leaves nothing of what is composed of it and others.
enum RefusedFile: CaseIterable {
    case cut, empty, text, missing

    /// Writes the file; its path.
    func path(in folder: Folder) throws -> String {
        switch self {
        case .cut: try folder.write(Array(Fixture.bytes("quadrants.jpg").dropLast(400)), as: "bad")
        case .empty: try folder.write([], as: "bad")
        case .text: try folder.write(Array("text".utf8), as: "bad")
        case .missing: "\(folder.path)/none"
        }
    }

    var error: ImageError {
        switch self {
        case .cut: .broken
        case .empty, .text: .notAnImage
        case .missing: .inputOutput(errno: ENOENT)
        }
    }
}
