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

/// Returns an element with content. The attributes are separate arguments.
public func element(
    _ name: StaticString, _ attributes: Attribute..., @NodeBuilder content: () -> Node
) -> Node {
    element(name, attributes, content: content)
}

/// Returns an element without content and end tag, such as `img`.
public func void(_ name: StaticString, _ attributes: [Attribute]) -> Node {
    Node { writer in
        writer.raw(byte: UInt8(ascii: "<"))
        writer.raw(name)
        for attribute in attributes { attribute.write(into: &writer) }
        writer.raw(byte: UInt8(ascii: ">"))
    }
}

/// `<a>`
public func a(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("a", attributes, content: content)
}
/// `<article>`
public func article(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("article", attributes, content: content)
}
/// `<aside>`
public func aside(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("aside", attributes, content: content)
}
/// `<button>`
public func button(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("button", attributes, content: content)
}
/// `<dd>`
public func dd(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("dd", attributes, content: content)
}
/// `<details>`
public func details(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("details", attributes, content: content)
}
/// `<dialog>`
public func dialog(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("dialog", attributes, content: content)
}
/// `<div>`
public func div(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("div", attributes, content: content)
}
/// `<dl>`
public func dl(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("dl", attributes, content: content)
}
/// `<dt>`
public func dt(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("dt", attributes, content: content)
}
/// `<em>`
public func em(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("em", attributes, content: content)
}
/// `<fieldset>`
public func fieldset(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("fieldset", attributes, content: content)
}
/// `<figcaption>`
public func figcaption(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("figcaption", attributes, content: content)
}
/// `<figure>`
public func figure(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("figure", attributes, content: content)
}
/// `<footer>`
public func footer(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("footer", attributes, content: content)
}
/// `<form>`
public func form(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("form", attributes, content: content)
}
/// `<h1>`
public func h1(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("h1", attributes, content: content)
}
/// `<h2>`
public func h2(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("h2", attributes, content: content)
}
/// `<h3>`
public func h3(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("h3", attributes, content: content)
}
/// `<header>`
public func header(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("header", attributes, content: content)
}
/// `<html>`
public func html(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("html", attributes, content: content)
}
/// `<head>`
public func head(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("head", attributes, content: content)
}
/// `<body>`
public func body(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("body", attributes, content: content)
}
/// `<label>`
public func label(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("label", attributes, content: content)
}
/// `<legend>`
public func legend(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("legend", attributes, content: content)
}
/// `<li>`
public func li(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("li", attributes, content: content)
}
/// `<main>`
public func main(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("main", attributes, content: content)
}
/// `<nav>`
public func nav(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("nav", attributes, content: content)
}
/// `<ol>`
public func ol(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("ol", attributes, content: content)
}
/// `<option>`
public func option(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("option", attributes, content: content)
}
/// `<output>`
public func output(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("output", attributes, content: content)
}
/// `<p>`
public func p(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("p", attributes, content: content)
}
/// `<pre>`
public func pre(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("pre", attributes, content: content)
}
/// `<code>`
public func code(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("code", attributes, content: content)
}
/// `<progress>`
public func progress(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("progress", attributes, content: content)
}
/// `<section>`
public func section(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("section", attributes, content: content)
}
/// `<select>`
public func select(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("select", attributes, content: content)
}
/// `<span>`
public func span(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("span", attributes, content: content)
}
/// `<strong>`
public func strong(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("strong", attributes, content: content)
}
/// `<summary>`
public func summary(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("summary", attributes, content: content)
}
/// `<table>`
public func table(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("table", attributes, content: content)
}
/// `<tbody>`
public func tbody(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("tbody", attributes, content: content)
}
/// `<td>`
public func td(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("td", attributes, content: content)
}
/// `<textarea>`
public func textarea(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("textarea", attributes, content: content)
}
/// `<th>`
public func th(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("th", attributes, content: content)
}
/// `<thead>`
public func thead(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("thead", attributes, content: content)
}
/// `<time>`
public func time(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("time", attributes, content: content)
}
/// `<title>`
public func title(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("title", attributes, content: content)
}
/// `<tr>`
public func tr(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("tr", attributes, content: content)
}
/// `<ul>`
public func ul(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("ul", attributes, content: content)
}
/// `<noscript>`
public func noscript(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("noscript", attributes, content: content)
}
/// `<video>`
public func video(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("video", attributes, content: content)
}
/// `<canvas>`
public func canvas(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("canvas", attributes, content: content)
}
/// `<datalist>`
public func datalist(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("datalist", attributes, content: content)
}
/// `<b>`
public func b(_ attributes: Attribute..., @NodeBuilder content: () -> Node = { .empty }) -> Node {
    element("b", attributes, content: content)
}
/// `<br>`
public func br(_ attributes: Attribute...) -> Node { void("br", attributes) }
/// `<hr>`
public func hr(_ attributes: Attribute...) -> Node { void("hr", attributes) }
/// `<img>`
public func img(_ attributes: Attribute...) -> Node { void("img", attributes) }
/// `<input>`
public func input(_ attributes: Attribute...) -> Node { void("input", attributes) }
/// `<link>`
public func link(_ attributes: Attribute...) -> Node { void("link", attributes) }
/// `<meta>`
public func meta(_ attributes: Attribute...) -> Node { void("meta", attributes) }
/// `<source>`
public func source(_ attributes: Attribute...) -> Node { void("source", attributes) }

/// `<script>`; only ever with `src`, since pages allow no inline scripts.
public func script(_ attributes: Attribute...) -> Node { element("script", attributes) {} }
