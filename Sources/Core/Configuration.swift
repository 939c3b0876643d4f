import Configuration
import Foundation
import Logging
import NIOCore
import Serving
import Storage
import SystemPackage

/// The people who may sign up.
public enum SignUpMode: String, Sendable, CaseIterable {
    /// Anyone.
    case open
    /// People with an invitation code.
    case invitation
    /// Nobody.
    case closed
}

/// The forms that the log may have.
public enum LogFormat: String, Sendable, CaseIterable {
    /// A line of words for people.
    case text
    /// A line with a JSON object for programs.
    case json
}

/// Every setting of the server, with its default.
///
/// Each setting can be given as a flag (`--public-url`), as an environment variable (`TINTYPE_PUBLIC_URL`) or in a JSON
/// file (`"public-url"`). A flag overrides a variable, and a variable overrides the file.
public struct ServerConfiguration: Sendable {
    /// The folder with the database and the pictures.
    public var data = "data"
    /// The PostgreSQL database; nil for a SQLite file in the data folder.
    public var database: PostgresAddress?
    /// The store with S3's interface that has the pictures; nil for a folder in the data folder.
    public var blobs: S3Address?
    /// The file with the key that seals the key for secrets in a PostgreSQL database; every server of the database has it.
    /// A SQLite file needs none: its data folder has a key of its own.
    public var secretsKeyFile: String?
    /// Whether a SQLite database with data is copied before a new version changes it. Without the copy only a backup leads
    /// back to the earlier version.
    public var copiesBeforeUpgrade = true
    /// Whether other servers use the database at the same time, also one in a SQLite file. Not a setting: tests run two
    /// servers.
    package var sharedDatabase = false
    /// The address to listen on; `0.0.0.0` for all.
    public var host = "127.0.0.1"
    /// The port to listen on; 0 for any free port.
    public var port = 8080
    /// The address of this server for people, without a slash at the end: `https://photos.example.org`. Session cookies
    /// are marked secure when it begins with `https`.
    public var publicURL = "http://localhost:8080"
    /// The name of this server, shown to apps.
    public var name = "Tintype"
    /// The people who may sign up: `open`, `invitation` or `closed`. The first person needs no invitation.
    public var signUp = SignUpMode.invitation
    /// The most bytes of one picture.
    public var pictureBytes = 50_000_000
    /// The most pixels of one picture.
    public var picturePixels = 100_000_000
    /// The most bytes of all files of one account together; 0 for no limit.
    public var storagePerAccount = 0
    /// The number of pictures processed at once; each takes one processor.
    public var pictureThreads = 2
    /// The most connections open at once.
    public var connections = 16_384
    /// The most connections of one network open at once, without those of trusted proxies, and the most requests of one
    /// network under way at once.
    public var networkConnections = 1_024
    /// The pace at which a client has to read its answers.
    package var readingPace = ReadingPace.Limit()
    /// How long a connection with TLS may be open without a request: more than HTTP's own idle time of 75 seconds.
    package var handshakeTime = TimeAmount.seconds(90)
    /// How long requests may continue after SIGTERM; then their connections are closed.
    package var shutdownPatience = Duration.seconds(20)
    /// How many requests one person or address may send: `limit-writes`, `limit-reads`, `limit-uploads`,
    /// `limit-log-ins` and `limit-sign-ups`.
    public var limits = RateLimits()
    /// The addresses of reverse proxies whose `X-Forwarded-For` is trusted, separated by commas. If there are several
    /// in a row, name all of them: the client is the first address, read from the right, that isn't one of them.
    public var trustedProxies: [String] = []
    /// The addresses from which `/metrics` may be read, separated by commas, or `all`; by default this computer alone.
    /// A request through a proxy counts as its client's.
    public var metricsReaders = MetricsReaders.thisComputer
    /// The cost of hashing a password: the binary logarithm of scrypt's N (RFC 7914). 15 takes 32 MB and a sixth of a
    /// second; earlier hashes keep their own cost.
    public var passwordCost = 15
    /// Whether this server may send requests to addresses of its own computer and networks. Only for tests and for
    /// sources that an operator runs: the addresses come from strangers.
    public var allowsPrivateAddresses = false
    /// How long other servers may keep this server waiting.
    package var outgoingPace = OutgoingPace()
    /// Receives every statement that the database runs. Not a setting: tests use it to find statements that read whole
    /// tables.
    var statementWatch: StatementWatch?
    /// For how long a transaction waits for a connection of PostgreSQL before it is refused, in seconds. Not a setting: tests
    /// give a crowd the time that a slow machine needs.
    var databasePatience = Database.patience
    /// How many reads of a SQLite file may run at once on the threads that ask. Not a setting: tests set it to 0 to hold a
    /// read, which nothing may on those threads.
    var readsInPlace = Database.readsInPlace
    /// The PEM file with the certificate chain; with `tlsKey`, the server speaks HTTPS and HTTP/2 itself.
    public var tlsCertificate: String?
    /// The PEM file with the certificate's private key.
    public var tlsKey: String?
    /// The least severe level that is logged: `trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`.
    public var logLevel = "info"
    /// The form of the log: `text` or `json`.
    public var logFormat = LogFormat.text

