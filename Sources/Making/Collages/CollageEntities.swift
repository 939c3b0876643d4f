import Core
import Imaging
import People
import Serving

/// The JSON of collages (Documentation/Interface.md, "Collages").
struct CollageEntities: Sendable {
    let entities: Entities

    /// Writes all layouts.
    func layouts(into json: inout JSONWriter) {
        json.array(CollageLayout.all) { json, layout in
            json.object { json in
                json.member("id", layout.id)
                json.member("name", layout.name)
                json.array("cells", layout.cells) { json, cell in
                    json.object { json in
                        json.member("x", cell.x)
                        json.member("y", cell.y)
                        json.member("width", cell.width)
                        json.member("height", cell.height)
                    }
                }
            }
        }
    }

    /// Writes an unfinished collage, as one of its people sees it.
    func draft(_ collage: Collage, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", collage.id)
            json.member("revision", collage.revision)
            json.key("owner")
            entities.account(collage.owner, into: &json)
            json.array("accounts", collage.people) { entities.account($1, into: &$0) }
            json.member("chat_id", collage.chat?.description)
            json.member("copied_from", collage.copiedFrom?.description)
            json.member("state", collage.isFinished ? "finished" : "open")
            style(collage.style, into: &json)
            json.array("cells", collage.shownCells) { cell($1, viewer: viewer, into: &$0) }
            json.member("spare_count", collage.spareCount)
            json.key("photo")
            if let photo = collage.photo {
                entities.media(photo, viewer: viewer, isOwner: true, into: &json)
            } else {
                json.null()
            }
            json.member("is_rendered", collage.isRendered)
        }
    }

    private func style(_ style: CollageStyle, into json: inout JSONWriter) {
        json.member("layout_id", style.layout.id)
        json.member("background", style.background)
        json.member("spacing", style.spacing)
        json.member("corner_radius", style.cornerRadius)
    }

    private func cell(_ cell: CollageCell, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            account("account", cell.giver, into: &json)
            account("assigned_to", cell.assignee, into: &json)
            json.key("photo")
            if let photo = cell.photo {
                entities.media(photo, viewer: viewer, into: &json)
            } else {
                json.null()
            }
            json.member("missing", cell.isMissing)
            view(cell.view, into: &json)
        }
    }

    private func account(_ name: StaticString, _ account: Account?, into json: inout JSONWriter) {
        json.key(name)
        if let account { entities.account(account, into: &json) } else { json.null() }
    }

    private func view(_ view: CollageView, into json: inout JSONWriter) {
        json.member("zoom", view.zoom)
        json.member("x", view.x)
        json.member("y", view.y)
    }

    /// Writes the rendered picture: a photo with the recipe as the member `collage`.
    func rendered(_ collage: Collage, _ photo: Photo, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            entities.mediaMembers(photo, viewer: viewer, isOwner: true, into: &json)
            json.object("collage") { json in
                json.member("id", collage.id)
                style(collage.style, into: &json)
                json.array("cells", collage.shownCells) { json, cell in
                    json.object { json in
                        json.member("photo_id", cell.photo?.id.description)
                        json.member("missing", cell.isMissing)
                        view(cell.view, into: &json)
                    }
                }
            }
        }
    }
}
