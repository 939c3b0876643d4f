import Core
import HTML
import Hummingbird
import People
import Serving

/// Settings → Download my data and Settings → Delete account.
struct DataPages {
    let frame: Frame
    let downloads: DownloadService
    let deletion: AccountDeletion
    let files: PhotoFiles
    /// Whether the session's cookie is for HTTPS only.
    let isSecure: Bool

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings/data", use: data)
        router.post("settings/data", use: ask)
        router.get("settings/data/:id", use: file)
        router.get("settings/delete") { request, context in
            try await deletePage(request, context)
        }
        router.post("settings/delete", use: delete)
    }

    // MARK: Download my data

    private func data(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let download = try await downloads.download(of: viewer)
        let state = Node.list([download.map { status($0, viewer) } ?? .empty])
        if request.wantsFragment { return .html(state, for: request) }
        return screen.response("Download my data", request, context) {
            p(.class("lead")) {
                "A zip file with your photos in full size and all your texts as JSON. You can go on using Tintype while it is prepared. It stays here for three days."
            }
            form(.method("post"), .action("/settings/data")) {
                button(
                    .class("button primary tall"),
                    .disabled(download?.state == .waiting || download?.state == .packing)
                ) { "Prepare my download" }
            }
            element("download-status") { state }
        }
    }

    private func status(_ download: Download, _ viewer: Account) -> Node {
        switch download.state {
        case .ready: ready(download, viewer)
        case .failed:
            p(.class("error"), .role("alert")) {
                "Your last download couldn’t be prepared. Try again later, or ask the person who runs this server."
            }
        case .waiting, .packing:
            section(.attribute("aria-labelledby", "making-title")) {
                h2(.class("group-title"), .id("making-title")) { "In progress" }
                div(.class("group")) {
                    div(.class("choice")) {
                        span {
                            download.state == .waiting
                                ? "Waiting to start"
                                : "Packing \(download.photosPacked.grouped) of \(download.photosCount.of("photo"))"
                            progress(
                                .attribute("max", String(max(1, download.photosCount))),
                                .value(String(download.photosPacked)), .label("Packing"))
                        }
                    }
                }
            }
        }
    }

    @NodeBuilder private func ready(_ download: Download, _ viewer: Account) -> Node {
        if let expiresAt = download.expiresAt, expiresAt > frame.now() {
            section(.attribute("aria-labelledby", "ready-title")) {
                h2(.class("group-title"), .id("ready-title")) { "Ready" }
                div(.class("group")) {
                    a(.class("choice"), .href("/settings/data/\(download.id)"), .attribute("download", "")) {
                        frame.icon("download")
                        screen.text(
                            .text("tintype-\(viewer.username).zip"),
                            note: .text(
                                "\(ByteSize.words(download.byteCount)) · until \(Timestamp.dayInWords(expiresAt))"
                            ))
                    }
                }
            }
        }
    }

    private func ask(_ request: Request, _ context: AppContext) async throws -> Response {
        _ = try await downloads.ask(by: context.viewer)
        return .see("/settings/data", flash: .good("Your download is being prepared."))
    }

    private func file(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let blob = try await downloads.file(context.id("id"), of: viewer)
        return try await files.file(
            blob, type: "application/zip", request, context, cache: "private, no-store", vary: "Cookie",
            name: "tintype-\(viewer.username).zip")
    }

    // MARK: Delete account

    private func delete(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let password = try await Input.read(request, context).string("password") ?? ""
        do {
            try await deletion.delete(in: session, password: password)
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                try await deletePage(request, context, refusal, status: status)
            }
        }
        var response = Response.see(AppPaths.logIn, flash: .good("Your account is deleted."))
        response.setCookie(Session.cookie(nil, isSecure: isSecure))
        response.headers[.clearSiteData] = "\"cache\", \"storage\""
        return response
    }

    private func deletePage(
        _ request: Request, _ context: AppContext, _ refusal: Refusal? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let extent = try await deletion.extent(of: context.viewer)
        return screen.response("Delete account", request, context, status: status) {
            p(.class("lead")) {
                "This deletes everything of yours, files included: \(extent.posts.of("post")), \(extent.photos.of("photo")), all messages and comments. It can’t be undone."
            }
            form(.class("form"), .method("post"), .action("/settings/delete")) {
                frame.alert(refusal)
                frame.field(
                    "password", "Enter your password to confirm", type: "password",
                    problems: refusal?.fields ?? [:],
                    .autocomplete("current-password"), .required)
                button(.class("button danger tall")) { "Delete my account" }
            }
            a(.class("button plain"), .href("/settings/data")) { "Download my data first" }
        }
    }
}
