import Core
import Foundation
import Logging
import People
import Serving

/// The source Flickr, which is asked for photos by place and date (Documentation/Sources.md, "Flickr").
struct FlickrSource: PastPhotoSource {
    static let name = "flickr"

    var name: String { Self.name }
    let title = "Flickr"

    /// The most photos on one page of a search by place.
    private static let pageLength = 250
    private static let mostPages = 3
    private static let mostBytes = 4_000_000
    private static let mostKilometres = 32.0

    private let base: String
    private let key: String
    private let http: OutgoingHTTP
    private let calls: SourceCalls

    init(base: String, key: String, http: OutgoingHTTP, attempts: AttemptCounts) {
        calls = SourceCalls(of: title, in: attempts)
        self.base = base
        self.key = key
        self.http = http
    }

    func find(
        _ query: PastPhotoQuery, for viewer: Account, until deadline: ContinuousClock.Instant
    ) async throws -> Findings {
        var findings = Findings()
        var (page, pages, total) = (1, 1, 0)
        while page <= min(pages, Self.mostPages) {
            do {
                let answer = try await ask(query, page: page, until: deadline)
                findings.photos += answer.photos
                (pages, total) = (answer.pages, answer.total)
            } catch let failure as SourceFailure {
                guard page > 1 else { throw failure }
                findings.narrowed = "Flickr stopped answering, so this is only a part of what it has."
                return findings
            }
            page += 1
        }
        if pages > Self.mostPages {
            findings.narrowed = """
                Flickr has \(total.grouped) photos here, and only the newest uploads were looked through. Choose a \
                smaller radius or fewer years to see others.
                """
        }
        return findings
    }

    private func ask(
        _ query: PastPhotoQuery, page: Int, until deadline: ContinuousClock.Instant
    ) async throws -> FlickrAnswer {
        let url = try SourceURL.adding(
            [
                ("method", "flickr.photos.search"), ("api_key", key), ("format", "json"),
                ("nojsoncallback", "1"), ("lat", SourceURL.degrees(query.place.latitude)),
                ("lon", SourceURL.degrees(query.place.longitude)),
                ("radius", "\(min(query.radiusKilometres, Self.mostKilometres))"), ("radius_units", "km"),
                ("min_taken_date", "\(query.years.lowerBound)-01-01 00:00:00"),
                ("max_taken_date", "\(query.years.upperBound)-12-31 23:59:59"), ("has_geo", "1"),
                ("media", "photos"), ("content_types", "0"), ("per_page", "\(Self.pageLength)"),
                ("page", "\(page)"),
                ("extras", "geo,date_taken,owner_name,license,url_m,url_l,url_o"),
            ], to: base, of: title)
        try await calls.begin()
        do {
            let limits = OutgoingLimits(bytes: Self.mostBytes, seconds: deadline.seconds)
            return try FlickrAnswer(try await http.get(url, limits: limits).bytes)
        } catch let error as OutgoingError {
            throw SourceFailure(error, of: title)
        }
    }
}

/// The URLs of requests to sources.
enum SourceURL {
    /// Returns a URL with further parameters.
    ///
    /// - Throws: ``SourceFailure`` when the base of the setting isn't a URL.
    static func adding(
        _ parameters: [(name: String, value: String)], to base: String, of title: String
    ) throws -> String {
        guard !base.isEmpty, !base.contains("#") else { throw SourceFailure(.badURL, of: title) }
        return base + (base.contains("?") ? "&" : "?") + URLEncodedForm.text(parameters)
    }

    /// Writes degrees with at most six decimals, never in scientific notation.
    static func degrees(_ number: Double) -> String {
        var text = String(format: "%.6f", number)
        while text.hasSuffix("0") { text.removeLast() }
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}

extension ContinuousClock.Instant {
    /// The seconds until this moment; 0 when it has passed.
    var seconds: Double { max(0, (self - .now) / .seconds(1)) }
}
