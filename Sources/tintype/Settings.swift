import ArgumentParser
import Foundation
import Tintype

/// Settings as flags. Each is also an environment variable (`TINTYPE_PUBLIC_URL`) and a key of the JSON file.
struct Settings: ParsableArguments {
    @Option(help: "A JSON file with settings, named as the flags are without dashes in front.")
    var config: String?

    @Option(help: "The folder with the database and the pictures. (default: data)")
    var data: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on; 0 for any that is free. (default: 8080)")
    var port: String?

    @Option(
        name: .customLong("public-url"),
        help: "How people reach the server, such as https://photos.example.org.")
    var publicURL: String?

    @Option(help: "The name of this server. (default: Tintype)")
    var name: String?

    @Option(
        name: .customLong("sign-up"),
        help: """
            Who may make an account, until an administrator chooses in the app: open, invitation or closed. \
            (default: invitation)
            """)
    var signUp: String?

    @Option(name: .customLong("picture-bytes"), help: "The most bytes of one picture. (default: 50000000)")
    var pictureBytes: String?

    @Option(name: .customLong("picture-pixels"), help: "The most pixels of one picture. (default: 100000000)")
    var picturePixels: String?

    @Option(
        name: .customLong("storage-per-account"),
        help: """
            The most bytes that all pictures of one account may have together; 0 for no limit. \
            (default: 0)
            """)
    var storagePerAccount: String?

    @Option(name: .customLong("picture-threads"), help: "Pictures worked on at once. (default: 2)")
    var pictureThreads: String?

    @Option(help: "Connections open at once. (default: 16384)")
    var connections: String?

    @Option(
        name: .customLong("network-connections"),
        help: "Connections, and requests under way, of one network at once. (default: 1024)")
    var networkConnections: String?

    @Option(name: .customLong("limit-writes"), help: "Changes by one account in five minutes. (default: 300)")
    var limitWrites: String?

    @Option(
        name: .customLong("limit-reads"),
        help: "Pages, pictures and JSON for one account in five minutes. (default: 9000)")
    var limitReads: String?

    @Option(
        name: .customLong("limit-uploads"),
        help: "Pictures sent by one account in half an hour. (default: 300)")
    var limitUploads: String?

    @Option(
        name: .customLong("limit-log-ins"),
        help: "Wrong passwords for one account from one network before pauses grow. (default: 10)")
    var limitLogIns: String?

    @Option(
        name: .customLong("limit-sign-ups"),
        help: "Tries to make an account from one address in an hour. (default: 10)")
    var limitSignUps: String?

    @Option(
        name: .customLong("trusted-proxies"),
        help: "Addresses of reverse proxies whose X-Forwarded-For is believed, with commas.")
    var trustedProxies: String?

    @Option(
        name: .customLong("password-cost"),
        help: "What hashing a password costs, 10 to 20; one more doubles it. (default: 15)")
    var passwordCost: String?

    @Option(
        name: .customLong("metrics-readers"),
        help: "Addresses that may read /metrics, with commas, or all. (default: 127.0.0.1,::1)")
    var metricsReaders: String?

    @Option(
        name: .customLong("snap-feeds"),
        help: "The feeds of snaps, with commas. (default: memes,dog spots,random)")
    var snapFeeds: String?

    @Option(
        name: .customLong("snap-open-feeds"),
        help: "Feeds whose snaps everyone here sees, not friends alone, with commas. (default: none)")
    var snapOpenFeeds: String?

    @Option(
        name: .customLong("snap-hours"), help: "How many hours a snap waits to be seen. (default: 24)")
    var snapHours: String?

    @Option(
        name: .customLong("tls-certificate"), help: "PEM file with the certificate chain, to speak HTTPS.")
    var tlsCertificate: String?

    @Option(name: .customLong("tls-key"), help: "PEM file with the certificate's private key.")
    var tlsKey: String?

    @Option(
        name: .customLong("log-level"),
        help: "trace, debug, info, notice, warning, error or critical. (default: info)")
    var logLevel: String?

    /// The settings from flags, environment and file together.
    func load() async throws -> ServerConfiguration {
        let flags = [
            "data": data, "host": host, "port": port, "public-url": publicURL, "name": name,
            "sign-up": signUp,
            "picture-bytes": pictureBytes, "picture-pixels": picturePixels,
            "storage-per-account": storagePerAccount, "picture-threads": pictureThreads,
            "connections": connections, "network-connections": networkConnections,
            "limit-writes": limitWrites, "limit-reads": limitReads,
            "limit-uploads": limitUploads, "limit-log-ins": limitLogIns, "limit-sign-ups": limitSignUps,
            "trusted-proxies": trustedProxies, "metrics-readers": metricsReaders,
            "password-cost": passwordCost, "snap-feeds": snapFeeds,
            "snap-open-feeds": snapOpenFeeds, "snap-hours": snapHours, "tls-certificate": tlsCertificate,
            "tls-key": tlsKey, "log-level": logLevel,
        ].compactMapValues { $0 }
        return try await ServerConfiguration.load(
            flags: flags, environment: ProcessInfo.processInfo.environment,
            file: config ?? ProcessInfo.processInfo.environment["TINTYPE_CONFIG"])
    }
}
