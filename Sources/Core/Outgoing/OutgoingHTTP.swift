import AsyncHTTPClient
import Foundation
import Logging
import NIOCore
import NIOHTTP1
import ServiceLifecycle
import Serving
import Storage

/// The client with which all features send HTTP requests to other servers.
///
/// The URLs come from answers of other servers, and so from strangers. A request is sent only when the URL's host has
/// an address of the public internet, also after a redirect, and also when the host's name has changed its address
/// since it was checked. Every answer is bounded in bytes and time, and requests are bounded in number.
package final class OutgoingHTTP: Service {
    private static let redirects: Set<UInt> = [301, 302, 303, 307, 308]
    private static let mostRedirects = 3
    /// The most addresses of one host that are tried.
    private static let mostAddresses = 3
    /// The longest pause before a second attempt that a server may ask for, in seconds.
    private static let longestPause = 10

    let userAgent: String
    private let mayAsk: @Sendable (NetworkAddress) -> Bool
    let pace: OutgoingPace
    let clients: PinnedClients
    let places = OutgoingPlaces(most: 16, perHost: 4, mostWaiting: 512)
    /// The places of announcements. Who sends them keeps to these numbers, so that few ever wait.
    let announcementPlaces = OutgoingPlaces(most: 64, perHost: 16, mostWaiting: 64)
    let now: @Sendable () -> Date
    let logger: Logger

    /// - Parameters:
    ///   - publicURL: the address of this server, which is sent to every server that it asks.
    ///   - mayAsk: returns whether an address may be asked; by default, whether it is of the public internet.
    ///   - now: the clock.
    package init(
        publicURL: String, mayAsk: @escaping @Sendable (NetworkAddress) -> Bool = { $0.isPublic },
        pace: OutgoingPace = OutgoingPace(), logger: Logger, now: @escaping @Sendable () -> Date
    ) {
        userAgent = "Tintype/\(tintypeVersion) (+\(publicURL))"
        self.mayAsk = mayAsk
        self.pace = pace
        clients = PinnedClients(pace: pace)
        self.now = now
        self.logger = logger
    }

    /// Waits until the server stops, then ends the requests under way.
    package func run() async throws {
        try? await gracefulShutdown()
        stop()
    }

    /// Ends the requests under way and refuses new ones.
    func stop() {
        places.close()
        announcementPlaces.close()
        clients.close()
    }

    /// Sends a GET request and returns the answer with its body.
    ///
    /// - Throws: ``OutgoingError``, `CancellationError`.
    package func get(
        _ url: String, headers: KeyValuePairs<String, String> = [:], limits: OutgoingLimits
    ) async throws -> OutgoingAnswer {
        let (headers, limits) = (HTTPHeaders(headers.map { ($0.key, $0.value) }), pace.applied(to: limits))
        return try await withTimeLimit(seconds: limits.seconds) { [self] in
            try await fetch(url, headers, limits) { answer, body in
                var answer = answer
                for try await part in body {
                    guard part.readableBytes <= limits.bytes - answer.bytes.count else {
                        throw OutgoingError.tooLarge(limit: limits.bytes)
                    }
                    answer.bytes.append(contentsOf: part.readableBytesView)
                }
                return answer
            }
        }
    }

    /// Sends a GET request and writes the body into a file. After an error the file contains a part of the body, or
    /// nothing.
    ///
    /// - Throws: ``OutgoingError``, `BlobError`, `CancellationError`.
    package func download(
        _ url: String, into file: IncomingBlob, limits: OutgoingLimits
    ) async throws -> OutgoingAnswer {
        let limits = pace.applied(to: limits)
        return try await withTimeLimit(seconds: limits.seconds) { [self] in
            try await fetch(url, [:], limits) { answer, body in
                var received = 0
                for try await part in body {
                    received += part.readableBytes
                    guard received <= limits.bytes else {
                        throw OutgoingError.tooLarge(limit: limits.bytes)
                    }
                    try await file.write(Array(part.readableBytesView))
                }
                return answer
            }
        }
    }

    // MARK: Tries

    private typealias Reader = (OutgoingAnswer, HTTPClientResponse.Body) async throws -> OutgoingAnswer

    /// The outcome of one attempt.
    private enum Outcome {
        case answered(OutgoingAnswer)
        case redirected(String)
        /// The attempt failed before any of the body was read, so there may be another one.
        case failed(OutgoingError)
    }

    /// Sends a request, follows redirects, and tries a second time when the cause of a failure may be temporary.
    private func fetch(
        _ text: String, _ headers: HTTPHeaders, _ limits: OutgoingLimits, _ read: Reader
    ) async throws -> OutgoingAnswer {
        var url = try OutgoingURL(text)
        var (redirects, hasRetried) = (0, false)
        while true {
            switch try await attempt(url, headers, limits, read) {
            case .answered(let answer): return answer
            case .redirected(let location):
                redirects += 1
                guard redirects <= Self.mostRedirects else { throw OutgoingError.badRedirect }
                url = try url.redirected(to: location)
            case .failed(let error):
                guard !hasRetried, let pause = Self.pause(after: error) else { throw error }
                hasRetried = true
                try await Task.sleep(for: .milliseconds(pause))
            }
        }
    }

    /// Returns the milliseconds until a second attempt; nil when there is none.
    private static func pause(after error: OutgoingError) -> Int? {
        switch error {
        case .unreachable: return 500
        case .status(let status, let seconds) where status == 429 || status >= 500:
            guard let seconds else { return 500 }
            return seconds <= longestPause ? seconds * 1000 : nil
        default: return nil
        }
    }

    private func attempt(
        _ url: OutgoingURL, _ headers: HTTPHeaders, _ limits: OutgoingLimits, _ read: Reader
    ) async throws -> Outcome {
        try await places.with(url.host) {
            var last = Outcome.failed(.unreachable)
            for address in try await addresses(of: url.host) {
                last = try await ask(url, at: address, headers, limits, read)
                guard case .failed(.unreachable) = last else { return last }
            }
            return last
        }
    }

    /// Returns the addresses of a host that may be asked.
    func addresses(of host: String) async throws -> some Collection<NetworkAddress> {
        let all: [NetworkAddress]
        do {
            all = try await HostResolver.addresses(of: host)
        } catch OutgoingError.unreachable {
            return ArraySlice<NetworkAddress>()
        }
        let open = all.filter(mayAsk)
        guard !open.isEmpty else { throw OutgoingError.forbiddenAddress }
        return open.prefix(Self.mostAddresses)
    }

    private func ask(
        _ url: OutgoingURL, at address: NetworkAddress, _ headers: HTTPHeaders, _ limits: OutgoingLimits,
        _ read: Reader
    ) async throws -> Outcome {
        try await clients.with(.init(host: url.host, address: address)) { client in
            let request = request(url, headers)
            let response: HTTPClientResponse
            do {
                response = try await client.execute(
                    request, timeout: .milliseconds(Int64(limits.seconds * 1000)), logger: logger)
            } catch {
                let error = try Self.meaning(of: error, default: .unreachable)
                guard error == .unreachable else { throw error }
                return .failed(.unreachable)
            }
            return try await outcome(response, url, limits, read)
        }
    }

    /// Makes a request with a connection of its own, which the client closes after the answer. If a server sends more
    /// than its answer, such as the answer a second time, it can't become the answer to somebody else's request.
    func request(_ url: OutgoingURL, _ headers: HTTPHeaders) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url.text)
        request.headers = headers
        request.headers.replaceOrAdd(name: "User-Agent", value: userAgent)
        request.headers.replaceOrAdd(name: "Connection", value: "close")
        return request
    }

    private func outcome(
        _ response: HTTPClientResponse, _ url: OutgoingURL, _ limits: OutgoingLimits, _ read: Reader
    ) async throws -> Outcome {
        let status = response.status.code
        if Self.redirects.contains(status), let location = response.headers.first(name: "Location") {
            return .redirected(location)
        }
        guard status == 200 else {
            let pause = RetryAfter.seconds(response.headers.first(name: "Retry-After"), now: now())
            return .failed(.status(Int(status), retryAfter: pause))
        }
        let type = response.headers.first(name: "Content-Type") ?? ""
        let answer = OutgoingAnswer(
            mediaType: type.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces),
            url: url.text)
        guard limits.mediaTypes.isEmpty || limits.mediaTypes.contains(where: answer.mediaType.hasPrefix)
        else { throw OutgoingError.wrongType(String(answer.mediaType.prefix(100))) }
        if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }),
            length > limits.bytes
        {
            throw OutgoingError.tooLarge(limit: limits.bytes)
        }
        do {
            return .answered(try await read(answer, response.body))
        } catch {
            throw try Self.meaning(of: error, default: .cutOff)
        }
    }

    /// Returns the error that an error of the client means.
    ///
    /// - Throws: errors that aren't the client's.
    static func meaning(of error: any Error, default other: OutgoingError) throws -> OutgoingError {
        switch error {
        case let error as OutgoingError: return error
        case is BlobError, is CancellationError: throw error
        case let error as HTTPClientError:
            switch error {
            case .readTimeout, .writeTimeout, .deadlineExceeded: return .timedOut
            case .alreadyShutdown, .cancelled, .shutdownUnsupported:
                try Task.checkCancellation()
                return .stopped
            default: return other
            }
        default:
            try Task.checkCancellation()
            return other
        }
    }
}
