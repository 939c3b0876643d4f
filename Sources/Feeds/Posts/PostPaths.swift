import Core
import Serving

/// The addresses of posts.
package enum PostPaths {
    /// What the address of each post begins with, up to the id.
    package static let folder = "/posts/"
    /// The page to choose photos for a new post.
    package static let compose = "/posts/new"

    /// The posts whose captions have the words of a search.
    package static let search = "/search/posts"

    /// Returns the address of the posts whose captions have the words of a search.
    package static func search(_ words: String) -> String { "\(search)?q=\(words.queryEncoded)" }

    /// Returns the address of a post's page.
    package static func page(_ id: Post.ID) -> String { "\(folder)\(id)" }

    /// Returns the address of the page to share a post.
    package static func share(_ id: Post.ID) -> String { "/posts/\(id)/share" }
}
