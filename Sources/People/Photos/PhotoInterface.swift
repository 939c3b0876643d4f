import Core

/// The calls of the JSON interface, and the entities of their answers.
extension PhotosFeature {
    package var operations: [Operation] {
        let description = "description:text(0...\(Photo.descriptionLength))"
        let purposes = (["post"] + offers.purposes.all.map(\.name)).joined(separator: "|")
        return [
            Operation(
                "POST /api/v1/media", "Uploads a picture", .one("MediaAttachment"),
                "file! \(description) purpose:\(purposes) kind focus", takesKey: true, scope: .write(.media)),
            Operation(
                "POST /api/v2/media", "Uploads a picture", .one("MediaAttachment"),
                "file! \(description) purpose:\(purposes) kind focus", takesKey: true, scope: .write(.media)),
            Operation(
                "GET /api/v1/media/{id}", "A photo of your library", .one("MediaAttachment"),
                scope: .write(.media)),
            Operation(
                "PUT /api/v1/media/{id}", "Changes the description or focus of a photo",
                .one("MediaAttachment"),
                "\(description) focus",
                scope: .write(.media)),
            Operation(
                "GET /api/v1/photos", "Your library", .page("MediaAttachment"),
                "kind[]:upload|camera|saved|collage|rephotograph"),
            Operation("GET /api/v1/photos/{id}", "A photo of your library", .one("MediaAttachment")),
            Operation("GET /api/v1/photos/{id}/original", "The untouched original", .picture),
            Operation(
                "GET /api/v1/photos/{id}/full", "A JPEG of at most 4,096 pixels, made when it is asked for",
                .picture),
            Operation("DELETE /api/v1/photos/{id}", "Deletes a photo", .object, "force:flag"),
        ].about(.photos)
    }

    package var schemas: [EntitySchema] {
        [
            EntitySchema(
                "MediaAttachment",
                """
                id:id type:text url:url? preview_url:url? remote_url:url? text_url:url? meta:object description:text?
                blurhash:text? preview_remote_url*:url? purpose*:text expires_at*:time kind*:text created_at*:time
                captured_at*:time? place*:object?
                """)
        ]
    }
}
