import ArgumentParser
import Core
import Foundation
import Tintype

struct Setup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Set up a new server: its address, and the account that administers it.",
        discussion: """
            Asks for what isn't given. Writes the settings' file, makes the first account, and prints a link with which its \
            owner chooses a password. Running it again changes the address, and prints another link.
            """)

    @Option(
        name: .customLong("public-url"),
        help: "The address at which people reach the server, such as https://photos.example.org.")
    var publicURL: String?

    @Option(help: "The username of the administrator.")
    var administrator: String?

    @Option(name: .customLong("display-name"), help: "The administrator's name. (default: the username)")
    var displayName: String?

    @Option(help: "The data folder. (default: as in the file, or /var/lib/tintype)")
    var data: String?

    @Option(help: "The settings' file.")
    var config = SettingsFile.installed

    func run() async throws {
        let address = try answer(
            publicURL, to: "Address at which people reach the server (https://…)", "--public-url")
        let username = try answer(administrator, to: "Your username", "--administrator")
        // Refuses a wrong address before it is in the file.
        _ = try await ServerConfiguration.load(flags: ["public-url": address], environment: [:], file: nil)
        var changes = ["public-url": address]
        if let data { changes["data"] = data }
        if data == nil, !FileManager.default.fileExists(atPath: config) {
            changes["data"] = "/var/lib/tintype"
        }
        try SettingsFile(config).set(changes)
        let settings = try await ServerConfiguration.load(
            flags: [:], environment: ProcessInfo.processInfo.environment, file: config)
        try FolderOwner.become(settings.data)
        let application = try await TintypeApplication(settings, node: .tool)
        let link = try await application.setUp(
            administrator: username, displayName: displayName ?? username)
        print(
            """
            The settings are in \(config). A server that runs learns them when it starts again:
                systemctl restart tintype
            Then @\(username) chooses a password here, once and within a day:
                \(link)
            """)
    }

    /// Returns what was given, or asks for it.
    ///
    /// - Throws: a `ValidationError` if nothing was given and nobody answers.
    private func answer(_ given: String?, to question: String, _ option: String) throws -> String {
        if let given { return given }
        print("\(question): ", terminator: "")
        fflush(nil)
        guard let line = readLine()?.trimmingCharacters(in: .whitespaces), !line.isEmpty else {
            throw ValidationError("Say \(option).")
        }
        return line
    }
}
