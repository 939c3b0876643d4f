import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The start page of Then & Now: the past photo above, the camera below.
struct ThenAndNowPages {
    let frame: Frame
    let pairs: PairService
    let singleUse: SingleUseMediaService
    let blobs: any BlobStore

    private static let library = PhotoPaths.library(show: "pairs")

    /// The ways in which the past photo lies over the camera, and over the picture just taken.
    private static let modes = [
        ("none", "None"), ("overlay", "Overlay"), ("edges", "Edges"), ("split", "Split"),
    ]

    func add(to router: Router<AppContext>) {
        router.get("then-and-now", use: start)
        router.post("then-and-now", use: save)
    }

    // MARK: The start page

    private func start(_ request: Request, _ context: AppContext) async throws -> Response {
        let source = try await pairs.source(Input.query(request), for: context.viewer)
        return page(source, request, context)
    }

    private func page(
        _ source: ThenSource?, _ request: Request, _ context: AppContext, problem: Refusal? = nil,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        Page(
            title: "Then & Now", styles: [.camera, .photos, .controls, .thenAndNow], tab: .create,
            themeColour: "#000000", bodyClass: "bare then-and-now"
        ).response(frame, request, context, status: status) {
            element(
                "then-and-now", .attribute("data-member", source?.reference.member),
                .attribute("data-id", source?.reference.id), .attribute("data-state", "starting")
            ) {
                main(.id("content")) {
                    h1(.class("unseen")) { "Then & Now" }
                    section(.class("half past"), .label("Then")) { past(source) }
                    section(.class("half now"), .label("Now")) {
                        div(.class("pane"), .flag("data-now-pane"), .describedBy("framing-keys")) {
                            view(of: source)
                        }
                        noCamera(source)
                        div(.class("tools")) { tools(of: source) }
                        plainForm(source, problem)
                    }
                }
            }
        }
    }

    // MARK: The past photo

    @NodeBuilder private func past(_ source: ThenSource?) -> Node {
        if let source {
            div(.class("pane"), .flag("data-past-pane"), .describedBy("framing-keys")) {
                span(.class("spinner"), .decorative) {}
                img(
                    .src(source.picture), .width(source.width), .height(source.height),
                    .alt(source.description.isEmpty ? "The past photo" : source.description),
                    .flag("data-picture"))
                thirds
            }
            p(.class("lost"), .flag("data-lost"), .role("alert"), .hidden()) {
                "The past photo can’t be loaded. Check the network and reload this page, or choose another photo."
            }
            p(.class("unseen"), .id("framing-keys")) {
                "Arrow keys move the photo, plus and minus zoom, 0 resets it."
            }
            div(.class("corner end foot")) {
                a(
                    .class("worded"), .href(ThenAndNowPaths.camera), .label("Choose another past photo"),
                    .attribute("data-in", "starting live none")
                ) { symbol("images", "Another") }
            }
            credit(source)
        } else {
            div(.class("beginnings")) {
                p { "Choose a past photo. Then find where it was taken and shoot it again." }
                a(.class("beginning"), .href(ThenAndNowPaths.choose)) {
                    frame.icon("images")
                    "From Library"
                }
                a(.class("beginning"), .href(PastPhotoPaths.search)) {
                    frame.icon("geo-alt")
                    "Find Nearby"
                }
            }
        }
        div(.class("corner start")) {
            a(.class("round"), .href(PhotoPaths.create), .attribute("data-do", "close"), .label("Close")) {
                frame.icon("x-lg")
            }
        }
        if source != nil {
            div(.class("corner end needs-past"), .attribute("data-in", "starting live none")) {
                toggle("data-whole", "Show the whole past photo") {
                    frame.icon("arrows-fullscreen")
                    frame.icon("fullscreen-exit")
                }
            }
        }
    }

    /// Draws date, author and licence, as links to the source of the past photo.
    @NodeBuilder private func credit(_ source: ThenSource) -> Node {
        if let address = source.sourceURL {
            a(
                .class("credit"), .href(address), .attribute("target", "_blank"), .rel("noopener noreferrer")
            ) { span { source.label } }
        } else if !source.label.isEmpty {
            p(.class("credit")) { span { source.label } }
        }
    }

    /// The lines at the thirds of a frame.
    private var thirds: Node { span(.class("thirds"), .decorative) {} }

    // MARK: The camera

