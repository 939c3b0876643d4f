import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The page of a new post.
struct PostComposerPages {
    let frame: Frame
    let posts: PostService
    let photos: PhotoService
    let blobs: any BlobStore

    private static let pickerPage = 60
    /// The fields that say themselves what is wrong with them.
    private static let fields: Set = ["status", "media_ids", "spoiler_text", "language"]
    private static let chooseAgain = "Choose your files again. They weren’t kept."

    func add(to router: Router<AppContext>) {
        router.get("posts/new") { request, context in
            try await page(request, context, chosen: Self.chosen(Input.query(request)))
        }
        router.post("posts", use: post)
    }

    /// Returns the photos of the library that a form chooses, each of them once.
    private static func chosen(_ input: Input) -> [Photo.ID] {
        input.list("photo").compactMap { Photo.ID($0) }.withoutRepeats()
    }

    /// The values that the person typed, so that a refused form loses nothing.
    private struct Form {
        var photos: [Photo.ID] = []
        var caption = ""
        /// The tag of the language; ``PostWords/undetermined`` when none is said.
        var language: String?
        var audience = Post.Visibility.followers
        var isCovered = false
        var warning = ""
        var isFindable = false
        var descriptions: [Photo.ID: String] = [:]
        var problems: [String: Refusal.Problem] = [:]
        var message: String?
        var key = UUID().uuidString
    }

