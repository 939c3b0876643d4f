import Alignment

extension PairFrame {
    func write(to writer: inout FrameWriter) {
        writer.real(aspect)
        then.write(to: &writer)
        now.write(to: &writer)
    }

    /// Reads a frame, whose values are checked as those of any other.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        guard
            let frame = PairFrame(
                aspect: try reader.real(), then: try PictureView(from: &reader),
                now: try PictureView(from: &reader))
        else { throw .malformed }
        self = frame
    }
}

extension PairSpec {
    func write(to writer: inout FrameWriter) {
        frame.write(to: &writer)
        writer.optional(transform) { writer, transform in transform.write(to: &writer) }
        for number in [crop.x, crop.y, crop.width, crop.height] { writer.real(number) }
        writer.byte(UInt8(Layout.allCases.firstIndex(of: layout) ?? 0))
        writer.byte(UInt8(caption.count))
        for line in caption { writer.text(line) }
        background.write(to: &writer)
    }

    /// Reads a pair, whose values are checked as those of any other pair.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        let frame = try PairFrame(from: &reader)
        let transform = try reader.optional { reader throws(FrameError) in try Homography(from: &reader) }
        let crop = Crop(
            x: try reader.real(), y: try reader.real(), width: try reader.real(), height: try reader.real())
        let layout = Int(try reader.byte())
        guard layout < Layout.allCases.count else { throw .malformed }
        var caption: [String] = []
        for _ in 0..<min(try reader.byte(), UInt8(Self.mostLines + 1)) { caption.append(try reader.text()) }
        guard
            let spec = PairSpec(
                frame: frame, transform: transform, crop: crop, layout: Layout.allCases[layout],
                caption: caption, background: try CollageSpec.Colour(from: &reader))
        else { throw .malformed }
        self = spec
    }
}

extension PairAlignment {
    func write(to writer: inout FrameWriter) {
        switch self {
        case .aligned(let transform):
            writer.byte(0)
            transform.write(to: &writer)
        case .unsure(let reason):
            writer.byte(1)
            writer.byte(UInt8(Aligner.Reason.allCases.firstIndex(of: reason) ?? 0))
        }
    }

    /// Reads an alignment with which a pair can be rendered, or a reason.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        switch try reader.byte() {
        case 0: self = .aligned(try Homography(from: &reader))
        case 1:
            let reason = Int(try reader.byte())
            guard reason < Aligner.Reason.allCases.count else { throw .malformed }
            self = .unsure(Aligner.Reason.allCases[reason])
        default: throw .malformed
        }
        guard isRenderable else { throw .malformed }
    }
}

extension Homography {
    /// Writes all elements but the last, which is 1.
    fileprivate func write(to writer: inout FrameWriter) {
        for element in elements.dropLast() { writer.real(element) }
    }

    fileprivate init(from reader: inout FrameReader) throws(FrameError) {
        var elements: [Double] = []
        for _ in 0..<8 { elements.append(try reader.real()) }
        guard let map = Homography(elements + [1]) else { throw .malformed }
        self = map
    }
}
