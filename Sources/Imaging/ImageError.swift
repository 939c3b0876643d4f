/// The reason why a picture was refused. Each case has a sentence for the person who sent the picture.
public enum ImageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is empty or of an unknown kind.
    case notAnImage
    /// The file is of a known kind that can't be read here. `format` is the kind's name for people, such as
    /// `PDF` or `TIFF with 12 bits a sample`.
    case unsupported(format: String)
    /// The picture has more pixels than allowed. `limit` is in pixels.
    case tooManyPixels(limit: Int)
    /// The file has more bytes than allowed. `limit` is in bytes.
    case tooManyBytes(limit: Int)
    /// The picture is longer on one side than ``ImageLimits/longestSide``, or decoding needs more memory than
    /// allowed.
    case tooCostly
    /// The file ends too early, contradicts itself, or can't be decoded.
    case broken
    /// The process that decoded the picture ended, took too long, or answered with invalid data.
    case decoderFailed
    /// The program that decodes pictures isn't installed or can't be started. The log says why.
    case decoderMissing
    /// The disk has no room for the renditions.
    case outOfSpace
    /// Reading the file or writing a rendition failed with this `errno`.
    case inputOutput(errno: Int32)

    /// One or two plain sentences for the person who sent the picture.
    public var sentence: String {
        switch self {
        case .notAnImage:
            "This file isn’t a picture. Choose a photo, such as a JPEG, PNG or HEIC file."
        case .unsupported(let format):
            "Files of this kind can’t be read: \(format). Send a JPEG, PNG, WebP, GIF, HEIC or AVIF picture."
        case .tooManyPixels(let limit):
            "This picture has too many pixels. At most \(limit / 1_000_000) megapixels are taken: send a smaller version of it."
        case .tooManyBytes(let limit):
            "This file is too large. At most \(limit / 1_000_000) MB are taken: send a smaller version of it."
        case .tooCostly:
            "This picture is too wide or too tall, or needs too much memory. Send a smaller version of it."
        case .broken:
            "This picture is damaged or incomplete. Choose another one, or save it again and send that."
        case .decoderFailed:
            "This picture couldn’t be read: it is damaged, or takes too long. Save it as JPEG and send the JPEG."
        case .decoderMissing:
            "This server can’t prepare pictures right now. Tell the person who runs it, and try again later."
        case .outOfSpace:
            "The server has no room for this picture."
        case .inputOutput:
            "The server couldn’t store this picture. Try again in a moment."
        }
    }

    /// The sentence for people.
    public var description: String { sentence }
}
