import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The screen for photos that another app of the device shares with the installed app: a post, a snap, a message, or
/// whatever else features offer (``PhotoOffers/arrivals``).
///
/// The service worker takes the photos and keeps them on the device (`sharing/arriving.js`), so that they wait behind
/// the log-in, and nothing is uploaded before its destination is known. Only a browser without a service worker sends
/// them here.
struct ArrivalPages {
    let frame: Frame
    let photos: PhotoService
    let offers: PhotoOffers
    let blobs: any BlobStore

    /// The address of the screen, to which the device sends what is shared.
    static let path = "/share"
    /// The most files that are read from one form.
    private static let mostFiles = 20

    func add(to router: Router<AppContext>) {
        router.get("share", use: choose)
        router.post("share", use: take)
    }

    // MARK: Choosing

    private func choose(_ request: Request, _ context: AppContext) throws -> Response {
        _ = try context.viewer
        let hadNoRoom = Input.query(request).string("problem") == "room"
        return Page(
            title: "Share", styles: [.photos, .controls, .arrivals], tab: .create, bodyClass: "grouped"
        )
        .response(frame, request, context) {
            frame.bar("Share", back: ("Home", AppPaths.home))
            main(.id("content")) {
                element("share-arrival") {
                    div(.flag("data-none")) { nothing(hadNoRoom: hadNoRoom) }
                    div(.class("arrived"), .flag("data-arrived"), .hidden()) { arrived }
                }
            }
        }
    }

    private func nothing(hadNoRoom: Bool) -> Node {
        frame.empty(
            "images",
            hadNoRoom
                ? "Your browser has no room for these photos. Free up some space, or share fewer at a time."
                : "Photos that you share with Tintype from another app appear here, for up to an hour.",
            action: ("Go to your library", AppPaths.library))
    }

    @NodeBuilder private var arrived: Node {
        ul(.class("handed"), .flag("data-photos"), .label("Shared photos")) {}
        element("blockquote", .class("note"), .flag("data-text"), .hidden()) {}
        div(.flag("data-notes")) {}
        p(.class("error"), .role("alert"), .hidden()) {}
        div(.class("progress"), .flag("data-progress"), .hidden()) {
            progress(.attribute("max", "1"), .attribute("value", "0"), .label("Uploading the photos"))
            p(.class("note"), .role("status")) { "Uploading…" }
        }
        section(.attribute("aria-labelledby", "choices-title"), .flag("data-choices")) {
            h2(.class("group-title"), .id("choices-title")) { "Share as" }
            ul(.class("makings")) {
                for arrival in offers.arrivals.all.sorted(by: { $0.position < $1.position }) {
                    li { arrival.node(in: frame) }
                }
            }
        }
        button(.class("button plain"), .type("button"), .attribute("data-cancel", AppPaths.home)) { "Cancel" }
    }

    // MARK: Without a service worker

    /// Takes the photos into the library: nobody has said yet what they are for, so they are no pictures that may be
    /// seen once.
    private func take(_ request: Request, _ context: AppContext) async throws -> Response {
        guard let viewer = context.session?.account else {
            let sentence = "Log in, then share the photos again: without a log-in they couldn’t be kept."
            return .see(AppPaths.logIn, flash: .error(sentence))
        }
        let input = try await Input.read(request, context, files: .init(blobs: blobs, most: Self.mostFiles))
        guard !input.files.isEmpty else {
            return .see(Self.path, flash: .error("No photos arrived. Share pictures with Tintype."))
        }
        var taken = 0
        var refused: [String] = []
        for file in input.files {
            do {
                _ = try await photos.upload(file.blob, kind: .upload, by: viewer)
                taken += 1
            } catch let refusal as Refusal {
                refused.append("\(file.filename): \(refusal.message)")
            }
        }
        guard refused.isEmpty else {
            return .see(AppPaths.library, flash: .error(refused.joined(separator: " ")))
        }
        let sentence = taken == 1 ? "The photo is in your library." : "\(taken) photos are in your library."
        return .see(AppPaths.library, flash: .good(sentence))
    }
}

extension Page.Style {
    static let arrivals = Page.Style(name: "arrivals")
}
