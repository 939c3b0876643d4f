import Core
import Feeds
import Hummingbird
import People
import Serving

/// The routes that describe this server to phone apps (Mastodon's instance, NodeInfo), and the lists that apps request
/// when they start and that are always empty, because Tintype doesn't have such things (Documentation/Interface.md,
/// "What is always empty").
struct InstanceAPI {
    let configuration: ServerConfiguration
    let signUps: SignUpPolicy
    let files: StaticFiles
    /// The key with which apps subscribe to announcements.
    let pushKey: String

    /// The version, which begins like one of Mastodon's, because apps compare the numbers (Documentation/Interface.md,
    /// "What apps need").
    static let version = "4.2.0 (compatible; Tintype \(tintypeVersion))"

    func add(to router: Router<AppContext>) {
        router.get("api/v1/instance") { request, _ in
            let mode = try await signUps.mode()
            return Response.json(for: request) { instance(mode, &$0) }
        }
        router.get("api/v2/instance") { request, _ in
            let mode = try await signUps.mode()
            return Response.json(for: request) { newInstance(mode, &$0) }
        }
        router.get("api/nodeinfo/2.0.json") { request, _ in
            let mode = try await signUps.mode()
            return Response.json(for: request) { nodeInfo(mode, &$0) }
        }
        // Programs look for NodeInfo at this address (nodeinfo.diaspora.software, "Discovery").
        router.get(".well-known/nodeinfo") { request, _ in
            Response.json(for: request) { json in
                json.object { json in
                    json.array("links", ["2.0"]) { json, version in
                        json.object { json in
                            json.member("rel", "http://nodeinfo.diaspora.software/ns/schema/\(version)")
                            json.member("href", "\(configuration.publicURL)/api/nodeinfo/\(version).json")
                        }
                    }
                }
            }
        }
        // Without it, pixelfed-rn's branch “stories” (1.0.0 of August 2024, 727a496) doesn't load its first screen, and
        // asks for stories only where they are a feature. The released versions, up to 1.8.0, only fetch it to edit a bio.
        router.get("api/v2/config") { request, _ in
            let mode = try await signUps.mode()
            return Response.json(for: request) { config(mode, &$0) }
        }
        router.post("api/v1/domain_blocks") { _, context -> Response in
            _ = try context.viewer
            throw Refusal(
                .invalid, "This server exchanges nothing with other servers, so there is nothing to block.")
        }
        router.delete("api/v1/domain_blocks") { request, context in
            _ = try context.viewer
            _ = try await Input.read(request, context)
            return Response.json(for: request) { $0.object { _ in } }
        }
        router.get("api/v1.1/compose/settings") { request, context in
            _ = try context.viewer
            return Response.json(for: request) { composeSettings(&$0) }
        }
        for operation in AdministrationFeature.emptyLists {
            router.get(RouterPath(operation.path)) { request, context in
                if !operation.isPublic { _ = try context.viewer }
                return Response.json(for: request) { $0.emptyArray() }
            }
        }
        for verb in ["reblog", "unreblog"] {
            router.post("api/v1/statuses/:id/\(verb)") { _, context -> Response in
                _ = try context.viewer
                throw Refusal(
                    .invalid, "Posts can’t be boosted here, because their author chose who sees them.")
            }
        }
    }

    private func composeSettings(_ json: inout JSONWriter) {
        json.object { json in
            json.array("allowed_media_types", Self.mediaTypes) { $0.value("image/\($1)") }
            json.member("max_caption_length", PostRules.captionLength)
            json.null("default_license")
            json.member("media_descriptions", false)
            json.member("max_altext_length", Photo.descriptionLength)
            json.member("max_media_attachments", PostRules.photosCount.upperBound)
            // The size in kilobytes.
            json.member("max_media_size", configuration.pictureBytes / 1_000)
            json.member("default_scope", "private")
        }
    }

    /// Writes what Pixelfed's apps ask about a server.
    private func config(_ mode: SignUpMode, _ json: inout JSONWriter) {
        json.object { json in
            json.member("version", Self.pixelfedVersion)
            json.member("open_registration", mode == .open)
            json.object("uploader") { json in
                // Sizes in kilobytes.
                json.member("max_photo_size", configuration.pictureBytes / 1_000)
                json.member("max_caption_length", PostRules.captionLength)
                json.member("max_altext_length", Photo.descriptionLength)
                json.member("album_limit", PostRules.photosCount.upperBound)
                json.member("media_types", Self.mediaTypes.map { "image/\($0)" }.joined(separator: ","))
                json.array("mime_types", Self.mediaTypes) { $0.value("image/\($1)") }
                json.member("enforce_account_limit", false)
            }
            json.object("site") { json in
                json.member("name", configuration.name)
                json.member("domain", host)
                json.member("url", configuration.publicURL)
                json.member("description", "Photos among friends.")
            }
            json.object("account") { json in
                json.member("max_name_length", AccountRules.displayNameLength.upperBound)
                json.member("max_bio_length", AccountRules.bioLength.upperBound)
            }
            json.object("features") { json in
                json.object("timelines") { json in
                    json.member("local", true)
                    json.member("network", false)
                }
                json.member("mobile_apis", true)
                json.member("mobile_registration", false)
                json.member("stories", true)
                json.member("video", false)
            }
        }
    }

