import Foundation

/// A program that a test runs to its end.
///
/// Foundation's `Process` reads past the end of its sets of sockets (`memmove` in CFSocket) when more than 1,024 files
/// are open and several programs start at once. All Swift tests together have that many open, and their process ended.
enum Program {
    /// Runs a program.
    ///
    /// - Parameter environment: all of its environment, as `NAME=value`.
    /// - Returns: the status as waitpid(2) gives it, 0 for success.
    static func run(
        _ path: String, _ arguments: [String], environment: [String] = []
    ) throws -> Int32 {
        let words = ([path] + arguments).map { strdup($0) }
        let variables = environment.map { strdup($0) }
        defer { for word in words + variables { free(word) } }
        var id: pid_t = 0
        let failure = posix_spawn(&id, path, nil, nil, words + [nil], variables + [nil])
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0 && errno == EINTR {}
        return status
    }
}
