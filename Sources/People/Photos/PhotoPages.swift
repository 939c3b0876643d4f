import Core
import Foundation
import HTML
import Hummingbird
import Imaging
import Serving
import Storage

/// The pages of the library and of the Create tab.
struct PhotoPages {
    let frame: Frame
    let photos: PhotoService
    let blobs: any BlobStore
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

    /// The chip of all photos, which is the first.
    private static let all = PhotoKind.Chip(
        name: "all", title: "All",
        empty: "Everything you add, shoot or save appears here. Only you see it.", position: 0)

    /// A chip, and the kinds of photo that it shows; none stands for all.
    private struct Filter {
        let chip: PhotoKind.Chip
        let kinds: [Photo.Kind]

        var isAll: Bool { kinds.isEmpty }
        var path: String { isAll ? AppPaths.library : "/library?show=\(chip.name)" }
    }

    /// The chips of the library, in order.
    private var filters: [Filter] {
        [Filter(chip: Self.all, kinds: [])]
            + offers.kinds.all.compactMap { kind in kind.chip.map { Filter(chip: $0, kinds: [kind.kind]) } }
            .sorted { $0.chip.position < $1.chip.position }
    }

    private func library(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = Input.query(request)
        let filters = filters
        let filter = filters.first { $0.chip.name == input.text("show") } ?? filters[0]
        let page = PageRequest(limit: Self.page, olderThan: try PageRequest(input).olderThan)
        let found = try await photos.library(of: viewer, kinds: filter.kinds, page: page)
        let next =
            found.count == Self.page
            ? found.last.map { "/library?show=\(filter.chip.name)&max_id=\($0.id)" } : nil
        if request.wantsFragment { return .html(rows(found, next), for: request) }
        return Page(
            title: "Library", styles: [.photos, .controls] + filters.compactMap(\.chip.above?.style),
            tab: .library,
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
                chips(filters, current: filter)
                for other in filters where filter.isAll || other.chip.name == filter.chip.name {
                    other.chip.above?.draw() ?? .empty
                }
                if found.isEmpty {
                    empty(filter)
                } else {
                    frame.endlessList("grid", next: next) { for photo in found { cell(photo) } }
                }
                uploadSheet
            }
        }
    }

    @NodeBuilder private func rows(_ photos: [Photo], _ next: String?) -> Node {
        for photo in photos { cell(photo) }
        frame.more(next)
    }

    private func chips(_ filters: [Filter], current: Filter) -> Node {
        ul(.class("chips")) {
            for filter in filters {
                li {
                    a(
                        .class("chip"), .href(filter.path),
                        filter.chip.name == current.chip.name ? .attribute("aria-current", "true") : .none
                    ) { filter.chip.title }
                }
            }
        }
    }

    private func cell(_ photo: Photo) -> Node {
        li(.attribute("data-id", photo.id.description)) {
            a(.href(PhotoPaths.page(photo.id)), .attribute("data-hero", PhotoPaths.page(photo.id))) {
                PhotoComponents.choice(photo)
                if let symbol = offers.kinds[photo.kind]?.symbol { frame.icon(symbol, class: "icon mark") }
            }
        }
    }

    private func empty(_ filter: Filter) -> Node {
        div(.class("empty")) {
            frame.icon("images")
            h2 { filter.isAll ? "No photos yet" : filter.chip.title }
            p { filter.chip.empty }
            if filter.isAll {
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
                form(.class("form"), .method("post"), .action(AppPaths.library), .multipart) {
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

    /// Adds one or more files without scripts, and reports the outcome of each.
    private func upload(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(
            request, context, files: .init(blobs: blobs, most: Self.mostFiles))
        guard !input.files.isEmpty else {
            return .see(AppPaths.library, flash: .error("Choose at least one picture."))
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
        guard refused.isEmpty else {
            return .see(AppPaths.library, flash: .error(refused.joined(separator: " ")))
        }
        return .see(AppPaths.library, flash: .good(taken == 1 ? "Photo added." : "\(taken) photos added."))
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
                            a(
                                .class("done"), .href(AppPaths.library), .flag("data-back"),
                                .flag("data-close")
                            ) {
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
                            // What the server makes is edited where it was made.
                            if offers.kinds[photo.kind]?.isMade != true {
                                element("edit-button", .attribute("data-photo", photo.id.description)) {}
                            }
                            button(
                                .class("symbol"), .type("button"),
                                .attribute("popovertarget", "delete-question"),
                                .label("Delete")
                            ) { frame.icon("trash") }
                        }
                    }
                    sharing.sheet(photo, as: added.shared ?? whole(photo))
                    added.sheets
                    deleteQuestion(photo, shown.uses)
                }
            }
    }

    private func whole(_ photo: Photo) -> SharedPicture {
        .whole(photo, isMade: offers.kinds[photo.kind]?.isMade == true)
    }

    private var sharing: PhotoSharing { PhotoSharing(frame: frame, offers: offers) }

    /// Answers with the menu that shares a photo, for scripts that show it where the photo was made; without a script,
    /// with the photo's page.
    private func share(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let shown = try await shown(context.id("id"), to: viewer)
        guard request.wantsFragment else { return .see(PhotoPaths.page(shown.photo.id)) }
        let added = shown.presentation?() ?? PhotoPresentation()
        return .html(sharing.menu(shown.photo, as: added.shared ?? whole(shown.photo)), for: request)
    }

    /// Returns a photo with the first presentation that a feature adds to its page.
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
            .alt(photo.description), .attribute("data-hero", PhotoPaths.page(photo.id)))
    }

    private func step(
        _ side: StaticString, _ rel: StaticString, _ label: String, _ icon: StaticString, _ id: Photo.ID
    ) -> Node {
        a(.classes("viewer-step", "\(side)"), .rel(rel), .href(PhotoPaths.page(id)), .label(label)) {
            frame.icon(icon)
        }
    }

    private func deleteQuestion(_ photo: Photo, _ uses: [PhotoUses]) -> Node {
        frame.question(
            id: "delete-question", title: "Delete this photo?",
            explanation: uses.isEmpty
                ? "This can’t be undone."
                : PhotoUses.sentences(uses) { "It is also in \($0). It will disappear from there too." },
            action: "/library/\(photo.id)/delete", yes: "Delete photo", no: "Keep it")
    }

    private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        try await photos.delete(context.id("id"), by: context.viewer, force: true)
        return .see(AppPaths.library, flash: .good("Photo deleted."))
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

