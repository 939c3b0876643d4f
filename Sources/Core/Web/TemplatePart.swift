import HTML

/// A part of a drawing that is optional or repeated.
///
/// On a page, the part is drawn for each of its values. In a template, which scripts fill to draw the same thing
/// (`web/template.js`), the part is a template, too, drawn once with names in braces in place of values.
package struct TemplatePart<Value> {
    private let values: [Value]
    private let name: String?

    /// Creates a part of a page.
    package init(_ values: [Value]) {
        self.values = values
        name = nil
    }

    /// Creates a part of a page; nil for a thing without this part.
    package init(_ value: Value?) { self.init(value.map { [$0] } ?? []) }

    /// Creates a part of a template.
    ///
    /// - Parameters:
    ///   - name: the part's name for scripts.
    ///   - names: the names in braces that the script replaces.
    package init(named name: String, _ names: Value) {
        values = [names]
        self.name = name
    }

    /// Draws the part.
    package func draw(@NodeBuilder _ content: (Value) -> Node) -> Node {
        let nodes = Node.list(values.map(content))
        guard let name else { return nodes }
        return element("template", .attribute("data-part", name)) { nodes }
    }
}

extension TemplatePart<Void> {
    /// Creates a part of a page that has no values of its own.
    package init(if isThere: Bool) { self.init(isThere ? () : nil) }

    /// Creates a part of a template that has no names.
    package init(named name: String) { self.init(named: name, ()) }
}

/// Returns a template for scripts.
///
/// - Parameter name: the name by which scripts find the template.
package func template(_ name: String, @NodeBuilder content: () -> Node) -> Node {
    element("template", .attribute("data-template", name), content: content)
}
