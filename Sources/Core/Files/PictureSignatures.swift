import Crypto
import Foundation
import Serving

/// The signer of picture URLs for phone apps, which send no token with a picture request (Documentation/Interface.md,
/// "Picture URLs").
///
/// A signature proves only for which log-in the URL was made, and in which of the person's epochs. A URL ends with its
/// log-in, and when a new epoch begins, because the person has ended all their other log-ins. Every request checks
/// whether that person may still see the picture.
package struct PictureSignatures: Sendable {
    /// The name of the key among the server's values. It is in no backup.
    package static let keyName = "picture-urls"

    /// The claim of a URL, before it was checked.
    package struct Claim: Sendable {
        /// The log-in for which the URL was made.
        package let session: Session.ID
        fileprivate let code: Data

        /// Reads the parameters `v` and `s`. Returns nil for what can't be a signature.
        package init?(session: String, signature: String) {
            guard let session = Session.ID(session), let code = Data(base64URL: signature) else { return nil }
            self.session = session
            self.code = code
        }
    }

    private struct Owner: Hashable {
        var picture: Int64
        var reader: Reader
        var epoch: Int64
    }

    private let key: SymmetricKey
    private let epochs: AccountEpochs
    // One HMAC costs about 1.3 µs, and a timeline contains 60 to 200 of them. A signature takes about 250 bytes.
    private let signatures = Cache<Owner, String>(capacity: 20_000)

    init(key: SymmetricKey, epochs: AccountEpochs) {
        self.key = key
        self.epochs = epochs
    }

    /// Returns `v=LOG-IN&s=SIGNATURE`, which is equal for all sizes of a picture.
    package func query(_ picture: Int64, viewer reader: Reader) -> String {
        let owner = Owner(picture: picture, reader: reader, epoch: epochs[reader.account])
        if let known = signatures[owner] { return known }
        let code = HMAC<SHA256>.authenticationCode(for: Self.message(owner), using: key)
        let query = "v=\(reader.session)&s=\(base64URL(Data(code)))"
        signatures[owner] = query
        return query
    }

    /// Returns whether a URL of this picture was signed for the log-in that it names.
    ///
    /// - Parameters:
    ///   - account: the owner of the log-in.
    ///   - epoch: the owner's current epoch.
    package func isGood(_ claim: Claim, of account: Account.ID, for picture: Int64, in epoch: Int64) -> Bool {
        let owner = Owner(picture: picture, reader: Reader(account, in: claim.session), epoch: epoch)
        return HMAC<SHA256>.isValidAuthenticationCode(
            claim.code, authenticating: Self.message(owner), using: key)
    }

    private static func message(_ owner: Owner) -> Data {
        Data(
            "photo \(owner.picture) for \(owner.reader.account) logged in as \(owner.reader.session) in \(owner.epoch)"
                .utf8)
    }
}

extension Data {
    /// Decodes base64 with `-` and `_` and without padding (RFC 4648, 5).
    package init?(base64URL text: String) {
        let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
        self.init(base64Encoded: plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4))
    }
}
