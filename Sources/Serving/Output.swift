import Foundation

extension FileHandle {
    /// Writes a text at once; `print` keeps it back when the output isn't a terminal.
    package func tell(_ text: String) { tell(Data(text.utf8)) }

    /// Writes bytes at once. Does nothing if whoever reads them is gone, as with `tintype serve | head -1`: then there is nobody
    /// to tell. `write(_:)` ends the process there.
    package func tell(_ bytes: Data) { try? write(contentsOf: bytes) }
}
