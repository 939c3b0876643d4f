import Foundation
import Testing

@testable import Making
@testable import People

@Suite("What sources answer")
struct SourceAnswerTests {
    private static let pictures = "https://pictures.example"

    private static func flickr(_ changes: [String: JSON]) throws -> [FoundPhoto] {
        let photo = SourceFixtures.flickrPhoto("7", pictures: pictures, changing: changes)
        return try FlickrAnswer(Array(SourceFixtures.flickr([photo]).text.utf8)).photos
    }

    // MARK: Flickr

    @Test("Flickr’s numbers come as numbers or as strings")
    func flickrNumbers() throws {
        for (latitude, unknown, licence) in [
            (JSON.text("-41.28"), JSON.text("0"), JSON.text("4")), (.number(-41.28), .number(0), .number(4)),
        ] {
            let photo = try #require(
                try Self.flickr([
                    "latitude": latitude, "datetakenunknown": unknown, "license": licence,
                    "datetakengranularity": unknown,
                ]).first)
            #expect(photo.place == SourceFixtures.place)
            #expect(photo.licence == "CC BY 2.0")
            #expect(photo.dateWords == "4 July 1965" && photo.years == 1965...1965)
            #expect(
                photo.pictureURL == "\(Self.pictures)/l/7.jpg" && photo.fullURL == "\(Self.pictures)/o/7.jpg")
            #expect((photo.width, photo.height) == (1024, 768))
            #expect(photo.pageURL == "https://www.flickr.com/photos/12037949754@N01/7")
            #expect(photo.author == "Ana Aroha")
        }
    }

    @Test("Flickr’s photos without place, date or picture are left out")
    func flickrMissing() throws {
        let without: [[String: JSON]] = [
            ["latitude": 0, "longitude": 0], ["latitude": "0", "longitude": "0"], ["latitude": nil],
            ["longitude": nil], ["latitude": "north"], ["latitude": 91], ["datetakenunknown": "1"],
            ["datetakenunknown": 1], ["datetaken": nil], ["datetaken": "0000-00-00 00:00:00"],
            ["datetaken": "soon"], ["url_m": nil, "url_l": nil, "url_o": nil], ["id": nil], ["owner": nil],
            ["owner": "../../x"], ["url_m": "javascript:1", "url_l": "file:///x", "url_o": "ftp://x"],
            ["title": nil, "latitude": [:]],
        ]
        for changes in without { #expect(try Self.flickr(changes).isEmpty, "\(changes)") }
        #expect(try Self.flickr(["title": nil, "ownername": nil, "license": nil]).count == 1)
        #expect(
            try Self.flickr(["url_l": nil, "width_m": "many"]).first?.pictureURL == "\(Self.pictures)/m/7.jpg"
        )
        // On the equator there are photos too.
        #expect(try Self.flickr(["latitude": "0"]).count == 1)
    }

    @Test(
        "Flickr’s dates are as exact as Flickr says",
        arguments: [
            ("0", "4 July 1965"), ("4", "July 1965"), ("6", "1965"), ("8", "circa 1965"), ("99", "1965"),
        ])
    func flickrDates(granularity: String, words: String) throws {
        #expect(try Self.flickr(["datetakengranularity": .text(granularity)]).first?.dateWords == words)
        #expect(try Self.flickr(["datetaken": "1965-00-00 00:00:00"]).first?.dateWords == "1965")
    }

    @Test("HTML in Flickr’s titles stays text, and long ones are cut")
    func flickrTitles() throws {
        let title = "<img src=x onerror=alert(1)> & \u{202E}more"
        #expect(
            try Self.flickr(["title": .text(title)]).first?.title == "<img src=x onerror=alert(1)> & more")
        let long = try Self.flickr(["title": .text(String(repeating: "x", count: 5_000))])
        #expect(long.first?.title.count == 300)
    }

    @Test("Flickr’s errors become sentences", arguments: [1, 100, 105, 106, 111, 116, 999])
    func flickrErrors(code: Int) {
        let error = #expect(throws: SourceFailure.self) {
            try FlickrAnswer(Array(SourceFixtures.flickr(failing: code).text.utf8))
        }
        #expect(error?.sentence.hasPrefix("Flickr ") == true)
        #expect((error?.sentence.contains("key") == true) == (code == 100))
    }

    @Test(
        "What is no answer is none",
        arguments: ["", "null", "[]", "{", "<html>", "{\"stat\":\"ok\"}", "{\"stat\":\"ok\",\"photos\":[]}"])
    func malformed(text: String) throws {
        #expect(throws: SourceFailure.self) { try FlickrAnswer(Array(text.utf8)) }
        guard !text.contains("stat") else { return }
        var commons = CommonsAnswer()
        #expect(throws: SourceFailure.self) { try commons.add(Array(text.utf8)) }
    }

    // MARK: Commons

    private static func commons(_ answers: JSON...) throws -> CommonsAnswer {
        var gathered = CommonsAnswer()
        for answer in answers { try gathered.add(Array(answer.text.utf8)) }
        return gathered
    }

    @Test("A photo of Commons has everything that its credit needs")
    func commonsPhoto() throws {
        let page = SourceFixtures.commonsPage(
            5, pictures: Self.pictures, title: "File:Market_square, 1905.JPG",
            date: "circa 1905<div style=\"display: none;\">date QS:P571</div>")
        let photo = try #require(try Self.commons(SourceFixtures.commons([page])).photos.first)
        #expect(photo.title == "Market square, 1905")
        #expect(photo.author == "Fondo Arrieta" && photo.licence == "CC BY 4.0")
        #expect(photo.dateWords == "circa 1905" && photo.years == 1905...1905)
        #expect(
            photo.pictureURL == "\(Self.pictures)/thumb/5.jpg"
                && photo.fullURL == "\(Self.pictures)/full/5.jpg")
        #expect((photo.width, photo.height) == (1024, 700))
    }

    @Test("The properties of a page that come in pieces are put together by its id")
    func commonsPieces() throws {
        guard case .object(var page) = SourceFixtures.commonsPage(5, pictures: Self.pictures) else { return }
        var place = page
        place["imageinfo"] = nil
        page["coordinates"] = nil
        let first: JSON = [
            "continue": ["iistart": "20", "continue": "||"], "query": ["pages": [.object(place)]],
        ]
        let half = try Self.commons(first)
        #expect(half.photos.isEmpty)
        #expect(half.next == ["iistart": "20", "continue": "||"])
        let whole = try Self.commons(first, SourceFixtures.commons([.object(page)]))
        #expect(whole.photos.count == 1 && whole.next == nil && whole.pageCount == 1)
    }

    @Test("Other media, other globes and pages without date or thumbnail are left out")
    func commonsLeftOut() throws {
        for mime in ["application/pdf", "image/svg+xml", "image/gif", "video/webm", "audio/ogg"] {
            let page = SourceFixtures.commonsPage(5, pictures: Self.pictures, mime: mime)
            #expect(try Self.commons(SourceFixtures.commons([page])).photos.isEmpty, "\(mime)")
        }
        let tiff = SourceFixtures.commonsPage(5, pictures: Self.pictures, mime: "image/tiff")
        let photo = try #require(try Self.commons(SourceFixtures.commons([tiff])).photos.first)
        #expect(photo.fullURL == nil, "a TIFF is fetched as its thumbnail")
        let undated = SourceFixtures.commonsPage(5, pictures: Self.pictures, date: "unknown date")
        #expect(try Self.commons(SourceFixtures.commons([undated])).photos.isEmpty)
        let text = SourceFixtures.commons([SourceFixtures.commonsPage(5, pictures: Self.pictures)]).text
        for (one, other) in [("earth", "moon"), ("thumburl", "thumb"), ("\"lat\"", "\"height\"")] {
            var gathered = CommonsAnswer()
            try gathered.add(Array(text.replacing(one, with: other).utf8))
            #expect(gathered.photos.isEmpty, "\(other)")
        }
        #expect(try Self.commons(SourceFixtures.nothing).photos.isEmpty)
    }

    @Test("A date in another alphabet is read from its element")
    func commonsTime() throws {
        let page = SourceFixtures.commonsPage(
            5, pictures: Self.pictures, date: "<time datetime=\"1905-06\">明治三十八年</time>")
        let photo = try #require(try Self.commons(SourceFixtures.commons([page])).photos.first)
        #expect(photo.dateWords == "明治三十八年" && photo.years == 1905...1905)
    }

    @Test("Errors of Commons become sentences")
    func commonsErrors() {
        for code in ["maxlag", "ratelimited", "internal_api_error", "<b>"] {
            let error = #expect(throws: SourceFailure.self) {
                try Self.commons(["error": ["code": .text(code), "info": "…"]])
            }
            #expect(error?.sentence.contains("Wikimedia Commons") == true)
        }
    }

    // MARK: Both

    private static func photo(
        _ id: String, _ source: String = "flickr", latitude: Double = -41.28, year: Int = 1965,
        title: String = "Harbour", author: String = "Ana"
    ) throws -> FoundPhoto {
        FoundPhoto(
            source: source, sourceID: id, title: title, author: author, licence: "CC BY 2.0",
            pageURL: "https://x.example",
            dateWords: "\(year)", years: year...year,
            place: try #require(Coordinate(latitude: latitude, longitude: 174.77)),
            pictureURL: "https://x.example/1",
            width: 10, height: 10)
    }

    @Test("The list goes by distance and date, without doubles and without what is outside")
    func merge() throws {
        let query = PastPhotoQuery(
            place: SourceFixtures.place, radius: 1_000, years: 1900...1970, sources: ["flickr"])
        let list = PastPhotoMerge.list(
            [
                try Self.photo("far", latitude: -41.285), try Self.photo("later", year: 1970, title: "B"),
                try Self.photo("first", year: 1905, title: "C"),
                try Self.photo("first", year: 1906, title: "D"),
                try Self.photo(
                    "double", "commons", latitude: -41.2801, year: 1905, title: "c!", author: "ANA"),
                try Self.photo("other", "commons", latitude: -41.2801, year: 1906, title: "C"),
                try Self.photo("outside", latitude: -41.3), try Self.photo("young", year: 1971),
                try Self.photo("old", year: 1899),
                try Self.photo("again", latitude: -41.2851, title: "Harbour"),
                try Self.photo("blank", title: ""), try Self.photo("blank2", title: ""),
            ], query, limit: 60)
        #expect(
            list.map(\.photo.sourceID)
                == ["first", "blank", "blank2", "later", "other", "far"])
        #expect(PastPhotoMerge.list(list.map(\.photo), query, limit: 2).count == 2)
    }

    @Test("Ten thousand photos are sixty in a moment")
    func many() throws {
        let query = PastPhotoQuery(
            place: SourceFixtures.place, radius: 30_000, years: 1825...2026, sources: ["flickr"])
        let photos = try (0..<10_000).map {
            try Self.photo("\($0)", latitude: -41.28 + Double($0 % 2_000) / 10_000, title: "Harbour \($0)")
        }
        #expect(PastPhotoMerge.list(photos, query, limit: 60).count == 60)
    }
}
