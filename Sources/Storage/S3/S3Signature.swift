import Crypto
import Foundation

/// The signature of a request to an S3 store: Amazon's version 4
/// (https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html).
struct S3Signature {
    let keys: S3Keys
    let region: String

    /// Returns the headers that a request is sent with: those given, its time, the hash of its body, and the signature over
    /// all of them.
    ///
    /// - Parameters:
    ///   - path: the path, of characters that need no escaping.
    ///   - query: the parameters, not yet escaped.
    ///   - headers: the headers to sign, with lower-case names, `host` among them.
    ///   - bodyHash: the SHA-256 of the body in hexadecimal digits.
    func headers(
        _ method: String, path: String, query: [(name: String, value: String)], headers: [String: String],
        bodyHash: String, at date: Date
    ) -> [String: String] {
        let time = Self.time(date)
        let day = String(time.prefix(8))
        var headers = headers
        headers["x-amz-date"] = time
        headers["x-amz-content-sha256"] = bodyHash
        let sorted = headers.sorted { $0.key < $1.key }
        let names = sorted.map(\.key).joined(separator: ";")
        let request = [
            method, path, Self.text(query), sorted.map { "\($0.key):\($0.value)\n" }.joined(), names,
            bodyHash,
        ].joined(separator: "\n")
        let scope = "\(day)/\(region)/s3/aws4_request"
        let toSign = "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(SHA256.hash(data: Data(request.utf8)).hex)"
        var key = SymmetricKey(data: Data("AWS4\(keys.secret)".utf8))
        for part in [day, region, "s3", "aws4_request"] {
            key = SymmetricKey(data: Self.code(part, key))
        }
        headers["authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(keys.id)/\(scope),SignedHeaders=\(names),Signature=\(Self.code(toSign, key).hex)"
        return headers
    }

    /// Returns a query as it is signed and sent: by name, everything escaped but RFC 3986's unreserved characters.
    static func text(_ query: [(name: String, value: String)]) -> String {
        query.map { (escape($0.name), escape($0.value)) }.sorted { $0 < $1 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    private static func code(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    }

    private static func escape(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    /// Returns a moment in ISO 8601's basic form, such as `20130524T000000Z`.
    private static func time(_ date: Date) -> String {
        date.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    }
}
