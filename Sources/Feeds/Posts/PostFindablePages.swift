import Core
import HTML
import Hummingbird

/// The author's switch that lets others find photos of a post by the place where they were taken.
struct PostFindablePages {
    let places: PostPlaces

    func add(to router: Router<AppContext>) {
        router.post("posts/:id/findable") { request, context in
            let viewer = try context.viewer
            let isFindable = try await Input.read(request, context).bool("findable") ?? false
            let post = try await places.setFindable(isFindable, context.id("id"), by: viewer)
            return Response.see(
                "/posts/\(post.id)/options",
                flash: .good(
                    isFindable
                        ? "Others can find these photos by their place now."
                        : "Nobody can find these photos by their place any more."))
        }
    }

    /// Draws the switch for a new post, off at first.
    static func choice(_ frame: Frame, isOn: Bool) -> Node {
        section {
            div(.class("group")) {
                frame.toggle("findable", isOn: isOn, "Others may find these photos by their place")
            }
            p(.class("note")) {
                """
                People who may see this post can then find its photos in Then & Now by where and when they were taken. \
                They see the place to about 100 metres. Photos without a place can’t be found.
                """
            }
        }
    }

    /// Draws the button on the page of a post's options.
    static func options(_ post: Post.ID, _ isFindable: Bool) -> Node {
        form(.class("group"), .method("post"), .action("/posts/\(post)/findable")) {
            input(.type("hidden"), .name("findable"), .value(isFindable ? "false" : "true"))
            button(.class("choice")) {
                span {
                    isFindable
                        ? "Stop showing these photos by their place"
                        : "Let others find these photos by their place"
                }
            }
        }
    }
}
