import Foundation
import Imaging

/// The worker's side of the conversation: takes requests from the server, and answers them.
package struct PictureService {
    /// A request, and the files that came with it.
    package struct Job {
        /// What to make.
        package let request: PictureRequest
        /// The file to read.
        package let picture: Descriptor
        /// The files to write, in the order of the specs and of each spec's formats.
        package let outputs: [Descriptor]
    }

    /// The connection to the server.
    package let socket: FrameSocket

    /// The most descriptors of a request; the process may have no more than 64 in all.
    private static let mostDescriptors = 33

    /// - Parameter socket: the connection to the server.
    package init(socket: FrameSocket) {
        self.socket = socket
    }

    /// Goes into the cage and says so, or says why not.
    ///
    /// - Returns: whether requests may be taken.
    /// - Throws: when the server has gone.
    package func enter() throws -> Bool {
        do {
            try Cage.enter()
        } catch {
            try socket.send(.unable(error.description))
            return false
        }
        try socket.send(.ready)
        return true
    }

    /// Waits for the next request; nil when the server has gone, or doesn't keep to the protocol.
    package func next() -> Job? {
        guard let (frame, descriptors) = try? socket.receive(descriptors: Self.mostDescriptors),
            case .request(let request) = frame, let picture = descriptors.first,
            descriptors.count == 1 + request.fileCount
        else { return nil }
        return Job(request: request, picture: picture, outputs: Array(descriptors.dropFirst()))
    }

    /// Makes the renditions of a picture and says so, or says why not.
    ///
    /// - Throws: when the server has gone, or doesn't keep to the protocol.
    package func answer(_ job: Job) throws {
        defer { Picture.trimMemory() }
        do {
            let file = try PictureFile(job.picture, limits: job.request.limits)
            let pipeline = RenditionPipeline(file: file, crop: job.request.crop, outputs: job.outputs)
            try socket.send(.header(file.header(memory: pipeline.memory(for: job.request.renditions))))
            guard try socket.receive(descriptors: 0).frame == .proceed else { return }
            try socket.send(.result(pipeline.run(job.request.renditions)))
        } catch let error as ImageError {
            try socket.send(.refusal(error))
        }
    }
}

extension PictureFile {
    /// What the server learns before the picture is decoded.
    ///
    /// - Parameter memory: bytes that the decoder and the steps behind it will hold at once.
    fileprivate func header(memory: Int) -> PictureHeader {
        var capture = capture
        capture.cameraMake = capture.cameraMake.flatMap { Self.named($0) }
        capture.cameraModel = capture.cameraModel.flatMap { Self.named($0) }
        return PictureHeader(
            format: format, width: width, height: height, memory: memory, capture: capture)
    }

    /// A camera's name; nil for a text that is longer than any.
    private static func named(_ text: String) -> String? {
        text.utf8.count <= 200 ? text : nil
    }
}
