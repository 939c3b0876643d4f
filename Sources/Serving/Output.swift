import Foundation

extension FileHandle {
    /// Writes a text at once; `print` keeps it back when the output isn't a terminal.
    package func tell(_ text: String) { tell(Data(text.utf8)) }

    /// Writes bytes at once. Does nothing once nobody reads any more, as with `tintype serve | head -1`: there, `write(_:)` ends
    /// the process.
    package func tell(_ bytes: Data) { try? write(contentsOf: bytes) }
}
