import Alignment
import CLinux
import Decoding
import Foundation
import Imaging
import Synchronization

/// Something that a worker in the cage must not get away with.
struct Action {
    private let name: String
    private let argument: String
    private let warm: pid_t

    /// The memory in bytes that a process takes to show that it has begun to stay.
    private static let memoryOfStaying = 128 << 20

    /// Reads `misbehave NAME ARGUMENT`; nil for a file that is a picture.
    ///
    /// - Parameter warm: the process that has forked this one.
    init?(_ picture: Descriptor, warm: pid_t) {
        guard let count = try? picture.byteCount(), count < 1000 else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        guard pread(picture.number, &bytes, count, 0) == count else { return nil }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", maxSplits: 2).map(
            String.init)
        guard words.count == 3, words[0] == "misbehave" else { return nil }
        (name, argument, self.warm) = (words[1], words[2], warm)
    }

    /// Does it. What fails with an errno is answered with that; what succeeds, with "not a picture".
    func commit(_ service: PictureService, _ job: PictureService.Job) throws {
        let socket = service.socket
        switch name {
        case "read": try socket.send(.refusal(outcome(open(argument, O_RDONLY))))
        case "write": try socket.send(.refusal(outcome(open(argument, O_WRONLY | O_CREAT, 0o600))))
        case "list": try socket.send(.refusal(outcome(opendir(argument) == nil ? -1 : 0)))
        case "look":
            var status = stat()
            try socket.send(.refusal(outcome(stat(argument, &status))))
        case "allocate": try socket.send(.refusal(outcome(allocate(4_000_000_000))))
        case "fill": try socket.send(.refusal(.unsupported(format: "\(try fill(job, socket))")))
        case "descriptors": try socket.send(.refusal(confirmed(hasOnlyDescriptors(of: job))))
        case "environment": try socket.send(.refusal(confirmed(environ[0] == nil)))
        case "number": try socket.send(.refusal(.unsupported(format: "\(warm)")))
        case "tcp": _ = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        case "unix": _ = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        case "fork": _ = Self.call("fork", 0, 0)
        case "spawn":
            var id: pid_t = 0
            _ = posix_spawn(&id, "/bin/true", nil, nil, [nil], [nil])
        case "exec": execv("/bin/true", [nil])
        case "trace": _ = Self.call("ptrace", 16, Int(warm))
        case "kill": kill(warm, SIGKILL)
        case "peek": _ = Self.call("process_vm_readv", Int(warm), 0)
        case "handle": _ = Self.call("pidfd_open", Int(warm), 0)
        case "signal": try socket.send(.refusal(outcome(Int32(Self.call("tgkill", Int(warm), Int(warm), 9)))))
        case "memory-of-warm": try socket.send(.refusal(outcome(open("/proc/\(warm)/mem", O_RDWR))))
        case "limits":
            var limit = rlimit(rlim_cur: .max, rlim_max: .max)
            setrlimit(Int32(RLIMIT_AS.rawValue), &limit)
        case "crash": UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case "leave": exit(0)
        case "loop": while true {}
        case "stay":
            // Seen from outside, this much memory says that the picture has arrived.
            guard let memory = malloc(Self.memoryOfStaying) else { return }
            memset(memory, 1, Self.memoryOfStaying)
            while true { sleep(60) }
        case "garbage": try socket.send([UInt8](repeating: 0xAA, count: 100))
        case "nothing": try socket.send([])
        case "long": try socket.send([UInt8](repeating: 1, count: WorkerFrame.maximumBytes + 1))
        case "flood": while true { try socket.send(.ready(countsThreads: true)) }
        case "pretend":
            try socket.send(.ended(JobEnd(status: 0, processorMicroseconds: 0)))
            while true { sleep(60) }
        case "fewer": try lie(service, job) { $0.sizes = [] }
        case "larger":
            try lie(service, job) {
                $0.sizes = $0.sizes.map { .init(width: $0.width + 9, height: $0.height) }
            }
        case "page": try lie(service, job, file: Array("<script>alert(1)</script>".utf8)) { _ in }
        case "empty": try lie(service, job, file: []) { _ in }
        case "huge":
            try lie(service, job, file: [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: 1 << 20)) { _ in }
        case "markup": try lie(service, job) { $0.placeholder = "<b>bold" }
        case "pixels":
            try announce(job, socket) { ($0.width, $0.height) = (100_000, 100_000) }
        case "memory": try announce(job, socket) { $0.memory = .max }
        case "hold":
            // Needs so many bytes, and keeps them.
            try announce(job, socket) { $0.memory = Int(argument) ?? 0 }
            while true { sleep(60) }
        case "sides": try announce(job, socket) { ($0.width, $0.height) = (100, 100) }
        case "aligned":
            try announce(job, socket)
            try socket.send(.alignment(.aligned(.identity)))
        case "nonsense":
            try announce(job, socket)
            let numbers = [UInt8](repeating: 0xFF, count: 8 * 8)
            try socket.send([9, 0] + numbers)
        case "kind": try announce(job, socket) { $0.format = .tiff }
        case "camera": try announce(job, socket) { $0.capture.cameraMake = "Camera" }
        case "place":
            try announce(job, socket) { $0.capture.location = .init(latitude: .nan, longitude: 0) }
        case "keep":
            _ = fcntl(job.pictures[0].number, F_DUPFD_CLOEXEC, 0)
            try socket.send(.refusal(.notAnImage))
        case "haunt":
            Self.kept.withLock { $0 = [] }
            try socket.send(.refusal(.notAnImage))
        case "leak":
            guard let picture = Self.kept.withLock({ $0?.first }) else {
                return try socket.send(.refusal(.inputOutput(errno: ENOENT)))
            }
            var bytes = [UInt8](repeating: 0, count: 20_000)
            bytes.removeLast(bytes.count - max(0, pread(picture, &bytes, bytes.count, 0)))
            try forge(service, job, hiding: bytes) { _ in }
        case "threads": try socket.send(.refusal(.unsupported(format: "\(threads(3000))")))
        case "map":
            try forge(service, job, hiding: []) { output in
                let writable = PROT_READ | PROT_WRITE
                precondition(mmap(nil, 4096, writable, MAP_SHARED, output.number, 0) != MAP_FAILED)
            }
        case "rewrite":
            var outputs: [Descriptor] = []
            try forge(service, job, hiding: []) { outputs.append($0) }
            while true {
                for output in outputs {
                    lseek(output.number, 0, SEEK_SET)
                    write(output.number, "<script>", 8)
                }
            }
        case "burn":
            try socket.send(.refusal(.notAnImage))
            while true {}
        case "gifts": try socket.send(.refusal(.notAnImage), [job.pictures[0], job.pictures[0]])
        case "ahead":
            // An answer to a question that nobody has asked yet.
            try socket.send(.refusal(.notAnImage))
            try socket.send(.refusal(.notAnImage))
        default: try socket.send(.refusal(.decoderMissing))
        }
    }

    /// The descriptors of the pictures of others, which a worker that is taken over keeps; nil before that.
    private static let kept = Mutex<[Int32]?>(nil)

    /// Keeps the pictures of a job, if the worker is taken over.
    static func keep(_ job: PictureService.Job) {
        kept.withLock { $0?.append(fcntl(job.pictures[0].number, F_DUPFD_CLOEXEC, 0)) }
    }

    /// Starts threads that sleep, and returns how many there were.
    private func threads(_ count: Int) -> Int {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 65_536)
        for started in 0..<count {
            var thread = pthread_t()
            let failure = pthread_create(&thread, &attributes, { _ in while true { sleep(60) } }, nil)
            if failure != 0 { return started }
        }
        return count
    }

    private func confirmed(_ isSo: Bool) -> ImageError { isSo ? .inputOutput(errno: 0) : .notAnImage }

    private func outcome(_ result: Int32) -> ImageError {
        result < 0 ? .inputOutput(errno: errno) : .notAnImage
    }

    /// Calls a function of libc that Swift hides.
    private static func call(_ name: String, _ first: Int, _ second: Int, _ third: Int = 0) -> Int {
        typealias Function = @convention(c) (Int, Int, Int, Int) -> Int
        guard let function = dlsym(nil, name) else { return -1 }
        return unsafeBitCast(function, to: Function.self)(first, second, third, 0)
    }

    private func allocate(_ bytes: Int) -> Int32 {
        guard let memory = malloc(bytes) else { return -1 }
        memset(memory, 1, bytes)
        free(memory)
        return 0
    }

    /// Writes as much to all files as it can, and returns how much that was.
    private func fill(_ job: PictureService.Job, _ socket: FrameSocket) throws -> Int {
        let block = [UInt8](repeating: 0, count: 4096)
        return try announce(job, socket).reduce(0) { total, output in
            var count = 0
            while count < 200 << 20, write(output.number, block, block.count) > 0 { count += block.count }
            return total + count
        }
    }

    /// Whether no descriptors are open but the standard ones, the socket and those of a request.
    private func hasOnlyDescriptors(of job: PictureService.Job) -> Bool {
        (0..<64).count { fcntl($0, F_GETFD) >= 0 } == 4 + job.pictures.count
    }

    /// The sides that a picture or a composition is said to have.
    private func sides(of job: PictureService.Job) -> (width: Int, height: Int) {
        switch job.request.source {
        case .composition(.collage(let spec)): (spec.side, spec.side)
        case .composition: (512, 300)
        case .picture, .alignment: (48, 32)
        }
    }

    /// Says that the picture is a JPEG of 48 × 32 px, or that the composition is what was asked for, but for a change,
    /// and returns the files that the server wants to have written.
    @discardableResult
    private func announce(
        _ job: PictureService.Job, _ socket: FrameSocket, _ change: (inout PictureHeader) -> Void = { _ in }
    ) throws -> [Descriptor] {
        let (width, height) = sides(of: job)
        var header = PictureHeader(format: .jpeg, width: width, height: height, memory: 0, capture: Capture())
        if case .composition(let composition) = job.request.source { header.format = composition.format }
        change(&header)
        try socket.send(.header(header))
        return try socket.receive(descriptors: PictureRequest.mostFiles).descriptors
    }

    /// Answers with renditions that look right from outside, and hold other bytes behind their beginnings.
    private func forge(
        _ service: PictureService, _ job: PictureService.Job, hiding bytes: [UInt8],
        _ use: (Descriptor) -> Void
    ) throws {
        let outputs = try announce(job, service.socket)
        let formats = job.request.renditions.flatMap(\.formats)
        for (format, output) in zip(formats, outputs) {
            let head: [UInt8] = format == .jpeg ? [0xFF, 0xD8, 0xFF] : Array("RIFF0000WEBP".utf8)
            try output.write(head + bytes)
            use(output)
        }
        let sizes = formats.map { _ in PictureResult.Size(width: 48, height: 32) }
        try service.socket.send(
            .result(
                PictureResult(
                    blurhash: String(repeating: "0", count: 28), placeholder: "#000000", sizes: sizes)))
    }

    /// Answers as if the picture were one of 48 × 32 px, or the composition what was asked for, but for a change.
    private func lie(
        _ service: PictureService, _ job: PictureService.Job, file: [UInt8] = [0xFF, 0xD8, 0xFF],
        _ change: (inout PictureResult) -> Void
    ) throws {
        let outputs = try announce(job, service.socket)
        for output in outputs { try output.write(file) }
        var sizes = outputs.map { _ in PictureResult.Size(width: 48, height: 32) }
        if case .composition = job.request.source {
            let (width, height) = sides(of: job)
            sizes[0] = .init(width: width, height: height)
        }
        var result = PictureResult(
            blurhash: String(repeating: "0", count: 28), placeholder: "#000000", sizes: sizes)
        change(&result)
        try service.socket.send(.result(result))
    }
}
