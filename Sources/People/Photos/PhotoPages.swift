import Core
import Foundation
import HTML
import Hummingbird
import Serving
import Storage

/// The pages of the library, and Create.
struct PhotoPages {
    let frame: Frame
    let photos: PhotoService
    let blobs: BlobFolder
    /// What features add to the pages of photos.
    let offers: PhotoOffers

    private static let page = 60
    /// The most files in one form.
    private static let mostFiles = 20

    func add(to router: Router<AppContext>) {
        router.get("library", use: library)
        router.post("library", use: upload)
        router.get("library/:id", use: photo)
        router.get("library/:id/share", use: share)
        router.post("library/:id/delete", use: delete)
        router.get("create", use: create)
    }

    // MARK: Library

    /// What the library shows.
    private enum Filter: String, CaseIterable {
        case all, pairs, collages, saved

        var title: String {
            switch self {
            case .all: "All"
            case .pairs: "Then & Now"
            case .collages: "Collages"
            case .saved: "Saved"
            }
        }

        var kinds: [Photo.Kind] {
            switch self {
            case .all: []
            case .pairs: [.pair]
            case .collages: [.collage]
            case .saved: [.saved]
            }
        }

        var emptySentence: String {
            switch self {
            case .all: "Everything you add, shoot or save appears here. Only you see it."
            case .pairs: "No Then & Now pairs yet."
            case .collages: "No collages yet."
            case .saved: "No photos saved from chats yet."
            }
        }
    }

    private func library(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let filter = Filter(rawValue: input.text("show")) ?? .all
        let page = PageRequest(limit: Self.page, olderThan: try PageRequest(input).olderThan)
        let found = try await photos.library(of: viewer, kinds: filter.kinds, page: page)
        let next =
            found.count == Self.page
            ? found.last.map { "/library?show=\(filter.rawValue)&max_id=\($0.id)" } : nil
        if request.wantsFragment { return .html(rows(found, next), for: request) }
        return Page(
            title: "Library", styles: [.photos, .controls] + offers.library.all.map(\.style), tab: .library,
            bodyClass: "roomy"
        )
        .response(frame, request, context) {
            frame.largeBar("Library") {
                offers.links(in: frame)
                button(
                    .class("symbol"), .type("button"), .attribute("popovertarget", "add-photos"),
                    .label("Add photos")
                ) { frame.icon("plus-lg") }
            }
            main(.id("content")) {
                chips(current: filter)
                for addition in offers.library.all
                where filter.kinds.isEmpty || filter.kinds.contains(addition.kind) {
                    addition.draw()
                }
                if found.isEmpty {
                    empty(filter)
                } else {
                    element("endless-list", .attribute("data-next", next)) {
                        ul(.class("grid"), .flag("data-items")) { for photo in found { cell(photo) } }
                        frame.more(next)
                    }
                }
                uploadSheet
            }
        }
    }

    @NodeBuilder private func rows(_ photos: [Photo], _ next: String?) -> Node {
        for photo in photos { cell(photo) }
        frame.more(next)
    }

    private func chips(current: Filter) -> Node {
        ul(.class("chips")) {
            for filter in Filter.allCases {
                li {
                    a(
                        .class("chip"),
                        .href(filter == .all ? "/library" : "/library?show=\(filter.rawValue)"),
                        filter == current ? .attribute("aria-current", "true") : .none
                    ) { filter.title }
                }
            }
        }
    }

    private func cell(_ photo: Photo) -> Node {
        li(.attribute("data-id", photo.id.description)) {
            a(.href("/library/\(photo.id)"), .attribute("data-hero", "/library/\(photo.id)")) {
                PhotoComponents.square(photo)
                switch photo.kind {
                case .camera: frame.icon("camera", class: "icon mark")
                case .collage: frame.icon("grid-1x2-fill", class: "icon mark")
                case .pair: frame.icon("layers-fill", class: "icon mark")
                case .saved: frame.icon("download", class: "icon mark")
                case .upload: Node.empty
                }
            }
        }
    }

    private func empty(_ filter: Filter) -> Node {
        div(.class("empty")) {
            frame.icon("images")
            h2 { filter == .all ? "No photos yet" : filter.title }
            p { filter.emptySentence }
            if filter == .all {
                button(.class("button primary"), .type("button"), .attribute("popovertarget", "add-photos")) {
                    "Add photos"
                }
            }
        }
    }

    private var uploadSheet: Node {
        div(
            .class("sheet"), .id("add-photos"), .flag("popover"), .role("dialog"),
            .attribute("aria-labelledby", "add-title")
        ) {
            h2(.id("add-title")) { "Add photos" }
            element("photo-upload", .class("block"), .attribute("data-purpose", "post")) {
                form(.class("form"), .method("post"), .action("/library"), .multipart) {
                    label(.class("drop")) {
                        frame.icon("images")
                        "Choose photos"
                        element("small") { "Up to 50 MB each" }
                        input(
                            .class("cover"), .type("file"), .name("file"), .accept("image/*"), .multiple)
                    }
                    PhotoInputs(frame: frame).shot("button", words: "Take a photo")
                    ul(.class("tray"), .flag("data-tray")) {}
                    button(.class("button primary"), .flag("data-plain")) { "Add to library" }
                }
            }
            button(
                .class("button plain"), .type("button"), .attribute("popovertarget", "add-photos"),
                .attribute("popovertargetaction", "hide")
            ) { "Done" }
        }
    }

