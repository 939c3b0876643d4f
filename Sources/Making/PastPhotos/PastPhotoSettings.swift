import Core
import Serving

/// Where old photos are looked for.
public struct PastPhotoSettings: FeatureSettings {
    /// The key of Flickr's interface; without one Flickr isn't asked.
    public var flickrKey: String?
    /// The address of Flickr's interface.
    public var flickrURL = "https://api.flickr.com/services/rest/"
    /// The address of Wikimedia Commons' interface; empty for not asking it.
    public var commonsURL = "https://commons.wikimedia.org/w/api.php"
    /// How long each source may take, in seconds; no setting, tests change it.
    var patience = 15.0
    /// How long fetching a picture may take, in seconds; no setting, tests are more patient.
    var picturePatience = 20.0
    /// How long a request for a picture waits for it, in seconds; no setting, tests are more patient.
    var waitingPatience = 25.0

    package static let names = ["flickr-key", "flickr-url", "commons-url"]

    /// The defaults.
    public init() {}

    package mutating func read(_ given: GivenSettings) throws {
        func url(_ name: String) throws -> String? {
            guard let text = given.text(name), !text.isEmpty else { return given.text(name) }
            guard (try? OutgoingURL(text)) != nil else {
                throw SettingError(name: name, value: text, expected: "a URL with http or https")
            }
            return text
        }
        if let key = given.text("flickr-key"), !key.isEmpty { flickrKey = key }
        flickrURL = try url("flickr-url") ?? flickrURL
        commonsURL = try url("commons-url") ?? commonsURL
    }
}

/// The map on which a place is chosen.
public struct MapSettings: FeatureSettings {
    /// The URL of a tile of the map with `{z}`, `{x}` and `{y}`; nil for an outline of the world.
    public var tiles: String?
    /// Whom the tiles are from, as their licence asks for.
    public var attribution = ""

    package static let names = ["map-tiles", "map-attribution"]

    /// The defaults.
    public init() {}

    package mutating func read(_ given: GivenSettings) throws {
        if let tiles = given.text("map-tiles"), !tiles.isEmpty {
            guard Self.isTemplate(tiles) else {
                throw SettingError(
                    name: "map-tiles", value: tiles,
                    expected:
                        "a URL with https, {z}, {x} and {y}, such as https://tiles.example.org/{z}/{x}/{y}.png"
                )
            }
            self.tiles = tiles
        }
        attribution = given.text("map-attribution") ?? ""
    }

    /// Where the tiles come from, as a scheme with a host and its port; nil without tiles. The host may be one of
    /// several, `{s}`.
    package var origin: String? {
        guard let tiles, let start = tiles.firstRange(of: "://")?.upperBound else { return nil }
        let host = tiles[start...].prefix { $0 != "/" }
        return String(tiles[..<start]) + String(host).replacing("{s}", with: "*")
    }

    /// Whether a text is the URL of tiles: `https`, or `http` on this computer for tests, with the three places.
    static func isTemplate(_ text: String) -> Bool {
        guard ["{z}", "{x}", "{y}"].allSatisfy(text.contains) else { return false }
        let plain = text.replacing(/\{[zxysr]\}/, with: "1")
        guard let url = try? OutgoingURL(plain) else { return false }
        return url.isSecure || ["localhost", "127.0.0.1"].contains(url.host)
    }
}

extension ServerConfiguration {
    /// Where old photos are looked for.
    public var pastPhotos: PastPhotoSettings {
        get { self[PastPhotoSettings.self] }
        set { self[PastPhotoSettings.self] = newValue }
    }

    /// The map on which a place is chosen.
    public var map: MapSettings {
        get { self[MapSettings.self] }
        set { self[MapSettings.self] = newValue }
    }
}
