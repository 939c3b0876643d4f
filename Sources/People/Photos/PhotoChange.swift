import Core
import Imaging
import Serving

/// Changes to a photo; nil leaves a value as it is.
package struct PhotoChange: Sendable, Hashable {
    package var description: String?
    /// The point that is shown wherever the photo is cut.
    package var focus: Focus?

    package init(description: String? = nil, focus: Focus? = nil) {
        self.description = description
        self.focus = focus
    }
}

extension Focus {
    /// Reads a focus as Mastodon's apps send it, `0.5,-0.5`. Returns nil for an absent or empty text.
    ///
    /// - Throws: ``Refusal`` (422) for a text that can't be read, and for a point outside the picture.
    package static func parsed(_ text: String?) throws -> Focus? {
        guard let text = text?.trimmed, !text.isEmpty else { return nil }
        guard let focus = Focus(text) else {
            throw Refusal.invalid(
                "focus", "ERR_INVALID",
                "Send the focus as two numbers from -1 to 1 with a comma between them, such as 0.5,-0.5.")
        }
        return focus
    }
}

extension Input {
    /// Returns the focus of a picture; nil when the request names none.
    ///
    /// - Throws: ``Refusal`` (422) for what is no point of a picture.
    func focus() throws -> Focus? {
        try Focus.parsed(string("focus"))
    }
}