/// The components that show photos on several screens.
package enum PhotoComponents {
    /// Returns a square that can be chosen or opened. A photo without a description is named by its day.
    package static func choice(_ photo: Photo) -> Node {
        let day = Timestamp.dayInWords(photo.id.createdAt)
        return square(photo, alt: photo.description.isEmpty ? "Photo of \(day)" : photo.description)
    }

    /// Returns a square for grids.
    package static func square(_ photo: Photo, alt: String) -> Node {
        square(Photo.path(photo.id, .square), alt: alt)
    }

    /// Returns a square for grids, with the picture at a path.
    package static func square(_ path: String, alt: String) -> Node {
        img(.src(path), .width(240), .height(240), .alt(alt), .lazy)
    }

    /// Returns the attribute by which a picture that a style sheet cuts to a shape shows the part around the photo's focus.
    /// The content security policy allows no position of its own to a picture, so ``Page/Style/cuts`` has one for every
    /// tenth.
    ///
    /// - Parameter shape: the proportions; a square unless given.
    package static func cut(_ photo: Photo, to shape: (width: Double, height: Double) = (1, 1)) -> Attribute {
        let place = photo.focus.placeOfCut(ofWidth: photo.width, height: photo.height, to: shape)
        // Only one side is cut: the other has its middle.
        let tenths = Int(((place.x + place.y - 0.5) * 10).rounded())
        return .attribute("data-cut", String(tenths))
    }
}

extension Page.Style {
    /// Pictures that are cut to a shape around their focus.
    package static let cuts = Page.Style(name: "cuts")
}
