import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The editor of a collage, and the pages that lead to it.
struct CollagePages {
    let frame: Frame
    let collages: CollageService
    let entities: CollageEntities

    private var components: CollageComponents { CollageComponents(frame: frame) }

    private static let listed = 40

    func add(to router: Router<AppContext>) {
        router.get("collage", use: start)
        router.post("collage") { request, context in
            let input = try await Input.read(request, context)
            let photos = try input.list("photo").map { text in
                guard let id = Photo.ID(text) else { throw Refusal.notFound }
                return id
            }
            let begun = try await collages.begin(photos: photos, by: context.viewer)
            return Response.see(CollageService.path(begun.id))
        }
        router.get("collage/edit/:id", use: edit)
        router.get("collage/:id", use: show)
        router.get("collage/:id/card") { request, context in
            let viewer = try context.viewer
            let collage = try await collages.collage(context.id("id"), for: viewer)
            return Response.html(components.card(collage), for: request)
        }
        router.post("collage/:id/style", use: setStyle)
        router.post("collage/:id/finish", use: finish)
        router.post("collage/:id/leave") { request, context in
            try await collages.leave(context.id("id"), by: context.viewer)
            return Response.see(PhotoPaths.create, flash: .good("The collage is gone."))
        }
    }

    // MARK: Beginning

    /// Redirects to the only unfinished collage, or begins one. Several unfinished collages are listed.
    private func start(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let unfinished = try await collages.unfinished(of: viewer, page: PageRequest(limit: Self.listed))
        let alone = unfinished.filter { !$0.isShared && $0.photo == nil }
        guard unfinished.count > alone.count || alone.count > 1 else {
            let collage: Collage =
                if let begun = alone.first { begun } else { try await collages.begin(by: viewer) }
            return .see(CollageService.path(collage.id))
        }
        return Page(title: "Collages", styles: [.collagePages, .photos], tab: .create, bodyClass: "roomy")
            .response(frame, request, context) {
                frame.bar("Collages", back: ("Create", PhotoPaths.create))
                main(.id("content"), .class("collage-list")) {
                    form(.method("post"), .action("/collage")) {
                        button(.class("button primary")) { "New collage" }
                    }
                    h2(.class("section-title")) { "Unfinished" }
                    ul {
                        for collage in unfinished {
                            li {
                                a(.href(CollageService.path(collage.id))) {
                                    components.square(
                                        collage, label: "Collage", id: "list-\(collage.id)", links: false)
                                    span(.class("text")) {
                                        b { Self.title(of: collage, for: viewer) }
                                        CollageComponents.progress(of: collage)
                                    }
                                }
                            }
                        }
                    }
                }
            }
    }

    private static func title(of collage: Collage, for viewer: Account) -> String {
        if collage.owner.id != viewer.id { return "\(collage.owner.displayName)’s collage" }
        guard let first = collage.people.first else { return "Your collage" }
        let others = collage.people.count - 1
        return others == 0
            ? "With \(first.displayName)" : "With \(first.displayName) and \(others.of("other"))"
    }

    // MARK: The editor

    /// Redirects from a picture in the library to its collage, or to a copy if the collage was made together.
    private func edit(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let photo = try await collages.photos.own(context.id("id"), of: viewer)
        do {
            return .see(CollageService.path(try await collages.editable(photo.id, by: viewer).id))
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(PhotoPaths.page(photo.id), flash: .error(refusal.message))
        } catch let refusal as Refusal where refusal == .notFound && photo.kind == .collage {
            let sentence = "This collage can’t be edited any more: it was deleted, or you have left it."
            return .see(PhotoPaths.page(photo.id), flash: .error(sentence))
        }
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let collage = try await collages.collage(context.id("id"), for: viewer)
        if collage.isFinished { return finished(collage, viewer, request, context) }
        return editor(collage, viewer, request, context)
    }

    /// Shows the picture of a finished collage that was made together, as the viewer has it.
    private func finished(
        _ collage: Collage, _ viewer: Account, _ request: Request, _ context: AppContext
    ) -> Response {
        if let photo = collage.photo { return .see(PhotoPaths.page(photo.id)) }
        return Page(title: "Collage", styles: [.collagePages], tab: .create).response(frame, request, context)
        {
            frame.bar("Collage", back: ("Create", PhotoPaths.create))
            main(.id("content")) {
                frame.empty(
                    "grid-1x2",
                    "This collage is finished. The picture goes to everyone who gave a photo for it.",
                    action: ("Go to your library", AppPaths.library))
            }
        }
    }

