import Core
import Foundation
import HTML
import Hummingbird
import People
import Serving

/// The screens of administrators: reports, accounts, and the activity log. For everyone else the answer is 404.
struct AdministrationPages {
    let frame: Frame
    let administration: AdministrationService

    private static let page = 40

    private var card: ReportCard { ReportCard(frame: frame, address: AdministrationPaths.close) }

    func add(to router: Router<AppContext>) {
        router.get("administration", use: overview)
        router.get("administration/accounts", use: accounts)
        router.get("administration/record", use: record)
        router.post("administration/reports/:id/remove") { request, context in
            try await administration.remove(context.id("id"), by: context.viewer)
            return Response.see(AdministrationPaths.overview, flash: .good("The content was removed."))
        }
        router.post("administration/reports/:id/suspend") { request, context in
            try await administration.suspend(reported: context.id("id"), by: context.viewer)
            return Response.see(AdministrationPaths.overview, flash: .good("The account was suspended."))
        }
        router.post("administration/reports/:id/dismiss") { request, context in
            try await administration.dismiss(context.id("id"), by: context.viewer)
            return Response.see(AdministrationPaths.overview, flash: .good("The report was closed."))
        }
        router.post("administration/accounts/:id/suspend") { try await setSuspended($0, $1, true) }
        router.post("administration/accounts/:id/restore") { try await setSuspended($0, $1, false) }
    }

    private func setSuspended(_ request: Request, _ context: AppContext, _ isSuspended: Bool) async throws
        -> Response
    {
        try await administration.setSuspended(
            isSuspended, context.id("id"), because: "Without a report", by: context.viewer)
        return .see(
            AdministrationPaths.accounts,
            flash: .good(isSuspended ? "The account was suspended." : "The account was restored."))
    }

    // MARK: Overview

    private func overview(_ request: Request, _ context: AppContext) async throws -> Response {
        let overview = try await administration.overview(for: context.viewer)
        return Page(
            title: "Administration", styles: [.accounts, .administration], link: .settings,
            bodyClass: "grouped"
        )
        .response(frame, request, context) {
            frame.bar("Administration", back: ("Settings", AppPaths.settings))
            main(.id("content")) {
                div(.class("settings")) {
                    figures(overview)
                    div(.class("group")) {
                        way(
                            "Sign-up", "person-plus", to: AdministrationPaths.signUp,
                            value: overview.signUp.words)
                        way("Accounts", "people", to: AdministrationPaths.accounts)
                        way("Administrators", "shield-check", to: AdministrationPaths.administrators)
                        way("Activity log", "clock-history", to: AdministrationPaths.record)
                    }
                }
                h2(.class("section-title")) {
                    span { "Reports" }
                    span { "\(overview.openCount.grouped) open" }
                }
                if overview.queue.isEmpty {
                    frame.empty("shield-check", "No open reports.")
                } else {
                    ul(.class("reports")) {
                        for subject in overview.queue { card.node(subject) }
                    }
                }
            }
        }
    }

    private func figures(_ overview: AdministrationService.Overview) -> Node {
        dl(.class("figures")) {
            figure("Accounts", overview.counts.accounts.grouped)
            figure("Posts", overview.counts.posts.grouped)
            figure("Photos", overview.counts.photos.grouped)
            figure("Files", Self.size(overview.storage.pictures))
            figure("Database", Self.size(overview.storage.database))
            figure("Free space", Self.size(overview.storage.free))
            figure("Late work", "\(overview.health.delay.grouped) s")
            figure("Failing work", overview.health.failingJobs.grouped)
            figure("Errors, 24 h", overview.health.failures.grouped)
        }
    }

    private func figure(_ name: String, _ value: String) -> Node {
        div {
            dt { name }
            dd { value }
        }
    }

