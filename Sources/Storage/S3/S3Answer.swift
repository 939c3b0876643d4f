import Foundation
import FoundationXML

/// The texts of an S3 store's XML answer, by the names of their elements. What Tintype reads has no deeper structure.
struct S3Answer {
    private var texts: [String: [String]] = [:]

    /// Reads an answer. One that isn't XML has no texts.
    init(_ bytes: some Sequence<UInt8>) {
        let reader = Reader()
        // Foundation's parser ends the process at a name or a comment that isn't UTF-8, such as in the page of a proxy.
        let parser = XMLParser(data: Data(String(decoding: Array(bytes), as: UTF8.self).utf8))
        parser.delegate = reader
        _ = parser.parse()
        texts = reader.texts
    }

    /// Returns the texts of all elements of a name, in their order.
    func all(_ name: String) -> [String] { texts[name] ?? [] }

    /// Returns the text of the first element of a name.
    subscript(name: String) -> String? { texts[name]?.first }

    private final class Reader: NSObject, XMLParserDelegate {
        var texts: [String: [String]] = [:]
        private var text = ""

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            text = ""
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            texts[name, default: []].append(text)
            text = ""
        }
    }
}

/// A request that an S3 store refused, or didn't answer.
struct S3Failure: Error, CustomStringConvertible {
    /// The status; 0 if there was no answer.
    let status: Int
    /// The store's name of the error (https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html); empty if it
    /// gave none.
    let code: String
    let message: String

    /// Whether the same request may succeed a moment later.
    var isPassing: Bool { status == 0 || status == 429 || status >= 500 && !isFull && status != 501 }

    /// Whether the operator can mend it while the server runs: the bucket is gone, the keys or the clock are wrong.
    private var isMendable: Bool {
        [
            "NoSuchBucket", "InvalidAccessKeyId", "SignatureDoesNotMatch", "RequestTimeTooSkewed",
            "AccessDenied",
        ].contains(code)
    }

    private var isFull: Bool { status == 507 || code == "QuotaExceeded" || code == "XMinioStorageFull" }

    var description: String {
        [status == 0 ? "" : "\(status)", code, message].filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The error of the blob store that this failure means.
    var blobError: BlobError {
        if isFull { return .full }
        if code == "NoSuchKey" || status == 404 && code.isEmpty { return .notFound }
        return isPassing || isMendable ? .unavailable(message: description) : .other(message: description)
    }
}
