import Core
import Imaging

/// The calls of the JSON interface about collages, and the entities of their answers.
extension CollagesFeature {
    private static let style = """
        layout_id:\(CollageLayout.all.map(\.id).joined(separator: "|")) background:colour \
        spacing:\(CollageSpec.spacings) corner_radius:\(CollageSpec.cornerRadii)
        """
    private static let output = "size:\(CollageSpec.sides) format:jpeg|png|webp"

    package var operations: [Operation] {
        [
            Operation("GET /api/v1/collage_layouts", "All layouts of collages", .list("CollageLayout")),
            Operation(
                "POST /api/v1/collages", "Renders a collage", .created("Collage"),
                "\(Self.style) cells[]:object \(Self.output)",
                takesKey: true),
            Operation(
                "GET /api/v1/collages/{id}", "A collage of your library with its recipe", .one("Collage")),
            Operation(
                "PUT /api/v1/collages/{id}", "Renders a collage again, unless it was made together",
                .one("Collage"),
                "\(Self.style) cells[]:object \(Self.output) force:flag"),
            Operation(
                "POST /api/v1/collages/{id}/copy", "Begins a copy of a collage, also of one made together",
                .one("CollageDraft")),
            Operation("GET /api/v1/collage_drafts", "Unfinished collages", .page("CollageDraft")),
            Operation(
                "POST /api/v1/collage_drafts", "Begins a collage, alone or with friends or a group",
                .created("CollageDraft"), "\(Self.style) photo_ids[] account_ids[] chat_id", takesKey: true),
            Operation(
                "GET /api/v1/collage_drafts/{id}", "A collage that is being made", .one("CollageDraft")),
            Operation(
                "DELETE /api/v1/collage_drafts/{id}", "Ends a collage, or leaves one of a friend", .object),
            Operation(
                "PATCH /api/v1/collage_drafts/{id}", "Changes a collage’s look and people",
                .one("CollageDraft"),
                "\(Self.style) assignments[]:id account_ids[] chat_ids[]"),
            Operation(
                "PUT /api/v1/collage_drafts/{id}/cells/{index}", "Fills a cell, or moves its photo",
                .one("CollageDraft"),
                "photo_id media_id zoom:number(\(CollageView.zooms)) x:number(0...1) y:number(0...1)"),
            Operation(
                "DELETE /api/v1/collage_drafts/{id}/cells/{index}", "Empties a cell", .one("CollageDraft")),
            Operation(
                "POST /api/v1/collage_drafts/{id}/swap", "Exchanges two cells", .one("CollageDraft"),
                "one!:count other!:count",
                takesKey: true),
            Operation(
                "POST /api/v1/collage_drafts/{id}/finish", "Renders the collage", .one("Collage"),
                Self.output),
        ].about(.collages)
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema("CollageLayout", "id:text name:text cells:object[]"),
            EntitySchema(
                "CollageDraft",
                """
                id:id revision:count owner:Account accounts:Account[] chat_id:id? copied_from:id? state:text layout_id:text
                background:text spacing:count corner_radius:count cells:object[] spare_count:count
                photo:MediaAttachment? is_rendered:flag
                """),
            EntitySchema(
                "Collage",
                """
                id:id type:text url:url? preview_url:url? remote_url:url? text_url:url? meta:object description:text?
                blurhash:text? preview_remote_url*:url? kind*:text created_at*:time captured_at*:time? place*:object?
                collage:object
                """),
        ]
    }
}
