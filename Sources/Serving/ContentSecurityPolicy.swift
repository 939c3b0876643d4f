/// The header that says what a page may load and where its forms may lead (Content Security Policy Level 3).
package enum ContentSecurityPolicy {
    /// Returns the policy of a page.
    ///
    /// - Parameters:
    ///   - tiles: where the map's tiles come from, as a scheme with a host; nil for a page without such a map.
    ///   - formsLeadAway: whether the answer to a form of the page redirects to other servers.
    package static func text(tiles: String? = nil, formsLeadAway: Bool = false) -> String {
        // No inline script or style anywhere. Pictures may come from memory (`blob:`) while they are uploaded.
        "default-src 'none'; script-src 'self'; style-src 'self'; "
            + "img-src 'self' blob: data:\(tiles.map { " \($0)" } ?? ""); media-src 'self' blob:; "
            + "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; "
            + "\(formsLeadAway ? "" : "form-action 'self'; ")frame-ancestors 'none'; base-uri 'none'"
    }
}
