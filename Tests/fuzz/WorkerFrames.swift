import Foundation

/// Reads some bytes as what a worker in the cage may send, as libFuzzer calls it
/// (https://llvm.org/docs/LibFuzzer.html).
///
/// Bytes that are no frame are refused. A frame that is read has to be the same when it is written and read again, so
/// that the server and a worker never take the same bytes for different things.
@_cdecl("LLVMFuzzerTestOneInput")
public func readFrame(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: bytes, count: count))
    guard let frame = try? WorkerFrame(input) else { return 0 }
    let written = frame.bytes
    guard let again = try? WorkerFrame(written) else { preconditionFailure("a written frame can't be read") }
    precondition(again.bytes == written)
    return 0
}
