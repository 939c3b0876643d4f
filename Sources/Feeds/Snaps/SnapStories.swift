import Core
import Foundation
import Hummingbird
import People
import Serving

/// The list with which Pixelfed's apps show stories: whose snaps wait for the viewer.
///
/// It has no picture of a snap, and nothing that opens one. These apps show a picture again as often as somebody likes, and a
/// snap is seen once. So a waiting snap has the server's icon for a picture, which is also what an app shows after a tap:
/// with no picture at all its screen stays black.
struct SnapStories {
    let snaps: SnapService
    let entities: Entities
    /// The path of the server's icon.
    let icon: String

    func add(to router: Router<AppContext>) {
        for version in ["v1.1", "v1.2"] {
            router.get(RouterPath("api/\(version)/stories/carousel"), use: carousel)
        }
    }

    private func carousel(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let waiting = Self.waiting(in: try await snaps.sections(for: viewer))
        return .json(for: request) { json in
            json.object { json in
                json.object("self") { json in
                    person(viewer, isViewer: true, into: &json)
                    json.emptyArray("nodes")
                }
                json.array("nodes", waiting) { json, newest in
                    json.object { json in
                        json.member("id", "pfs:\(newest.poster.id)")
                        person(newest.poster, isViewer: false, into: &json)
                        json.array("nodes", [newest]) { json, snap in node(snap, into: &json) }
                    }
                }
            }
        }
    }

    /// Returns the newest unopened snap of each person who has one, the newest of all first.
    static func waiting(in sections: [SnapSection]) -> [Snap] {
        let new = sections.flatMap(\.snaps).filter(\.isNew).map(\.snap)
        let newest = Dictionary(new.map { ($0.poster.id, $0) }) { $0.id > $1.id ? $0 : $1 }
        return newest.values.sorted { $0.id > $1.id }
    }

    private func person(_ account: Account, isViewer: Bool, into json: inout JSONWriter) {
        json.object("user") { json in
            json.member("id", account.id)
            json.member("username", account.username)
            json.member("username_acct", account.username)
            json.member("avatar", entities.portraitURL(of: account))
            json.member("local", true)
            json.member("is_author", isViewer)
        }
    }

    private func node(_ snap: Snap, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", snap.id)
            json.member("pid", snap.poster.id)
            json.member("type", "photo")
            json.member("src", entities.publicURL + icon)
            // Seconds.
            json.member("duration", 3)
            json.member("seen", false)
            json.member("created_at", snap.id.createdAt)
        }
    }
}

extension SnapStories {
    static let operations =
        ["v1.1", "v1.2"].map {
            Operation(
                "GET /api/\($0)/stories/carousel", "Whose snaps wait for you, as Pixelfed's apps ask",
                .one("StoryCarousel"))
        }

    static let schemas = [
        EntitySchema("StoryCarousel", "self:StorySelf nodes:StoryPerson[]"),
        EntitySchema("StorySelf", "user:StoryUser nodes:Nothing[]"),
        EntitySchema("StoryPerson", "id:text user:StoryUser nodes:Story[]"),
        EntitySchema(
            "StoryUser", "id:id username:text username_acct:text avatar:url local:flag is_author:flag"),
        EntitySchema(
            "Story", "id:id pid:id type:text src:url duration:count seen:flag created_at:time"),
    ]
}
