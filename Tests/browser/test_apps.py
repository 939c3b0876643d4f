"""Letting apps in: from the app to the browser and back, with toot and Mastodon.py as they are."""

import http.server
import json
import queue
import re
import urllib.error
import urllib.parse
import urllib.request

import mastodon
import pytest
from playwright.sync_api import expect

from apps import OUT_OF_BAND, Toot, WatchedListener, client, code_for
from conftest import png
from loopback import Loopback
from looks import accessibility_problems, scrolls_sideways
from people import befriend, ready
from servers import own_address

# Apps read the server's addresses from the server, so it has to know its own.
URL, ADDRESS = own_address()
SERVER_FLAGS = ["--sign-up", "open", *ADDRESS, "--limit-log-ins", "1000"]

# Checking a password takes long on purpose, and longer in a debug build beside other tests.
PASSWORD_TIMEOUT = 60_000


def register(server, redirect, name="Ice Cubes", scopes="read write follow push"):
    """Registers an app; its identifier and secret."""
    form = {"client_name": name, "redirect_uris": redirect, "scopes": scopes}
    return send(server, "/api/v1/apps", form)


def send(server, path, form):
    body = urllib.parse.urlencode(form).encode()
    with urllib.request.urlopen(server.url + path, body, timeout=60) as answer:
        return json.loads(answer.read())


def address(server, app, redirect, **more):
    """What the app opens in a browser."""
    query = {
        "client_id": app["client_id"],
        "redirect_uri": redirect,
        "response_type": "code",
        "scope": "read write follow push",
        **more,
    }
    return f"{server.url}/oauth/authorize?{urllib.parse.urlencode(query)}"


def token(server, app, code, redirect):
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect,
        "client_id": app["client_id"],
        "client_secret": app["client_secret"],
    }
    return send(server, "/oauth/token", form)


def log_in(page, username):
    page.get_by_label("Username").fill(username)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Log In").click(timeout=PASSWORD_TIMEOUT)


class Visits:
    """What a browser asks for, and what it refuses to ask for."""

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)
        self.asked = []
        self.refused = []
        self._session.send("Network.enable")
        self._session.on("Network.requestWillBeSent", lambda event: self.asked.append(event["request"]["url"]))
        self._session.on("Network.loadingFailed", lambda event: self.refused.append(event.get("blockedReason")))

    def wait(self, page, found):
        """Waits for the browser's first visit that is looked for."""
        while True:
            for url in self.asked:
                if found(url):
                    return url
            page.wait_for_event("requestfailed")


@pytest.fixture
def web_app():
    """A web app on another origin: its address for the way back, and the addresses at which people come back."""
    visits = queue.Queue()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            if self.path.startswith("/cb"):
                visits.put((self.path, self.headers.get("Referer")))
            if "from=elsewhere" in self.path:
                self.send_response(302)
                self.send_header("Location", f"http://localhost:{self.server.server_port}/landed")
                self.end_headers()
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Back</title><h1>Back in the app</h1>")

        def log_message(self, *_):
            pass

    with Loopback(("127.0.0.1", 0), Handler) as site:
        yield f"http://127.0.0.1:{site.server_port}/cb?from=tintype", visits


# ---------------------------------------------------------------- the way through the browser


def test_log_in_consent_and_back_to_a_web_app(server, people, stranger, web_app):
    ana = people("web.ana")
    redirect, visits = web_app
    app = register(server, redirect, name="Web App")
    page = stranger()
    page.goto(address(server, app, redirect, state="a b&c"))
    expect(page).to_have_url(re.compile(r"/login\?next="))
    log_in(page, "web.ana")
    expect(page.get_by_role("heading", name="Allow access?")).to_be_visible(timeout=PASSWORD_TIMEOUT)
    expect(page.get_by_text("@web.ana")).to_be_visible()
    assert not scrolls_sideways(page)
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Allow").click()
    expect(page.get_by_role("heading", name="Back in the app")).to_be_visible()
    path, referrer = visits.get(timeout=30)
    assert not referrer
    query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(path).query))
    assert (query["from"], query["state"], query["iss"]) == ("tintype", "a b&c", URL)
    granted = token(server, app, query["code"], redirect)
    assert granted["scope"] == "read write follow push"
    assert isinstance(granted["created_at"], int)
    ana.token = granted["access_token"]
    assert ana.get("/api/v1/accounts/verify_credentials")["username"] == "web.ana"
    with pytest.raises(urllib.error.HTTPError) as refused:
        token(server, app, query["code"], redirect)
    assert refused.value.code == 400
    with pytest.raises(urllib.error.HTTPError) as ended:
        ana.get("/api/v1/accounts/verify_credentials")
    assert ended.value.code == 401


