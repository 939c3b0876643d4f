import Foundation
import Testing

@testable import Tintype

/// Reads the repository's own pages and comments: what they cite has to be there, and what they list has to be true.
@Suite("The documentation")
struct DocumentationTests {
    private struct Source {
        let file: URL
        /// The path from the root of the repository.
        let path: String
        let text: String
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Names that a test makes up for a folder of its own.
    private static let inventions: Set = ["migrations/README.md"]

    /// Names in backticks that aren't ours: headers of HTTP, and a line of Linux's `/proc`.
    private static let foreign: Set = [
        "Allow", "Authorization", "ETag", "Host", "RssAnon", "SameSite", "Upgrade",
    ]

    /// Scripts that the server writes.
    private static let written: Set = ["js/features.js"]

    /// Returns the files of the repository that mention a page.
    private static func sources() throws -> [Source] {
        let kinds: Set = ["md", "swift", "py", "js", "css", "c", "h", "sql"]
        let files = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        var found: [Source] = []
        while let file = files?.nextObject() as? URL {
            guard kinds.contains(file.pathExtension) else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            guard text.contains(".md") else { continue }
            let path = String(file.path.dropFirst(root.path.count + 1))
            found.append(Source(file: file, path: path, text: text))
        }
        return found
    }

    /// Returns the page that a name means: beside the file that names it, from the root of the repository, or in
    /// `Documentation`. Returns nil if there is none.
    private static func page(_ name: String, namedIn source: Source) -> URL? {
        let folders = [source.file.deletingLastPathComponent(), root, root.appending(path: "Documentation")]
        return folders.map { $0.appending(path: name).standardized }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Returns the paths of all files of the code, and of their folders, from the root of the repository.
    private static func paths() -> Set<String> {
        var found: Set<String> = []
        for folder in ["Sources", "Tests", "Benchmarks"] {
            let files = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
            while let path = files?.nextObject() as? String { found.insert("\(folder)/\(path)") }
        }
        return found
    }

    /// Returns the names of all types of the code.
    private static func types(in paths: Set<String>) throws -> Set<String> {
        var found: Set<String> = []
        let declaration = /\b(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)/
        for path in paths where path.hasSuffix(".swift") {
            let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            for match in text.matches(of: declaration) { found.insert(String(match.1)) }
        }
        return found
    }

    private static func headings(of page: URL) throws -> [String] {
        try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("#") }
            .map { $0.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces) }
    }

    /// Returns the anchor of a heading, as GitHub makes it.
    private static func anchor(of heading: String) -> String {
        heading.lowercased().replacing(" ", with: "-")
            .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
    }

    @Test("Every page and section that is cited is in the repository")
    func citations() throws {
        let sources = try Self.sources()
        #expect(sources.count > 50)
        let citation = /([\w.\/-]+\.md)(?!\w)(?:, (?:"([^"]+)"|\*([^*]+)\*))?/
        for source in sources {
            // A citation may go on in the next line of a comment.
            let text = source.text.replacing(/\n\s*(?:\/\/\/?|\*|#)?[ \t]*/, with: " ")
            for match in text.matches(of: citation) {
                let name = String(match.1)
                // What is left of an address of the web begins with its slashes.
                guard !name.hasPrefix("//"), !Self.inventions.contains(name) else { continue }
                guard let page = Self.page(name, namedIn: source) else {
                    Issue.record("\(source.path) cites \(name), which isn't in the repository")
                    continue
                }
                guard let section = match.2 ?? match.3 else { continue }
                let isThere = try Self.headings(of: page).contains(String(section))
                #expect(isThere, "\(source.path) cites “\(section)”, which is no heading of \(name)")
            }
        }
    }

    @Test("Every link of a page leads to a file, and to a heading of it")
    func links() throws {
        for source in try Self.sources() where source.file.pathExtension == "md" {
            for match in source.text.matches(of: /\]\(([^)\s]+)\)/) where !match.1.contains("://") {
                let parts = match.1.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
                let folder = source.file.deletingLastPathComponent()
                let page = parts[0].isEmpty ? source.file : folder.appending(path: String(parts[0]))
                guard FileManager.default.fileExists(atPath: page.standardized.path) else {
                    Issue.record("\(source.path) links to \(match.1), which isn't in the repository")
                    continue
                }
                guard parts.count == 2 else { continue }
                let isThere = try Self.headings(of: page).map(Self.anchor).contains(String(parts[1]))
                #expect(isThere, "\(source.path) links to \(match.1), and there is no such heading")
            }
        }
    }

    @Test("Every type and source file that a page names in backticks exists")
    func code() throws {
        let paths = Self.paths()
        // A name may be that of a type, a module, a folder or a file.
        var names = try Self.types(in: paths)
        for path in paths {
            let name = URL(filePath: path).lastPathComponent
            names.insert(String(name.prefix { $0 != "." }))
        }
        var count = 0
        for source in try Self.sources() where source.path.hasSuffix(".md") && source.path != "CHANGELOG.md" {
            let text = source.text.replacing(/```(?s:.*?)```/, with: "")
            for match in text.matches(of: /`([A-Z]\w*[a-z]\w*)(?:[.(][^`\n]*)?`/) {
                let name = String(match.1)
                count += 1
                let isThere = names.contains(name) || Self.foreign.contains(name)
                #expect(isThere, "\(source.path) names `\(name)`, which isn't in the code")
            }
            for match in text.matches(of: /`(\w[\w\/.-]*\.(?:swift|js|css))`/) {
                let file = String(match.1)
                count += 1
                let isThere = paths.contains { "/\($0)".hasSuffix("/\(file)") } || Self.written.contains(file)
                #expect(isThere, "\(source.path) names `\(file)`, which isn't in the code")
            }
        }
        #expect(count > 200)
    }

    @Test("The page about the interface has every call, and none that isn't there")
    func calls() async throws {
        let page = Self.root.appending(path: "Documentation/Interface.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        var listed: Set<String> = []
        for match in text.matches(of: /`((?:(?:GET|POST|PUT|PATCH|DELETE) )+)(\/[^` ]+)`/) {
            for method in match.1.split(separator: " ") { listed.insert("\(method) \(match.2)") }
        }
        let described = try await World().describedCalls()
        #expect(described.subtracting(listed).sorted() == [])
        #expect(listed.subtracting(described).sorted() == [])
    }

    @Test("The page about the architecture lists the features in their order")
    func features() throws {
        let page = Self.root.appending(path: "Documentation/Architecture.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let row = try #require(rows.first { $0.contains("the features, from the bottom to the top") })
        let names = row.split(separator: "|").first.map { cell in
            cell.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let features = Features.types.map { "\($0)".replacing(/Feature$/, with: "") }
        #expect(names == features)
    }
}
