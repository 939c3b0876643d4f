import Foundation

/// Reads some bytes with every reader of headers, as libFuzzer calls it (https://llvm.org/docs/LibFuzzer.html).
///
/// The readers are compiled into one module with this file. Whatever the bytes are, a reader says what it found or
/// throws ``ImageError``; a trap, a read outside of memory or a long time is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func readHeaders(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let file = Data(UnsafeBufferPointer(start: bytes, count: count))
    // A slice that doesn't begin at 0, as many readers get one.
    let slice = (Data([0]) + file).dropFirst()
    do {
        switch try ImageFormat(head: [UInt8](file.prefix(512))) {
        case .heic, .avif: checkHEIF(file)
        case .tiff: checkTIFF(file)
        case .webp: _ = try WebPContainer.withoutMetadata([UInt8](file))
        case .jpeg: _ = JPEGScans.count(in: file, upTo: 101)
        case .png, .gif: break
        }
    } catch {
        precondition(!error.sentence.isEmpty)
        checkHEIF(slice)
        checkTIFF(slice)
    }
    check(Capture(exif: file))
    return 0
}

private func checkHEIF(_ file: Data) {
    for size in (try? HEIFHeader(file).sizes) ?? [] { precondition(size.pixels >= 0) }
}

private func checkTIFF(_ file: Data) {
    guard let directory = TIFFDirectory(file) else { return }
    precondition(TIFFTag.unreadKind(of: directory) != "")
    let size = CodedSize(width: ImageLimits.longestSide, height: 1500)
    if let bytes = try? TIFFTag.chunkBytes(in: directory, of: size, pixelSize: 80) {
        precondition(bytes >= 0)
    }
    check(Capture(directory: directory))
}

private func check(_ capture: Capture) {
    if let place = capture.location {
        precondition(abs(place.latitude) <= 90 && abs(place.longitude) <= 180)
    }
    for text in [capture.cameraMake, capture.cameraModel] { precondition((text?.utf8.count ?? 0) <= 600) }
}
