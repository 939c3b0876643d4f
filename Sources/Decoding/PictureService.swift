import Foundation
import Imaging

/// The side of a job's process in the conversation with the server: it receives the request, and answers it.
package struct PictureService {
    /// A request, and the files that came with it.
    package struct Job {
        /// The pictures to make.
        package let request: PictureRequest
        /// The files to read, as many as the request says.
        package let pictures: [Descriptor]
    }

    /// The connection to the server.
    package let socket: FrameSocket

    /// Creates the service of a job.
    ///
    /// - Parameter socket: the connection to the server.
    init(socket: FrameSocket) {
        self.socket = socket
    }

    /// Waits for the request. Returns nil when the server has ended, or doesn't keep to the protocol.
    package func job() -> Job? {
        guard let (frame, descriptors) = try? socket.receive(descriptors: PictureRequest.mostPictures),
            case .request(let request) = frame, descriptors.count == request.pictureCount
        else { return nil }
        return Job(request: request, pictures: descriptors)
    }

    /// Makes the files of a picture or of a composition, or compares two pictures, and reports the result or the error.
    ///
    /// - Throws: an error when the server has ended, or doesn't keep to the protocol.
    package func answer(_ job: Job) throws {
        do {
            switch job.request.source {
            case .picture(let crop): try makeRenditions(job, crop)
            case .composition(.collage(let spec)):
                let pipeline = try CollagePipeline(
                    spec, pictures: job.pictures, limits: job.request.limits,
                    renditions: job.request.renditions)
                try finish(job, pipeline.header) { outputs throws(ImageError) in
                    .result(try pipeline.run(outputs))
                }
            case .composition(.pair(let spec)): try makePair(job, spec, as: .still)
            case .composition(.fade(let spec)): try makePair(job, spec, as: .fade)
            case .alignment(let frame):
                let pipeline = try AlignmentPipeline(
                    frame, pictures: job.pictures, limits: job.request.limits)
                try finish(job, pipeline.header) { _ throws(ImageError) in .alignment(try pipeline.run()) }
            }
        } catch let error as ImageError {
            try socket.send(.refusal(error))
        }
    }

    private func makeRenditions(_ job: Job, _ crop: CropSquare?) throws {
        let file = try PictureFile(job.pictures[0], limits: job.request.limits)
        let pipeline = RenditionPipeline(file: file, crop: crop)
        let memory = pipeline.memory(for: job.request.renditions)
        try finish(job, file.header(memory: memory)) { outputs throws(ImageError) in
            .result(try pipeline.run(job.request.renditions, outputs))
        }
    }

    private func makePair(_ job: Job, _ spec: PairSpec, as form: PairPipeline.Form) throws {
        let pipeline = try PairPipeline(
            spec, as: form, pictures: job.pictures, limits: job.request.limits,
            renditions: job.request.renditions)
        try finish(job, pipeline.header) { outputs throws(ImageError) in .result(try pipeline.run(outputs)) }
    }

    /// Reports what will be made, and makes it if the server agrees.
    ///
    /// - Parameter make: receives the files to write: a composition in full size, then the renditions in the order of
    ///   the specs and of each spec's formats.
    private func finish(
        _ job: Job, _ header: PictureHeader, _ make: ([Descriptor]) throws(ImageError) -> WorkerFrame
    ) throws {
        try socket.send(.header(header))
        let (frame, outputs) = try socket.receive(descriptors: PictureRequest.mostFiles)
        guard frame == .proceed, outputs.count == job.request.fileCount else { return }
        try socket.send(make(outputs))
    }
}

extension PictureFile {
    /// Returns the facts that the server learns before the picture is decoded.
    ///
    /// - Parameter memory: the bytes that the decoder and the steps after it will hold at once.
    func header(memory: Int) -> PictureHeader {
        var capture = capture
        capture.cameraMake = capture.cameraMake.flatMap { Self.named($0) }
        capture.cameraModel = capture.cameraModel.flatMap { Self.named($0) }
        return PictureHeader(
            format: format, width: width, height: height, memory: memory, capture: capture)
    }

    /// Returns a camera's name; nil for a text that is longer than any.
    private static func named(_ text: String) -> String? {
        text.utf8.count <= 200 ? text : nil
    }
}
