extension PictureRequest.Source {
    func write(to writer: inout FrameWriter) {
        switch self {
        case .picture(nil):
            writer.byte(0)
        case .picture(let crop?):
            writer.byte(1)
            writer.real(crop.x)
            writer.real(crop.y)
            writer.real(crop.size)
        case .composition(.collage(let spec)):
            writer.byte(2)
            spec.write(to: &writer)
        case .composition(.pair(let spec)):
            writer.byte(3)
            spec.write(to: &writer)
        case .composition(.fade(let spec)):
            writer.byte(4)
            spec.write(to: &writer)
        case .alignment(let frame):
            writer.byte(5)
            frame.write(to: &writer)
        }
    }

    /// Reads what is asked for.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        switch try reader.byte() {
        case 0: self = .picture(crop: nil)
        case 1:
            self = .picture(
                crop: CropSquare(x: try reader.real(), y: try reader.real(), size: try reader.real()))
        case 2: self = .composition(.collage(try CollageSpec(from: &reader)))
        case 3: self = .composition(.pair(try PairSpec(from: &reader)))
        case 4: self = .composition(.fade(try PairSpec(from: &reader)))
        case 5: self = .alignment(try PairFrame(from: &reader))
        default: throw .malformed
        }
    }
}

extension PictureView {
    func write(to writer: inout FrameWriter) {
        for number in [zoom, x, y] { writer.real(number) }
    }

    /// Reads a view, whose values are checked where it is used.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        self.init(zoom: try reader.real(), x: try reader.real(), y: try reader.real())
    }
}

extension CollageSpec.Colour {
    func write(to writer: inout FrameWriter) {
        for part in [red, green, blue] { writer.byte(part) }
    }

    /// Reads a colour.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        self.init(red: try reader.byte(), green: try reader.byte(), blue: try reader.byte())
    }
}

extension Focus {
    /// Reads a point of a picture.
    ///
    /// - Throws: ``FrameError/malformed``.
    init(from reader: inout FrameReader) throws(FrameError) {
        guard let focus = Focus(x: try reader.real(), y: try reader.real()) else { throw .malformed }
        self = focus
    }
}
