import Core
import HTML

/// The sheets of the editor, which scripts open: adding a photo, one cell, and sharing.
struct CollageSheets {
    let frame: Frame

    /// All sheets.
    var all: Node { .list([fill, cell, share]) }

    private var fill: Node {
        div(
            .class("sheet collage-fill"), .id("fill"), .flag("popover"), .role("dialog"),
            .attribute("aria-labelledby", "fill-title")
        ) {
            header {
                closing("fill", "Cancel")
                h2(.id("fill-title")) { "Add a photo" }
            }
            element("photo-upload", .class("block"), .attribute("data-purpose", "post")) {
                ul(.class("tray"), .flag("data-tray")) {}
                element("endless-list") {
                    ul(.class("grid"), .flag("data-items")) {
                        li { PhotoInputs(frame: frame).files }
                        li { PhotoInputs(frame: frame).shot("bring", words: "Take a photo") }
                    }
                    a(.rel("next"), .class("more"), .href("/collage/library")) { "From your library" }
                }
            }
        }
    }

    private var cell: Node {
        sheet("cell", "Photo") {
            slider("zoom", "Zoom", from: "1", to: "8", value: "1")
            slider("x", "Left–right", from: "0", to: "1", value: "0.5")
            slider("y", "Up–down", from: "0", to: "1", value: "0.5")
            div(.class("collage-swaps"), .role("group"), .label("Swap with another cell")) {
                span { "Swap with" }
                span(.flag("data-swaps")) {}
            }
            button(.class("button"), .type("button"), .flag("data-replace")) { "Replace photo" }
            button(.class("button danger"), .type("button"), .flag("data-remove")) { "Remove photo" }
            a(.class("button plain"), .href("#"), .flag("data-report"), .hidden()) { "Report this photo" }
        }
    }

    private var share: Node {
        sheet(
            "shared", "Saved to your library", icon: frame.icon("check-circle-fill"), class: "photo-sharing"
        ) {
            // The picture, and the actions that every photo of the library has: a script loads these for the new photo.
            div(.class("made"), .flag("data-made")) {}
        }
    }

    // MARK: Parts

    private func sheet(
        _ id: String, _ title: String, icon: Node = .empty, class name: String = "",
        @NodeBuilder content: () -> Node
    ) -> Node {
        div(
            .classes("sheet", name), .id(id), .flag("popover"), .role("dialog"),
            .attribute("aria-labelledby", "\(id)-title")
        ) {
            h2(.id("\(id)-title")) {
                icon
                title
            }
            content()
            closing(id, "Done")
        }
    }

    private func closing(_ id: String, _ words: String) -> Node {
        button(
            .class("button plain"), .type("button"), .attribute("popovertarget", id),
            .attribute("popovertargetaction", "hide")
        ) { words }
    }

    private func slider(
        _ name: String, _ title: String, from least: String, to most: String, value: String
    ) -> Node {
        label(.class("slider")) {
            "\(title) "
            input(
                .type("range"), .name(name), .attribute("min", least), .attribute("max", most),
                .attribute("step", "0.01"), .value(value))
            output {}
        }
    }
}
