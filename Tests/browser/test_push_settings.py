"""What people choose about announcements: topics, previews, quiet hours, and whom they mute."""

import datetime
import time

import pytest
from playwright.sync_api import expect

from chats import chat_of
from people import ready
from pushes import SERVER_FLAGS as SERVER_FLAGS
from pushes import SOON, held_until, settled, subscribe, write

SETTINGS = "/settings/notifications"


@pytest.fixture
def friends(accounts, phone):
    """Ana with a phone on the other side of the world, and bea."""
    ana, bea = accounts("ana", "bea")
    return phone(ana, timezone_id="Pacific/Auckland"), bea


def switch(page, title, is_on):
    page.get_by_role("switch", name=title, exact=True).set_checked(is_on)


def save(page):
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="Saved.")).to_be_visible()
    ready(page)


def rest(page, before, after):
    """Sets quiet hours that began and end so many seconds from now, by the phone's clock; the moment of their end."""
    clock = "(at) => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(at))"
    now = datetime.datetime.now(datetime.UTC)
    begin = now - datetime.timedelta(seconds=before)
    # They end with a minute.
    end = (now + datetime.timedelta(seconds=after)).replace(second=0, microsecond=0)
    switch(page, "Quiet hours", True)
    for label, moment in [("From", begin), ("To", end)]:
        page.get_by_label(label, exact=True).fill(page.evaluate(clock, moment.timestamp() * 1000))
    expect(page.get_by_label("Time zone")).to_have_value("Pacific/Auckland")
    save(page)
    return end.timestamp()


def bodies(device):
    return [push.data.get("body") for push in device.pushes]


@pytest.mark.long
def test_without_previews_an_announcement_says_only_that_there_is_something(push_service, friends):
    ana, bea = friends
    device = subscribe(ana, push_service)
    page = ana.open(SETTINGS)
    switch(page, "Show what a message says", False)
    save(page)
    write(bea, chat_of(ana, bea), "Not for every eye")
    push = device.next(SOON)
    assert push.data["body"] == "New message"
    for secret in ["every eye", bea.username, "/portraits/"]:
        # It leads to the chat with her, which no lock screen shows.
        assert secret not in f"{push.data['title']} {push.data['body']} {push.data['icon']}"


@pytest.mark.long
def test_a_topic_that_is_off_is_not_announced_but_is_on_its_screen(push_service, friends, photos):
    ana, bea = friends
    device = subscribe(ana, push_service)
    post = ana.share("Sunset", photos[0])
    page = ana.open(SETTINGS)
    switch(page, "Likes", False)
    save(page)
    bea.post(f"/api/v1/statuses/{post}/favourite")
    write(bea, chat_of(ana, bea), "Lovely")
    assert device.next(SOON).data["body"] == "Lovely"
    settled(ana)
    assert len(device.tries) == 1
    page.goto("/notifications")
    expect(page.get_by_text("liked your post.")).to_be_visible()


@pytest.mark.long
def test_quiet_hours_hold_what_comes_until_they_end(push_service, friends):
    ana, bea = friends
    device = subscribe(ana, push_service)
    end = rest(ana.open(SETTINGS), 7200, 80)
    chat = chat_of(ana, bea)
    for text in ["One", "Two"]:
        write(bea, chat, text)
    assert device.next(100).data["body"] == "Two"
    assert time.time() >= end
    settled(ana)
    assert bodies(device) == ["Two"]


@pytest.mark.long
def test_what_comes_after_quiet_hours_were_turned_off_is_announced_at_once(push_service, friends):
    ana, bea = friends
    device = subscribe(ana, push_service)
    page = ana.open(SETTINGS)
    end = rest(page, 7200, 7200)
    chat = chat_of(ana, bea)
    write(bea, chat, "At night")
    assert held_until(ana) >= end
    switch(page, "Quiet hours", False)
    save(page)
    write(bea, chat, "Awake?")
    device.until(lambda push: push.data["body"] == "Awake?", SOON)


@pytest.mark.long
def test_a_muted_chat_is_silent_until_it_is_unmuted(push_service, accounts):
    ana, bea, cleo = accounts("ana", "bea", "cleo")
    chat = chat_of(ana, bea)
    device = subscribe(ana, push_service)
    ana.post(f"/api/v1/chats/{chat}/mute", duration=3600)
    write(bea, chat, "Hush")
    # Another friend is heard.
    write(cleo, chat_of(ana, cleo), "Listen")
    assert device.next(SOON).data["body"] == "Listen"
    settled(ana)
    assert len(device.tries) == 1
    ana.call("DELETE", f"/api/v1/chats/{chat}/mute")
    write(bea, chat, "Better?")
    assert device.next(SOON).data["body"] == "Better?"


@pytest.mark.long
def test_a_muted_person_is_silent(push_service, accounts, photos):
    ana, bea = accounts("ana", "bea")
    [cleo] = accounts("cleo")
    device = subscribe(ana, push_service)
    post = ana.share("Sunset", photos[0])
    ana.post(f"/api/v1/accounts/{bea.id}/mute")
    bea.post(f"/api/v1/statuses/{post}/favourite")
    bea.post("/api/v1/statuses", status="Hush", in_reply_to_id=post)
    cleo.follow(ana)
    assert cleo.username in device.next(SOON).data["body"]
    settled(ana)
    assert len(device.tries) == 1
