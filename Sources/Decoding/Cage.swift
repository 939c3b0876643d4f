import CLinux
import CSandbox
import Foundation

/// What a process gives up before it looks at a stranger's file.
package enum Cage {
    /// Why the process can't go in.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Loads what decoders need, and then gives up everything but memory, threads, time, and the descriptors that are
    /// open or come with frames. There is no way back. Landlock may be missing; everything else must work.
    ///
    /// - Throws: ``Failure``; the process must then end.
    package static func enter() throws(Failure) {
        tintype_return_buffers()
        Picture.startLibrary()
        for wall in [
            tintype_cage_check_threads, tintype_cage_limit, tintype_cage_restrict, tintype_cage_filter,
        ] {
            guard let call = wall() else { continue }
            throw Failure(description: "\(String(cString: call)): \(String(cString: strerror(errno)))")
        }
    }
}
