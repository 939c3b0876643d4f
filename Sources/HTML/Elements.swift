// The elements of the HTML Living Standard that the app uses, one function each.

/// Returns an element with content, for custom elements such as `post-card`.
///
/// - Parameters:
///   - name: the tag, a literal of the program's source.
///   - attributes: the attributes in their order; absent ones are left out.
///   - content: the nodes between the tags.
public func element(
    _ name: StaticString, _ attributes: [Attribute], @NodeBuilder content: () -> Node
) -> Node {
    let content = content()
    return Node { writer in
        writer.raw(byte: UInt8(ascii: "<"))
        writer.raw(name)
        for attribute in attributes { attribute.write(into: &writer) }
        writer.raw(byte: UInt8(ascii: ">"))
        content.write(&writer)
        writer.raw("</")
        writer.raw(name)
        writer.raw(byte: UInt8(ascii: ">"))
    }
}

/// Returns an element with content, with its attributes as separate arguments.
public func element(
    _ name: StaticString, _ attributes: Attribute..., @NodeBuilder content: () -> Node
) -> Node {
    element(name, attributes, content: content)
}

/// Returns an element without content or end tag, such as `img`.
public func void(_ name: StaticString, _ attributes: [Attribute]) -> Node {
    Node { writer in
        writer.raw(byte: UInt8(ascii: "<"))
        writer.raw(name)
        for attribute in attributes { attribute.write(into: &writer) }
        writer.raw(byte: UInt8(ascii: ">"))
    }
}

/// Returns an `<a>` element.
public func a(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("a", attributes, content: content)
}
/// Returns an `<article>` element.
public func article(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("article", attributes, content: content)
}
/// Returns an `<aside>` element.
public func aside(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("aside", attributes, content: content)
}
/// Returns a `<button>` element.
public func button(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("button", attributes, content: content)
}
/// Returns a `<dd>` element.
public func dd(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("dd", attributes, content: content)
}
/// Returns a `<details>` element.
public func details(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("details", attributes, content: content)
}
/// Returns a `<dialog>` element.
public func dialog(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("dialog", attributes, content: content)
}
/// Returns a `<div>` element.
public func div(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("div", attributes, content: content)
}
/// Returns a `<dl>` element.
public func dl(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("dl", attributes, content: content)
}
/// Returns a `<dt>` element.
public func dt(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("dt", attributes, content: content)
}
/// Returns an `<em>` element.
public func em(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("em", attributes, content: content)
}
/// Returns a `<fieldset>` element.
public func fieldset(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("fieldset", attributes, content: content)
}
/// Returns a `<figcaption>` element.
public func figcaption(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("figcaption", attributes, content: content)
}
/// Returns a `<figure>` element.
public func figure(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("figure", attributes, content: content)
}
/// Returns a `<footer>` element.
public func footer(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("footer", attributes, content: content)
}
/// Returns a `<form>` element.
public func form(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("form", attributes, content: content)
}
/// Returns an `<h1>` element.
public func h1(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("h1", attributes, content: content)
}
/// Returns an `<h2>` element.
public func h2(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("h2", attributes, content: content)
}
/// Returns an `<h3>` element.
public func h3(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("h3", attributes, content: content)
}
/// Returns a `<header>` element.
public func header(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("header", attributes, content: content)
}
/// Returns an `<html>` element.
public func html(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("html", attributes, content: content)
}
/// Returns a `<head>` element.
public func head(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("head", attributes, content: content)
}
/// Returns a `<body>` element.
public func body(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("body", attributes, content: content)
}
/// Returns a `<label>` element.
public func label(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("label", attributes, content: content)
}
/// Returns a `<legend>` element.
public func legend(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("legend", attributes, content: content)
}
/// Returns an `<li>` element.
public func li(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("li", attributes, content: content)
}
/// Returns a `<main>` element.
public func main(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("main", attributes, content: content)
}
/// Returns a `<nav>` element.
public func nav(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("nav", attributes, content: content)
}
/// Returns an `<ol>` element.
public func ol(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("ol", attributes, content: content)
}
/// Returns an `<option>` element.
public func option(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("option", attributes, content: content)
}
/// Returns an `<output>` element.
public func output(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("output", attributes, content: content)
}
/// Returns a `<p>` element.
public func p(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("p", attributes, content: content)
}
/// Returns a `<pre>` element.
public func pre(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("pre", attributes, content: content)
}
/// Returns a `<code>` element.
public func code(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("code", attributes, content: content)
}
/// Returns a `<progress>` element.
public func progress(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("progress", attributes, content: content)
}
/// Returns a `<section>` element.
public func section(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("section", attributes, content: content)
}
/// Returns a `<select>` element.
public func select(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("select", attributes, content: content)
}
/// Returns a `<span>` element.
public func span(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("span", attributes, content: content)
}
/// Returns a `<strong>` element.
public func strong(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("strong", attributes, content: content)
}
/// Returns a `<summary>` element.
public func summary(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("summary", attributes, content: content)
}
/// Returns a `<table>` element.
public func table(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("table", attributes, content: content)
}
/// Returns a `<tbody>` element.
public func tbody(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("tbody", attributes, content: content)
}
/// Returns a `<td>` element.
public func td(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("td", attributes, content: content)
}
/// Returns a `<textarea>` element.
public func textarea(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("textarea", attributes, content: content)
}
/// Returns a `<th>` element.
public func th(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("th", attributes, content: content)
}
/// Returns a `<thead>` element.
public func thead(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("thead", attributes, content: content)
}
/// Returns a `<time>` element.
public func time(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("time", attributes, content: content)
}
/// Returns a `<title>` element.
public func title(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("title", attributes, content: content)
}
/// Returns a `<tr>` element.
public func tr(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("tr", attributes, content: content)
}
/// Returns a `<ul>` element.
public func ul(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("ul", attributes, content: content)
}
/// Returns a `<noscript>` element.
public func noscript(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("noscript", attributes, content: content)
}
/// Returns a `<video>` element.
public func video(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("video", attributes, content: content)
}
/// Returns a `<canvas>` element.
public func canvas(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("canvas", attributes, content: content)
}
/// Returns a `<datalist>` element.
public func datalist(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("datalist", attributes, content: content)
}
/// Returns a `<b>` element.
public func b(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("b", attributes, content: content)
}
/// Returns a `<br>` element.
public func br(_ attributes: Attribute...) -> Node { void("br", attributes) }
/// Returns an `<hr>` element.
public func hr(_ attributes: Attribute...) -> Node { void("hr", attributes) }
/// Returns an `<img>` element.
public func img(_ attributes: Attribute...) -> Node { void("img", attributes) }
/// Returns an `<input>` element.
public func input(_ attributes: Attribute...) -> Node { void("input", attributes) }
/// Returns a `<link>` element.
public func link(_ attributes: Attribute...) -> Node { void("link", attributes) }
/// Returns a `<meta>` element.
public func meta(_ attributes: Attribute...) -> Node { void("meta", attributes) }
/// Returns a `<source>` element.
public func source(_ attributes: Attribute...) -> Node { void("source", attributes) }

/// Returns a `<script>` element, always with `src`: pages allow no inline scripts.
public func script(_ attributes: Attribute...) -> Node { element("script", attributes) {} }
