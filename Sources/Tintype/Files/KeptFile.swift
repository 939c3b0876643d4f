import Storage

/// A file of a picture, which lies in the blob store and which a row names.
struct KeptFile: Sendable, Hashable {
    /// `original`, or size and format, such as `large.webp`.
    var variant: String
    /// Where it is in the blob store.
    var key: BlobKey
    /// Pixels.
    var width: Int
    /// Pixels.
    var height: Int

    /// The number of pixels.
    var pixels: Int { width * height }

    /// Creates a file from the columns `variant`, `blob_key`, `width` and `height` of a row.
    init(from row: Row) throws {
        self.init(
            variant: try row.string("variant"), key: try row.get("blob_key"), width: try row.int("width"),
            height: try row.int("height"))
    }

    /// Creates the file that a row is to name.
    init(_ file: StoredPicture.File) {
        self.init(variant: file.variant, key: file.blob.key, width: file.width, height: file.height)
    }

    init(variant: String, key: BlobKey, width: Int, height: Int) {
        self.variant = variant
        self.key = key
        self.width = width
        self.height = height
    }

    /// Returns the file under another name.
    func named(_ variant: String) -> KeptFile {
        KeptFile(variant: variant, key: key, width: width, height: height)
    }
}
