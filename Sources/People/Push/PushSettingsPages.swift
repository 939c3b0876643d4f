import Core
import HTML
import Hummingbird
import Serving
import Storage

/// A device that gets announcements, as its owner sees it.
private struct AnnouncingDevice: Sendable {
    let subscription: PushSubscription
    /// The name by which the owner recognises the log-in, such as `Firefox on Linux` or the name of an app.
    let name: String
    /// Whether the owner looks at the list on this device.
    let isThis: Bool
}

/// The part of Settings → Notifications about devices: the switch of this device, a test, and the devices that get
/// announcements.
struct PushSettingsPages: Sendable {
    let frame: Frame
    let push: PushService
    let sessions: SessionService
    let database: Database
    /// The path of the page that says how to install the app.
    let installing: String

    private static let devices = "/settings/notifications/devices"
    private static let test = "/settings/notifications/test"

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }

    func add(to router: Router<AppContext>) {
        router.get("settings/notifications/devices", use: list)
        router.post("settings/notifications/test", use: test)
        router.post("settings/notifications/devices/:id/remove") { request, context -> Response in
            let id = try context.id("id", of: PushSubscription.self)
            try await push.remove(id, by: context.viewer)
            return .see(NotificationPaths.settings, flash: .good("No more notifications on that device."))
        }
    }

    private func devices(for session: Session, _ transaction: Transaction) throws -> [AnnouncingDevice] {
        let names = try sessions.names(of: session.account, transaction)
        return try push.subscriptions(of: session.account, transaction).map {
            AnnouncingDevice(
                subscription: $0, name: names[$0.session] ?? $0.host, isThis: $0.session == session.id)
        }
    }

    /// Reads the part in the transaction of the page.
    @Sendable func part(_ session: Session, _ transaction: Transaction) throws -> Drawing {
        let found = try devices(for: session, transaction)
        return {
            .list([
                section(.label("This device")) {
                    PushComponents(frame: frame, key: push.publicKey, installing: installing).toggle
                },
                element("push-devices") { draw(found) },
            ])
        }
    }

    /// Answers with the devices, for the script that shows those that are added and removed.
    private func list(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        guard request.wantsFragment else { return .see(NotificationPaths.settings) }
        let found = try await database.read { try devices(for: session, $0) }
        return .html(draw(found), for: request)
    }

    private func test(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        do {
            try await push.sendTest(to: session)
            return .see(NotificationPaths.settings, flash: .good("Sent. Your device shows it in a moment."))
        } catch let refusal as Refusal {
            let sentence =
                refusal == .notFound ? "Turn on notifications on this device first." : refusal.message
            return .see(NotificationPaths.settings, flash: .error(sentence))
        }
    }

    @NodeBuilder private func draw(_ devices: [AnnouncingDevice]) -> Node {
        if devices.contains(where: \.isThis) {
            form(.method("post"), .action(Self.test), .flag("data-test")) {
                button(.class("button tall")) { "Send a test" }
            }
        }
        if !devices.isEmpty {
            screen.section("devices", "Devices with notifications") {
                for device in devices { row(device) }
            }
        }
    }

    private func row(_ device: AnnouncingDevice) -> Node {
        li(.class("choice")) {
            screen.text(
                .text(device.isThis ? "\(device.name) · this device" : device.name), note: state(device))
            // This device has its switch.
            if !device.isThis {
                screen.action("Remove", "\(Self.devices)/\(device.subscription.id)/remove")
            }
        }
    }

    /// Draws whether announcements reach a device.
    @NodeBuilder private func state(_ device: AnnouncingDevice) -> Node {
        if let since = device.subscription.failingSince {
            "Hasn’t worked since "
            frame.date(since)
        } else if let worked = device.subscription.workedAt {
            "Worked "
            frame.time(worked)
        } else {
            "Nothing was sent yet"
        }
    }
}
