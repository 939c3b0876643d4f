"""Chats whose page has missed something: events, older messages, what happened while it was hidden."""

import re

import pytest
from playwright.sync_api import expect

from chats import chat_of, open_chat, send_once
from holding import Held
from people import ready
from test_chats import texts, write

pytestmark = pytest.mark.long

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-sign-ups", "1000"]

EVENTS = re.compile(r"/api/v1/events")


def open_too_late(stream):
    """Opens a held event stream with what came meanwhile out of its reach: it begins with `reset`."""
    route = stream.take()
    # No server goes back to the very first event.
    route.continue_(url=re.sub(r"last_event_id=\d+", "last_event_id=1", route.request.url))
    stream.release()


def write_many(one, other, chat, count):
    for number in range(count):
        write([one, other][number % 2], chat, f"Message {number}")


def scroll_to_the_first(page):
    """Scrolls up until the first message is there."""
    page.wait_for_function(
        """() => {
          const thread = document.querySelector("chat-thread");
          thread.scrollTop = -thread.scrollHeight;
          return document.querySelector("li.message[data-number='1']");
        }"""
    )


def test_what_was_missed_is_made_good_in_an_open_chat(ana, bea, photos):
    chat = chat_of(ana, bea)
    oops = write(ana, chat, "Oops")["id"]
    once = send_once(ana, chat, photos[0])
    last = write(ana, chat, "That stays")["id"]
    stream = Held(ana.page, EVENTS)
    page = ana.open(f"/messages/{chat}")
    expect(page.get_by_text("Oops")).to_be_visible()
    expect(page.get_by_role("button", name="Photo · view once")).to_be_visible()
    expect(page.locator(".state")).to_have_text("Sent")
    ana.call("DELETE", f"/api/v1/chats/{chat}/messages/{oops}")
    bea.post(f"/api/v1/chats/{chat}/messages/{once}/open")
    bea.post(f"/api/v1/chats/{chat}/read", last_read_id=last)
    write(bea, chat, "And this is new")
    open_too_late(stream)
    expect(page.locator("chat-thread").get_by_text("And this is new")).to_be_visible()
    expect(page.get_by_role("button", name="Opened")).to_be_disabled()
    expect(page.locator("chat-thread").get_by_text("Oops")).to_have_count(0)
    expect(page.locator(".state")).to_have_text(re.compile("^Read "))
    assert texts(page) == ["That stays", "And this is new"]


def test_what_was_missed_far_up_is_made_good_on_scrolling_there(ana, bea):
    chat, count = chat_of(ana, bea), 260
    write_many(ana, bea, chat, count)
    stream = Held(ana.page, EVENTS)
    page = ana.open(f"/messages/{chat}")
    scroll_to_the_first(page)
    expect(page.locator("li.message[data-id]")).to_have_count(count)
    far, near = (page.locator(f"li[data-number='{number}']").get_attribute("data-id") for number in (5, 255))
    for id in (far, near):
        ana.call("DELETE", f"/api/v1/chats/{chat}/messages/{id}")
    open_too_late(stream)
    expect(page.locator(f"li[data-id='{near}']")).to_have_count(0)
    scroll_to_the_first(page)
    assert texts(page) == [f"Message {number}" for number in range(count) if number not in (4, 254)]


def test_an_old_picture_opened_elsewhere_tears_no_hole_in_the_history(ana, bea, photos):
    chat, count = chat_of(ana, bea), 120
    once = send_once(ana, chat, photos[0])
    write_many(ana, bea, chat, count)
    page = open_chat(bea, chat)
    expect(page.locator(f"li[data-id='{once}']")).to_have_count(0)
    bea.post(f"/api/v1/chats/{chat}/messages/{once}/open")
    # By the time this is here, what came before it has been dealt with.
    write(ana, chat, f"Message {count}")
    expect(page.locator("chat-thread").get_by_text(f"Message {count}", exact=True)).to_be_visible()
    scroll_to_the_first(page)
    assert texts(page) == [f"Message {number}" for number in range(count + 1)]
    expect(page.get_by_role("button", name="Opened")).to_be_disabled()


def test_chats_that_are_gone_leave_the_live_list(ana, bea, people):
    cleo = people(f"cleo{ana.username}")
    ana.follow(cleo)
    cleo.follow(ana)
    chats = [chat_of(ana, one) for one in (bea, cleo)]
    for person, chat in zip((bea, cleo), chats, strict=True):
        write(person, chat, "Hello")
    page = ana.open("/messages")
    page.wait_for_selector("html[data-live=on]", state="attached")
    rows = page.locator("chat-list [data-items] > li")
    expect(rows).to_have_count(2)
    ana.call("DELETE", f"/api/v1/chats/{chats[0]}")
    write(cleo, chats[1], "Only me left")
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Only me left")
    ana.call("DELETE", f"/api/v1/chats/{chats[1]}")
    # Nothing has reported the gap to the page yet: it fetches what was missed whenever the stream can't resume.
    page.evaluate("() => dispatchEvent(new CustomEvent('tintype:reset'))")
    expect(page.get_by_text("No chats yet.")).to_be_visible()
    expect(rows).to_have_count(0)


def test_a_hidden_list_is_fetched_when_it_comes_into_sight(ana, bea):
    chat = chat_of(ana, bea)
    write(bea, chat, "First")
    page = open_chat(ana, chat)
    fetched = []
    page.on("request", lambda request: "/messages?q=" in request.url and fetched.append(request.url))
    for text in ["Second", "Third"]:
        with page.expect_response("**/read"):
            write(bea, chat, text)
    assert fetched == []
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator("chat-list [data-items] > li")).to_contain_text("Third")
    assert len(fetched) == 1


def test_what_is_read_at_once_is_not_told_as_delivered_as_well(ana, bea):
    chat = chat_of(ana, bea)
    page = open_chat(bea, chat)
    reported = []
    page.on("request", lambda request: reported.append(request.url.rsplit("/", 1)[1]))
    # The second is read when all that follows the first has gone out.
    for text in ["One", "Two"]:
        with page.expect_response("**/read"):
            write(ana, chat, text)
    assert "delivered" not in reported
    # Further up nothing is read, and what comes has arrived all the same.
    write(ana, chat, "Long\n" * 60)
    expect(page.locator("li.message[data-id]")).to_have_count(3)
    page.locator("chat-thread").evaluate("thread => { thread.scrollTop = -600; }")
    with page.expect_response("**/delivered"):
        write(ana, chat, "Unread")


def test_one_of_many_tabs_tells_that_a_message_was_delivered(ana, bea):
    chat = chat_of(ana, bea)
    bea.open("/home").wait_for_selector("html[data-live=on]", state="attached")
    tabs = [bea.page, bea.page.context.new_page()]
    tabs[1].goto("/library")
    ready(tabs[1])
    tabs[1].wait_for_selector("html[data-live=on]", state="attached")
    reported = []
    for tab in tabs:
        tab.on("request", lambda request: request.url.endswith("/delivered") and reported.append(request.url))
    for text in ["One", "Two"]:
        with tabs[0].expect_response("**/delivered"):
            write(ana, chat, text)
    assert len(reported) == 2
    # Another takes over when that one goes.
    tabs[0].close()
    with tabs[1].expect_response("**/delivered"):
        write(ana, chat, "Three")
