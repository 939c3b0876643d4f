import Core
import HTML
import Serving

/// The sheet with everything that can be changed of a pair, behind the three dots.
struct PairSheet: Sendable {
    let frame: Frame

    /// Returns the sheet.
    ///
    /// - Parameters:
    ///   - id: the sheet's identifier on the page.
    ///   - isRetaken: whether there are other pairs of the same past photo.
    func menu(_ pair: Pair, id: String, isRetaken: Bool) -> Node {
        let path = PairComponents.path(pair.id)
        return div(
            .class("sheet pair-menu"), .id(id), .flag("popover"), .role("dialog"),
            .attribute("aria-labelledby", "\(id)-title")
        ) {
            h2(.id("\(id)-title")) { "Then & Now" }
            ul(.class("group")) {
                li { align(pair, path) }
                line("Set points by hand", "1-circle", "\(path)/points")
                li { caption(pair, path) }
                // The date of a found photo is the one of its source.
                if pair.then.origin == .library { li { year(pair, path) } }
                if isRetaken {
                    line("Through the years", "clock-history", ThenAndNowPaths.years(pair.id))
                }
            }
            button(
                .class("button plain"), .type("button"), .attribute("popovertarget", id),
                .attribute("popovertargetaction", "hide")
            ) { "Done" }
        }
    }

    private func line(_ title: String, _ icon: StaticString, _ path: String) -> Node {
        li {
            a(.class("choice"), .href(path)) {
                frame.icon(icon)
                span { title }
                frame.icon("chevron-right", class: "icon chevron")
            }
        }
    }

    private func align(_ pair: Pair, _ path: String) -> Node {
        form(
            .method("post"), .action("\(path)/align"), .attribute("data-pair", pair.id.description),
            .attribute("data-act", "align")
        ) {
            button(.class("choice")) {
                frame.icon("layers")
                span { "Align automatically" }
            }
        }
    }

    /// Draws the switch for the caption with dates and credit. Without scripts, the switch has a button.
    private func caption(_ pair: Pair, _ path: String) -> Node {
        form(
            .class("pair-caption"), .method("post"), .action("\(path)/presentation"),
            .attribute("data-pair", pair.id.description), .attribute("data-act", "caption")
        ) {
            // This value is sent while the switch is off, because a checkbox that is off sends nothing.
            input(.type("hidden"), .name("caption"), .value("false"))
            label(.class("choice")) {
                frame.icon("type")
                span {
                    "Show date and credit"
                    element("small") { "Under the picture that you share" }
                }
                input(
                    .type("checkbox"), .role("switch"), .name("caption"), .value("true"),
                    .checked(pair.hasCaption))
            }
            button(.class("button small plain-only")) { "Apply" }
        }
    }

    /// Draws the field for the year of the past photo, which for an old print only its owner knows. The page that
    /// answers shows the year everywhere.
    private func year(_ pair: Pair, _ path: String) -> Node {
        form(.class("pair-year"), .method("post"), .action("\(path)/presentation")) {
            label(.class("choice")) {
                frame.icon("clock")
                span { "Taken in" }
                input(
                    .class("input"), .type("number"), .name("year"),
                    .value(pair.then.year.map(String.init) ?? ""),
                    .attribute("min", String(PastPhotoQuery.firstYear)),
                    .attribute("max", String(Timestamp.year(of: frame.now()))), .placeholder("Year"),
                    .attribute("inputmode", "numeric"), .required, .autocomplete("off"),
                    .label("The year in which the past photo was taken"))
            }
            button(.class("button small")) { "Save" }
        }
    }
}
