import CSandbox
import Decoding
import Foundation
import Imaging

/// A worker in the same cage as `tintype-pictures` that does what the bytes of a "picture" say, as one would whose
/// decoder an attacker has taken over.
///
/// Other pictures it decodes as it should. With an argument it goes behind Landlock alone, tries what that forbids, and
/// exits with the number of attempts that succeeded: behind the filter, none would get as far.
@main
struct Misbehaving {
    static func main() throws {
        if CommandLine.arguments.count > 1 { exit(Landlock(folder: CommandLine.arguments[1]).breaches) }
        let warm = getpid()
        guard let service = try WarmProcess(socket: FrameSocket(Descriptor(3))).nextJob(),
            let job = service.job()
        else { return }
        if let action = Action(job.pictures[0], warm: warm) {
            try action.commit(service, job)
        } else {
            Action.keep(job)
            try service.answer(job)
        }
    }
}

/// Attempts that Landlock alone has to stop.
private struct Landlock {
    let folder: String

    /// How many attempts succeed; 100 when the process can't go behind Landlock.
    var breaches: Int32 {
        let database = "\(folder)/tintype.sqlite"
        // The limits have what Landlock asks for of a process without privileges.
        guard tintype_cage_check_threads() == nil, tintype_cage_limit() == nil,
            tintype_cage_restrict() == nil
        else { return 100 }
        let attempts: [() -> Bool] = [
            { open(database, O_RDONLY) >= 0 },
            { open(database, O_WRONLY) >= 0 },
            { open("\(folder)/new", O_WRONLY | O_CREAT, 0o600) >= 0 },
            { opendir(folder) != nil },
            { unlink(database) == 0 },
            { rename(database, "\(folder)/other") == 0 },
            { truncate(database, 0) == 0 },
            { mkdir("\(folder)/folder", 0o700) == 0 },
            { kill(getppid(), 0) == 0 },
            { jobReachesWarmProcess },
        ]
        return Int32(attempts.count { $0() })
    }

    /// Whether a process that is forked from this one, and goes behind Landlock once more, can send it a signal.
    private var jobReachesWarmProcess: Bool {
        var handle: Int32 = -1
        switch tintype_warm_fork(STDIN_FILENO, &handle) {
        case 0: exit(tintype_cage_restrict() == nil && kill(getppid(), 0) != 0 ? 0 : 1)
        case let job where job > 0:
            var status: Int32 = 0
            return waitpid(job, &status, 0) != job || status != 0
        default: return true
        }
    }
}
