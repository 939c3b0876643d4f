import HTML
import Testing

private func text(_ node: Node) -> String { String(decoding: node.rendered(), as: UTF8.self) }

@Suite("HTML is right by construction")
struct NodeTests {
    @Test(
        "Text and attribute values are escaped", arguments: ["<b>", "\"", "'", "&amp;", "</script><script>"])
    func escaping(_ dangerous: String) {
        let html = text(p(.title(dangerous)) { dangerous })
        let inner = html.dropFirst("<p title=\"".count).dropLast("</p>".count)
        #expect(!inner.contains("<"))
        #expect(!inner.contains("'"))
        #expect(inner.filter { $0 == "\"" }.count == 1)
        #expect(html.filter { $0 == ">" }.count == 2)
    }

    @Test("Every character beyond ASCII stays as it was typed")
    func unicode() {
        #expect(text(p { "שלום 👩‍👩‍👧 𝒯 é" }) == "<p>שלום 👩‍👩‍👧 𝒯 é</p>")
    }

    @Test("Conditions and loops read like Swift and leave nothing behind")
    func builder() {
        let names = ["ana", "ben"]
        let list = ul {
            for name in names { li { name } }
            if names.isEmpty { li { "Nobody" } }
            if names.count > 1 { li { "and more" } } else { li { "alone" } }
        }
        #expect(text(list) == "<ul><li>ana</li><li>ben</li><li>and more</li></ul>")
    }

    @Test("Absent attributes are left out, flags stand alone")
    func attributes() {
        let node = input(
            .name("q"), .attribute("placeholder", nil), .flag("required"), .checked(false), .none,
            .invalid(true))
        #expect(text(node) == #"<input name="q" required aria-invalid="true">"#)
        #expect(
            text(a(.classes("", "row", "unread"), .href("/?a=1&b=2")) {})
                == #"<a class="row unread" href="/?a=1&amp;b=2"></a>"#)
    }

    @Test("A fragment of bytes goes in as it is")
    func fragment() {
        #expect(text(div { Node.fragment(Array("<svg></svg>".utf8)) }) == "<div><svg></svg></div>")
    }
}
