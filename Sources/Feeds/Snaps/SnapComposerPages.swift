import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The pages of a new snap: the grid of pictures, the feed picker, and the camera.
struct SnapComposerPages {
    let frame: Frame
    let snaps: SnapService
    let photos: PhotoService
    let singleUse: SingleUseMediaService
    let blobs: any BlobStore
    let receivers: Registry<any SnapReceivers>

    private static let libraryPage = 60

    func add(to router: Router<AppContext>) {
        router.get("snaps/new", use: grid)
        router.get("snaps/new/:picture", use: picker)
        router.get("snaps/camera", use: camera)
        router.post("snaps", use: post)
        router.get("snap_samples/:id", use: sample)
    }

    // MARK: Choosing a picture

    private func grid(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = PageRequest(
            limit: Self.libraryPage, olderThan: try PageRequest(Input.query(request)).olderThan)
        let library = try await photos.library(of: context.viewer, kinds: [], page: page)
        let next = library.count == page.limit ? library.last.map { "/snaps/new?max_id=\($0.id)" } : nil
        let cells = library.map { photo in
            cell(String(photo.id.rawValue), PhotoComponents.choice(photo))
        }
        if request.wantsFragment { return .html(Node.list(cells + [frame.more(next)]), for: request) }
        return Page(title: "New Snap", styles: [.snaps], tab: .create, bodyClass: "roomy")
            .response(frame, request, context) {
                frame.bar("New Snap", back: ("Create", PhotoPaths.create)) {
                    frame.symbolLink("Camera", "camera", href: "/snaps/camera")
                }
                main(.id("content")) {
                    h2(.class("section-title")) { "Pictures" }
                    ul(.class("grid")) {
                        for sample in snaps.samples.all {
                            cell(
                                sample.id,
                                img(
                                    .src(sample.path), .width(240), .height(240), .alt(sample.description),
                                    .lazy))
                        }
                    }
                    h2(.class("section-title")) { "Your library" }
                    frame.endlessList("grid", next: next) {
                        li {
                            a(.class("bring"), .href("/snaps/camera")) {
                                frame.icon("camera")
                                "Camera"
                            }
                        }
                        cells
                    }
                }
            }
    }

    private func cell(_ picture: String, _ image: Node) -> Node {
        li { a(.href("/snaps/new/\(picture)")) { image } }
    }

    /// Serves a predefined picture. It is public, and its contents never change.
    private func sample(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try context.viewer
        let sample = try snaps.samples.sample(context.parameters.get("id") ?? "")
        return Response(
            status: .ok, headers: [.contentType: "image/webp", .cacheControl: "private, max-age=86400"],
            body: try await FileIO().loadFile(path: sample.file.path, context: context))
    }

    // MARK: Choosing a feed

    private func picker(_ request: Request, _ context: AppContext) async throws -> Response {
        try await page(request, context, context.parameters.get("picture") ?? "", Input())
    }

    /// Shows a chosen picture: a photo of the library by its id, or a predefined one by its name.
    private func page(
        _ request: Request, _ context: AppContext, _ picture: String, _ form: Input, problem: Refusal? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let viewer = try context.viewer
        let id = Photo.ID(picture)
        let sample = id == nil ? try snaps.samples.sample(picture) : nil
        let (photo, goals) = try await goals(form, problem: problem, by: viewer) { transaction in
            try id.map { try PhotoRecords(transaction).own($0, of: viewer) }
        }
        return Page(
            title: "New Snap", styles: [.feedPicker] + receiverStyles, tab: .create,
            bodyClass: "grouped pushed"
        )
        .response(frame, request, context, status: status) {
            frame.bar("New Snap", back: ("Back", SnapPaths.new))
            main(.id("content")) {
                self.picker {
                    HTML.form(.class("feed-picker"), .method("post"), .action(SnapPaths.list)) {
                        input(
                            .type("hidden"), .name(photo == nil ? "sample_id" : "photo_id"),
                            .value(picture))
                        if let photo { image(of: photo) }
                        if let sample {
                            img(.class("picture"), .src(sample.path), .alt(sample.description))
                        }
                        goals
                    }
                }
            }
        }
    }

    private func image(of photo: Photo) -> Node {
        let size = photo.pixels(.medium)
        return img(
            .class("picture"), .src(Photo.path(photo.id, .medium)), .width(size.width),
            .height(size.height), .alt(photo.description))
    }

    private var receiverStyles: [Page.Style] { receivers.all.flatMap(\.styles) }

    /// Draws what is around the form of a snap: the search for those who may receive it.
    private func picker(@NodeBuilder form: () -> Node) -> Node {
        let picker = element("feed-picker") { form() }
        guard let search = receivers.all.first?.search else { return picker }
        return element("live-search") {
            HTML.form(.id(SnapReceiversSearch.id), .action(search)) {}
            picker
        }
    }

