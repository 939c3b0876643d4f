import Foundation
import HTML

/// The steps of the forms that make and accept a contract. Links lead from one to the next, so that they work without
/// scripts, and nothing is sent before the last one. After a mistake all steps are shown at once.
struct ContractFormSteps {
    let frame: Frame

    /// The fields beside which a problem is shown, as the service calls them.
    static let fields: Set<String> = [
        "promise", "rules", "ends_at", "stake_media_id", "stake_photo_id", "witness_id", "publish_to",
        "breach_text", "consent", "of_age",
    ]

    /// How many friends are listed as witnesses; others are named.
    static let witnesses = 24

    /// What the steps show.
    struct Scene {
        var fields: ContractFormFields
        /// The other party.
        var partner: Account
        /// The newest photos of the viewer's library.
        var library: [Photo]
        /// Whether the viewer has said before that they are an adult.
        var isAdult: Bool
        /// The viewer's connected account, if they have one that can be used.
        var connected: ConnectedAccount?

        /// The other party's first name.
        var name: String { ContractWords.firstName(of: partner) }
    }

    /// One step.
    struct Step {
        /// Its address on the page.
        var id: String
        var title: String
        var content: Node
        /// The button of the last step, which sends the form.
        var send: String?
    }

    // MARK: The form

    /// The form around some steps.
    ///
    /// - Parameter draft: the name under which a script keeps what is typed; nil for nothing to keep.
    func form(action: String, draft: String?, _ fields: ContractFormFields, _ steps: [Step]) -> Node {
        let showsAll = fields.message != nil
        return element("contract-form", .attribute("data-draft", draft)) {
            HTML.form(.method("post"), .action(action), .multipart, .attribute("novalidate", "")) {
                input(.type("hidden"), .name("key"), .value(fields.key))
                input(.type("hidden"), .name("upload"), .value(UUID().uuidString))
                frame.alert(fields.message)
                div(.class("contract-steps"), .flag("data-all", showsAll)) {
                    for (index, step) in steps.enumerated() {
                        section(
                            .class("contract-step"), .id(step.id), .attribute("tabindex", "-1"),
                            .attribute("aria-labelledby", "\(step.id)-title")
                        ) {
                            header {
                                p { "Step \(index + 1) of \(steps.count)" }
                                h2(.id("\(step.id)-title")) { step.title }
                            }
                            step.content
                            footer {
                                if let send = step.send {
                                    button(.class("button primary tall")) { send }
                                } else if !showsAll {
                                    a(
                                        .class("button primary tall"), .href("#\(steps[index + 1].id)"),
                                        .flag("data-next")
                                    ) { "Next" }
                                }
                                if index > 0, !showsAll {
                                    a(.class("button plain"), .href("#\(steps[index - 1].id)")) { "Back" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// A friend, with whom a contract begins.
    func person(_ account: Account) -> Node {
        li {
            a(.class("row"), .href("/contracts/new/\(account.id)")) {
                frame.portrait(account, pixels: 48)
                span(.class("text")) {
                    b { account.displayName }
                    span { "@\(account.username)" }
                }
            }
        }
    }

    // MARK: The promise

    func promise(_ scene: Scene) -> Step {
        Step(
            id: "step-promise", title: "What do you and \(scene.name) promise?",
            content: div(.class("field")) {
                label(.for("promise")) { "The promise" }
                frame.countedText(
                    "promise", scene.fields.promise, rows: 3, limit: ContractForm.promiseLength.upperBound,
                    placeholder: "No phone at dinner until Christmas.",
                    problem: scene.fields.problems["promise"], .required)
                p(.class("note")) { "It holds for both of you." }
            })
    }

    func rules(_ scene: Scene) -> Step {
        Step(
            id: "step-rules", title: "Are there rules?",
            content: .list([
                ol(.class("contract-rule-fields")) {
                    for (index, rule) in scene.fields.rules.enumerated() {
                        li {
                            input(
                                .class("input"), .name("rules[]"), .value(rule),
                                .maxlength(ContractForm.ruleLength.upperBound), .placeholder(" "),
                                .label("Rule \(index + 1)"), .autocomplete("off"))
                        }
                    }
                },
                problem("rules", scene),
                p(.class("note")) {
                    "Optional. Up to ten, such as “Calls from the children don’t count.” To say that the promise was broken, you choose the rule that was broken."
                },
            ]))
    }

    func end(_ scene: Scene) -> Step {
        let fields = scene.fields
        return Step(
            id: "step-end", title: "How long does it hold?",
            content: .list([
                div(.class("group"), .role("radiogroup"), .attribute("aria-labelledby", "step-end-title")) {
                    for (hours, words) in ContractFormFields.lengths {
                        frame.choice("ends", String(hours), isChosen: fields.ends == String(hours), words)
                    }
                    frame.choice("ends", "date", isChosen: fields.ends == "date", "Until a date")
                },
                div(.class("field contract-date")) {
                    label(.for("end_date")) { "Date and time" }
                    input(
                        .class("input"), .id("end_date"), .name("end_date"), .type("datetime-local"),
                        .value(fields.endDate), .invalid(fields.problems["ends_at"] != nil))
                    input(.type("hidden"), .name("ends_at"))
                    p(.class("note"), .flag("data-zone")) { "In UTC." }
                },
                problem("ends_at", scene),
                p(.class("note")) {
                    "From one hour to one year. For 24 hours after the end either of you can still say that it was broken."
                },
            ]))
    }

    // MARK: The stake

    func stake(_ scene: Scene) -> Step {
        let fields = scene.fields
        return Step(
            id: "step-stake", title: "Which photo do you stake?",
            content: .list([
                p(.class("note")) {
                    "It is sealed: only you and \(scene.name) see it. It is published if you break the promise, and only then."
                },
                element("photo-upload", .attribute("data-purpose", "stake")) {
                    input(
                        .type("hidden"), .name("stake_media_id"),
                        .value(fields.stakeMedia?.description ?? ""))
                    ul(.class("picker"), .attribute("tabindex", "0"), .label("Photos to choose from")) {
                        li { file }
                        li { PhotoInputs(frame: frame).shot("bring", words: "Take a photo") }
                        for photo in scene.library { choice(photo, fields) }
                    }
                    ul(.class("tray"), .flag("data-tray")) {}
                },
                div(
                    .class("contract-chosen"), .flag("data-stake"), .role("status"),
                    .hidden(fields.stakeMedia == nil)
                ) {
                    if fields.stakeMedia != nil { p { "Your photo is here. It is kept sealed for an hour." } }
                },
                problem("stake_media_id", scene), problem("stake_photo_id", scene),
            ]))
    }

    /// A cell that brings one photo of the device.
    private var file: Node {
        label(.class("bring")) {
            frame.icon("upload")
            "Files"
            input(
                .class("cover"), .type("file"), .name("file"), .accept("image/*"), .label("Choose a photo"))
        }
    }

    private func choice(_ photo: Photo, _ fields: ContractFormFields) -> Node {
        li {
            label {
                input(
                    .class("cover"), .type("radio"), .name("stake_photo_id"), .value(photo.id.description),
                    .checked(photo.id == fields.stakePhoto))
                PhotoComponents.choice(photo)
                span(.class("order contract-mark"), .decorative) { frame.icon("check-lg") }
            }
        }
    }

    // MARK: The witness

    /// - Parameter friends: whom the viewer may ask, the partner apart.
    func witness(_ scene: Scene, _ friends: [Account]) -> Step {
        let fields = scene.fields
        return Step(
            id: "step-witness", title: "Who decides if you disagree?",
            content: .list([
                p(.class("note")) {
                    "The witness reads the promise, the rules and what you two write about a breach, and never sees a photo."
                },
                div(.class("group"), .role("radiogroup"), .attribute("aria-labelledby", "step-witness-title"))
                {
                    frame.choice(
                        "witness_id", "", isChosen: fields.witness.isEmpty, "No witness",
                        explanation: "A dispute ends without publishing.")
                    for friend in friends.prefix(Self.witnesses) {
                        frame.choice(
                            "witness_id", friend.id.description,
                            isChosen: fields.witness == friend.id.description, friend.displayName,
                            explanation: "@\(friend.username)")
                    }
                },
                friends.count > Self.witnesses
                    ? frame.field(
                        "witness_name", "Another friend", value: fields.witnessName,
                        note: "Their username.", .autocomplete("off")) : .empty,
                problem("witness_id", scene),
            ]))
    }

    // MARK: Publishing

    func breach(_ scene: Scene) -> Step {
        Step(
            id: "step-breach", title: "What happens if you break it?",
            content: .list([
                placesFieldset(scene),
                div(.class("field")) {
                    label(.for("breach_text")) { "With these words" }
                    frame.countedText(
                        "breach_text", scene.fields.breachText, rows: 2,
                        limit: ContractForm.breachTextLength.upperBound,
                        placeholder: "I lost a bet with @\(scene.partner.username).",
                        problem: scene.fields.problems["breach_text"])
                    p(.class("note")) {
                        "Optional. They appear under the photo that is published, yours or \(scene.name)’s."
                    }
                },
            ]))
    }

    func places(_ scene: Scene) -> Step {
        Step(id: "step-breach", title: "What happens if you break it?", content: placesFieldset(scene))
    }

    private func placesFieldset(_ scene: Scene) -> Node {
        fieldset {
            legend(.class("group-title")) { "Your photo is published" }
            div(.class("group")) {
                place(.server, "As a post here", "In your name, for your followers", scene)
                if let connected = scene.connected {
                    place(
                        .connected, "On your connected account",
                        "For everyone on the internet, as \(connected.handle)", scene)
                }
            }
            if scene.connected == nil {
                p(.class("note")) {
                    "It can also be published on your account on Mastodon: "
                    a(.href("/settings/connected")) { "connect one" }
                    "."
                }
            }
            problem("publish_to", scene)
        }
    }

    private func place(_ place: Contract.Place, _ title: String, _ explanation: String, _ scene: Scene)
        -> Node
    {
        check(
            "publish_to", place.rawValue, isChecked: scene.fields.publishTo.contains(place), title,
            explanation: explanation)
    }

    // MARK: Consent

    /// The last step of making a contract.
    func proposal(_ scene: Scene) -> Step {
        Step(
            id: "step-consent", title: "Do you agree to this?",
            content: .list([consequences(scene), consent(scene)]), send: "Send to \(scene.name)")
    }

    /// The last step of accepting a contract: the question whether the person really wants that.
    func acceptance(_ scene: Scene, _ view: ContractView) -> Step {
        let contract = view.contract
        let words = ContractWords(view: view, now: frame.now())
        return Step(
            id: "step-consent", title: "Accept this contract?",
            content: .list([
                div(.class("group contract-breach")) {
                    p { b { "“\(contract.promise)”" } }
                    for (index, rule) in contract.rules.enumerated() { p { "Rule \(index + 1): \(rule)" } }
                    p { "Until \(Timestamp.long(contract.endsAt))." }
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
                "You can take back your consent by forfeiting, at any time before the promise is broken. \(scene.name) sees that, and no photo is published."
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
            if !scene.isAdult { frame.toggle("of_age", isOn: scene.fields.isAdult, "I am 18 or older.") }
        }
        problem("consent", scene)
        problem("of_age", scene)
    }

    // MARK: Parts

    /// A choice that can be made beside others.
    private func check(
        _ name: String, _ value: String, isChecked: Bool, _ title: String, explanation: String? = nil
    ) -> Node {
        label(.class("choice")) {
            input(.class("cover"), .type("checkbox"), .name(name), .value(value), .checked(isChecked))
            span {
                title
                if let explanation { element("small") { explanation } }
            }
            frame.icon("check-lg")
        }
    }

    private func problem(_ name: String, _ scene: Scene) -> Node {
        frame.problem(name, scene.fields.problems)
    }
}
