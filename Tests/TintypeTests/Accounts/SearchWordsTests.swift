import Core
import Testing

@Suite("The words by which search finds a text")
struct SearchWordsTests {
    @Test(
        "Words are compared whole, without case, accents, width and signs",
        arguments: [
            ("Two dogs, one DOG!", ["two", "dogs", "one", "dog"]),
            ("Café-Besuch in Köln", ["cafe", "besuch", "in", "koln"]),
            ("ＷＩＤＥ １２", ["wide", "12"]),
            (
                "don’t #harbour @ana https://a.example/b",
                ["don", "t", "harbour", "ana", "https", "a", "example", "b"]
            ),
            ("🌊🌊 … —", []),
            ("", []),
        ])
    func words(text: String, words: [String]) {
        #expect(SearchWords.words(of: text) == words)
    }

    @Test("Each character of Chinese and Japanese is a word, beside words of letters")
    func ideographs() {
        #expect(SearchWords.words(of: "東京tower2東") == ["東", "京", "tower2"])
        #expect(SearchWords.words(of: "すし bar") == ["す", "し", "bar"])
    }

    @Test("Long words are cut, and no text and no query has more words than are allowed")
    func bounds() {
        let long = String(repeating: "a", count: 5_000)
        #expect(SearchWords.words(of: long) == [String(repeating: "a", count: 40)])
        // One character that is longer than a message may be, of a script with spaces and of one without.
        let marks = String(repeating: "\u{0903}", count: 5_000)
        for text in ["q\(marks)", "東\(marks)", "q東\(marks)京"] {
            for word in SearchWords.words(of: text) { #expect(word.utf8.count <= 160) }
        }
        let many = (1...1_000).map(String.init).joined(separator: " ")
        #expect(SearchWords.words(of: many).count == SearchWords.mostOfText)
        #expect(SearchWords.words(ofQuery: many) == (1...8).map(String.init))
    }
}
