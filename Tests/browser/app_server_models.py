"""What apps read of the server and of themselves, and what Pixelfed's app reads by calls of its own (app_models.py)."""

import re
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from app_models import Account, MediaAttachment
from app_values import (
    Address, Count, Id, Language, Model, Never, PublicKey, StreamAddress, Time, Visibility, Words, absent, fits,
)

# ---------------------------------------------------------------- the server and its apps


class Application(Model):
    id: Id
    name: Words
    website: Address | None
    redirect_uri: Words
    redirect_uris: Annotated[list[Words], Field(min_length=1)]
    scopes: list[Words]


class NewApplication(Application):
    client_id: Words
    client_secret: Words
    vapid_key: PublicKey


class Token(Model):
    access_token: Words
    token_type: Literal["Bearer"]
    scope: Words
    # Seconds, and no text: this is the only time that is a number.
    created_at: Annotated[int, Field(gt=0)]


class UserInfo(Model):
    """Who is logged in (OpenID Connect Core 1.0, 5.3)."""

    iss: Address
    sub: Id
    name: str
    preferred_username: Words
    profile: Address
    picture: Address


class Endpoints(Model):
    """How apps log people in (RFC 8414)."""

    issuer: Address
    authorization_endpoint: Address
    token_endpoint: Address
    revocation_endpoint: Address
    app_registration_endpoint: Address
    scopes_supported: Annotated[list[Words], Field(min_length=1)]
    response_types_supported: list[Literal["code"]]
    grant_types_supported: list[Literal["authorization_code", "client_credentials"]]
    code_challenge_methods_supported: list[Literal["S256"]]


class PostLimits(Model):
    max_characters: Annotated[int, Field(gt=0)]
    max_media_attachments: Annotated[int, Field(gt=0)]
    characters_reserved_per_url: Count


class MediaLimits(Model):
    supported_mime_types: Annotated[list[Words], Field(min_length=1)]
    image_size_limit: Annotated[int, Field(gt=0)]
    image_matrix_limit: Annotated[int, Field(gt=0)]
    video_size_limit: Count
    video_frame_rate_limit: Count
    video_matrix_limit: Count


class PollLimits(Model):
    max_options: Count
    max_characters_per_option: Count
    min_expiration: Count
    max_expiration: Count


class AccountLimits(Model):
    max_featured_tags: Count


class Streaming(Model):
    streaming: StreamAddress


class Translation(Model):
    enabled: bool


class Vapid(Model):
    public_key: PublicKey


class Limits(Model):
    urls: Streaming
    vapid: Vapid
    accounts: AccountLimits
    statuses: PostLimits
    media_attachments: MediaLimits
    polls: PollLimits
    translation: Translation


# Mastodon's number leads: Mastodon.py and Ice Cubes choose their calls by it.
Version = Annotated[str, StringConstraints(pattern=r"^4\.2\.\d+ \(compatible; .+\)$")]


class Rule(Model):
    id: Id
    text: Words


class Common(Model):
    """What both versions say of the server."""

    title: Words
    description: str
    version: Version
    languages: list[Language]
    rules: list[Rule]
    configuration: Limits


class OlderStreaming(Model):
    streaming_api: StreamAddress


class Stats(Model):
    user_count: Count
    status_count: Count
    domain_count: Count


class OlderInstance(Common):
    # A host without a scheme, by which toot knows the server.
    uri: Annotated[str, StringConstraints(pattern=r"^[^/\s]+$")]
    short_description: str
    email: str
    urls: OlderStreaming
    stats: Stats
    thumbnail: Address
    registrations: bool
    approval_required: bool
    invites_enabled: bool
    contact_account: Account | None


class Thumbnail(Model):
    url: Address


class ActiveUsers(Model):
    active_month: Count


class Usage(Model):
    users: ActiveUsers


class Registrations(Model):
    enabled: bool
    approval_required: bool
    message: str | None


class Contact(Model):
    email: str
    account: Account | None


