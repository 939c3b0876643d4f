import Core

extension PushFeature {
    package static let scripts = FeatureScripts(
        elements: [
            "push-devices": "push/push-devices.js", "push-question": "push/push-question.js",
            "push-switch": "push/push-switch.js",
        ],
        background: [.everyone("push/background.js")], offline: [.init("push/worker.js")])
}

extension Page.Style {
    /// The styles of the switch and the question.
    package static let push = Page.Style(name: "push")
}