    /// The version of Pixelfed that its apps find.
    private static let pixelfedVersion = "0.12.4"

    private static let mediaTypes = ["jpeg", "png", "webp", "gif", "heic", "heif", "avif", "tiff"]

    private var host: String {
        let rest = configuration.publicURL.drop { $0 != "/" }.dropFirst(2)
        return String(rest.isEmpty ? Substring(configuration.publicURL) : rest)
    }

    /// The address at which apps open a WebSocket: `wss://` where the pages are `https://`, and `ws://` where they are
    /// `http://`.
    private var streamingURL: String { "ws" + configuration.publicURL.dropFirst("http".count) }

    private var picture: String { configuration.publicURL + files.path("icons/icon-512.png") }

    private func instance(_ mode: SignUpMode, _ json: inout JSONWriter) {
        json.object { json in
            json.member("uri", host)
            common(&json)
            json.member("short_description", "Photos among friends.")
            json.member("email", "")
            json.object("urls") { $0.member("streaming_api", streamingURL) }
            json.object("stats") { json in
                // The numbers of people and posts stay private.
                json.member("user_count", 0)
                json.member("status_count", 0)
                json.member("domain_count", 1)
            }
            json.member("thumbnail", picture)
            json.emptyArray("languages")
            json.member("registrations", mode == .open)
            json.member("approval_required", false)
            json.member("invites_enabled", mode == .invitation)
            json.null("contact_account")
            json.emptyArray("rules")
        }
    }

    private func newInstance(_ mode: SignUpMode, _ json: inout JSONWriter) {
        json.object { json in
            json.member("domain", host)
            common(&json)
            // An app that reads an address here takes null, and refuses the whole answer for an empty text.
            json.null("source_url")
            json.object("usage") { $0.object("users") { $0.member("active_month", 0) } }
            json.object("thumbnail") { $0.member("url", picture) }
            json.emptyArray("languages")
            json.object("registrations") { json in
                json.member("enabled", mode == .open)
                json.member("approval_required", false)
                json.null("message")
            }
            json.object("contact") { json in
                json.member("email", "")
                json.null("account")
            }
            json.emptyArray("rules")
        }
    }

    private func common(_ json: inout JSONWriter) {
        json.member("title", configuration.name)
        json.member("description", "Photos among friends.")
        json.member("version", Self.version)
        json.object("configuration") { json in
            json.object("urls") { json in
                json.member("streaming", streamingURL)
                json.member("privacy_policy", configuration.publicURL + Frame.whoCanSeeWhat)
            }
            json.object("vapid") { $0.member("public_key", pushKey) }
            json.object("accounts") { json in
                json.member("max_featured_tags", TagService.mostFeatured)
                json.member("max_profile_fields", ProfileField.most)
                json.member("profile_field_name_limit", ProfileField.mostCharacters)
                json.member("profile_field_value_limit", ProfileField.mostCharacters)
            }
            json.object("statuses") { json in
                json.member("max_characters", PostRules.captionLength)
                json.member("max_media_attachments", PostRules.photosCount.upperBound)
                json.member("characters_reserved_per_url", 23)
            }
            json.object("media_attachments") { json in
                json.array("supported_mime_types", Self.mediaTypes) { $0.value("image/\($1)") }
                json.member("image_size_limit", configuration.pictureBytes)
                json.member("image_matrix_limit", configuration.picturePixels)
                json.member("video_size_limit", 0)
                json.member("video_frame_rate_limit", 0)
                json.member("video_matrix_limit", 0)
            }
            json.object("polls") { json in
                json.member("max_options", 0)
                json.member("max_characters_per_option", 0)
                json.member("min_expiration", 0)
                json.member("max_expiration", 0)
            }
            json.object("translation") { $0.member("enabled", false) }
        }
    }

    /// Writes NodeInfo 2.0 (nodeinfo.diaspora.software). pixelfed-rn logs in only if it finds the software's name
    /// there.
    private func nodeInfo(_ mode: SignUpMode, _ json: inout JSONWriter) {
        json.object { json in
            json.member("version", "2.0")
            json.object("software") { json in
                json.member("name", "pixelfed")
                json.member("version", Self.pixelfedVersion)
            }
            json.emptyArray("protocols")
            json.object("services") { json in
                json.emptyArray("inbound")
                json.emptyArray("outbound")
            }
            json.member("openRegistrations", mode == .open)
            json.object("usage") { $0.object("users") { _ in } }
            json.object("metadata") { json in
                json.member("nodeName", configuration.name)
                json.member("software", "Tintype \(tintypeVersion)")
            }
        }
    }
}
