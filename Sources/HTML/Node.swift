/// A piece of HTML that writes itself into bytes.
///
/// There is one concrete type and no nesting of generics, so that large pages type-check quickly. Text is
/// escaped by construction: a `String` in a builder always becomes text, never markup.
///
/// ```swift
/// let greeting = section(.class("welcome")) {
///     h1 { "Hello, \(name)" }
///     if isNew { p { "Good to have you here." } }
/// }
/// ```
public struct Node {
    let write: (inout ByteWriter) -> Void

    /// Makes a node from a closure that writes valid HTML. For fragments that are already bytes and for
    /// elements that this module doesn't offer; pages use the element functions.
    public init(writing write: @escaping (inout ByteWriter) -> Void) {
        self.write = write
    }

    /// Nothing at all.
    public static var empty: Node { Node { _ in } }

    /// Text, escaped.
    public static func text(_ text: String) -> Node {
        Node { $0.escaped(text) }
    }

    /// HTML that is already bytes and known to be valid, such as a cached fragment or a drawing of ours.
    public static func fragment(_ bytes: [UInt8]) -> Node {
        Node { $0.raw(bytes) }
    }

    /// Several nodes, one after the other.
    public static func list(_ nodes: [Node]) -> Node { NodeBuilder.buildArray(nodes) }

    /// Appends the node's HTML to `writer`.
    @inline(__always)
    public func render(into writer: inout ByteWriter) {
        write(&writer)
    }

    /// The node's HTML as UTF-8.
    public func rendered() -> [UInt8] {
        var writer = ByteWriter()
        write(&writer)
        return writer.bytes
    }
}

/// Collects the statements of a closure into one ``Node``.
@resultBuilder
public enum NodeBuilder {
    /// Takes a node as it is.
    public static func buildExpression(_ node: Node) -> Node { node }
    /// Takes text, escaped.
    public static func buildExpression(_ text: String) -> Node { .text(text) }
    /// Takes a list of nodes, one after the other.
    public static func buildExpression(_ nodes: [Node]) -> Node { buildArray(nodes) }
    /// Takes a node that may be missing.
    public static func buildExpression(_ node: Node?) -> Node { node ?? .empty }
    /// Nothing.
    public static func buildBlock() -> Node { .empty }
    /// A single statement needs no wrapping.
    public static func buildBlock(_ node: Node) -> Node { node }
    /// Several statements, one after the other.
    public static func buildBlock(_ nodes: Node...) -> Node { buildArray(nodes) }
    /// An `if` without `else`.
    public static func buildOptional(_ node: Node?) -> Node { node ?? .empty }
    /// The first branch of an `if` or `switch`.
    public static func buildEither(first node: Node) -> Node { node }
    /// The other branches of an `if` or `switch`.
    public static func buildEither(second node: Node) -> Node { node }
    /// The rounds of a `for` loop.
    public static func buildArray(_ nodes: [Node]) -> Node {
        Node { writer in
            for node in nodes { node.write(&writer) }
        }
    }
}
