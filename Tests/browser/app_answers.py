"""Which thing each call of an app is answered with (app_models.py, app_server_models.py), and what an app stumbles over.

These answers pass here: those to Mastodon.py, toot and the web client, those to people's calls that succeed, the events of
streams, and those that test_interface.py gets. `taken` says what was wrong; a fixture of conftest.py fails the test then.
"""

import functools
import json
import re
import urllib.parse
from typing import Any

import pydantic

from app_models import (
    Account, AnyNotification, Context, Conversation, DeletedStatus, FamiliarFollowers, FeaturedTag, Filter,
    FilterKeyword, FilterStatus, GroupedNotifications, Markers, MediaAttachment, Merged, MutedAccount, Notification,
    NotificationPolicy, NotificationRequest,
    OlderFilter, OwnAccount, PeopleList, PopularTag, PushSubscription, Relationship, Report, Search, SingleUse, Status, StatusEdit,
    StatusSource, StreamMessage, Suggestion, Tag, Unread,
)
from app_server_models import (
    Application, Carousel, ComposeSettings, Config, DirectMessage, Endpoints, Instance, NewApplication, NodeInfo,
    NodeInfoLinks, OlderInstance, Preferences, PrivacyPolicy, Receiver, Refusal, Reported, Thread, Token, UserInfo,
)
from app_values import Id, Never, Nothing

