import Storage

/// A file of a picture in the blob store, which a row names.
package struct KeptFile: Sendable, Hashable {
    /// The variant: `original`, or size and format, such as `large.webp`.
    package var variant: String
    /// The file's key in the blob store.
    package var key: BlobKey
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int

    /// The number of pixels.
    var pixels: Int {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        return overflow ? .max : pixels
    }

    /// Creates a file from the columns `variant`, `blob_key`, `width` and `height` of a row.
    package init(from row: Row) throws {
        self.init(
            variant: try row.string("variant"), key: try row.get("blob_key"), width: try row.int("width"),
            height: try row.int("height"))
    }

    /// Creates the file of a row that is about to be inserted.
    package init(_ file: StoredPicture.File) {
        self.init(variant: file.variant, key: file.blob.key, width: file.width, height: file.height)
    }

    package init(variant: String, key: BlobKey, width: Int, height: Int) {
        self.variant = variant
        self.key = key
        self.width = width
        self.height = height
    }

    /// Returns the file with another variant's name.
    package func named(_ variant: String) -> KeptFile {
        KeptFile(variant: variant, key: key, width: width, height: height)
    }
}
