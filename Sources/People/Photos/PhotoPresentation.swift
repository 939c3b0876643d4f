import Core
import HTML

/// What a feature adds to the page of one photo of the library (``PhotoOffers/Presentation``).
package struct PhotoPresentation {
    /// Draws a presentation from what was read in a transaction.
    package typealias Drawing = @Sendable () -> PhotoPresentation

    /// The title of the page; nil for the day of the photo.
    package var title: String?
    /// The content in place of the picture; nil for the picture.
    package var stage: Node?
    /// The buttons at the end of the bar above the picture.
    package var actions = Node.empty
    /// The tools besides those of every photo.
    package var tools = Node.empty
    /// The picture that is shared and downloaded; nil for the photo's own.
    package var shared: SharedPicture?
    /// The sheets that the tools open.
    package var sheets = Node.empty
    /// The styles of these parts.
    package var styles: [Page.Style] = []

    package init(
        title: String? = nil, stage: Node? = nil, actions: Node = Node.empty, tools: Node = Node.empty,
        shared: SharedPicture? = nil, sheets: Node = Node.empty, styles: [Page.Style] = []
    ) {
        self.title = title
        self.stage = stage
        self.actions = actions
        self.tools = tools
        self.shared = shared
        self.sheets = sheets
        self.styles = styles
    }
}
