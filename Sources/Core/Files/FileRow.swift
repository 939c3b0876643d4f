/// A file's row in the statements of any feature. Nothing outside this folder names the table.
package enum FileRow {
    package static let table = "blobs"
    /// The table of the bytes that each account's files have together.
    package static let uses = "storage_uses"
}
