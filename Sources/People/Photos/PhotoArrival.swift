import Core
import HTML

/// A destination for photos that another app of the device hands over, such as a new post (``PhotoOffers/arrivals``).
///
/// The destination is chosen before anything is uploaded: a picture that may be seen once never becomes a photo of the
/// library.
package struct PhotoArrival: Sendable {
    /// The way in which a destination gets the photos.
    package enum Way: Sendable {
        /// The photos stay on the device. The screen at the path is opened with the parameter `shared`, and its scripts
        /// take them (`photos/arrivals.js`).
        case carried(path: String)
        /// The photos are uploaded to the library, and the screen at the path is opened with their ids in a parameter.
        case uploaded(path: String, field: String?)
        /// The photos are uploaded to the library, and a form with their ids in a field is sent to the path.
        case sent(path: String, field: String)

        /// The name of the way for the scripts.
        fileprivate var name: String {
            switch self {
            case .carried: "carried"
            case .uploaded, .sent: "uploaded"
            }
        }

        fileprivate var action: String {
            switch self {
            case .carried(let path): "\(path)?shared"
            case .uploaded(let path, _), .sent(let path, _): path
            }
        }

        fileprivate var method: StaticString {
            switch self {
            case .carried, .uploaded: "get"
            case .sent: "post"
            }
        }

        fileprivate var field: String? {
            switch self {
            case .carried: nil
            case .uploaded(_, let field): field
            case .sent(_, let field): field
            }
        }
    }

    /// What a destination does with text that came with the photos, or alone.
    package enum Text: String, Sendable {
        /// It takes text only along with photos.
        case along
        /// It also takes text without a photo.
        case alone
    }

    /// The number of the sign's colour, as in ``Page/Making``.
    package let tone: Int
    package let icon: StaticString
    package let title: String
    package let text: String
    /// The position among the destinations.
    package let position: Int
    /// How many photos the destination takes.
    package let photos: ClosedRange<Int>
    /// Whether the destination takes text; nil for one that doesn't. An uploading screen finds it where the photos were
    /// (`photos/arrivals.js`), and is opened with the parameter `shared` then.
    package let texts: Text?
    package let way: Way

    package init(
        tone: Int, icon: StaticString, title: String, text: String, position: Int, photos: ClosedRange<Int>,
        texts: Text? = nil, way: Way
    ) {
        (self.tone, self.icon, self.title, self.text) = (tone, icon, title, text)
        (self.position, self.photos, self.texts, self.way) = (position, photos, texts, way)
    }

    /// Draws the destination as a form with one button, which a script sends.
    package func node(in frame: Frame) -> Node {
        form(
            .method(way.method), .action(way.action), .attribute("data-way", way.name),
            .attribute("data-field", way.field), .attribute("data-least", String(photos.lowerBound)),
            .attribute("data-most", String(photos.upperBound)), .attribute("data-texts", texts?.rawValue)
        ) {
            button(.class("making")) {
                span(.class("sign"), .attribute("data-tone", String(tone))) { frame.icon(icon) }
                span(.class("text")) {
                    b { title }
                    span(.flag("data-about")) { text }
                }
                frame.icon("chevron-right", class: "icon chevron")
            }
        }
    }
}
