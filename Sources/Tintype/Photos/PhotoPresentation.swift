import HTML

/// What a feature adds to the page of one photo of the library (``Feature/presentation(of:for:_:)``).
struct PhotoPresentation {
    /// Draws a presentation from what was read in a transaction.
    typealias Drawing = @Sendable () -> PhotoPresentation

    /// The title of the page; nil for the day of the photo.
    var title: String?
    /// What is shown in place of the picture; nil for the picture.
    var stage: Node?
    /// What is at the end of the bar above the picture.
    var actions = Node.empty
    /// Tools beside those of every photo.
    var tools = Node.empty
    /// The picture that is shared and downloaded; nil for the photo's own.
    var shared: SharedPicture?
    /// Sheets that the tools open.
    var sheets = Node.empty
    /// The styles of all this.
    var styles: [Page.Style] = []
}