@pytest.mark.long
def test_a_web_app_may_send_people_on_to_another_origin(server, people, web_app):
    ana = people("policy.ana")
    redirect, visits = web_app
    redirect = redirect.replace("from=tintype", "from=elsewhere")
    app = register(server, redirect, name="Web App")
    ana.page.goto(address(server, app, redirect))
    ana.page.get_by_role("button", name="Allow").click()
    expect(ana.page.get_by_role("heading", name="Back in the app")).to_be_visible()
    expect(ana.page).to_have_url(re.compile("^http://localhost:[0-9]+/landed$"))
    path, _ = visits.get(timeout=30)
    assert "code=" in path


def test_a_phone_app_gets_its_code_by_its_own_scheme(server, people):
    ana = people("phone.ana")
    app = register(server, "icecubesapp://")
    messages = []
    ana.page.on("console", lambda message: messages.append(message.text))
    visits = Visits(ana.page)
    ana.page.goto(address(server, app, "icecubesapp://"))
    ana.page.get_by_role("button", name="Allow").click()
    url = visits.wait(ana.page, lambda url: url.startswith("icecubesapp:"))
    [code] = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query)["code"]
    assert token(server, app, code, "icecubesapp://")["token_type"] == "Bearer"
    assert not [text for text in messages if "form-action" in text]
    assert "csp" not in visits.refused


def test_cancelling_goes_back_without_a_code(server, people, web_app):
    ana = people("cancel.ana")
    redirect, visits = web_app
    app = register(server, redirect)
    ana.page.goto(address(server, app, redirect))
    ana.page.get_by_role("button", name="Cancel").click()
    expect(ana.page.get_by_role("heading", name="Back in the app")).to_be_visible()
    path, _ = visits.get(timeout=30)
    assert "error=access" in path and "code=" not in path.replace("code%3D", "")


@pytest.mark.long
def test_another_person_logs_in_from_the_consent_page(server, people):
    ana, _ = people("first.ana"), people("second.bea")
    app = register(server, OUT_OF_BAND)
    ana.page.goto(address(server, app, OUT_OF_BAND))
    ana.page.get_by_role("button", name="Not you?").click()
    log_in(ana.page, "second.bea")
    expect(ana.page.get_by_text("@second.bea")).to_be_visible(timeout=PASSWORD_TIMEOUT)
    expect(ana.page.get_by_role("heading", name="Allow access?")).to_be_visible()


def test_a_wrong_request_is_explained_on_the_page(server, people, web_app):
    ana = people("wrong.ana")
    redirect, visits = web_app
    app = register(server, redirect, scopes="read")
    ana.page.goto(address(server, app, redirect))
    expect(ana.page.get_by_role("alert")).to_contain_text("hasn’t registered for")
    assert visits.empty()
    ana.page.get_by_role("link", name="Back to 127.0.0.1").click()
    expect(ana.page.get_by_role("heading", name="Back in the app")).to_be_visible()
    assert "error=invalid" in visits.get(timeout=30)[0]
    ana.page.goto(address(server, app, redirect + "x"))
    expect(ana.page.get_by_text("hasn’t registered, so it can’t get access")).to_be_visible()


def test_settings_lists_apps_and_revokes_them(server, people):
    ana = people("settings.ana")
    ana.open("/settings/apps")
    expect(ana.page.get_by_text("No app is logged in.")).to_be_visible()
    app = register(server, OUT_OF_BAND, name="Ice Cubes")
    code = code_for(ana.page, address(server, app, OUT_OF_BAND))
    phone = token(server, app, code, OUT_OF_BAND)["access_token"]
    ana.open("/settings")
    ana.page.get_by_role("link", name="Apps").click()
    ready(ana.page)
    expect(ana.page.get_by_role("heading", name="Ice Cubes", exact=True)).to_be_visible()
    assert not scrolls_sideways(ana.page)
    assert accessibility_problems(ana.page) == []
    ana.page.get_by_role("button", name="Revoke Ice Cubes").click()
    question = ana.page.get_by_role("dialog", name="Revoke Ice Cubes?")
    question.get_by_role("button", name="Keep").click()
    expect(question).to_be_hidden()
    ana.page.get_by_role("button", name="Revoke Ice Cubes").click()
    question.get_by_role("button", name="Revoke", exact=True).click()
    expect(ana.page.get_by_text("No app is logged in.")).to_be_visible()
    ana.token = phone
    with pytest.raises(urllib.error.HTTPError) as ended:
        ana.get("/api/v1/accounts/verify_credentials")
    assert ended.value.code == 401


# ---------------------------------------------------------------- toot


