import Foundation
import HTTPTypes
import Hummingbird
import Testing

@testable import Core
@testable import Feeds
@testable import Making
@testable import People
@testable import Tintype

/// Reads the program's own source: which folder writes the addresses of another.
@Suite("Links between features")
struct PathTests {
    /// The files that write addresses of another folder, and why.
    private static let exceptions = [
        "Core/Account.swift": "Each account has a portrait; Photos serves it",
        "Core/OpenAPI/OpenAPI.swift": "The interface's description names how an app logs in",
        "Core/Web/AppPaths.swift": "The one place for the main screens, to which every feature leads",
        "Core/Resources/public/js/app.js": "Logging out works when no other script can be loaded",
        "Core/Resources/public/js/offline/static-files.js": "Static files have no page of a feature",
        "Core/Resources/public/js/offline/worker.js": "Static files have no page of a feature",
        "Core/Resources/public/js/web/api.js": "A request without a log-in leads to the page that offers one",
        "Core/Web/RequestContext.swift": "Well-known addresses of OAuth answer apps",
        "Core/Web/StaticFiles.swift": "The version of static files is Core's",
        "Feeds/Posts/PostPaths.swift": "Posts lead to sharing, which is above them",
        "People/Relationships/RelationshipPaths.swift":
            "Settings shows both lists, Reports the report of a person",
    ]

    private static let modules = ["Core", "People", "Feeds", "Making", "Tintype"]

    private struct Source {
        var path: String
        /// The module and the folder.
        var folder: String
        var text: String

        var isScript: Bool { path.hasSuffix(".js") }
    }