    /// Draws the lower frame: the camera, the picture just taken, and the past photo over it.
    @NodeBuilder private func view(of source: ThenSource?) -> Node {
        video(
            .flag("data-video"), .flag("muted"), .flag("playsinline"), .label("What the camera sees"),
            .attribute("data-in", "starting live")
        ) {}
        if source != nil {
            img(
                .flag("data-still"), .alt("The picture just taken"),
                .attribute("data-in", "verdict saving saved"), .hidden())
            div(
                .class("overlay"), .flag("data-overlay"), .decorative,
                .attribute("data-in", "live verdict saving"), .hidden()
            ) {
                div {
                    img(.flag("data-image"), .alt(""))
                    canvas(.flag("data-edges")) {}
                }
                span(.class("divider"), .flag("data-divider"), .hidden()) {}
            }
            thirds
        }
    }

    /// Draws the note in place of the camera while there is none.
    @NodeBuilder private func noCamera(_ source: ThenSource?) -> Node {
        p(.class("waiting"), .attribute("data-in", "starting")) { "Allow the camera when the browser asks." }
        div(.class("empty"), .attribute("data-in", "none"), .hidden()) {
            frame.icon("camera")
            h2 { "No camera here" }
            p(.flag("data-reason"), .role("status")) {}
            if source == nil {
                p { "Choose the past photo first." }
            } else {
                label(.class("button primary needs-past")) {
                    "Choose a picture"
                    file("Choose a picture")
                }
            }
            button(.class("button plain"), .type("button"), .attribute("data-do", "again")) { "Try again" }
        }
        div(.class("empty"), .attribute("data-in", "kept"), .hidden()) {
            frame.icon("check-circle-fill")
            p(.role("status"), .flag("data-kept-words")) {
                "Saved on this phone. It is sent when you are online."
            }
            a(.class("button primary"), .href(Self.library), .flag("data-onward")) { "Go to your library" }
            button(.class("button plain"), .type("button"), .attribute("data-do", "again")) {
                "Shoot another"
            }
        }
    }

    @NodeBuilder private func tools(of source: ThenSource?) -> Node {
        p(.class("problem"), .flag("data-problem"), .role("alert")) {}
        if source != nil {
            div(.class("needs-past"), .attribute("data-in", "live verdict"), .hidden()) {
                input(
                    .type("range"), .attribute("min", "0"), .attribute("max", "100"), .flag("data-amount"),
                    .label("Opacity of the past photo"))
                div(.class("laying")) {
                    label(.class("worded"), .attribute("data-in", "live"), .hidden()) {
                        symbol("image", "File")
                        file("Choose a file instead")
                    }
                    modes
                    toggle("data-lines", "Grid lines") { frame.icon("grid-3x3") }
                }
            }
        }
        div(.class("shooting"), .attribute("data-in", "starting live none")) {
            a(.class("worded pairs"), .href(Self.library), .label("Your pairs")) {
                span(.class("round")) {
                    frame.icon("square")
                    frame.icon("heart-fill", class: "icon heart")
                }
                span { "Pairs" }
            }
            if source != nil {
                button(
                    .class("shutter needs-past"), .type("button"), .attribute("data-do", "shoot"),
                    .flag("data-shutter"), .attribute("data-in", "live"), .label("Take the picture"),
                    .hidden()
                ) {}
            }
            button(
                .class("round"), .type("button"), .attribute("data-do", "turn"),
                .attribute("data-in", "live"), .label("Switch camera"), .hidden()
            ) { frame.icon("arrow-repeat") }
        }
        if source != nil { verdict }
    }

    /// The buttons that choose how the past photo lies over the camera.
    private var modes: Node {
        fieldset(.class("modes"), .flag("data-modes")) {
            legend(.class("unseen")) { "Past photo over the picture" }
            for (value, title) in Self.modes {
                label {
                    input(
                        .class("cover"), .type("radio"), .name("mode"), .value(value),
                        .checked(value == "overlay"))
                    span { title }
                }
            }
        }
    }

    @NodeBuilder private var verdict: Node {
        div(.class("verdict"), .attribute("data-in", "verdict"), .hidden()) {
            button(
                .class("round reject"), .type("button"), .attribute("data-do", "again"),
                .label("Reject and shoot again")
            ) { frame.icon("x-lg") }
            button(
                .class("round accept"), .type("button"), .attribute("data-do", "accept"),
                .flag("data-accept"), .label("Accept and save")
            ) { frame.icon("check-lg") }
        }
        div(.class("saving"), .attribute("data-in", "saving saved"), .hidden()) {
            progress(
                .attribute("max", "1"), .value("0"), .flag("data-progress"), .label("Saving the pair")
            ) {}
            p(.role("status")) { "Saving…" }
            button(
                .class("button"), .type("button"), .attribute("data-do", "cancel"),
                .attribute("data-in", "saving"), .hidden()
            ) { "Cancel" }
        }
    }

