import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// Settings → Profile: banner, portrait, name, username, bio and fields.
struct SettingsProfilePages {
    let frame: Frame
    let accounts: AccountService
    let blobs: any BlobStore

    func add(to router: Router<AppContext>) {
        router.get("settings/profile") { request, context in
            let viewer = try context.viewer
            let form = ProfileForm(
                username: viewer.username, displayName: viewer.displayName, bio: viewer.bio,
                fields: viewer.fields)
            return page(request, context, viewer, form)
        }
        router.post("settings/profile", use: save)
    }

    private struct ProfileForm {
        var username: String
        var displayName: String
        var bio: String
        var fields: [ProfileField]
        var removesBanner = false
        var problems: [String: Refusal.Problem] = [:]
        var message: String?
    }

    private func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = await Input.readForm(request, context, files: .init(blobs: blobs, most: 2))
        let fields = [ProfileField](input.objects("fields_attributes"))
        var form = ProfileForm(
            username: input.text("username"), displayName: input.text("display_name"),
            bio: input.text("note"),
            fields: fields.isEmpty ? viewer.fields : fields,
            removesBanner: input.bool("remove_header") == true)
        do {
            try input.checkWhole()
            _ = try await accounts.update(
                .init(
                    username: form.username == viewer.username ? nil : form.username,
                    displayName: form.displayName, bio: form.bio,
                    portrait: .init(.init(input)),
                    banner: .init(.init(bannerOf: input), isRemoved: form.removesBanner),
                    fields: form.fields),
                of: viewer)
            await input.discardFiles(in: blobs)
            return .see(AppPaths.settings, flash: .good("Profile saved."))
        } catch {
            await input.discardFiles(in: blobs)
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                form.problems = refusal.fields
                if refusal.fields.isEmpty { form.message = refusal.message }
                return page(request, context, viewer, form, status: status)
            }
        }
    }

    private func page(
        _ request: Request, _ context: AppContext, _ viewer: Account, _ form: ProfileForm,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        SettingsScreen(frame: frame).response(
            "Profile", styles: [.profiles], request, context, status: status
        ) {
            element("portrait-form", .attribute("data-then", AppPaths.settings)) {
                HTML.form(.class("form"), .method("post"), .action(ProfilePaths.edit), .multipart) {
                    frame.alert(form.message)
                    bannerPicker(viewer, isRemoved: form.removesBanner)
                    frame.problem("header", form.problems)
                    PortraitPicker(frame: frame).node(
                        current: frame.portrait(viewer, pixels: 96), label: "New portrait")
                    frame.problem("portrait", form.problems)
                    frame.field(
                        "display_name", "Name", value: form.displayName, problems: form.problems,
                        .autocomplete("name"), .required)
                    frame.field(
                        "username", "Username", value: form.username, problems: form.problems,
                        note: "Links with your old username stop working.", .autocomplete("username"),
                        .attribute("autocapitalize", "none"), .attribute("spellcheck", "false"), .required)
                    div(.class("field")) {
                        label(.for("note")) { "Bio" }
                        frame.countedText(
                            "note", form.bio, rows: 3, limit: AccountRules.bioLength.upperBound,
                            problem: form.problems["note"])
                    }
                    fieldInputs(form)
                    button(.class("button primary tall")) { "Save" }
                }
            }
        }
    }

    /// Draws the control that chooses and removes the banner.
    private func bannerPicker(_ viewer: Account, isRemoved: Bool) -> Node {
        div(.class("banner-choice")) {
            label(.class("banner-picker")) {
                frame.icon("image-fill")
                span { "Add a banner" }
                input(
                    .class("cover"), .type("file"), .name("header"), .accept("image/*"), .label("New banner"))
                viewer.banner.map { img(.src(Portrait.path($0, .banner)), .alt("")) } ?? .empty
                span(.class("sign")) { frame.icon("image-fill") }
            }
            if viewer.banner != nil {
                div(.class("group")) {
                    frame.toggle("remove_header", isOn: isRemoved, "Remove the banner")
                }
            }
        }
    }

    /// Draws the inputs of the fields under the bio, those of a field side by side.
    private func fieldInputs(_ form: ProfileForm) -> Node {
        fieldset(.class("field-inputs")) {
            legend { "Links and facts" }
            frame.problem("fields_attributes", form.problems)
            for index in 0..<ProfileField.most {
                let field = index < form.fields.count ? form.fields[index] : ProfileField(name: "", value: "")
                let name = "fields_attributes[\(index)]"
                div(.class("pair")) {
                    frame.field(
                        "\(name)[name]", "Label \(index + 1)", value: field.name, problems: form.problems,
                        .attribute("placeholder", "Label"), .autocomplete("off"))
                    frame.field(
                        "\(name)[value]", "Text \(index + 1)", value: field.value, problems: form.problems,
                        .attribute("placeholder", "Text"), .autocomplete("off"),
                        .attribute("autocapitalize", "none"), .attribute("spellcheck", "false"))
                }
            }
            p(.class("note")) { "Shown under your bio, such as “Website” and its address." }
        }
    }
}

extension [ProfileField] {
    /// Creates fields from what a form or call sends about each.
    init(_ objects: [[String: String]]) {
        self = objects.map {
            ProfileField(name: ($0["name"] ?? "").trimmed, value: ($0["value"] ?? "").trimmed)
        }
    }
}
