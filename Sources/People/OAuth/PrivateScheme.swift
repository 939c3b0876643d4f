/// The schemes of apps' own addresses that may be redirected to (RFC 8252, 7.1).
///
/// Nothing distinguishes the scheme of an app from one that the system or a browser passes on:
/// `microsoft-edge:https://…` opens a web page, which would get the code. RFC 8252 asks for a domain name in reverse
/// order, such as `org.example.app`. Most apps for Mastodon have a scheme without a dot, such as `icecubesapp`. Such an
/// address is accepted only if it can't name a place on the Internet: after the scheme it may have a single name and a
/// path of letters, digits, hyphens and underscores, and nothing else. So no program that opens the address finds a web
/// page in it.
enum PrivateScheme {
    /// Returns whether an app may have an address.
    ///
    /// - Parameters:
    ///   - scheme: the scheme in lower case, without its colon.
    ///   - rest: the text after the colon.
    static func mayBeApp(_ scheme: String, rest: Substring) -> Bool {
        guard !taken.contains(scheme), !takenBeginnings.contains(where: scheme.hasPrefix) else {
            return false
        }
        if scheme.contains(".") {
            return scheme.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
        }
        guard !browsers.contains(where: scheme.contains) else { return false }
        if knownApps.contains(scheme) {
            return rest.wholeMatch(of: /\/\/[A-Za-z0-9_.-]+(?:\/[A-Za-z0-9_-]*)*/) != nil
        }
        // The name begins with a letter: browsers read a number as an IPv4 address, however many slashes are before it.
        return rest.wholeMatch(of: /\/\/|\/\/?[A-Za-z][A-Za-z0-9_-]*(?:\/[A-Za-z0-9_-]*)*/) != nil
    }

    /// Schemes without a dot of well-known apps whose address has a name with dots:
    /// `mastodon://joinmastodon.org/oauth`, `metatext://oauth.callback`, and in Tusky, PixelDroid and others
    /// `oauth2redirect://` with the name of the app's package.
    private static let knownApps: Set<String> = ["mastodon", "metatext", "oauth2redirect"]

    /// Schemes that browsers or the system handle themselves.
    private static let taken: Set<String> = [
        "about", "afp", "android-app", "blob", "callto", "cid", "content", "data", "devtools", "edge",
        "facetime", "facetime-audio", "feed", "file", "filesystem", "ftp", "ftps", "git", "gopher", "hcp",
        "imap",
        "intent", "irc", "itms", "itms-apps", "itms-services", "jar", "javascript", "ldap", "livescript",
        "magnet",
        "mailto", "market", "mhtml", "mms", "mocha", "news", "nfs", "nntp", "onenote", "opera", "pop", "rdp",
        "res",
        "resource", "rlogin", "rtmp", "rtsp", "search", "search-ms", "sftp", "shell", "shortcuts", "sip",
        "sips",
        "sms", "smsto", "smb", "ssh", "steam", "svn", "tel", "telnet", "urn", "vbscript", "view-source",
        "vnc",
        "webcal", "ws", "wss", "xmpp",
    ]

    private static let takenBeginnings = ["moz-", "ms-", "opera-", "web+", "x-apple"]

    /// Parts of the schemes with which other programs give browsers a page to open, such as `googlechromes`,
    /// `x-safari-https`, `microsoft-edge`, `firefox-focus` and `opera-http`.
    private static let browsers = [
        "http", "browser", "chrome", "chromium", "safari", "firefox", "microsoft-edge", "brave", "vivaldi",
        "duckduckgo", "ddgquicklink", "ecosia", "webview",
    ]
}
