import Foundation
import Testing

@testable import Core
@testable import Tintype

/// Reads the program's own source: which folder names what of another.
@Suite("Which folder knows which")
struct FeatureSourceTests {
    /// The modules with features, and the folders of each from the lowest to the highest. A file names only what is in
    /// its own folder, in a lower one, or beside the folders. Between modules the compiler sees to it.
    private static let order = [
        "Core": ["Web", "Jobs", "Limits", "Files", "Outgoing", "Accounts", "OpenAPI"],
        "People": [
            "Sessions", "OAuth", "Relationships", "Notifications", "Push", "Photos", "Once",
            "ConnectedAccounts", "Reports",
        ],
        "Feeds": ["Posts", "Snaps", "Chats", "Streaming", "Sharing"],
        "Making": ["PastPhotos", "Collages", "ThenAndNow", "Contracts"],
        "Tintype": [
            "Profiles", "PersonalData", "Administration", "Importing", "Settings", "Installing", "Demo",
        ],
    ]

    private struct Source {
        var module: String
        var path: String
        /// Empty for a file beside the folders.
        var folder: String
        var text: String

        /// Without comments and literals.
        var code: String
    }

    /// Our own source files, read once.
    private static let sources = Result {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardized
        var found: [Source] = []
        for module in order.keys.sorted() {
            let folder = root.appending(path: module)
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            while let file = files?.nextObject() as? URL {
                guard file.pathExtension == "swift" else { continue }
                let path = String(file.path.dropFirst(folder.path.count + 1))
                let text = try String(contentsOf: file, encoding: .utf8)
                found.append(
                    Source(
                        module: module, path: path,
                        folder: path.contains("/") ? String(path.prefix { $0 != "/" }) : "",
                        text: text,
                        code: text.replacing(/\/\/.*/, with: "")
                            .replacing(/"""(.|\n)*?"""/, with: "")
                            .replacing(/"(\\.|[^"\\\n])*"/, with: "")))
            }
        }
        return found
    }

    @Test("Names go one way: no folder names a type of a folder above it in its module")
    func oneWay() throws {
        let sources = try Self.sources.get()
        #expect(sources.count > 100)
        let declaration =
            /(?m)^(?:public |package )?(?:final |indirect )?(?:struct|class|enum|actor|protocol|typealias)\s+(\w+)/
        for (module, order) in Self.order {
            let sources = sources.filter { $0.module == module }
            #expect(Set(sources.map(\.folder)).subtracting(order + [""]).sorted() == [])
            var homes: [Substring: Set<String>] = [:]
            for source in sources {
                for match in source.code.matches(of: declaration) {
                    homes[match.1, default: []].insert(source.folder)
                }
            }
            for source in sources where !source.folder.isEmpty {
                let own = order.firstIndex(of: source.folder) ?? 0
                for name in Set(source.code.matches(of: /(?:^|[^.\w])([A-Z]\w*)/).map(\.1)) {
                    guard let home = homes[name], home.count == 1, let folder = home.first,
                        let place = order.firstIndex(of: folder)
                    else { continue }
                    #expect(place <= own, "\(source.path) names \(name) of \(folder), which is above it")
                }
            }
        }
    }

    @Test("No store is named outside its folder")
    func stores() throws {
        let sources = try Self.sources.get()
        let declaration = /(?m)^(?:private |fileprivate |package )?struct\s+(\w+Store)\b/
        var homes: [Substring: String] = [:]
        for source in sources {
            for match in source.code.matches(of: declaration) { homes[match.1] = source.folder }
        }
        #expect(homes.count > 10)
        for source in sources {
            for store in Set(source.code.matches(of: /\b\w+Store\b/).map(\.output)) {
                guard let folder = homes[store] else { continue }
                #expect(folder == source.folder, "\(source.path) names \(store) of \(folder)")
            }
        }
    }

    @Test("No static function takes a transaction: records are objects over it")
    func records() throws {
        let sources = try Self.sources.get()
        let declaration =
            /static func (\w+)(?:<[^>]*>)?\((?:[^(){}]|\([^(){}]*\))*:\s*Transaction\b/
        var found = 0
        for source in sources {
            for match in source.code.matches(of: declaration) {
                // A feature is asked for this one as a type, like for its tables.
                guard match.1 != "leaveOutOfBackup" else {
                    found += 1
                    continue
                }
                Issue.record("\(source.path): \(match.1) takes a transaction: make it a function of records")
            }
        }
        #expect(found > 1)
    }

    @Test("No table is named outside its folder, counters apart, which compare two of them")
    func tables() throws {
        let sources = try Self.sources.get()
        var homes: [String: String] = [:]
        for feature in Features.types {
            let folder = "\(feature)".replacing(/Feature$/, with: "")
            for table in feature.tables { homes[table.name] = folder }
        }
        #expect(homes.count > 20)
        for source in sources {
            let text = source.text.replacing(/FeatureCounter\((.|\n)*?\n    \]/, with: "")
            for match in text.matches(of: /\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z_]+)\b/) {
                guard let folder = homes[String(match.1)] else { continue }
                #expect(folder == source.folder, "\(source.path) names the table \(match.1) of \(folder)")
            }
        }
    }
}
