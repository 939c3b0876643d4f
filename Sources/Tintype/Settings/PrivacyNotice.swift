import Core
import Foundation
import HTML
import Serving

/// What says in plain words who can read what on this server.
///
/// It is the short form of `Documentation/Security.md`: a promise that changes there changes here.
struct PrivacyNotice {
    let features: Registry<any Feature>

    /// The day on which the sentences last changed, 2026-11-28, for apps that ask people to read them again.
    static let changed = Date(timeIntervalSince1970: 1_795_824_000)

    /// Some sentences with a title.
    struct Part: Sendable {
        var title: String
        var lines: [String]
    }

    /// What is true of the whole server, with what each feature says.
    var parts: [Part] {
        let hidden = Self.all(lines(.hidden))
        return [
            Part(title: "Other people", lines: lines(.people)),
            Part(
                title: "The people who run this server",
                lines: [
                    "They can read everything that is stored here until it is erased: what you post, write and send, and photos with the place where they were taken. Nothing is hidden from them by encryption. Use a server whose operator you trust.",
                    "In the app, administrators see what people report and how much storage each account uses. They never see \(hidden.or) there.",
                    "The server’s log doesn’t contain your name, your address or anything you write.",
                ]),
            Part(
                title: "What is erased",
                lines: [
                    "What you delete is erased from the disk, including all sizes of a photo. The text of something that was reported is kept until an administrator closes the report."
                ] + lines(.erasure) + [
                    "A backup keeps what you delete afterwards, until the operator removes the backup. \(hidden.and.prefix(1).uppercased() + hidden.and.dropFirst()) are never in a backup.",
                    "When the operator updates Tintype, a copy of the database keeps texts that you delete afterwards, for a week. It has no pictures, and going back to it brings nothing back that you deleted.",
                ]),
            Part(
                title: "What nobody can prevent",
                lines: [
                    "Anyone who sees a picture can take a screenshot or photograph the screen. This includes pictures that are seen once."
                ]),
            Part(
                title: "Other companies and servers",
                lines: lines(.others) + ["Nothing else is loaded from other companies or sent to them."]),
        ]
    }

    /// Returns the sentences about others who get requests from this server or from the reader's browser.
    private func lines(_ part: PrivacyLine.Part) -> [String] {
        features.all.flatMap(\.privacy).filter { $0.part == part }.sorted { $0.position < $1.position }
            .map(\.text)
    }

    /// Returns plurals as a list in words.
    private static func all(_ plurals: [String]) -> (and: String, or: String) {
        guard let last = plurals.last, plurals.count > 1 else {
            return (plurals.first ?? "", plurals.first ?? "")
        }
        let first = plurals.dropLast().joined(separator: ", ")
        return ("\(first) and \(last)", "\(first) or \(last)")
    }

    /// The whole notice for apps, which have styles of their own.
    var content: Node {
        .list(
            parts.map { part in
                .list([
                    h2 { part.title },
                    ul {
                        for line in part.lines { li { line } }
                    },
                ])
            })
    }
}