@pytest.mark.long
def test_toot_logs_in_and_does_what_it_can(server, people, tmp_path):
    ana, bea = people("toot.ana"), people("toot.bea")
    befriend(ana, bea)
    theirs = bea.share("Harbour, with @toot.ana", *picture(tmp_path), visibility="public")
    toot = Toot(tmp_path)
    toot.log_in(URL, lambda url: code_for(ana.page, url))
    assert "@toot.ana" in toot("whoami")
    assert toot.json("whois", "toot.bea")["username"] == "toot.bea"
    assert "Harbour" in toot("timeline", "--once")
    file = str(picture(tmp_path)[0])
    mine = toot.json("post", "By toot", "--media", file, "--description", "Soft colours", "--visibility", "private")
    assert mine["media_attachments"][0]["description"] == "Soft colours"
    assert "By toot" in toot("timeline", "--once")
    reply = toot.json("post", "@toot.bea Lovely", "--reply-to", theirs, "--visibility", "public")
    assert reply["in_reply_to_id"] == theirs
    assert "Lovely" in toot("thread", theirs)
    assert toot.json("status", theirs)["replies_count"] == 1
    for word, undo in [("favourite", "unfavourite"), ("bookmark", "unbookmark")]:
        toot(word, theirs)
        status = toot.json("status", theirs)
        assert status["favourited" if word == "favourite" else "bookmarked"]
        if word == "bookmark":
            assert "Harbour" in toot("bookmarks", "--once")
        toot(undo, theirs)
    assert toot.json("search", "toot.bea")["accounts"][0]["acct"] == "toot.bea"
    assert "mentioned you" in toot("notifications")
    toot("unfollow", "toot.bea")
    assert [account["acct"] for account in toot.json("following")] == []
    toot("follow", "toot.bea")
    assert [account["acct"] for account in toot.json("following")] == ["toot.bea"]
    assert [account["acct"] for account in toot.json("followers")] == ["toot.bea"]
    toot("mute", "toot.bea")
    assert [account["acct"] for account in toot.json("muted")] == ["toot.bea"]
    toot("unmute", "toot.bea")
    assert toot.json("pin", mine["id"])["pinned"]
    assert not toot.json("unpin", mine["id"])["pinned"]
    toot("block", "toot.bea")
    assert [account["acct"] for account in toot.json("blocked")] == ["toot.bea"]
    # toot looks for people by their names before it does anything, and nobody finds whom they block.
    ana.post(f"/api/v1/accounts/{bea.id}/unblock")
    toot("update_account", "--display-name", "Ana by toot")
    assert ana.get("/api/v1/accounts/verify_credentials")["display_name"] == "Ana by toot"
    toot("delete", mine["id"])
    assert "By toot" not in toot("timeline", "--once")
    # It keeps its identifiers, and logs in with them again after its token was revoked.
    revoke_all(ana)
    assert toot.try_to("whoami").returncode != 0
    toot.log_in(URL, lambda url: code_for(ana.page, url))
    assert "@toot.ana" in toot("whoami")


def picture(folder):
    path = folder / "photo.png"
    path.write_bytes(png(600, 400))
    return [path]


def revoke_all(person):
    """Ends the only app of a person, in Settings."""
    person.open("/settings/apps")
    person.page.get_by_role("button", name="Revoke").first.click()
    person.page.get_by_role("dialog").get_by_role("button", name="Revoke", exact=True).click()
    expect(person.page.get_by_text("No app is logged in.")).to_be_visible()


# ---------------------------------------------------------------- Mastodon.py


class Listener(WatchedListener):
    """What comes through a stream."""

    def __init__(self):
        self.heard = queue.Queue()
        self._is_open = False

    def handle_heartbeat(self):
        # The first says that the stream is open. Others follow whenever nothing has come for a while.
        if not self._is_open:
            self._is_open = True
            self.heard.put(("heartbeat", None))

    def on_notification(self, notification):
        self.heard.put(("notification", notification.type))