# By the label of the call, as in the description of the interface. What is always empty here has no model: who fills such a
# list says here of what.
ANSWERS = {
    # Apps and the server
    "POST /api/v1/apps": NewApplication,
    "GET /api/v1/apps/verify_credentials": Application,
    "POST /oauth/token": Token,
    "POST /oauth/revoke": Nothing,
    "GET /oauth/userinfo": UserInfo,
    "POST /oauth/userinfo": UserInfo,
    "GET /.well-known/oauth-authorization-server": Endpoints,
    "GET /.well-known/nodeinfo": NodeInfoLinks,
    "GET /api/nodeinfo/2.0.json": NodeInfo,
    "GET /api/v1/instance": OlderInstance,
    "GET /api/v2/instance": Instance,
    "GET /api/v1/instance/privacy_policy": PrivacyPolicy,
    "GET /api/v2/config": Config,
    "GET /api/v1.1/compose/settings": ComposeSettings,
    "GET /api/v1/preferences": Preferences,
    "GET /api/v1/custom_emojis": Never,
    "GET /api/v1/instance/peers": Never,
    "GET /api/v1/instance/rules": Never,
    "GET /api/v1/instance/domain_blocks": Never,
    "GET /api/v1/announcements": Never,
    "GET /api/v1/trends/tags": list[Tag],
    "GET /api/v1/trends/statuses": Never,
    "GET /api/v1/trends/links": Never,
    "GET /api/v1/scheduled_statuses": Never,
    "GET /api/v1/domain_blocks": Never,
    "POST /api/v1/domain_blocks": Nothing,
    "DELETE /api/v1/domain_blocks": Nothing,
    # People
    "POST /api/v1/accounts": Token,
    "GET /api/v1/accounts": list[Account],
    "GET /api/v1/accounts/verify_credentials": OwnAccount,
    "PATCH /api/v1/accounts/update_credentials": OwnAccount,
    "POST /api/v1/accounts/update_credentials": OwnAccount,
    "DELETE /api/v1/profile/avatar": OwnAccount,
    "DELETE /api/v1/profile/header": OwnAccount,
    "DELETE /api/v1.1/accounts/avatar": OwnAccount,
    "GET /api/v1/accounts/lookup": Account,
    "GET /api/v1/accounts/search": list[Account],
    "GET /api/v1/accounts/relationships": list[Relationship],
    "GET /api/v1/accounts/familiar_followers": list[FamiliarFollowers],
    "GET /api/v1/accounts/{id}": Account,
    "GET /api/v1/accounts/{id}/statuses": list[Status],
    "GET /api/v1/accounts/{id}/followers": list[Account],
    "GET /api/v1/accounts/{id}/following": list[Account],
    "GET /api/v1/accounts/{id}/lists": list[PeopleList],
    "GET /api/v1/accounts/{id}/endorsements": list[Account],
    "GET /api/v1/endorsements": list[Account],
    "POST /api/v1/accounts/{id}/endorse": Relationship,
    "POST /api/v1/accounts/{id}/unendorse": Relationship,
    "POST /api/v1/accounts/{id}/pin": Relationship,
    "POST /api/v1/accounts/{id}/unpin": Relationship,
    "GET /api/v1/accounts/{id}/featured_tags": list[FeaturedTag],
    "POST /api/v1/accounts/{id}/follow": Relationship,
    "POST /api/v1/accounts/{id}/unfollow": Relationship,
    "POST /api/v1/accounts/{id}/remove_from_followers": Relationship,
    "POST /api/v1/accounts/{id}/block": Relationship,
    "POST /api/v1/accounts/{id}/unblock": Relationship,
    "POST /api/v1/accounts/{id}/mute": Relationship,
    "POST /api/v1/accounts/{id}/unmute": Relationship,
    "POST /api/v1/accounts/{id}/note": Relationship,
    "GET /api/v1/blocks": list[Account],
    "GET /api/v1/mutes": list[MutedAccount],
    "GET /api/v1/follow_requests": list[Account],
    "POST /api/v1/follow_requests/{id}/authorize": Relationship,
    "POST /api/v1/follow_requests/{id}/reject": Relationship,
    "GET /api/v1/directory": list[Account],
    "GET /api/v1/suggestions": list[Account],
    "GET /api/v2/suggestions": list[Suggestion],
    "DELETE /api/v1/suggestions/{id}": Nothing,
    "GET /api/v1.1/accounts/username/{username}": Account,
    "GET /api/v1.1/accounts/mutuals/{id}": list[Account],
    "GET /api/v1.1/discover/accounts/popular": list[Account],
    "POST /api/v1/reports": Report,
    "POST /api/v1.1/report": Reported,
    "GET /api/v1/lists": list[PeopleList],
    "POST /api/v1/lists": PeopleList,
    "GET /api/v1/lists/{id}": PeopleList,
    "PUT /api/v1/lists/{id}": PeopleList,
    "DELETE /api/v1/lists/{id}": Nothing,
    "GET /api/v1/lists/{id}/accounts": list[Account],
    "POST /api/v1/lists/{id}/accounts": Nothing,
    "DELETE /api/v1/lists/{id}/accounts": Nothing,
    # Photos and posts
    "POST /api/v1/media": MediaAttachment | SingleUse,
    "POST /api/v2/media": MediaAttachment | SingleUse,
    "GET /api/v1/media/{id}": MediaAttachment,
    "PUT /api/v1/media/{id}": MediaAttachment,
    "GET /api/v1/timelines/home": list[Status],
    "GET /api/v1/timelines/public": list[Status],
    "GET /api/v1/timelines/list/{id}": list[Status],
    "GET /api/v1/timelines/tag/{hashtag}": list[Status],
    "GET /api/v1/bookmarks": list[Status],
    "GET /api/v1/favourites": list[Status],
    "GET /api/v1.1/discover/posts/trending": list[Status],
    "GET /api/v1.1/discover/posts/network/trending": list[Status],
    "GET /api/v1.1/discover/posts/hashtags": list[PopularTag],
    "GET /api/v1/statuses": list[Status],
    "POST /api/v1/statuses": Status,
    "GET /api/v1/statuses/{id}": Status,
    "PUT /api/v1/statuses/{id}": Status,
    "DELETE /api/v1/statuses/{id}": DeletedStatus,
    "GET /api/v1/statuses/{id}/context": Context,
    "GET /api/v1/statuses/{id}/source": StatusSource,
    "GET /api/v1/statuses/{id}/history": list[StatusEdit],
    "GET /api/v1/statuses/{id}/favourited_by": list[Account],
    "GET /api/v1/statuses/{id}/reblogged_by": Never,
    "POST /api/v1/statuses/{id}/favourite": Status,
    "POST /api/v1/statuses/{id}/unfavourite": Status,
    "POST /api/v1/statuses/{id}/bookmark": Status,
    "POST /api/v1/statuses/{id}/unbookmark": Status,
    "POST /api/v1/statuses/{id}/reblog": Status,
    "POST /api/v1/statuses/{id}/unreblog": Status,
    "POST /api/v1/statuses/{id}/pin": Status,
    "POST /api/v1/statuses/{id}/unpin": Status,
    "POST /api/v1/statuses/{id}/mute": Status,
    "POST /api/v1/statuses/{id}/unmute": Status,
    "GET /api/v1/tags/{name}": Tag,
    "POST /api/v1/tags/{name}/follow": Tag,
    "POST /api/v1/tags/{name}/unfollow": Tag,
    "POST /api/v1/tags/{name}/feature": Tag,
    "POST /api/v1/tags/{name}/unfeature": Tag,
    "GET /api/v1/followed_tags": list[Tag],
    "GET /api/v1/featured_tags": list[FeaturedTag],
    "POST /api/v1/featured_tags": FeaturedTag,
    "DELETE /api/v1/featured_tags/{id}": Nothing,
    "GET /api/v1/featured_tags/suggestions": list[Tag],
    "GET /api/v2/search": Search,
    "GET /api/v2/filters": list[Filter],
    "POST /api/v2/filters": Filter,
    "GET /api/v2/filters/{id}": Filter,
    "PUT /api/v2/filters/{id}": Filter,
    "DELETE /api/v2/filters/{id}": Nothing,
    "GET /api/v2/filters/{id}/keywords": list[FilterKeyword],
    "POST /api/v2/filters/{id}/keywords": FilterKeyword,
    "GET /api/v2/filters/keywords/{id}": FilterKeyword,
    "PUT /api/v2/filters/keywords/{id}": FilterKeyword,
    "DELETE /api/v2/filters/keywords/{id}": Nothing,
    "GET /api/v2/filters/{id}/statuses": list[FilterStatus],
    "POST /api/v2/filters/{id}/statuses": FilterStatus,
    "GET /api/v2/filters/statuses/{id}": FilterStatus,
    "DELETE /api/v2/filters/statuses/{id}": FilterStatus,
    "GET /api/v1/filters": list[OlderFilter],
    "POST /api/v1/filters": OlderFilter,
    "GET /api/v1/filters/{id}": OlderFilter,
    "PUT /api/v1/filters/{id}": OlderFilter,
    "DELETE /api/v1/filters/{id}": Nothing,
    # Notifications
    "GET /api/v1/notifications": list[Notification],
    "GET /api/v1/notifications/{id}": Notification,
    "GET /api/v1/notifications/unread_count": Unread,
    "POST /api/v1/notifications/clear": Nothing,
    "POST /api/v1/notifications/{id}/dismiss": Nothing,
    "GET /api/v2/notifications": GroupedNotifications,
    "GET /api/v2/notifications/unread_count": Unread,
    "GET /api/v2/notifications/{group_key}": GroupedNotifications,
    "GET /api/v2/notifications/{group_key}/accounts": list[Account],
    "POST /api/v2/notifications/{group_key}/dismiss": Nothing,
    "GET /api/v2/notifications/policy": NotificationPolicy,
    "PATCH /api/v2/notifications/policy": NotificationPolicy,
    "GET /api/v1/notifications/requests": list[NotificationRequest],
    "GET /api/v1/notifications/requests/{id}": NotificationRequest,
    "POST /api/v1/notifications/requests/{id}/accept": Nothing,
    "POST /api/v1/notifications/requests/{id}/dismiss": Nothing,
    "POST /api/v1/notifications/requests/accept": Nothing,
    "POST /api/v1/notifications/requests/dismiss": Nothing,
    "GET /api/v1/notifications/requests/merged": Merged,
    "GET /api/v1/markers": Markers,
    "POST /api/v1/markers": Markers,
    "GET /api/v1/push/subscription": PushSubscription,
    "POST /api/v1/push/subscription": PushSubscription,
    "PUT /api/v1/push/subscription": PushSubscription,
    "DELETE /api/v1/push/subscription": Nothing,
    # Messages
    "GET /api/v1/conversations": list[Conversation],
    "POST /api/v1/conversations/{id}/read": Conversation,
    "DELETE /api/v1/conversations/{id}": Nothing,
    "GET /api/v1.1/direct/thread": Thread,
    "POST /api/v1.1/direct/thread/send": DirectMessage,
    "DELETE /api/v1.1/direct/thread/message": Never,
    "POST /api/v1.1/direct/thread/read": Never,
    "POST /api/v1.1/direct/thread/mute": Never,
    "POST /api/v1.1/direct/thread/unmute": Never,
    "POST /api/v1.1/direct/lookup": list[Receiver],
    "GET /api/v1.1/direct/compose/mutuals": list[Receiver],
    # Snaps
    "GET /api/v1.1/stories/carousel": Carousel,
    "GET /api/v1.2/stories/carousel": Carousel,
}

