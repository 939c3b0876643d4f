"""What apps make of the server's answers: each thing of Mastodon's interface, as a typed app reads it.

One wrong member makes Ice Cubes refuse a whole page, and Moshi refuses a null where it expects a value. Members that no app
here needs aren't named, and those that only Tintype has are none of an app's business.
"""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from app_values import (
    Address, BlurHash, Count, Day, Id, Language, Model, NotificationType, PublicKey, Time, Visibility, Words, WrittenNumber,
    absent,
)

# ---------------------------------------------------------------- people


class Emoji(Model):
    shortcode: Words
    url: Address
    static_url: Address
    visible_in_picker: bool


class ProfileField(Model):
    name: Words
    value: Words
    verified_at: Time | None = absent()


class Account(Model):
    id: Id
    username: Words
    acct: Words
    display_name: str
    locked: bool
    bot: bool
    discoverable: bool
    group: bool
    created_at: Time
    note: str
    url: Address
    uri: Address
    avatar: Address
    avatar_static: Address
    header: Address
    header_static: Address
    followers_count: Count
    following_count: Count
    statuses_count: Count
    last_status_at: Day | None
    emojis: list[Emoji]
    fields: list[ProfileField]
    # What Pixelfed's app reads besides.
    website: str
    local: bool
    is_admin: bool


class Source(Model):
    """What an account's owner typed. Mastodon writes no language as an empty text."""

    privacy: Visibility
    sensitive: bool
    language: Language | Literal[""]
    note: str
    fields: list[ProfileField]
    follow_requests_count: Count


class Role(Model):
    # Mastodon's role of everyone is -99.
    id: Annotated[str, StringConstraints(pattern=r"^-?[0-9]+$")]
    name: str
    # Mastodon's app for Android reads a number out of the text.
    permissions: WrittenNumber
    color: str
    highlighted: bool


class OwnAccount(Account):
    source: Source
    role: Role


class MutedAccount(Account):
    mute_expires_at: Time | None


class Relationship(Model):
    id: Id
    following: bool
    showing_reblogs: bool
    notifying: bool
    languages: list[Language]
    followed_by: bool
    blocking: bool
    blocked_by: bool
    muting: bool
    muting_notifications: bool
    requested: bool
    requested_by: bool
    domain_blocking: bool
    endorsed: bool
    note: str


class FamiliarFollowers(Model):
    id: Id
    accounts: list[Account]


class Suggestion(Model):
    source: Literal["staff", "past_interactions", "global"]
    sources: list[Literal["featured", "most_followed", "most_interactions", "similar_to_recently_followed", "friends_of_friends"]]
    account: Account


class PeopleList(Model):
    id: Id
    title: Words
    replies_policy: Literal["followed", "list", "none"]
    exclusive: bool


class Report(Model):
    id: Id
    action_taken: bool
    action_taken_at: Time | None
    category: Literal["spam", "legal", "violation", "other"]
    comment: str
    forwarded: bool
    created_at: Time
    status_ids: list[Id] | None = absent()
    rule_ids: list[Id] | None
    target_account: Account


# ---------------------------------------------------------------- photos and posts


class Size(Model):
    width: Annotated[int, Field(gt=0)]
    height: Annotated[int, Field(gt=0)]
    size: Annotated[str, StringConstraints(pattern=r"^\d+x\d+$")]
    aspect: Annotated[float, Field(gt=0)]


class Focus(Model):
    x: Annotated[float, Field(ge=-1, le=1)]
    y: Annotated[float, Field(ge=-1, le=1)]


class Meta(Model):
    original: Size
    small: Size
    focus: Focus


class MediaAttachment(Model):
    """A photo. Pixelfed's app takes what has `errors` for a refusal."""

    id: Id
    type: Literal["image"]
    # Without an address toot shows no timeline, and apps wait for a picture that is still being processed.
    url: Address
    preview_url: Address
    remote_url: Address | None
    text_url: Address | None
    meta: Meta
    description: str | None
    blurhash: BlurHash
    errors: None = absent()


class SingleUse(Model):
    """An upload that is no photo of the library: only Tintype's own pages ask for it (`purpose`)."""

    id: Id
    purpose: Words


class Mention(Model):
    id: Id
    username: Words
    url: Address
    acct: Words


class StatusTag(Model):
    name: Words
    url: Address


class FilterKeyword(Model):
    id: Id
    keyword: Words
    whole_word: bool


class FilterStatus(Model):
    id: Id
    status_id: Id


FilterContext = Literal["home", "notifications", "public", "thread", "account"]


class FilterWords(Model):
    """A filter as a status that it fits has it."""

    id: Id
    title: Words
    context: Annotated[list[FilterContext], Field(min_length=1)]
    expires_at: Time | None
    filter_action: Literal["warn", "hide"]


class Filter(FilterWords):
    keywords: list[FilterKeyword]
    statuses: list[FilterStatus]


class OlderFilter(Model):
    id: Id
    phrase: Words
    context: Annotated[list[FilterContext], Field(min_length=1)]
    whole_word: bool
    expires_at: Time | None
    irreversible: bool


class FilterResult(Model):
    filter: FilterWords
    keyword_matches: list[Words] | None
    status_matches: list[Id] | None


class PostingApp(Model):
    name: Words
    website: Address | None


