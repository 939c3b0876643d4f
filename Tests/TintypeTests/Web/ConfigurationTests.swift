import Foundation
import Testing

@testable import Core
@testable import Feeds
@testable import Tintype

@Suite("Settings")
struct ConfigurationTests {
    private func load(
        flags: [String: String] = [:], environment: [String: String] = [:], file: String? = nil
    ) async throws -> ServerConfiguration {
        guard let file else {
            return try await ServerConfiguration.load(flags: flags, environment: environment, file: nil)
        }
        let path = NSTemporaryDirectory() + "settings-\(UUID().uuidString).json"
        try Data(file.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await ServerConfiguration.load(flags: flags, environment: environment, file: path)
    }

    @Test("A flag is stronger than a variable, that than the file, and that than the default")
    func precedence() async throws {
        let file = #"{"port": 1001, "name": "File", "snap-hours": "5", "limit-reads": 7, "connections": 100}"#
        let variables = ["TINTYPE_PORT": "1002", "TINTYPE_NAME": "Variable", "TINTYPE_LIMIT_READS": "8"]
        let settings = try await load(
            flags: ["port": "1003", "limit-writes": "9"], environment: variables, file: file)
        #expect(settings.port == 1003)
        #expect(settings.name == "Variable")
        #expect(settings.limits.reads == 8 && settings.limits.writes == 9)
        #expect(settings.snaps.lifetime == 5 * 3600)
        #expect(settings.connections == 100)
        #expect(settings.pictureThreads == ServerConfiguration().pictureThreads)
        // Also those of two words, from each place.
        #expect(try await load(environment: ["TINTYPE_PICTURE_BYTES": "5000"]).pictureBytes == 5_000)
        #expect(
            try await load(file: #"{"public-url": "https://a.example/"}"#).publicURL == "https://a.example")
    }

    @Test(
        "What would be a setting in vain is refused in a sentence",
        arguments: [
            (["tls-certificate": "a.pem"], nil, "--tls-key has to be given too"),
            (["tls-key": "a.key"], nil, "--tls-certificate has to be given too"),
            (["log-level": "loud"], nil, "isn't one of trace, debug, info, notice"),
            (["log-format": "xml"], nil, "isn't text or json"),
            (["port": "many"], nil, "isn't a number from 0 to 65535"),
            ([:], #"{"prot": 80}"#, #""prot" isn't a setting"#),
            ([:], #"{"demo-account": "a:b"}"#, #""demo-account" isn't a setting"#),
            ([:], #"{"snap": {"hours": 5}}"#, #""snap" isn't a setting"#),
            ([:], #"{"trusted-proxies": ["10.0.0.1"]}"#, "isn't given as a text or a whole number"),
            ([:], #"{"port": true}"#, "isn't given as a text or a whole number"),
            ([:], #"{"tls-key": "a.key"}"#, "--tls-certificate has to be given too"),
            ([:], "[1]", "isn't a JSON object with settings"),
            ([:], "{", "isn't a JSON object with settings"),
        ] as [([String: String], String?, String)])
    func refused(flags: [String: String], file: String?, sentence: String) async throws {
        let error = await #expect(throws: SettingError.self) { try await load(flags: flags, file: file) }
        #expect(error.map { "\($0)".contains(sentence) } == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test("The operator's guide lists every setting, and none that isn't one")
    func guide() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "Documentation/Operating.md"), encoding: .utf8)
        let listed = text.matches(of: /(?m)^\| `([a-z-]+)` \|/).map { String($0.1) }
        #expect(listed.sorted() == ServerConfiguration.allNames.sorted())
    }
}
