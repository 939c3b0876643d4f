import HTML

/// The controls that add photos of the device: its files, and on a phone its camera.
package struct PhotoInputs {
    package let frame: Frame

    package init(frame: Frame) {
        self.frame = frame
    }

    /// The cameras of a phone.
    package enum Camera: String {
        case front = "user"
        case back = "environment"
    }

    /// Returns the button that opens the camera. It is shown only on touch screens: a computer would open a second file
    /// dialog.
    ///
    /// - Parameters:
    ///   - look: the classes of the label.
    ///   - words: the words beside the symbol.
    package func shot(
        _ look: String, words: String = "", name: String = "camera", with camera: Camera = .back
    ) -> Node {
        label(.classes("shot", look)) {
            frame.icon("camera")
            words
            input(
                .class("cover"), .type("file"), .name(name), .accept("image/*"),
                .attribute("capture", camera.rawValue), .label("Take a photo"))
        }
    }

    /// A cell of a grid that adds files.
    package var files: Node {
        label(.class("bring")) {
            frame.icon("upload")
            "Files"
            input(
                .class("cover"), .type("file"), .name("file"), .accept("image/*"), .multiple,
                .label("Choose photos"))
        }
    }
}
