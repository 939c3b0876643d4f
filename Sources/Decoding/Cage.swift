import CLinux
import CSandbox
import Foundation

/// The cage: the sandbox that a process enters before it reads a stranger's file. There is no way back.
enum Cage {
    /// The reason why a process can't enter.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A function that takes a permission away, and returns what failed.
    private typealias Wall = () -> UnsafePointer<CChar>?

    /// Loads what decoders need, and then gives up everything except what a job may do, forking, and putting up the
    /// walls of a job. Landlock and the limit of threads may be missing; everything else must work.
    ///
    /// - Returns: whether the threads of jobs are bounded.
    /// - Throws: ``Failure``; the process must then end.
    static func prepare() throws(Failure) -> Bool {
        tintype_keep_buffers()
        Picture.startLibrary()
        do {
            try Rehearsal.run()
        } catch {
            throw Failure(description: "rehearsal: \(error)")
        }
        try putUp([
            tintype_cage_check_threads, tintype_cage_limit, tintype_cage_restrict, tintype_warm_filter,
        ])
        return tintype_warm_counts_threads() != 0
    }

    /// Gives up, in the process of a job, everything except memory, a few threads, time, and the descriptors that come
    /// with frames.
    ///
    /// - Throws: ``Failure``; the process must then end.
    static func enter() throws(Failure) {
        try putUp([tintype_cage_limit_job, tintype_cage_restrict, tintype_cage_filter])
    }

    private static func putUp(_ walls: [Wall]) throws(Failure) {
        for wall in walls {
            guard let call = wall() else { continue }
            throw Failure(description: "\(String(cString: call)): \(String(cString: strerror(errno)))")
        }
    }
}
