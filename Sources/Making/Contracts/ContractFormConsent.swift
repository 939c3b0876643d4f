import Core
import HTML

// The last step of the forms that make and accept a contract: what can happen, and the consent to it.
extension ContractFormSteps {
    private static let consents = ["consent", "of_age"]
    private static let consentSentences: [Attribute] = [
        .attribute("data-blank", ContractForm.noConsent), .attribute("data-age", ContractForm.noAge),
    ]

    /// The last step of making a contract.
    func proposal(_ scene: Scene) -> Step {
        Step(
            id: "step-consent", title: "Do you agree to this?", fields: Self.consents,
            sentences: Self.consentSentences,
            content: .list([consequences(scene), consent(scene)]), send: "Send to \(scene.name)")
    }

    /// The last step of accepting a contract: the question whether the person really wants that.
    func acceptance(_ scene: Scene, _ view: ContractView) -> Step {
        let contract = view.contract
        let words = ContractWords(view: view, now: frame.now())
        return Step(
            id: "step-consent", title: "Accept this contract?", fields: Self.consents,
            sentences: Self.consentSentences,
            content: .list([
                div(.class("group contract-breach")) {
                    p { b { "“\(contract.promise)”" } }
                    for (index, rule) in contract.rules.enumerated() { p { "Rule \(index + 1): \(rule)" } }
                    p {
                        "Until "
                        frame.date(contract.endsAt)
                        "."
                    }
                    p { "Words under the photo: “\(words.breachWords)”" }
                    p { words.witness }
                },
                consequences(scene), consent(scene),
            ]), send: "Accept and stake my photo")
    }

    /// What can happen, in plain words.
    private func consequences(_ scene: Scene) -> Node {
        ul(.class("group contract-facts")) {
            li {
                "If you admit that you broke the promise, or a witness decides so, your photo is published at once, as you have chosen. The same goes for \(scene.name) and their photo."
            }
            li { "Everyone who sees it then can keep a copy. You can delete the post, but not the copies." }
            li {
                "You can call it off at any time before the promise is broken, which takes back your consent. \(scene.name) sees that, and no photo is published."
            }
            li {
                "If nobody says that it was broken, nothing is published, and you both get your photos back at the end."
            }
        }
    }

    @NodeBuilder private func consent(_ scene: Scene) -> Node {
        div(.class("group")) {
            frame.toggle(
                "consent", isOn: scene.fields.consents,
                "I agree that my photo is published if I break this promise.")
            if !scene.model.isAdult {
                frame.toggle("of_age", isOn: scene.fields.isAdult, "I am 18 or older.")
            }
        }
        problem("consent", scene)
        problem("of_age", scene)
    }
}
