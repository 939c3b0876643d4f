/// Makes TIFF files (TIFF 6.0) of 32 × 32 px without compression, of any kind that the tags can say, also of kinds
/// that make no sense. The quadrants are red, green, blue and yellow, or four levels of grey.
struct TIFFWriter: Sendable {
    var photometric = 2
    var samples = 3
    var bits = 8
    /// 1: whole numbers, 2: signed, 3: floating-point.
    var format = 1
    var isPlanar = false
    var isTiled = false
    var compression = 1

    static let side = 32
    static let greys = [0, 85, 170, 255]
    private static let red = [255, 0, 0]
    private static let green = [0, 255, 0]
    private static let blue = [0, 0, 255]
    private static let yellow = [255, 255, 0]
    static let colours = [red, green, blue, yellow]
    /// The colours in CIE L*a*b*, L* as a part of 255.
    private static let lab = [[136, 80, 67], [224, -86, 83], [82, 79, -107], [247, -21, 94]]

    var file: [UInt8] {
        let planes = isPlanar ? (0..<samples).map { [$0] } : [Array(0..<samples)]
        let chunks = planes.flatMap { plane in
            let rows = (0..<4).map { row(ofQuadrant: $0, plane) }
            return (isTiled ? rows : [rows[0] + rows[1], rows[2] + rows[3]]).map { row in
                Array(repeatElement(row, count: Self.side / 2).joined())
            }
        }
        var tags: [(tag: Int, type: Int, values: [Int])] = [
            (256, 4, [Self.side]), (257, 4, [Self.side]), (258, 3, all(bits)), (259, 3, [compression]),
            (262, 3, [photometric]), (277, 3, [samples]), (284, 3, [isPlanar ? 2 : 1]), (339, 3, all(format)),
            (isTiled ? 324 : 273, 4, []), (isTiled ? 325 : 279, 4, chunks.map(\.count)),
        ]
        if samples > colours {
            tags.append((338, 3, [2] + [Int](repeating: 0, count: samples - colours - 1)))
        }
        if photometric == 3 && samples == 1 && bits <= 16 { tags.append((320, 3, colourMap)) }
        tags += isTiled ? [(322, 3, [16]), (323, 3, [16])] : [(278, 3, [16])]
        tags.sort { $0.tag < $1.tag }

        let behind = 8 + 2 + tags.count * 12 + 4
        func size(_ type: Int, _ count: Int) -> Int { (type == 3 ? 2 : 4) * count }
        let pixels = tags.reduce(behind) { sum, tag in
            let length = size(tag.type, tag.values.isEmpty ? chunks.count : tag.values.count)
            return sum + (length > 4 ? length : 0)
        }
        let places = chunks.indices.map { pixels + chunks[..<$0].reduce(0) { $0 + $1.count } }
        var table = little(tags.count, 2)
        var values: [UInt8] = []
        for tag in tags {
            let numbers = tag.values.isEmpty ? places : tag.values
            let bytes = numbers.flatMap { little($0, tag.type == 3 ? 2 : 4) }
            table += little(tag.tag, 2) + little(tag.type, 2) + little(numbers.count, 4)
            if bytes.count <= 4 {
                table += bytes + zeros(4 - bytes.count)
            } else {
                table += little(behind + values.count, 4)
                values += bytes
            }
        }
        return Array("II*\0".utf8) + little(8, 4) + table + zeros(4) + values + chunks.joined()
    }

    /// Numbers of a colour, without alpha and others.
    private var colours: Int { [0: 1, 1: 1, 3: 1, 5: 4][photometric] ?? 3 }

    /// A row of one quadrant: the numbers of its colour that a plane holds, again and again. They fill whole bytes.
    private func row(ofQuadrant quadrant: Int, _ plane: [Int]) -> [UInt8] {
        let pixel = pixel(quadrant)
        let numbers = plane.map { sample(pixel[$0], at: $0) }
        if bits >= 8 && bits != 12 {
            return Array(
                repeatElement(numbers.flatMap { little($0, bits / 8) }, count: Self.side / 2).joined())
        }
        var bytes: [UInt8] = []
        var (rest, count) = (0, 0)
        for number in repeatElement(numbers, count: Self.side / 2).joined() {
            (rest, count) = ((rest << bits | number) & 0xFFFFF, count + bits)
            while count >= 8 {
                bytes.append(UInt8(rest >> (count - 8) & 0xFF))
                count -= 8
            }
        }
        return bytes
    }

    private func pixel(_ quadrant: Int) -> [Int] {
        let colour = Self.colours[quadrant]
        let numbers =
            switch photometric {
            case 0: [255 - Self.greys[quadrant]]
            case 1: [Self.greys[quadrant]]
            case 3: [quadrant]
            case 5: colour.map { 255 - $0 } + [0]
            case 8: Self.lab[quadrant]
            default: colour
            }
        return Array((numbers + [Int](repeating: 255, count: samples)).prefix(samples))
    }

    /// A number of 0 to 255 as it lies in the file.
    private func sample(_ number: Int, at place: Int) -> Int {
        let most = bits == 64 ? Int.max : 1 << bits - 1
        if photometric == 3 { return number & most }
        let isSigned = photometric == 8 && (place == 1 || place == 2)
        if format == 3 {
            let number = isSigned ? Double(number) : Double(number) / (photometric == 8 ? 2.55 : 255)
            switch bits {
            case 32: return Int(Float(number).bitPattern)
            case 64: return Int(truncatingIfNeeded: number.bitPattern)
            default: return Int(number.magnitude) & most
            }
        }
        if isSigned { return (bits == 16 ? number * 256 : number) & most }
        return bits > 32 ? most / 255 * number : number * (format == 2 ? most / 2 : most) / 255
    }

    private var colourMap: [Int] {
        let count = 1 << bits
        return (0..<3).flatMap { band in
            (0..<count).map { $0 < 4 ? Self.colours[$0][band] * 257 : 0 }
        }
    }

    private func all(_ number: Int) -> [Int] { [Int](repeating: number, count: samples) }

    private func little(_ number: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
