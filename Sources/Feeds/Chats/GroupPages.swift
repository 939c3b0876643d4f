import Core
import HTML
import Hummingbird
import People
import Serving
import Storage

/// The pages of groups: making one, its name and members, adding friends.
struct GroupPages {
    let frame: Frame
    let chats: ChatService
    let relations: RelationshipService
    let photos: PhotoService
    let blobs: any BlobStore

    func add(to router: Router<AppContext>) {
        router.get("messages/new/group", use: newGroup)
        router.post("messages/new/group", use: make)
        router.get("messages/:id/group", use: group)
        router.post("messages/:id/group", use: rename)
        router.post("messages/:id/group/picture", use: choosePicture)
        router.get("messages/:id/group/add", use: friends)
        router.post("messages/:id/group/add", use: add)
        router.post("messages/:id/group/remove/:account") { request, context in
            let id = try context.id("id", of: Chat.self)
            try await chats.remove(context.id("account"), from: id, by: context.viewer)
            return Response.see(ChatPaths.group(id), flash: .good("Removed."))
        }
        router.post("messages/:id/group/leave") { request, context in
            let viewer = try context.viewer
            try await chats.remove(viewer.id, from: context.id("id"), by: viewer)
            return Response.see(AppPaths.messages, flash: .good("You left the group."))
        }
    }

    // MARK: A new group

    private func newGroup(_ request: Request, _ context: AppContext) async throws -> Response {
        try await newGroup(Input.query(request), request, context)
    }

    private func newGroup(
        _ input: Input, _ request: Request, _ context: AppContext, problem: String? = nil,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let viewer = try context.viewer
        let chooser = FriendChooser(
            frame: frame, relations: relations, path: ChatPaths.newGroup, action: ChatPaths.newGroup,
            title: "Friends", button: "Make group", limit: GroupRules.mostOthers)
        let (_, friends) = try await chooser.friends(input, of: viewer) { _ in () }
        if request.wantsFragment { return .html(chooser.fragment(friends), for: request) }
        return Page(
            title: "New group", styles: [.chats, .accounts], tab: .friends, link: .messages,
            bodyClass: "grouped"
        ).response(frame, request, context, status: status) {
            frame.bar("New group", back: ("New message", ChatPaths.new))
            main(.id("content"), .class("settings")) {
                if friends.isEmpty {
                    frame.empty(
                        "people", "A group is made of friends: people who follow you and whom you follow.",
                        action: ("Find people", AppPaths.users))
                } else {
                    if let problem { p(.class("error"), .role("alert")) { problem } }
                    chooser.form(
                        friends, above: .list([key(input), titleField(input.text("title"))]))
                    p(.class("note")) {
                        "Everyone in it sees what all write. A group has at most \(GroupRules.mostMembers) people."
                    }
                }
            }
        }
    }

    private func titleField(_ title: String) -> Node {
        div(.class("field")) {
            label(.for("title")) { "Name" }
            input(
                .class("input"), .id("title"), .name("title"), .value(title),
                .maxlength(GroupRules.titleLength),
                .placeholder("Pizza or ramen?"), .autocomplete("off"))
        }
    }

    /// Draws what makes a form that is sent twice make one group.
    private func key(_ form: Input) -> Node {
        input(.type("hidden"), .name("key"), .value(form.string("key") ?? Session.newToken()))
    }

