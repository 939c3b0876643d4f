import Core
import Imaging

/// The calls of the JSON interface about Then & Now, and the entities of their answers.
extension ThenAndNowFeature {
    /// The parameters of how a pair is shown.
    private static let look = """
        mode:\(Pair.Mode.allCases.map(\.rawValue).joined(separator: "|")) caption:flag \
        year:\(PairComposition.years())
        """

    private static let views = ["past_view", "now_view"].flatMap { view in
        ["zoom]:number(\(PictureView.zoomsInPairs))", "x]:number(0...1)", "y]:number(0...1)"].map {
            "\(view)[\($0)"
        }
    }.joined(separator: " ")

    package var operations: [Operation] {
        [
            Operation(
                "POST /api/v1/rephotographs", "Puts a past photo and its match together",
                .created("Rephotograph"),
                """
                photo_id past_photo_id again_id media_id! aspect:number(\(PairFrame.aspects)) \(Self.views) \
                align:flag \(Self.look)
                """,
                takesKey: true),
            Operation("GET /api/v1/rephotographs/{id}", "A pair of your library", .one("Rephotograph")),
            Operation(
                "PATCH /api/v1/rephotographs/{id}", "Changes how a pair is shown", .one("Rephotograph"),
                Self.look),
            Operation(
                "POST /api/v1/rephotographs/{id}/align", "Lays the match over the past photo",
                .one("Rephotograph"), "points[]:object"),
            Operation(
                "DELETE /api/v1/rephotographs/{id}/align", "Shows both as they were taken",
                .one("Rephotograph")
            ),
            Operation(
                "GET /api/v1/rephotographs/{id}/rendition", "A picture of a pair, or an animation", .picture,
                "mode:stacked|side_by_side|fade"),
        ].about(.pairs)
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "Rephotograph",
                """
                id:id type:text url:url? preview_url:url? remote_url:url? text_url:url? meta:object description:text?
                blurhash:text? preview_remote_url*:url? kind*:text created_at*:time captured_at*:time? place*:object?
                then:object now:object aspect:number past_view:object now_view:object alignment:object mode:text
                caption:flag again:text
                """)
        ]
    }
}
