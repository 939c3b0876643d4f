import Crypto
import Foundation

/// Signs picture URLs for phone apps, which send no token with a picture request
/// (Documentation/Interface.md, "Picture URLs").
///
/// A signature proves only for whom the URL was made, and under which of their epochs: a new one begins when all
/// their log-ins end, and all URLs from before are worth nothing. Whether that person may still see the picture is
/// asked at every request.
struct PictureSignatures: Sendable {
    /// What a URL says of itself, before it was checked.
    struct Claim: Sendable {
        let viewer: Account.ID
        fileprivate let code: Data

        /// Reads the parameters `v` and `s`; nil for what can't be a signature.
        init?(viewer: String, signature: String) {
            guard let viewer = Account.ID(viewer), let code = Data(base64URL: signature) else { return nil }
            self.viewer = viewer
            self.code = code
        }
    }

    private struct Owner: Hashable {
        var picture: Int64
        var viewer: Account.ID
        var epoch: Int64
    }

    private let key: SymmetricKey
    private let epochs: PictureEpochs
    // One HMAC costs about 1.3 µs and a timeline holds 60 to 200 of them. Some 250 bytes each.
    private let signatures = Cache<Owner, String>(capacity: 20_000)

    init(key: SymmetricKey, epochs: PictureEpochs) {
        self.key = key
        self.epochs = epochs
    }

    /// `v=VIEWER&s=SIGNATURE`, the same for all sizes of a picture.
    func query(_ picture: Int64, viewer: Account.ID) -> String {
        let owner = Owner(picture: picture, viewer: viewer, epoch: epochs[viewer])
        if let known = signatures[owner] { return known }
        let code = HMAC<SHA256>.authenticationCode(for: Self.message(owner), using: key)
        let query = "v=\(viewer)&s=\(base64URL(Data(code)))"
        signatures[owner] = query
        return query
    }

    /// Whether a URL of this picture was signed for whom it says, in the epoch that they are in.
    func isGood(_ claim: Claim, for picture: Int64, in epoch: Int64) -> Bool {
        let owner = Owner(picture: picture, viewer: claim.viewer, epoch: epoch)
        return HMAC<SHA256>.isValidAuthenticationCode(
            claim.code, authenticating: Self.message(owner), using: key)
    }

    private static func message(_ owner: Owner) -> Data {
        Data("photo \(owner.picture) for \(owner.viewer) in \(owner.epoch)".utf8)
    }
}

extension Data {
    /// Reads base64 with `-` and `_` and without padding (RFC 4648, 5).
    init?(base64URL text: String) {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
