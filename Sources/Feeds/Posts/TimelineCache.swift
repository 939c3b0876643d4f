import Core
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Serving
import Storage

/// A cache of finished answers of home feeds, each valid until one of its tables changes.
///
/// Most requests for a feed arrive while nothing has changed. Relative times in an answer are as old as the answer.
final class TimelineCache: Sendable {
    private struct Key: Hashable {
        var reader: Reader
        var target: String
        var isCompressed: Bool
    }

    private let answers: CacheUntilChange<Key, Response>
    private let now: @Sendable () -> Date

    /// Makes a cache.
    ///
    /// - Parameters:
    ///   - tables: the tables that the answers are made of; empty for all tables.
    ///   - bytes: the most bytes of kept answers. An answer has some 60 kB, or 10 kB compressed.
    init(
        _ database: Database, tables: [String] = [], bytes: Int = 3_000_000,
        now: @escaping @Sendable () -> Date
    ) {
        answers = CacheUntilChange(database, tables: tables, capacity: 1_024, bytes: bytes) {
            $0.body.contentLength ?? 0
        }
        self.now = now
    }

    /// Returns the kept answer to a request of a log-in, or a new one. Each log-in has its own answers, because picture
    /// addresses end with the log-in that they were made for.
    func response(
        to request: Request, for reader: Reader, make: () async throws -> Response
    ) async throws -> Response {
        let key = Key(
            reader: reader, target: request.head.path ?? "", isCompressed: Compression.isAccepted(request))
        let moment = answers.moment(at: now())
        if let known = answers.value(key, at: moment) { return known }
        let response = try await make()
        answers.keep(response, for: key, since: moment)
        return response
    }
}
