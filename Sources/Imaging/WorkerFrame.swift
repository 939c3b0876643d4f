import Foundation

/// A message between the server and the processes in the cage, sent as one packet of a socket pair.
///
/// A warm process says that it is ``ready(countsThreads:)``. For each job the server sends it ``fork`` with one end of a
/// new socket pair. The warm process answers ``forked`` with a pidfd of the new process, and ``ended(_:)`` when that
/// process has ended.
///
/// Over the new pair, the server sends a ``request(_:)`` together with descriptors of the pictures to read. The job's
/// process answers with a ``header(_:)`` or a ``refusal(_:)``. After the header the server sends ``proceed`` with
/// descriptors of the files to write, a composition in full size before a file for each format of each rendition. The
/// process finishes with a ``result(_:)``, for an alignment with an ``alignment(_:)``, or with a `refusal`.
///
/// Reading a frame looks at each of its bytes once, and uses no other resources. The reader must still
/// compare the frame's values with its request.
package enum WorkerFrame: Equatable, Sendable {
    /// The warm process is in the cage. `countsThreads` says whether it can bound the threads of a job.
    case ready(countsThreads: Bool)
    /// The process can't enter the cage, for this reason, and ends.
    case unable(String)
    /// The server asks for a process.
    case fork
    /// The warm process has forked a process.
    case forked
    /// The process that was forked has ended.
    case ended(JobEnd)
    /// The server asks for renditions, or for an alignment.
    case request(PictureRequest)
    /// The worker has read the headers of all pictures.
    case header(PictureHeader)
    /// The server lets the worker decode.
    case proceed
    /// The worker has written all files.
    case result(PictureResult)
    /// The worker has compared two pictures.
    case alignment(PairAlignment)
    /// The picture is refused.
    case refusal(ImageError)

    /// The most bytes of a frame.
    package static let maximumBytes = 65_536
}

/// The end of a job's process.
package struct JobEnd: Equatable, Sendable {
    /// The status, as waitpid(2) gives it.
    package var status: Int
    /// The processor time of the whole job in microseconds.
    package var processorMicroseconds: Int

    package init(status: Int, processorMicroseconds: Int) {
        self.status = status
        self.processorMicroseconds = processorMicroseconds
    }
}

/// The request to make renditions of a picture or of a composition, or to compare two pictures.
package struct PictureRequest: Equatable, Sendable {
    /// What the renditions show, or what is compared.
    package enum Source: Equatable, Sendable {
        /// A picture: the square `crop` of it, or with nil the whole picture.
        case picture(crop: CropSquare?)
        /// A composition of several pictures, which is also written in full size.
        case composition(Composition)
        /// Two pictures that are compared in a frame. No file is written.
        case alignment(PairFrame)
    }

    /// The limits for each picture.
    package var limits: ImageLimits
    /// What the renditions show, or what is compared.
    package var source: Source
    /// The renditions to write.
    package var renditions: [RenditionSpec]

    /// The most renditions of a picture.
    static let mostRenditions = 16

    /// The most pictures that come with a request.
    package static let mostPictures = CollageSpec.cellCounts.upperBound

    /// The most files that are written for a request: a composition in full size, and all renditions.
    package static let mostFiles = 1 + mostRenditions * RenditionFormat.allCases.count

    package init(
        limits: ImageLimits, source: Source = .picture(crop: nil), renditions: [RenditionSpec]
    ) {
        self.limits = limits
        self.source = source
        self.renditions = renditions
    }

    /// The number of pictures to read.
    package var pictureCount: Int {
        switch source {
        case .picture: 1
        case .composition(let composition): composition.pictureCount
        case .alignment: 2
        }
    }
}

/// The facts about a picture that its header shows, before it is decoded; or those about a composition that follow from
/// its spec and its pictures' headers. For an alignment, those about the picture of today.
package struct PictureHeader: Equatable, Sendable {
    /// The kind of the file.
    package var format: ImageFormat
    /// The width of the upright picture in pixels.
    package var width: Int
    /// The height of the upright picture in pixels.
    package var height: Int
    /// The bytes of memory that the decoder and the steps after it use at once.
    package var memory: Int
    /// What the camera recorded.
    package var capture: Capture

    package init(format: ImageFormat, width: Int, height: Int, memory: Int, capture: Capture) {
        self.format = format
        self.width = width
        self.height = height
        self.memory = memory
        self.capture = capture
    }
}

