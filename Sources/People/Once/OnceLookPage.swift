import Core
import Foundation
import HTML
import Hummingbird

/// The page of the one look without scripts: the picture is in this answer alone and has no URL that could be requested
/// again.
package struct OnceLookPage {
    package let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
    }

    /// Returns the page with the picture.
    ///
    /// - Parameters:
    ///   - jpeg: the picture, whose look is closed by now.
    ///   - path: the path that a tap leads to.
    ///   - reply: the path of the screen on which the picture is answered; nil when it can't be.
    package func response(
        _ title: String, jpeg: [UInt8], description: String, back path: String, reply: String?,
        _ request: Request, _ context: AppContext
    ) -> Response {
        var response = Page(title: title, styles: [.snaps, .snapAnswers], bodyClass: "bare").response(
            frame, request, context
        ) {
            main(.id("content")) {
                dialog(.class("snap-viewer"), .flag("open"), .label(title)) {
                    a(.href(path), .label("Close")) {
                        img(
                            .src("data:image/jpeg;base64,\(Data(jpeg).base64EncodedString())"),
                            .alt(description))
                    }
                    if let reply {
                        div(.class("snap-answers")) {
                            a(.class("button"), .href(reply)) { "Reply" }
                        }
                    }
                }
            }
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
