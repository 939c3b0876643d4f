import Core
import Foundation
import Imaging
import Serving

extension Entities {
    /// Returns the absolute URL of a rendition, signed for one viewer.
    package func url(_ photo: Photo.ID, _ size: Photo.Size, viewer: Reader) -> String {
        "\(publicURL)\(Photo.path(photo, size))?\(signatures.query(photo.rawValue, viewer: viewer))"
    }

    /// Writes a media attachment.
    ///
    /// - Parameter isOwner: whether to add what only the owner may know: kind, camera date and place.
    package func media(_ photo: Photo, viewer: Reader, isOwner: Bool = false, into json: inout JSONWriter) {
        json.object { mediaMembers(photo, viewer: viewer, isOwner: isOwner, into: &$0) }
    }

    /// Writes the members of a media attachment.
    package func mediaMembers(_ photo: Photo, viewer: Reader, isOwner: Bool, into json: inout JSONWriter) {
        json.member("id", photo.id)
        json.member("url", url(photo.id, .large, viewer: viewer))
        json.member("preview_url", url(photo.id, .medium, viewer: viewer))
        mediaConstants(photo, into: &json)
        guard isOwner else { return }
        json.member("kind", photo.kind.name)
        json.member("created_at", photo.id.createdAt)
        json.member("captured_at", photo.capture.date.map(Timestamp.iso8601))
        if let latitude = photo.capture.latitude, let longitude = photo.capture.longitude {
            json.object("place") { json in
                json.member("latitude", latitude)
                json.member("longitude", longitude)
            }
        } else {
            json.null("place")
        }
    }

    /// Writes a picture that waits for its one use, without any URL that shows it.
    func singleUseMedia(_ media: SingleUseMedia, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", media.id)
            json.member("type", "image")
            json.null("url")
            json.null("preview_url")
            json.null("remote_url")
            json.null("text_url")
            json.object("meta") { json in size("original", (media.width, media.height), into: &json) }
            json.member("description", media.description.isEmpty ? nil : media.description)
            json.null("blurhash")
            json.member("purpose", media.purpose)
            json.member("expires_at", media.expiresAt)
        }
    }

    /// Writes the members of a media attachment that are equal for all viewers.
    package func mediaConstants(_ photo: Photo, into json: inout JSONWriter) {
        json.member("type", "image")
        json.null("remote_url")
        json.null("preview_remote_url")
        json.null("text_url")
        json.object("meta") { json in
            size("original", photo.pixels(.large), into: &json)
            size("small", photo.pixels(.medium), into: &json)
            json.object("focus") { json in
                json.member("x", photo.focus.x)
                json.member("y", photo.focus.y)
            }
        }
        json.member("description", photo.description.isEmpty ? nil : photo.description)
        json.member("blurhash", photo.blurhash)
    }

    private func size(_ name: StaticString, _ pixels: (width: Int, height: Int), into json: inout JSONWriter)
    {
        json.object(name) { json in
            json.member("width", pixels.width)
            json.member("height", pixels.height)
            json.member("size", "\(pixels.width)x\(pixels.height)")
            json.member("aspect", Double(pixels.width) / Double(max(1, pixels.height)))
        }
    }
}
