import Foundation
import Imaging

extension Capture {
    /// Reads an EXIF block (EXIF 2.32, section 4.6), with or without its leading `Exif\0\0`.
    ///
    /// A block that makes no sense counts as empty: a picture isn't refused because of it.
    package init(exif: Data) {
        let mark = Data("Exif\0\0".utf8)
        self.init(directory: TIFFDirectory(exif.starts(with: mark) ? Data(exif.dropFirst(mark.count)) : exif))
    }

    /// Reads the first directory of an EXIF block or of a TIFF file.
    init(directory: TIFFDirectory?) {
        self.init()
        guard let directory else { return }
        cameraMake = directory.text(0x010F)
        cameraModel = directory.text(0x0110)
        if let shot = directory.directory(0x8769), let written = shot.text(0x9003) {
            secondsFromUTC = shot.text(0x9011).flatMap(Self.seconds(ofOffset:))
            date = Self.date(of: written, secondsFromUTC: secondsFromUTC ?? 0)
            if date == nil { secondsFromUTC = nil }
        }
        location = directory.directory(0x8825).flatMap(Location.init(gps:))
    }

    /// Parses a date such as `2026:11:21 09:26:00`, at an offset. Cameras without a set clock write zeros or spaces,
    /// which is no date.
    private static func date(of written: String, secondsFromUTC: Int) -> Date? {
        let parts = written.split { $0 == ":" || $0 == " " }.compactMap { Int($0) }
        let ranges = [1800...9999, 1...12, 1...31, 0...23, 0...59, 0...59]
        guard parts.count == ranges.count, zip(ranges, parts).allSatisfy({ $0.contains($1) }) else {
            return nil
        }
        var components = DateComponents()
        (components.year, components.month, components.day) = (parts[0], parts[1], parts[2])
        (components.hour, components.minute, components.second) = (parts[3], parts[4], parts[5])
        components.timeZone = .gmt
        let calendar = Calendar(identifier: .gregorian)
        guard components.isValidDate(in: calendar) else { return nil }
        return calendar.date(from: components)?.addingTimeInterval(TimeInterval(-secondsFromUTC))
    }

    /// Parses an offset such as `+02:00` or `-03:30`.
    private static func seconds(ofOffset text: String) -> Int? {
        let parts = text.dropFirst().split(separator: ":").compactMap { Int($0) }
        guard let sign = text.first, sign == "+" || sign == "-", parts.count == 2,
            (0...15).contains(parts[0]), (0...59).contains(parts[1])
        else { return nil }
        return (parts[0] * 3600 + parts[1] * 60) * (sign == "-" ? -1 : 1)
    }
}

extension Capture.Location {
    fileprivate init?(gps: TIFFDirectory) {
        guard
            let latitude = Self.degrees(
                gps.rationals(0x0002), gps.text(0x0001), positive: "N", negative: "S"),
            let longitude = Self.degrees(
                gps.rationals(0x0004), gps.text(0x0003), positive: "E", negative: "W"),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Parses degrees, minutes and seconds with the letter of the half of the globe.
    private static func degrees(
        _ parts: [Double]?, _ half: String?, positive: String, negative: String
    ) -> Double? {
        guard let parts, parts.count == 3, half == positive || half == negative else { return nil }
        let degrees = parts[0] + parts[1] / 60 + parts[2] / 3600
        return half == negative ? -degrees : degrees
    }
}
