import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Serving
import Synchronization

/// A middleware that keeps the bodies of requests from blocking the server. A body that comes too slowly is cut off
/// (408). A small body that no route has read is read before the answer, with the same time limit. After any other
/// unread rest of a body the connection is closed: once the client has had that time to read the answer.
///
/// A body that is cut off is the client's failure and not the server's, so it is a ``Refusal`` like any other.
package struct BodyWatch: MiddlewareProtocol {
    /// How long the server waits for the next bytes of a body, in seconds; see ``BodyPatience``.
    package let patience: TimeInterval

    package init(patience: TimeInterval) {
        self.patience = patience
    }

    /// The greatest length, in bytes, of a small body. Reading and discarding one costs less than a new connection.
    private static let smallBody = 64 * 1024

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard ![.get, .head, .options].contains(request.method), length != 0 else {
            return try await next(request, context)
        }
        let body = WatchedBody(
            base: request.body, length: length, channel: context.channel,
            state: WatchedBody.State(patience: BodyPatience(seconds: patience)))
        var watched = request
        watched.body = RequestBody(asyncSequence: body)
        var response = try await next(watched, context)
        if !body.hasEnded, try await !body.discard(upTo: Self.smallBody) {
            response.headers[.connection] = "close"
        }
        if response.headers[.connection] == "close" {
            // HTTP/2 has no such header (RFC 9113, 8.2.2), and only the request's own stream ends.
            let isStream = context.channel.isStream
            if isStream { response.headers[.connection] = nil }
            response.body = ResponseBody(contentLength: response.body.contentLength) {
                [answer = response.body, patience] writer in
                try await answer.write(writer)
                // A client that still sends can read the answer first. The server discards what comes meanwhile.
                body.cut(after: isStream ? 0 : patience)
            }
        }
        return response
    }
}

/// The time that the server still waits for a body. Waiting uses it up, and every 1,000 bytes add a second, up to the
/// limit. So a body slower than 1 kB a second is cut off, after 10 seconds at the latest when nothing comes.
struct BodyPatience: Sendable {
    /// The number of bytes that add a second of patience.
    static let bytesPerSecond = 1_000.0

    private let most: TimeInterval
    /// The seconds that the server would wait now.
    private(set) var seconds: TimeInterval

    init(seconds: TimeInterval) {
        most = seconds
        self.seconds = seconds
    }

    /// Notes that `bytes` came after a wait of `waited` seconds.
    mutating func note(bytes: Int, after waited: TimeInterval) {
        seconds = min(most, max(0, seconds - waited) + Double(bytes) / Self.bytesPerSecond)
    }
}

/// A request's body that is cut off when it comes too slowly.
private struct WatchedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    final class State: Sendable {
        struct Progress {
            var patience: BodyPatience
            var bytes = 0
            /// The time at which the wait for the next bytes began; nil while the server handles bytes that came.
            var waitsSince: NIODeadline?
            var timer: Scheduled<Void>?
            var hasBegun = false
            var hasEnded = false
        }

        let progress: Mutex<Progress>

        init(patience: BodyPatience) { progress = Mutex(Progress(patience: patience)) }
    }

    let base: RequestBody
    /// The length that the request declared, in bytes; nil when it declared none.
    let length: Int?
    let channel: any Channel
    let state: State

    /// Whether the body was read to its end.
    var hasEnded: Bool { state.progress.withLock { $0.hasEnded } }

    /// Reads and discards a small body that nobody has begun to read. A body can be read only once.
    /// - Returns: whether the body has ended; false if it is longer, of unknown length, already begun, or broken off.
    func discard(upTo limit: Int) async throws -> Bool {
        guard let length, length <= limit, !state.progress.withLock({ $0.hasBegun }) else { return false }
        do {
            for try await _ in self {}
            return true
        } catch is Refusal {
            return false
        }
    }

    func makeAsyncIterator() -> Iterator {
        state.progress.withLock { $0.hasBegun = true }
        return Iterator(base: base.makeAsyncIterator(), body: self)
    }

    struct Iterator: AsyncIteratorProtocol {
        var base: RequestBody.AsyncIterator
        let body: WatchedBody

        mutating func next() async throws -> ByteBuffer? {
            body.beginWaiting()
            let chunk: ByteBuffer?
            do {
                chunk = try await base.next()
            } catch {
                body.endWaiting(nil)
                throw WatchedBody.brokenOff
            }
            let bytes = body.endWaiting(chunk)
            // A connection that ends in the middle looks like the end of the body.
            if chunk == nil, let length = body.length, bytes < length { throw WatchedBody.brokenOff }
            return chunk
        }
    }

    private static let brokenOff = Refusal(
        .brokenOff, "The request arrived too slowly or was interrupted. Try again.")

    private func beginWaiting() {
        state.progress.withLock { progress in
            progress.waitsSince = .now()
            if progress.timer == nil { progress.timer = scheduled(in: progress.patience.seconds) }
        }
    }

    /// Notes that a wait has ended.
    /// - Returns: how many bytes have come.
    @discardableResult
    private func endWaiting(_ chunk: ByteBuffer?) -> Int {
        let (bytes, timer) = state.progress.withLock { progress -> (Int, Scheduled<Void>?) in
            let count = chunk?.readableBytes ?? 0
            let waited = progress.waitsSince.map { NIODeadline.now() - $0 } ?? .zero
            progress.patience.note(bytes: count, after: Double(waited.nanoseconds) / 1e9)
            progress.waitsSince = nil
            progress.bytes += count
            guard chunk == nil else { return (progress.bytes, nil) }
            progress.hasEnded = true
            defer { progress.timer = nil }
            return (progress.bytes, progress.timer)
        }
        timer?.cancel()
        return bytes
    }

    /// Schedules the check of the time limit: one timer for a body instead of one for each of its chunks. The check is
    /// scheduled again while there is patience left.
    private func scheduled(in seconds: TimeInterval) -> Scheduled<Void> {
        let nanoseconds = Int64(Swift.max(0.001, seconds) * 1e9)
        return channel.eventLoop.scheduleTask(in: .nanoseconds(nanoseconds)) { [state, self] in
            let left = state.progress.withLock { progress -> TimeInterval? in
                progress.timer = nil
                guard let since = progress.waitsSince else { return nil }
                return progress.patience.seconds - Double((NIODeadline.now() - since).nanoseconds) / 1e9
            }
            guard let left else { return }
            if left > 0 {
                state.progress.withLock { $0.timer = scheduled(in: left) }
            } else {
                cut()
            }
        }
    }

    /// Ends the connection after some seconds, or the stream.
    func cut(after seconds: TimeInterval) {
        guard seconds > 0 else { return channel.close(promise: nil) }
        channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(seconds * 1e9))) { [channel] in
            channel.close(promise: nil)
        }
    }

    /// Ends what the client sends, so that the answer can still go out. With TLS and HTTP/2, only both directions can
    /// be ended.
    private func cut() {
        channel.close(mode: .input).whenFailure { [channel] _ in channel.close(promise: nil) }
    }
}
