import ArgumentParser
import Core
import Foundation
import Tintype

/// The settings as flags. Each is also an environment variable (`TINTYPE_PUBLIC_URL`) and a key of the JSON file.
struct Settings: ParsableArguments {
    @Option(help: "A JSON file with settings. Its keys are the flags without the dashes in front.")
    var config: String?

    @Option(help: "The folder with the database and the pictures. (default: data)")
    var data: String?

    @Option(
        help: """
            A PostgreSQL database, such as postgres://tintype@db.example/tintype, its password in PGPASSWORD. (default: a \
            SQLite file in the data folder)
            """)
    var database: String?

    @Option(
        help: """
            A store with S3's interface for the pictures, such as s3://bucket/prefix?endpoint=https://store.example, its \
            keys in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY. (default: a folder in the data folder)
            """)
    var blobs: String?

    @Option(
        name: .customLong("secrets-key-file"),
        help: """
            A file with 32 random bytes in base64, which seals the secrets of a PostgreSQL database and which every server of \
            the database has. (default: none, a SQLite file has its key in the data folder)
            """)
    var secretsKeyFile: String?

    @Option(
        name: .customLong("upgrade-copy"),
        help: """
            Whether a SQLite database is copied before a new version changes it, for `tintype back-out`: yes or no. \
            (default: yes)
            """)
    var upgradeCopy: String?

    @Option(help: "The address to listen on. (default: 127.0.0.1)")
    var host: String?

    @Option(help: "The port to listen on; 0 for any free port. (default: 8080)")
    var port: String?

    @Option(
        name: .customLong("public-url"),
        help: "The address at which people reach the server, such as https://photos.example.org.")
    var publicURL: String?

    @Option(help: "The name of this server. (default: Tintype)")
    var name: String?

    @Option(
        name: .customLong("sign-up"),
        help: """
            Who may create an account: open, invitation or closed. An administrator can change it in the app. \
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
            The most bytes for all pictures of one account; 0 for no limit. \
            (default: 0)
            """)
    var storagePerAccount: String?

    @Option(name: .customLong("picture-threads"), help: "Pictures processed at once. (default: 2)")
    var pictureThreads: String?

    @Option(help: "Open connections. (default: 16384)")
    var connections: String?

    @Option(
        name: .customLong("network-connections"),
        help: "Open connections, and requests under way, of one network. (default: 1024)")
    var networkConnections: String?

    @Option(name: .customLong("limit-writes"), help: "Changes by one account in five minutes. (default: 300)")
    var limitWrites: String?

    @Option(
        name: .customLong("limit-reads"),
        help: "Pages, pictures and JSON for one account in five minutes. (default: 9000)")
    var limitReads: String?

    @Option(
        name: .customLong("limit-uploads"),
        help: "Files uploaded by one account in half an hour. (default: 300)")
    var limitUploads: String?

    @Option(
        name: .customLong("limit-log-ins"),
        help: "Wrong passwords for one account from one network before pauses grow. (default: 10)")
    var limitLogIns: String?

    @Option(
        name: .customLong("limit-sign-ups"),
        help: "Attempts to create an account from one network in an hour. (default: 10)")
    var limitSignUps: String?

    @Option(
        name: .customLong("trusted-proxies"),
        help: """
            Addresses of reverse proxies whose X-Forwarded-For is trusted, separated by commas. Name every one of \
            several in a row.
            """)
    var trustedProxies: String?

    @Option(
        name: .customLong("password-cost"),
        help: "The cost of hashing a password, 10 to 20; each step doubles it. (default: 15)")
    var passwordCost: String?

    @Option(
        name: .customLong("metrics-readers"),
        help: "Addresses that may read /metrics, separated by commas, or all. (default: 127.0.0.1,::1)")
    var metricsReaders: String?

    @Option(
        name: .customLong("snap-feeds"),
        help: "The feeds of snaps, separated by commas. (default: memes,dog spots,random)")
    var snapFeeds: String?

