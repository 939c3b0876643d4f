import Foundation
import Logging
import Synchronization
import Testing

@testable import Serving

@Suite("The log in JSON")
struct JSONLogTests {
    @Test("A line is an object with everything that the line in words says")
    func line() throws {
        let lines = Mutex<[Data]>([])
        var logger = Logger(label: "tintype") { label in
            JSONLog(label: label) { line in lines.withLock { $0.append(line) } }
        }
        logger[metadataKey: "id"] = "7"
        logger.debug("not asked for")
        logger.warning("a \"quoted\" word\nand a line", metadata: ["id": "8", "list": ["a", "b"]])
        let written = lines.withLock { $0 }
        #expect(written.count == 1 && written[0].last == UInt8(ascii: "\n"))
        #expect(written[0].dropLast().contains(UInt8(ascii: "\n")) == false)
        let object = try #require(try JSONSerialization.jsonObject(with: written[0]) as? [String: Any])
        #expect(object["level"] as? String == "warning")
        #expect(object["message"] as? String == "a \"quoted\" word\nand a line")
        #expect((object["metadata"] as? [String: String])?["id"] == "8")
        #expect((object["metadata"] as? [String: String])?["list"] != nil)
        #expect(object["time"] is String)
    }
}
