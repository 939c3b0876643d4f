/// The row of a file, for the statements of any feature. Nothing outside this folder names its table.
package enum FileRow {
    package static let table = "blobs"
    /// The table with the total bytes of each account's files.
    package static let uses = "storage_uses"
}
