import Foundation

/// Where the pictures of a server are in a store with S3's interface: what `--blobs` says, checked.
///
/// `s3://bucket/prefix?endpoint=https://store.example&region=eu-central-1`. Without an endpoint the store is Amazon's own;
/// the region is then part of its name. `sslrootcert` names a PEM file with the authorities that may have signed the
/// store's certificate, as in a PostgreSQL address.
public struct S3Address: Sendable, Hashable, CustomStringConvertible {
    /// The scheme, host and port of the store.
    let endpoint: String
    /// The host and port as HTTP's `Host` has them: without the scheme's own port (RFC 9110, 7.2).
    let host: String
    let bucket: String
    /// What the names of all objects begin with: empty, or ending with a slash.
    let prefix: String
    let region: String
    /// The PEM file with the authorities of the store's certificate; nil for those of the system.
    let certificates: String?

    /// Reads an address.
    /// - Throws: `BlobError.other` with a sentence for the operator.
    public init(_ text: String) throws(BlobError) {
        guard let parts = URLComponents(string: text), parts.scheme == "s3", let bucket = parts.host,
            Self.isBucket(bucket)
        else {
            throw .other(
                message: "A store’s address is such as s3://bucket/prefix?endpoint=https://store.example.")
        }
        var (region, endpoint, certificates) = ("us-east-1", String?.none, String?.none)
        for item in parts.queryItems ?? [] {
            switch (item.name, item.value) {
            case ("endpoint", let value?): endpoint = value
            case ("region", let value?) where value.allSatisfy(Self.isPlain) && !value.isEmpty: region = value
            case ("sslrootcert", let value?): certificates = value
            default:
                throw .other(
                    message: "The store’s address has “\(item.name)”, which isn’t known or has no value.")
            }
        }
        let prefix = parts.path.split(separator: "/").joined(separator: "/")
        guard prefix.allSatisfy({ Self.isPlain($0) || $0 == "/" }),
            !prefix.split(separator: "/").contains("..")
        else {
            throw .other(message: "The store’s prefix may have letters, digits and ._-/ only.")
        }
        (self.endpoint, host) = try Self.endpoint(endpoint ?? "https://s3.\(region).amazonaws.com")
        self.bucket = bucket
        self.prefix = prefix.isEmpty ? "" : prefix + "/"
        self.region = region
        self.certificates = certificates
    }

    /// The bucket and the prefix, which stay the same when a store gets another address.
    public var place: String { "\(bucket)/\(prefix)" }

    /// The bucket and the store, for the log.
    public var description: String { "\(bucket)/\(prefix) at \(endpoint)" }

    private static func endpoint(_ text: String) throws(BlobError) -> (endpoint: String, host: String) {
        guard let url = URLComponents(string: text), let scheme = url.scheme, let name = url.host,
            !name.isEmpty,
            ["http", "https"].contains(scheme), url.path.isEmpty || url.path == "/", url.query == nil,
            url.user == nil, url.rangeOfPort == nil || url.port.map((1...65_535).contains) == true
        else { throw .other(message: "The store’s endpoint is such as https://store.example.") }
        let isHere = name == "localhost" || name == "[::1]" || name == "::1" || name.hasPrefix("127.")
        guard scheme == "https" || isHere else {
            throw .other(
                message: "Pictures aren’t sent without encryption. Use an endpoint that begins with https://."
            )
        }
        let ownPort = scheme == "https" ? 443 : 80
        let host = url.port.flatMap { $0 == ownPort ? nil : "\(name):\($0)" } ?? name
        return ("\(scheme)://\(host)", host)
    }

    private static func isBucket(_ name: String) -> Bool {
        (3...63).contains(name.utf8.count) && name.allSatisfy { isPlain($0) && $0 != "_" && !$0.isUppercase }
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
    }
}
