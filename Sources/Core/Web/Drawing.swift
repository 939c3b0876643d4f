import HTML

/// Draws what was read in a transaction. A node can't leave the thread of the database; a drawing can, and draws once the
/// page is written.
package typealias Drawing = @Sendable () -> Node
