import Foundation
import Serving

/// The limits of a request to another server.
package struct OutgoingLimits: Sendable {
    /// The most bytes in the answer's body.
    package var bytes: Int
    /// The seconds until the whole answer has arrived, including redirects, waits and a second attempt.
    package var seconds: Double
    /// The beginnings of accepted media types, such as `image/`; empty for any.
    package var mediaTypes: [String] = []

    package init(bytes: Int, seconds: Double, mediaTypes: [String] = []) {
        self.bytes = bytes
        self.seconds = seconds
        self.mediaTypes = mediaTypes
    }
}

/// How long another server may keep a request waiting, in seconds. Not a setting; tests allow more time.
package struct OutgoingPace: Sendable {
    /// The seconds until there is a connection.
    var connect = 5.0
    /// The seconds until the next bytes of an answer.
    package var idle = 10.0
    /// The seconds until the whole answer has arrived; nil for those of each request's limits.
    var answer: Double?

    package init(connect: Double = 5.0, idle: Double = 10.0, answer: Double? = nil) {
        self.connect = connect
        self.idle = idle
        self.answer = answer
    }

    /// Returns limits with the time that a request may take at this pace.
    func applied(to limits: OutgoingLimits) -> OutgoingLimits {
        var limits = limits
        limits.seconds = answer ?? limits.seconds
        return limits
    }
}

/// An answer of another server with status 200.
package struct OutgoingAnswer: Sendable {
    /// The media type without parameters, in lower case; empty when the server doesn't say.
    var mediaType: String
    /// The URL that the answer came from, after redirects.
    var url: String
    /// The body; empty when it went into a file.
    package var bytes: [UInt8] = []
}

/// The reason why a request to another server failed.
package enum OutgoingError: Error, Equatable {
    /// The URL isn't one with `http` or `https`, a host, and no user name.
    case badURL
    /// The host has no address of the public internet.
    case forbiddenAddress
    /// There is no such host, or no connection to it.
    case unreachable
    /// The whole answer took too long, or nothing came for too long.
    case timedOut
    /// The answer has more bytes than allowed.
    case tooLarge(limit: Int)
    /// The answer has a media type that isn't accepted.
    case wrongType(String)
    /// The server answered with a status other than 200; `retryAfter` in seconds, when the server sent it.
    case status(Int, retryAfter: Int?)
    /// The server redirects too often, or from `https` to `http`.
    case badRedirect
    /// The answer ended before its end.
    case cutOff
    /// There was a connection but no answer: the request may have arrived.
    case noAnswer
    /// Too many requests are waiting already.
    case busy
    /// The application is stopping.
    case stopped
}

/// The header with which a server says when it wants to be asked again (RFC 9110, 10.2.3).
enum RetryAfter {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// Returns the seconds of a `Retry-After` header, which contains a number or a date; nil for anything else.
    static func seconds(_ value: String?, now: Date) -> Int? {
        guard let value = value.map({ $0.trimmingCharacters(in: .whitespaces) }) else { return nil }
        if value.isDigits {
            return value.utf8.count > 9 ? .max : Int(value)
        }
        guard let date = date(value) else { return nil }
        return max(0, Int(clamping: Int64(date.timeIntervalSince(now).rounded(.up))))
    }

    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7, IMF-fixdate).
    private static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int(parts[1]), (1...31).contains(day),
            let month = months.firstIndex(of: String(parts[2])), let year = Int(parts[3]),
            (1970...9999).contains(year)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, (0...23).contains(clock[0]), (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        var components = DateComponents()
        (components.year, components.month, components.day) = (year, month + 1, day)
        (components.hour, components.minute, components.second) = (clock[0], clock[1], clock[2])
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(from: components)
    }
}
