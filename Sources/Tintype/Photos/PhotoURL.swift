import Crypto
import Foundation

/// Signs picture URLs for phone apps, which send no token with a picture request (API.md, "Picture URLs").
///
/// A signature proves only for whom the URL was made. Whether that person may still see the picture is
/// asked at every request.
struct PhotoURL: Sendable {
    private struct Owner: Hashable {
        var photo: Photo.ID
        var viewer: Account.ID
    }

    private let key: SymmetricKey
    private let publicURL: String
    // One HMAC costs about 1.3 µs and a timeline holds 60 to 200 of them.
    private let signatures = Cache<Owner, String>(capacity: 50_000)

    init(key: SymmetricKey, publicURL: String) {
        self.key = key
        self.publicURL = publicURL
    }

    /// The absolute URL of a rendition for one viewer.
    func url(_ photo: Photo.ID, _ size: Photo.Size, viewer: Account.ID) -> String {
        "\(publicURL)\(Photo.path(photo, size))?\(query(photo, viewer: viewer))"
    }

    /// `v=VIEWER&s=SIGNATURE`, the same for all sizes of a photo.
    func query(_ photo: Photo.ID, viewer: Account.ID) -> String {
        let owner = Owner(photo: photo, viewer: viewer)
        if let known = signatures[owner] { return known }
        let query = "v=\(viewer)&s=\(signature(photo, viewer))"
        signatures[owner] = query
        return query
    }

    /// For whom a picture request with these parameters may be answered, nil when the signature is wrong.
    func viewer(_ photo: Photo.ID, viewer: String, signature: String) -> Account.ID? {
        guard let viewer = Account.ID(viewer), let code = Data(base64URL: signature) else { return nil }
        let isValid = HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: Self.message(photo, viewer), using: key)
        return isValid ? viewer : nil
    }

    private func signature(_ photo: Photo.ID, _ viewer: Account.ID) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Self.message(photo, viewer), using: key)
        return base64URL(Data(code))
    }

    private static func message(_ photo: Photo.ID, _ viewer: Account.ID) -> Data {
        Data("photo \(photo) for \(viewer)".utf8)
    }
}

extension Data {
    /// Reads base64 with `-` and `_` and without padding (RFC 4648, 5).
    init?(base64URL text: String) {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
