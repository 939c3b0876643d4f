"""One request for each call that changes something, with which the call is accepted: `EXAMPLES`."""

import json
import time
import urllib.request

from people import befriend

# A device as RFC 8291 has it in section 5. Nothing answers at its address.
DEVICE = {
    "endpoint": "https://push.example.org/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
    "keys": {
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
    },
    "standard": True,
}


class Example:
    """A request: what stands for the parameters of its path, what is sent, and who sends it (ana, unless it says so)."""

    def __init__(self, body=None, by=None, token=None, **path):
        self.path, self.body, self.by, self.token = path, body, by, token


class Things:
    """Ana, her friends ben, cleo and dora, and whatever a call needs: everything is made when an example asks for it."""

    def __init__(self, server, picture, names=""):
        """With `names` behind their usernames the people are others."""
        self.server, self.picture = server, picture
        self.ana, self.ben, self.cleo, self.dora = (
            server.person(name + names) for name in ["anita", "benno", "clara", "doris"]
        )
        befriend(self.ana, self.ben)
        befriend(self.ana, self.cleo)
        befriend(self.ana, self.dora)
        befriend(self.ben, self.cleo)
        # Accounts are awaited, so they are few.
        self.stranger, self.admirer = server.person(f"stranger{names}"), server.person(f"admirer{names}")
        self._numbers = iter(range(1_000))

    def word(self):
        return f"word{next(self._numbers)}"

    def post(self, by=None):
        return (by or self.ana).share("A post #harbour", self.picture, visibility="public")

    def photo(self, by=None):
        return (by or self.ana).upload(self.picture)

    def chat(self):
        return self.ana.post("/api/v1/chats", account_id=self.ben.id)["id"]

    def group(self):
        return self.ana.post("/api/v1/chats", account_ids=[self.ben.id, self.cleo.id], title="Crew")["id"]

    def request(self):
        """A chat that the stranger asks for."""
        chat = self.stranger.post("/api/v1/chats", account_id=self.ana.id)["id"]
        self.stranger.post(f"/api/v1/chats/{chat}/messages", text="May I?")
        return chat

    def message(self, by=None, **members):
        """A message of the chat with ben: the parameters of its path."""
        chat = self.chat()
        sent = (by or self.ana).post(f"/api/v1/chats/{chat}/messages", **(members or {"text": "Hello"}))
        return {"id": chat, "message": sent["id"]}

    def written_to(self):
        """Someone with whom ana has a chat."""
        self.message()
        return self.ben.id

    def once(self, opened=False):
        """A picture of ben's that ana may see once."""
        media = self.ben.upload(self.picture, purpose="view_once")
        sent = self.message(self.ben, media_id=media, view_once=True)
        if opened:
            self.ana.post(f"/api/v1/chats/{sent['id']}/messages/{sent['message']}/open")
        return sent

    def snap(self, by=None, opened=False):
        by = by or self.ana
        media = by.upload(self.picture, purpose="snap")
        snap = by.post("/api/v1/snaps", media_id=media, feed_id="memes")["id"]
        if opened:
            self.ana.post(f"/api/v1/snaps/{snap}/open")
        return snap

    def cells(self):
        photo = self.photo()
        return [{"photo_id": photo}, {"photo_id": photo}]

    def collage(self):
        return self.ana.post(
            "/api/v1/collages", layout_id="side-by-side", size=512, cells=self.cells()
        )["id"]

    def draft(self, full=False):
        draft = self.ana.post("/api/v1/collage_drafts", layout_id="side-by-side")["id"]
        for index in range(2 if full else 0):
            self.send("PUT", f"/api/v1/collage_drafts/{draft}/cells/{index}", photo_id=self.photo())
        return draft

    def pair(self):
        return self.ana.post("/api/v1/rephotographs", photo_id=self.photo(), media_id=self.photo())["id"]

    def list(self, *people):
        crew = self.ana.post("/api/v1/lists", title=self.word())["id"]
        if people:
            self.ana.post(f"/api/v1/lists/{crew}/accounts", account_ids=[one.id for one in people])
        return crew

    def filter(self):
        words = [{"keyword": self.word()}]
        return self.ana.post("/api/v2/filters", title=self.word(), context=["home"], keywords_attributes=words)

    def word_of_filter(self):
        return self.filter()["keywords"][0]["id"]

    def notification(self):
        """The newest notification of ana's, once ben has liked a post of hers."""
        self.ben.post(f"/api/v1/statuses/{self.post()}/favourite")
        return self.ana.get("/api/v2/notifications?limit=1")["notification_groups"][0]

    def put_aside(self):
        """The stranger, once a like of theirs was put aside."""
        post = self.post()
        # A person who was accepted isn't put aside, until a block.
        for change in ["block", "unblock"]:
            self.ana.post(f"/api/v1/accounts/{self.stranger.id}/{change}")
        self.send("PATCH", "/api/v2/notifications/policy", for_not_following="filter")
        self.stranger.post(f"/api/v1/statuses/{post}/favourite")
        self.send("PATCH", "/api/v2/notifications/policy", for_not_following="accept")
        return self.stranger.id

    def pledge(self, person):
        return {
            "stake_photo_id": self.photo(person), "publish_to": ["server"], "consent": True, "of_age": True,
        }  # fmt: skip

    def proposal(self, **members):
        ends = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 86_400))
        return {
            "partner_id": self.ben.id, "promise": self.word(), "rules": ["Outside"], "ends_at": ends,
            **self.pledge(self.ana), **members,
        }  # fmt: skip

    def contract(self, *moves, witness=False):
        """A contract that ana has proposed to ben, after some moves: the moves of ana's are marked with a plus."""
        members = {"witness_id": self.cleo.id} if witness else {}
        id = self.ana.post("/api/v1/contracts", **self.proposal(**members))["id"]
        for move in moves:
            person = {"+": self.ana, "*": self.cleo}.get(move[0], self.ben)
            sent = self.pledge(person) if move == "accept" else {}
            person.post(f"/api/v1/contracts/{id}/{move.strip('+*')}", **sent)
        return id

    def follower(self):
        """Someone who asks to follow cleo, whose followers are asked first."""
        self.send("PATCH", "/api/v1/accounts/update_credentials", by=self.cleo, locked=True)
        self.admirer.post(f"/api/v1/accounts/{self.cleo.id}/unfollow")
        self.admirer.follow(self.cleo)
        return self.admirer.id

    def send(self, method, path, by=None, **members):
        return (by or self.ana).call(method, path, json.dumps(members).encode(), "application/json")

    def app(self, scopes="read write"):
        """An app's identifier and secret, as OAuth's calls take them."""
        app = self.ana.post(
            "/api/v1/apps", client_name="App", redirect_uris=["https://app.example/back"], scopes=scopes
        )
        return {"client_id": app["client_id"], "client_secret": app["client_secret"]}

    def app_token(self, app):
        body = json.dumps({"grant_type": "client_credentials", "scope": "read write", **app}).encode()
        request = urllib.request.Request(
            f"{self.server.url}/oauth/token", body, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)["access_token"]

    def file(self):
        return {"file": self.picture.read_bytes()}

    def after(self, call, example):
        """The example, once ana has made a call on the same thing, such as a follow before its end."""
        method, path = call.split()
        self.send(method, path.format(**example.path))
        return example

    def revocation(self):
        app = self.app()
        return Example({"token": self.app_token(app), **app}, by=NOBODY)


