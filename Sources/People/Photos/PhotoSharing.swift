import Core
import HTML

/// The picture that leaves Tintype when somebody shares or downloads a photo of their library.
package struct SharedPicture: Sendable {
    /// The path of the picture that other apps get.
    package var path: String
    /// The text that other apps get with the picture, such as the credit that a licence requires; empty for none.
    package var words = ""
    /// The path of the file to download; nil for the picture itself.
    var file: String?
    /// A note about the file, to be read before it is shared; empty for none.
    var fileNote = ""

    package init(path: String, words: String = "", file: String? = nil, fileNote: String = "") {
        self.path = path
        self.words = words
        self.file = file
        self.fileNote = fileNote
    }

    /// Returns the picture of a photo: other apps get its large rendition, which has no metadata, and the owner
    /// downloads their own file. A picture that the server has made has no metadata, so it is shared in full size.
    ///
    /// - Parameter isMade: whether the server has made it (``PhotoKind/isMade``).
    static func whole(_ photo: Photo, isMade: Bool) -> SharedPicture {
        let original = "/api/v1/photos/\(photo.id)/original"
        guard !isMade else { return SharedPicture(path: original) }
        let hasPlace = photo.capture.latitude != nil
        return SharedPicture(
            path: Photo.path(photo.id, .large), file: original,
            fileNote: hasPlace
                ? "The original, which names the place where it was taken" : "The original, in full size")
    }
}

/// The menu that shares a photo of the library: in Tintype, with another app, or as a file. Every photo has this menu.
struct PhotoSharing {
    let frame: Frame
    let offers: PhotoOffers

    private static let sheetID = "share-photo"

    /// The button that opens the sheet of the photo in the viewer.
    var button: Node {
        HTML.button(
            .class("symbol"), .type("button"), .attribute("popovertarget", Self.sheetID), .label("Share")
        ) { frame.icon("upload") }
    }

    /// Returns the sheet with the menu.
    func sheet(_ photo: Photo, as picture: SharedPicture) -> Node {
        div(
            .class("sheet photo-sharing"), .id(Self.sheetID), .flag("popover"), .role("dialog"),
            .attribute("aria-labelledby", "\(Self.sheetID)-title")
        ) {
            h2(.id("\(Self.sheetID)-title")) { "Share" }
            menu(photo, as: picture)
            HTML.button(
                .class("button plain"), .type("button"), .attribute("popovertarget", Self.sheetID),
                .attribute("popovertargetaction", "hide")
            ) { "Done" }
        }
    }

    /// Returns the lines of the menu. The line for other apps appears where the browser can share pictures.
    func menu(_ photo: Photo, as picture: SharedPicture) -> Node {
        .list([
            ul(.class("group")) {
                for way in offers.ways(of: photo.id) {
                    li {
                        a(.class("choice"), .href(way.path)) {
                            frame.icon(way.icon)
                            span { way.name }
                            frame.icon("chevron-right", class: "icon chevron")
                        }
                    }
                }
            },
            element(
                "share-button", .class("group"), .attribute("data-photo", photo.id.description),
                .attribute("data-picture", picture.path),
                .attribute("data-text", picture.words.isEmpty ? nil : picture.words)
            ) {
                HTML.button(.class("choice"), .type("button"), .flag("data-share"), .hidden()) {
                    frame.icon("upload")
                    span { "Share with another app" }
                }
                a(
                    .class("choice"), .href(picture.file ?? picture.path), .flag("data-download"),
                    .attribute("download", "tintype-\(photo.id)")
                ) {
                    frame.icon("download")
                    span {
                        "Download"
                        if !picture.fileNote.isEmpty { element("small") { picture.fileNote } }
                    }
                }
            },
            offers.groups(of: photo.id, in: frame),
        ])
    }
}
