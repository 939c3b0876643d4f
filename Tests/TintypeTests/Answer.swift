import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import Core
@testable import Serving

/// What the server answered.
struct Answer: Sendable {
    let status: Int
    let headers: HTTPFields
    let bytes: [UInt8]

    init(_ response: TestResponse) {
        status = response.status.code
        headers = response.headers
        bytes = Array(buffer: response.body)
        let isJSON = response.headers[.contentType]?.contains("json") ?? false
        json = isJSON ? JSON(bytes) : .null
    }

    /// The body as text.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The body as JSON; null when it isn't any, or of another type.
    let json: JSON

    /// Whether the body has this text in it.
    func shows(_ part: String) -> Bool { text.contains(part) }

    /// What the next page says about what was just done; nil for nothing.
    var flash: String? {
        let cookies = headers[values: .setCookie].joined(separator: "\n")
        guard let value = cookies.firstMatch(of: /tintype_flash=\w+\.([\w-]+)/)?.1 else { return nil }
        return Data(base64URL: String(value)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// A member of the JSON object.
    subscript(_ name: String) -> JSON { json[name] }
}

extension Answer: CustomTestStringConvertible {
    // A failed test shouldn't print a whole page.
    var testDescription: String { "\(status), \(bytes.count) bytes: \(text.prefix(300))" }
}

/// A JSON value that is compared with literals and read without ceremony.
enum JSON: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    /// Parses JSON; null for what isn't any.
    init(_ bytes: [UInt8]) {
        let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        self = value.map { JSON(value: $0) } ?? .null
    }

    // Not by `Decodable`, which tries one type after the other: the testing library takes a backtrace of each refusal.
    private init(value: Any) {
        self =
            switch value {
            case let text as String: .text(text)
            // Foundation bridges JSON's `true` to a number whose C type is `char`.
            case let number as NSNumber:
                String(cString: number.objCType) == "c"
                    ? .bool(number.boolValue) : .number(number.doubleValue)
            case let list as [Any]: .list(list.map { JSON(value: $0) })
            case let members as [String: Any]: .object(members.mapValues { JSON(value: $0) })
            default: .null
            }
    }

    /// A member of an object; null when there is none.
    subscript(_ name: String) -> JSON {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    /// An element of a list; null behind its end.
    subscript(_ index: Int) -> JSON {
        list.indices.contains(index) ? list[index] : .null
    }

    var string: String? { if case .text(let text) = self { text } else { nil } }
    var number: Double? { if case .number(let number) = self { number } else { nil } }
    var int: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
    var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The elements; empty for anything but a list.
    var list: [JSON] { if case .list(let elements) = self { elements } else { [] } }

    /// As text to send.
    var text: String {
        guard let data = try? JSONEncoder().encode(self) else { return "null" }
        return String(decoding: data, as: UTF8.self)
    }
}

extension JSON: Encodable {
    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let members): try value.encode(members)
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByNilLiteral,
    ExpressibleByFloatLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .bool(value) }
    init(nilLiteral: ()) { self = .null }
    init(arrayLiteral elements: JSON...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