/// The facts about a picture that are known after it was decoded.
package struct PictureResult: Equatable, Sendable {
    /// The sides of a written picture in pixels.
    package struct Size: Equatable, Sendable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    /// The blurred picture as a BlurHash.
    package var blurhash: String
    /// The colour that covers most of the picture.
    package var placeholder: String
    /// The sizes of the files, in the order of the request's descriptors.
    package var sizes: [Size]

    package init(blurhash: String, placeholder: String, sizes: [Size]) {
        self.blurhash = blurhash
        self.placeholder = placeholder
        self.sizes = sizes
    }
}

// MARK: Bytes

extension WorkerFrame {
    /// The frame as bytes.
    package var bytes: [UInt8] {
        var writer = FrameWriter()
        switch self {
        case .ready(let countsThreads):
            writer.byte(1)
            writer.byte(countsThreads ? 1 : 0)
        case .unable(let reason):
            writer.byte(2)
            writer.text(reason)
        case .request(let request):
            writer.byte(3)
            request.write(to: &writer)
        case .header(let header):
            writer.byte(4)
            header.write(to: &writer)
        case .proceed: writer.byte(5)
        case .result(let result):
            writer.byte(7)
            result.write(to: &writer)
        case .refusal(let error):
            writer.byte(8)
            error.write(to: &writer)
        case .alignment(let alignment):
            writer.byte(9)
            alignment.write(to: &writer)
        case .fork: writer.byte(6)
        case .forked: writer.byte(10)
        case .ended(let end):
            writer.byte(11)
            writer.integer(end.status)
            writer.integer(end.processorMicroseconds)
        }
        return writer.bytes
    }

    /// Reads a frame.
    ///
    /// - Throws: ``FrameError/malformed`` for bytes that are not a frame.
    package init(_ bytes: [UInt8]) throws(FrameError) {
        guard bytes.count <= Self.maximumBytes else { throw .malformed }
        var reader = FrameReader(bytes)
        switch try reader.byte() {
        case 1: self = .ready(countsThreads: try reader.byte() == 1)
        case 2: self = .unable(try reader.text())
        case 3: self = .request(try PictureRequest(from: &reader))
        case 4: self = .header(try PictureHeader(from: &reader))
        case 5: self = .proceed
        case 7: self = .result(try PictureResult(from: &reader))
        case 8: self = .refusal(try ImageError(from: &reader))
        case 9: self = .alignment(try PairAlignment(from: &reader))
        case 6: self = .fork
        case 10: self = .forked
        case 11:
            self = .ended(
                JobEnd(
                    status: try reader.integer(in: 0...0xFFFF),
                    processorMicroseconds: try reader.integer(in: 0...Int(Int32.max))))
        default: throw .malformed
        }
        guard reader.isAtEnd else { throw .malformed }
    }
}

extension PictureRequest {
    fileprivate func write(to writer: inout FrameWriter) {
        writer.integer(limits.bytes)
        writer.integer(limits.pixels)
        writer.integer(limits.decoderMemory)
        source.write(to: &writer)
        writer.integer(renditions.count)
        for spec in renditions {
            writer.text(spec.name)
            switch spec.shape {
            case .fit(let longestSide):
                writer.byte(0)
                writer.integer(longestSide)
            case .part(let width, let height, let focus):
                writer.byte(1)
                writer.integer(width)
                writer.integer(height)
                writer.real(focus.x)
                writer.real(focus.y)
            }
            writer.integer(spec.formats.count)
            for format in spec.formats { writer.byte(format == .webp ? 0 : 1) }
        }
    }

    fileprivate init(from reader: inout FrameReader) throws(FrameError) {
        limits = ImageLimits(
            bytes: try reader.integer(), pixels: try reader.integer(), decoderMemory: try reader.integer())
        source = try Source(from: &reader)
        renditions = []
        for _ in 0..<(try reader.integer(in: 0...Self.mostRenditions)) {
            let name = try reader.text()
            let isWhole = try reader.byte() == 0
            let side = try reader.integer(in: 1...65_535)
            let shape: RenditionSpec.Shape =
                isWhole
                ? .fit(longestSide: side)
                : .part(
                    width: side, height: try reader.integer(in: 1...65_535), around: try Focus(from: &reader))
            var formats: [RenditionFormat] = []
            for _ in 0..<(try reader.integer(in: 0...RenditionFormat.allCases.count)) {
                formats.append(try reader.byte() == 0 ? .webp : .jpeg)
            }
            renditions.append(RenditionSpec(name: name, shape: shape, formats: formats))
        }
    }
}

extension PictureHeader {
    fileprivate func write(to writer: inout FrameWriter) {
        writer.byte(UInt8(ImageFormat.allCases.firstIndex(of: format) ?? 0))
        writer.integer(width)
        writer.integer(height)
        writer.integer(memory)
        writer.optional(capture.date) { $0.real($1.timeIntervalSince1970) }
        writer.optional(capture.secondsFromUTC) { $0.integer($1) }
        writer.optional(capture.location) { writer, location in
            writer.real(location.latitude)
            writer.real(location.longitude)
        }
        writer.optional(capture.cameraMake) { $0.text($1) }
        writer.optional(capture.cameraModel) { $0.text($1) }
    }