    /// Returns a number of bytes in words, such as `38 GB`, in powers of ten as disks are sold.
    static func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1_000_000: "\(bytes / 1000) kB"
        case ..<1_000_000_000: "\(bytes / 1_000_000) MB"
        default: "\((bytes / 1_000_000_000).description) GB"
        }
    }

    private func way(_ name: String, _ icon: StaticString, to path: String, value: String? = nil) -> Node {
        a(.class("choice"), .href(path)) {
            frame.icon(icon)
            span { name }
            if let value { span(.class("value")) { value } }
            frame.icon("chevron-right", class: "icon chevron")
        }
    }

    // MARK: Accounts

    private func accounts(_ request: Request, _ context: AppContext) async throws -> Response {
        let input = Input.query(request)
        let query = input.text("q")
        let found = try await administration.accounts(
            query, after: input.text("after"), limit: Self.page, for: context.viewer)
        let next =
            found.count == Self.page
            ? found.last.map { last in
                "\(AdministrationPaths.accounts)?q=\(query.queryEncoded)&after=\(last.account.username)"
            } : nil
        let viewer = try context.viewer
        let rows = found.map { row($0.account, storage: $0.storage, isSelf: $0.account.id == viewer.id) }
        if request.wantsFragment { return .html(Node.list(rows + [frame.more(next)]), for: request) }
        return Page(title: "Accounts", styles: [.accounts, .administration], link: .settings)
            .response(frame, request, context) {
                frame.bar("Accounts", back: ("Administration", AdministrationPaths.overview))
                main(.id("content")) {
                    frame.search(
                        AdministrationPaths.accounts, query, label: "Search accounts", placeholder: "Username"
                    )
                    if rows.isEmpty {
                        frame.empty("search", "No username begins with “\(query)”.")
                    } else {
                        frame.endlessList("rows people", next: next) { rows }
                    }
                }
            }
    }

    private func row(_ account: Account, storage: Int, isSelf: Bool) -> Node {
        let facts =
            ["@\(account.username)", ByteSize.words(storage)] + (account.isSuspended ? ["suspended"] : [])
        return li(.class("person"), .attribute("data-id", account.id.description)) {
            div(.class("row")) {
                frame.portrait(account, pixels: 48)
                span(.class("text")) {
                    b { account.displayName }
                    span { facts.joined(separator: " · ") }
                }
            }
            if !isSelf {
                form(
                    .class("end"), .method("post"),
                    .action(
                        AdministrationPaths.change(account.id, account.isSuspended ? "restore" : "suspend")
                    )
                ) {
                    button(.classes("button small", account.isSuspended ? "" : "danger")) {
                        account.isSuspended ? "Restore" : "Suspend"
                    }
                }
            }
        }
    }

    // MARK: Record

    private func record(_ request: Request, _ context: AppContext) async throws -> Response {
        let page = PageRequest(limit: Self.page, olderThan: try PageRequest(Input.query(request)).olderThan)
        let records = try await administration.records(page, for: context.viewer)
        let next =
            records.count == page.limit
            ? records.last.map { "\(AdministrationPaths.record)?max_id=\($0.id)" } : nil
        let rows = records.map { record in
            li(.class("report"), .attribute("data-id", record.id.description)) {
                header {
                    b(.attribute("data-state", "done")) {
                        record.action.rawValue.prefix(1).uppercased() + record.action.rawValue.dropFirst()
                    }
                    frame.time(record.id.createdAt)
                }
                p { "@\(record.administrator) \(record.action.rawValue) \(record.subject)." }
                p(.class("note")) { record.reason }
            }
        }
        if request.wantsFragment { return .html(Node.list(rows + [frame.more(next)]), for: request) }
        return Page(
            title: "Activity log", styles: [.accounts, .administration], link: .settings,
            bodyClass: "grouped"
        )
        .response(frame, request, context) {
            frame.bar("Activity log", back: ("Administration", AdministrationPaths.overview))
            main(.id("content")) {
                if rows.isEmpty {
                    frame.empty("clock-history", "No actions yet.")
                } else {
                    frame.endlessList("reports", next: next) { rows }
                }
            }
        }
    }
}
