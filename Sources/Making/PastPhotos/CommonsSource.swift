import Core
import Foundation
import People
import Serving

/// The source Wikimedia Commons, which is asked for files by place (Documentation/Sources.md, "Wikimedia Commons").
struct CommonsSource: PastPhotoSource {
    static let name = "commons"

    var name: String { Self.name }
    let title = "Wikimedia Commons"

    /// The largest radius of a search by place, in metres.
    private static let mostMetres = 10_000
    /// The most files of a search by place.
    private static let mostFiles = 500
    /// The most requests for one search.
    private static let mostAnswers = 16
    private static let mostBytes = 4_000_000

    private let base: String
    private let http: OutgoingHTTP
    private let calls: SourceCalls

    init(base: String, http: OutgoingHTTP, attempts: AttemptCounts) {
        calls = SourceCalls(of: title, in: attempts)
        self.base = base
        self.http = http
    }

    func find(
        _ query: PastPhotoQuery, for viewer: Account, until deadline: ContinuousClock.Instant
    ) async throws -> Findings {
        var gathered = CommonsAnswer()
        var isWhole = false
        for number in 1...Self.mostAnswers {
            do {
                try await add(to: &gathered, query, until: deadline)
            } catch let failure as SourceFailure {
                guard number > 1 else { throw failure }
                break
            }
            if gathered.next == nil {
                isWhole = true
                break
            }
        }
        var findings = Findings(photos: gathered.photos.filter { $0.years.overlaps(query.years) })
        findings.narrowed = narrowed(query, gathered, isWhole: isWhole)
        return findings
    }

    private func narrowed(_ query: PastPhotoQuery, _ gathered: CommonsAnswer, isWhole: Bool) -> String? {
        if !isWhole { return "Wikimedia Commons stopped answering, so this is only a part of what it has." }
        if gathered.pageCount >= Self.mostFiles {
            return """
                Wikimedia Commons has many files here, and only the nearest \(Self.mostFiles) were looked through. \
                Choose a smaller radius to see others.
                """
        }
        guard query.radius > Self.mostMetres else { return nil }
        return "Wikimedia Commons searches within 10 km at most, so photos farther away are missing."
    }

    private func add(
        to gathered: inout CommonsAnswer, _ query: PastPhotoQuery, until deadline: ContinuousClock.Instant
    ) async throws {
        let place = "\(SourceURL.degrees(query.place.latitude))|\(SourceURL.degrees(query.place.longitude))"
        var parameters = [
            "action": "query", "format": "json", "formatversion": "2", "generator": "geosearch",
            "ggsnamespace": "6", "ggscoord": place,
            "ggsradius": "\(max(10, min(query.radius, Self.mostMetres)))", "ggslimit": "\(Self.mostFiles)",
            "prop": "imageinfo|coordinates", "iiprop": "url|size|mime|extmetadata", "iiurlwidth": "1024",
            "iiextmetadatafilter": "DateTimeOriginal|Artist|LicenseShortName|LicenseUrl|ImageDescription",
            "colimit": "max", "maxlag": "5",
        ]
        for (name, value) in gathered.next ?? [:] { parameters[name] = value }
        let url = try SourceURL.adding(
            parameters.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }, to: base,
            of: title)
        try await calls.begin()
        do {
            let limits = OutgoingLimits(bytes: Self.mostBytes, seconds: deadline.seconds)
            try gathered.add(try await http.get(url, limits: limits).bytes)
        } catch let error as OutgoingError {
            throw SourceFailure(error, of: title)
        }
    }
}
