import HTTPTypes

/// The reason why a call of OAuth failed, as RFC 6749 (5.2) and RFC 7009 name it.
struct OAuthFailure: Error, Equatable {
    /// The codes by which programs distinguish failures.
    enum Code: String, Sendable {
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case unauthorizedClient = "unauthorized_client"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
        case accessDenied = "access_denied"

        /// The status of the answer.
        var status: HTTPResponse.Status {
            switch self {
            case .invalidClient: .unauthorized
            case .unauthorizedClient, .accessDenied: .forbidden
            default: .badRequest
            }
        }
    }

    let code: Code
    /// One sentence for a person.
    let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    static let invalidClient = OAuthFailure(
        .invalidClient, "This app isn’t registered here, or its secret is wrong. It has to register again.")
    static let invalidGrant = OAuthFailure(
        .invalidGrant, "This code is wrong, was used before, or has expired. Log in again.")
}
