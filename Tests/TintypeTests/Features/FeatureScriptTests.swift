import Foundation
import Testing

@testable import Core
@testable import Tintype

/// Reads the program's own scripts and styles: which of them know what of which feature.
@Suite("Which scripts and styles know which features")
struct FeatureScriptTests {
    private static let scripts = FeatureScripts(of: Features.types)

    /// What belongs to no feature.
    private static let shared = ["", "web", "offline", "outbox"]

    private struct File {
        /// The folder in `js`; empty for a file beside the folders.
        var folder: String
        var path: String
        var text: String
    }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../Sources/Core/Resources/public").standardized

    private static func files(_ kind: String) throws -> [File] {
        let folder = folder.appending(path: kind)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            .filter { $0.hasSuffix(".\(kind)") }
            .map { path in
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                return File(
                    folder: path.contains("/") ? String(path.prefix { $0 != "/" }) : "", path: path,
                    text: text.replacing(/\/\*(.|\n)*?\*\//, with: "").replacing(/(?m)^\s*\/\/.*/, with: ""))
            }
    }

    /// The place of each folder's feature among all, from the lowest.
    private static let places: [String: Int] = {
        var places = Dictionary(uniqueKeysWithValues: shared.map { ($0, -1) })
        for (place, feature) in Features.types.enumerated() {
            let scripts = feature.scripts
            let paths =
                scripts.elements.values + scripts.background.map(\.path) + scripts.offline.map(\.path)
            for path in paths {
                let folder = String(path.prefix { $0 != "/" })
                if places[folder] == nil { places[folder] = place }
            }
        }
        return places
    }()

    @Test("What features declare is there: each script defines its element, and no name is declared twice")
    func declarations() throws {
        let parts = [.shared] + Features.types.map { $0.scripts }
        let elements = parts.flatMap { $0.elements.keys }
        let events = parts.flatMap { $0.events.map(\.description) }
        #expect(elements.count > 30 && elements.count == Set(elements).count)
        #expect(events.count > 15 && events.count == Set(events).count)
        let files = Dictionary(uniqueKeysWithValues: try Self.files("js").map { ($0.path, $0.text) })
        for (element, path) in Self.scripts.elements {
            #expect(
                files[path]?.contains("customElements.define(\"\(element)\"") == true, "\(element) in \(path)"
            )
        }
        for part in Self.scripts.offline {
            #expect(files[part.path]?.contains("export const keeping") == true, "\(part.path)")
        }
        let waiting = parts.flatMap { $0.outbox.keys }
        #expect(waiting.count > 3 && waiting.count == Set(waiting).count)
        for (kind, path) in Self.scripts.outbox {
            #expect(files[path]?.contains("export async function send(") == true, "\(kind) in \(path)")
        }
        for script in Self.scripts.background { #expect(files[script.path] != nil, "\(script.path)") }
        let defined = files.values.flatMap { $0.matches(of: /customElements\.define\("([\w-]+)"/) }
        #expect(Set(defined.map { String($0.1) }).subtracting(elements).sorted() == ["flash-message"])
    }

    @Test("No script names the elements, events or scripts of a feature above its own")
    func oneWay() throws {
        let files = try Self.files("js")
        #expect(Set(files.map(\.folder)).subtracting(Self.places.keys).sorted() == [])
        for (place, feature) in Features.types.enumerated() {
            let scripts = feature.scripts
            // A folder of several features, such as `accounts`, has the place of the lowest.
            let own = scripts.elements.values
            for file in files
            where Self.places[file.folder, default: 0] < place && !own.contains(file.path) {
                for element in scripts.elements.keys {
                    let name = try Regex("(?:^|[^\\w/.-])\(element)(?![\\w/.-])")
                    #expect(!file.text.contains(name), "\(file.path) names <\(element)> of \(feature)")
                }
                for event in scripts.events.map(\.description) {
                    let name = event.hasPrefix("tintype.") ? String(event.dropFirst(8)) : event
                    let isNamed =
                        file.text.contains("tintype:\(name)\"") || file.text.contains("\"tintype.\(name)\"")
                        || (name.contains(".") && file.text.contains("\"\(name)\""))
                    #expect(!isNamed, "\(file.path) names the event \(event) of \(feature)")
                }
            }
        }
        for file in files {
            for imported in file.text.matches(of: /(?:from|import)\s*\(?"(?:\.\.|\.)\/([\w-]+)\/[\w.-]+"/) {
                let (own, other) = (Self.places[file.folder], Self.places[String(imported.1)])
                #expect(
                    other ?? 0 <= own ?? 0,
                    "\(file.path) imports a script of \(imported.1), which is above it")
            }
        }
    }

    @Test("No style sheet that pages share names the elements of a feature")
    func styles() throws {
        let common = Set((Page.commonStyles + ["controls", "offline"]).map { "\($0).css" })
        for file in try Self.files("css") where common.contains(file.path) {
            for feature in Features.types {
                for element in feature.scripts.elements.keys {
                    let name = try Regex("(?:^|[^\\w.#-])\(element)(?![\\w-])")
                    #expect(!file.text.contains(name), "\(file.path) names <\(element)> of \(feature)")
                }
            }
        }
    }

    @Test("What tokens.css has is used by several style sheets, or by one that all pages share")
    func tokens() throws {
        let files = try Self.files("css")
        let tokens = try #require(files.first { $0.path == "tokens.css" })
        let common = Set(Page.commonStyles.map { "\($0).css" })
        let names = Set(tokens.text.matches(of: /(?m)^\s+(--[\w-]+):/).map { String($0.1) })
        #expect(names.count > 50)
        for name in names.sorted() where name.wholeMatch(of: /--tone-\d/) == nil {
            let users = files.filter { $0.text.contains("var(\(name))") }.map(\.path)
            #expect(users.count > 1 || users.contains(where: common.contains), "\(name) is used by \(users)")
        }
    }
}
