/// A file's row in the statements of any feature. Nothing outside this folder names the table.
enum FileRow {
    static let table = "blobs"
    /// The table of the bytes that each account's files have together.
    static let uses = "storage_uses"
}