    private func file(_ name: String) -> Node {
        input(.class("unseen"), .type("file"), .accept("image/*"), .label(name))
    }

    /// Draws a round symbol with a word under it, since several symbols here are pictures in a frame.
    @NodeBuilder private func symbol(_ icon: StaticString, _ word: String) -> Node {
        span(.class("round")) { frame.icon(icon) }
        span { word }
    }

    /// Draws a round button that is on or off.
    private func toggle(_ flag: StaticString, _ name: String, @NodeBuilder icons: () -> Node) -> Node {
        button(.class("round toggle"), .type("button"), .flag(flag), .label(name), .pressed(false)) {
            icons()
        }
    }

    // MARK: Without scripts

    /// Draws the form with a file input, which opens the camera on a phone, for browsers without scripts.
    @NodeBuilder private func plainForm(_ source: ThenSource?, _ problem: Refusal?) -> Node {
        if let source {
            form(.class("form plain-only"), .method("post"), .action(ThenAndNowPaths.camera), .multipart) {
                frame.alert(problem?.message)
                input(.type("hidden"), .name(source.reference.parameter), .value(source.reference.id))
                input(.type("hidden"), .name("key"), .value(UUID().uuidString))
                div(.class("field")) {
                    label(.for("now")) { "Your photo of the same place" }
                    input(
                        .class("input"), .id("now"), .type("file"), .name("file"), .accept("image/*"),
                        .attribute("capture", "environment"), .required)
                }
                button(.class("button primary")) { "Save pair" }
            }
        } else {
            p(.class("plain-only")) { "Your photo of the same place goes here." }
        }
    }

    private func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = await Input.readForm(request, context, files: .init(blobs: blobs, most: 1))
        do {
            try input.checkWhole()
            guard let source = try await pairs.source(input, for: viewer) else {
                await input.discardFiles(in: blobs)
                return .see(ThenAndNowPaths.camera, flash: .error("Choose a past photo first."))
            }
            guard let file = input.files.first else {
                throw Refusal.invalid("file", "ERR_BLANK", "Choose your photo of the same place.")
            }
            let pair = try await pair(of: source, and: file, input, by: viewer, context)
            return .see(PhotoPaths.page(pair.photo.id), flash: .good("Saved to your library."))
        } catch let refusal as Refusal where refusal.kind == .gone {
            // The form was sent twice, and its photo is already in the pair.
            return .see(Self.library, flash: .good("Saved to your library."))
        } catch {
            await input.discardFiles(in: blobs)
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                let source = try await pairs.source(input, for: viewer)
                return page(source, request, context, problem: refusal, status: status)
            }
        }
    }

    private func pair(
        of source: ThenSource, and file: Input.File, _ input: Input, by viewer: Account,
        _ context: AppContext
    ) async throws -> Pair {
        let uploadKey = IdempotencyKey.form(input.text("key"), scope: "photo")
        let media = try await singleUse.upload(
            file.blob, purpose: .pair, by: viewer, key: uploadKey)
        do {
            let recipe = PairService.Recipe(then: source.reference, media: media.id.rawValue)
            return try await pairs.make(
                recipe, by: viewer, key: .form(input.text("key"), scope: "pair"))
        } catch {
            await context.attempt("erasing the photo of a refused pair") {
                try await singleUse.discard(media.id, by: viewer, key: uploadKey)
            }
            throw error
        }
    }
}

extension ThenSource.Reference {
    /// The identifier of the photo, the found photo or the pair.
    var id: String {
        switch self {
        case .photo(let id), .again(let id): id.description
        case .past(let id): id.description
        }
    }

    /// The name of the parameter that carries the identifier in the pages' addresses and forms.
    var parameter: String {
        switch self {
        case .photo: "photo"
        case .past: "past"
        case .again: "again"
        }
    }

    /// The name of the parameter that carries the identifier in `POST /api/v1/rephotographs`.
    var member: String {
        switch self {
        case .photo: "photo_id"
        case .past: "past_photo_id"
        case .again: "again_id"
        }
    }
}

extension Page.Style {
    static let thenAndNow = Page.Style(name: "then-and-now")
}
