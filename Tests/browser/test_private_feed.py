"""The private feed: photos of chats come, go and are counted while one looks."""

import pytest
from playwright.sync_api import expect

from chats import chat_of, send_once, send_photo

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def send(person, chat, **message):
    return person.post(f"/api/v1/chats/{chat}/messages", **message)["id"]


def open_feed(person):
    person.open("/feed").wait_for_selector("html[data-live=on]", state="attached")
    return person.page.locator("article.exchange")


def shown(exchanges):
    return exchanges.locator("a > img").evaluate_all("pictures => pictures.map(({ alt }) => alt)")


@pytest.fixture
def chat(ana, bea):
    return chat_of(ana, bea)


def test_photos_come_and_go_and_are_counted_for_both(ana, bea, chat, photos):
    feeds = [open_feed(ana), open_feed(bea)]
    empty = [person.page.get_by_text("Photos that you send or receive") for person in [ana, bea]]
    for one in empty:
        expect(one).to_be_visible()
    first = send_photo(ana, chat, photos[0], "The pier")
    senders, recipients = ["You", ana.username.capitalize()], [bea.username.capitalize(), "you"]
    for feed, sender, recipient in zip(feeds, senders, recipients, strict=True):
        expect(feed).to_have_count(1)
        expect(feed.locator("header")).to_contain_text(sender)
        expect(feed.locator("header")).to_contain_text(f"Sent to: {recipient}")
        expect(feed.locator("footer")).to_have_text("1 message")
    for one in empty:
        expect(one).to_be_hidden()

    # Words count, and what is seen once counts but shows nowhere.
    send(bea, chat, text="Lovely")
    send_once(bea, chat, photos[1])
    second = send_photo(bea, chat, photos[1], "The beach")
    for feed in feeds:
        expect(feed).to_have_count(2)
        expect(feed.locator("footer")).to_have_text(["4 messages"] * 2)
        assert shown(feed) == ["The beach", "The pier"]

    ana.call("DELETE", f"/api/v1/chats/{chat}/messages/{first}")
    for feed in feeds:
        expect(feed.locator("footer")).to_have_text(["3 messages"])
        assert shown(feed) == ["The beach"]
    bea.call("DELETE", f"/api/v1/chats/{chat}/messages/{second}")
    for feed, one in zip(feeds, empty, strict=True):
        expect(feed).to_have_count(0)
        expect(one).to_be_visible()


@pytest.mark.long
def test_nothing_moves_under_who_reads_further_down(ana, bea, chat, photos):
    sent = [send_photo(ana, chat, photos[0], f"Photo {number}") for number in range(13)]
    feed = open_feed(bea)
    page = bea.page
    page.keyboard.press("End")
    expect(feed).to_have_count(13)
    oldest = feed.last
    oldest.scroll_into_view_if_needed()
    before = oldest.bounding_box()["y"]
    send_photo(ana, chat, photos[1], "New")
    expect(feed).to_have_count(14)
    # Those of later pages too.
    expect(feed.locator("footer")).to_have_text(["14 messages"] * 14)
    assert abs(oldest.bounding_box()["y"] - before) < 2
    ana.call("DELETE", f"/api/v1/chats/{chat}/messages/{sent[5]}")
    expect(feed.locator("footer")).to_have_text(["13 messages"] * 13)
    assert abs(oldest.bounding_box()["y"] - before) < 2
    assert shown(feed) == ["New", *(f"Photo {number}" for number in reversed(range(13)) if number != 5)]


@pytest.mark.long
def test_what_was_missed_is_made_good_and_who_blocks_is_gone(ana, bea, chat, photos):
    send_photo(ana, chat, photos[0], "Before")
    bea.page.add_init_script(
        """for (const name of ["message", "message.deleted"]) {
          addEventListener(`tintype:${name}`, (event) => window.isDeaf && event.stopImmediatePropagation());
        }"""
    )
    feed = open_feed(bea)
    expect(feed).to_have_count(1)
    bea.page.evaluate("() => { window.isDeaf = true; }")
    for number in range(11):
        send_photo(ana, chat, photos[0], f"Photo {number}")
    # More than a page holds: nothing is left out between them.
    bea.page.evaluate("() => dispatchEvent(new CustomEvent('tintype:reset'))")
    expect(feed).to_have_count(10)
    bea.page.keyboard.press("End")
    expect(feed).to_have_count(12)
    expect(feed.locator("footer")).to_have_text(["12 messages"] * 12)
    assert shown(feed) == [*(f"Photo {number}" for number in reversed(range(11))), "Before"]
    ana.post(f"/api/v1/accounts/{bea.id}/block")
    bea.page.evaluate("() => dispatchEvent(new CustomEvent('tintype:reset'))")
    expect(feed).to_have_count(0)


def test_portraits_and_names_lead_to_the_person(ana, bea, chat, photos):
    send_photo(ana, chat, photos[0], "The pier")
    feed = open_feed(bea)
    for link in [feed.locator("header > a"), feed.get_by_role("link", name=ana.username.capitalize())]:
        link.click()
        expect(bea.page).to_have_url(f"{bea.server.url}/@{ana.username}")
        feed = open_feed(bea)
    feed.get_by_role("link", name="you", exact=True).click()
    expect(bea.page).to_have_url(f"{bea.server.url}/@{bea.username}")
