import Testing

@testable import Core
@testable import Making
@testable import Serving

@Suite("The words of archives")
struct PastPhotoTextTests {
    @Test(
        "Years are found in free text",
        arguments: [
            ("1905", 1905...1905), ("1 June 1905", 1905...1905), ("circa 1905", 1905...1905),
            ("c. 1905", 1905...1905), ("1905-06-01", 1905...1905), ("1905-06", 1905...1905),
            ("1998:07:04 12:00:00", 1998...1998), ("2012-07-05 18:30:10", 2012...2012),
            ("between 1890 and 1900", 1890...1900), ("from 1890 to 1900", 1890...1900),
            ("1890–1900", 1890...1900), ("1890 - 1900", 1890...1900), ("1914-18", 1914...1918),
            ("1890s", 1890...1899), ("the 1890's", 1890...1899), ("1890s to 1910s", 1890...1919),
            ("19th century", 1801...1900), ("late 19th century", 1867...1900), ("20th century", 1901...2000),
            ("vers 1905", 1905...1905), ("um 1905", 1905...1905),
            ("Taken on 4 July 1998, 12:00", 1998...1998),
            ("1905 or 1906", 1905...1906), ("May 1890 or June 1892", 1890...1892),
            ("1905 (scanned 2010)", 1905...1905), ("before 1905", 1905...1905), ("1905.", 1905...1905),
            ("Summer of '69, printed 1970", 1970...1970), ("1900-01-01/1901-01-01", 1900...1901),
        ])
    func years(text: String, years: ClosedRange<Int>) {
        #expect(YearsInText.find(in: text) == years, "\(text)")
    }

    @Test(
        "No year is found where there is none",
        arguments: [
            "", "unknown", "undated", "12345", "0905", "4 July", "1700", "9999", "18:30", "No. 12/99",
        ])
    func noYears(text: String) {
        #expect(YearsInText.find(in: text) == nil, "\(text)")
    }

    @Test(
        "HTML becomes text",
        arguments: [
            ("plain", "plain"), ("<b>Bold</b> and <i>italic</i>", "Bold and italic"),
            ("<a href=\"//x\" title=\"a>b\">Fondo&nbsp;Arrieta</a>", "Fondo Arrieta"),
            ("one<br>two<p>three</p>", "one two three"),
            ("Tom &amp; Jerry &lt;3 &#233;&#xe9;", "Tom & Jerry <3 éé"),
            ("1905<div style=\"display: none;\">date QS:P571,+1905-00-00</div>", "1905"),
            ("a<span style='display:none'>b<span>c</span>d</span>e", "ae"),
            ("<script>alert(1)</script>x<style>p{}</style>y", "x y"), ("<!-- hidden -->seen", "seen"),
            ("<time datetime=\"1905\">1 June 1905</time>", "1 June 1905"), ("5 < 6 & 7 > 2", "5 < 6 & 7 > 2"),
            ("<b>never closed", "never closed"), ("<b", ""),
            ("&unknown; &#0; &#xD800;", "&unknown; &#0; &#xD800;"),
            ("a\u{202E}b\u{0007}c\n\n d", "a b c d"), ("&lt;script&gt;", "<script>"),
            ("<bdi>José</bdi>", "José"), ("", ""),
            ("<b title=\" style='display:none'\">seen</b>", "seen"),
            ("<i hidden class = x STYLE = Display:None>a</i>b", "b"), ("<b style=\"display:none>a", ""),
            ("<img alt='a' style='display:none'/>b", "b"), ("<b = style>c</b>", "c"),
        ])
    func text(html: String, text: String) {
        #expect(PlainText.of(html) == text)
    }

    @Test("Text is cut at its limit, and the longest HTML doesn't take long")
    func bounds() {
        #expect(PlainText.of(String(repeating: "ab ", count: 200), limit: 10).count <= 10)
        #expect(PlainText.of(String(repeating: "<div style=\"display:none\">", count: 100_000)).isEmpty)
        #expect(PlainText.of(String(repeating: "<b a=1 b>", count: 100_000)).isEmpty)
        #expect(PlainText.of(String(repeating: "<", count: 100_000), limit: 5) == "<<<<…")
        #expect(PlainText.of(String(repeating: "&amp", count: 100_000), limit: 5).count == 5)
    }

    @Test("The machine's date of an element is found")
    func time() {
        #expect(PlainText.time(in: "x <time class=a datetime='1905-06'>Juin</time>") == "1905-06")
        #expect(PlainText.time(in: "<span datetime=\"1905\">x</span>") == nil)
    }
}
