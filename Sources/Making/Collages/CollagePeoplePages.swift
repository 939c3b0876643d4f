import Core
import Feeds
import Foundation
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The pages for making a collage together: inviting friends, assigning cells, leaving.
struct CollagePeoplePages {
    let frame: Frame
    let collages: CollageService
    let relations: RelationshipService
    let chats: ChatService

    func add(to router: Router<AppContext>) {
        router.get("collage/with/:id", use: offer)
        router.post("collage/with/:id") { request, context in
            let chat = try context.id("id", of: Chat.self)
            let begun = try await collages.begin(with: .chat(chat), by: context.viewer)
            return Response.see(CollageService.path(begun.id))
        }
        router.get("collage/:id/together", use: show)
        router.post("collage/:id/invite", use: invite)
        router.post("collage/:id/assign", use: assign)
    }

    // MARK: From a chat

    private func offer(_ request: Request, _ context: AppContext) async throws -> Response {
        let chat = try await chats.chat(context.id("id"), for: context.viewer)
        return Page(title: "Collage together", styles: [.collagePages], tab: .friends, bodyClass: "grouped")
            .response(frame, request, context) {
                frame.bar("Collage together", back: (chat.title, ChatPaths.page(chat.id)))
                main(.id("content"), .class("settings")) {
                    div(.class("empty")) {
                        frame.icon("grid-1x2")
                        for sentences in Self.offer(in: chat) { p { sentences } }
                        form(.method("post"), .action("/collage/with/\(chat.id)")) {
                            button(.class("button primary")) { "Begin" }
                        }
                    }
                }
            }
    }

    /// Returns what happens when a collage begins in a chat, in paragraphs.
    private static func offer(in chat: Chat) -> [String] {
        if let peer = chat.peer {
            return [
                """
                You and \(peer.displayName) fill a square with your photos, each from your own phone. It \
                appears in your chat, and when it is finished you both get the picture.
                """
            ]
        }
        return [
            """
            Everyone in “\(chat.title)” fills a square with you, each from their own phone. It appears in the group, and \
            when it is finished everyone who gave a photo gets the picture.
            """,
            """
            People who leave the group leave the collage, too. People who join later take part when you invite the \
            group again.
            """,
        ]
    }