# Who sends what needs no log-in.
NOBODY = object()


def one(kind, body=None, **kwargs):
    """An example about a new thing of a kind, which is the id of the path."""
    return lambda t: Example(body, id=getattr(t, kind)(**kwargs))


def about(person, body=None):
    return lambda t: Example(body, id=getattr(t, person).id)


def tag(verb=None):
    """An example about a hashtag, after a verb that it undoes."""
    example = Example(name="harbour")
    return (lambda t: t.after(f"POST /api/v1/tags/{{name}}/{verb}", example)) if verb else (lambda _: example)


def of_post(verb=None):
    """An example about a post of ana's, after a verb that it undoes."""

    def make(t):
        example = Example(id=t.post())
        return t.after(f"POST /api/v1/statuses/{{id}}/{verb}", example) if verb else example

    return make


def of_contract(*moves, body=None, by="ben", witness=False):
    return lambda t: Example(body or {}, by=getattr(t, by), id=t.contract(*moves, witness=witness))


PROFILE = {"display_name": "Anita", "note": "Photos", "locked": False, "source": {"privacy": "public"}}
STYLE = {"layout_id": "side-by-side", "background": "#1d5fd1", "spacing": 8, "corner_radius": 4}

# By the label of the call; `t` is a `Things`.
EXAMPLES = {
    # People
    "POST /api/v1/accounts": lambda t: Example(
        {"username": t.word(), "password": "correct horse", "agreement": True, "display_name": "New"},
        by=NOBODY, token=t.app_token(t.app()),
    ),
    "PATCH /api/v1/accounts/update_credentials": lambda _: Example(PROFILE),
    "POST /api/v1/accounts/update_credentials": lambda _: Example(PROFILE),
    "DELETE /api/v1/profile/avatar": lambda _: Example(),
    "DELETE /api/v1/profile/header": lambda _: Example(),
    "DELETE /api/v1.1/accounts/avatar": lambda _: Example(),
    "POST /api/v1/accounts/{id}/follow": about("stranger"),
    "POST /api/v1/accounts/{id}/unfollow": about("dora", {"unless_waiting": False}),
    "POST /api/v1/accounts/{id}/remove_from_followers": about("dora"),
    "POST /api/v1/accounts/{id}/block": about("stranger"),
    "POST /api/v1/accounts/{id}/unblock": about("stranger"),
    "POST /api/v1/accounts/{id}/mute": about("cleo", {"notifications": False, "duration": 3600}),
    "POST /api/v1/accounts/{id}/unmute": about("cleo"),
    "POST /api/v1/accounts/{id}/note": about("cleo", {"comment": "From the club"}),
    "POST /api/v1/accounts/{id}/endorse": about("ben"),
    "POST /api/v1/accounts/{id}/unendorse": about("ben"),
    "POST /api/v1/accounts/{id}/pin": about("ben"),
    "POST /api/v1/accounts/{id}/unpin": about("ben"),
    "POST /api/v1/follow_requests/{id}/authorize": lambda t: Example(by=t.cleo, id=t.follower()),
    "POST /api/v1/follow_requests/{id}/reject": lambda t: Example(by=t.cleo, id=t.follower()),
    "DELETE /api/v1/suggestions/{id}": about("admirer"),
    "POST /api/v1/lists": lambda _: Example({"title": "Crew", "replies_policy": "none", "exclusive": True}),
    "PUT /api/v1/lists/{id}": one("list", {"title": "Others", "exclusive": False}),
    "DELETE /api/v1/lists/{id}": one("list"),
    "POST /api/v1/lists/{id}/accounts": lambda t: Example({"account_ids": [t.ben.id]}, id=t.list()),
    "DELETE /api/v1/lists/{id}/accounts": lambda t: Example({"account_ids": [t.ben.id]}, id=t.list(t.ben)),
    "POST /api/v1/reports": lambda t: Example(
        {"account_id": t.ben.id, "status_ids": [t.post(t.ben)], "comment": "Look", "category": "other"}
    ),
    "POST /api/v1.1/report": lambda t: Example(
        {"object_type": "post", "object_id": t.post(t.ben), "report_type": "spam"}
    ),
    "POST /api/v1/domain_blocks": lambda _: Example({"domain": "example.org"}),
    "DELETE /api/v1/domain_blocks": lambda _: Example({"domain": "example.org"}),
    # Apps
    "POST /api/v1/apps": lambda _: Example(
        {"client_name": "App", "redirect_uris": ["https://app.example/back"], "scopes": "read"}
    ),
    "POST /oauth/token": lambda t: Example({"grant_type": "client_credentials", **t.app()}, by=NOBODY),
    "POST /oauth/revoke": Things.revocation,
    "POST /oauth/userinfo": lambda _: Example(),
    "POST /api/v1/push/subscription": lambda _: Example(
        {"subscription": DEVICE, "data": {"policy": "all", "alerts": {"mention": True}}}
    ),
    "PUT /api/v1/push/subscription": lambda _: Example({"data": {"policy": "all", "alerts": {"follow": True}}}),
    "POST /api/v1/push/test": lambda _: Example(),
    "DELETE /api/v1/push/subscription": lambda _: Example(),
    # Notifications
    "POST /api/v1/markers": lambda _: Example({"notifications": {"last_read_id": "1"}}),
    "POST /api/v1/notifications/{id}/dismiss": lambda t: Example(id=t.notification()["most_recent_notification_id"]),
    "POST /api/v2/notifications/{group_key}/dismiss": lambda t: Example(group_key=t.notification()["group_key"]),
    "POST /api/v1/notifications/clear": lambda _: Example(),
    "PATCH /api/v2/notifications/policy": lambda t: Example({"for_new_accounts": "accept"}, by=t.dora),
    "POST /api/v1/notifications/requests/dismiss": lambda t: Example({"id": [t.put_aside()]}),
    "POST /api/v1/notifications/requests/{id}/dismiss": lambda t: Example(id=t.put_aside()),
    "POST /api/v1/notifications/requests/accept": lambda t: Example({"id": [t.put_aside()]}),
    "POST /api/v1/notifications/requests/{id}/accept": lambda t: Example(id=t.put_aside()),
    # Photos
    "POST /api/v1/media": lambda t: Example({**t.file(), "description": "Soft colours"}),
    "POST /api/v2/media": lambda t: Example({**t.file(), "purpose": "post", "kind": "camera"}),
    "PUT /api/v1/media/{id}": one("photo", {"description": "Soft colours"}),
    "DELETE /api/v1/photos/{id}": one("photo", {"force": True}),
    "POST /api/v1/photos/{id}/guest_link": one("photo"),
    "DELETE /api/v1/photos/{id}/guest_link": lambda t: t.after(
        "POST /api/v1/photos/{id}/guest_link", Example(id=t.photo())
    ),
    # Posts
    "POST /api/v1/statuses": lambda t: Example(
        {"status": "Boats", "media_ids": [t.photo()], "visibility": "public", "sensitive": True, "language": "en"}
    ),
    "PUT /api/v1/statuses/{id}": one("post", {"status": "Other boats", "sensitive": False}),
    "DELETE /api/v1/statuses/{id}": of_post(),
    "POST /api/v1/statuses/{id}/favourite": of_post(),
    "POST /api/v1/statuses/{id}/unfavourite": of_post("favourite"),
    "POST /api/v1/statuses/{id}/bookmark": of_post(),
    "POST /api/v1/statuses/{id}/unbookmark": of_post("bookmark"),
    "POST /api/v1/statuses/{id}/pin": of_post(),
    "POST /api/v1/statuses/{id}/unpin": of_post("pin"),
    "POST /api/v1/statuses/{id}/mute": of_post(),
    "POST /api/v1/statuses/{id}/unmute": of_post("mute"),
    "POST /api/v1/statuses/{id}/guest_link": of_post(),
    "DELETE /api/v1/statuses/{id}/guest_link": of_post("guest_link"),
    "POST /api/v1/statuses/{id}/reblog": of_post(),
    "POST /api/v1/statuses/{id}/unreblog": of_post(),
    "POST /api/v1/tags/{name}/follow": tag(),
    "POST /api/v1/tags/{name}/unfollow": tag("follow"),
    "POST /api/v1/tags/{name}/feature": tag(),
    "POST /api/v1/tags/{name}/unfeature": tag("feature"),
    "POST /api/v1/featured_tags": lambda t: Example({"name": t.word()}),
    "DELETE /api/v1/featured_tags/{id}": lambda t: Example(
        id=t.ana.post("/api/v1/featured_tags", name=t.word())["id"]
    ),
    "POST /api/v2/filters": lambda t: Example(
        {
            "title": t.word(), "context": ["home"], "filter_action": "warn", "expires_in": 3600,
            "keywords_attributes": [{"keyword": "rain", "whole_word": True}],
        }
    ),
    "PUT /api/v2/filters/{id}": lambda t: Example({"title": t.word(), "context": ["public"]}, id=t.filter()["id"]),
    "DELETE /api/v2/filters/{id}": lambda t: Example(id=t.filter()["id"]),
    "POST /api/v2/filters/{id}/keywords": lambda t: Example({"keyword": "snow"}, id=t.filter()["id"]),
    "PUT /api/v2/filters/keywords/{id}": one("word_of_filter", {"keyword": "hail", "whole_word": False}),
    "DELETE /api/v2/filters/keywords/{id}": one("word_of_filter"),
    "POST /api/v2/filters/{id}/statuses": lambda t: Example({"status_id": t.post(t.ben)}, id=t.filter()["id"]),
    "DELETE /api/v2/filters/statuses/{id}": lambda t: Example(
        id=t.ana.post(f"/api/v2/filters/{t.filter()['id']}/statuses", status_id=t.post(t.ben))["id"]
    ),
    "POST /api/v1/filters": lambda t: Example(
        {"phrase": t.word(), "context": ["home"], "irreversible": False, "whole_word": True, "expires_in": 3600}
    ),
    "PUT /api/v1/filters/{id}": one("word_of_filter", {"phrase": "fog", "context": ["home"]}),
    "DELETE /api/v1/filters/{id}": one("word_of_filter"),
    # Messages
    "POST /api/v1/chats": lambda t: Example({"account_ids": [t.ben.id, t.cleo.id], "title": "Crew"}),
    "PATCH /api/v1/chats/{id}": one("group", {"title": "Others"}),
    "DELETE /api/v1/chats/{id}": one("chat"),
    "POST /api/v1/chats/{id}/accept": one("request"),
    "POST /api/v1/chats/{id}/delivered": lambda t: Example(
        {"last_delivered_id": t.message(t.ben)["message"]}, id=t.chat()
    ),
    "POST /api/v1/chats/{id}/read": lambda t: Example({"last_read_id": t.message(t.ben)["message"]}, id=t.chat()),
    "POST /api/v1/chats/{id}/members": lambda t: Example({"account_ids": [t.dora.id]}, id=t.group()),
    "DELETE /api/v1/chats/{id}/members/{account}": lambda t: Example(id=t.group(), account=t.ben.id),
    "POST /api/v1/chats/{id}/mute": one("chat", {"duration": 3600}),
    "DELETE /api/v1/chats/{id}/mute": one("chat"),
    "POST /api/v1/chats/{id}/typing": one("chat"),
    "POST /api/v1/chats/{id}/messages": lambda t: Example(
        {"text": "Look", "photo_id": t.photo(), "reply_to_id": t.message(t.ben)["message"]}, id=t.chat()
    ),
    "DELETE /api/v1/chats/{id}/messages/{message}": lambda t: Example(**t.message()),
    "PUT /api/v1/chats/{id}/messages/{message}/reaction": lambda t: Example({"emoji": "👍"}, **t.message(t.ben)),
    "DELETE /api/v1/chats/{id}/messages/{message}/reaction": lambda t: Example(**t.message(t.ben)),
    "POST /api/v1/chats/{id}/messages/{message}/save": lambda t: Example(
        **t.message(t.ben, photo_id=t.photo(t.ben))
    ),
    "POST /api/v1/chats/{id}/messages/{message}/open": lambda t: Example(**t.once()),
    "POST /api/v1/chats/{id}/messages/{message}/shown": lambda t: Example(**t.once(opened=True)),
    "POST /api/v1/chats/{id}/messages/{message}/close": lambda t: Example(**t.once(opened=True)),
    "POST /api/v1/conversations/{id}/read": one("chat"),
    "DELETE /api/v1/conversations/{id}": one("chat"),
    "POST /api/v1.1/direct/lookup": lambda _: Example({"q": "benno"}),
    "POST /api/v1.1/direct/thread/send": lambda t: Example(
        {"to_id": t.ben.id, "message": "Hello", "type": "text"}
    ),
    "DELETE /api/v1.1/direct/thread/message": lambda t: Example({"id": t.message()["message"]}),
    "POST /api/v1.1/direct/thread/read": lambda t: Example({"pid": t.ben.id}),
    "POST /api/v1.1/direct/thread/mute": lambda t: Example({"id": t.written_to()}),
    "POST /api/v1.1/direct/thread/unmute": lambda t: Example({"id": t.written_to()}),
    # Snaps
    "POST /api/v1/snaps": lambda t: Example(
        {"feed_id": "memes", "media_id": t.ana.upload(t.picture, purpose="snap"), "description": "A snap"}
    ),
    "POST /api/v1/snaps/send": lambda t: Example({"account_ids": [t.ben.id], "sample_id": "dogs-1"}),
    "DELETE /api/v1/snaps/{id}": one("snap"),
    "POST /api/v1/snaps/{id}/open": lambda t: Example(id=t.snap(t.ben)),
    "POST /api/v1/snaps/{id}/shown": lambda t: Example(id=t.snap(t.ben, opened=True)),
    "POST /api/v1/snaps/{id}/close": lambda t: Example(id=t.snap(t.ben, opened=True)),
    # Collages, and Then & Now
    "POST /api/v1/collages": lambda t: Example({**STYLE, "cells": t.cells(), "size": 512, "format": "png"}),
    "PUT /api/v1/collages/{id}": lambda t: Example({**STYLE, "cells": t.cells(), "size": 512}, id=t.collage()),
    "POST /api/v1/collages/{id}/copy": one("collage"),
    "POST /api/v1/collage_drafts": lambda t: Example(
        {**STYLE, "photo_ids": [t.photo()], "account_ids": [t.ben.id]}
    ),
    "PATCH /api/v1/collage_drafts/{id}": one("draft", STYLE),
    "DELETE /api/v1/collage_drafts/{id}": one("draft"),
    "PUT /api/v1/collage_drafts/{id}/cells/{index}": lambda t: Example(
        {"photo_id": t.photo(), "zoom": 1.5, "x": 0.5, "y": 0.5}, id=t.draft(), index=0
    ),
    "DELETE /api/v1/collage_drafts/{id}/cells/{index}": lambda t: Example(id=t.draft(full=True), index=0),
    "POST /api/v1/collage_drafts/{id}/swap": one("draft", {"one": 0, "other": 1}, full=True),
    "POST /api/v1/collage_drafts/{id}/finish": one("draft", {"size": 512, "format": "jpeg"}, full=True),
    "POST /api/v1/rephotographs": lambda t: Example(
        {
            "photo_id": t.photo(), "media_id": t.photo(), "aspect": 1, "align": False, "mode": "fade",
            "caption": True, "year": 1931, "now_view": {"zoom": 1.5, "x": 0.5, "y": 0.5},
        }
    ),
    "PATCH /api/v1/rephotographs/{id}": one("pair", {"mode": "stacked", "caption": False, "year": 1931}),
    "POST /api/v1/rephotographs/{id}/align": one(
        "pair",
        {
            "points": [
                {"then": {"x": x, "y": y}, "now": {"x": x, "y": y}}
                for x, y in [(0.2, 0.2), (0.8, 0.2), (0.2, 0.8), (0.8, 0.8)]
            ]
        },
    ),
    "DELETE /api/v1/rephotographs/{id}/align": one("pair"),
    # Contracts
    "POST /api/v1/contracts": lambda t: Example(t.proposal()),
    "POST /api/v1/contracts/{id}/accept": lambda t: Example(t.pledge(t.ben), by=t.ben, id=t.contract()),
    "POST /api/v1/contracts/{id}/witness": of_contract(by="cleo", witness=True),
    "POST /api/v1/contracts/{id}/decline": of_contract(),
    "POST /api/v1/contracts/{id}/withdraw": of_contract(by="ana"),
    "POST /api/v1/contracts/{id}/release": of_contract("accept"),
    "POST /api/v1/contracts/{id}/admit": of_contract("accept"),
    "POST /api/v1/contracts/{id}/claim": of_contract("accept", body={"rule": 0, "note": "Look"}),
    "POST /api/v1/contracts/{id}/dispute": of_contract("accept", "+claim", body={"note": "No"}),
    "POST /api/v1/contracts/{id}/judge": of_contract(
        "*witness", "accept", "+claim", "dispute", body={"broken": False}, by="cleo", witness=True
    ),
    "POST /api/v1/contracts/{id}/forfeit": of_contract("accept", body={"note": "Rain"}),
    "POST /api/v1/contracts/{id}/stake": of_contract("decline", body={"keep": True}, by="ana"),
}
