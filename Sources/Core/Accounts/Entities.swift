import Foundation
import HTML
import Hummingbird
import Serving

/// The writer of Mastodon's entities (docs.joinmastodon.org/entities), with every field that real apps need
/// (Documentation/Interface.md, "What apps need").
///
/// This file writes people; each feature adds its own entities in an extension.
package struct Entities: Sendable {
    package let signatures: PictureSignatures
    package let publicURL: String
    /// The URL of the picture for accounts without a banner. Apps leave out a picture of this name.
    private let missingBanner: String
    private let accounts = Cache<Account.ID, AccountFragment>(capacity: 10_000, bytes: 2_000_000) {
        $0.json.count + 500
    }

    init(signatures: PictureSignatures, publicURL: String, files: StaticFiles) {
        self.signatures = signatures
        self.publicURL = publicURL
        missingBanner = publicURL + files.path("icons/missing.png")
    }

    private struct AccountFragment: Sendable {
        var account: Account
        var json: [UInt8]
    }

    // MARK: Accounts

    /// Writes an account as anyone may see it.
    package func account(_ account: Account, into json: inout JSONWriter) {
        if let known = accounts[account.id], known.account == account {
            json.value(fragment: known.json)
            return
        }
        var writer = JSONWriter(capacity: 1500)
        writer.object { accountMembers(account, into: &$0) }
        accounts[account.id] = AccountFragment(account: account, json: writer.bytes.withoutSlack)
        json.value(fragment: writer.bytes)
    }

    /// Writes an account with further members.
    package func account(
        _ account: Account, into json: inout JSONWriter, _ more: (inout JSONWriter) -> Void
    ) {
        json.object { json in
            accountMembers(account, into: &json)
            more(&json)
        }
    }

    /// Writes the viewer's own account, with the members that only its owner may see.
    ///
    /// - Parameters:
    ///   - followRequestsCount: the number of follow requests that wait for an answer.
    ///   - defaults: writes what the account's new posts begin with: `privacy`, `sensitive`, `language`.
    package func ownAccount(
        _ account: Account, followRequestsCount: Int, into json: inout JSONWriter,
        defaults: (inout JSONWriter) -> Void
    ) {
        json.object { json in
            accountMembers(account, into: &json)
            json.object("source") { json in
                defaults(&json)
                json.member("note", account.bio)
                json.array("fields", account.fields) { json, field in
                    write(field, value: field.value, into: &json)
                }
                json.member("follow_requests_count", followRequestsCount)
                json.member("discoverable", account.isDiscoverable)
                json.member("indexable", false)
                json.member("hide_collections", false)
            }
            json.object("role") { json in
                json.member("id", account.isAdmin ? "3" : "-99")
                json.member("name", account.isAdmin ? "Admin" : "")
                json.member("permissions", account.isAdmin ? "1" : "0")
                json.member("color", "")
                json.member("highlighted", account.isAdmin)
            }
        }
    }

    private func accountMembers(_ account: Account, into json: inout JSONWriter) {
        let url = publicURL + AppPaths.profile(account.username)
        let portrait = portraitURL(of: account)
        let banner = account.banner.map { publicURL + Portrait.path($0, .banner) } ?? missingBanner
        json.member("id", account.id)
        json.member("username", account.username)
        json.member("acct", account.username)
        json.member("display_name", account.displayName)
        json.member("locked", account.approvesFollowers)
        json.member("bot", false)
        json.member("discoverable", account.isDiscoverable)
        json.member("group", false)
        json.member("created_at", account.id.createdAt)
        json.member("note", html(account.bio, .all))
        json.member("url", url)
        json.member("uri", url)
        json.member("avatar", portrait)
        json.member("avatar_static", portrait)
        json.member("header", banner)
        json.member("header_static", banner)
        json.member("followers_count", account.followersCount)
        json.member("following_count", account.followingCount)
        json.member("statuses_count", account.postsCount)
        json.member("last_status_at", account.lastPostAt.map(Timestamp.day))
        json.member("website", "")
        json.member("local", true)
        json.member("is_admin", account.isAdmin)
        json.emptyArray("emojis")
        json.array("fields", account.fields) { json, field in
            let value = Caption.node(field.value, .all, on: .app(of: publicURL))
            write(field, value: String(decoding: value.rendered(), as: UTF8.self), into: &json)
        }
    }

    /// Returns the address of an account's portrait, or of its initials.
    package func portraitURL(of account: Account) -> String {
        account.portrait.map { publicURL + Portrait.path($0, .large) }
            ?? "\(publicURL)/initials/\(account.id).svg"
    }

    /// Writes a field of a profile.
    private func write(_ field: ProfileField, value: String, into json: inout JSONWriter) {
        json.object { json in
            json.member("name", field.name)
            json.member("value", value)
            json.member("verified_at", String?.none)
        }
    }

    /// Returns a caption as the sanitised HTML that apps show: paragraphs, line breaks, mentions.
    package func html(_ text: String, _ mentions: Caption.Mentions) -> String {
        guard !text.isEmpty else { return "" }
        let node = p { Caption.node(text, mentions, on: .app(of: publicURL)) }
        return String(decoding: node.rendered(), as: UTF8.self)
    }
}

extension Response {
    /// Returns a page of a list as a JSON array with its `Link` header.
    package static func list<Element>(
        _ elements: [Element], ids: [Int64], _ page: PageRequest, _ request: Request, _ entities: Entities,
        _ write: (inout JSONWriter, Element) -> Void
    ) -> Response {
        var response = Response.json(for: request, capacity: 4096 * max(1, elements.count)) { json in
            json.array(elements, write)
        }
        response.headers[.link] = page.link(
            request, publicURL: entities.publicURL, first: ids.first, last: ids.last,
            isFull: ids.count == page.limit)
        return response
    }
}
