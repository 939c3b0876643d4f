import Core
import HTML
import Serving

/// One entry of the queue: what is reported, by whom, and what an administrator can do about it.
package struct ReportCard {
    package let frame: Frame
    /// Returns the address that closes a report with an action: `remove`, `suspend` or `dismiss`.
    private let address: @Sendable (_ report: Report.ID, _ action: String) -> String

    package init(
        frame: Frame, address: @escaping @Sendable (_ report: Report.ID, _ action: String) -> String
    ) {
        self.frame = frame
        self.address = address
    }

    package func node(_ subject: ReportedSubject) -> Node {
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
                    subject.evidence.words
                    if let date = subject.evidence.postedAt { frame.time(date, underAMinute: .zeroMinutes) }
                    subject.evidence.since
                    if subject.isChangedSince { " · changed since" }
                }
            }
            let photos = subject.evidence.photos
            if !photos.isEmpty {
                ul(.class("evidence")) {
                    for photo in photos { li { Self.whole(photo) } }
                }
            }
            if !report.words.isEmpty { element("blockquote") { report.words } }
            p(.class("note")) {
                "Reported by "
                a(.href(AppPaths.profile(subject.reporter.username))) { subject.reporter.username }
                if subject.othersCount > 0 { " and \(subject.othersCount.of("other"))" }
            }
            div(.class("buttons")) {
                if let kind = subject.evidence.removable {
                    act("Remove \(kind)", report, "remove", class: "button small danger")
                }
                act("Suspend \(name)", report, "suspend", class: "button small danger")
                act("Dismiss", report, "dismiss", class: "button small")
            }
        }
    }

    /// Returns the uncropped photo, large enough to judge it.
    private static func whole(_ photo: Photo) -> Node {
        let (width, height) = photo.pixels(.medium)
        return img(
            .src(Photo.path(photo.id, .medium)), .width(width), .height(height), .alt(photo.description),
            .lazy)
    }

    /// Returns the words of a thing in quotation marks.
    package static func quoted(_ kind: String, _ text: String) -> String {
        text.isEmpty ? kind : "\(kind) · “\(text)”"
    }

    private func act(
        _ words: String, _ report: Report, _ action: String, class classes: StaticString
    ) -> Node {
        form(.method("post"), .action(address(report.id, action))) {
            button(.class(classes)) { words }
        }
    }
}
