import Core
import Foundation
import People
import Serving

/// The JSON of snaps (Documentation/Interface.md, "Snaps"). It never contains the picture.
struct SnapEntities: Sendable {
    let entities: Entities

    /// Writes a snap as one viewer sees it. Only the poster gets the number of viewers.
    func snap(_ listed: ListedSnap, into json: inout JSONWriter) {
        let snap = listed.snap
        json.object { json in
            json.member("id", snap.id)
            json.member("feed_id", snap.feed.id)
            json.key("account")
            entities.account(snap.poster, into: &json)
            json.member("created_at", snap.id.createdAt)
            json.member("expires_at", snap.expiresAt)
            json.member("read", listed.state.isRead)
            json.member("own", listed.isOwn)
            if listed.isOwn {
                json.member("viewers_count", snap.viewersCount)
            } else {
                json.null("viewers_count")
            }
        }
    }

    func feed(_ section: SnapSection, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", section.feed.id)
            json.member("title", section.feed.title)
            json.member("unread_count", section.unreadCount)
        }
    }

    /// Writes a feed with its snaps.
    func section(_ section: SnapSection, into json: inout JSONWriter) {
        json.object { json in
            json.key("feed")
            feed(section, into: &json)
            json.array("snaps", section.snaps) { json, listed in snap(listed, into: &json) }
        }
    }

    /// Writes a person who has seen a snap.
    func viewer(_ viewer: SnapViewer, into json: inout JSONWriter) {
        json.object { json in
            json.key("account")
            entities.account(viewer.account, into: &json)
            json.member("opened_at", viewer.openedAt)
        }
    }

    /// Writes a predefined picture.
    func sample(_ sample: SnapSample, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", sample.id)
            json.member("kind", sample.kind)
            json.member("url", entities.publicURL + sample.path)
            json.member("description", sample.description)
        }
    }
}