    /// Draws the choice of one feed and of people and groups, and the button Post, which is disabled until something is
    /// chosen.
    ///
    /// - Parameter subject: reads what else the page shows, in the same transaction.
    private func goals<Subject: Sendable>(
        _ form: Input, problem: Refusal?, by viewer: Account,
        reading subject: @escaping @Sendable (Transaction) throws -> Subject
    ) async throws -> (Subject, Node) {
        guard let receivers = receivers.all.first else {
            return (try await snaps.database.read(subject), goals(form, nil, problem))
        }
        let (read, fields) = try await receivers.fields(form, for: viewer, reading: subject)
        return (read, goals(form, fields, problem))
    }

    @NodeBuilder private func goals(_ form: Input, _ receiving: Node?, _ problem: Refusal?) -> Node {
        let chosen = form.text("feed_id")
        input(.type("hidden"), .name("key"), .value(form.filled("key") ?? UUID().uuidString))
        fieldset {
            legend(.class("group-title")) { "Choose a feed" }
            div(.class("group")) {
                for feed in snaps.settings.feeds {
                    frame.choice(
                        "feed_id", feed.id, isChosen: feed.id == chosen, feed.title,
                        isRequired: receiving == nil)
                }
            }
        }
        if let receiving { receiving }
        div(.class("post")) {
            p(.class("error"), .role("alert"), .hidden(problem == nil)) { problem?.message ?? "" }
            p(.flag("data-choice")) { "Each friend sees it once." }
            button(.class("button primary tall")) { "Post" }
        }
    }

    // MARK: Camera

    /// Shows the camera, and behind it the form for a file, which is all that browsers without scripts show.
    private func camera(_ request: Request, _ context: AppContext) async throws -> Response {
        try await camera(request, context, Input())
    }

    /// Shows the camera's page.
    private func camera(
        _ request: Request, _ context: AppContext, _ input: Input, problem: Refusal? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let (_, goals) = try await goals(input, problem: problem, by: context.viewer) { _ in () }
        return Page(
            title: "Camera", styles: [.camera, .feedPicker, .controls] + receiverStyles,
            bodyClass: "bare camera-screen"
        )
        .response(frame, request, context, status: status) {
            element("snap-composer") {
                frame.bar("New Snap", back: ("Back", SnapPaths.new))
                main(.id("content")) {
                    h1(.class("unseen")) { "Camera" }
                    element("snap-camera", .attribute("data-purpose", "snap"), .hidden()) {}
                    picker {
                        form(.class("feed-picker"), .method("post"), .action(SnapPaths.list), .multipart) {
                            HTML.input(
                                .class("input"), .type("file"), .name("file"), .accept("image/*"),
                                .required,
                                .label("Picture"))
                            // Photos of the library and predefined pictures already have descriptions.
                            frame.field(
                                "description", "Description", value: input.text("description"),
                                problems: problem?.fields ?? [:],
                                note: "Optional, for people who can’t see the picture.",
                                .maxlength(Photo.descriptionLength))
                            goals
                        }
                    }
                }
            }
        }
    }

    // MARK: Posting

    /// Posts the chosen picture, or the file in the form, for browsers without scripts.
    private func post(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = await Input.readForm(request, context, files: .init(blobs: blobs, most: 1))
        let key = IdempotencyKey.form(input.text("key"), scope: "snap")
        do {
            try input.checkWhole()
            let receivers = receivers.all.first { $0.areChosen(in: input) }
            if receivers == nil { _ = try snaps.feed(input.text("feed_id")) }
            let source = try await source(input, by: viewer)
            do {
                if let receivers {
                    return Self.posted(try await receivers.send(source, input, by: viewer))
                }
                return Self.posted(
                    try await snaps.post(source, to: input.text("feed_id"), by: viewer, key: key))
            } catch {
                if case .upload(let id, _) = source {
                    await context.attempt("erasing the picture of a refused snap") {
                        try await singleUse.discard(id, by: viewer, key: Self.uploadKey(input))
                    }
                }
                throw error
            }
        } catch {
            await input.discardFiles(in: blobs)
            // The form was sent twice, and its picture is already in the snap.
            if let receivers = receivers.all.first(where: { $0.areChosen(in: input) }) {
                if let words = try await receivers.sent(input, by: viewer) { return Self.posted(words) }
            } else if let snap = try await snaps.posted(with: key, by: viewer) {
                return Self.posted(snap)
            }
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                guard let picture = input.string("photo_id") ?? input.string("sample_id") else {
                    return try await camera(request, context, input, problem: refusal, status: status)
                }
                return try await page(request, context, picture, input, problem: refusal, status: status)
            }
        }
    }

    private static func posted(_ snap: Snap) -> Response { posted("Snap posted to \(snap.feed.title).") }

    private static func posted(_ words: String) -> Response { .see(SnapPaths.new, flash: .good(words)) }

    private static func uploadKey(_ input: Input) -> IdempotencyKey {
        .form(input.text("key"), scope: "photo")
    }

    private func source(_ input: Input, by viewer: Account) async throws -> SnapService.Source? {
        if let file = input.files.first {
            return .upload(
                try await singleUse.upload(
                    file.blob, purpose: .snap, description: input.text("description"), by: viewer,
                    key: Self.uploadKey(input)
                ).id)
        }
        return SnapService.Source(input)
    }
}

extension Page.Style {
    static let feedPicker = Page.Style(name: "feed-picker")
}
