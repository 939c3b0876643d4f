import Testing

@testable import People

@Suite("Redirect addresses of apps")
struct RedirectAddressTests {
    @Test(
        "Web addresses, the schemes of phone apps and the device itself are taken",
        arguments: [
            ("https://example.org/callback", "example.org"),
            ("https://example.org:8443/cb?a=1&b=2", "example.org:8443"),
            ("https://EXAMPLE.org", "example.org"),
            ("https://[2001:db8::1]:444/", "[2001:db8::1]:444"),
            ("http://127.0.0.1:3000/cb", "127.0.0.1:3000"),
            ("http://localhost/cb", "localhost"),
            ("http://[::1]:99/", "[::1]:99"),
            ("icecubesapp://", "icecubesapp"),
            ("pixelfed://login", "pixelfed"),
            ("org.example.app:/oauth", "org.example.app"),
            ("com.example.app://callback?from=https%3A%2F%2Fexample.org", "com.example.app"),
            ("app:/oauth", "app"),
        ])
    func taken(text: String, words: String) throws {
        let address = try #require(RedirectAddress(text))
        #expect(address.words == words)
    }

    @Test(
        "The addresses of real apps are taken, with or without a dot in their scheme",
        arguments: [
            "icecubesapp://", "pixelfed://login", "mastodon://joinmastodon.org/oauth",
            "mastodon-android-auth://callback", "oauth2redirect://com.keylesspalace.tusky/",
            "oauth2redirect://com.h.pixeldroid", "tapbots-ivory://authorize",
            "com.tapbots.Ivory.22168:/request_token", "fedilab://backtofedilab",
            "megalodon-android-auth://callback", "moshidon-android-auth://callback",
            "metatext://oauth.callback",
            "tuba://auth_code", "tooot://instance-auth", "mammoth://", "urn:ietf:wg:oauth:2.0:oob",
        ])
    func realApps(text: String) { #expect(RedirectAddress(text) != nil) }

    @Test(
        "A scheme that hands the code to a browser is refused",
        arguments: [
            "microsoft-edge:https://evil.example/", "microsoft-edge://login", "MICROSOFT-EDGE:evil",
            "microsoft-edge-https://evil.example/", "googlechrome://evil.example/",
            "googlechromes://evil.example/",
            "googlechrome:evil", "googlechrome-x-callback://x-callback-url/open/",
            "x-safari-https://evil.example/", "x-safari-http:login", "safari-https://x", "firefox://open-url",
            "firefox-focus://open-url", "opera-http://x", "touch-https://x", "brave://open-url",
            "android-app://com.android.chrome/https/evil.example/", "intent:x", "webcal://evil/x",
            "steam://openurl/x",
        ])
    func browsers(text: String) { #expect(RedirectAddress(text) == nil) }

    @Test(
        "A scheme without a dot names no place on the Internet, even if somebody takes it",
        arguments: [
            "nobodyknows:https://evil.example/", "nobodyknows://evil.example/", "nobodyknows://evil.example",
            "nobodyknows://open?url=https://evil.example/", "nobodyknows://open/https://evil.example/",
            "nobodyknows://open/https%3A%2F%2Fevil.example", "nobodyknows:evil.example", "nobodyknows:",
            "nobodyknows://3405803781/", "nobodyknows:///3405803781", "nobodyknows:/3405803781",
            "nobodyknows://0xcb007105/", "nobodyknows://[2001:db8::1]/",
            "nobodyknows://user@evil/", "nobodyknows://evil:80/", "nobodyknows://open/evil.example/",
            "nobodyknows:/evil.example", "nobodyknows://a&b", "mastodon://joinmastodon.org/oauth?url=x",
            "mastodon:https://evil.example/", "oauth2redirect://evil.example:443/", "x.:/cb", ".x:/cb",
            "x..y:/cb",
        ])
    func places(text: String) { #expect(RedirectAddress(text) == nil) }

    @Test("A program without a page shows the code")
    func outOfBand() throws {
        let address = try #require(RedirectAddress("urn:ietf:wg:oauth:2.0:oob"))
        #expect(address.isOutOfBand)
    }

    @Test(
        "What a browser would act on by itself, and what hides where it leads, is refused",
        arguments: [
            "javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "vbscript:x",
            "file:///etc/passwd",
            "blob:https://example.org/1", "about:blank", "view-source:https://example.org",
            "intent://x#Intent;end",
            "ms-msdt:/id", "itms-services://?action=download", "urn:example:1",
            "urn:ietf:wg:oauth:2.0:oob:auto",
            "http://example.org/cb", "http://localhost.example.org/", "http://127.0.0.1.example.org/",
            "https://", "https:///path", "https:example.org", "https://user@example.org/",
            "https://example.org@evil.example/", "https://example.org:0/", "https://example.org:70000/",
            "https://example..org/", "https://example.org/#fragment", "https://example.org/a b",
            "https://exämple.org/",
            "https://example.org/\r\nX: y", "https://example.org;script-src/", "https://*/", "//example.org",
            "/path",
            "example.org", "1app://x", ":x", "", "app://" + String(repeating: "a", count: 2_000),
        ])
    func refused(text: String) { #expect(RedirectAddress(text) == nil) }

    @Test(
        "An answer is added to the query that the address has",
        arguments: [
            ("icecubesapp://", "icecubesapp://?code=a%26b&state=x"),
            ("https://a.example/cb?x=1", "https://a.example/cb?x=1&code=a%26b&state=x"),
            ("https://a.example/cb?", "https://a.example/cb?code=a%26b&state=x"),
        ])
    func adding(text: String, whole: String) throws {
        let address = try #require(RedirectAddress(text))
        #expect(address.adding(["code": "a&b", "nothing": nil, "state": "x"]) == whole)
    }
}
