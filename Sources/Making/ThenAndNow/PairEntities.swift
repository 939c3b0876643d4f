import Alignment
import Core
import Imaging
import People
import Serving

/// The JSON of pairs.
struct PairEntities: Sendable {
    let entities: Entities

    /// Writes a pair: a photo of the library with its two pictures.
    func pair(_ pair: Pair, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            entities.mediaMembers(pair.photo, viewer: viewer, isOwner: true, into: &json)
            json.object("then") { then(pair, viewer: viewer, into: &$0) }
            json.object("now") { json in
                json.member("url", url(.now, pair, viewer))
                json.member("date", String(pair.now.year))
                json.member("year", pair.now.year)
            }
            json.member("aspect", pair.aspect)
            view("past_view", pair.pastView, into: &json)
            view("now_view", pair.nowView, into: &json)
            json.object("alignment") { alignment(pair.alignment, into: &$0) }
            json.member("mode", pair.mode.rawValue)
            json.member("caption", pair.hasCaption)
            json.member("again", ThenAndNowPaths.again(pair.id))
        }
    }

    private func url(
        _ source: PairService.Source, _ pair: Pair, _ viewer: Reader
    ) -> String {
        let signature = entities.signatures.query(pair.id.rawValue, viewer: viewer)
        return "\(entities.publicURL)\(PairPictures.path(source, of: pair.id))?\(signature)"
    }

    private func then(_ pair: Pair, viewer: Reader, into json: inout JSONWriter) {
        let then = pair.then
        json.member("url", url(.then, pair, viewer))
        json.member("date", then.dateWords)
        if let year = then.year { json.member("year", year) } else { json.null("year") }
        json.member("title", then.title)
        json.member("author", then.author)
        json.member("licence", then.licence)
        json.member("licence_url", then.licenceURL)
        json.member("credit", then.credit)
        json.member("source_url", then.sourceURL)
        json.member("source", then.origin.rawValue)
    }

    private func view(_ name: StaticString, _ view: PictureView, into json: inout JSONWriter) {
        json.object(name) { json in
            json.member("zoom", view.zoom)
            json.member("x", view.x)
            json.member("y", view.y)
        }
    }

    private func alignment(_ alignment: Pair.Alignment, into json: inout JSONWriter) {
        json.member("state", alignment.state)
        var (hand, reason): (String?, String?) = (nil, nil)
        if case .aligned(_, _, let by) = alignment { hand = by.rawValue }
        if case .refused(let why) = alignment { reason = why }
        json.member("by", hand)
        json.member("reason", reason)
        guard case .aligned(let map, let crop, _) = alignment else {
            json.null("transform")
            return json.null("crop")
        }
        json.array("transform", map.elements) { $0.value($1) }
        json.object("crop") { json in
            json.member("x", crop.x)
            json.member("y", crop.y)
            json.member("width", crop.width)
            json.member("height", crop.height)
        }
    }
}

extension Pair.Alignment {
    /// The name of the state in the JSON interface.
    var state: String {
        switch self {
        case .none: "none"
        case .aligned: "aligned"
        case .refused: "refused"
        }
    }
}
