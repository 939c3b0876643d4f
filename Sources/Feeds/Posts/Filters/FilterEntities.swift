import Core
import Foundation
import Serving

/// The JSON of filters, in Mastodon's form.
enum FilterEntities {
    /// Writes a filter with its words and posts.
    static func filter(_ filter: PostFilter, into json: inout JSONWriter) {
        json.object { json in
            members(filter, into: &json)
            json.array("keywords", filter.words) { word($1, into: &$0) }
            json.array("statuses", filter.singles) { single($1, into: &$0) }
        }
    }

    private static func members(_ filter: PostFilter, into json: inout JSONWriter) {
        json.member("id", filter.id)
        json.member("title", filter.title)
        json.array("context", filter.contexts) { $0.value($1.rawValue) }
        json.member("expires_at", filter.endsAt.map(Timestamp.iso8601))
        json.member("filter_action", filter.action.rawValue)
    }

    /// Writes a word of a filter.
    static func word(_ word: PostFilter.Word, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", word.id)
            json.member("keyword", word.text)
            json.member("whole_word", word.isWhole)
        }
    }

    /// Writes a single post of a filter.
    static func single(_ single: PostFilter.Single, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", single.id)
            json.member("status_id", single.post)
        }
    }

    /// Writes a word with its filter, as the first version of the interface has filters.
    static func older(_ filter: PostFilter, _ word: PostFilter.Word, into json: inout JSONWriter) {
        json.object { json in
            json.member("id", word.id)
            json.member("phrase", word.text)
            json.array("context", filter.contexts) { $0.value($1.rawValue) }
            json.member("whole_word", word.isWhole)
            json.member("expires_at", filter.endsAt.map(Timestamp.iso8601))
            json.member("irreversible", filter.action == .hide)
        }
    }

    /// Writes a filter that fits a post, and why.
    static func match(_ match: FilterMatch, of post: Post, into json: inout JSONWriter) {
        json.object { json in
            json.object("filter") { members(match.filter, into: &$0) }
            if match.words.isEmpty {
                json.null("keyword_matches")
            } else {
                json.array("keyword_matches", match.words) { $0.value($1) }
            }
            if match.isSingle {
                json.array("status_matches", [post.id.description]) { $0.value($1) }
            } else {
                json.null("status_matches")
            }
        }
    }
}
