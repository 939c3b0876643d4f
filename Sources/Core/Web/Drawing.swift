import HTML

/// A closure that draws what was read in a transaction. A node can't leave the thread of the database; such a closure
/// can, and draws when the page is written.
package typealias Drawing = @Sendable () -> Node