    private func editor(
        _ collage: Collage, _ viewer: Account, _ request: Request, _ context: AppContext
    ) -> Response {
        var json = JSONWriter(capacity: 4096)
        entities.draft(collage, viewer: context.reader, into: &json)
        var layouts = JSONWriter(capacity: 8192)
        entities.layouts(into: &layouts)
        let path = CollageService.path(collage.id)
        let isOwner = collage.owner.id == viewer.id
        return Page(
            title: "Collage", styles: [.collages, .photos, .composer, .controls], tab: .create,
            themeColour: "#0f6b78", bodyClass: "bare collage"
        ).response(frame, request, context) {
            element(
                "collage-editor", .attribute("data-id", collage.id.description),
                .attribute("data-account", viewer.id.description),
                .attribute("data-owner", isOwner ? "yes" : "no"),
                .attribute("data-draft", String(decoding: json.bytes, as: UTF8.self)),
                .attribute("data-layouts", String(decoding: layouts.bytes, as: UTF8.self))
            ) {
                header(.class("collage-bar")) {
                    a(.class("symbol"), .href(PhotoPaths.create), .flag("data-back"), .label("Close")) {
                        frame.icon("x-lg")
                    }
                    h1 { "Collage" }
                    div(.class("actions")) {
                        change("data-undo", "Undo", "arrow-counterclockwise")
                        change("data-redo", "Redo", "arrow-clockwise")
                        frame.symbolLink("People and more", "people", href: "\(path)/together")
                    }
                }
                main(.id("content"), .class("collage-editor")) {
                    div(.class("collage-swipe"), .flag("data-swipe")) {
                        frame.icon("chevron-up", class: "arrow")
                        span(.flag("data-swipe-words")) { "Swipe up to share" }
                    }
                    div(.class("collage-stage"), .flag("data-stage")) {
                        components.square(collage, label: "Collage", links: true)
                    }
                    p(.class("unseen"), .id("collage-keys")) {
                        """
                        On a cell, arrow keys move its photo, plus and minus zoom, Alt with an arrow key swaps it with \
                        the next or previous cell.
                        """
                    }
                    p(.class("collage-note"), .flag("data-note"), .role("status")) {
                        if !isOwner {
                            "\(collage.owner.displayName)’s collage. Tap a cell to add your photo."
                        } else if collage.copiedFrom != nil {
                            "This is your own copy. The finished collage stays as it is."
                        }
                    }
                    a(
                        .class("button collage-copy"), .href(AppPaths.library), .flag("data-edit-copy"),
                        .hidden()
                    ) {
                        "Edit a copy"
                    }
                    if isOwner {
                        styleForm(collage)
                        form(
                            .class("collage-finish"), .method("post"), .action("\(path)/finish"),
                            .flag("data-finish")
                        ) { button(.class("button primary")) { "Share collage" } }
                    }
                }
                CollageSheets(frame: frame).all
                components.templates(for: collage)
            }
        }
    }

    private func change(_ flag: StaticString, _ label: String, _ icon: StaticString) -> Node {
        button(
            .class("symbol"), .type("button"), .flag(flag), .label(label), .disabled(true)
        ) { frame.icon(icon) }
    }

    /// The colours to choose from, by their names.
    private static let colours = [
        ("White", "#ffffff"), ("Black", "#16140f"), ("Sand", "#f5d6a8"), ("Red", "#e0243f"),
        ("Blue", "#1d5fd1"),
    ]

    private func styleForm(_ collage: Collage) -> Node {
        let style = collage.style
        return form(
            .class("collage-style"), .method("post"), .action("\(CollageService.path(collage.id))/style"),
            .flag("data-style")
        ) {
            fieldset(.class("swatches")) {
                legend(.class("unseen")) { "Background" }
                for (name, colour) in Self.colours {
                    label(.attribute("data-colour", colour)) {
                        input(
                            .class("cover"), .type("radio"), .name("background"), .value(colour),
                            .checked(colour == style.background), .label(name))
                        swatch(colour)
                    }
                }
                label(.class("rainbow")) {
                    input(
                        .class("cover"), .type("color"), .name("colour"), .value(style.background),
                        .label("Any colour"))
                    span(.class("swatch")) {}
                }
            }
            div(.class("sliders")) {
                slider("spacing", "Spacing", style.spacing)
                slider("corner_radius", "Corners", style.cornerRadius)
            }
            fieldset(.class("layouts"), .flag("data-layouts")) {
                legend(.class("unseen")) { "Layout" }
                for layout in CollageLayout.all {
                    label(.attribute("data-layout", layout.id)) {
                        input(
                            .class("cover"), .type("radio"), .name("layout_id"), .value(layout.id),
                            .checked(layout == style.layout), .label(layout.name))
                        components.symbol(layout)
                        frame.icon("check-lg", class: "icon check")
                    }
                }
            }
            button(.class("button plain-only")) { "Apply" }
        }
    }

    /// Draws a colour as an SVG circle, because the Content-Security-Policy allows no `style` attribute.
    private func swatch(_ colour: String) -> Node {
        element("svg", .class("swatch"), .attribute("viewBox", "0 0 32 32"), .decorative) {
            element(
                "circle", .attribute("cx", "16"), .attribute("cy", "16"), .attribute("r", "16"),
                .attribute("fill", colour)
            ) { Node.empty }
        }
    }

    private func slider(_ name: String, _ title: String, _ value: Int) -> Node {
        label(.class("slider")) {
            "\(title) "
            input(
                .type("range"), .name(name), .attribute("min", "0"), .attribute("max", "40"),
                .value(String(value)))
            output { String(value) }
        }
    }

    // MARK: Without scripts

    private func setStyle(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        let id = try context.id("id", of: Collage.self)
        let change = CollageStyleChange(
            layout: input.string("layout_id"), background: input.string("background"),
            spacing: input.string("spacing"), cornerRadius: input.string("corner_radius"))
        return try await Self.back(to: id) {
            _ = try await collages.set(change, of: id, by: context.viewer)
            return nil
        }
    }

    private func finish(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.id("id", of: Collage.self)
        return try await Self.back(to: id) {
            let made = try await collages.finish(id, by: context.viewer)
            return .see(PhotoPaths.page(made.photo.id), flash: .good("Saved to your library."))
        }
    }

    /// Redirects to a collage after a form, with the sentence of a refusal, or to the page that `body` returns.
    static func back(to id: Collage.ID, _ body: () async throws -> Response?) async throws -> Response {
        do {
            return try await body() ?? .see(CollageService.path(id))
        } catch let taken as CollageTaken {
            return .see(CollageService.path(id), flash: .error(taken.sentence))
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(CollageService.path(id), flash: .error(refusal.message))
        }
    }
}
