import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The pages on which the past photo is chosen, from the device or from the library.
struct PastChoicePages {
    let frame: Frame
    let photos: PhotoService
    let kinds: Registry<PhotoKind>
    let blobs: any BlobStore

    private static let libraryPage = 60

    func add(to router: Router<AppContext>) {
        router.get("then-and-now/choose", use: choose)
        router.post("then-and-now/choose", use: bring)
    }

    private func choose(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = PageRequest(
            limit: Self.libraryPage, olderThan: try PageRequest(Input.query(request)).olderThan)
        let kinds = kinds.all.map(\.kind).filter { $0 != .pair }
        let found = try await photos.library(of: context.viewer, kinds: kinds, page: page)
        let next =
            found.count == page.limit
            ? found.last.map { "\(ThenAndNowPaths.choose)?max_id=\($0.id)" } : nil
        if request.wantsFragment {
            return .html(.list(found.map(choice) + [frame.more(next)]), for: request)
        }
        return Page(
            title: "Choose a past photo", styles: [.photos, .thenAndNow], tab: .create, bodyClass: "roomy"
        )
        .response(frame, request, context) {
            frame.bar("Past Photo", back: ("Then & Now", ThenAndNowPaths.camera))
            main(.id("content"), .class("past-choice")) {
                deviceForm
                if found.isEmpty {
                    frame.empty(
                        "images",
                        "Your library has no photos yet. Choose one from this device, or find one nearby.",
                        action: ("Find Nearby", PastPhotoPaths.search))
                } else {
                    h2(.class("section-title")) { "Your library" }
                    frame.endlessList("grid", next: next) { for photo in found { choice(photo) } }
                }
            }
        }
    }

    /// The form that uploads a photo from the device. The photo is added to the library.
    private var deviceForm: Node {
        element("past-choice") {
            element("photo-upload", .class("block"), .attribute("data-purpose", "post")) {
                form(.class("form"), .method("post"), .action(ThenAndNowPaths.choose), .multipart) {
                    label(.class("drop")) {
                        frame.icon("image")
                        "Choose from this device"
                        element("small") { "It is added to your library. Up to 50 MB" }
                        input(.class("cover"), .type("file"), .name("file"), .accept("image/*"), .required)
                    }
                    ul(.class("tray"), .flag("data-tray")) {}
                    button(.class("button primary"), .flag("data-plain")) { "Use this photo" }
                }
            }
        }
    }

    /// Draws a photo that can be chosen, with its year if the camera recorded one.
    private func choice(_ photo: Photo) -> Node {
        let year = photo.capture.date.map { String(Timestamp.year(of: $0)) }
        return li(.attribute("data-id", photo.id.description)) {
            a(.href(ThenAndNowPaths.retake(photo.id))) {
                PhotoComponents.choice(photo)
                if let year { span(.class("year")) { year } }
            }
        }
    }

    /// Adds a photo from the device to the library and goes on with it, for browsers without scripts.
    private func bring(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context, files: .init(blobs: blobs, most: 1))
        guard let file = input.files.first else {
            return .see(ThenAndNowPaths.choose, flash: .error("Choose a picture."))
        }
        do {
            let photo = try await photos.upload(file.blob, kind: file.kind, by: viewer)
            return .see(ThenAndNowPaths.retake(photo.id))
        } catch let refusal as Refusal {
            return .see(ThenAndNowPaths.choose, flash: .error(refusal.message))
        }
    }
}