class Instance(Common):
    domain: Annotated[str, StringConstraints(pattern=r"^[^/\s]+$")]
    source_url: Address | None
    usage: Usage
    thumbnail: Thumbnail
    registrations: Registrations
    contact: Contact


class PrivacyPolicy(Model):
    updated_at: Time
    content: Words


class NodeInfoLink(Model):
    rel: Address
    href: Address


class NodeInfoLinks(Model):
    links: Annotated[list[NodeInfoLink], Field(min_length=1)]


def is_recent_pixelfed(version):
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3]) >= (0, 12, 3)


class Software(Model):
    # With another name or an older version Pixelfed's app refuses to log in.
    name: Literal["pixelfed"]
    version: Annotated[str, fits(is_recent_pixelfed, "Pixelfed's app knows version 0.12.3 and later")]


class NodeInfo(Model):
    version: Literal["2.0"]
    software: Software
    protocols: list[Words]
    openRegistrations: bool


class Preferences(Model):
    visibility: Visibility = Field(alias="posting:default:visibility")
    sensitive: bool = Field(alias="posting:default:sensitive")
    language: Language | None = Field(alias="posting:default:language")
    media: Literal["default", "show_all", "hide_all"] = Field(alias="reading:expand:media")
    spoilers: bool = Field(alias="reading:expand:spoilers")


class Detail(Model):
    error: Annotated[str, StringConstraints(pattern=r"^ERR_[A-Z_]+$")]
    description: Words


class Refusal(Model):
    """Why something wasn't done, in words for a person. toot shows the description first, which OAuth has."""

    error: Words
    error_description: Words = absent()
    details: dict[str, list[Detail]] = absent()


# ---------------------------------------------------------------- Pixelfed's own


class ComposeSettings(Model):
    """Without it the app's camera doesn't open."""

    allowed_media_types: Annotated[list[Words], Field(min_length=1)]
    max_caption_length: Count
    max_altext_length: Count
    max_media_attachments: Annotated[int, Field(gt=0)]
    max_media_size: Annotated[int, Field(gt=0)]
    default_scope: Visibility


class Uploader(Model):
    max_photo_size: Annotated[int, Field(gt=0)]
    max_caption_length: Count
    max_altext_length: Count
    album_limit: Annotated[int, Field(gt=0)]
    media_types: Words


class Site(Model):
    name: Words
    domain: Words
    url: Address


class Feeds(Model):
    local: bool
    network: bool


class Features(Model):
    timelines: Feeds
    mobile_apis: bool
    stories: bool
    video: bool


class Config(Model):
    version: Words
    open_registration: bool
    uploader: Uploader
    site: Site
    features: Features


class Receiver(Model):
    id: Id
    name: Words
    local: bool
    privacy: bool
    avatar: Address
    account: Account


class DirectMessage(Model):
    id: Id
    reportId: Id
    hidden: bool
    isAuthor: bool
    type: Literal["text", "photo", "photos", "emoji", "link", "story:react", "story:comment"]
    text: str
    media: Address | None
    carousel: list[MediaAttachment]
    created_at: Time
    timeAgo: str
    seen: bool


class Thread(Model):
    id: Id
    name: str
    username: Words
    avatar: Address
    url: Address
    muted: bool
    isLocal: bool
    created_at: Time
    updated_at: Time
    messages: list[DirectMessage]


class StoryUser(Model):
    id: Id
    username: Words
    username_acct: Words
    avatar: Address
    local: bool
    is_author: bool


class Story(Model):
    id: Id
    pid: Id
    type: Literal["photo"]
    src: Address
    duration: Annotated[int, Field(gt=0)]
    seen: bool
    created_at: Time


class OwnStories(Model):
    user: StoryUser
    nodes: Never


class Stories(Model):
    id: Words
    user: StoryUser
    nodes: Annotated[list[Story], Field(min_length=1)]


class Carousel(Model):
    own: OwnStories = Field(alias="self")
    nodes: list[Stories]


class Reported(Model):
    code: Literal[200]
    msg: Words
