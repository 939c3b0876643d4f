"""What is pushed to a closed browser, and what isn't: the test's own push service checks and decrypts it."""

import datetime
import json
import re
import time

import pytest

from chats import chat_of
from contracts import Deal
from push_service import Answer
from pushes import SERVER_FLAGS as SERVER_FLAGS
from pushes import SOON, SUBSCRIPTION, settled, subscribe, unread, until, write
from snaps import snap, status

# What may be in a push.
MEMBERS = {"id", "tag", "title", "body", "path", "icon", "badge", "at"}


def words(said):
    """All that a phone shows of an announcement."""
    return f"{said['title']}: {said['body']}"


def announced(device):
    """What the next announcement says; what only closes others is left out."""
    return device.until(lambda push: "title" in push.data, SOON)[-1].data


def test_messages_are_announced_within_seconds_and_go_when_they_are_read(push_service, accounts):
    ana, bea = accounts("ana", "bea")
    chat = chat_of(ana, bea)
    device = subscribe(ana, push_service)
    began = time.monotonic()
    write(bea, chat, "See you at eight")
    push = device.next(SOON)
    assert push.at - began < SOON
    said = push.data
    assert set(said) == MEMBERS
    assert said["title"] == bea.username
    assert said["body"] == "See you at eight"
    assert said["badge"] == unread(ana)
    assert said["tag"].startswith("message-")
    assert abs(datetime.datetime.fromisoformat(said["at"]).timestamp() - time.time()) < 60
    assert len(push.text) <= 3000
    assert push.ttl > 0
    # It leads to the chat; the icon, if there is one, is the sender's portrait.
    assert b"See you at eight" in ana.bytes(said["path"])
    assert said["icon"] is None or said["icon"].startswith("/portraits/")

    # Ten further ones are one notification with the text of the last: one that the phone hasn't got yet is replaced.
    for number in range(10):
        write(bea, chat, f"Message {number}")
    taken = device.until(lambda push: push.data["body"] == "Message 9", SOON)
    settled(ana)
    assert {(one.topic, one.data["tag"]) for one in taken} == {(push.topic, said["tag"])} and push.topic
    assert [one.data["body"] for one in device.collect()] == ["Message 9"]

    newest = ana.get(f"/api/v1/chats/{chat}/messages")[0]["id"]
    ana.post(f"/api/v1/chats/{chat}/read", last_read_id=newest)
    read = device.next(SOON)
    assert read.data == {"close": [said["tag"]], "badge": unread(ana)}
    assert read.topic == push.topic


def test_a_subscription_that_is_gone_ends(push_service, accounts):
    ana, bea = accounts("ana", "bea")
    chat = chat_of(ana, bea)
    for code in [404, 410]:
        device = subscribe(ana, push_service)
        assert ana.get(SUBSCRIPTION)["endpoint"] == device.endpoint
        device.answer = Answer(code)
        write(bea, chat, "Are you there?")
        device.wait_for_tries(1)
        until(lambda: status(ana, "GET", SUBSCRIPTION) == 404)
    # They are asked for nothing more.
    subscribe(ana, push_service)
    write(bea, chat, "Now?")
    *gone, last = push_service.devices
    assert last.next(SOON).data["body"] == "Now?"
    assert [len(device.tries) for device in gone] == [1, 1]


@pytest.mark.long
def test_a_message_that_is_read_or_deleted_in_time_is_not_announced(push_service, accounts):
    ana, bea = accounts("ana", "bea")
    chat = chat_of(ana, bea)
    device = subscribe(ana, push_service)

    def read(message):
        ana.post(f"/api/v1/chats/{chat}/read", last_read_id=message)

    def delete(message):
        bea.call("DELETE", f"/api/v1/chats/{chat}/messages/{message}")

    for number, take_back in enumerate([read, delete]):
        device.answers.append(Answer(503, retry_after=2))
        message = write(bea, chat, "Forget it")
        device.wait_for_tries(len(device.tries) or 1)
        take_back(message)
        write(bea, chat, f"Something else {number}")
        device.until(lambda push, number=number: push.data.get("body") == f"Something else {number}")
    settled(ana)
    assert "Forget it" not in [push.data.get("body") for push in device.pushes]


