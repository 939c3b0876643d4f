import Foundation
import HTTPTypes
import Testing

@testable import Core
@testable import Making
@testable import People
@testable import Serving

/// What sources answer, as far as a test cares.
enum SourceFixtures {
    /// The harbour of Wellington.
    static let place = Coordinate(latitude: -41.28, longitude: 174.77)!

    /// A photo as Flickr describes it; `changes` replace members, and null leaves them out.
    static func flickrPhoto(
        _ id: String, pictures: String, changing changes: [String: JSON] = [:]
    ) -> JSON {
        var members: [String: JSON] = [
            "id": .text(id), "owner": "12037949754@N01", "secret": "x", "server": "1", "farm": 1,
            "title": .text("Harbour \(id)"), "datetaken": "1965-07-04 12:00:00", "datetakengranularity": "0",
            "datetakenunknown": "0", "latitude": "-41.28", "longitude": "174.77", "accuracy": "16",
            "ownername": "Ana Aroha", "license": "4", "url_m": .text("\(pictures)/m/\(id).jpg"),
            "height_m": 375, "width_m": "500", "url_l": .text("\(pictures)/l/\(id).jpg"), "height_l": 768,
            "width_l": 1024, "url_o": .text("\(pictures)/o/\(id).jpg"),
        ]
        for (name, value) in changes { members[name] = value == .null ? nil : value }
        return .object(members)
    }

    static func flickr(_ photos: [JSON], page: Int = 1, pages: Int = 1, total: Int? = nil) -> JSON {
        [
            "photos": [
                "page": .number(Double(page)), "pages": .number(Double(pages)), "perpage": 250,
                "total": .number(Double(total ?? photos.count)), "photo": .list(photos),
            ], "stat": "ok",
        ]
    }

    static func flickr(failing code: Int) -> JSON {
        ["stat": "fail", "code": .number(Double(code)), "message": "It failed"]
    }

    /// A file as Commons describes it.
    static func commonsPage(
        _ id: Int, pictures: String, title: String = "File:Market.jpg", date: String = "1905",
        mime: String = "image/jpeg", latitude: Double = -41.28, longitude: Double = 174.77
    ) -> JSON {
        [
            "pageid": .number(Double(id)), "ns": 6, "title": .text(title),
            "coordinates": [["lat": .number(latitude), "lon": .number(longitude), "globe": "earth"]],
            "imageinfo": [
                [
                    "url": .text("\(pictures)/full/\(id).jpg"),
                    "descriptionurl": .text("https://commons.wikimedia.org/wiki/\(id)"),
                    "thumburl": .text("\(pictures)/thumb/\(id).jpg"), "thumbwidth": 1024, "thumbheight": 700,
                    "width": 4000, "height": 2734, "mime": .text(mime),
                    "extmetadata": [
                        "DateTimeOriginal": ["value": .text(date)],
                        "Artist": ["value": "<a href=\"//x\">Fondo&nbsp;Arrieta</a>"],
                        "LicenseShortName": ["value": "CC BY 4.0"],
                        "LicenseUrl": ["value": "https://creativecommons.org/licenses/by/4.0"],
                    ],
                ]
            ],
        ]
    }

    static func commons(_ pages: [JSON]) -> JSON {
        ["batchcomplete": true, "query": ["pages": .list(pages)]]
    }

    static let nothing: JSON = ["batchcomplete": true]

    /// The picture of a JPEG that all photos of a test share.
    static func picture() async throws -> [UInt8] { try await TestPicture.jpeg(width: 300, height: 200) }
}

extension World {
    /// A server that asks Flickr and Commons at a server of the test's own.
    convenience init(
        asking sources: SourceServer, folder: String? = nil, clock: TestClock = TestClock(),
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) async throws {
        try await self.init(folder: folder, clock: clock) { configuration in
            configuration.ask(sources)
            configure(&configuration)
        }
    }
}

extension ServerConfiguration {
    /// Asks Flickr and Commons at a server of the test's own.
    mutating func ask(_ sources: SourceServer) {
        pastPhotos.flickrKey = "key"
        pastPhotos.flickrURL = "\(sources.url)/flickr"
        pastPhotos.commonsURL = "\(sources.url)/commons"
        allowsPrivateAddresses = true
        // Hundreds of tests run at once.
        outgoingPace = OutgoingPace(connect: 240, idle: 240)
        pastPhotos.patience = 240
        pastPhotos.picturePatience = 240
        pastPhotos.waitingPatience = 240
    }
}

extension Person {
    /// Searches around the harbour of Wellington.
    func search(_ more: String = "") async throws -> Answer {
        try await get("/api/v1/past_photos?latitude=-41.28&longitude=174.77&radius_km=1\(more)")
    }

    func lastSearch() async throws -> Answer { try await get("/api/v1/past_photos/last") }

    /// Fetches a picture of a found photo by its signed URL, as an app does.
    func picture(_ photo: JSON, _ size: String = "url") async throws -> Answer {
        let url = try #require(photo["picture"][size].string)
        return try await world.stranger.get(String(url.dropFirst("http://localhost".count)))
    }

    /// Posts a photo that a camera has noted the place of, for all here to find.
    func findable(
        _ isFindable: Bool = true, caption: String = "The tower", visibility: String = "public"
    ) async throws -> String {
        let photo = try await photo(TestPicture.taken(await TestPicture.jpeg()))
        let answer = try await post(
            "/api/v1/statuses",
            json: [
                "status": .text(caption), "media_ids": [.text(photo)], "visibility": .text(visibility),
                "findable": .bool(isFindable),
            ])
        return try #require(answer["id"].string)
    }

    /// Searches this server's own posts where ``findable(_:visibility:)`` puts them.
    func searchServer() async throws -> Answer {
        try await get(
            "/api/v1/past_photos?latitude=48.8584&longitude=2.2945&radius_km=1&source=server")
    }
}
