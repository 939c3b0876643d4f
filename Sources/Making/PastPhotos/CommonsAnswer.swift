import Core
import Foundation
import People
import Serving

/// The files near a place that Wikimedia Commons has returned, collected from one answer after the other: the
/// properties of a page may be spread over several answers (Documentation/Sources.md, "Wikimedia Commons").
struct CommonsAnswer {
    /// The parameters of the next request; nil after the last answer.
    private(set) var next: [String: String]?
    /// The number of pages found so far.
    var pageCount: Int { pages.count }

    private var pages: [Int: Page] = [:]

    private struct Page {
        var title = ""
        var place: Coordinate?
        var picture: Picture?
        /// The texts of `extmetadata`, some of them HTML.
        var metadata: [String: String] = [:]
    }

    private struct Picture {
        var url: String?
        var pageURL: String?
        var thumbnail: String?
        var mediaType: String
        var width: Int
        var height: Int
    }

    /// The media types whose thumbnails are JPEG or PNG.
    private static let mediaTypes: Set<String> = ["image/jpeg", "image/png", "image/webp", "image/tiff"]
    /// The media types whose files this server can read directly.
    private static let readable: Set<String> = ["image/jpeg", "image/png", "image/webp"]
    private static let metadataNames = [
        "DateTimeOriginal", "Artist", "LicenseShortName", "LicenseUrl", "ImageDescription",
    ]
    /// The most pages that are kept, more than a search usually finds.
    private static let mostPages = 2_000

    /// Adds one more answer.
    ///
    /// - Throws: ``SourceFailure`` for an error of Commons', which comes with the HTTP status 200, and for anything
    ///   that isn't an answer of Commons'.
    mutating func add(_ bytes: [UInt8]) throws {
        guard let answer = LooseJSON(bytes), answer.isObject else {
            throw SourceFailure("Wikimedia Commons’ answer couldn’t be read. Try again later.")
        }
        if answer["error"].isObject { throw Self.failure(answer["error"]["code"].text ?? "") }
        for page in answer["query"]["pages"].list { add(page) }
        let parameters = answer["continue"].parameters
        next = parameters.isEmpty ? nil : parameters
    }

    private static func failure(_ code: String) -> SourceFailure {
        switch code {
        case "maxlag", "ratelimited", "readonly":
            SourceFailure("Wikimedia Commons is very busy. Try again in a moment.")
        default:
            SourceFailure(
                "Wikimedia Commons answered with the error “\(PlainText.oneLine(code, limit: 60))”. Try again later."
            )
        }
    }

    private mutating func add(_ json: LooseJSON) {
        guard let id = json["pageid"].integer, pages[id] != nil || pages.count < Self.mostPages else {
            return
        }
        var page = pages[id] ?? Page()
        if let title = json["title"].text { page.title = title }
        if let place = json["coordinates"].list.lazy.compactMap(Self.place).first { page.place = place }
        if let info = json["imageinfo"].list.first {
            if let type = info["mime"].text {
                page.picture = Picture(
                    url: FoundPhoto.url(info["url"].text),
                    pageURL: FoundPhoto.url(info["descriptionurl"].text),
                    thumbnail: FoundPhoto.url(info["thumburl"].text), mediaType: type.lowercased(),
                    width: FoundPhoto.pixels(info["thumbwidth"].integer),
                    height: FoundPhoto.pixels(info["thumbheight"].integer))
            }
            for name in Self.metadataNames {
                if let text = info["extmetadata"][name]["value"].text { page.metadata[name] = text }
            }
        }
        pages[id] = page
    }

    private static func place(_ json: LooseJSON) -> Coordinate? {
        guard json["globe"].text ?? "earth" == "earth", let latitude = json["lat"].number,
            let longitude = json["lon"].number
        else { return nil }
        return Coordinate(latitude: latitude, longitude: longitude)
    }

    // MARK: Photos

    /// The photos that have a place, a date and a picture, by page.
    var photos: [FoundPhoto] {
        pages.sorted { $0.key < $1.key }.compactMap { Self.photo($0.key, $0.value) }
    }

    private static func photo(_ id: Int, _ page: Page) -> FoundPhoto? {
        guard let place = page.place, let picture = page.picture, mediaTypes.contains(picture.mediaType),
            let thumbnail = picture.thumbnail, let pageURL = picture.pageURL,
            let date = date(page.metadata["DateTimeOriginal"] ?? "")
        else { return nil }
        func text(_ name: String, _ limit: Int) -> String {
            PlainText.of(page.metadata[name] ?? "", limit: limit)
        }
        let (author, licence) = (text("Artist", FoundPhoto.longestName), text("LicenseShortName", 100))
        return FoundPhoto(
            source: CommonsSource.name, sourceID: String(id), title: title(page.title),
            author: author.isEmpty ? "Unknown author" : author,
            licence: licence.isEmpty ? "See Wikimedia Commons for the licence" : licence,
            licenceURL: FoundPhoto.url(page.metadata["LicenseUrl"]), pageURL: pageURL, dateWords: date.words,
            years: date.years, place: place, pictureURL: thumbnail,
            fullURL: readable.contains(picture.mediaType) ? picture.url : nil, width: picture.width,
            height: picture.height)
    }

    /// Returns `Market square, 1905` for the file name `File:Market square, 1905.jpg`.
    private static func title(_ name: String) -> String {
        let name = name.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
        let plain = name.replacing(/\.(jpe?g|png|webp|tiff?)$/.ignoresCase(), with: "")
        return PlainText.oneLine(
            plain.replacingOccurrences(of: "_", with: " "), limit: FoundPhoto.longestTitle)
    }

    /// Returns the words and years of a date; nil when it names no year.
    private static func date(_ html: String) -> (words: String, years: ClosedRange<Int>)? {
        let text = PlainText.of(html, limit: 100)
        if let years = YearsInText.find(in: text) { return (text, years) }
        // The words may be in another alphabet or numeral system; the machine-readable date is the same everywhere.
        guard let time = PlainText.time(in: html), let years = YearsInText.find(in: time) else { return nil }
        return (text.isEmpty ? words(years) : text, years)
    }

    private static func words(_ years: ClosedRange<Int>) -> String {
        years.count == 1 ? "\(years.lowerBound)" : "\(years.lowerBound)–\(years.upperBound)"
    }
}