    private func make(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        do {
            let chat = try await chats.makeGroup(
                FriendChooser.chosen(input, upTo: GroupRules.mostOthers), title: input.text("title"),
                by: viewer,
                key: input.string("key").map { .form($0, scope: "group") })
            return .see(ChatPaths.page(chat.id))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                try await newGroup(input, request, context, problem: refusal.message, status: status)
            }
        }
    }

    // MARK: Name and members

    private func group(_ request: Request, _ context: AppContext) async throws -> Response {
        let chat = try await chats.chat(context.id("id"), for: context.viewer)
        return try page(chat, request, context)
    }

    private func page(
        _ chat: Chat, _ request: Request, _ context: AppContext, problem: String? = nil,
        status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let viewer = try context.viewer
        guard let group = chat.group else { throw Refusal.notFound }
        return Page(
            title: chat.title, styles: [.chats, .accounts], tab: .friends, link: .messages,
            bodyClass: "grouped"
        ).response(frame, request, context, status: status) {
            frame.bar("Group", back: ("Chat", ChatPaths.page(chat.id))) {
                chat.isRequest ? nil : ChatMutePages.control(chat, frame)
            }
            main(.id("content"), .class("settings")) {
                head(chat, group, viewer)
                if let problem { p(.class("error"), .role("alert")) { problem } }
                if !chat.isRequest { changes(chat, group) }
                members(chat, group, viewer)
                button(
                    .class("button danger tall"), .type("button"), .attribute("popovertarget", "leave-group")
                ) {
                    "Leave group"
                }
            }
            frame.question(
                id: "leave-group", title: "Leave this group?",
                explanation: group.owner == viewer.id && group.membersCount > 1
                    ? "It is passed on to the member who has been in it longest."
                    : "You won’t see it any more.",
                action: "\(ChatPaths.group(chat.id))/leave", yes: "Leave group", no: "Stay")
        }
    }

    private func head(_ chat: Chat, _ group: Group, _ viewer: Account) -> Node {
        header(.class("group-head")) {
            ChatComponents.portrait(chat, viewer, pixels: 86, frame)
            h2 { chat.title }
            p { group.membersCount.of("person", "people") }
        }
    }

    private func changes(_ chat: Chat, _ group: Group) -> Node {
        .list([
            form(.class("group-name"), .method("post"), .action(ChatPaths.group(chat.id))) {
                titleField(group.title)
                button(.class("button")) { "Save name" }
            },
            form(.method("post"), .action("\(ChatPaths.group(chat.id))/picture"), .multipart) {
                div(.class("group")) {
                    label(.class("choice")) {
                        frame.icon("image")
                        span { "Choose a picture" }
                        input(.type("file"), .name("file"), .accept("image/*"))
                    }
                    button(.class("choice")) { "Use this picture" }
                }
            },
        ])
    }

    private func members(_ chat: Chat, _ group: Group, _ viewer: Account) -> Node {
        section(.attribute("aria-labelledby", "members-title")) {
            h2(.class("group-title"), .id("members-title")) { "Members" }
            ul(.class("group rows")) {
                if !chat.isRequest && group.membersCount < GroupRules.mostMembers {
                    li {
                        a(.class("row"), .href(ChatPaths.add(to: chat.id))) {
                            span(.class("portrait sign"), .decorative) { frame.icon("plus-lg") }
                            span(.class("text")) { b { "Add friends" } }
                        }
                    }
                }
                for member in group.members {
                    row(
                        member, in: chat, group,
                        mayRemove: group.owner == viewer.id && member.account.id != viewer.id)
                }
            }
        }
    }

    private func row(_ member: Group.Member, in chat: Chat, _ group: Group, mayRemove: Bool) -> Node {
        let account = member.account
        let signs = [
            account.id == group.owner ? "Owner" : "", member.isInvited ? "Invited" : "",
            member.isBlocked ? "Blocked by you" : "",
        ].filter { !$0.isEmpty }
        return li(.class("member"), .attribute("data-account", account.id.description)) {
            a(.class("row"), .href(AppPaths.profile(account.username))) {
                frame.portrait(account, pixels: 48)
                span(.class("text")) {
                    b { account.displayName }
                    span { (["@\(account.username)"] + signs).joined(separator: " · ") }
                }
            }
            if mayRemove {
                form(.method("post"), .action("\(ChatPaths.group(chat.id))/remove/\(account.id)")) {
                    button(.class("button small"), .label("Remove \(account.displayName)")) { "Remove" }
                }
            }
        }
    }

    private func rename(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.id("id", of: Chat.self)
        let title = try await Input.read(request, context).text("title")
        return try await changed(id, request, context) {
            _ = try await chats.rename(id, to: title, by: context.viewer)
        }
    }

    private func choosePicture(_ request: Request, _ context: AppContext) async throws -> Response {
        let (viewer, id) = (try context.viewer, try context.id("id", of: Chat.self))
        _ = try await chats.chat(id, for: viewer)
        let input = await Input.readForm(request, context, files: .init(blobs: blobs, most: 1))
        return try await changed(id, request, context) {
            do {
                try input.checkWhole()
                guard let file = input.files.first else {
                    throw Refusal.invalid("file", "ERR_BLANK", "Choose a picture.")
                }
                let photo = try await photos.upload(file.blob, kind: file.kind, by: viewer, key: nil)
                _ = try await chats.setPicture(photo.id, of: id, by: viewer)
            } catch {
                await input.discardFiles(in: blobs)
                throw error
            }
        }
    }

    /// Changes a group, and shows its page again, with what was refused.
    private func changed(
        _ id: Chat.ID, _ request: Request, _ context: AppContext, _ change: () async throws -> Void
    ) async throws -> Response {
        do {
            try await change()
            return .see(ChatPaths.group(id), flash: .good("Saved."))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                let chat = try await chats.chat(id, for: context.viewer)
                return try page(chat, request, context, problem: refusal.message, status: status)
            }
        }
    }

    // MARK: Adding friends

    private func friends(_ request: Request, _ context: AppContext) async throws -> Response {
        let (viewer, id) = (try context.viewer, try context.id("id", of: Chat.self))
        let chooser = FriendChooser(
            frame: frame, relations: relations, path: ChatPaths.add(to: id), action: ChatPaths.add(to: id),
            title: "Friends", button: "Add", limit: GroupRules.mostOthers)
        let (_, friends) = try await chooser.friends(
            Input.query(request), of: viewer,
            leavingOut: { (chat: Chat) in Set(chat.group?.members.map(\.account.id) ?? []) },
            for: { try ChatRecords($0).groupChat(id, for: viewer) })
        if request.wantsFragment { return .html(chooser.fragment(friends), for: request) }
        return Page(
            title: "Add friends", styles: [.chats, .accounts], tab: .friends, link: .messages,
            bodyClass: "grouped"
        ).response(frame, request, context) {
            frame.bar("Add friends", back: ("Group", ChatPaths.group(id)))
            main(.id("content"), .class("settings")) {
                if friends.isEmpty {
                    frame.empty("people", "All of your friends are in this group.")
                } else {
                    chooser.form(friends)
                }
                p(.class("note")) { "They see what comes from now on." }
            }
        }
    }

    private func add(_ request: Request, _ context: AppContext) async throws -> Response {
        let id = try context.id("id", of: Chat.self)
        let people = FriendChooser.chosen(
            try await Input.read(request, context), upTo: GroupRules.mostOthers)
        guard !people.isEmpty else {
            return .see(ChatPaths.add(to: id), flash: .error("Choose at least one friend."))
        }
        do {
            _ = try await chats.add(people, to: id, by: context.viewer)
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(ChatPaths.add(to: id), flash: .error(refusal.message))
        }
        return .see(ChatPaths.group(id), flash: .good("Added."))
    }
}
