import HTML

/// What a feature adds to the page of one photo of the library (``Feature/presentation(of:for:)``).
struct PhotoPresentation {
    /// The title of the page; nil for the day of the photo.
    var title: String?
    /// What is shown in place of the picture; nil for the picture.
    var stage: Node?
    /// What is at the end of the bar above the picture.
    var actions = Node.empty
    /// Tools beside those of every photo.
    var tools = Node.empty
    /// What is in place of the button that shares the picture; nil for this button.
    var share: Node?
    /// Sheets that the tools open.
    var sheets = Node.empty
    /// The styles of all this.
    var styles: [Page.Style] = []
}
