import Core
import Foundation
import HTTPTypes
import Hummingbird

/// A log-in of an app, for the feature that knows the apps.
struct AppLogIn: Sendable {
    let session: Session.ID
    /// The permissions of the app.
    let scopes: OAuthScopes
    /// The time of the last use, to about ten minutes.
    let seenAt: Date
}

/// One of a person's log-ins, as they see it in their settings.
struct Device: Sendable, Equatable {
    let session: Session.ID
    let kind: Session.Kind
    /// The name by which the person recognises the log-in, such as `Firefox on Linux` or the name of an app.
    let name: String
    /// The time of the last use, to about ten minutes.
    let seenAt: Date

    /// Whether the device is held in a hand, judged by its name.
    var isHandheld: Bool {
        kind == .token || ["iPhone", "iPad", "Android"].contains { name.hasSuffix($0) }
    }

    /// Returns the name of a log-in's device, such as `Chrome on Android`, from well-known words of the header
    /// `User-Agent`.
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