    // MARK: People

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let id = try context.id("id", of: Collage.self)
        let path = CollageService.path(id)
        let chooser = ReceiverChooser(
            frame: frame, relations: relations, path: "\(path)/together", action: "\(path)/invite",
            title: "Invite friends and groups", button: "Invite")
        let (collage, friends) = try await chooser.offered(
            Input.query(request), of: viewer, leavingOut: { Set($0.people.map(\.id)) },
            for: { try CollageRecords($0).collage(id, for: viewer) })
        let isOwner = collage.owner.id == viewer.id
        if request.wantsFragment { return .html(chooser.form.fragment(friends), for: request) }
        return Page(
            title: "Together", styles: [.collagePages, .accounts, .chats], tab: .create,
            bodyClass: "grouped"
        ).response(frame, request, context) {
            frame.bar("Together", back: ("Collage", path))
            main(.id("content"), .class("settings")) {
                if collage.isShared {
                    section(.attribute("aria-labelledby", "people-title")) {
                        h2(.class("group-title"), .id("people-title")) {
                            collage.isFinished ? "Who made it" : "Who fills it"
                        }
                        ul(.class("group rows")) {
                            for person in [collage.owner] + collage.people { row(person, in: collage) }
                        }
                    }
                    if isOwner, !collage.isFinished { assignments(of: collage) }
                }
                if let source = collage.copiedFrom { original(source) }
                if isOwner, !collage.isFinished, !collage.hasLentPhotos { chooser.form.form(friends) }
                p(.class("note")) { Self.explanation(of: collage) }
                button(
                    .class("button danger"), .type("button"), .attribute("popovertarget", "leave-question")
                ) { isOwner ? "Delete collage" : "Leave collage" }
            }
            leaveQuestion(collage, isOwner: isOwner)
        }
    }

    /// Returns what happens to the photos in a collage.
    private static func explanation(of collage: Collage) -> String {
        if collage.hasLentPhotos {
            return """
                The photos of others are in your copy until they delete them or leave the finished collage. To invite \
                friends to your copy, remove these photos first.
                """
        }
        let ofGroups = """
            People who leave a group that was invited leave the collage, too. People who join the group later take part \
            when the owner invites it again.
            """
        let ofPictures = """
            Everyone who gives a photo gets the finished picture, and can edit a copy of the collage for themselves. To \
            take your photos out of all of them, leave the collage or delete the photos.
            """
        return collage.groups.isEmpty || collage.isFinished ? ofPictures : "\(ofGroups) \(ofPictures)"
    }

    /// Draws the link from a copy to the collage that was made together.
    private func original(_ id: Collage.ID) -> Node {
        ul(.class("group rows")) {
            li {
                a(.class("row"), .href("\(CollageService.path(id))/together")) {
                    span(.class("text")) { b { "The finished collage" } }
                    frame.icon("chevron-right", class: "icon chevron")
                }
            }
        }
    }

    private func row(_ person: Account, in collage: Collage) -> Node {
        let count = collage.cells.count { $0.giver?.id == person.id && $0.photo != nil }
        return li {
            a(.class("row"), .href(AppPaths.profile(person.username))) {
                frame.portrait(person, pixels: 48)
                span(.class("text")) {
                    b { person.displayName }
                    span { count == 0 ? "No photo yet" : count.of("photo") }
                }
            }
        }
    }

    private func leaveQuestion(_ collage: Collage, isOwner: Bool) -> Node {
        frame.question(
            id: "leave-question", title: isOwner ? "Delete this collage?" : "Leave this collage?",
            explanation: isOwner
                ? (collage.isShared ? "It ends for everyone. " : "") + "Pictures in your library stay."
                : "Your photos are taken out of it.",
            action: "\(CollageService.path(collage.id))/leave",
            yes: isOwner ? "Delete collage" : "Leave collage", no: "Keep it")
    }

    /// Draws for each cell the choice of the person who fills it.
    private func assignments(of collage: Collage) -> Node {
        form(.method("post"), .action("\(CollageService.path(collage.id))/assign")) {
            section {
                h2(.class("group-title")) { "Who fills which cell" }
                div(.class("group assignments")) {
                    for (index, cell) in collage.shownCells.enumerated() {
                        assignment(of: cell, index, collage)
                    }
                }
            }
            button(.class("button")) { "Save" }
        }
    }

    private func assignment(of cell: CollageCell, _ index: Int, _ collage: Collage) -> Node {
        label(.class("row")) {
            span(.class("text")) { "Cell \(index + 1)" }
            select(.name("assignments[]")) {
                option(.value(""), .flag("selected", cell.assignee == nil)) { "Anyone" }
                for person in [collage.owner] + collage.people {
                    option(
                        .value(person.id.description), .flag("selected", person.id == cell.assignee?.id)
                    ) { person.displayName }
                }
            }
        }
    }

    private func invite(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await together(context) { id in
            let invited = Receivers(input)
            try invited.check()
            _ = try await collages.invite(
                invited.people, andGroups: invited.chats, to: id, by: context.viewer)
            return .good("Invited. They will find the collage in your chat.")
        }
    }

    private func assign(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = try await Input.read(request, context)
        return try await together(context) { id in
            _ = try await collages.set(
                CollageStyleChange(), assignments: input.list("assignments").map { Account.ID($0) }, of: id,
                by: context.viewer)
            return .good("Saved.")
        }
    }

    /// Redirects to the page of people after a form, with a message.
    private func together(
        _ context: AppContext, _ body: (Collage.ID) async throws -> Flash
    ) async throws -> Response {
        let id = try context.id("id", of: Collage.self)
        let path = "\(CollageService.path(id))/together"
        _ = try await collages.collage(id, for: context.viewer)
        do {
            return .see(path, flash: try await body(id))
        } catch let taken as CollageTaken {
            return .see(path, flash: .error(taken.sentence))
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(path, flash: .error(refusal.message))
        }
    }
}
