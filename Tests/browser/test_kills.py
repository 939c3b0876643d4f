"""A server killed at any moment loses nothing that it has acknowledged, and shows nothing half-made."""

import http.client
import json
import random
import threading
import time
import urllib.error
import uuid

import pytest

from conftest import png
from people import befriend
from snaps import snap, status

ROUNDS = 20
WRITERS = 4

FLAGS = ["--sign-up", "open", "--log-level", "error", "--limit-writes", "1000000", "--limit-uploads", "1000000"]

# Further kills, each while a snap is being opened.
OPENS = 6

# What a client sees of a server that is killed: no connection, or half an answer.
BROKEN = (urllib.error.URLError, http.client.HTTPException, OSError, json.JSONDecodeError)


def write_until_killed(person, pictures, acknowledged):
    """Uploads and posts until the connection breaks, noting what the server has said is done."""
    while True:
        try:
            photo = person.upload(random.choice(pictures))
            acknowledged["photos"].append(photo)
            key = str(uuid.uuid4())
            post = person.post("/api/v1/statuses", status=key, media_ids=[photo])["id"]
            acknowledged["posts"].append((post, photo, key))
            person.post(f"/api/v1/statuses/{post}/favourite")
            acknowledged["likes"].append(post)
        except (OSError, json.JSONDecodeError, EOFError):
            # The connection was refused, reset, or ended within an answer.
            return
        except Exception as error:
            if type(error).__module__ == "http.client":
                return
            acknowledged["errors"].append(error)
            return


@pytest.mark.long
def test_what_was_acknowledged_survives_twenty_kills(tmp_path, start):
    pictures = []
    for seed, (width, height) in enumerate([(60, 40), (640, 480), (1600, 1200)]):
        path = tmp_path / f"{seed}.png"
        path.write_bytes(png(width, height, seed))
        pictures.append(path)
    server = start(tmp_path / "data", *FLAGS)
    people = [server.person(f"writer{number}") for number in range(WRITERS)]
    acknowledged = {"photos": [], "posts": [], "likes": [], "errors": []}
    for _ in range(ROUNDS):
        threads = [
            threading.Thread(target=write_until_killed, args=(person, pictures, acknowledged)) for person in people
        ]
        for thread in threads:
            thread.start()
        # The moment itself is what is random here; nothing waits for it.
        time.sleep(random.uniform(0.05, 2))
        server.kill()
        for thread in threads:
            thread.join()
        server.start()
        server.command("check")
    assert acknowledged["errors"] == []
    assert len(acknowledged["likes"]) >= ROUNDS, "hardly anything was written between the kills"

    photos, posts = {}, {}
    for person in people:
        photos.update({one["id"]: person for one in everything(person, "/api/v1/photos")})
        posts.update({one["id"]: one for one in everything(person, f"/api/v1/accounts/{person.id}/statuses")})
    assert set(acknowledged["photos"]) <= set(photos)
    for post, photo, text in acknowledged["posts"]:
        assert posts[post]["text"] == text
        assert [one["id"] for one in posts[post]["media_attachments"]] == [photo]
    assert all(posts[post]["favourited"] for post in acknowledged["likes"])
    # Every photo is whole in every size.
    for photo, owner in list(photos.items())[-50:]:
        for size in ["large", "medium", "square"]:
            assert owner.bytes(f"/photos/{photo}/{size}")[:3] == b"\xff\xd8\xff"
    server.kill()
    server.command("check")


def everything(person, path):
    """All elements of a list, page by page."""
    elements, query = [], "?limit=40"
    while page := person.get(path + query):
        elements += page
        query = f"?limit=40&max_id={page[-1]['id']}"
    return elements


@pytest.mark.long
def test_a_server_killed_amid_opening_a_snap_never_opens_one_twice(tmp_path, start):
    """SIGKILL around the open: an open that was answered holds for ever, one that wasn't may be tried again, once."""
    server = start(tmp_path / "data", *FLAGS)
    ana, ben = server.person("ana"), server.person("ben")
    befriend(ana, ben)
    views, lost = {}, 0
    for kill in range(OPENS):
        id = snap(ana, sample=f"dogs-{kill % 2 + 1}")
        path, answers = f"/api/v1/snaps/{id}/open", []
        opening = threading.Thread(target=lambda: answers.append(opened(ben, path)))
        opening.start()
        # The moment itself is what is random here; nothing waits for it.
        time.sleep(random.uniform(0, 0.08) if kill else 1)
        server.kill()
        opening.join()
        server.start()
        view = answers[0]
        if view:
            # Its page may fetch the picture within the deadline, or it is used up.
            assert status(ben, "GET", view) in (200, 410)
            views[id] = view
        else:
            assert status(ben, "POST", path) in (200, 410)
            lost += 1
        assert status(ben, "POST", path) == 410
    # The first kill came late enough for an answer.
    assert views and lost + len(views) == OPENS

    server.kill()
    with server.database() as database:
        database.execute("UPDATE snap_views SET opened_at = opened_at - 31000")
    server.start()
    for id, view in views.items():
        assert status(ben, "GET", view) == 410
        assert status(ben, "POST", f"/api/v1/snaps/{id}/close") == 204
        assert status(ben, "GET", view) == 410


def opened(person, path):
    """Opens a snap; the path of its picture, or None when the server was killed before it had answered."""
    try:
        url = person.post(path)["view"]["url"]
    except BROKEN as error:
        assert not isinstance(error, urllib.error.HTTPError), error
        return None
    return url[url.index("/api"):]
