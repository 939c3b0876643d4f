/// A piece of HTML that writes itself into bytes.
///
/// All nodes have this one concrete type, without nested generics, so that large pages type-check quickly.
/// Text is escaped by construction: a `String` in a builder always becomes text, never markup.
///
/// ```swift
/// let greeting = section(.class("welcome")) {
///     h1 { "Hello, \(name)" }
///     if isNew { p { "Good to have you here." } }
/// }
/// ```
public struct Node {
    let write: (inout ByteWriter) -> Void

    /// Creates a node from a closure that writes valid HTML, for fragments that are already bytes and for
    /// elements that this module doesn't have. Pages use the element functions instead.
    public init(writing write: @escaping (inout ByteWriter) -> Void) {
        self.write = write
    }

    /// A node that writes nothing.
    public static var empty: Node { Node { _ in } }

    /// Returns escaped text.
    public static func text(_ text: String) -> Node {
        Node { $0.escaped(text) }
    }

    /// Returns HTML that is already bytes and known to be valid, such as a cached fragment or one of our
    /// drawings.
    public static func fragment(_ bytes: [UInt8]) -> Node {
        Node { $0.raw(bytes) }
    }

    /// Returns several nodes, one after the other.
    public static func list(_ nodes: [Node]) -> Node { NodeBuilder.buildArray(nodes) }

    /// Appends the node's HTML to `writer`.
    @inline(__always)
    public func render(into writer: inout ByteWriter) {
        write(&writer)
    }

    /// Returns the node's HTML as UTF-8.
    ///
    /// - Parameter capacity: about how many bytes it takes; more are written, too.
    public func rendered(capacity: Int = 4096) -> [UInt8] {
        var writer = ByteWriter(capacity: capacity)
        write(&writer)
        return writer.bytes
    }
}

/// Collects the statements of a closure into one ``Node``.
@resultBuilder
public enum NodeBuilder {
    /// Uses a node without changing it.
    public static func buildExpression(_ node: Node) -> Node { node }
    /// Uses text, escaped.
    public static func buildExpression(_ text: String) -> Node { .text(text) }
    /// Uses a list of nodes, one after the other.
    public static func buildExpression(_ nodes: [Node]) -> Node { buildArray(nodes) }
    /// Uses an optional node; nil writes nothing.
    public static func buildExpression(_ node: Node?) -> Node { node ?? .empty }
    /// Builds an empty block.
    public static func buildBlock() -> Node { .empty }
    /// Builds a block with a single statement.
    public static func buildBlock(_ node: Node) -> Node { node }
    /// Builds a block with several statements, one after the other.
    public static func buildBlock(_ nodes: Node...) -> Node { buildArray(nodes) }
    /// Builds an `if` without `else`.
    public static func buildOptional(_ node: Node?) -> Node { node ?? .empty }
    /// Builds the first branch of an `if` or `switch`.
    public static func buildEither(first node: Node) -> Node { node }
    /// Builds the other branches of an `if` or `switch`.
    public static func buildEither(second node: Node) -> Node { node }
    /// Builds the iterations of a `for` loop.
    public static func buildArray(_ nodes: [Node]) -> Node {
        Node { writer in
            for node in nodes { node.write(&writer) }
        }
    }
}