    @Option(
        name: .customLong("snap-open-feeds"),
        help: "Feeds whose snaps everyone on this server sees, separated by commas. (default: none)")
    var snapOpenFeeds: String?

    @Option(
        name: .customLong("snap-hours"), help: "Hours until an unseen snap expires. (default: 24)")
    var snapHours: String?

    @Option(
        name: .customLong("flickr-key"),
        help: "The key of Flickr’s interface, to find old photos there. (default: none, Flickr isn’t asked)")
    var flickrKey: String?

    @Option(
        name: .customLong("flickr-url"),
        help: "The address of Flickr’s interface. (default: https://api.flickr.com/services/rest/)")
    var flickrURL: String?

    @Option(
        name: .customLong("commons-url"),
        help: """
            The address of Wikimedia Commons’ interface, to find old photos there; empty for not asking it. \
            (default: https://commons.wikimedia.org/w/api.php)
            """)
    var commonsURL: String?

    @Option(
        name: .customLong("private-addresses"),
        help: """
            Whether this server may ask other servers at addresses of its own computer and networks: yes or no. \
            (default: no)
            """)
    var privateAddresses: String?

    @Option(
        name: .customLong("map-tiles"),
        help: """
            The URL of map tiles with {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png. \
            (default: none, the map is an outline of the world)
            """)
    var mapTiles: String?

    @Option(
        name: .customLong("map-attribution"),
        help: "Whom the map tiles are from, as their licence asks for, such as © OpenStreetMap contributors.")
    var mapAttribution: String?

    @Option(
        name: .customLong("tls-certificate"), help: "PEM file with the certificate chain, for HTTPS.")
    var tlsCertificate: String?

    @Option(name: .customLong("tls-key"), help: "PEM file with the certificate's private key.")
    var tlsKey: String?

    @Option(
        name: .customLong("log-level"),
        help: "trace, debug, info, notice, warning, error or critical. (default: info)")
    var logLevel: String?

    @Option(
        name: .customLong("log-format"),
        help: "The form of the log: text for people or json for programs. (default: text)")
    var logFormat: String?

    /// Loads the settings from flags, environment and file together.
    func load() async throws -> ServerConfiguration {
        let flags = [
            "data": data, "database": database, "blobs": blobs,
            "secrets-key-file": secretsKeyFile, "upgrade-copy": upgradeCopy, "host": host,
            "port": port, "public-url": publicURL,
            "name": name,
            "sign-up": signUp,
            "picture-bytes": pictureBytes, "picture-pixels": picturePixels,
            "storage-per-account": storagePerAccount, "picture-threads": pictureThreads,
            "connections": connections, "network-connections": networkConnections,
            "limit-writes": limitWrites, "limit-reads": limitReads,
            "limit-uploads": limitUploads, "limit-log-ins": limitLogIns, "limit-sign-ups": limitSignUps,
            "trusted-proxies": trustedProxies, "metrics-readers": metricsReaders,
            "password-cost": passwordCost, "snap-feeds": snapFeeds,
            "snap-open-feeds": snapOpenFeeds, "snap-hours": snapHours, "flickr-key": flickrKey,
            "flickr-url": flickrURL, "commons-url": commonsURL, "private-addresses": privateAddresses,
            "map-tiles": mapTiles, "map-attribution": mapAttribution, "tls-certificate": tlsCertificate,
            "tls-key": tlsKey, "log-level": logLevel, "log-format": logFormat,
        ].compactMapValues { $0 }
        let configuration = try await ServerConfiguration.load(
            flags: flags, environment: ProcessInfo.processInfo.environment,
            file: config ?? ProcessInfo.processInfo.environment["TINTYPE_CONFIG"] ?? Self.installed)
        configuration.startLog()
        return configuration
    }

    /// The file of the Debian package, for the package's own program; nil for any other.
    private static var installed: String? {
        guard Bundle.main.bundlePath == "/usr/lib/tintype" else { return nil }
        return FileManager.default.fileExists(atPath: SettingsFile.installed) ? SettingsFile.installed : nil
    }
}
