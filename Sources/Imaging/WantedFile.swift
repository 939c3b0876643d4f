/// A file that a worker is asked to write, and what the server knows about it in advance.
enum WantedFile {
    /// A composition in full size.
    case composition(Composition)
    /// A rendition in one of its formats.
    case rendition(RenditionSpec, RenditionFormat)

    /// The file's name with its extension.
    var name: String {
        switch self {
        case .composition(let composition): "\(composition.name).\(composition.format.fileExtension)"
        case .rendition(let spec, let format): "\(spec.name).\(format.fileExtension)"
        }
    }

    /// Returns whether the file may have this size.
    ///
    /// - Parameter picture: the picture that is shown.
    func allows(_ size: PictureResult.Size, of picture: PictureHeader) -> Bool {
        switch self {
        case .composition: return size == PictureResult.Size(width: picture.width, height: picture.height)
        case .rendition(let spec, _):
            switch spec.shape {
            case .fit(let longestSide):
                return max(size.width, size.height) <= min(longestSide, max(picture.width, picture.height))
            case .part(let width, let height, _):
                return size.width <= min(width, picture.width) && size.height <= min(height, picture.height)
                    // As exact as whole pixels are.
                    && abs(size.width * height - size.height * width) < max(width, height)
            }
        }
    }

    /// Returns more bytes than PNG, WebP and JPEG take at the qualities used here, even for noise.
    func mostBytes(_ size: PictureResult.Size) -> Int {
        let pixels = size.width * size.height
        guard case .composition(let composition) = self, composition.frameCount > 1 else {
            return pixels * 4 + 65_536
        }
        return composition.frameCount * pixels * 2 + 65_536
    }

    /// Returns the most bytes of the file, whichever size it has.
    ///
    /// - Parameter picture: the picture that is shown.
    func mostBytes(of picture: PictureHeader) -> Int {
        switch self {
        case .composition: return mostBytes(.init(width: picture.width, height: picture.height))
        case .rendition(let spec, _):
            let (long, short) = (
                max(picture.width, picture.height), min(picture.width, picture.height)
            )
            switch spec.shape {
            case .fit(let longestSide):
                let side = min(longestSide, long)
                return mostBytes(.init(width: side, height: min(side, short)))
            case .part(let width, let height, _):
                return mostBytes(.init(width: min(width, picture.width), height: min(height, picture.height)))
            }
        }
    }

    /// Returns whether bytes begin as files of the format do.
    ///
    /// - Parameter head: the first 32 bytes.
    func matches(_ head: [UInt8]) -> Bool {
        (try? ImageFormat(head: head)) == format
    }

    private var format: ImageFormat {
        switch self {
        case .composition(let composition): composition.format
        case .rendition(_, .jpeg): .jpeg
        case .rendition(_, .webp): .webp
        }
    }
}

extension PictureRequest {
    /// The files to write, in the order of their descriptors: a composition in full size, then the renditions in the
    /// order of the specs and of each spec's formats.
    var files: [WantedFile] {
        let renditions = renditions.flatMap { spec in
            spec.formats.map { WantedFile.rendition(spec, $0) }
        }
        guard case .composition(let composition) = source else { return renditions }
        return [.composition(composition)] + renditions
    }

    /// The number of files to write.
    package var fileCount: Int { files.count }

    /// Returns whether a worker may say that this is what the renditions will show.
    func allows(_ header: PictureHeader) -> Bool {
        guard case .composition(let composition) = source else { return true }
        return composition.allows(width: header.width, height: header.height)
            && header
                == PictureHeader(
                    format: composition.format, width: header.width, height: header.height,
                    memory: header.memory, capture: Capture())
    }
}

/// A file as a worker has written it, after the server has checked it.
struct CheckedFile {
    let wanted: WantedFile
    let path: String
    let size: PictureResult.Size
    let byteCount: Int
    /// What the worker has written, which can't change any more.
    let content: Descriptor

    /// The file as a rendition; nil for a composition in full size.
    var rendition: Rendition? {
        guard case .rendition(let spec, let format) = wanted else { return nil }
        return Rendition(
            spec: spec, format: format, path: path, width: size.width, height: size.height,
            byteCount: byteCount)
    }
}
