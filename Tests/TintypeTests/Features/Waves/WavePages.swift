import Core
import HTML
import Hummingbird
import Serving

/// The page of waves, and the card of one in chats.
struct WavePages {
    let frame: Frame
    let waves: WaveService
    let cards: WaveCards

    func add(to router: Router<AppContext>) {
        router.get("waves", use: list)
        router.post("waves", use: send)
        router.get("waves/:id/card") { request, context in
            let wave = try await waves.wave(context.id("id"), for: context.viewer)
            return Response.html(cards.card(wave), for: request)
        }
    }

    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let found = try await waves.waves(at: context.viewer, page: PageRequest(Input.query(request)))
        return Page(title: "Waves", styles: [.waves], tab: .waves, link: .waves)
            .response(frame, request, context) {
                frame.menuBar("Waves")
                main(.id("content")) {
                    form(.class("form"), .method("post"), .action(Wave.path)) {
                        frame.field("username", "Username")
                        button(.class("button primary")) { "Wave" }
                    }
                    // A script shows new waves as they come.
                    element("wave-list") { ul { for wave in found { row(wave) } } }
                }
            }
    }

    private func row(_ wave: Wave) -> Node {
        li(.id("wave-\(wave.id)")) {
            frame.portrait(wave.sender, pixels: 40)
            b { wave.sender.username }
            frame.time(wave.id.createdAt)
            a(.href("\(Wave.path)/\(wave.id)/report")) { "Report" }
        }
    }

    private func send(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let username = try await Input.read(request, context).text("username")
        _ = try await waves.wave(by: viewer) {
            try AccountRecords($0).account(username: username, for: viewer)
        }
        return .see(Wave.path, flash: .good("You waved at \(username)."))
    }
}
