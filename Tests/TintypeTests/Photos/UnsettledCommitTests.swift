import Foundation
import HTTPTypes
import Storage
import Synchronization
import Testing

@testable import Core
@testable import Tintype

/// A disk that fails while SQLite commits leaves a transaction that is undone for this process, and that the next one
/// may find committed in the log. What follows such a failure is looked at after a kill.
@Suite("A disk that fails during a commit", .timeLimit(.minutes(15)), .onlySQLite)
struct UnsettledCommitTests {
    /// What writes files, and then names them in rows.
    enum Action: String, CaseIterable {
        case photo, pictureForOneUse, portrait, signUpWithPortrait, snapOfSample, savedPhoto, onceCopy

        /// What somebody does, to be sent later.
        fileprivate func prepare(in world: World) async throws -> @Sendable () async throws -> Answer {
            let people = try await world.friends("ana", "ben")
            let (ana, ben) = (people[0], people[1])
            let file = FormPart.file("file", try await TestPicture.jpeg())
            let photo = try await ana.photo()
            let chat = try await ana.chat(with: ben)
            let message = try await ana.send(photo: photo, in: chat)
            switch self {
            case .photo: return { try await ana.post("/api/v2/media", multipart: [file]) }
            case .pictureForOneUse:
                return { try await ana.post("/api/v2/media", multipart: [file, .text("purpose", "snap")]) }
            case .portrait:
                let portrait = FormPart.file("avatar", try await TestPicture.jpeg())
                return {
                    try await ana.send(.patch, "/api/v1/accounts/update_credentials", multipart: [portrait])
                }
            case .signUpWithPortrait:
                let form = [
                    FormPart.text("username", "cleo"), .text("display_name", "Cleo"),
                    .text("password", "correct horse"), .file("portrait", try await TestPicture.jpeg()),
                ]
                return { try await world.stranger.submit("/signup", multipart: form) }
            case .snapOfSample:
                return {
                    try await ana.post("/api/v1/snaps", json: ["sample_id": "memes-1", "feed_id": "memes"])
                }
            case .savedPhoto:
                return { try await ben.post("/api/v1/chats/\(chat)/messages/\(message)/save") }
            case .onceCopy:
                return {
                    try await ana.post(
                        "/api/v1/chats/\(chat)/messages",
                        json: ["photo_id": .text(photo), "view_once": true])
                }
            }
        }
    }

    /// Does something on a disk that fails, and is killed.
    ///
    /// - Parameters:
    ///   - failures: how many confirmations of the disk fail.
    ///   - status: the status that the person gets; with any other the process ends without being killed.
    ///   - afterwards: what happens between the answer and the kill.
    private static func doAndDie(
        _ action: String, in folder: String, failures: Int, status: Int,
        afterwards: (World) async throws -> Void = { _ in }
    ) async throws {
        BrokenDisk.install()
        let world = try await World(folder: folder)
        let send = try await Action(rawValue: action)?.prepare(in: world)
        let count = try await world.number("SELECT count(*) FROM blobs")
        try "\(count)".write(toFile: folder + "/rows", atomically: true, encoding: .utf8)
        BrokenDisk.fail(failures)
        let answer = try await send?()
        guard answer?.status == status else {
            FileHandle.standardError.write(Data("answered \(String(describing: answer))\n".utf8))
            exit(1)
        }
        BrokenDisk.fail(0)
        try await afterwards(world)
        kill(getpid(), SIGKILL)
    }

    /// How many files were named in rows before the disk failed.
    private func rowsBefore(in folder: TemporaryFolder) throws -> Int {
        try #require(Int(String(contentsOfFile: folder.path + "/rows", encoding: .utf8)))
    }

    @Test(
        "The files that it names are there when the next start finds it committed", arguments: Action.allCases
    )
    func kept(action: Action) async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = folder.path as String, action = action.rawValue as String] in
            try await Self.doAndDie(action, in: path, failures: .max, status: 503)
        }
        let world = try await World(folder: folder.path)
        #expect(try await world.number("SELECT count(*) FROM blobs") > rowsBefore(in: folder))
        #expect(try await world.tintype.problems() == [])
    }

    @Test("Its files are erased by the next start when a later commit has taken its place")
    func replaced() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            try await Self.doAndDie("photo", in: path, failures: .max, status: 503) { world in
                _ = try await world.account("cleo")
                // What another process of this moment finds is as much in order.
                guard try await world.tintype.problems() == [] else { exit(1) }
            }
        }
        let world = try await World(folder: folder.path)
        let count = try await world.fileCount()
        #expect(try await world.number("SELECT count(*) FROM blobs") == rowsBefore(in: folder))
        #expect(try count == rowsBefore(in: folder))
        #expect(try await world.person("cleo").get("/api/v1/photos").status == 200)
        #expect(try await world.tintype.problems() == [])
    }

    @Test("It can't come back, and its files are gone at once, when the disk fails just once")
    func settled() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
            try await Self.doAndDie("photo", in: path, failures: 1, status: 500) { world in
                let (files, rows) = try await (
                    world.fileCount(), world.number("SELECT count(*) FROM blobs")
                )
                guard files == rows else { exit(1) }
            }
        }
        let world = try await World(folder: folder.path)
        #expect(try await world.number("SELECT count(*) FROM blobs") == rowsBefore(in: folder))
        #expect(try await world.tintype.problems() == [])
    }

    @Test("Writes that were committed together all say that they may have been kept, and later ones go on")
    func group() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            BrokenDisk.install()
            let database = try await World(folder: path).tintype.database
            let gate = DispatchSemaphore(value: 0)
            let isHeld = Mutex(false)
            let held = Task {
                try await database.write { _ in
                    isHeld.withLock { $0 = true }
                    gate.wait()
                }
            }
            while !isHeld.withLock({ $0 }) { await Task.yield() }
            let together = ["one", "two"].map { name in
                Task { try await database.write { try $0.setServerValue(name, name) } }
            }
            while database.waiting.writes < 2 { await Task.yield() }
            BrokenDisk.fail(.max)
            gate.signal()
            try await held.value
            for write in together {
                await #expect(throws: DatabaseError.unsettled) { try await write.value }
            }
            BrokenDisk.fail(0)
            try await database.write { try $0.setServerValue("three", "three") }
            let values = try await database.read { transaction in
                try ["one", "two", "three"].map { try transaction.serverValue($0) }
            }
            #expect(values == [nil, nil, "three"])
        }
    }
}
