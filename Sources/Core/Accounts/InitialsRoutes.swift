import Hummingbird

/// Gives out the drawings. They are shown to whom a portrait is, without a log-in too, since phone apps send no token with
/// a picture request.
struct InitialsRoutes {
    let accounts: AccountService

    func add(to router: Router<AppContext>) {
        router.get("initials/{id}.svg") { request, context in
            let account = try await accounts.face(of: context.id("id"), for: context.session?.account)
            var response = Response.text(Initials.drawing(of: account), type: "image/svg+xml", for: request)
            // The name may change, and so may who sees it: as long as a portrait, and in no cache that people share.
            response.headers[.cacheControl] = "private, max-age=600"
            response.headers[.vary] = "Accept-Encoding, Cookie, Authorization"
            return response.forOtherSites()
        }
    }
}
