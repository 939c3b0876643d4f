"""Collages that a group fills, and what its people see of them."""

import json

import pytest
from playwright.sync_api import expect

from chats import chat_of, lose_first, open_chat, send_photo
from collages import cell, note, saved
from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def name(person):
    """Their display name."""
    return person.username.capitalize()


@pytest.fixture
def group(ana, bea, cleo):
    return ana.post("/api/v1/chats", account_ids=[bea.id, cleo.id], title="Pizza or ramen?")["id"]


def begin(person, group):
    """Begins a collage in the group on the screen; its page."""
    page = open_chat(person, group)
    page.get_by_role("button", name="Photos").click()
    page.get_by_role("link", name="Collage together").click()
    expect(page.get_by_text("Everyone in “Pizza or ramen?”")).to_be_visible()
    page.get_by_role("button", name="Begin").click()
    ready(page)
    page.wait_for_selector("html[data-live=on]", state="attached")
    return page


def fill(page, number, photo):
    """Puts a photo of the library into a cell."""
    cell(page, number).tap()
    page.get_by_role("dialog").get_by_role("button", name=photo).click()
    saved(page)


def test_a_group_fills_a_collage_live(ana, bea, cleo, group, photos):
    for person, photo in [(ana, "Bridge"), (bea, "Harbour"), (cleo, "Meadow")]:
        person.upload(photos[0], photo)
    watching = open_chat(cleo, group)
    here = begin(ana, group)
    card = watching.locator("collage-card")
    expect(card).to_contain_text("3 cells to fill")
    there = open_chat(bea, group)
    there.locator("collage-card").get_by_role("link").click()
    ready(there)
    there.wait_for_selector("html[data-live=on]", state="attached")
    fill(there, 2, "Harbour")
    # All see it: in the collage, and on its card in the group.
    expect(cell(here, 2)).to_have_accessible_name("Cell 2 of 3: Harbour")
    expect(note(here)).to_have_text(f"{name(bea)} filled cell 2.")
    expect(card).to_contain_text("1 of 3 cells filled")
    fill(here, 1, "Bridge")
    expect(card).to_contain_text("2 of 3 cells filled")
    expect(cell(there, 1)).to_have_accessible_name("Cell 1 of 3: Bridge")
    card.get_by_role("link").click()
    ready(watching)
    fill(watching, 3, "Meadow")
    expect(cell(here, 3)).to_have_accessible_name("Cell 3 of 3: Meadow")
    expect(cell(there, 3)).to_have_accessible_name("Cell 3 of 3: Meadow")
    # Who leaves the group takes the photo along.
    cleo.call("DELETE", f"/api/v1/chats/{group}/members/{cleo.id}")
    for page in [here, there]:
        expect(cell(page, 3)).to_have_accessible_name("Cell 3 of 3: empty")


def test_a_card_shows_what_changed_also_if_the_first_answer_is_lost(ana, cleo, group, photos):
    ana.upload(photos[0], "Bridge")
    watching = open_chat(cleo, group)
    here = begin(ana, group)
    card = watching.locator("collage-card")
    expect(card).to_contain_text("3 cells to fill")
    lost = lose_first(watching, "**/collage/*/card")
    fill(here, 1, "Bridge")
    expect(card).to_contain_text("1 of 3 cells filled")
    assert len(lost) == 1


def test_photos_of_a_collage_come_into_the_private_feed_and_go(ana, bea, cleo, group, photos):
    bea.upload(photos[0], "Harbour")
    feed = cleo.open("/feed")
    feed.wait_for_selector("html[data-live=on]", state="attached")
    exchanges = feed.locator("article.exchange")
    expect(feed.get_by_text("Photos that you send or receive in messages and collages")).to_be_visible()
    here = begin(bea, group)
    fill(here, 1, "Harbour")
    expect(exchanges).to_have_count(1)
    expect(exchanges.locator("header")).to_contain_text(name(bea))
    expect(exchanges.locator("header")).to_contain_text("Sent to: collage with Pizza or ramen?")
    expect(exchanges.locator("footer")).to_have_text("2 messages")
    ana.post(f"/api/v1/chats/{group}/messages", text="Lovely")
    expect(exchanges.locator("footer")).to_have_text("3 messages")
    cell(here, 1).tap()
    here.get_by_role("button", name="Remove photo").click()
    saved(here)
    expect(exchanges).to_have_count(0)
    fill(here, 1, "Harbour")
    exchanges.get_by_role("link", name="Harbour").click()
    expect(cell(feed, 1)).to_have_accessible_name("Cell 1 of 3: Harbour")
    # Who is removed sees nothing of it any more.
    feed.goto("/feed")
    feed.wait_for_selector("html[data-live=on]", state="attached")
    expect(exchanges).to_have_count(1)
    ana.call("DELETE", f"/api/v1/chats/{group}/members/{cleo.id}")
    expect(exchanges).to_have_count(0)


@pytest.mark.long
def test_a_photo_that_is_taken_out_goes_from_a_later_page_of_the_feed(ana, bea, cleo, group, photos):
    draft = bea.post("/api/v1/collage_drafts", chat_id=group)["id"]
    for index, description in enumerate(["Harbour", "Meadow"]):
        body = json.dumps({"photo_id": bea.upload(photos[index], description)}).encode()
        bea.call("PUT", f"/api/v1/collage_drafts/{draft}/cells/{index}", body, "application/json")
    chat = chat_of(ana, cleo)
    for number in range(11):
        send_photo(ana, chat, photos[0], f"Photo {number}")
    feed = cleo.open("/feed")
    feed.wait_for_selector("html[data-live=on]", state="attached")
    feed.keyboard.press("End")
    exchanges = feed.locator("article.exchange")
    expect(exchanges).to_have_count(13)
    bea.call("DELETE", f"/api/v1/collage_drafts/{draft}/cells/0")
    expect(exchanges).to_have_count(12)
    expect(feed.get_by_role("img", name="Harbour")).to_have_count(0)
    expect(feed.get_by_role("img", name="Meadow")).to_have_count(1)


def test_a_group_is_invited_from_the_collage(ana, bea, cleo, group):
    page = ana.open("/collage")
    ready(page)
    page.get_by_role("link", name="People and more").click()
    page.get_by_role("checkbox", name="Pizza or ramen?").check()
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_role("status")).to_contain_text("Invited")
    people = page.get_by_role("region", name="Who fills it")
    for person in [ana, bea, cleo]:
        expect(people.get_by_text(name(person))).to_be_visible()
    expect(open_chat(bea, group).locator("collage-card")).to_contain_text("3 cells to fill")
