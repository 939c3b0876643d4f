import Foundation
import Imaging

/// The worker's side of the conversation: takes requests from the server, and answers them.
package struct PictureService {
    /// A request, and the files that came with it.
    package struct Job {
        /// What to make.
        package let request: PictureRequest
        /// The files to read, as many as the request says.
        package let pictures: [Descriptor]
        /// The files to write: a composition in full size, then the renditions in the order of the specs and of each
        /// spec's formats.
        package let outputs: [Descriptor]
    }

    /// The connection to the server.
    package let socket: FrameSocket

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
        guard let (frame, descriptors) = try? socket.receive(descriptors: PictureRequest.mostDescriptors),
            case .request(let request) = frame,
            descriptors.count == request.pictureCount + request.fileCount
        else { return nil }
        return Job(
            request: request, pictures: Array(descriptors.prefix(request.pictureCount)),
            outputs: Array(descriptors.dropFirst(request.pictureCount)))
    }

    /// Makes the files of a picture or of a composition, or compares two pictures, and says so, or says why not.
    ///
    /// - Throws: when the server has gone, or doesn't keep to the protocol.
    package func answer(_ job: Job) throws {
        defer { Picture.trimMemory() }
        do {
            switch job.request.source {
            case .picture(let crop): try makeRenditions(job, crop)
            case .composition(.collage(let spec)):
                let pipeline = try CollagePipeline(
                    spec, pictures: job.pictures, limits: job.request.limits,
                    renditions: job.request.renditions, outputs: job.outputs)
                try finish(pipeline.header) { () throws(ImageError) in .result(try pipeline.run()) }
            case .composition(.pair(let spec)): try makePair(job, spec, as: .still)
            case .composition(.fade(let spec)): try makePair(job, spec, as: .fade)
            case .alignment(let frame):
                let pipeline = try AlignmentPipeline(
                    frame, pictures: job.pictures, limits: job.request.limits)
                try finish(pipeline.header) { () throws(ImageError) in .alignment(try pipeline.run()) }
            }
        } catch let error as ImageError {
            try socket.send(.refusal(error))
        }
    }

    private func makeRenditions(_ job: Job, _ crop: CropSquare?) throws {
        let file = try PictureFile(job.pictures[0], limits: job.request.limits)
        let pipeline = RenditionPipeline(file: file, crop: crop, outputs: job.outputs)
        let memory = pipeline.memory(for: job.request.renditions)
        try finish(file.header(memory: memory)) { () throws(ImageError) in
            .result(try pipeline.run(job.request.renditions))
        }
    }

    private func makePair(_ job: Job, _ spec: PairSpec, as form: PairPipeline.Form) throws {
        let pipeline = try PairPipeline(
            spec, as: form, pictures: job.pictures, limits: job.request.limits,
            renditions: job.request.renditions, outputs: job.outputs)
        try finish(pipeline.header) { () throws(ImageError) in .result(try pipeline.run()) }
    }

    /// Says what will be made, and makes it if the server agrees.
    private func finish(_ header: PictureHeader, _ make: () throws(ImageError) -> WorkerFrame) throws {
        try socket.send(.header(header))
        guard try socket.receive(descriptors: 0).frame == .proceed else { return }
        try socket.send(make())
    }
}

extension PictureFile {
    /// What the server learns before the picture is decoded.
    ///
    /// - Parameter memory: bytes that the decoder and the steps behind it will hold at once.
    func header(memory: Int) -> PictureHeader {
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
