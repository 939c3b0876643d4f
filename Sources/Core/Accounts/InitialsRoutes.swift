import Hummingbird

/// The route of the drawings of initials. Anyone who may see a person's portrait may see them, also without a log-in,
/// since phone apps send no token with a picture request.
struct InitialsRoutes {
    let accounts: AccountService

    func add(to router: Router<AppContext>) {
        router.get("initials/{id}.svg") { request, context in
            let account = try await accounts.face(of: context.id("id"), for: context.session?.account)
            var response = Response.text(Initials.drawing(of: account), type: "image/svg+xml", for: request)
            // The name may change, and so may the people who see it: cached as long as a portrait, and in no shared
            // cache.
            response.headers[.cacheControl] = "private, max-age=600"
            response.headers[.vary] = "Accept-Encoding, Cookie, Authorization"
            return response.forOtherSites()
        }
    }
}