def test_mastodon_py_logs_in_and_does_what_it_can(server, people, tmp_path):
    ana, bea = people("py.ana"), people("py.bea")
    befriend(ana, bea)
    theirs = bea.share("Harbour", *picture(tmp_path), visibility="public")
    api = client(ana.page, URL)
    assert api.app_verify_credentials().name == "Mastodon.py"
    assert api.me().username == "py.ana"
    assert api.account_verify_credentials().source.privacy
    assert api.instance_v2().title and api.instance_v1().uri

    # Home, post with a picture, edit, reply, delete.
    assert [status.content for status in api.timeline_home()] == ["<p>Harbour</p>"]
    media = api.media_post(str(picture(tmp_path)[0]), description="Soft colours")
    assert media.url and media.description == "Soft colours"
    mine = api.status_post("By Mastodon.py", media_ids=[media], visibility="private", idempotency_key="once")
    again = api.status_post("By Mastodon.py", media_ids=[media], visibility="private", idempotency_key="once")
    assert mine.id == again.id
    assert api.status(mine).media_attachments[0].description == "Soft colours"
    api.status_update(mine, "By Mastodon.py, changed")
    assert "changed" in api.status(mine).content
    reply = api.status_reply(api.status(theirs), "Lovely")
    assert str(reply.in_reply_to_id) == theirs
    assert [status.id for status in api.status_context(theirs).descendants] == [reply.id]
    bea.post("/api/v1/statuses", status="Thanks", in_reply_to_id=str(mine.id))

    # Likes, saves, lists of them.
    assert api.status_favourite(theirs).favourited
    assert [str(status.id) for status in api.favourites()] == [theirs]
    assert [account.acct for account in api.status_favourited_by(theirs)] == ["py.ana"]
    assert not api.status_unfavourite(theirs).favourited
    assert api.status_bookmark(theirs).bookmarked
    assert [str(status.id) for status in api.bookmarks()] == [theirs]
    assert not api.status_unbookmark(theirs).bookmarked

    # People.
    assert [account.acct for account in api.account_search("py.bea")] == ["py.bea"]
    assert [account.acct for account in api.search("py.bea").accounts] == ["py.bea"]
    found = api.account_lookup("py.bea")
    assert api.account_relationships(found)[0].following
    assert not api.account_unfollow(found).following
    assert api.account_follow(found).following
    assert [account.acct for account in api.account_followers(api.me())] == ["py.bea"]
    assert [account.acct for account in api.account_following(api.me())] == ["py.bea"]
    assert str(api.account_statuses(found)[0].id) == theirs

    # Notifications and what has been read.
    assert "mention" in [notification.type for notification in api.notifications()]
    newest = api.notifications()[0]
    assert api.markers_set(["notifications"], [newest.id])
    api.notifications_dismiss(newest.id)
    api.notifications_clear()
    assert api.notifications() == []
    # It takes back what there was between the two.
    assert api.account_block(found).blocking
    assert [account.acct for account in api.blocks()] == ["py.bea"]
    assert not api.account_unblock(found).blocking
    befriend(ana, bea)
    assert api.conversations() == [] or api.conversations()[0].accounts
    assert api.account_mute(found).muting
    assert [account.acct for account in api.mutes()] == ["py.bea"]
    assert not api.account_unmute(found).muting
    assert api.status_pin(mine).pinned and not api.status_unpin(mine).pinned
    assert api.status_source(mine).text == "By Mastodon.py, changed"
    assert len(api.status_history(mine)) == 2
    api.account_update_credentials(display_name="Ana by Mastodon.py", note="Hello")
    assert api.me().display_name == "Ana by Mastodon.py"
    for empty in [api.lists, api.filters, api.mutes, api.custom_emojis]:
        assert empty() == []

    # Streams, which end when the app is revoked.
    assert api.stream_healthy()
    listener = Listener()
    stream = api.stream_user(listener, run_async=True, timeout=60)
    # The stream's first line, from which on nothing is missed.
    assert listener.heard.get(timeout=60) == ("heartbeat", None)
    web_socket = api.stream_open_websocket()
    api.stream_user(Listener(), websocket_handle=web_socket)
    bea.post(f"/api/v1/statuses/{mine.id}/favourite")
    assert listener.heard.get(timeout=60) == ("notification", "favourite")
    assert web_socket.is_alive()
    revoke_all(ana)
    for ended in [stream, web_socket]:
        ended.join(60)
        assert not ended.is_alive()
    with pytest.raises(mastodon.MastodonUnauthorizedError):
        api.me()


def test_mastodon_py_is_held_to_its_permissions_and_gives_its_token_back(server, people):
    ana = people("fine.ana")
    scopes = ["read:accounts", "write:media"]
    api = client(ana.page, URL, scopes)
    assert api.me().username == "fine.ana"
    for refused in [api.timeline_home, api.notifications, lambda: api.status_post("No")]:
        with pytest.raises(mastodon.MastodonAPIError) as outside:
            refused()
        assert outside.value.args[1] == 403
    ana.token = api.access_token
    with pytest.raises(urllib.error.HTTPError) as closed:
        ana.get("/api/v1/streaming/user")
    assert closed.value.code == 403
    api.revoke_access_token(allow_http=True)
    ana.open("/settings/apps")
    expect(ana.page.get_by_text("No app is logged in.")).to_be_visible()