    /// The names of the settings that belong to no feature, for flags and the file.
    package static let names = [
        "data", "database", "blobs", "secrets-key-file", "upgrade-copy", "host", "port", "public-url", "name",
        "sign-up", "picture-bytes",
        "picture-pixels", "storage-per-account", "picture-threads", "connections", "network-connections",
        "limit-writes",
        "limit-reads", "limit-uploads", "limit-log-ins", "limit-sign-ups", "trusted-proxies",
        "metrics-readers", "password-cost", "private-addresses", "tls-certificate", "tls-key", "log-level",
        "log-format",
    ]

    private var settings: [ObjectIdentifier: any FeatureSettings] = [:]

    /// The settings of a feature, which reads them itself (``FeatureSettings``).
    package subscript<Settings: FeatureSettings>(_ type: Settings.Type) -> Settings {
        get { settings[ObjectIdentifier(type)] as? Settings ?? Settings() }
        set { settings[ObjectIdentifier(type)] = newValue }
    }

    /// Creates the default settings.
    public init() {}

    /// Reads the settings.
    ///
    /// - Parameters:
    ///   - flags: settings from the command line, by their names in the file.
    ///   - environment: the process's variables; those that begin with `TINTYPE_` are read.
    ///   - file: the path of a JSON file; nil for none.
    ///   - features: the settings of the features.
    /// - Throws: an error when the file can't be read, or when a setting doesn't accept its value.
    package static func load(
        flags: [String: String], environment: [String: String], file: String?,
        features: [any FeatureSettings.Type]
    ) async throws -> ServerConfiguration {
        var providers: [any ConfigProvider] = [
            InMemoryProvider(
                name: "flags",
                values: Dictionary(
                    uniqueKeysWithValues: flags.map {
                        (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: false))
                    })),
            EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "tintype"),
        ]
        if let file {
            try check(file, names: names + features.flatMap { $0.names })
            providers.append(try await FileProvider<JSONSnapshot>(filePath: FilePath(file)))
        }
        let reader = ConfigReader(providers: providers)
        var result = ServerConfiguration()
        // Flags and variables are text; a file may contain a number.
        func text(_ name: String) -> String? {
            let key = ConfigKey([name])
            return reader.string(forKey: key) ?? reader.int(forKey: key).map(String.init)
        }
        let given = GivenSettings(text: text)
        func integer(_ name: String, _ range: ClosedRange<Int>, _ value: inout Int) throws {
            value = try given.integer(name, range) ?? value
        }
        result.data = text("data") ?? result.data
        result.database = try text("database").map { try PostgresAddress($0) }
        result.blobs = try text("blobs").map { try S3Address($0) }
        result.secretsKeyFile = text("secrets-key-file")
        result.copiesBeforeUpgrade = try given.yesOrNo("upgrade-copy") ?? result.copiesBeforeUpgrade
        result.host = text("host") ?? result.host
        try integer("port", 0...65_535, &result.port)
        result.publicURL = "http://\(result.host == "127.0.0.1" ? "localhost" : result.host):\(result.port)"
        if let url = text("public-url") {
            guard url.hasPrefix("http://") || url.hasPrefix("https://"), URL(string: url)?.host() != nil
            else {
                throw SettingError(
                    name: "public-url", value: url, expected: "a URL such as https://photos.example.org")
            }
            result.publicURL = url.hasSuffix("/") ? String(url.dropLast()) : url
        }
        result.name = text("name") ?? result.name
        if let mode = text("sign-up") {
            guard let known = SignUpMode(rawValue: mode) else {
                throw SettingError(name: "sign-up", value: mode, expected: "open, invitation or closed")
            }
            result.signUp = known
        }
        try integer("picture-bytes", 1_000...1_000_000_000, &result.pictureBytes)
        try integer("picture-pixels", 10_000...500_000_000, &result.picturePixels)
        try integer("storage-per-account", 0...1_000_000_000_000_000, &result.storagePerAccount)
        try integer("picture-threads", 1...64, &result.pictureThreads)
        try integer("connections", 16...1_000_000, &result.connections)
        try integer("network-connections", 16...1_000_000, &result.networkConnections)
        let limit = 1...1_000_000_000
        try integer("limit-writes", limit, &result.limits.writes)
        try integer("limit-reads", limit, &result.limits.reads)
        try integer("limit-uploads", limit, &result.limits.uploads)
        try integer("limit-log-ins", limit, &result.limits.logIns)
        try integer("limit-sign-ups", limit, &result.limits.signUps)
        result.trustedProxies = (text("trusted-proxies") ?? "").split(separator: ",").map { $0.trimmed }
        try integer("password-cost", 10...20, &result.passwordCost)
        if let readers = text("metrics-readers") { result.metricsReaders = MetricsReaders(readers) }
        result.allowsPrivateAddresses =
            try given.yesOrNo("private-addresses") ?? result.allowsPrivateAddresses
        for feature in features {
            var settings = feature.init()
            try settings.read(given)
            result.settings[ObjectIdentifier(feature)] = settings
        }
        result.tlsCertificate = text("tls-certificate")
        result.tlsKey = text("tls-key")
        if (result.tlsCertificate == nil) != (result.tlsKey == nil) {
            let (named, missing) =
                result.tlsKey == nil ? ("tls-certificate", "tls-key") : ("tls-key", "tls-certificate")
            throw SettingError(
                name: named, value: result.tlsCertificate ?? result.tlsKey ?? "",
                expected: "enough to speak HTTPS: --\(missing) has to be given too")
        }
        if let level = text("log-level") {
            guard Logger.Level(rawValue: level) != nil else {
                throw SettingError(
                    name: "log-level", value: level,
                    expected: "one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
            }
            result.logLevel = level
        }
        if let format = text("log-format") {
            guard let known = LogFormat(rawValue: format) else {
                throw SettingError(name: "log-format", value: format, expected: "text or json")
            }
            result.logFormat = known
        }
        return result
    }

    /// Lets the process log in the form of the setting. Called once, before anything is logged.
    public func startLog() {
        if logFormat == .json { LoggingSystem.bootstrap { JSONLog(label: $0) } }
    }

    /// Refuses a settings file with names that no setting has, or with values that no setting accepts.
    private static func check(_ file: String, names: [String]) throws {
        let members: [String: FileValue]
        do {
            members = try JSONDecoder().decode(
                [String: FileValue].self, from: Data(contentsOf: URL(filePath: file)))
        } catch is DecodingError {
            throw SettingError(name: "config", value: file, expected: "a JSON object with settings")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            guard names.contains(name) else {
                throw SettingError(name: "config", value: name, expected: "a setting")
            }
            guard value == .usable else {
                throw SettingError(name: "config", value: name, expected: "given as a text or a whole number")
            }
        }
    }

    private enum FileValue: Decodable {
        case usable, other

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            let isUsable = (try? value.decode(String.self)) != nil || (try? value.decode(Int.self)) != nil
            self = isUsable ? .usable : .other
        }
    }
}

