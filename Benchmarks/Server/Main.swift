import Alignment
import Foundation
import Hummingbird
import Imaging
import NIOCore

/// What the benchmarks measure against or alone: a bare Hummingbird route, and the picture pipeline.
///
/// - `benchmark bare PORT BYTES` answers `GET /bytes` with BYTES bytes from memory.
/// - `benchmark image FILE FOLDER` makes all renditions of one picture, as an upload does.
/// - `benchmark images FILE FOLDER COUNT` does so many times, one after the other, as a server that runs on.
/// - `benchmark collage SIDE FORMAT FOLDER FILE…` renders a collage, whose cells are rows and columns of one size.
/// - `benchmark pair KIND FOLDER THEN NOW [MATRIX]` renders two pictures as `stacked`, `side_by_side` or `fade`, the second
///   moved by the nine numbers of a matrix, or looks for such a matrix (`align`).
/// - `benchmark chats PORT SECONDS` lets pairs of friends write to each other on a running server, and prints how
///   long a message takes to its receiver and how many are acknowledged a second. The pairs come as lines
///   `SENDER-TOKEN RECEIVER-TOKEN CHAT-ID`.
/// - `benchmark groups PORT SECONDS` lets one person write in one chat after the other, in turn, and prints how long a message
///   takes to the last of its receivers. The chats come as lines `SENDER-TOKEN RECEIVER-TOKEN… CHAT-ID`.
///
/// With `TINTYPE_PEAK=FILE` in the environment, the most bytes that a process for pictures had resident are written to
/// FILE.
@main
struct Benchmark {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        switch (arguments.first, arguments.count) {
        case ("bare", 3):
            try await bare(port: Int(arguments[2]) ?? 0, bytes: Int(arguments[3]) ?? 0)
        case ("image", 3):
            try await images(file: arguments[2], folder: arguments[3], count: 1)
        case ("images", 4):
            try await images(file: arguments[2], folder: arguments[3], count: Int(arguments[4]) ?? 0)
        case ("collage", 5...):
            try await collage(arguments.dropFirst().map { $0 })
        case ("pair", 5), ("pair", 14):
            try await pair(arguments.dropFirst().map { $0 })
        case ("chats", 3):
            try await chats(port: Int(arguments[2]) ?? 0, seconds: Int64(arguments[3]) ?? 0)
        case ("groups", 3):
            try await groups(port: Int(arguments[2]) ?? 0, seconds: Int64(arguments[3]) ?? 0)
        default:
            print(
                """
                usage: benchmark bare PORT BYTES | image FILE FOLDER | images FILE FOLDER COUNT
                       | collage SIDE FORMAT FOLDER FILE… | pair KIND FOLDER THEN NOW [MATRIX]
                       | chats PORT SECONDS | groups PORT SECONDS
                """)
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

    private static func images(file: String, folder: String, count: Int) async throws {
        try await withProcessor { processor in
            for _ in 0..<count {
                _ = try await processor.process(fileAt: file, renditions: RenditionSpec.photo, into: folder)
            }
        }
    }

    private static func collage(_ arguments: [String]) async throws {
        let files = Array(arguments.dropFirst(3))
        let count = Int(Double(files.count).squareRoot().rounded(.up))
        let side = 1 / Double(count)
        let cells = files.indices.map { index in
            CollageSpec.Cell(
                frame: .init(
                    x: Double(index % count) * side, y: Double(index / count) * side, width: side,
                    height: side))
        }
        guard
            let spec = CollageSpec(
                side: Int(arguments[0]) ?? 0, format: .init(rawValue: arguments[1]) ?? .jpeg, cells: cells)
        else { throw ImageError.notAnImage }
        try await withProcessor { processor in
            _ = try await processor.compose(spec, picturesAt: files, renditions: [], into: arguments[2])
        }
    }

    private static func pair(_ arguments: [String]) async throws {
        let (kind, folder, then, now) = (arguments[0], arguments[1], arguments[2], arguments[3])
        let transform = Homography(arguments.dropFirst(4).compactMap { Double($0) })
        guard let frame = PairFrame(aspect: 1),
            let spec = PairSpec(
                frame: frame, transform: transform, crop: transform?.commonCrop.map { .init($0) } ?? .whole,
                layout: kind == "side_by_side" ? .sideBySide : .stacked,
                caption: ["1931 · Fondo Arrieta, CC BY 4.0", "2026"])
        else { throw ImageError.notAnImage }
        try await withProcessor { processor in
            switch kind {
            case "fade": _ = try await processor.fade(spec, then: then, now: now, into: folder)
            case "align": print(try await processor.align(frame, then: then, now: now))
            default:
                _ = try await processor.pair(spec, then: then, now: now, renditions: [], into: folder)
            }
        }
    }

    private static func withProcessor(_ work: (ImageProcessor) async throws -> Void) async throws {
        do {
            // What is measured may take its time, also on a busy machine.
            try await work(ImageProcessor(concurrency: 1, waiting: 1, patience: .seconds(300)))
        }
        // The worker ends with the processor; once it has, its time counts as this process's, and that of its jobs.
        while wait(nil) > 0 {}
        guard let file = ProcessInfo.processInfo.environment["TINTYPE_PEAK"] else { return }
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        try "\(usage.ru_maxrss * 1024)".write(toFile: file, atomically: true, encoding: .utf8)
    }

    /// How often each chat has its turn.
    private static let turns = 5

    private static func groups(port: Int, seconds: Int64) async throws {
        let load = ChatLoad(port: port, lines: AnyIterator { readLine() })
        var found = load.rooms.map { _ in ChatLoad.Result() }
        for turn in 0...turns {
            for (index, room) in load.rooms.enumerated() {
                let result = try await load.measure([room], pause: .milliseconds(20), seconds: seconds)
                // Nobody's first messages are measured.
                if turn > 0 { found[index].add(result) }
            }
        }
        for (room, result) in zip(load.rooms, found) {
            let (p50, p99) = (result.milliseconds(0.5), result.milliseconds(0.99))
            print("arrival", room.receivers.count, p50, p99, result.seconds.count)
        }
    }

    private static func chats(port: Int, seconds: Int64) async throws {
        let load = ChatLoad(port: port, lines: AnyIterator { readLine() })
        // Nobody's first message is measured.
        _ = try await load.measure(load.rooms, pause: .milliseconds(20), seconds: 2)
        for (count, pause) in [(1, TimeAmount.milliseconds(5)), (load.rooms.count, .milliseconds(100))] {
            let result = try await load.measure(load.rooms.prefix(count), pause: pause, seconds: seconds)
            print("arrival", count, result.milliseconds(0.5), result.milliseconds(0.99), result.seconds.count)
        }
        let lanes = 2
        let result = try await load.measure(load.rooms, lanes: lanes, pause: nil, seconds: seconds)
        let perSecond = result.acknowledged / Int(seconds)
        print("acknowledged", load.rooms.count * lanes, perSecond, result.milliseconds(0.99))
    }
}
