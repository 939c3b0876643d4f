import Dispatch
import Foundation

extension Thread {
    /// Starts a thread that has a name from its first line on.
    ///
    /// Foundation learns only from the start of a thread which one it is, and until then loses a name that the thread gives
    /// itself. So the thread waits until it has started.
    ///
    /// - Parameter name: the name in a debugger, of which Linux keeps 15 bytes.
    static func start(named name: String, _ body: @escaping @Sendable () -> Void) {
        let isStarted = DispatchSemaphore(value: 0)
        let thread = Thread {
            isStarted.wait()
            Thread.current.name = name
            body()
        }
        thread.start()
        isStarted.signal()
    }
}
