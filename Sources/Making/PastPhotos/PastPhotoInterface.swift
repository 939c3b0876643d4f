import Core

/// The calls of the JSON interface about old photos, and the entities of their answers.
extension PastPhotosFeature {
    package var operations: [Operation] {
        [
            Operation(
                "GET /api/v1/past_photos",
                "Searches for old photos near a place; `search` is null when that failed and nothing was replaced",
                .one("PastPhotoSearch"),
                """
                latitude!:number(-90...90) longitude!:number(-180...180) radius_km:number(\(PastPhotoQuery.radii)) \
                from_year:count to_year:count source
                """
            ).mayBeOvertaken,
            Operation(
                "GET /api/v1/past_photos/last", "Your last search for old photos", .one("PastPhotoSearch")),
        ].about(.pairs)
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "PastPhotoSearch", "search:PastPhotoQuery? sources:PastPhotoSource[] photos:PastPhoto[]"),
            EntitySchema(
                "PastPhotoQuery",
                """
                id:id latitude:number longitude:number radius_km:number from_year:count to_year:count sources:text[]
                made_at:time
                """),
            EntitySchema("PastPhotoSource", "name:text title:text state:text count:count message:text?"),
            EntitySchema(
                "PastPhoto",
                """
                id:id source:text source_title:text title:text author:text licence:text licence_url:url? credit:text
                source_url:url date:text from_year:count to_year:count latitude:number longitude:number
                distance_m:count picture:PastPhotoPicture
                """),
            EntitySchema(
                "PastPhotoPicture",
                "state:text url:url large_url:url width:count? height:count? message:text?"),
        ]
    }
}