    /// Posts the form. Without scripts, chosen files are uploaded first and then posted with the other photos.
    ///
    /// A refused form deletes its uploaded files: the browser shows empty file inputs, so the files have to be chosen
    /// again, and files that aren't posted shouldn't stay. Each form has its own `upload` key besides the post's key,
    /// because the next file in an input is another picture.
    private func post(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = await Input.readForm(
            request, context, files: .init(blobs: blobs, most: PostRules.photosCount.upperBound))
        var form = Form(
            photos: Self.chosen(input), caption: input.text("caption"),
            language: input.filled("language"),
            audience: Post.Visibility(rawValue: input.text("audience")) ?? .followers,
            isCovered: input.bool("covered") ?? false, warning: input.text("warning"),
            isFindable: input.bool("findable") ?? false)
        if let key = input.filled("key") { form.key = key }
        for id in form.photos {
            if let text = input.string("description-\(id)") { form.descriptions[id] = text.trimmed }
        }
        var draft = PostService.Draft(
            words: PostWords(
                caption: form.caption, warning: form.isCovered ? form.warning : nil,
                language: form.language),
            photos: form.photos, visibility: form.audience, isFindable: form.isFindable,
            descriptions: form.descriptions)
        var uploaded: [Photo.ID] = []
        do {
            try input.checkWhole()
            try draft.check(with: input.files.count)
            let upload = input.text("upload").prefix(100)
            for (index, file) in input.files.enumerated() {
                let key = upload.isEmpty ? nil : IdempotencyKey.form("\(upload) \(index)", scope: "photo")
                let photo = try await photos.upload(file.blob, kind: file.kind, by: viewer, key: key)
                uploaded.append(photo.id)
            }
            draft.photos += uploaded
            let post = try await posts.post(draft, by: viewer, key: .form(form.key, scope: "status"))
            return .see(
                AppPaths.home,
                flash: .good(post.photos.count == 1 ? "Your photo is posted." : "Your photos are posted."))
        } catch {
            await input.discardFiles(in: blobs)
            await context.attempt("erasing the photos of a refused post") {
                try await photos.discard(uploaded, by: viewer)
            }
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                form.problems = refusal.fields
                let isBesideField = refusal.fields.keys.contains(where: Self.fields.contains)
                let sentence = isBesideField ? nil : refusal.message
                let advice = input.hadFiles ? Self.chooseAgain : nil
                let message = [sentence, advice].compactMap(\.self).joined(separator: " ")
                form.message = message.isEmpty ? nil : message
                return try await page(request, context, form, status: status)
            }
        }
    }

    /// Returns an empty form, with photos of the library that an address chooses.
    private func page(
        _ request: Request, _ context: AppContext, chosen: [Photo.ID]
    ) async throws -> Response {
        let viewer = try context.viewer
        let (defaults, choices) = try await posts.composing(
            by: viewer, chosen: chosen, limit: Self.pickerPage)
        let form = Form(
            photos: chosen, language: defaults.language, audience: defaults.visibility,
            isCovered: defaults.isCovered)
        return page(request, context, viewer, form, choices)
    }

    private func page(
        _ request: Request, _ context: AppContext, _ form: Form, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let viewer = try context.viewer
        let choices = try await photos.choices(of: viewer, chosen: form.photos, limit: Self.pickerPage)
        return page(request, context, viewer, form, choices, status: status)
    }

    private func page(
        _ request: Request, _ context: AppContext, _ viewer: Account, _ form: Form, _ choices: [Photo],
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let choicesByID = Dictionary(uniqueKeysWithValues: choices.map { ($0.id, $0) })
        return Page(
            title: "New post", styles: [.posts, .photos, .composer, .controls], tab: .create,
            bodyClass: "grouped pushed"
        ).response(frame, request, context, status: status) {
            element("post-composer") {
                HTML.form(.method("post"), .action("/posts"), .multipart) {
                    header(.class("bar")) {
                        a(.class("back"), .href(AppPaths.home), .flag("data-back")) { "Cancel" }
                        h1 { "New post" }
                        div(.class("actions")) { button(.class("button")) { "Share" } }
                    }
                    main(.id("content"), .class("composer")) {
                        input(.type("hidden"), .name("key"), .value(form.key))
                        input(.type("hidden"), .name("upload"), .value(UUID().uuidString))
                        frame.alert(form.message)
                        picker(choices, form)
                        ol(.class("group chosen"), .flag("data-chosen"), .label("Chosen photos, in order")) {
                            for (index, id) in form.photos.enumerated() {
                                if let photo = choicesByID[id] {
                                    chosen(
                                        id.description, PhotoComponents.square(photo, alt: ""),
                                        String(index + 1), form.descriptions[id] ?? photo.description)
                                }
                            }
                        }
                        div(.class("field")) {
                            label(.for("caption")) { "Caption" }
                            frame.countedText(
                                "caption", form.caption, rows: 4, limit: PostRules.captionLength,
                                placeholder: "Say something about it…", problem: form.problems["status"])
                        }
                        PostCover.choice(
                            frame, isOn: form.isCovered, warning: form.warning,
                            problem: form.problems["spoiler_text"],
                            below: PostLanguageChoice(frame: frame, chosen: form.language).line(
                                problem: form.problems["language"]))
                        PostAudienceChoice(frame: frame).draw(form.audience, of: viewer)
                        PostFindablePages.choice(frame, isOn: form.isFindable)
                    }
                }
                template("choice") {
                    choice("{id}", PhotoComponents.square("{src}", alt: "New photo"), order: nil)
                }
                template("chosen") {
                    chosen("{id}", PhotoComponents.square("{src}", alt: ""), "{number}", "{description}")
                }
            }
        }
    }

    private func picker(_ choices: [Photo], _ form: Form) -> Node {
        let inputs = PhotoInputs(frame: frame)
        let places = Dictionary(uniqueKeysWithValues: zip(form.photos, form.photos.indices))
        return section(.attribute("aria-labelledby", "photos-title")) {
            h2(.class("section-title"), .id("photos-title")) {
                span { "Photos" }
                span(.flag("data-chosen-count")) { "\(form.photos.count) of 10" }
            }
            element("photo-upload", .class("block"), .attribute("data-purpose", "post")) {
                ul(.class("picker"), .attribute("tabindex", "0"), .label("Photos to choose from")) {
                    li { inputs.files }
                    li { inputs.shot("bring", words: "Take a photo") }
                    for photo in choices {
                        choice(
                            photo.id.description, PhotoComponents.choice(photo), order: places[photo.id])
                    }
                }
                ul(.class("tray"), .flag("data-tray")) {}
            }
            p(.class("error"), .id("photos-error"), .hidden(form.problems["media_ids"] == nil)) {
                form.problems["media_ids"]?.sentence ?? ""
            }
        }
    }

    /// Draws a photo of the library that can be chosen.
    ///
    /// - Parameter order: the place of a chosen photo in the post, from 0.
    private func choice(_ id: String, _ picture: Node, order: Int?) -> Node {
        li {
            label {
                input(
                    .class("cover"), .type("checkbox"), .name("photo"), .value(id), .checked(order != nil))
                picture
                span(.class("order"), .decorative) { order.map { String($0 + 1) } ?? "" }
            }
        }
    }

    /// Draws a photo that is chosen, with a field for its description.
    ///
    /// - Parameter number: the place of the photo in the post, from 1.
    private func chosen(_ id: String, _ picture: Node, _ number: String, _ description: String) -> Node {
        li(.attribute("data-id", id)) {
            picture
            textarea(
                .name("description-\(id)"), .rows(1), .maxlength(Photo.descriptionLength),
                .label("Description of photo \(number)"),
                .placeholder("Describe it for people who can’t see it")
            ) { description }
            button(.class("symbol grip"), .type("button"), .label("Move photo \(number)")) {
                frame.icon("grip-vertical")
            }
        }
    }
}