/// The settings of one feature, which names and reads them itself.
package protocol FeatureSettings: Sendable {
    /// The names of the settings, for flags and the file.
    static var names: [String] { get }
    /// Creates the default settings.
    init()
    /// Reads the given values.
    ///
    /// - Throws: ``SettingError`` for a value that its setting doesn't accept.
    mutating func read(_ given: GivenSettings) throws
}

/// The values that the operator has set, by flags, variables and a file.
package struct GivenSettings {
    /// Returns the value that is set for a name; nil for none.
    package let text: (_ name: String) -> String?

    /// Returns whether a name is set to `yes`; nil when it isn't set.
    ///
    /// - Throws: ``SettingError`` for anything but `yes` and `no`.
    func yesOrNo(_ name: String) throws -> Bool? {
        guard let given = text(name) else { return nil }
        guard let answer = ["yes": true, "no": false][given] else {
            throw SettingError(name: name, value: given, expected: "yes or no")
        }
        return answer
    }

    /// Returns the number that is set for a name; nil for none.
    ///
    /// - Throws: ``SettingError`` for anything but a number in the range.
    package func integer(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let given = text(name) else { return nil }
        guard let number = Int(given), range.contains(number) else {
            throw SettingError(
                name: name, value: given,
                expected: "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

/// The error of a setting that doesn't accept its value.
package struct SettingError: Error, CustomStringConvertible {
    package var name: String
    package var value: String
    package var expected: String

    package init(name: String, value: String, expected: String) {
        self.name = name
        self.value = value
        self.expected = expected
    }

    package var description: String { "--\(name): \"\(value)\" isn't \(expected)." }
}
