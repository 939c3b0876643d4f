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
                frame.portrait(subject.account, pixels: 40)
                p {
                    b { name }
                    what(subject)
                }
            }
            let photos = Self.photos(subject.content)
            if !photos.isEmpty {
                ul(.class("evidence")) {
                    for photo in photos { li { Self.whole(photo) } }
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

    private static func photos(_ content: ReportedSubject.Content) -> [Photo] {
        switch content {
        case .post(_, _, let post): post?.photos ?? []
        case .message(_, let message): [message?.photo].compactMap { $0 }
        case .account, .snap: []
        }
    }

    /// A photo with nothing cut away, large enough to judge it.
    private static func whole(_ photo: Photo) -> Node {
        let (width, height) = photo.pixels(.medium)
        return img(
            .src(Photo.path(photo.id, .medium)), .width(width), .height(height), .alt(photo.description),
            .lazy)
    }

    /// What the button takes away; nil when nothing is left to remove.
    private static func removable(_ content: ReportedSubject.Content) -> String? {
        switch content {
        case .account: nil
        case .post(let isComment, _, let post): post == nil ? nil : isComment ? "comment" : "post"
        case .snap(_, _, let isThere): isThere ? "snap" : nil
        case .message(_, let message): message == nil ? nil : "message"
        }
    }

    @NodeBuilder private func what(_ subject: ReportedSubject) -> Node {
        switch subject.content {
        case .account: "account · \(subject.account.displayName)"
        case .post(let isComment, let caption, let post):
            Self.quoted(isComment ? "comment" : "post", caption)
            if let post {
                if post.caption != caption { ". Edited since, now “\(post.caption)”" }
            } else {
                " · deleted since"
            }
        case .snap(let feed, let postedAt, let isThere):
            "snap in \(feed) · "
            frame.time(postedAt, underAMinute: .zeroMinutes)
            isThere ? ". Only the people it was sent to can see the picture." : ". It is gone."
        case .message(let text, let message):
            Self.quoted("message", text)
            if message == nil {
                " · deleted since"
            } else if message?.once != nil {
                " · with a view-once photo, which isn’t shown"
            }
        }
    }

    private static func quoted(_ kind: String, _ text: String) -> String {
        text.isEmpty ? kind : "\(kind) · “\(text)”"
    }

    private func act(_ words: String, _ report: Report, _ deed: String, class classes: StaticString) -> Node {
        form(.method("post"), .action("/administration/reports/\(report.id)/\(deed)")) {
            button(.class(classes)) { words }
        }
    }
}
