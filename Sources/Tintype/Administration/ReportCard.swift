import HTML

/// One entry of the queue: what is reported, by whom, and what can be done about it.
struct ReportCard {
    let frame: Frame

    func node(_ subject: ReportedSubject) -> Node {
        let report = subject.newest
        let name = subject.account.username
        return li(.class("report"), .id("report-\(report.id)")) {
            header {
                b { report.reason.words }
                frame.time(report.id.createdAt)
            }
            div(.class("reported")) {
                if let photo = Self.photo(subject.content) {
                    PhotoComponents.square(photo)
                } else {
                    frame.portrait(subject.account, pixels: 40)
                }
                p {
                    b { name }
                    what(subject)
                }
            }
            if !report.words.isEmpty { element("blockquote") { report.words } }
            p(.class("note")) {
                "Reported by "
                a(.href("/@\(subject.reporter.username)")) { subject.reporter.username }
                if subject.othersCount > 0 { " and \(subject.othersCount.of("other"))" }
            }
            div(.class("buttons")) {
                if let kind = Self.removable(subject.content) {
                    act("Remove \(kind)", report, "remove", class: "button small danger")
                }
                act("Suspend \(name)", report, "suspend", class: "button small danger")
                act("Dismiss", report, "dismiss", class: "button small")
            }
        }
    }

    private static func photo(_ content: ReportedSubject.Content) -> Photo? {
        switch content {
        case .post(let post): post.photos.first
        case .message(_, let message): message?.photo
        case .account, .snap: nil
        }
    }

    /// What the button takes away; nil when nothing is left to remove.
    private static func removable(_ content: ReportedSubject.Content) -> String? {
        switch content {
        case .account: nil
        case .post(let post): post.root == nil ? "post" : "comment"
        case .snap(_, _, let isThere): isThere ? "snap" : nil
        case .message(_, let message): message == nil ? nil : "message"
        }
    }

    @NodeBuilder private func what(_ subject: ReportedSubject) -> Node {
        switch subject.content {
        case .account: "account · \(subject.account.displayName)"
        case .post(let post): Self.quoted(post.root == nil ? "post" : "comment", post.caption)
        case .snap(let feed, let postedAt, let isThere):
            "snap in \(feed) · "
            frame.time(postedAt, underAMinute: .zeroMinutes)
            isThere ? ". Its picture is for those it was sent to." : ". It is gone."
        case .message(let text, let message):
            Self.quoted("message", text)
            if message == nil {
                " · deleted since"
            } else if message?.once != nil {
                " · with a photo for one look, which isn’t shown"
            }
        }
    }

    private static func quoted(_ kind: String, _ text: String) -> String {
        text.isEmpty ? kind : "\(kind) · “\(text.prefix(300))”"
    }

    private func act(_ words: String, _ report: Report, _ deed: String, class classes: StaticString) -> Node {
        form(.method("post"), .action("/administration/reports/\(report.id)/\(deed)")) {
            button(.class(classes)) { words }
        }
    }
}
