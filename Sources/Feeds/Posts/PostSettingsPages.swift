import Core
import HTML
import Hummingbird
import Serving

/// The screen Settings → Posts: what new posts begin with, and which pictures the viewer sees covered.
struct PostSettingsPages {
    let frame: Frame
    let posts: PostService
    let accounts: AccountService

    static let path = "/settings/posts"

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings/posts", use: show)
        router.post("settings/posts", use: save)
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        return page(request, context, viewer, try await posts.defaults(of: viewer))
    }

    private func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        _ = try await posts.setDefaults(of: viewer) { defaults in
            defaults.visibility = Post.Visibility(rawValue: input.text("audience")) ?? defaults.visibility
            // A switch that is off sends nothing.
            defaults.isCovered = input.bool("covered") ?? false
            let language = input.text("language")
            defaults.language = language.isEmpty ? nil : language
        }
        if let covering = Covering(rawValue: input.text("covering")) {
            _ = try await accounts.update(.init(covering: covering), of: viewer)
        }
        return .see(AppPaths.settings, flash: .good("Saved."))
    }

    private func page(
        _ request: Request, _ context: AppContext, _ viewer: Account, _ defaults: PostingDefaults
    ) -> Response {
        screen.response("Posts", request, context) {
            form(.method("post"), .action(Self.path)) {
                PostAudienceChoice(frame: frame).draw(
                    defaults.visibility, of: viewer, title: "Who sees new posts")
                section {
                    div(.class("group")) {
                        frame.toggle("covered", isOn: defaults.isCovered, "Cover my photos until tapped")
                    }
                    p(.class("note")) { "New posts begin with this. You can change it for each post." }
                }
                PostLanguageChoice(frame: frame, chosen: defaults.language).field
                covering(viewer.covering)
                button(.class("button primary tall")) { "Save" }
            }
        }
    }

    private func covering(_ chosen: Covering) -> Node {
        fieldset {
            legend(.class("group-title")) { "Pictures I see covered" }
            div(.class("group")) {
                frame.choice(
                    "covering", Covering.marked.rawValue, isChosen: chosen == .marked,
                    "Those that their authors cover")
                frame.choice("covering", Covering.all.rawValue, isChosen: chosen == .all, "All pictures")
                frame.choice("covering", Covering.none.rawValue, isChosen: chosen == .none, "None")
            }
        }
    }
}