# Calls that only Tintype has, and no app: the description of the interface says what is answered (test_interface.py).
OWN = re.compile(
    r"/api/openapi\.json"
    r"|/api/v1/(chats|collage_drafts|collage_layouts|collages|contracts|past_photos|photos|rephotographs|snaps|snap_feeds"
    r"|snap_samples)(/.*)?"
    r"|/api/v1/(messages/search|push/test|timelines/between)"
    r"|/api/v1/statuses/[^/]+/guest_link"
)

# What is JSON for apps, and its errors, too.
INTERFACE = re.compile(r"/(api|\.well-known)/.*|/oauth/(token|revoke|userinfo)")

# The events of Mastodon's streams.
EVENTS = {
    "update": Status,
    "status.update": Status,
    "delete": Id,
    "notification": Notification,
    "conversation": Conversation,
}

# One page of a list, as Pixelfed's app and Ice Cubes find it: they split at commas, and look for digits.
LINK = re.compile(r' ?<https?://[^/>\s,]+/[^>\s,]*\?[^>\s,]*\b(max|min)_id=\d+(&[^>\s,]*)?>; rel="(?P<rel>next|prev)"')

_problems = []


def taken():
    """What was wrong with the answers since this was asked last, in words."""
    found = list(_problems)
    _problems.clear()
    return found