@pytest.mark.long
def test_what_is_taken_back_takes_its_notification_back(push_service, accounts, photos):
    ana, bea = accounts("ana", "bea")
    device = subscribe(ana, push_service)
    chat = chat_of(ana, bea)
    post = ana.share("Sunset", photos[0])
    for make, take_back in [
        (lambda: write(bea, chat, "Wrong person"), lambda id: bea.call("DELETE", f"/api/v1/chats/{chat}/messages/{id}")),
        (lambda: snap(bea), lambda id: bea.call("DELETE", f"/api/v1/snaps/{id}")),
        (
            lambda: bea.post(f"/api/v1/statuses/{post}/favourite")["id"],
            lambda id: bea.post(f"/api/v1/statuses/{id}/unfavourite"),
        ),
        (
            lambda: bea.post("/api/v1/statuses", status="Oops", in_reply_to_id=post)["id"],
            lambda id: bea.call("DELETE", f"/api/v1/statuses/{id}"),
        ),
    ]:
        made = make()
        said = device.next(SOON).data
        take_back(made)
        assert device.next(SOON).data == {"close": [said["tag"]], "badge": unread(ana)}, said


@pytest.mark.long
def test_a_picture_to_be_seen_once_is_in_no_push(push_service, accounts, photos):
    ana, bea = accounts("ana", "bea")
    device = subscribe(ana, push_service)
    secret = "A tattoo on a shoulder"
    media = bea.upload(photos[0], purpose="snap")
    bea.post("/api/v1/snaps", media_id=media, description=secret, feed_id="memes")
    snapped = device.next(SOON)
    once = bea.upload(photos[1], secret, purpose="view_once")
    bea.post(f"/api/v1/chats/{chat_of(ana, bea)}/messages", media_id=once, view_once=True)
    sent = device.next(SOON)
    for push, place in [(snapped, "/snaps"), (sent, "/messages")]:
        assert set(push.data) == MEMBERS
        assert bea.username in words(push.data)
        assert push.data["path"].startswith(place)
        # No address but the portrait's, and that of the page to which it leads.
        assert push.data["icon"] is None or push.data["icon"].startswith("/portraits/")
        for picture in [secret, "snap_views", "once_views", "/photos/", media, once]:
            assert picture not in push.text.decode()


@pytest.mark.long
def test_likes_of_a_post_are_one_notification(push_service, accounts, photos):
    ana, *fans = accounts("ana", "ben", "cleo", "dora")
    device = subscribe(ana, push_service)
    post = ana.share("Sunset", photos[0])
    pushes = []
    for fan in fans:
        fan.post(f"/api/v1/statuses/{post}/favourite")
        pushes.append(device.until(lambda push, name=fan.username: name in push.text.decode(), SOON)[-1])
    settled(ana)
    assert len({push.data["tag"] for push in pushes}) == len({push.topic for push in pushes}) == 1
    [last] = device.collect() or pushes[-1:]
    assert re.search(r"\b2 others\b", words(last.data)), last.data
    assert last.data["path"].startswith(f"/posts/{post}")


@pytest.mark.long
def test_follows_comments_mentions_and_contracts_are_announced(push_service, accounts, photos):
    ana, bea = accounts("ana", "bea")
    [cleo] = accounts("cleo")
    device = subscribe(ana, push_service)
    cleo.follow(ana)
    followed = announced(device)
    assert cleo.username in words(followed)
    assert cleo.username.encode() in ana.bytes(followed["path"])
    post = ana.share("Harbour", photos[0])
    bea.post("/api/v1/statuses", status="Where is this?", in_reply_to_id=post)
    comment = announced(device)
    assert bea.username in words(comment) and "Where is this?" in words(comment)
    assert b"Where is this?" in ana.bytes(comment["path"])
    bea.share(f"With @{ana.username}", photos[1])
    mention = announced(device)
    assert bea.username in words(mention) and f"@{ana.username}" in words(mention)
    deal = Deal(bea, ana, photos, accepted=False)
    contract = announced(device)
    assert contract["path"] == deal.path
    # Nothing of the stake.
    assert "A lamp" not in json.dumps(contract)


@pytest.mark.long
def test_a_message_request_is_announced_as_one(push_service, accounts):
    [ana], [eve] = accounts("ana"), accounts("eve")
    device = subscribe(ana, push_service)
    write(eve, chat_of(eve, ana), "You don’t know me")
    said = device.next(SOON).data
    assert eve.username in words(said) and "don’t know me" not in words(said)
    assert eve.username.encode() in ana.bytes(said["path"])


@pytest.mark.long
def test_each_device_is_told_until_its_log_in_ends(push_service, accounts):
    ana, bea = accounts("ana", "bea")
    chat = chat_of(ana, bea)
    tablet = ana.again()
    mine, other = subscribe(ana, push_service), subscribe(tablet, push_service)
    write(bea, chat, "To both")
    for device in [mine, other]:
        assert device.next(SOON).data["body"] == "To both"
    ana.log_out_others()
    write(bea, chat, "To one")
    assert mine.next(SOON).data["body"] == "To one"
    settled(ana)
    assert len(other.tries) == 1
    # The next person to log in on the same browser has no part of it.
    assert status(bea, "GET", SUBSCRIPTION) == 404