    private static func sources() throws -> [Source] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardized
        var found: [Source] = []
        for module in modules {
            let files = FileManager.default.enumerator(
                at: root.appending(path: module), includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard ["swift", "js"].contains(file.pathExtension) else { continue }
                let path = String(file.path.dropFirst(root.path.count + 1))
                let parts = path.split(separator: "/")
                found.append(
                    Source(
                        path: path, folder: parts.prefix(parts.count > 2 ? 2 : 1).joined(separator: "/"),
                        text: try String(contentsOf: file, encoding: .utf8)))
            }
        }
        // A feature's scripts are in `js/past-photos` when its folder is `Making/PastPhotos`.
        let folders = Set(found.map(\.folder))
        for index in found.indices where found[index].isScript {
            let name = found[index].path.split(separator: "/").dropFirst(4).first ?? ""
            let words = name.replacing("-", with: "").lowercased()
            found[index].folder =
                folders.first { $0.split(separator: "/").last?.lowercased() == words } ?? "Core/Web"
        }
        return found
    }

    /// Returns the parts of a path, without its query and fragment.
    private static func parts(_ path: String) -> [Substring] {
        path.prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }

    /// Returns a line's string literals, also those inside of others, with `*` for each interpolation but the server's own
    /// address.
    private static func literals(of line: some StringProtocol) -> [String] {
        var found: [String] = []
        var rest = Substring(line)
        while let character = rest.popFirst() {
            if character == "/", rest.first == "/" { break }
            guard character == "\"" else { continue }
            var literal = ""
            while let next = rest.popFirst(), next != "\"" {
                guard next == "\\" else {
                    literal.append(next)
                    continue
                }
                guard rest.popFirst() == "(" else { continue }
                var depth = 1
                var inside = ""
                while let next = rest.popFirst() {
                    if next == "(" { depth += 1 }
                    if next == ")" { depth -= 1 }
                    if depth == 0 { break }
                    inside.append(next)
                }
                if !inside.hasSuffix("publicURL") { literal.append("*") }
                found += literals(of: inside)
            }
            found.append(literal)
        }
        return found
    }

    /// Returns the string and template literals of a line of a script, with `*` for what is put into them.
    private static func scriptLiterals(of line: Substring) -> [String] {
        guard !line.trimmingCharacters(in: .whitespaces).hasPrefix("*"), !line.contains("import") else {
            return []
        }
        return line.matches(of: /"([^"]*)"|`([^`]*)`/).map { match in
            String(match.1 ?? match.2 ?? "").replacing(/\$\{[^}]*\}/, with: "*")
        }
    }

    private struct Route {
        var parts: [Substring]
        var folder: String

        /// Whether the route begins with these parts of an address.
        func begins(with address: [Substring]) -> Bool {
            address.count <= parts.count
                && zip(address, parts).enumerated().allSatisfy { index, pair in
                    let (written, part) = pair
                    if part.hasPrefix("@") { return written.hasPrefix("@") }
                    if index > 0, part.hasPrefix(":") || part.hasPrefix("{") || part == "**" { return true }
                    return written == part || (index > 0 && written == "*")
                }
        }
    }

    /// Returns the routes of all folders, from the literals with which they add them.
    private static func routes(_ sources: [Source]) -> [Route] {
        sources.flatMap { source in
            source.text.matches(
                of: /(?:\brouter\.(?:get|post|put|patch|delete)\(\s*|: RouterPath = )"([^"]+)"/
            )
            .map { Route(parts: parts("/\($0.1)"), folder: source.folder) }
        }
    }

    /// Returns the folders to which an address belongs: those with this route, or else those with a longer one, or else
    /// those whose routes begin alike.
    private static func owners(of address: [Substring], _ routes: [Route]) -> Set<String> {
        let longer = routes.filter { $0.begins(with: address) }
        let exact = longer.filter { $0.parts.count == address.count }
        if !exact.isEmpty { return Set(exact.map(\.folder)) }
        if !longer.isEmpty { return Set(longer.map(\.folder)) }
        return Set(routes.filter { $0.begins(with: Array(address.prefix(1))) }.map(\.folder))
    }

    @Test("No folder writes an address of another folder: it calls a function that returns it")
    func addresses() throws {
        let sources = try Self.sources()
        let routes = Self.routes(sources)
        #expect(routes.count > 150)
        var excused: Set<String> = []
        for source in sources {
            for (index, line) in source.text.split(separator: "\n", omittingEmptySubsequences: false)
                .enumerated()
            {
                for literal in source.isScript ? Self.scriptLiterals(of: line) : Self.literals(of: line)
                where literal.hasPrefix("/") && !literal.hasPrefix("/api/") {
                    let address = Self.parts(literal)
                    guard !address.isEmpty else { continue }
                    let owners = Self.owners(of: address, routes)
                    guard !owners.isEmpty, !owners.contains(source.folder) else { continue }
                    if Self.exceptions[source.path] != nil {
                        excused.insert(source.path)
                    } else {
                        Issue.record(
                            "\(source.path):\(index + 1) writes \(literal) of \(owners.sorted().joined(separator: ", "))"
                        )
                    }
                }
            }
        }
        #expect(excused == Set(Self.exceptions.keys), "An exception that nothing needs is deleted")
    }

    /// The addresses of the path functions, each with the route that answers it.
    private static let answered: KeyValuePairs<String, String> = [
        AppPaths.home: "GET /home",
        AppPaths.logIn: "GET /login",
        AppPaths.logOut: "POST /logout",
        AppPaths.signUp: "GET /signup",
        AppPaths.signUp(code: "CODE"): "GET /signup",
        AppPaths.settings: "GET /settings",
        AppPaths.privacy: "GET /settings/privacy",
        AppPaths.users: "GET /users",
        AppPaths.notifications: "GET /notifications",
        AppPaths.messages: "GET /messages",
        AppPaths.library: "GET /library",
        AppPaths.manifest: "GET /manifest.webmanifest",
        AppPaths.userInfo: "GET /oauth/userinfo",
        AppPaths.profile("ana"): "GET /@{username}",
        InvitationPaths.list: "GET /settings/invitations",
        RelationshipPaths.requests: "GET /requests",
        RelationshipPaths.blocked: "GET /settings/blocked",
        RelationshipPaths.muted: "GET /settings/muted",
        RelationshipPaths.options("ana"): "GET /@{username}/options",
        RelationshipPaths.change(ID(rawValue: 7), "follow"): "POST /accounts/{id}/follow",
        RelationshipPaths.change(ID(rawValue: 7), "unmute"): "POST /accounts/{id}/unmute",
        RelationshipPaths.unfollow(ID(rawValue: 7), next: "/home"): "POST /accounts/{id}/unfollow",
        RelationshipPaths.report(ID(rawValue: 7)): "GET /accounts/{id}/report",
        NotificationPaths.settings: "GET /settings/notifications",
        NotificationPaths.requests: "GET /notifications/requests",
        NotificationPaths.request(of: ID(rawValue: 7)): "GET /notifications/requests/{id}",
        ConnectedAccountPaths.list: "GET /settings/connected",
        PhotoPaths.create: "GET /create",
        PhotoPaths.library(show: "pairs"): "GET /library",
        PhotoPaths.page(ID(rawValue: 7)): "GET /library/{id}",
        PhotoPaths.picture(template: "{id}", .large): "GET /photos/{id}/{size}",
        "\(PostPaths.folder)7": "GET /posts/{id}",
        PostPaths.compose: "GET /posts/new",
        PostPaths.page(ID(rawValue: 7)): "GET /posts/{id}",
        PostPaths.share(ID(rawValue: 7)): "GET /posts/{id}/share",
        PostPaths.search("Zürich"): "GET /search/posts",
        AppPaths.tag("Zürich"): "GET /tags/{name}",
        SnapPaths.list: "GET /snaps",
        SnapPaths.new: "GET /snaps/new",
        ChatPaths.new: "GET /messages/new",
        ChatPaths.newGroup: "GET /messages/new/group",
        ChatPaths.group(ID(rawValue: 7)): "GET /messages/{id}/group",
        ChatPaths.add(to: ID(rawValue: 7)): "GET /messages/{id}/group/add",
        ChatPaths.requests: "GET /messages/requests",
        ChatPaths.search(in: nil): "GET /messages/search",
        ChatPaths.search(in: ID(rawValue: 7)): "GET /messages/{id}/search",
        ChatPaths.page(ID(rawValue: 7)): "GET /messages/{id}",
        ChatPaths.message(ID<Message>(rawValue: 7), in: ID(rawValue: 7)): "GET /messages/{id}",
        ChatPaths.with("ana"): "GET /messages/{id}",
        ChatPaths.answer(ID(rawValue: 7), of: "ana"): "GET /messages/{id}",
        ChatPaths.answer(ID(rawValue: 7), in: ID(rawValue: 7)): "GET /messages/{id}",
        ChatPaths.reply(to: ID(rawValue: 7), in: ID(rawValue: 7)): "GET /messages/{id}",
        PastPhotoPaths.search: "GET /then-and-now/nearby",
        ThenAndNowPaths.camera: "GET /then-and-now",
        ThenAndNowPaths.choose: "GET /then-and-now/choose",
        ThenAndNowPaths.retake(ID(rawValue: 7)): "GET /then-and-now",
        ThenAndNowPaths.again(ID(rawValue: 7)): "GET /then-and-now",
        ThenAndNowPaths.years(ID(rawValue: 7)): "GET /then-and-now/years/{id}",
        ProfilePaths.edit: "GET /settings/profile",
        AdministrationPaths.overview: "GET /administration",
        AdministrationPaths.accounts: "GET /administration/accounts",
        AdministrationPaths.signUp: "GET /administration/sign-up",
        AdministrationPaths.administrators: "GET /administration/administrators",
        AdministrationPaths.record: "GET /administration/record",
        AdministrationPaths.change(ID(rawValue: 7), "suspend"): "POST /administration/accounts/{id}/suspend",
        AdministrationPaths.change(ID(rawValue: 7), "restore"): "POST /administration/accounts/{id}/restore",
        AdministrationPaths.removeAdministrator("ana"):
            "POST /administration/administrators/{username}/remove",
        AdministrationPaths.close(ID(rawValue: 7), "remove"): "POST /administration/reports/{id}/remove",
        AdministrationPaths.close(ID(rawValue: 7), "suspend"): "POST /administration/reports/{id}/suspend",
        AdministrationPaths.close(ID(rawValue: 7), "dismiss"): "POST /administration/reports/{id}/dismiss",
    ]

    @Test("The address that a path function returns is answered by a route of the app")
    func answers() async throws {
        let world = try await World()
        let routes = try world.tintype.router().routes.map { route in
            "\(route.method.rawValue) \(route.path.description)"
        }
        for (address, route) in Self.answered {
            #expect(routes.contains(route), "The app has no route \(route)")
            let (written, parts) = (Self.parts(address), Self.parts(String(route.drop { $0 != "/" })))
            #expect(
                written.count == parts.count && Route(parts: parts, folder: "").begins(with: written),
                "\(address) isn’t answered by \(route)")
        }
        let test = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        for source in try Self.sources() where source.path.hasSuffix("Paths.swift") {
            let declaration = source.text.firstMatch(of: /\benum (\w+)/)
            let name = try #require(declaration).1
            for match in source.text.matches(of: /\bstatic (?:let|func) (\w+)/) {
                #expect(test.contains("\(name).\(match.1)"), "\(name).\(match.1) isn’t tested")
            }
        }
    }

    @Test("Addresses are found in a line, also inside of others")
    func lines() {
        #expect(
            Self.literals(of: #"a(.href("/posts/\(post.id)")) { "See" } // "/home""#) == ["/posts/*", "See"])
        #expect(Self.literals(of: #"see("/x?\(a ?? "/home")")"#) == ["/home", "/x?*"])
        #expect(
            Self.scriptLiterals(of: "go(`/photos/${id}/square`, \"/home\")") == ["/photos/*/square", "/home"])
        #expect(Self.literals(of: #"let url = "\(entities.publicURL)/posts/\(id)""#) == ["/posts/*"])
    }
}
