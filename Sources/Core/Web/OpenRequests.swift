import Hummingbird
import Serving
import Synchronization

/// The number of requests under way of each person and each network, with a bound for both, so that nobody can use up
/// the server's connections, files and memory.
///
/// A request is under way until its answer was made, and the request of a file until the file was sent. Event streams
/// have a bound of their own (``EventBus/streamsPerAccount``).
package final class OpenRequests: Sendable {
    /// A request's place in the counts, which is given back with the last reference.
    final class Place: Sendable {
        private let requests: OpenRequests
        private let owners: [Owner]

        fileprivate init(_ requests: OpenRequests, _ owners: [Owner]) {
            self.requests = requests
            self.owners = owners
        }

        deinit { requests.giveBack(owners) }
    }

    /// The person or network whose requests are counted.
    enum Owner: Hashable {
        case account(Account.ID)
        /// A key of ``ClientNetwork``.
        case network(String)
    }

    /// The most requests of one account at once. A browser that speaks HTTP/2 asks for all pictures of a page at the
    /// same time.
    static let perAccount = 256

    private let perNetwork: Int
    private let counts = Mutex<[Owner: Int]>([:])

    /// - Parameter perNetwork: the most requests of one network at once.
    package init(perNetwork: Int) {
        self.perNetwork = perNetwork
    }

    /// Returns how many requests of an account or a network are under way.
    func count(_ owner: Owner) -> Int { counts.withLock { $0[owner] ?? 0 } }

    /// Takes a place for a request of all `owners`; returns nil when one of them has as many requests under way as
    /// allowed.
    func take(_ owners: [Owner]) -> Place? {
        let isTaken = counts.withLock { counts in
            guard owners.allSatisfy({ counts[$0, default: 0] < limit($0) }) else { return false }
            for owner in owners { counts[owner, default: 0] += 1 }
            return true
        }
        return isTaken ? Place(self, owners) : nil
    }

    private func limit(_ owner: Owner) -> Int {
        switch owner {
        case .account: Self.perAccount
        case .network: perNetwork
        }
    }

    private func giveBack(_ owners: [Owner]) {
        counts.withLock { counts in
            for owner in owners {
                guard let count = counts[owner] else { continue }
                counts[owner] = count > 1 ? count - 1 : nil
            }
        }
    }
}

/// The middleware that refuses a request with 429 when one person or one network has too many under way.
package struct OpenRequestLimit: MiddlewareProtocol {
    package let requests: OpenRequests

    package init(requests: OpenRequests) {
        self.requests = requests
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var owners = [OpenRequests.Owner.network(ClientNetwork.key(context.address))]
        if let session = context.session { owners.append(.account(session.account.id)) }
        guard let place = requests.take(owners) else {
            throw Refusal(.tooOften(retryAfter: 1), "Too many requests at once. Try again in a moment.")
        }
        var context = context
        context.place = place
        return try await next(request, context)
    }
}
