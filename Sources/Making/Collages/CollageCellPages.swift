import Core
import Feeds
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The pages on which photos for collages are chosen: the library for the editor's sheet, one cell without scripts, and
/// the photos for a new collage.
struct CollageCellPages {
    let frame: Frame
    let collages: CollageService
    let photos: PhotoService
    let blobs: any BlobStore

    private static let page = 30

    func add(to router: Router<AppContext>) {
        router.get("collage/library", use: library)
        router.get("collage/choose", use: choose)
        router.get("collage/:id/cells/:index", use: show)
        router.post("collage/:id/cells/:index", use: fill)
    }

    /// Returns the page of the library that a request asks for.
    private static func requestedPage(_ request: Request) throws -> PageRequest {
        PageRequest(limit: page, olderThan: try PageRequest(Input.query(request)).olderThan)
    }

    /// Returns the address of the page after some photos; nil after the last page.
    private static func next(after photos: [Photo], path: String) -> String? {
        photos.count == page ? photos.last.map { "\(path)?max_id=\($0.id)" } : nil
    }

    private func found(
        _ request: Request, _ viewer: Account, path: String
    ) async throws -> (photos: [Photo], next: String?) {
        let found = try await photos.library(of: viewer, kinds: [], page: Self.requestedPage(request))
        return (found, Self.next(after: found, path: path))
    }

    /// Serves the library as cells, with the values that the editor draws from.
    private func library(_ request: Request, _ context: AppContext) async throws -> Response {
        let (found, next) = try await found(request, context.viewer, path: "/collage/library")
        let cells = found.map { photo in
            li(
                .attribute("data-id", photo.id.description), .attribute("data-width", String(photo.width)),
                .attribute("data-height", String(photo.height)),
                .attribute("data-description", photo.description)
            ) {
                button(.type("button"), .value(photo.id.description)) { PhotoComponents.choice(photo) }
            }
        }
        return .html(.list(cells + [frame.more(next)]), for: request)
    }

    // MARK: Beginning with several

    private func choose(_ request: Request, _ context: AppContext) async throws -> Response {
        let (found, next) = try await found(request, context.viewer, path: "/collage/choose")
        if request.wantsFragment {
            return .html(.list(found.map { choice($0, type: "checkbox") } + [frame.more(next)]), for: request)
        }
        return Page(
            title: "New collage", styles: [.photos, .chat], tab: .library, bodyClass: "roomy"
        )
        .response(frame, request, context) {
            form(.method("post"), .action("/collage")) {
                header(.class("bar")) {
                    a(.class("back"), .href(AppPaths.library), .flag("data-back")) { "Cancel" }
                    h1 { "Choose photos" }
                    div(.class("actions")) { button(.class("button")) { "Next" } }
                }
                main(.id("content")) {
                    if found.isEmpty {
                        frame.empty("images", "No photos yet.", action: ("Add photos", AppPaths.library))
                    } else {
                        h2(.class("section-title")) { "Two to nine photos" }
                        grid(found, type: "checkbox", next)
                    }
                }
            }
        }
    }

    private func grid(_ photos: [Photo], type: StaticString, _ next: String?) -> Node {
        frame.endlessList("grid choose", next: next) {
            for photo in photos { choice(photo, type: type) }
        }
    }

    private func choice(_ photo: Photo, type: StaticString) -> Node {
        li(.attribute("data-id", photo.id.description)) {
            label {
                input(.class("cover"), .type(type), .name("photo"), .value(photo.id.description))
                PhotoComponents.choice(photo)
                span(.class("mark"), .decorative) { frame.icon("check-lg") }
            }
        }
    }

    // MARK: One cell

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let (collage, found) = try await collages.collage(
            context.id("id"), with: Self.requestedPage(request), for: viewer)
        let index = try Self.index(context, collage)
        let cell = collage.cells[index]
        let path = "\(CollageService.path(collage.id))/cells/\(index)"
        let next = Self.next(after: found, path: path)
        if request.wantsFragment {
            return .html(.list(found.map { choice($0, type: "radio") } + [frame.more(next)]), for: request)
        }
        return Page(
            title: "Cell \(index + 1)", styles: [.photos, .chat, .composer], tab: .create,
            bodyClass: "roomy"
        ).response(frame, request, context) {
            form(.method("post"), .action(path), .multipart) {
                header(.class("bar")) {
                    a(.class("back"), .href(CollageService.path(collage.id)), .flag("data-back")) {
                        "Collage"
                    }
                    h1 { "Cell \(index + 1)" }
                    div(.class("actions")) { button(.class("button")) { "Save" } }
                }
                main(.id("content"), .class("composer")) {
                    if cell.photo != nil { view(cell.view) }
                    PhotoInputs(frame: frame).files
                    PhotoInputs(frame: frame).shot("button", words: "Take a photo")
                    grid(found, type: "radio", next)
                    if cell.photo != nil {
                        button(.class("button danger"), .name("remove"), .value("true")) { "Remove photo" }
                        if cell.giver?.id != viewer.id {
                            a(.class("button plain"), .href("\(path)/report")) { "Report this photo" }
                        }
                    }
                }
            }
        }
    }

    @NodeBuilder private func view(_ view: CollageView) -> Node {
        for (name, title, least, most, value) in [
            ("zoom", "Zoom, 1 to 8 times", "1", "8", view.zoom),
            ("x", "From left (0) to right (1)", "0", "1", view.x),
            ("y", "From top (0) to bottom (1)", "0", "1", view.y),
        ] {
            frame.field(
                name, title, type: "number", value: String(value), .attribute("min", least),
                .attribute("max", most), .attribute("step", "any"))
        }
    }

    private static func index(_ context: AppContext, _ collage: Collage) throws -> Int {
        guard let index = context.parameters.get("index").flatMap({ Int($0) }),
            collage.shownCells.indices.contains(index)
        else { throw Refusal.notFound }
        return index
    }

    /// Fills a cell with an uploaded or chosen photo, shows another part of its photo, or empties it.
    private func fill(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Collage.self)
        let index = try Self.index(context, await collages.collage(id, for: viewer))
        let input = try await Input.read(request, context, files: .init(blobs: blobs, most: 2))
        return try await CollagePages.back(to: id) {
            if input.bool("remove") == true {
                await input.discardFiles(in: blobs)
                _ = try await collages.empty(index, of: id, by: viewer)
                return nil
            }
            var photo: Photo.ID? = input.id("photo")
            for file in input.files {
                photo = try await photos.upload(file.blob, kind: file.kind, by: viewer).id
            }
            let (zoom, x, y) = (input.number("zoom"), input.number("x"), input.number("y"))
            let isNew = photo != nil
            _ = try await collages.fill(index, of: id, with: photo, by: viewer) {
                isNew ? $0 : CollageView(zoom: zoom ?? $0.zoom, x: x ?? $0.x, y: y ?? $0.y)
            }
            return nil
        }
    }
}
