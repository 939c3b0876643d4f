"""The models of apps' things (app_models.py, app_server_models.py): they cover the whole interface, and refuse what an app stumbles over."""

import copy
import json

import pytest
import requests

import app_answers
from app_models import Account, GroupedNotifications, MediaAttachment, Notification, Status, Tag
from app_server_models import Refusal, Token
from conftest import png
from people import befriend


def test_every_call_is_an_apps_or_only_ours(server):
    described = requests.get(f"{server.url}/api/openapi.json").json()["paths"]
    calls = {
        f"{method.upper()} {path}"
        for path, operations in described.items()
        for method, operation in operations.items()
        if any(
            "application/json" in answer.get("content", {})
            for status, answer in operation["responses"].items() if status < "300"
        )
    }  # fmt: skip
    own = {call for call in calls if app_answers.OWN.fullmatch(call.split()[1])}
    assert len(own) > 50 and own.isdisjoint(app_answers.ANSWERS)
    # test_interface.py makes each of these calls with success, and test_apps.py that of an app alone.
    assert sorted(calls - own) == sorted(app_answers.ANSWERS)


@pytest.fixture(scope="module")
def answered(server, tmp_path_factory):
    """Real answers, in which a test can make something wrong."""
    picture = tmp_path_factory.mktemp("models") / "picture.png"
    picture.write_bytes(png(64, 48))
    ana, ben = server.person("ana"), server.person("ben")
    befriend(ana, ben)
    post = ana.share("Mine #boats", picture)
    ben.post(f"/api/v1/statuses/{post}/favourite")
    token = requests.post(f"{server.url}/oauth/token", data={"grant_type": "client_credentials", **app(server)})
    return {
        Account: ben.get(f"/api/v1/accounts/{ana.id}"),
        MediaAttachment: ben.get(f"/api/v1/statuses/{post}")["media_attachments"][0],
        Status: ben.get(f"/api/v1/statuses/{post}"),
        Tag: ben.get("/api/v1/tags/boats"),
        Notification: ana.get("/api/v1/notifications?limit=1")[0],
        GroupedNotifications: ana.get("/api/v2/notifications"),
        Token: token.json(),
        Refusal: {"error": "This server doesn’t have polls."},
    }


def app(server):
    form = {"client_name": "App", "redirect_uris": "https://app.example/back", "scopes": "read"}
    made = requests.post(f"{server.url}/api/v1/apps", data=form).json()
    return {name: made[name] for name in ("client_id", "client_secret")}


MISSING = object()


@pytest.mark.parametrize(
    ("model", "member", "value"),
    [
        (Account, "id", 5),
        (Account, "id", "01KBN6T3"),
        (Account, "id", "0"),
        (Account, "id", str(2**63)),
        (Account, "display_name", None),
        (Account, "display_name", MISSING),
        (Account, "created_at", "2026-11-21T09:41:00Z"),
        (Account, "created_at", "2026-11-21T09:41:00.000000Z"),
        (Account, "created_at", "2026-11-21T09:41:00.000+00:00"),
        (Account, "created_at", "2026-11-31T09:41:00.000Z"),
        (Account, "last_status_at", "2026-11-21T09:41:00.000Z"),
        (Account, "avatar", ""),
        (Account, "avatar", None),
        (Account, "avatar", "/portraits/5"),
        (Account, "url", "https://tintype.example/tags/h\u00e5fen"),
        (Account, "followers_count", "1"),
        (Account, "followers_count", 1.5),
        (Account, "followers_count", True),
        (Account, "locked", 0),
        (Account, "locked", "false"),
        (Account, "emojis", None),
        (MediaAttachment, "url", None),
        (MediaAttachment, "type", "picture"),
        (MediaAttachment, "meta.original.width", 0),
        (MediaAttachment, "meta.focus.x", 2),
        (MediaAttachment, "blurhash", ""),
        (MediaAttachment, "errors", {"file": ["is too large"]}),
        (Status, "visibility", "friends"),
        (Status, "pf_type", "text"),
        (Status, "pf_type", "photo:album"),
        (Status, "reply_count", 7),
        (Status, "account.header", ""),
        (Status, "media_attachments", None),
        (Tag, "history", None),
        (Tag, "following", None),
        (Notification, "type", "tintype.snap"),
        (Notification, "status", MISSING),
        (Notification, "status", None),
        (GroupedNotifications, "accounts", []),
        (GroupedNotifications, "statuses", []),
        (Token, "created_at", "2026-11-21T09:41:00.000Z"),
        (Token, "scope", ""),
        (Refusal, "error", ""),
    ],
)
def test_what_an_app_stumbles_over_is_refused(answered, model, member, value):
    assert app_answers.decoding_problem(model, json.dumps(answered[model])) is None
    wrong = copy.deepcopy(answered[model])
    *path, last = member.split(".")
    inner = wrong
    for name in path:
        inner = inner[name]
    if value is MISSING:
        del inner[last]
    else:
        inner[last] = value
    assert app_answers.decoding_problem(model, json.dumps(wrong))


JSON = {"Content-Type": "application/json; charset=utf-8"}
HOME = "https://tintype.example/api/v1/timelines/home"


@pytest.mark.parametrize(
    "link",
    [
        f'<{HOME}?max_id=5&limit=20>; rel="next", <{HOME}?min_id=9&limit=20>; rel="prev"',
        f'<{HOME}?max_id=5>; rel="next"',
    ],
)
def test_links_that_apps_can_follow(link):
    assert app_answers.problem_of("GET", HOME, 200, {**JSON, "Link": link}, "[]") is None


@pytest.mark.parametrize(
    ("method", "url", "status", "headers", "body"),
    [
        ("GET", HOME, 200, {**JSON, "Link": f'<{HOME}?min_id=9>; rel="prev", <{HOME}?max_id=5>; rel="next"'}, "[]"),
        ("GET", HOME, 200, {**JSON, "Link": f'<{HOME}?max_id=5&any=a,b>; rel="next"'}, "[]"),
        ("GET", HOME, 200, {**JSON, "Link": '</api/v1/timelines/home?max_id=5>; rel="next"'}, "[]"),
        ("GET", HOME, 200, {**JSON, "Link": f'<{HOME}?max_id=01KBN6T3>; rel="next"'}, "[]"),
        ("GET", HOME, 200, {"Content-Type": "text/html"}, "<!doctype html>"),
        ("GET", HOME, 404, {"Content-Type": "text/html"}, "<!doctype html>"),
        ("GET", HOME, 404, JSON, "{}"),
        ("GET", f"{HOME}/", 200, JSON, "{}"),
        ("GET", "https://tintype.example/api/v1/unheard_of", 200, JSON, "{}"),
    ],
)
def test_answers_that_no_app_can_use(method, url, status, headers, body):
    assert app_answers.problem_of(method, url, status, headers, body)


@pytest.mark.parametrize(("name", "data"), [("update", "{}"), ("delete", "01KBN6T3"), ("delete", '"5"'), ("tintype.counts", "{}")])
def test_events_that_no_app_can_use(name, data):
    app_answers.see_event(name, data)
    assert len(app_answers.taken()) == 1


def test_the_event_of_a_deletion_is_an_id_by_itself():
    app_answers.see_event("delete", "385024462273056768")
    assert app_answers.taken() == []


def test_frames_that_no_app_can_use():
    app_answers.see_frame(json.dumps({"event": "delete", "payload": "5"}))
    app_answers.see_frame(json.dumps({"event": "delete", "payload": "{}", "stream": ["user"]}))
    assert len(app_answers.taken()) == 2
