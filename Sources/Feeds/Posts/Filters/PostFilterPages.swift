import Core
import Foundation
import HTML
import Hummingbird
import Serving

/// The screen on which a viewer puts one post into one of their filters, opened from the options of the post.
struct PostFilterPages {
    let frame: Frame
    let filters: FilterService

    func add(to router: Router<AppContext>) {
        router.get("posts/:id/filter", use: show)
        router.post("posts/:id/filter", use: put)
    }

    /// Returns the address of the screen.
    static func path(_ post: Post.ID) -> String { "/posts/\(post)/filter" }

    /// Draws the line that leads to the screen.
    static func line(_ frame: Frame, _ post: Post.ID) -> Node {
        SettingsScreen(frame: frame).line("Filter this post", "funnel", href: path(post))
    }

    private func show(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let (post, found) = try await filters.filtering(context.id("id"), for: viewer)
        return Page(
            title: "Filter this post", styles: [.composer, .accounts, .controls], tab: .home,
            bodyClass: "grouped"
        ).response(frame, request, context) {
            frame.bar("Filter this post", back: ("Options", PostOptionsPages.path(post.id)))
            main(.id("content"), .class("settings")) {
                PostComponents(frame: frame).about(post, viewer.covering)
                p(.class("lead")) {
                    found.isEmpty
                        ? "A filter folds or hides this post, and others that you add. Nobody else knows. Make your first one."
                        : "Choose the filter that folds or hides it. Nobody else knows."
                }
                if !found.isEmpty {
                    div(.class("group")) { for filter in found { choice(filter, post) } }
                }
                a(
                    .class(found.isEmpty ? "button primary tall" : "button tall"),
                    .href(FilterPages.path(for: post.id))
                ) { "New filter" }
            }
        }
    }

    /// Draws a filter as the button that puts the post into it, or takes it out where it is already.
    private func choice(_ filter: PostFilter, _ post: Post) -> Node {
        let known = filter.singles.first { $0.post == post.id }
        return form(
            .method("post"), .action(known == nil ? Self.path(post.id) : FilterPages.removal(from: filter.id))
        ) {
            if let known {
                input(.type("hidden"), .name("single"), .value(known.id.description))
            } else {
                input(.type("hidden"), .name("filter"), .value(filter.id.description))
            }
            button(.class("choice"), .pressed(known != nil)) {
                frame.icon("funnel")
                span { filter.title }
                span(.class("value")) { filter.state(at: frame.now()) }
                if known != nil { frame.icon("check-lg") }
            }
        }
    }

    private func put(_ request: Request, _ context: AppContext) async throws -> Response {
        let viewer = try context.viewer
        let input = try await Input.read(request, context)
        let (post, found) = try await filters.filtering(context.id("id"), for: viewer)
        guard let chosen = input.id("filter", of: PostFilter.self),
            let filter = found.first(where: { $0.id == chosen })
        else { return .see(Self.path(post.id), flash: .error("This filter is gone. Choose another one.")) }
        do {
            _ = try await filters.add(post.id, to: filter.id, by: viewer)
        } catch let refusal as Refusal where refusal.kind == .invalid {
            return .see(Self.path(post.id), flash: .error(refusal.message))
        }
        return .see(AppPaths.home, flash: .good(filter.sentence(at: frame.now())))
    }
}

extension PostFilter {
    /// What the filter does at a time, in a word.
    func state(at now: Date) -> String {
        guard counts(at: now) else { return "Ended" }
        return action == .hide ? "Hides" : "Folds"
    }

    /// What becomes of a post that was put into the filter, in a sentence.
    func sentence(at now: Date) -> String {
        guard counts(at: now) else { return "The post is in “\(title)”, which has ended." }
        guard contexts.contains(.home) else {
            return "The post is in “\(title)”, which doesn’t count on Home."
        }
        return action == .hide ? "“\(title)” hides this post." : "“\(title)” folds this post."
    }
}
