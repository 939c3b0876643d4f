import Foundation
import Hummingbird
import Imaging
import NIOCore

/// What the benchmarks measure against or alone: a bare Hummingbird route, and the picture pipeline.
///
/// - `benchmark bare PORT BYTES` answers `GET /bytes` with BYTES bytes from memory.
/// - `benchmark image FILE FOLDER` makes all renditions of one picture, as an upload does.
@main
struct Benchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case ("bare", 3):
            try await bare(port: Int(arguments[2]) ?? 0, bytes: Int(arguments[3]) ?? 0)
        case ("image", 3):
            let processor = ImageProcessor(concurrency: 1, waiting: 1)
            _ = try await processor.process(
                fileAt: arguments[2], renditions: RenditionSpec.photo, into: arguments[3])
        default:
            print("usage: benchmark bare PORT BYTES | image FILE FOLDER")
            exit(2)
        }
    }

    private static func bare(port: Int, bytes: Int) async throws {
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: bytes)
        let router = Router()
        router.get("bytes") { _, _ in
            Response(status: .ok, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)))
        try await application.runService()
    }
}
