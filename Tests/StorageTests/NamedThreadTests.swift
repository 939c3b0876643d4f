import Foundation
import Testing

@testable import Storage

@Suite("Threads with names")
struct NamedThreadTests {
    @Test("A thread has its name from its first line on, however many start at once")
    func names() async {
        await withTaskGroup(of: String?.self) { group in
            for _ in 0..<2_000 {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.start(named: "a test") { continuation.resume(returning: Thread.current.name) }
                    }
                }
            }
            for await name in group { #expect(name == "a test") }
        }
    }
}