    fileprivate init(from reader: inout FrameReader) throws(FrameError) {
        let kind = Int(try reader.byte())
        guard kind < ImageFormat.allCases.count else { throw .malformed }
        format = ImageFormat.allCases[kind]
        // No format here allows longer sides, and the product of two such sides can't overflow.
        width = try reader.integer(in: 1...Int(Int32.max))
        height = try reader.integer(in: 1...Int(Int32.max))
        memory = try reader.integer(in: 0...Int.max)
        capture = Capture()
        // Accepts the years 1800 to 9999.
        capture.date = try reader.optional { reader throws(FrameError) in
            Date(timeIntervalSince1970: try reader.real(in: -5.4e9...2.6e11))
        }
        capture.secondsFromUTC = try reader.optional { reader throws(FrameError) in
            try reader.integer(in: -57_600...57_600)
        }
        capture.location = try reader.optional { reader throws(FrameError) in
            Capture.Location(
                latitude: try reader.real(in: -90...90), longitude: try reader.real(in: -180...180))
        }
        capture.cameraMake = try reader.optional { reader throws(FrameError) in try reader.text() }
        capture.cameraModel = try reader.optional { reader throws(FrameError) in try reader.text() }
    }
}

extension PictureResult {
    fileprivate func write(to writer: inout FrameWriter) {
        writer.text(blurhash)
        writer.text(placeholder)
        writer.integer(sizes.count)
        for size in sizes {
            writer.integer(size.width)
            writer.integer(size.height)
        }
    }

    fileprivate init(from reader: inout FrameReader) throws(FrameError) {
        blurhash = try reader.text()
        placeholder = try reader.text()
        guard Self.isBlurHash(blurhash), Self.isColour(placeholder) else { throw .malformed }
        sizes = []
        for _ in 0..<(try reader.integer(in: 0...PictureRequest.mostFiles)) {
            sizes.append(
                Size(width: try reader.integer(in: 1...65_535), height: try reader.integer(in: 1...65_535)))
        }
    }

    /// Returns whether a text is a BlurHash of 4 × 3 components, see
    /// https://github.com/woltapp/blurhash/blob/master/Algorithm.md.
    private static func isBlurHash(_ text: String) -> Bool {
        let digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"
            .utf8
        return text.utf8.count == 28 && text.utf8.allSatisfy(digits.contains)
    }

    /// Returns whether a text has the form `#rrggbb`.
    private static func isColour(_ text: String) -> Bool {
        text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
            && text.utf8.dropFirst().allSatisfy("0123456789abcdef".utf8.contains)
    }
}

extension ImageError {
    fileprivate func write(to writer: inout FrameWriter) {
        switch self {
        case .notAnImage: writer.byte(1)
        case .unsupported(let format):
            writer.byte(2)
            writer.text(format)
        case .tooManyPixels(let limit):
            writer.byte(3)
            writer.integer(limit)
        case .tooManyBytes(let limit):
            writer.byte(4)
            writer.integer(limit)
        case .broken: writer.byte(5)
        case .decoderFailed: writer.byte(7)
        case .decoderMissing: writer.byte(8)
        case .outOfSpace: writer.byte(9)
        case .inputOutput(let errno):
            writer.byte(10)
            writer.integer(Int(errno))
        case .tooCostly: writer.byte(11)
        }
    }

    fileprivate init(from reader: inout FrameReader) throws(FrameError) {
        switch try reader.byte() {
        case 1: self = .notAnImage
        case 2:
            let format = try reader.text()
            guard Self.isFormatName(format) else { throw .malformed }
            self = .unsupported(format: format)
        case 3: self = .tooManyPixels(limit: try reader.integer())
        case 4: self = .tooManyBytes(limit: try reader.integer())
        case 5: self = .broken
        case 7: self = .decoderFailed
        case 8: self = .decoderMissing
        case 9: self = .outOfSpace
        case 10: self = .inputOutput(errno: Int32(try reader.integer(in: 0...4095)))
        case 11: self = .tooCostly
        default: throw .malformed
        }
    }

    /// Returns whether a text is a few plain words, such as `QuickTime video`. The person who sent the
    /// picture reads them.
    private static func isFormatName(_ text: String) -> Bool {
        let others = " -.,0123456789".utf8
        return (1...60).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || others.contains(byte)
            }
    }
}
