import Core
import HTML
import Hummingbird
import Serving

/// The screen Settings → Notifications.
struct NotificationSettingsPages {
    let frame: Frame
    let notifications: NotificationService
    let sections: Registry<NotificationSettingsSection>

    private var screen: SettingsScreen { SettingsScreen(frame: frame) }
    private var topics: [NotificationTopic] { notifications.kinds.topics }

    func add(to router: Router<AppContext>) {
        router.get("settings/notifications", use: show)
        router.post("settings/notifications", use: save)
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let settings = try await notifications.settings(for: context.ownSession, sections: sections)
        let form = NotificationSettingsForm(settings.preferences, settings.policy, topics: topics)
        return page(settings, form, request, context)
    }

    private func save(_ request: Request, _ context: AppContext) async throws -> Response {
        let session = try context.ownSession
        let form = try NotificationSettingsForm(await Input.read(request, context), topics: topics)
        do {
            try await notifications.set(form.preferences(topics: topics), form.policy, by: session.account)
            return .see(NotificationPaths.settings, flash: .good("Saved."))
        } catch {
            return try await ErrorResponses.form(after: error, context) { refusal, status in
                page(
                    try await notifications.settings(for: session, sections: sections), form, request,
                    context, refusal, status: status)
            }
        }
    }

    private func page(
        _ settings: NotificationSettings, _ form: NotificationSettingsForm, _ request: Request,
        _ context: AppContext, _ refusal: Refusal? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        screen.response(
            "Notifications", styles: [.notificationSettings] + sections.all.flatMap(\.styles), request,
            context, status: status
        ) {
            for section in settings.sections { section() }
            HTML.form(.method("post"), .action(NotificationPaths.settings)) {
                frame.alert(refusal)
                announcements(form)
                previews(form)
                quietHours(form, refusal?.fields ?? [:])
                senders(form.policy)
                button(.class("button primary tall")) { "Save" }
            }
        }
    }

    private func announcements(_ form: NotificationSettingsForm) -> Node {
        section(.attribute("aria-labelledby", "topics-title")) {
            h2(.class("group-title"), .id("topics-title")) { "Tell me about" }
            div(.class("group")) {
                for topic in topics {
                    frame.toggle(
                        "topics[]", value: topic.name, isOn: form.topics.contains(topic), topic.title)
                }
            }
            p(.class("note")) { "What is off isn’t announced. You still find it under Notifications." }
        }
    }

    private func previews(_ form: NotificationSettingsForm) -> Node {
        section {
            div(.class("group")) {
                frame.toggle("previews", isOn: form.showsPreviews, "Show what a message says")
            }
            p(.class("note")) {
                "When this is off, your devices say only that there is a new message. They never show pictures that may be seen once."
            }
        }
    }

    private func quietHours(
        _ form: NotificationSettingsForm, _ problems: [String: Refusal.Problem]
    ) -> Node {
        section {
            div(.class("group quiet-hours")) {
                frame.toggle("quiet", isOn: form.hasQuietHours, "Quiet hours")
                div(.class("times")) {
                    frame.field(
                        "quiet_from", "From", type: "time", value: form.from, problems: problems)
                    frame.field("quiet_to", "To", type: "time", value: form.to, problems: problems)
                }
                timeZone(form.timeZone, problems)
            }
            p(.class("note")) {
                "During quiet hours nothing is announced. What is still unread afterwards is announced once at the end."
            }
        }
    }

    private func senders(_ policy: NotificationPolicyChange) -> Node {
        let names = NotificationPolicyChange.names
        return section(.attribute("aria-labelledby", "senders-title")) {
            h2(.class("group-title"), .id("senders-title")) { "People you hardly know" }
            div(.class("group")) {
                treatment(names.notFollowing, "People you don’t follow", policy.notFollowing)
                treatment(names.notFollowers, "People who don’t follow you", policy.notFollowers)
                treatment(names.newAccounts, "People who joined in the last 30 days", policy.newAccounts)
            }
            p(.class("note")) {
                "What is put aside waits for you under Notifications, and isn’t announced. Messages, contracts and follow requests always reach you."
            }
        }
    }

    private static let treatments: [(NotificationPolicy.Treatment, String)] = [
        (.accept, "Show"), (.putAside, "Put aside"), (.drop, "Ignore"),
    ]

    private func treatment(
        _ name: String, _ title: String, _ chosen: NotificationPolicy.Treatment?
    ) -> Node {
        div(.class("field")) {
            HTML.label(.for(name)) { title }
            frame.chooser(name) {
                for (treatment, words) in Self.treatments {
                    option(.value(treatment.rawValue), .flag("selected", treatment == chosen)) { words }
                }
            }
        }
    }

    private func timeZone(_ chosen: String, _ problems: [String: Refusal.Problem]) -> Node {
        let known = NotificationSettingsForm.timeZones
        let isOther = !chosen.isEmpty && !known.contains(chosen)
        return element("time-zone", .class("field"), .flag("data-unset", chosen.isEmpty)) {
            HTML.label(.for("time_zone")) { "Time zone" }
            frame.chooser(
                "time_zone", .invalid(problems["time_zone"] != nil),
                .describedBy(problems["time_zone"] == nil ? nil : "time_zone-error")
            ) {
                option(.value("")) { "Choose" }
                if isOther { option(.value(chosen), .flag("selected")) { chosen } }
                for name in known {
                    option(.value(name), .flag("selected", name == chosen)) { name }
                }
            }
            frame.problem("time_zone", problems)
        }
    }
}
