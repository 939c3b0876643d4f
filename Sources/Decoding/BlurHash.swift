import Foundation

/// A picture as a few cosine waves in about 30 characters.
///
/// The algorithm and the alphabet are those of https://github.com/woltapp/blurhash/blob/master/Algorithm.md.
struct BlurHash {
    /// The hash in base 83.
    let text: String

    /// Computes the hash of a picture.
    ///
    /// - Parameters:
    ///   - picture: few pixels are enough.
    ///   - across: components in width, 1 to 9.
    ///   - down: components in height, 1 to 9.
    init(_ picture: Impression, across: Int, down: Int) {
        let factors = Self.factors(picture, across: across, down: down)
        let waves = factors.dropFirst()
        let strongest = waves.map { max(abs($0.x), abs($0.y), abs($0.z)) }.max() ?? 0
        let step = min(max(Int((strongest * 166 - 0.5).rounded(.down)), 0), 82)
        let range = waves.isEmpty ? 1 : Double(step + 1) / 166

        var text = Self.digits(across - 1 + (down - 1) * 9, 1)
        text += Self.digits(waves.isEmpty ? 0 : step, 1)
        let mean = factors[0]
        text += Self.digits(Self.sRGB(mean.x) << 16 | Self.sRGB(mean.y) << 8 | Self.sRGB(mean.z), 4)
        for wave in waves {
            let (red, green, blue) =
                (Self.level(wave.x / range), Self.level(wave.y / range), Self.level(wave.z / range))
            text += Self.digits((red * 19 + green) * 19 + blue, 2)
        }
        self.text = text
    }

    /// Returns the mean colour and then the waves row by row, in linear light.
    private static func factors(_ picture: Impression, across: Int, down: Int) -> [SIMD3<Double>] {
        let linear = (0...255).map { linearLight(Double($0) / 255) }
        var factors = [SIMD3<Double>](repeating: .zero, count: across * down)
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let start = (y * picture.width + x) * 3
                let colour = SIMD3(
                    linear[Int(picture.pixels[start])], linear[Int(picture.pixels[start + 1])],
                    linear[Int(picture.pixels[start + 2])])
                for j in 0..<down {
                    for i in 0..<across {
                        factors[j * across + i] +=
                            colour * cos(.pi * Double(i * x) / Double(picture.width))
                            * cos(.pi * Double(j * y) / Double(picture.height))
                    }
                }
            }
        }
        let count = Double(picture.width * picture.height)
        return factors.enumerated().map { index, sum in sum * (index == 0 ? 1 : 2) / count }
    }

    /// Returns the linear light of an sRGB value (IEC 61966-2-1).
    private static func linearLight(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func sRGB(_ light: Double) -> Int {
        let light = min(max(light, 0), 1)
        let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
        return Int((value * 255).rounded())
    }

    /// Returns one of 19 levels, which are finer around the middle.
    private static func level(_ part: Double) -> Int {
        let root = abs(part).squareRoot() * (part < 0 ? -1 : 1)
        return min(max(Int((root * 9 + 9.5).rounded(.down)), 0), 18)
    }

    private static let alphabet = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

    private static func digits(_ value: Int, _ length: Int) -> String {
        var rest = value
        var digits: [Character] = []
        for _ in 0..<length {
            digits.append(alphabet[rest % 83])
            rest /= 83
        }
        return String(digits.reversed())
    }
}
