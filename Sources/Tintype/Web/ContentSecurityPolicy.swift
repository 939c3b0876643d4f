/// What a page may load and where its forms may lead (Content Security Policy Level 3).
enum ContentSecurityPolicy {
    /// The policy of a page.
    ///
    /// - Parameters:
    ///   - tiles: where the map's tiles come from, as a scheme with a host; nil for a page without such a map.
    ///   - formTarget: where the answer to a form may redirect besides this server, as a scheme or an origin: browsers
    ///     apply `form-action` to redirects too.
    static func text(tiles: String? = nil, formTarget: String? = nil) -> String {
        // No inline script or style anywhere; pictures may come from memory while they are uploaded.
        "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' blob: data:\(tiles.map { " \($0)" } ?? ""); media-src 'self' blob:; "
            + "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
            + "form-action 'self'\(formTarget.map { " \($0)" } ?? ""); frame-ancestors 'none'; base-uri 'none'"
    }
}
