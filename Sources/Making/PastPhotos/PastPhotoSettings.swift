import Core
import Serving

/// The settings of the sources of old photos.
public struct PastPhotoSettings: FeatureSettings {
    /// The key for Flickr's interface. Without a key, Flickr isn't asked.
    public var flickrKey: String?
    /// The address of Flickr's interface.
    public var flickrURL = "https://api.flickr.com/services/rest/"
    /// The address of Wikimedia Commons' interface; empty to leave Commons out.
    public var commonsURL = "https://commons.wikimedia.org/w/api.php"
    /// How long each source may take, in seconds. This isn't a setting; tests change it.
    var patience = 15.0
    /// How long fetching a picture may take, in seconds. This isn't a setting; tests change it.
    var picturePatience = 20.0
    /// How long a request waits for a picture, in seconds. This isn't a setting; tests change it.
    var waitingPatience = 25.0

    package static let names = ["flickr-key", "flickr-url", "commons-url"]

    /// Creates the default settings.
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

/// The settings of the map on which a place is chosen.
public struct MapSettings: FeatureSettings {
    /// The URL of a tile of the map with `{z}`, `{x}` and `{y}`; nil to show an outline of the world.
    public var tiles: String?
    /// The attribution of the tiles, as their licence requires.
    public var attribution = ""

    package static let names = ["map-tiles", "map-attribution"]

    /// Creates the default settings.
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

    /// The origin of the tiles, as a scheme with a host and its port; nil without tiles. The host may be one of
    /// several, `{s}`.
    package var origin: String? {
        guard let tiles, let start = tiles.firstRange(of: "://")?.upperBound else { return nil }
        let host = tiles[start...].prefix { $0 != "/" }
        return String(tiles[..<start]) + String(host).replacing("{s}", with: "*")
    }

    /// Returns whether a text is the URL of tiles: `https`, or `http` on this computer for tests, with the three
    /// placeholders.
    static func isTemplate(_ text: String) -> Bool {
        guard ["{z}", "{x}", "{y}"].allSatisfy(text.contains) else { return false }
        let plain = text.replacing(/\{[zxysr]\}/, with: "1")
        guard let url = try? OutgoingURL(plain) else { return false }
        return url.isSecure || ["localhost", "127.0.0.1"].contains(url.host)
    }
}

extension ServerConfiguration {
    /// The settings of the sources of old photos.
    public var pastPhotos: PastPhotoSettings {
        get { self[PastPhotoSettings.self] }
        set { self[PastPhotoSettings.self] = newValue }
    }

    /// The settings of the map on which a place is chosen.
    public var map: MapSettings {
        get { self[MapSettings.self] }
        set { self[MapSettings.self] = newValue }
    }
}
