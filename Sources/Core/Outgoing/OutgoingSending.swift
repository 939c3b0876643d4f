import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Serving

// Requests that are sent once.
extension OutgoingHTTP {
    /// Sends a request once and returns the answer with its body, whatever the status.
    ///
    /// - Throws: ``OutgoingError``, `CancellationError`. After an error that is ``OutgoingError/isUnsent`` the request
    ///   has surely not arrived; after any other error it may have.
    package func send(_ message: OutgoingMessage, limits: OutgoingLimits) async throws -> OutgoingReply {
        let (url, limits) = (try OutgoingURL(message.url), pace.applied(to: limits))
        return try await withTimeLimit(seconds: limits.seconds) { [self] in
            let places = message.line == .announcements ? announcementPlaces : places
            return try await places.with(url.host) {
                for address in try await addresses(of: url.host) {
                    do {
                        return try await send(message, to: url, at: address, limits)
                    } catch OutgoingError.unreachable {
                        // There was no connection, so the next address may be tried.
                        continue
                    }
                }
                throw OutgoingError.unreachable
            }
        }
    }

    private func send(
        _ message: OutgoingMessage, to url: OutgoingURL, at address: NetworkAddress, _ limits: OutgoingLimits
    ) async throws -> OutgoingReply {
        try await clients.with(.init(host: url.host, address: address)) { client in
            var request = request(url, HTTPHeaders(message.headers.map { ($0.name, $0.value) }))
            request.method = message.method == .get ? .GET : .POST
            request.headers.replaceOrAdd(name: "Accept", value: "application/json")
            if let content = message.content {
                request.headers.replaceOrAdd(name: "Content-Type", value: content.mediaType)
                request.body = .bytes(content.bytes)
            }
            do {
                let response = try await client.execute(
                    request, timeout: .milliseconds(Int64(limits.seconds * 1000)), logger: logger)
                return try await reply(response, limits)
            } catch {
                throw try Self.meaning(of: error)
            }
        }
    }

    private func reply(_ response: HTTPClientResponse, _ limits: OutgoingLimits) async throws -> OutgoingReply
    {
        var bytes: [UInt8] = []
        for try await part in response.body {
            guard part.readableBytes <= limits.bytes - bytes.count else {
                throw OutgoingError.tooLarge(limit: limits.bytes)
            }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return OutgoingReply(
            status: Int(response.status.code),
            retryAfter: RetryAfter.seconds(response.headers.first(name: "Retry-After"), now: now())
                ?? RetryAfter.seconds(until: response.headers.first(name: "X-RateLimit-Reset"), now: now()),
            bytes: bytes)
    }

    /// Returns the error that an error of the client means: `unreachable` only when there was no connection at all.
    ///
    /// - Throws: errors that aren't the client's.
    private static func meaning(of error: any Error) throws -> OutgoingError {
        switch error {
        case is NIOConnectionError, is NIOSSLExtraError: return .unreachable
        case NIOSSLError.handshakeFailed, ChannelError.connectTimeout: return .unreachable
        case let error as HTTPClientError where error == .connectTimeout || error == .tlsHandshakeTimeout:
            return .unreachable
        case let error as IOError where error.errnoCode == ECONNREFUSED: return .unreachable
        default: return try meaning(of: error, default: .noAnswer)
        }
    }
}

extension OutgoingError {
    /// Whether a request that failed with this error has surely not arrived.
    package var isUnsent: Bool {
        switch self {
        case .badURL, .forbiddenAddress, .unreachable, .busy: true
        default: false
        }
    }
}

extension RetryAfter {
    /// Returns the seconds until the time in Mastodon's header `X-RateLimit-Reset`, such as
    /// `2026-11-21T09:45:00.123456Z`; nil for anything else.
    static func seconds(until moment: String?, now: Date) -> Int? {
        // Servers send fractions of seconds of several lengths.
        guard let moment, let whole = moment.split(whereSeparator: { ".Z".contains($0) }).first,
            let date = try? Date("\(whole)Z", strategy: .iso8601)
        else { return nil }
        return max(0, Int(clamping: Int64(date.timeIntervalSince(now).rounded(.up))))
    }
}