def see(method, url, status, headers, body):
    """Looks at an answer. What an app can't use fails the test that is running."""
    if problem := problem_of(method, url, status, headers, body):
        _problems.append(problem)


def see_response(answer, *_, **__):
    """Looks at an answer that requests got: a hook of its sessions. A stream isn't read here."""
    body = answer.content if "json" in answer.headers.get("Content-Type", "") else b""
    see(answer.request.method, answer.url, answer.status_code, answer.headers, body)


def see_event(name, data):
    """Looks at an event of a stream in Mastodon's form."""
    # An id comes by itself: apps take it as it is, and Mastodon.py for a number in JSON.
    body = json.dumps(data) if name == "delete" else data
    if name not in EVENTS:
        _problems.append(f"apps don’t know the event {name}")
    elif problem := decoding_problem(EVENTS[name], body):
        _problems.append(f"the event {name}: {problem}")


def see_frame(frame):
    """Looks at what a WebSocket said, and at the event in it."""
    if problem := decoding_problem(StreamMessage, frame):
        _problems.append(f"a frame of the WebSocket: {problem}")
    else:
        message = StreamMessage.model_validate_json(frame)
        see_event(message.event, message.payload)


def label_of(method, path):
    """The label of the call that a path is about; nothing for those that aren't an app's."""
    for label, pattern in _patterns():
        if pattern.fullmatch(f"{method} {path}"):
            return label
    return None


@functools.cache
def _patterns():
    """Whole names come before those of any thing: `accounts/lookup` is nobody's id."""
    labels = sorted(ANSWERS, key=lambda label: label.count("{"))
    return [(label, re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(label)))) for label in labels]


def problem_of(method, url, status, headers, body):
    """What an app stumbles over in an answer, in words; nothing when it can use it."""
    parts = urllib.parse.urlsplit(url)
    # Every path works with a slash at its end, too.
    path = parts.path.rstrip("/")
    if method in ("HEAD", "OPTIONS") or not INTERFACE.fullmatch(path) or 300 <= status < 400:
        return None
    said = f"{method} {url} answered {status}: "
    is_json = "application/json" in (headers.get("Content-Type") or "")
    if status >= 400:
        # Of a picture, which is no JSON: it has no such part.
        if status == 416:
            return None
        if not is_json:
            return said + "an error that isn’t JSON"
        problem = decoding_problem(Refusal, body)
        return problem and said + problem
    label = label_of(method, path)
    if label is None:
        if is_json and not OWN.fullmatch(path):
            return said + "app_answers.py doesn’t say as what an app reads this"
        return None
    if not is_json:
        return said + f"{headers.get('Content-Type')} is no JSON"
    problem = decoding_problem(_model(label, urllib.parse.parse_qs(parts.query)), body) or link_problem(headers)
    return problem and said + problem


def _model(label, query):
    kinds = query.get("types[]", []) + query.get("types", [])
    if label == "GET /api/v1/notifications" and any(kind.startswith("tintype.") for kind in kinds):
        return list[AnyNotification]
    return ANSWERS[label]


def decoding_problem(model: Any, body):
    """Why JSON can't be read as something, in words; nothing when it can."""
    try:
        _reader(model).validate_json(body, strict=True)
    except pydantic.ValidationError as error:
        return "; ".join(
            f"{'.'.join(str(part) for part in one['loc'])}: {one['msg']}, but it is {str(one['input'])[:100]!r}"
            for one in error.errors(include_url=False)[:5]
        )
    return None


@functools.cache
def _reader(model):
    return pydantic.TypeAdapter(model)


def link_problem(headers):
    """What an app can't follow in the header that leads to other pages."""
    link = headers.get("Link")
    if not link:
        return None
    found = [LINK.fullmatch(part) for part in link.split(",")]
    # toot looks for the next page at the beginning only.
    if not all(found) or [one["rel"] for one in found] not in (["next"], ["prev"], ["next", "prev"]):
        return f"apps can’t follow {link}"
    return None
