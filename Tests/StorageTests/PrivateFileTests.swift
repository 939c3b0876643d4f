import Foundation
import Storage
import Testing

@Suite("Files of their owner alone")
struct PrivateFileTests {
    @Test("A file is created once, for its owner alone, and nothing is left beside it")
    func create() throws {
        let folder = try TemporaryFolder()
        let path = folder("key")
        let old = umask(0)
        defer { umask(old) }
        #expect(try PrivateFile.contents(of: path, orCreate: [1, 2, 3]) == [1, 2, 3])
        #expect(try PrivateFile.contents(of: path, orCreate: [4]) == [1, 2, 3])
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(folder.files == [path])
    }

    @Test("A file that others may use is refused", arguments: [0o640, 0o604, 0o620, 0o601] as [mode_t])
    func open(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        let path = folder("key")
        _ = try PrivateFile.contents(of: path, orCreate: [1])
        chmod(path, mode)
        #expect(throws: PrivateFile.IsOpenToOthers.self) {
            try PrivateFile.contents(of: path, orCreate: [1])
        }
        chmod(path, 0o400)
        #expect(try PrivateFile.contents(of: path, orCreate: []) == [1])
    }

    @Test("A folder that isn't there is an error, and not an empty file")
    func missing() throws {
        let folder = try TemporaryFolder()
        #expect(throws: (any Error).self) {
            try PrivateFile.contents(of: folder("missing/key"), orCreate: [1])
        }
        #expect(folder.files == [])
    }
}
