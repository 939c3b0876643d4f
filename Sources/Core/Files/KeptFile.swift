import Storage

/// A file of a picture, which lies in the blob store and which a row names.
package struct KeptFile: Sendable, Hashable {
    /// `original`, or size and format, such as `large.webp`.
    package var variant: String
    /// Where it is in the blob store.
    package var key: BlobKey
    /// Pixels.
    package var width: Int
    /// Pixels.
    package var height: Int

    /// The number of pixels.
    var pixels: Int { width * height }

    /// Creates a file from the columns `variant`, `blob_key`, `width` and `height` of a row.
    package init(from row: Row) throws {
        self.init(
            variant: try row.string("variant"), key: try row.get("blob_key"), width: try row.int("width"),
            height: try row.int("height"))
    }

    /// Creates the file that a row is to name.
    package init(_ file: StoredPicture.File) {
        self.init(variant: file.variant, key: file.blob.key, width: file.width, height: file.height)
    }

    package init(variant: String, key: BlobKey, width: Int, height: Int) {
        self.variant = variant
        self.key = key
        self.width = width
        self.height = height
    }

    /// Returns the file under another name.
    package func named(_ variant: String) -> KeptFile {
        KeptFile(variant: variant, key: key, width: width, height: height)
    }
}
