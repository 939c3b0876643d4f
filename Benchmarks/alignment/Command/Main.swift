import Alignment
import Foundation

/// Aligns pairs of pictures and prints what became of each, for `Benchmarks/alignment/run`.
///
/// Reads lines `NOW.pgm THEN.pgm` (binary PGM of 8 bits), and writes for each `aligned` with the nine numbers
/// of the homography, or `unsure` with the reason, and the milliseconds of CPU that this took. With
/// `--evidence`, a second line for each says why.
@main
struct AlignmentBenchmark {
    static func main() {
        let aligner = Aligner()
        while let line = readLine() {
            let files = line.split(separator: " ").map(String.init)
            guard files.count == 2, let now = picture(files[0]), let then = picture(files[1]) else {
                FileHandle.standardError.write(Data("not two PGM files: \(line)\n".utf8))
                exit(1)
            }
            let start = clock()
            let (outcome, evidence) = aligner.judged(now, to: then)
            let milliseconds = Double(clock() - start) * 1000 / Double(CLOCKS_PER_SEC)
            switch outcome {
            case .aligned(let map):
                print("aligned \(map.elements.map(\.description).joined(separator: " ")) \(milliseconds)")
            case .unsure(let reason):
                print("unsure \(reason.rawValue) \(milliseconds)")
            }
            if CommandLine.arguments.contains("--evidence") { print(evidence) }
        }
    }

    /// Reads a binary PGM without comments.
    private static func picture(_ file: String) -> GrayPicture? {
        guard let data = FileManager.default.contents(atPath: file) else { return nil }
        let head = data.prefix(32).split { $0 == 0x20 || $0 == 0x0a }.prefix(4)
            .map { String(decoding: $0, as: UTF8.self) }
        guard head.count == 4, head[0] == "P5", let width = Int(head[1]), let height = Int(head[2]),
            head[3] == "255", width > 0, height > 0, data.count > width * height
        else { return nil }
        return GrayPicture(width: width, height: height, pixels: Array(data.suffix(width * height)))
    }
}
