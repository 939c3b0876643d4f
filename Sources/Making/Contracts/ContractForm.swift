import Core
import Foundation
import Serving

/// The rules for the form of a contract, checked before anything is stored.
enum ContractForm {
    static let promiseLength = 1...500
    static let ruleLength = 1...200
    static let rulesCount = 0...10
    static let noteLength = 0...500
    static let breachTextLength = 0...500
    /// How long a promise may hold, in seconds: one hour to one year, a leap year included.
    static let duration: ClosedRange<TimeInterval> = 3_600...(366 * 24 * 3_600)
    /// The most contracts that one person may have open.
    static let mostOpen = 10

    // The sentences about missing values, which forms show beside the fields.
    static let noPromise = "Write what you promise."
    static let noEnd = "Say until when the promise holds."
    static let earlyEnd = "The end is at least an hour from now."
    static let lateEnd = "The end is at most a year from now."
    static let noStake = "Choose the photo that you stake."
    static let noPlace = "Choose where a breach is published."
    static let noConsent = "Say that you agree to what can happen to your photo."
    static let noAge = "Contracts are for adults. Say that you are 18 or older."

    /// Checks the values that a proposer wrote.
    static func check(_ draft: ContractService.Draft, at now: Date, _ problems: inout Problems) {
        func check(
            _ field: String, _ text: String, _ length: ClosedRange<Int>, blank: String, name: String
        ) {
            let count = text.unicodeScalars.count
            if count > length.upperBound {
                problems.add(
                    field, "ERR_TOO_LONG",
                    "\(name) has at most \(length.upperBound) characters; this one has \(count).")
            } else if !length.contains(count) || text.trimmed.count < length.lowerBound {
                problems.add(field, "ERR_BLANK", blank)
            } else if !text.isEmpty {
                ShownText.check(text, as: name, field: field, hasLines: true, into: &problems)
            }
        }
        check("promise", draft.promise, promiseLength, blank: noPromise, name: "A promise")
        check("breach_text", draft.breachText, breachTextLength, blank: "", name: "This text")
        if draft.rules.count > rulesCount.upperBound {
            problems.add("rules", "ERR_TOO_MANY", "A contract has at most ten rules.")
        }
        for rule in draft.rules {
            check("rules", rule, ruleLength, blank: "A rule can’t be empty.", name: "A rule")
        }
        guard let endsAt = draft.endsAt else {
            return problems.add("ends_at", "ERR_BLANK", noEnd)
        }
        let time = endsAt.timeIntervalSince(now)
        if time < duration.lowerBound {
            problems.add("ends_at", "ERR_INVALID", earlyEnd)
        } else if time > duration.upperBound {
            problems.add("ends_at", "ERR_INVALID", lateEnd)
        }
    }

    /// Reads the id of a witness; returns nil for none.
    ///
    /// - Throws: ``Refusal`` (422) for a text that isn't an id: a typing mistake mustn't make a contract without a
    ///   witness.
    static func witness(_ text: String) throws -> Account.ID? {
        guard !text.isEmpty else { return nil }
        guard let id = Account.ID(text) else {
            throw Refusal.invalid(
                "witness_id", "ERR_INVALID", "This witness can’t be found. Choose another one, or none.")
        }
        return id
    }

    /// Reads the number of the rule that a claim names, counted from 0; returns nil for the promise itself.
    ///
    /// - Throws: ``Refusal`` (422) for a text that isn't a number.
    static func rule(_ text: String) throws -> Int? {
        guard !text.isEmpty else { return nil }
        guard let rule = Int(text) else {
            throw Refusal.invalid("rule", "ERR_INVALID", "A rule is named by its number, counted from 0.")
        }
        return rule
    }

    /// Checks the length of the note that a person adds to a move.
    static func check(note: String) throws {
        let count = note.unicodeScalars.count
        guard noteLength.contains(count) else {
            throw Refusal.invalid(
                "note", "ERR_TOO_LONG", "That is \(count) characters; the limit is \(noteLength.upperBound).")
        }
    }

    /// Reads a date and time in the form of the JSON interface (ISO 8601), also without milliseconds and in another
    /// time zone than UTC; returns nil for anything else. Rounds to the stored precision of milliseconds.
    static func date(_ text: String) -> Date? {
        guard text.utf8.count <= 40 else { return nil }
        let styles = [
            Date.ISO8601FormatStyle(includingFractionalSeconds: true), Date.ISO8601FormatStyle(),
        ]
        for style in styles {
            if let date = try? style.parse(text), abs(date.timeIntervalSince1970) < 1e11 {
                return Date(timeIntervalSince1970: (date.timeIntervalSince1970 * 1000).rounded() / 1000)
            }
        }
        return nil
    }
}
