import Core
import Imaging
import Storage

/// The row of a photo, for the statements of any feature, always as the table `ph`. Nothing outside this folder names
/// the table.
package enum PhotoRow {
    package static let table = "photos"

    package static let columns = """
        ph.id AS photo_id, ph.owner_id AS photo_owner_id, ph.kind AS photo_kind,
        ph.description AS photo_description, ph.width AS photo_width, ph.height AS photo_height,
        ph.blurhash AS photo_blurhash, ph.colour AS photo_colour, ph.captured_at AS photo_captured_at,
        ph.focus_x AS photo_focus_x, ph.focus_y AS photo_focus_y,
        ph.latitude AS photo_latitude, ph.longitude AS photo_longitude
        """

    package static func photo(from row: Row) throws -> Photo {
        Photo(
            id: ID(rawValue: try row.int64("photo_id")),
            owner: ID(rawValue: try row.int64("photo_owner_id")),
            kind: Photo.Kind(try row.string("photo_kind")),
            description: try row.string("photo_description"),
            width: try row.int("photo_width"),
            height: try row.int("photo_height"),
            blurhash: try row.string("photo_blurhash"),
            colour: try row.string("photo_colour"),
            focus: try focus(row.get("photo_focus_x"), row.get("photo_focus_y")),
            capture: .init(
                date: try row.optionalDate("photo_captured_at"),
                latitude: try row.get("photo_latitude"),
                longitude: try row.get("photo_longitude")))
    }

    /// Returns the focus of two columns, which hold no point outside a picture.
    static func focus(_ x: Double, _ y: Double) -> Focus { Focus(x: x, y: y) ?? .middle }
}
