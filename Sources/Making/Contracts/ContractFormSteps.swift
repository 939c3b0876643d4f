import Core
import Foundation
import HTML
import People
import Serving

/// The steps of the forms that make and accept a contract. Links lead from one step to the next, so that the form works
/// without scripts, and only the last step sends it. A script checks each step before it shows the next. A refused form
/// is shown again at the first step that has to be corrected.
struct ContractFormSteps {
    let frame: Frame

    /// The number of friends listed as witnesses. Others are chosen by name.
    static let witnesses = 24

    /// The values that the steps show besides the fields.
    struct Scene {
        var fields: ContractFormFields
        var model: ContractFormModel

        /// The other party's first name.
        var name: String { ContractWords.firstName(of: model.partner) }
    }

    /// One step of a form.
    struct Step {
        /// The step's fragment in the page's address.
        var id: String
        var title: String
        /// The names of the fields beside which this step shows problems, as the service names them.
        var fields: [String]
        /// The sentences that a script shows beside empty fields of the step, by the names of their data attributes.
        var sentences: [Attribute] = []
        var content: Node
        /// The label of the last step's button, which sends the form.
        var send: String?
    }

    // MARK: The form

    /// Draws the form with some steps.
    ///
    /// - Parameter draft: the name under which a script keeps the typed values; nil to keep none.
    func form(action: String, draft: String?, _ fields: ContractFormFields, _ steps: [Step]) -> Node {
        let shown = Self.shown(fields, steps)
        return element("contract-form", .attribute("data-draft", draft)) {
            HTML.form(
                .method("post"), .action(action), .multipart, .attribute("novalidate", ""),
                // After the form is sent, Back leads neither to the form nor to the choice of the partner.
                .attribute("data-before", draft == nil ? nil : "/contracts/new")
            ) {
                input(.type("hidden"), .name("key"), .value(fields.key))
                input(.type("hidden"), .name("upload"), .value(UUID().uuidString))
                if let seen = fields.seen { input(.type("hidden"), .name("seen"), .value(seen)) }
                frame.alert(fields.message)
                div(.class("contract-steps")) {
                    for (index, step) in steps.enumerated() {
                        element(
                            "section",
                            [
                                .class("contract-step"), .id(step.id), .attribute("tabindex", "-1"),
                                .attribute("aria-labelledby", "\(step.id)-title"),
                                .flag("data-shown", index == shown),
                            ] + step.sentences
                        ) {
                            header {
                                p { "Step \(index + 1) of \(steps.count)" }
                                h2(.id("\(step.id)-title")) { step.title }
                            }
                            step.content
                            footer {
                                if let send = step.send {
                                    button(.class("button primary tall")) { send }
                                } else {
                                    a(
                                        .class("button primary tall"), .href("#\(steps[index + 1].id)"),
                                        .flag("data-next")
                                    ) { "Next" }
                                }
                                if index > 0 {
                                    a(.class("button plain"), .href("#\(steps[index - 1].id)")) { "Back" }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns the index of the step that is shown first: the step with the first problem, or the step that sent the
    /// form, or the first step.
    private static func shown(_ fields: ContractFormFields, _ steps: [Step]) -> Int {
        let wrong = steps.firstIndex { step in step.fields.contains { fields.problems[$0] != nil } }
        return wrong ?? (fields.message == nil ? 0 : steps.count - 1)
    }

    /// Draws a friend with whom a contract can be made.
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
            id: "step-promise", title: "What do you and \(scene.name) promise?", fields: ["promise"],
            sentences: [.attribute("data-blank", ContractForm.noPromise)],
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
            id: "step-rules", title: "Are there rules?", fields: ["rules"],
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
                    "Optional. Up to ten, such as “Calls from the children don’t count.” To say that the promise was broken, you choose the rule that was broken, or the promise itself."
                },
            ]))
    }

    func end(_ scene: Scene) -> Step {
        let fields = scene.fields
        return Step(
            id: "step-end", title: "How long does it hold?", fields: ["ends_at"],
            sentences: [
                .attribute("data-blank", ContractForm.noEnd),
                .attribute("data-early", ContractForm.earlyEnd),
                .attribute("data-late", ContractForm.lateEnd),
            ],
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
            fields: ["stake_media_id", "stake_photo_id"],
            sentences: [.attribute("data-blank", ContractForm.noStake)],
            content: .list([
                p(.class("note")) {
                    "It is sealed: only you and \(scene.name) see it. It is published if you break the promise, and only then."
                },
                element("photo-upload", .class("block"), .attribute("data-purpose", "stake")) {
                    input(
                        .type("hidden"), .name("stake_media_id"),
                        .value(fields.stakeMedia?.description ?? ""))
                    ul(.class("picker"), .attribute("tabindex", "0"), .label("Photos to choose from")) {
                        li { file }
                        li { PhotoInputs(frame: frame).shot("bring", words: "Take a photo") }
                        for photo in scene.model.library { choice(photo, fields) }
                    }
                    ul(.class("tray"), .flag("data-tray")) {}
                },
                div(
                    .class("contract-chosen"), .flag("data-stake"), .role("status"),
                    .hidden(fields.stakeMedia == nil)
                ) {
                    if fields.stakeMedia != nil {
                        p { "Your photo is uploaded. It stays sealed for an hour." }
                    }
                },
                problem("stake_media_id", scene), problem("stake_photo_id", scene),
            ]))
    }

    /// The cell that takes one photo from the device.
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

    /// Draws the step about the witness.
    ///
    /// - Parameters:
    ///   - friends: friends of both.
    ///   - isComplete: whether these are all of them.
    func witness(_ scene: Scene, _ friends: [Account], isComplete: Bool) -> Step {
        let fields = scene.fields
        return Step(
            id: "step-witness", title: "Who decides if you disagree?", fields: ["witness_id"],
            content: .list([
                p(.class("note")) {
                    "A friend of both of you, who is asked first. The witness reads the promise, the rules and what you two write about a breach, and never sees a photo."
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
                friends.count > Self.witnesses || !isComplete || !fields.witnessName.isEmpty
                    ? frame.field(
                        "witness_name", "Another friend of both", value: fields.witnessName,
                        note: "Their username.", .autocomplete("off")) : .empty,
                problem("witness_id", scene),
            ]))
    }

    // MARK: Publishing

    func breach(_ scene: Scene) -> Step {
        Step(
            id: "step-breach", title: "What happens if you break it?", fields: ["publish_to", "breach_text"],
            sentences: [.attribute("data-blank", ContractForm.noPlace)],
            content: .list([
                placesFieldset(scene),
                div(.class("field")) {
                    label(.for("breach_text")) { "With these words" }
                    frame.countedText(
                        "breach_text", scene.fields.breachText, rows: 2,
                        limit: ContractForm.breachTextLength.upperBound,
                        placeholder: "I lost a bet with @\(scene.model.partner.username).",
                        problem: scene.fields.problems["breach_text"])
                    p(.class("note")) {
                        "Optional. They appear under the photo that is published, yours or \(scene.name)’s."
                    }
                },
            ]))
    }

    func places(_ scene: Scene) -> Step {
        Step(
            id: "step-breach", title: "What happens if you break it?", fields: ["publish_to"],
            sentences: [.attribute("data-blank", ContractForm.noPlace)], content: placesFieldset(scene))
    }

    private func placesFieldset(_ scene: Scene) -> Node {
        fieldset {
            legend(.class("group-title")) { "Your photo is published" }
            div(.class("group")) {
                place(.server, "As a post here", "In your name, for your followers", scene)
                if let connected = scene.model.connected {
                    place(
                        .connected, "On your connected account",
                        "For everyone on the internet, as \(connected.handle)", scene)
                }
            }
            if scene.model.connected == nil {
                p(.class("note")) {
                    "It can also be published on your account on Mastodon: "
                    a(.href(ConnectedAccountPaths.list)) { "connect one" }
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

    // MARK: Parts

    /// Draws a checkbox.
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

    /// Draws the sentence beside a field that has a problem, or the place where a script shows it.
    func problem(_ name: String, _ scene: Scene) -> Node {
        let problem = scene.fields.problems[name]
        return p(
            .class("error"), .id("\(name)-error"), .attribute("role", "alert"), .hidden(problem == nil)
        ) { problem?.sentence ?? "" }
    }
}
