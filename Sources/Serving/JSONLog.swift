import Foundation
import Logging

/// Writes each line of the log as a JSON object: `time`, `level`, `message`, and everything else that belongs to it as members
/// of `metadata`.
package struct JSONLog: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]

    private let label: String
    private let write: @Sendable (Data) -> Void

    /// - Parameters:
    ///   - label: who writes.
    ///   - write: takes a line with its end; by default the standard error.
    package init(
        label: String, write: @escaping @Sendable (Data) -> Void = { FileHandle.standardError.tell($0) }
    ) {
        self.label = label
        self.write = write
    }

    package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let all = metadata.merging(event.metadata ?? [:]) { $1 }
        var json = JSONWriter()
        json.object { json in
            json.member("time", Date())
            json.member("level", event.level.rawValue)
            json.member("logger", label)
            json.member("message", event.message.description)
            json.object("metadata") { json in
                for (name, value) in all.sorted(by: { $0.key < $1.key }) {
                    json.key(computed: name)
                    json.value(value.description)
                }
            }
        }
        // One write for each line, so that lines of several threads don't mix.
        write(Data(json.bytes + [UInt8(ascii: "\n")]))
    }
}