    /// Without scripts: takes one or more files and says what became of each.
    private func upload(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(
            request, context, files: .init(blobs: blobs, most: Self.mostFiles))
        guard !input.files.isEmpty else {
            return .see("/library", flash: .error("Choose at least one picture."))
        }
        var taken = 0
        var refused: [String] = []
        for file in input.files {
            do {
                _ = try await photos.upload(file.blob, kind: file.kind, by: viewer)
                taken += 1
            } catch let refusal as Refusal {
                refused.append("\(file.filename): \(refusal.message)")
            }
        }
        guard refused.isEmpty else { return .see("/library", flash: .error(refused.joined(separator: " "))) }
        return .see("/library", flash: .good(taken == 1 ? "Photo added." : "\(taken) photos added."))
    }

    // MARK: One photo

    private func photo(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let shown = try await shown(context.id("id"), to: viewer)
        let photo = shown.photo
        let added = shown.presentation?() ?? PhotoPresentation()
        return Page(title: added.title ?? "Photo", styles: [.photos] + added.styles, bodyClass: "bare viewer")
            .response(frame, request, context) {
                main(.id("content")) {
                    element("photo-viewer", .attribute("data-id", photo.id.description)) {
                        header(.class("viewer-bar")) {
                            a(.class("done"), .href("/library"), .flag("data-back"), .flag("data-close")) {
                                "Done"
                            }
                            h1 {
                                if let title = added.title {
                                    title
                                } else {
                                    day(of: photo)
                                }
                            }
                            added.actions
                        }
                        figure(.class("viewer-photo"), .flag("data-stage")) {
                            added.stage ?? picture(photo)
                        }
                        if let newer = shown.newer {
                            step("previous", "prev", "Previous photo", "chevron-left", newer)
                        }
                        if let older = shown.older {
                            step("next", "next", "Next photo", "chevron-right", older)
                        }
                        footer(.class("viewer-tools")) {
                            sharing.button
                            if added.stage == nil { p { photo.description } }
                            added.tools
                            offers.links(for: photo, in: frame)
                            button(
                                .class("symbol"), .type("button"),
                                .attribute("popovertarget", "delete-question"),
                                .label("Delete")
                            ) { frame.icon("trash") }
                        }
                    }
                    sharing.sheet(photo, as: added.shared ?? .whole(photo))
                    added.sheets
                    deleteQuestion(photo, shown.uses)
                }
            }
    }

    private var sharing: PhotoSharing { PhotoSharing(frame: frame, offers: offers) }

    /// The menu that sends a photo on, for scripts that show it where the photo was made. As a page it is the photo's.
    private func share(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let shown = try await shown(context.id("id"), to: viewer)
        guard request.wantsFragment else { return .see("/library/\(shown.photo.id)") }
        let added = shown.presentation?() ?? PhotoPresentation()
        return .html(sharing.menu(shown.photo, as: added.shared ?? .whole(shown.photo)), for: request)
    }

    /// Returns a photo with what the first feature with something to add adds to its page.
    private func shown(_ id: Photo.ID, to viewer: Account) async throws -> PhotoService.Shown {
        try await photos.shown(id, to: viewer) { [offers] photo, transaction in
            for present in offers.presentations.all {
                if let added = try present(photo, viewer, transaction) { return added }
            }
            return nil
        }
    }

    private func day(of photo: Photo) -> Node {
        let date = photo.capture.date ?? photo.id.createdAt
        return time(.datetime(Timestamp.iso8601(date))) { Timestamp.dayInWords(date) }
    }

    private func picture(_ photo: Photo) -> Node {
        let pixels = photo.pixels(.large)
        return img(
            .src(Photo.path(photo.id, .large)), .width(pixels.width), .height(pixels.height),
            .alt(photo.description), .attribute("data-hero", "/library/\(photo.id)"))
    }

    private func step(
        _ side: StaticString, _ rel: StaticString, _ label: String, _ icon: StaticString, _ id: Photo.ID
    ) -> Node {
        a(.classes("viewer-step", "\(side)"), .rel(rel), .href("/library/\(id)"), .label(label)) {
            frame.icon(icon)
        }
    }

    private func deleteQuestion(_ photo: Photo, _ uses: [PhotoUses]) -> Node {
        frame.question(
            id: "delete-question", title: "Delete this photo?",
            explanation: uses.isEmpty
                ? "This can’t be undone."
                : PhotoUses.told(uses) { "It is also in \($0). It will disappear from there too." },
            action: "/library/\(photo.id)/delete", yes: "Delete photo", no: "Keep it")
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        try await photos.delete(context.id("id"), by: context.viewer, force: true)
        return .see("/library", flash: .good("Photo deleted."))
    }

    // MARK: Create

    private func create(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try context.viewer
        return Page(title: "Create", styles: [.photos], tab: .create, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.largeBar("Create")
                main(.id("content")) {
                    ul(.class("makings")) {
                        for way in frame.navigation.create {
                            li {
                                a(.href(way.path)) {
                                    span(.class("sign"), .attribute("data-tone", String(way.tone))) {
                                        frame.icon(way.icon)
                                    }
                                    span(.class("text")) {
                                        b { way.title }
                                        way.text
                                    }
                                    frame.icon("chevron-right", class: "icon chevron")
                                }
                            }
                        }
                    }
                }
            }
    }
}

/// How photos appear on several screens.
package enum PhotoComponents {
    /// A square to choose: without a description it is known by its day.
    package static func choice(_ photo: Photo) -> Node {
        square(
            photo,
            alt: photo.description.isEmpty ? "Photo of \(Timestamp.dayInWords(photo.id.createdAt))" : nil)
    }

    /// A square for grids.
    package static func square(_ photo: Photo, alt: String? = nil) -> Node {
        square(Photo.path(photo.id, .square), alt: alt ?? photo.description)
    }

    /// A square for grids, of the picture at a path.
    package static func square(_ path: String, alt: String) -> Node {
        img(.src(path), .width(240), .height(240), .alt(alt), .lazy)
    }
}
