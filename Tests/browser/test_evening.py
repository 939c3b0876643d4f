"""An evening of five friends: they agree in one conversation, fill a collage there, see each other's snaps, and answer."""

import random
import re

import pytest
from playwright.sync_api import expect

from chats import open_chat
from collages import cell
from people import befriend, ready
from snaps import close, viewer
from test_chats import say, texts
from test_group_collages import begin, fill
from test_groups import make, name
from test_keyboard import KEYBOARD, follow, reach, tab_to
from test_snap_sending import choose, picker, send

pytestmark = pytest.mark.long

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-sign-ups", "1000"]


@pytest.fixture
def friends(ana, bea, cleo, people):
    others = [people(f"{one}{random.randrange(10**8)}") for one in ["dora", "eva"]]
    for other in others:
        befriend(other, ana)
    return [ana, bea, cleo, *others]


def test_five_friends_decide_make_a_collage_and_answer_snaps(friends, photos):
    ana, bea, cleo, dora, eva = friends
    here = make(ana, "Pizza or ramen?", bea, cleo, dora, eva)
    chat = here.url.split("/")[-1]
    pages = [here] + [open_chat(one, chat) for one in friends[1:]]
    for page, words in zip(pages, ["Pizza?", "Ramen", "Ramen!", "Pizza", "Ramen it is"], strict=True):
        say(page, words)
        for other in pages:
            expect(other.locator("li.message[data-id]").last).to_contain_text(words)
    assert all(texts(page) == texts(here) for page in pages[1:])
    expect(pages[-1].locator(".state")).to_have_text("Seen by 4")

    # A collage of three cells, filled by three of them; the other two see its card fill.
    for person, photo in [(ana, "Bridge"), (bea, "Harbour"), (cleo, "Meadow")]:
        person.upload(photos[0], photo)
    draft = begin(ana, chat)
    fill(draft, 1, "Bridge")
    for page, number, photo in [(pages[1], 2, "Harbour"), (pages[2], 3, "Meadow")]:
        page.locator("collage-card").get_by_role("link").click()
        ready(page)
        fill(page, number, photo)
        expect(cell(draft, number)).to_have_accessible_name(f"Cell {number} of 3: {photo}")
    for page in pages[3:]:
        expect(page.locator("collage-card")).to_contain_text("All cells are filled")

    # A snap for the group: each of the four sees it once, and one answers.
    snap = picker(ana)
    choose(snap, "Pizza or ramen?")
    send(snap, "Send", "Snap sent to Pizza or ramen?")
    for person in friends[1:]:
        page = open_chat(person, chat)
        page.get_by_role("button", name="Photo · view once").click()
        expect(viewer(page).locator("img")).to_be_visible()
        close(page)
        expect(page.get_by_role("button", name="Opened")).to_be_disabled()
    sent = open_chat(ana, chat)
    expect(sent.get_by_role("button", name="Opened by 4")).to_be_disabled()
    answer = open_chat(eva, chat)
    say(answer, "Looks delicious")
    expect(sent.locator("li.message[data-id]").last).to_contain_text("Looks delicious")


def test_a_group_is_made_written_to_and_left_by_keyboard(ana, bea, cleo, phone):
    page = phone(ana, **KEYBOARD).open("/messages/new")
    follow(page, page.get_by_role("link", name="New group"))
    page.wait_for_url("**/messages/new/group")
    ready(page)
    title = page.get_by_label("Name", exact=True)
    tab_to(page, title)
    page.keyboard.type("Pizza or ramen?")
    for other in [bea, cleo]:
        box = page.get_by_role("checkbox", name=name(other))
        reach(page, box)
        # The outline is that of the portrait beside it.
        expect(page.locator("label", has=box).locator(".portrait")).to_have_css("outline-style", "solid")
        page.keyboard.press("Space")
        expect(box).to_be_checked()
    follow(page, page.get_by_role("button", name="Make group"))
    page.wait_for_url(re.compile(r"/messages/\d+$"))
    ready(page)
    page.wait_for_selector("html[data-live=on]", state="attached")
    chat = page.url.split("/")[-1]
    field = page.get_by_role("textbox", name="Message")
    tab_to(page, field)
    page.keyboard.type("Seven?")
    page.keyboard.press("Enter")
    there = open_chat(bea, chat)
    expect(there.get_by_text("Seven?")).to_be_visible()
    seen = page.get_by_role("link", name="Seen by 1")
    tab_to(page, seen, key="Shift+Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".state")).to_have_text(f"Seen by {name(bea)}")
    expect(page.locator("[data-readers]")).to_be_focused()
    page.goto(f"/messages/{chat}/group")
    ready(page)
    follow(page, page.get_by_role("button", name="Leave group"))
    question = page.get_by_role("dialog", name=re.compile("^Leave"))
    expect(question).to_be_visible()
    follow(page, question.get_by_role("button", name="Leave group", exact=True))
    page.wait_for_url("**/messages")
    assert ana.get("/api/v1/chats") == []