class Status(Model):
    id: Id
    created_at: Time
    edited_at: Time | None
    in_reply_to_id: Id | None
    in_reply_to_account_id: Id | None
    sensitive: bool
    spoiler_text: str
    visibility: Visibility
    language: Language | None
    uri: Address
    url: Address
    content: str
    account: Account
    replies_count: Count
    reblogs_count: Count
    favourites_count: Count
    favourited: bool
    reblogged: bool
    bookmarked: bool
    muted: bool
    pinned: bool
    media_attachments: list[MediaAttachment]
    mentions: list[Mention]
    tags: list[StatusTag]
    emojis: list[Emoji]
    filtered: list[FilterResult]
    application: PostingApp | None
    # Nothing is boosted or asked here, and nothing of other sites is shown: who changes that says here what an app reads.
    reblog: None
    card: None
    poll: None
    # What Pixelfed's app reads: without a known type its grid is empty.
    pf_type: Literal["photo", "photo:album"]
    reply_count: Count
    liked_by: None

    @model_validator(mode="after")
    def agrees_with_itself(self):
        if self.reply_count != self.replies_count:
            raise ValueError("Pixelfed's number of replies is another than Mastodon's")
        if (self.pf_type == "photo:album") != (len(self.media_attachments) > 1):
            raise ValueError(f"{len(self.media_attachments)} photos are called {self.pf_type}")
        return self


class DeletedStatus(Status):
    """What apps write again from: the text as it was typed."""

    text: str


class StatusSource(Model):
    id: Id
    text: str
    spoiler_text: str


class StatusEdit(Model):
    content: str
    spoiler_text: str
    sensitive: bool
    created_at: Time
    account: Account
    media_attachments: list[MediaAttachment]
    emojis: list[Emoji]


class Context(Model):
    ancestors: list[Status]
    descendants: list[Status]


class TagDay(Model):
    day: WrittenNumber
    uses: WrittenNumber
    accounts: WrittenNumber


class Tag(Model):
    id: Words
    name: Words
    url: Address
    history: list[TagDay]
    following: bool


class PopularTag(Model):
    """Pixelfed's own form."""

    id: Words
    total: int
    name: Words
    hashtag: Words
    url: Address


class FeaturedTag(Model):
    id: Id
    name: Words
    url: Address
    statuses_count: WrittenNumber
    last_status_at: Day | None


class Search(Model):
    accounts: list[Account]
    statuses: list[Status]
    hashtags: list[Tag]


# ---------------------------------------------------------------- what happens


# What Mastodon's app for Android and others show nothing of, and stop at, when its status is missing.
WITH_STATUS = ("mention", "status", "reblog", "favourite", "poll", "update")


class Notification(Model):
    id: Id
    type: NotificationType
    created_at: Time
    group_key: Words
    account: Account
    status: Status = absent()

    @model_validator(mode="after")
    def has_what_it_is_about(self):
        if self.type in WITH_STATUS and self.status is None:
            raise ValueError(f"a {self.type} has no status")
        return self


class AnyNotification(Model):
    """A notification for those who ask for Tintype's own kinds by name."""

    id: Id
    type: Words
    created_at: Time
    group_key: Words
    account: Account


class NotificationGroup(Model):
    group_key: Words
    notifications_count: Annotated[int, Field(gt=0)]
    type: NotificationType
    # Ice Cubes reads a number here.
    most_recent_notification_id: Annotated[int, Field(gt=0, lt=2**63)]
    page_min_id: Id
    page_max_id: Id
    latest_page_notification_at: Time
    sample_account_ids: Annotated[list[Id], Field(min_length=1)]
    status_id: Id = absent()


class GroupedNotifications(Model):
    accounts: list[Account]
    statuses: list[Status]
    notification_groups: list[NotificationGroup]

    @model_validator(mode="after")
    def has_what_its_groups_name(self):
        people, posts = ({one.id for one in things} for things in (self.accounts, self.statuses))
        for group in self.notification_groups:
            if not people.issuperset(group.sample_account_ids):
                raise ValueError(f"{group.group_key} names people who are missing")
            if group.type in WITH_STATUS and group.status_id not in posts:
                raise ValueError(f"{group.group_key} names a status that is missing")
        return self


Treatment = Literal["accept", "filter", "drop"]


class NotificationSummary(Model):
    pending_requests_count: Count
    pending_notifications_count: Count


class NotificationPolicy(Model):
    for_not_following: Treatment
    for_not_followers: Treatment
    for_new_accounts: Treatment
    for_private_mentions: Treatment
    for_limited_accounts: Treatment
    summary: NotificationSummary


class NotificationRequest(Model):
    id: Id
    created_at: Time
    updated_at: Time
    account: Account
    notifications_count: WrittenNumber
    last_status: Status | None


class Merged(Model):
    merged: bool


class Unread(Model):
    count: Count


class Conversation(Model):
    id: Id
    unread: bool
    # Pixelfed's app reads the first.
    accounts: Annotated[list[Account], Field(min_length=1)]
    last_status: Status | None


class Marker(Model):
    last_read_id: Id
    version: Count
    updated_at: Time


class Markers(Model):
    home: Marker = absent()
    notifications: Marker = absent()


class Alerts(Model):
    follow: bool
    favourite: bool
    reblog: bool
    mention: bool
    poll: bool
    status: bool


class PushSubscription(Model):
    # Ice Cubes reads a number here.
    id: Annotated[int, Field(gt=0, lt=2**63)]
    endpoint: Address
    server_key: PublicKey
    alerts: Alerts
    policy: Literal["all", "followed", "follower", "none"]
    standard: bool


class Announcement(Model):
    """What a device is sent. Ice Cubes reads the notification's id as a number."""

    access_token: Words
    notification_id: Annotated[int, Field(gt=0, lt=2**63)]
    notification_type: NotificationType
    icon: Address
    title: Words
    body: str
    preferred_locale: Language


class StreamMessage(Model):
    """A frame of a WebSocket, whose payload is JSON once more."""

    stream: Annotated[list[Words], Field(min_length=1)]
    event: Words
    payload: str
