import Core
import People
import Serving

/// The JSON of searches and found photos.
struct PastPhotoEntities {
    let sources: [any PastPhotoSource]
    let signatures: PictureSignatures
    let publicURL: String

    /// Writes a search with its results; nil for a person who hasn't searched yet.
    func search(_ search: PastSearch?, viewer: Reader, into json: inout JSONWriter) {
        json.object { json in
            guard let search else {
                json.null("search")
                json.array("sources", sources) { json, source in
                    answer(
                        .init(name: source.name, title: source.title, state: .ok, count: 0), into: &json)
                }
                json.emptyArray("photos")
                return
            }
            json.object("search") { head(search, into: &$0) }
            json.array("sources", search.answers) { answer($1, into: &$0) }
            json.array("photos", search.photos) { photo($1, viewer: viewer, into: &$0) }
        }
    }

    /// Writes a search that found nothing because sources failed, so that the last search stays.
    func failure(_ answers: [PastSearch.Answer], into json: inout JSONWriter) {
        json.object { json in
            json.null("search")
            json.array("sources", answers) { answer($1, into: &$0) }
            json.emptyArray("photos")
        }
    }

    private func head(_ search: PastSearch, into json: inout JSONWriter) {
        json.member("id", search.id)
        json.member("latitude", search.query.place.latitude)
        json.member("longitude", search.query.place.longitude)
        json.member("radius_km", search.query.radiusKilometres)
        json.member("from_year", search.query.years.lowerBound)
        json.member("to_year", search.query.years.upperBound)
        json.array("sources", search.query.sources) { $0.value($1) }
        json.member("made_at", search.id.createdAt)
    }

    private func answer(_ answer: PastSearch.Answer, into json: inout JSONWriter) {
        json.object { json in
            json.member("name", answer.name)
            json.member("title", answer.title)
            json.member("state", answer.state.rawValue)
            json.member("count", answer.count)
            json.member("message", answer.message)
        }
    }

    /// Writes a found photo.
    func photo(_ photo: PastPhoto, viewer: Reader, into json: inout JSONWriter) {
        let found = photo.found
        json.object { json in
            json.member("id", photo.id)
            json.member("source", found.source)
            json.member("source_title", photo.sourceTitle)
            json.member("title", found.title)
            json.member("author", found.author)
            json.member("licence", found.licence)
            json.member("licence_url", found.licenceURL)
            json.member("credit", photo.credit)
            json.member("source_url", found.pageURL)
            json.member("date", found.dateWords)
            json.member("from_year", found.years.lowerBound)
            json.member("to_year", found.years.upperBound)
            json.member("latitude", found.place.latitude)
            json.member("longitude", found.place.longitude)
            json.member("distance_m", photo.distance)
            json.object("picture") { picture(of: photo, viewer: viewer, into: &$0) }
        }
    }

    private func picture(of photo: PastPhoto, viewer: Reader, into json: inout JSONWriter) {
        json.member("state", photo.picture.state)
        json.member("url", url(photo.id, .square, viewer: viewer))
        json.member("large_url", url(photo.id, .large, viewer: viewer))
        for (name, pixels) in [("width", photo.width), ("height", photo.height)] {
            json.key(computed: name)
            if pixels > 0 { json.value(pixels) } else { json.null() }
        }
        guard case .failed(let sentence) = photo.picture else { return json.null("message") }
        json.member("message", sentence)
    }

    /// Returns the absolute URL of a picture, signed for one viewer.
    func url(_ photo: PastPhoto.ID, _ size: Photo.Size, viewer: Reader) -> String {
        "\(publicURL)\(PastPhoto.path(photo, size))?\(signatures.query(photo.rawValue, viewer: viewer))"
    }
}
