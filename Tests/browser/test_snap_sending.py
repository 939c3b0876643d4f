"""Snaps for chosen friends and groups: chosen beside the feeds, sent as view-once photos."""

import random

import pytest
from playwright.sync_api import expect

from chats import open_chat
from looks import accessibility_problems, scrolls_sideways
from people import befriend
from snaps import close, viewer
from test_groups import group_of, name

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-sign-ups", "1000"]


def picker(person, picture="memes-1"):
    return person.open(f"/snaps/new/{picture}")


def choose(page, name):
    page.get_by_role("checkbox", name=name, exact=True).check()


def send(page, button, words):
    page.get_by_role("button", name=button, exact=True).click()
    page.get_by_role("alertdialog", name=words).get_by_role("button", name="OK").click()
    page.wait_for_url("**/snaps/new")


def test_a_snap_goes_to_friends_and_a_group_without_a_feed(ana, bea, cleo):
    chat = group_of(ana, bea, cleo)
    page = picker(ana)
    expect(page.get_by_role("button", name="Post")).to_be_disabled()
    choose(page, "Pizza or ramen?")
    choose(page, name(cleo))
    expect(page.locator("[data-choice] output")).to_have_text(f"Pizza or ramen? and {name(cleo)}")
    send(page, "Send", f"Snap sent to Pizza or ramen? and {name(cleo)}")
    assert all(not section["snaps"] for section in ana.get("/api/v1/snaps"))
    there = open_chat(bea, chat)
    there.get_by_role("button", name="Photo · view once").click()
    expect(viewer(there).locator("img")).to_be_visible()
    close(there)
    expect(there.get_by_role("button", name="Opened")).to_be_disabled()
    assert len([one for one in cleo.get("/api/v1/chats") if one["last_message"]["view_once"]]) == 2


def test_a_feed_is_taken_back_by_pressing_it_again_or_goes_along(ana, bea):
    page = picker(ana)
    feed = page.get_by_role("radio", name="memes")
    feed.check()
    expect(page.get_by_role("button", name="Post", exact=True)).to_be_enabled()
    feed.click()
    expect(feed).not_to_be_checked()
    expect(page.get_by_role("button", name="Post", exact=True)).to_be_disabled()
    feed.focus()
    page.keyboard.press("Space")
    expect(feed).to_be_checked()
    choose(page, name(bea))
    send(page, "Post", f"Snap posted to memes and sent to {name(bea)}")
    assert [len(section["snaps"]) for section in bea.get("/api/v1/snaps")] == [1, 0, 0]
    assert bea.get("/api/v1/chats")[0]["last_message"]["view_once"]


def test_a_search_keeps_what_was_chosen_and_the_address(people, ana, bea):
    for number in range(25):
        befriend(ana, people(f"fan{number}x{random.randrange(10**8)}"))
    page = picker(ana)
    address = page.url
    choose(page, name(bea))
    page.get_by_role("searchbox", name="Search friends").fill("fan7x")
    expect(page.locator(".friends li")).to_have_count(2)
    expect(page.get_by_role("checkbox", name=name(bea))).to_be_checked()
    page.locator(".friends li").last.get_by_role("checkbox").check()
    assert page.url == address
    page.get_by_role("searchbox", name="Search friends").press("Enter")
    assert page.url == address
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_role("alertdialog")).to_contain_text(f"Snap sent to {name(bea)} and Fan7x")


@pytest.mark.long
@pytest.mark.parametrize("settings", [{}, {"color_scheme": "dark"}, {"viewport": {"width": 1280, "height": 800}}])
def test_the_choice_is_accessible_and_fits(phone, ana, bea, cleo, settings):
    group_of(ana, bea, cleo)
    page = phone(ana, **settings).page
    page = picker(ana)
    expect(page.get_by_role("group", name="Friends and groups")).to_be_visible()
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
