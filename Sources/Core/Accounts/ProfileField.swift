import Serving

/// A line of a profile: a name, such as "Website", and what is said under it.
public struct ProfileField: Sendable, Hashable {
    /// What the field is about, in one line.
    public var name: String
    /// What is said about it, in one line.
    public var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    /// The most fields of a profile.
    package static let most = 4
    /// The most characters of a name, and of a value.
    package static let mostCharacters = 255
}

extension [ProfileField] {
    /// Creates fields from the text that is stored: names and values in turn, a line each.
    init(stored text: String) {
        // Every row that is read with an account comes through here.
        guard !text.isEmpty else {
            self = []
            return
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self = stride(from: 1, to: lines.count, by: 2).map { index in
            ProfileField(name: lines[index - 1], value: lines[index])
        }
    }

    /// The text that is stored.
    var stored: String { flatMap { [$0.name, $0.value] }.joined(separator: "\n") }

    /// The fields in which something was written.
    package var written: [ProfileField] { filter { !$0.name.isEmpty || !$0.value.isEmpty } }

    /// Adds what is wrong with the fields to the problems of a form, each under the name of its input.
    func check(into problems: inout Problems) {
        guard written.count <= ProfileField.most else {
            return problems.add(
                "fields_attributes", "ERR_TOO_MANY", "A profile has at most \(ProfileField.most) fields.")
        }
        for (index, field) in enumerated() where !field.name.isEmpty || !field.value.isEmpty {
            let input = "fields_attributes[\(index)]"
            Self.check(
                field.name, as: "A label", input: "\(input)[name]", blank: "Enter a label.", into: &problems)
            Self.check(
                field.value, as: "A text", input: "\(input)[value]", blank: "Enter a text.", into: &problems)
        }
    }

    private static func check(
        _ text: String, as what: String, input: String, blank: String, into problems: inout Problems
    ) {
        guard text.unicodeScalars.count <= ProfileField.mostCharacters else {
            return problems.add(
                input, "ERR_TOO_LONG", "\(what) has at most \(ProfileField.mostCharacters) characters.")
        }
        ShownText.check(text, as: what, field: input, blank: blank, into: &problems)
    }
}
