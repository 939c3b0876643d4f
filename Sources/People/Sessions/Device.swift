import Core
import Foundation
import HTTPTypes
import Hummingbird

/// A log-in of an app, for the feature that knows which app it is.
struct AppLogIn: Sendable {
    let session: Session.ID
    /// What the app may do.
    let scopes: OAuthScopes
    /// When it was last used, to about ten minutes.
    let seenAt: Date
}

/// One of a person's log-ins, as they see it in their settings.
struct Device: Sendable, Equatable {
    let session: Session.ID
    let kind: Session.Kind
    /// What the person recognises it by, such as `Firefox on Linux` or the name of an app.
    let name: String
    /// When it was last used, to about ten minutes.
    let seenAt: Date

    /// Whether it is, by its name, one that is held in a hand.
    var isHandheld: Bool {
        kind == .token || ["iPhone", "iPad", "Android"].contains { name.hasSuffix($0) }
    }

    /// Names the device of a log-in: `Chrome on Android`, from the header `User-Agent`; only its best known
    /// words are looked for.
    static func name(_ request: Request) -> String {
        let agent = request.headers[.userAgent] ?? ""
        let browsers = [
            ("Edg/", "Edge"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"),
        ]
        let systems = [
            ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("Windows", "Windows"),
            ("Mac OS", "Mac"), ("Linux", "Linux"),
        ]
        let browser = browsers.first { agent.contains($0.0) }?.1
        let system = systems.first { agent.contains($0.0) }?.1
        switch (browser, system) {
        case (let browser?, let system?): return "\(browser) on \(system)"
        case (let browser?, nil): return browser
        default: return agent.isEmpty ? "Unknown device" : String(agent.prefix(60))
        }
    }
}
