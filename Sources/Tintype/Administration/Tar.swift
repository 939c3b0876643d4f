import Foundation
import Serving

/// Writes a tar archive (POSIX.1-2001 ustar; sizes from 8 GiB on in GNU's base 256).
struct TarWriter: ~Copyable {
    private let file: FileHandle

    /// - Parameter path: the new file, its owner's alone.
    init(path: String) throws {
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else { throw Refusal(.conflict, "\(path) can't be written.") }
        self.file = file
    }

    /// Appends a file.
    ///
    /// - Parameters:
    ///   - name: at most 100 bytes.
    ///   - path: where its contents are.
    /// - Returns: how many bytes it has.
    @discardableResult
    func add(_ name: String, fileAt path: String) throws -> Int {
        guard let source = FileHandle(forReadingAtPath: path) else {
            throw Refusal(.notFound, "\(path) can't be read.")
        }
        defer { try? source.close() }
        let size = Int(try source.seekToEnd())
        try source.seek(toOffset: 0)
        try file.write(contentsOf: TarHeader(name: name, size: size).bytes)
        var copied = 0
        while let chunk = try source.read(upToCount: 256 * 1024), !chunk.isEmpty {
            try file.write(contentsOf: chunk)
            copied += chunk.count
        }
        guard copied == size else { throw Refusal(.conflict, "\(path) changed while it was read.") }
        try file.write(contentsOf: Data(count: TarHeader.padding(size)))
        return size
    }

    /// Ends the archive and waits until it is on the disk.
    consuming func finish() throws {
        try file.write(contentsOf: Data(count: 2 * TarHeader.blockSize))
        try file.synchronize()
        try file.close()
    }
}

/// Reads such an archive.
struct TarReader: ~Copyable {
    private let file: FileHandle
    /// Bytes that are left of the file that `next` found, with its padding.
    private var rest = 0
    /// Bytes of the archive that were not read yet.
    private var unread: Int

    init(path: String) throws {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw Refusal(.notFound, "\(path) can't be read.")
        }
        let byteCount = Int(try file.seekToEnd())
        try file.seek(toOffset: 0)
        (self.file, unread) = (file, byteCount)
    }

    /// The next file's name and size; nil at the end of the archive.
    ///
    /// - Throws: ``Refusal`` when the archive is damaged or cut off.
    mutating func next() throws -> TarHeader? {
        try skip()
        let block = try read(TarHeader.blockSize)
        guard block.contains(where: { $0 != 0 }) else { return nil }
        let header = try TarHeader(block)
        // Before any arithmetic: the size may be any number.
        guard header.size <= unread else { throw TarHeader.damaged }
        rest = header.size + TarHeader.padding(header.size)
        return header
    }

    /// Writes the file that `next` found to a path, and waits until it is on the disk.
    mutating func extract(_ header: TarHeader, to path: String) throws {
        guard
            FileManager.default.createFile(
                atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let target = FileHandle(forWritingAtPath: path)
        else { throw Refusal(.conflict, "\(path) can't be written.") }
        defer { try? target.close() }
        var left = header.size
        while left > 0 {
            let chunk = try read(min(left, 256 * 1024))
            try target.write(contentsOf: chunk)
            left -= chunk.count
            rest -= chunk.count
        }
        try target.synchronize()
    }

    private mutating func skip() throws {
        while rest > 0 { rest -= try read(min(rest, 256 * 1024)).count }
    }

    private mutating func read(_ count: Int) throws -> Data {
        var data = Data()
        while data.count < count {
            guard let part = try file.read(upToCount: count - data.count), !part.isEmpty else {
                throw TarHeader.damaged
            }
            data += part
        }
        unread -= count
        return data
    }
}

/// What stands before each file of an archive.
struct TarHeader {
    let name: String
    /// In bytes.
    let size: Int

    static let blockSize = 512
    static let damaged = Refusal.malformed("This isn't a whole tar archive.")

    /// The zeros after a file, to the next block.
    static func padding(_ size: Int) -> Int { (blockSize - size % blockSize) % blockSize }

    init(name: String, size: Int) throws {
        guard name.utf8.count <= 100 else {
            throw Refusal.malformed("\(name) is too long a name for the archive.")
        }
        (self.name, self.size) = (name, size)
    }

    init(_ block: Data) throws {
        let bytes = [UInt8](block)
        guard bytes.count == Self.blockSize, Self.number(bytes[148..<156]) == Self.checksum(bytes),
            bytes[156] == UInt8(ascii: "0") || bytes[156] == 0, let size = Self.number(bytes[124..<136])
        else { throw Self.damaged }
        name = String(decoding: bytes[..<100].prefix { $0 != 0 }, as: UTF8.self)
        self.size = size
    }

    var bytes: Data {
        var block = [UInt8](repeating: 0, count: Self.blockSize)
        func put(_ text: String, at offset: Int) {
            block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        put(name, at: 0)
        put("0000600", at: 100)  // mode
        put("0000000", at: 108)  // owner
        put("0000000", at: 116)  // group
        if size < 1 << 33 {
            put(Self.octal(size, digits: 11), at: 124)
        } else {
            block[124] = 0x80
            for index in 0..<8 { block[135 - index] = UInt8(size >> (8 * index) & 0xff) }
        }
        put(Self.octal(0, digits: 11), at: 136)  // time
        put("0", at: 156)  // a plain file
        put("ustar", at: 257)
        put("00", at: 263)
        put(Self.octal(Self.checksum(block), digits: 6), at: 148)
        block[155] = UInt8(ascii: " ")
        return Data(block)
    }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    /// A number of a header, in octal digits or in GNU's base 256; nil for what isn't one, is negative or doesn't fit.
    private static func number(_ field: ArraySlice<UInt8>) -> Int? {
        if field.first == 0x80 {
            let bytes = field.dropFirst()
            guard bytes.dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
            return Int(exactly: bytes.suffix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
        }
        let digits = field.prefix { $0 != 0 && $0 != UInt8(ascii: " ") }
        // A sign, which the conversion would take, is no digit.
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "7")).contains($0) }) else { return nil }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    /// The sum of all bytes, those of the checksum itself taken as spaces.
    private static func checksum(_ block: [UInt8]) -> Int {
        block.enumerated().reduce(0) { sum, byte in
            sum + ((148..<156).contains(byte.offset) ? 32 : Int(byte.element))
        }
    }
}
