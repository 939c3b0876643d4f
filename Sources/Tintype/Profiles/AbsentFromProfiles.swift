import Core
import Serving

/// What apps can set about a profile on other servers and not on this one.
enum AbsentFromProfiles {
    /// The parameters, with the sentence for a value other than none.
    private static let sentences: KeyValuePairs = [
        "bot": "Accounts here are people’s own. They can’t be marked as automated.",
        "hide_collections":
            "Followers can’t be hidden here. Approve new followers, and only they see the list.",
        "indexable": "Posts here are in no public search, so they can’t be added to one.",
        "attribution_domains[]": "Articles on other sites can’t name an account of this server.",
        "avatar_description": "Portraits have no description here.",
        "header_description": "Banners have no description here.",
        "source[quote_policy]": "Posts can’t be quoted here.",
        "avatar": "Send the portrait as a file of a form (multipart/form-data).",
        "header": "Send the banner as a file of a form (multipart/form-data).",
    ]

    /// Values that ask for nothing, or for what is so anyway.
    private static let nothing: Set = ["", "false", "0", "off", "no", "nobody"]

    /// Refuses a change of a profile that would not be kept.
    ///
    /// - Throws: ``Refusal`` (422) with a sentence for each parameter.
    static func check(_ input: Input) throws {
        var problems = Problems()
        for (name, sentence) in sentences
        where input.values[name]?.contains(where: { !nothing.contains($0.lowercased()) }) == true {
            problems.add(name, "ERR_INVALID", sentence)
        }
        try problems.throwIfAny()
    }
}
