import Foundation
import Hummingbird
import NIOCore
import Serving
import Storage

/// The parameters of a request, from its query, URL-encoded form, multipart form or JSON body.
///
/// Clients send the same parameter in any of these ways (Documentation/Interface.md, "Parameters"). Nested JSON and
/// form names are flattened to one spelling, `source[privacy]`; lists are `media_ids[]` or a JSON array, lists of
/// objects `cells[0][zoom]`.
package struct Input: Sendable {
    /// A file of a multipart form, complete in the blob store's incoming folder, but not kept yet.
    package struct File: Sendable {
        package var name: String
        package var filename: String
        package var blob: IncomingBlob
    }

    /// The files that a route accepts.
    package struct Files: Sendable {
        /// The blob store that receives them.
        package var blobs: any BlobStore
        /// The most files in one request. An input that nobody filled doesn't count.
        package var most: Int
        /// Called before the first file is written, with the fields before it in the form. Throws to refuse the form.
        var admit: @Sendable (Input) async throws -> Void = { _ in }

        package init(
            blobs: any BlobStore, most: Int,
            admit: @escaping @Sendable (Input) async throws -> Void = { _ in }
        ) {
            self.blobs = blobs
            self.most = most
            self.admit = admit
        }
    }

    package private(set) var values: [String: [String]] = [:]
    package private(set) var files: [File] = []
    /// The number of values, of all names.
    private var count = 0
    /// The types that the values must have; nil when the call describes none.
    private var types: ParameterTypes?
    /// The error that ended the reading before the body's end.
    private var failure: (any Error)?
    /// Whether files came, including files that weren't accepted.
    package private(set) var hadFiles = false

    package init(values: [String: [String]] = [:], files: [File] = [], hadFiles: Bool = false) {
        self.values = values
        self.files = files
        self.hadFiles = hadFiles
    }

    /// The most bytes that everything except files may have.
    static let maximumBytes = 1024 * 1024
    /// The most bytes that everything except files may have in a request without a log-in.
    static let maximumAnonymousBytes = 64 * 1024
    /// The most values in one request, of all names.
    static let maximumValues = 1_000
    /// The most bytes that are parsed on an event loop, which others wait for: a fraction of a millisecond's work.
    /// Parsing a megabyte of escapes in JSON takes some hundred milliseconds.
    private static let bytesOnLoop = 16 * 1024
    /// The most bytes in the name of a value in JSON, including the names of the objects around it.
    private static let maximumNameBytes = 256

    private static let fileTooLarge = Refusal(
        .tooLarge, "This file is too large. Send a smaller version of it.")

    /// Reads query and body.
    ///
    /// - Parameter files: the files that the route accepts; nil for none.
    /// - Throws: ``Refusal``: 400 when the body can't be read, 408 when it breaks off, 413 when it is too large or has
    ///   too many values or files, 422 for values of another type than the call describes, 429 for too many uploads, and
    ///   what ``Files/admit`` throws.
    package static func read(
        _ request: Request, _ context: AppContext, files: Files? = nil
    ) async throws -> Input {
        let input = await readForm(request, context, files: files)
        try input.checkWhole()
        return input
    }

    /// Reads a form that is shown again when something is wrong with it. Returns the fields that could be read,
    /// whatever happened to the rest of the body; ``checkWhole()`` throws the error.
    package static func readForm(
        _ request: Request, _ context: AppContext, files: Files? = nil
    ) async -> Input {
        var input = query(request)
        input.types = context.parameterTypes
        do {
            try await input.addBody(of: request, context, files)
            try input.types?.check(input.values)
        } catch {
            if let files { await input.discardFiles(in: files.blobs) }
            input.files = []
            input.failure = error
        }
        return input
    }

    /// Throws the error that kept the body from being read to its end; see ``read(_:files:)``.
    package func checkWhole() throws {
        if let failure { throw failure }
    }

    /// Reads the query only, for requests whose body is something else or empty. Values after the first
    /// ``maximumValues`` are left out.
    package static func query(_ request: Request) -> Input {
        var input = Input()
        guard let query = request.uri.query else { return input }
        for (name, value) in URLEncodedForm(query.utf8).prefix(maximumValues) { input.insert(name, value) }
        return input
    }

    /// Deletes files that nobody kept.
    package func discardFiles(in blobs: any BlobStore) async {
        for file in files { await blobs.discard(file.blob) }
    }

    // MARK: Asking

    /// Returns the last value of a parameter; nil when it is absent.
    package func string(_ name: String) -> String? { values[name]?.last }

    /// Returns the last value of a parameter; nil when it is absent or empty.
    package func filled(_ name: String) -> String? { string(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns text that a person typed, without white space at its ends and with `\n` as line ends; empty when it is
    /// absent.
    package func text(_ name: String) -> String {
        (string(name) ?? "").replacingOccurrences(of: "\r\n", with: "\n").trimmed
    }

    /// Returns every value of `name[]` or `name`, in order.
    package func list(_ name: String) -> [String] { (values[name + "[]"] ?? []) + (values[name] ?? []) }

    /// Returns the objects of a list: `name[0][field]` by their numbers, or `name[][field]`, of which the first values of all
    /// fields belong together, then the second ones.
    package func objects(_ name: String) -> [[String: String]] {
        var objects: [Int: [String: String]] = [:]
        for (key, values) in values where key.hasPrefix(name + "[") && key.hasSuffix("]") {
            let parts = key.dropFirst(name.count + 1).dropLast().components(separatedBy: "][")
            guard parts.count == 2 else { continue }
            if parts[0].isEmpty {
                for (number, value) in values.enumerated() { objects[number, default: [:]][parts[1]] = value }
            } else if let number = Int(parts[0]) {
                objects[number, default: [:]][parts[1]] = values.last
            }
        }
        return objects.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the objects of a list as ``objects(_:)`` does; nil when the request doesn't name the list.
    ///
    /// - Throws: ``Refusal`` (422) for a list of something else, which isn't the same as none.
    package func givenObjects(_ name: String) throws -> [[String: String]]? {
        let keys = values.keys.filter { $0 == name || $0.hasPrefix(name + "[") }
        guard !keys.isEmpty else { return nil }
        let found = objects(name)
        guard !found.isEmpty || keys.allSatisfy({ values[$0]?.isEmpty != false }) else {
            throw Refusal.invalid(name, "ERR_INVALID", "Send each as an object with its fields.")
        }
        return found
    }

    /// Returns true for `true`, `1` and `on`, false for `false`, `0` and `off`, and nil for anything else.
    package func bool(_ name: String) -> Bool? {
        switch string(name)?.lowercased() {
        case "true", "1", "on", "yes": true
        case "false", "0", "off", "no": false
        default: nil
        }
    }

    /// Returns a whole number; nil for anything else. One that is too large for an `Int` is the nearest that isn't.
    package func integer(_ name: String) -> Int? {
        guard let text = string(name) else { return nil }
        if let number = Int(text) { return number }
        if text.isDigits { return .max }
        return text.first == "-" && text.dropFirst().isDigits ? .min : nil
    }

    package func number(_ name: String) -> Double? { string(name).flatMap { Double($0) } }

    /// Returns an identifier; nil when it is absent, empty or zero, which some apps send for "none".
    package func id<Entity>(_ name: String, of entity: Entity.Type = Entity.self) -> ID<Entity>? {
        string(name).flatMap { ID($0) }
    }

    /// Returns every identifier of `name[]` or `name`, in order.
    ///
    /// - Parameter noun: what they name, such as "a photo".
    /// - Throws: ``Refusal`` (422) for a text that is no identifier.
    package func ids<Entity>(_ name: String, of noun: String) throws -> [ID<Entity>] {
        try list(name).map { try Self.id($0, in: name, of: noun) }
    }

    /// Parses an identifier of a parameter.
    ///
    /// - Throws: ``Refusal`` (422) for a text that is none.
    package static func id<Entity>(_ text: String, in name: String, of noun: String) throws -> ID<Entity> {
        guard let id = ID<Entity>(text) else {
            throw Refusal.invalid(name, "ERR_INVALID", "“\(text)” is not the id of \(noun).")
        }
        return id
    }

    /// Returns an identifier; nil when it is absent or empty.
    ///
    /// - Parameter noun: what it names, such as "a photo".
    /// - Throws: ``Refusal`` (422) for a text that is no identifier: left out, it would be answered as if nobody had sent it.
    package func filledID<Entity>(_ name: String, of noun: String) throws -> ID<Entity>? {
        try filled(name).map { try Self.id($0, in: name, of: noun) }
    }

    // MARK: Reading

    private mutating func addBody(
        of request: Request, _ context: AppContext, _ files: Files?
    ) async throws {
        guard request.method != .head else { return }
        let contentType = request.headers[.contentType] ?? ""
        let limit = context.session == nil ? Self.maximumAnonymousBytes : Self.maximumBytes
        if let boundary = MultipartParser.boundary(ofContentType: contentType) {
            try await addMultipart(request.body, context, boundary: boundary, limit: limit, files)
        } else {
            let body = try await request.collected(upTo: limit)
            guard body.readableBytes > 0 else { return }
            let isJSON = contentType.lowercased().contains("json")
            guard body.readableBytes > Self.bytesOnLoop else { return try add(body, isJSON: isJSON) }
            let before = self
            // A detached task doesn't run on the connection's event loop, as this task does.
            self = try await Task.detached {
                var input = before
                try input.add(body, isJSON: isJSON)
                return input
            }.value
        }
    }

    private mutating func add(_ body: ByteBuffer, isJSON: Bool) throws {
        if isJSON { return try addJSON(body) }
        for (name, value) in URLEncodedForm(body.readableBytesView) { try add(name, value) }
    }

    private mutating func add(_ name: String, _ value: String) throws {
        guard count < Self.maximumValues else { throw JSONBounds.tooManyValues(Self.maximumValues) }
        insert(name, value)
    }

    private mutating func insert(_ name: String, _ value: String) {
        count += 1
        // PostgreSQL accepts no NUL in text, and nobody types one.
        let hasNUL = value.utf8.contains(0)
        let text = hasNUL ? String(decoding: value.utf8.filter { $0 != 0 }, as: UTF8.self) : value
        values[name, default: []].append(text)
    }

    private mutating func addJSON(_ body: ByteBuffer) throws {
        try body.withUnsafeReadableBytes { try JSONBounds.check($0, maximumValues: Self.maximumValues) }
        let object: Any
        do {
            object = try JSONSerialization.jsonObject(
                with: Data(body.readableBytesView), options: [.fragmentsAllowed])
        } catch {
            throw Refusal.malformed("The body isn’t valid JSON.")
        }
        guard let members = object as? [String: Any] else {
            throw Refusal.malformed("The body must be a JSON object.")
        }
        for (name, value) in members { try addJSON(value, name: name) }
    }

    private mutating func addJSON(_ value: Any, name: String) throws {
        guard name.utf8.count <= Self.maximumNameBytes else {
            throw Refusal.malformed("A name in the JSON is too long.")
        }
        switch value {
        case let text as String:
            try types?.checkText(name)
            try add(name, text)
        case let number as NSNumber:
            try types?.checkNumber(name)
            try add(name, Self.text(number))
        case let list as [Any]:
            try types?.checkList(name)
            // An empty list is named all the same.
            values[name + "[]", default: []] += []
            for (index, element) in list.enumerated() {
                if element is NSNull { try types?.checkNull(inList: name) }
                // Objects are distinguished by their place, so that their members stay together.
                try addJSON(element, name: element is [String: Any] ? "\(name)[\(index)]" : name + "[]")
            }
        case let members as [String: Any]:
            try types?.checkObject(name)
            // Also as a list: some apps send lists as objects.
            if members.isEmpty { values[name + "[]", default: []] += [] }
            for (key, member) in members { try addJSON(member, name: "\(name)[\(key)]") }
        default: break
        }
    }

    /// Returns a number as text, a whole one without a point: `3600.0` is one, too (JSON Schema, 4.2.3). Foundation bridges
    /// JSON's `true` to a number whose C type is `char`.
    private static func text(_ number: NSNumber) -> String {
        switch String(cString: number.objCType) {
        case "c": number.boolValue ? "true" : "false"
        case "d": Int(exactly: number.doubleValue).map { String($0) } ?? number.stringValue
        default: number.stringValue
        }
    }

    /// Reads a form with files.
    ///
    /// The body after a file that isn't accepted is read all the same, so that the form comes back with what was typed
    /// into it: at most as many bytes as a file may have. So the whole request has at most as many bytes as all files
    /// that the route accepts, one more file, and `limit`.
    private mutating func addMultipart(
        _ body: RequestBody, _ context: AppContext, boundary: String, limit: Int, _ rule: Files?
    ) async throws {
        var parser = try MultipartParser(boundary: boundary)
        var name = ""
        /// The bytes of a text field so far; nil in a file.
        var field: [UInt8]?
        /// The name of a file of which no bytes have come yet.
        var unopened: String?
        var file: IncomingBlob?
        /// The reason why files are not accepted any more.
        var refusal: Refusal?
        var received = 0
        var fileBytes = 0
        var skippedBytes = 0
        for try await chunk in body {
            received += chunk.readableBytes
            for event in try parser.append(chunk) {
                switch event {
                case .part(let partName, let filename):
                    name = partName
                    field = filename == nil ? [] : nil
                    unopened = filename
                case .body(let bytes) where field != nil:
                    field?.append(contentsOf: bytes.readableBytesView)
                case .body(let bytes):
                    fileBytes += bytes.readableBytes
                    do {
                        if let filename = unopened, refusal == nil {
                            unopened = nil
                            file = try await open(name, filename, rule, context)
                        }
                        try await file?.write(Array(bytes.readableBytesView))
                    } catch let error as Refusal {
                        refusal = error
                    } catch BlobError.tooLarge {
                        refusal = Self.fileTooLarge
                        file = nil
                    }
                    if file == nil { skippedBytes += bytes.readableBytes }
                case .endOfPart:
                    if let text = field { try add(name, String(decoding: text, as: UTF8.self)) }
                    // A file without bytes is a file all the same, unless nobody filled its input.
                    if let filename = unopened, !filename.isEmpty, refusal == nil {
                        do {
                            _ = try await open(name, filename, rule, context)
                        } catch let error as Refusal {
                            refusal = error
                        }
                    }
                    (field, file, unopened) = (nil, nil, nil)
                }
            }
            if let refusal, skippedBytes > rule?.blobs.maximumBytes ?? 0 { throw refusal }
            guard received - fileBytes <= limit else { throw Refusal(.tooLarge, "The form is too long.") }
        }
        try parser.finish()
        if let refusal { throw refusal }
    }

    /// Begins to receive a file, if the route accepts it.
    private mutating func open(
        _ name: String, _ filename: String, _ rule: Files?, _ context: AppContext
    ) async throws -> IncomingBlob {
        hadFiles = true
        guard let rule else { throw Refusal.malformed("No file is expected here.") }
        guard files.count < rule.most else {
            throw Refusal(
                .tooLarge,
                rule.most == 1 ? "Only one file can be sent here." : "At most \(rule.most) files at once.")
        }
        if files.isEmpty { try await rule.admit(self) }
        try context.uploads?.take()
        let blob = try rule.blobs.receive()
        files.append(File(name: name, filename: filename, blob: blob))
        return blob
    }
}

extension Request {
    /// Returns the whole body, at most `limit` bytes.
    ///
    /// - Throws: ``Refusal`` (413) when the body is longer.
    func collected(upTo limit: Int) async throws -> ByteBuffer {
        if let length = headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw Refusal(.tooLarge, "The request is too long.")
        }
        var collected = ByteBuffer()
        for try await chunk in body {
            guard collected.readableBytes + chunk.readableBytes <= limit else {
                throw Refusal(.tooLarge, "The request is too long.")
            }
            collected.writeImmutableBuffer(chunk)
        }
        return collected
    }
}

extension StringProtocol {
    /// Whether the text is a whole number as it is usually written: ASCII digits, at least one.
    var isDigits: Bool { !isEmpty && utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
