import Core
import People
import Serving

/// The answer of `flickr.photos.search` (Documentation/Sources.md, "Flickr").
struct FlickrAnswer {
    /// The photos of this page that have a place, a date and a picture.
    var photos: [FoundPhoto] = []
    /// The number of pages.
    var pages = 0
    /// The number of photos on all pages.
    var total = 0

    /// Parses an answer.
    ///
    /// - Throws: ``SourceFailure`` for an error of Flickr's, which comes with the HTTP status 200, and for anything
    ///   that isn't an answer of Flickr's.
    init(_ bytes: [UInt8]) throws {
        guard let answer = LooseJSON(bytes), answer.isObject else { throw Self.unreadable }
        guard answer["stat"].text == "ok" else {
            throw Self.failure(code: answer["code"].integer)
        }
        let page = answer["photos"]
        guard page.isObject else { throw Self.unreadable }
        photos = page["photo"].list.compactMap(Self.photo)
        pages = max(0, page["pages"].integer ?? 0)
        total = max(0, page["total"].integer ?? 0)
    }

    private static let unreadable = SourceFailure(
        "Flickr’s answer couldn’t be read. Try again later.")

    private static func failure(code: Int?) -> SourceFailure {
        switch code {
        case 100:
            SourceFailure("Flickr doesn’t accept this server’s key. Tell the person who runs this server.")
        case 105, 106: SourceFailure("Flickr isn’t answering. Try again later.")
        case 111, 112, 114, 115, 116:
            SourceFailure(
                "Flickr didn’t understand this server’s request. Tell the person who runs this server.")
        case let code?: SourceFailure("Flickr answered with error \(code). Try again later.")
        case nil: unreadable
        }
    }

    private static func photo(_ json: LooseJSON) -> FoundPhoto? {
        guard let id = identifier(json["id"].text), let owner = identifier(json["owner"].text),
            let latitude = json["latitude"].number, let longitude = json["longitude"].number,
            // Flickr writes 0 and 0 for a photo without a place.
            latitude != 0 || longitude != 0,
            let place = Coordinate(latitude: latitude, longitude: longitude),
            json["datetakenunknown"].integer ?? 0 == 0,
            let date = FlickrDate(json["datetaken"].text, granularity: json["datetakengranularity"].integer),
            let picture = picture(json)
        else { return nil }
        let licence = licences[json["license"].integer ?? -1] ?? ("See Flickr for the licence", nil)
        let author = PlainText.oneLine(json["ownername"].text ?? "", limit: FoundPhoto.longestName)
        return FoundPhoto(
            source: FlickrSource.name, sourceID: id,
            title: PlainText.oneLine(json["title"].text ?? "", limit: FoundPhoto.longestTitle),
            author: author.isEmpty ? owner : author, licence: licence.name, licenceURL: licence.url,
            pageURL: "https://www.flickr.com/photos/\(owner)/\(id)", dateWords: date.words,
            years: date.year...date.year, place: place, pictureURL: picture.url,
            fullURL: FoundPhoto.url(json["url_o"].text) ?? FoundPhoto.url(json["url_l"].text),
            width: picture.width, height: picture.height)
    }

    /// Returns the picture of about a thousand pixels, or the closest size that exists.
    private static func picture(_ json: LooseJSON) -> (url: String, width: Int, height: Int)? {
        for size in ["l", "m", "o"] {
            guard let url = FoundPhoto.url(json["url_\(size)"].text) else { continue }
            return (
                url, FoundPhoto.pixels(json["width_\(size)"].integer),
                FoundPhoto.pixels(json["height_\(size)"].integer)
            )
        }
        return nil
    }

    /// Returns an identifier if it can be a part of a URL, such as `12037949754@N01` or `2636`.
    private static func identifier(_ text: String?) -> String? {
        guard let text, (1...60).contains(text.utf8.count),
            text.utf8.allSatisfy({ $0.isLetterOrDigit || "@-_".utf8.contains($0) })
        else { return nil }
        return text
    }

    private static let licences: [Int: (name: String, url: String?)] = [
        0: ("All rights reserved", nil),
        1: ("CC BY-NC-SA 2.0", "https://creativecommons.org/licenses/by-nc-sa/2.0/"),
        2: ("CC BY-NC 2.0", "https://creativecommons.org/licenses/by-nc/2.0/"),
        3: ("CC BY-NC-ND 2.0", "https://creativecommons.org/licenses/by-nc-nd/2.0/"),
        4: ("CC BY 2.0", "https://creativecommons.org/licenses/by/2.0/"),
        5: ("CC BY-SA 2.0", "https://creativecommons.org/licenses/by-sa/2.0/"),
        6: ("CC BY-ND 2.0", "https://creativecommons.org/licenses/by-nd/2.0/"),
        7: ("No known copyright restrictions", "https://www.flickr.com/commons/usage/"),
        8: ("United States government work", "https://www.usa.gov/government-works"),
        9: ("CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        10: ("Public domain", "https://creativecommons.org/publicdomain/mark/1.0/"),
    ]
}

/// The date of a Flickr photo with its precision.
struct FlickrDate {
    var year: Int
    /// The date in words: `4 July 1998`, `July 1998`, `1998` or `circa 1998`.
    var words: String

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]

    /// Parses a date.
    ///
    /// - Parameters:
    ///   - text: `1998-07-04 12:00:00`.
    ///   - granularity: 0 exact, 4 month, 6 year, 8 circa.
    /// - Returns: nil for a text that isn't a date.
    init?(_ text: String?, granularity: Int?) {
        let parts = (text ?? "").prefix(10).split(separator: "-").map { Int($0) }
        guard parts.count == 3, let year = parts[0], (1_800...2_100).contains(year) else { return nil }
        self.year = year
        let month = parts[1].flatMap { (1...12).contains($0) ? Self.months[$0 - 1] : nil }
        let day = parts[2].flatMap { (1...31).contains($0) ? $0 : nil }
        switch (granularity ?? 0, month, day) {
        case (8, _, _): words = "circa \(year)"
        case (0, let month?, let day?): words = "\(day) \(month) \(year)"
        case (0...4, let month?, _): words = "\(month) \(year)"
        default: words = "\(year)"
        }
    }
}
