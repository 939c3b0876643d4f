import HTTPTypes

extension HTTPField.Name {
    package static let requestID = written("X-Request-Id")
    package static let idempotencyKey = written("Idempotency-Key")
    package static let fetchSite = written("Sec-Fetch-Site")
    package static let forwardedFor = written("X-Forwarded-For")
    package static let link = written("Link")
    package static let rateLimit = written("X-RateLimit-Limit")
    package static let rateRemaining = written("X-RateLimit-Remaining")
    package static let rateReset = written("X-RateLimit-Reset")
    package static let lastEventID = written("Last-Event-ID")
    package static let clearSiteData = written("Clear-Site-Data")
    package static let crossOriginOpener = written("Cross-Origin-Opener-Policy")
    package static let crossOriginResource = written("Cross-Origin-Resource-Policy")
    package static let referrerPolicy = written("Referrer-Policy")
    package static let permissionsPolicy = written("Permissions-Policy")

    /// Returns the name of a header from a literal in the program's source.
    package static func written(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else {
            preconditionFailure("\(name) is not the name of a header")
        }
        return name
    }
}
