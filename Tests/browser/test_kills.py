"""A server killed at any moment loses nothing that it has acknowledged, and shows nothing half-made."""

import functools
import http.client
import json
import random
import threading
import time
import urllib.error
import uuid

import pytest

from conftest import png
from contracts import Deal, posts_of
from people import befriend
from snaps import snap, status
from sources import Sources, photo

ROUNDS = 20
WRITERS = 4

FLAGS = ["--sign-up", "open", "--log-level", "error", "--limit-writes", "1000000", "--limit-uploads", "1000000"]

# Further kills, each while a snap is being opened.
OPENS = 6

# Further kills, each while somebody searches, while somebody saves a pair, and while somebody breaks a promise.
SEARCHES = 8
SAVES = 8
BREACHES = 8

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
    for post, picture, text in acknowledged["posts"]:
        assert posts[post]["text"] == text
        assert [one["id"] for one in posts[post]["media_attachments"]] == [picture]
    assert all(posts[post]["favourited"] for post in acknowledged["likes"])
    # Every photo is whole in every size.
    for picture, owner in list(photos.items())[-50:]:
        for size in ["large", "medium", "square"]:
            assert owner.bytes(f"/photos/{picture}/{size}")[:3] == b"\xff\xd8\xff"
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
        opening = threading.Thread(target=lambda path=path, answers=answers: answers.append(opened(ben, path)))
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


def until_killed(call):
    """Starts a call; a function that waits for it and returns its answer, or None when it was killed before."""
    answers = []

    def ask():
        try:
            answers.append(call())
        except BROKEN:
            answers.append(None)

    asking = threading.Thread(target=ask)
    asking.start()

    def answer():
        asking.join()
        return answers[0]

    return answer


def test_a_server_killed_while_it_asks_the_sources_has_the_last_search(tmp_path, start):
    with Sources() as sources:
        sources.flickr = [photo(n, f"View {n}", 1931, 46.5, 11.8, "Ana Aroha") for n in range(8)]
        server = start(tmp_path / "data", *FLAGS, *sources.flags)
        ana = server.person("ana")
        before = ana.get("/api/v1/past_photos?latitude=46.5&longitude=11.8")
        assert len(before["photos"]) == 8
        sources.may_answer.clear()
        asked = len(sources.calls)
        answer = until_killed(lambda: ana.get("/api/v1/past_photos?latitude=10&longitude=10"))
        sources.wait_for_calls(asked + 2)
        server.kill()
        sources.release()
        assert not answer()
        server.start()
        server.command("check")
        last = ana.get("/api/v1/past_photos/last")
        assert last["search"] == before["search"]
        assert [one["id"] for one in last["photos"]] == [one["id"] for one in before["photos"]]
        assert ana.bytes(f"/past-photos/{last['photos'][0]['id']}/square")[:3] == b"\xff\xd8\xff"


@pytest.mark.long
def test_a_server_killed_amid_a_search_has_the_earlier_or_the_later_one_whole(tmp_path, start):
    with Sources() as sources:
        sources.flickr = [photo(n, f"View {n}", 1931, 46.5, 11.8, "Ana Aroha") for n in range(8)]
        sources.commons = [photo(n, f"Scene {n}", 1935, 46.5, 11.8, "Fondo Arrieta") for n in range(20, 26)]
        server = start(tmp_path / "data", *FLAGS, *sources.flags)
        ana = server.person("ana")

        def search(radius):
            return ana.get(
                f"/api/v1/past_photos?latitude=46.5&longitude=11.8&radius_km={radius}&from_year=1900&to_year=1950"
            )

        radius = 1
        known = len(search(radius)["photos"])
        assert known == 14
        for kill in range(SEARCHES):
            answer = until_killed(functools.partial(search, radius + 1))
            # The moment itself is what is random here; nothing waits for it.
            time.sleep(random.uniform(0, 0.15) if kill else 1)
            server.kill()
            answered = answer()
            server.start()
            server.command("check")
            last = ana.get("/api/v1/past_photos/last")
            assert len(last["photos"]) == known
            assert last["search"]["radius_km"] in ([radius + 1] if answered else [radius, radius + 1])
            # Each picture comes, also those that were fetched when it was killed.
            for one in last["photos"]:
                assert ana.bytes(f"/past-photos/{one['id']}/square")[:3] == b"\xff\xd8\xff"
            radius = last["search"]["radius_km"]


@pytest.mark.long
def test_a_server_killed_amid_saving_a_pair_keeps_exactly_one(tmp_path, start):
    picture = tmp_path / "picture.png"
    picture.write_bytes(png(1200, 900, 1))
    server = start(tmp_path / "data", *FLAGS)
    ana = server.person("ana")
    then, made = ana.upload(picture), []
    for kill in range(SAVES):
        media = ana.upload(picture, purpose="rephotograph")

        def save(media=media, kill=kill):
            return ana.post("/api/v1/rephotographs", f"pair-{kill}", photo_id=then, media_id=media)

        answer = until_killed(save)
        time.sleep(random.uniform(0, 0.8) if kill else 5)
        server.kill()
        answered = answer()
        server.start()
        # What the page does after a lost answer.
        again = save()
        assert not answered or answered["id"] == again["id"]
        made.append(again["id"])
        server.command("check")
        for path in [f"/pairs/{again['id']}/then", f"/pairs/{again['id']}/now"]:
            assert ana.bytes(path)[:3] == b"\xff\xd8\xff"
    pairs = [one["id"] for one in everything(ana, "/api/v1/photos") if one["kind"] == "rephotograph"]
    assert pairs == made[::-1]
    server.kill()
    server.command("check")


@pytest.mark.long
def test_a_server_killed_amid_a_breach_publishes_the_photo_once(tmp_path, start):
    pictures = []
    for seed in range(2):
        pictures.append(tmp_path / f"{seed}.png")
        pictures[seed].write_bytes(png(1200, 900, seed))
    server = start(tmp_path / "data", *FLAGS)
    ana, bea = server.person("ana"), server.person("bea")
    befriend(ana, bea)
    for kill in range(BREACHES):
        deal = Deal(ana, bea, pictures)
        answer = until_killed(functools.partial(deal.move, ana, "admit"))
        time.sleep(random.uniform(0, 0.15) if kill else 5)
        server.kill()
        answered = answer()
        server.start()
        # Whole or not at all: what wasn't done can be done now.
        if not answered and deal.state == "active":
            assert len(posts_of(ana)) == kill
            deal.move(ana, "admit")
        assert deal.state == "broken"
        assert len(posts_of(ana)) == kill + 1
        assert posts_of(bea) == []
        # The other's photo is theirs at once.
        deal.move(bea, "stake", keep=False)
        server.command("check")
