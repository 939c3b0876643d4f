import HTML
import Hummingbird
import Storage

/// The pages of one's own settings.
struct SettingsPages {
    let frame: Frame
    let accounts: AccountService
    let blobs: BlobFolder

    func add(to router: Router<AppContext>) {
        router.get("settings", use: settings)
        router.get("settings/profile") { request, context in
            let viewer = try context.viewer
            return profilePage(request, context, ProfileForm(displayName: viewer.displayName, bio: viewer.bio))
        }
        router.post("settings/profile", use: saveProfile)
    }

    private func settings(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        return Page(title: "Settings", styles: [.accounts], link: .settings, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.menuBar("Settings")
                main(.id("content"), .class("settings")) {
                    div(.class("group")) {
                        a(.class("row"), .href("/settings/profile")) {
                            frame.portrait(viewer, pixels: 40)
                            span(.class("text")) {
                                b { viewer.displayName }
                                span { "@\(viewer.username) · portrait, name, bio" }
                            }
                            frame.icon("chevron-right", class: "icon chevron")
                        }
                    }
                    form(.method("post"), .action("/logout")) {
                        button(.class("button danger tall")) { "Log Out" }
                    }
                    p(.class("note")) { "Tintype \(tintypeVersion). Free software under AGPL-3.0." }
                }
            }
    }

    // MARK: Profile

    private struct ProfileForm {
        var displayName: String
        var bio: String
        var problems: [String: Refusal.Problem] = [:]
    }

    private func saveProfile(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, files: blobs)
        var form = ProfileForm(displayName: input.text("display_name"), bio: input.text("note"))
        do {
            _ = try await accounts.update(
                .init(displayName: form.displayName, bio: form.bio), portrait: PortraitService.Upload(input),
                of: viewer)
            return .see("/@\(viewer.username)", flash: .good("Profile saved."))
        } catch let refusal as Refusal where !refusal.fields.isEmpty {
            await input.discardFiles(in: blobs)
            form.problems = refusal.fields
            return profilePage(request, context, form, status: ErrorResponses.status(refusal.kind))
        }
    }

    private func profilePage(
        _ request: Request, _ context: AppContext, _ form: ProfileForm, status: HTTPResponse.Status = .ok
    ) -> Response {
        Page(title: "Profile", styles: [.accounts, .composer], link: .settings, bodyClass: "grouped")
            .response(frame, request, context, status: status) {
                frame.bar("Profile", back: ("Settings", "/settings"))
                main(.id("content"), .class("settings")) {
                    HTML.form(.class("form"), .method("post"), .action("/settings/profile"), .multipart) {
                        PortraitPicker(frame: frame).node(
                            current: context.session.map { frame.portrait($0.account, pixels: 96) } ?? .empty,
                            label: "New portrait")
                        frame.problem("portrait", form.problems)
                        frame.field(
                            "display_name", "Name", value: form.displayName, problems: form.problems,
                            .autocomplete("name"), .required)
                        div(.class("field")) {
                            label(.for("note")) { "Bio" }
                            frame.countedText(
                                "note", form.bio, rows: 3, limit: AccountRules.bioLength.upperBound,
                                problem: form.problems["note"])
                        }
                        button(.class("button primary tall")) { "Save" }
                    }
                }
            }
    }
}
