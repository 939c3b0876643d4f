/// The addresses of posts.
package enum PostPaths {
    /// What the address of each post begins with, up to the id.
    package static let folder = "/posts/"
    /// The page to choose photos for a new post.
    package static let compose = "/posts/new"

    /// Returns the address of a post's page.
    package static func page(_ id: Post.ID) -> String { "\(folder)\(id)" }

    /// Returns the address of the page to share a post.
    package static func share(_ id: Post.ID) -> String { "/posts/\(id)/share" }
}
