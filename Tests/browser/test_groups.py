"""Groups on several phones: making one, writing, adding, leaving, removing, naming, muting."""

import random
import re

import pytest
from playwright.sync_api import expect

from chats import lose_first, open_chat
from people import befriend
from test_chats import say, texts

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-sign-ups", "1000"]


@pytest.fixture
def dora(people, ana):
    dora = people(f"dora{random.randrange(10**8)}")
    befriend(dora, ana)
    return dora


def name(person):
    """Their display name."""
    return person.username.capitalize()


def group_of(owner, *others, title="Pizza or ramen?"):
    """The id of their group."""
    return owner.post("/api/v1/chats", account_ids=[other.id for other in others], title=title)["id"]


def make(person, title, *others):
    """Makes a group on the screen; its page."""
    page = person.open("/messages/new")
    page.get_by_role("link", name="New group").click()
    page.get_by_label("Name", exact=True).fill(title)
    for other in others:
        page.get_by_role("checkbox", name=name(other)).check()
    page.get_by_role("button", name="Make group").click()
    page.wait_for_selector("html[data-live=on]", state="attached")
    return page


def test_a_group_is_made_and_all_write_in_it(ana, bea, cleo):
    here = make(ana, "Pizza or ramen?", bea, cleo)
    expect(here.locator(".chat-bar .peer")).to_contain_text("Pizza or ramen?")
    chat = here.url.split("/")[-1]
    there, third = open_chat(bea, chat), open_chat(cleo, chat)
    say(here, "Seven?")
    for page in [there, third]:
        expect(page.get_by_text("Seven?")).to_be_visible()
        expect(page.locator("li.message.in .sender")).to_have_text(name(ana))
    expect(here.locator(".state")).to_have_text("Seen by 2")
    here.get_by_role("link", name="Seen by 2").click()
    expect(here.locator(".state")).to_have_text(f"Seen by {name(bea)}, {name(cleo)}")
    say(there, "Eight")
    expect(third.locator("li.message.in .sender").last).to_have_text(name(bea))
    # A second message of the same person isn't named again.
    say(there, "Or nine")
    expect(third.get_by_text("Or nine")).to_be_visible()
    expect(third.locator("li.message.in:last-child .sender")).to_be_hidden()
    assert texts(here) == texts(there) == texts(third) == ["Seven?", "Eight", "Or nine"]
    # What was drawn by a script is drawn the same by the server.
    third.reload()
    assert texts(third) == texts(here)


def test_two_who_type_are_named_together_and_three_counted(ana, bea, cleo, dora):
    chat = group_of(ana, bea, cleo, dora)
    here = open_chat(ana, chat)
    for person in [bea, cleo]:
        person.post(f"/api/v1/chats/{chat}/typing")
    expect(here.locator(".peer [data-status]")).to_have_text(f"{name(bea)} and {name(cleo)} are typing…")
    dora.post(f"/api/v1/chats/{chat}/typing")
    expect(here.locator(".peer [data-status]")).to_have_text("3 people are typing…")
    bea.post(f"/api/v1/chats/{chat}/messages", text="Done")
    expect(here.locator(".peer [data-status]")).to_have_text(f"{name(cleo)} and {name(dora)} are typing…")


def test_members_come_and_go_live(ana, bea, cleo, dora):
    chat = group_of(ana, bea, cleo)
    bea.post(f"/api/v1/chats/{chat}/messages", text="Before")
    there, third = open_chat(bea, chat), open_chat(cleo, chat)
    here = ana.open(f"/messages/{chat}/group")
    here.get_by_role("link", name="Add friends").click()
    here.get_by_role("checkbox", name=name(dora)).check()
    here.get_by_role("button", name="Add", exact=True).click()
    expect(here.get_by_text(f"@{dora.username}")).to_be_visible()
    expect(there.get_by_role("log").get_by_text(f"{name(ana)} added {name(dora)}")).to_be_visible()
    fourth = open_chat(dora, chat)
    expect(fourth.get_by_role("log").get_by_text(f"{name(ana)} added you")).to_be_visible()
    assert texts(fourth) == []
    # Somebody who is removed sees nothing of it any more.
    here.get_by_role("button", name=f"Remove {name(cleo)}").click()
    expect(third.get_by_text("This chat no longer exists.")).to_be_visible()
    expect(there.get_by_role("log").get_by_text(f"{name(ana)} removed {name(cleo)}")).to_be_visible()
    here.get_by_role("button", name="Leave group").click()
    here.get_by_role("dialog").get_by_role("button", name="Leave group").click()
    expect(here).to_have_url(re.compile("/messages$"))
    expect(here.get_by_text("Pizza or ramen?")).to_have_count(0)
    expect(there.get_by_role("log").get_by_text(f"{name(ana)} left")).to_be_visible()


def test_a_new_name_shows_at_once(ana, bea, cleo):
    chat = group_of(ana, bea, cleo)
    there = open_chat(bea, chat)
    here = ana.open(f"/messages/{chat}/group")
    here.get_by_label("Name", exact=True).fill("Ramen it is")
    here.get_by_role("button", name="Save name").click()
    expect(there.locator(".chat-bar .peer")).to_contain_text("Ramen it is")
    expect(there.get_by_role("log").get_by_text(f"{name(ana)} named the group “Ramen it is”")).to_be_visible()


def test_a_muted_group_says_so_in_the_list(ana, bea, cleo):
    chat = group_of(ana, bea, cleo)
    page = open_chat(bea, chat)
    page.get_by_role("button", name="Mute", exact=True).click()
    page.get_by_role("button", name="For an hour").click()
    expect(page.get_by_role("button", name="Muted")).to_be_visible()
    ana.post(f"/api/v1/chats/{chat}/messages", text="Hello")
    row = bea.open("/messages").locator(f"li[data-id='{chat}']")
    expect(row).to_contain_text("Muted")
    expect(row).to_contain_text(f"{name(ana)}: Hello")


def test_a_view_once_photo_is_seen_once_by_each(ana, bea, cleo, photos):
    chat = group_of(ana, bea, cleo)
    here = open_chat(ana, chat)
    media = ana.upload(photos[0], "A secret harbour", purpose="view_once")
    ana.post(f"/api/v1/chats/{chat}/messages", media_id=media, view_once=True)
    for person in [bea, cleo]:
        page = open_chat(person, chat)
        page.get_by_role("button", name="Photo · view once").click()
        expect(page.get_by_alt_text("A secret harbour")).to_be_visible()
        page.reload()
        expect(page.get_by_role("button", name="Opened")).to_be_disabled()
    # The sender sees live how many have looked.
    expect(here.get_by_role("button", name="Opened by 2")).to_be_disabled()


def test_messages_of_a_blocked_person_are_folded(ana, bea, cleo):
    chat = group_of(ana, bea, cleo)
    cleo.post(f"/api/v1/accounts/{bea.id}/block")
    page = open_chat(cleo, chat)
    expect(page.get_by_text(f"You blocked {name(bea)}, who is in this group.")).to_be_visible()
    bea.post(f"/api/v1/chats/{chat}/messages", text="From bea")
    fold = page.get_by_role("link", name="Blocked person · Show")
    expect(fold).to_be_visible()
    expect(page.get_by_text("From bea")).to_be_hidden()
    fold.click()
    expect(page.get_by_text("From bea")).to_be_visible()


def test_the_name_and_silence_of_a_group_show_also_if_the_first_answers_are_lost(ana, bea, cleo):
    group = group_of(ana, bea, cleo)
    page = open_chat(bea, group)
    page.wait_for_selector("html[data-live=on]", state="attached")
    lost = lose_first(page, "**/messages/*/name"), lose_first(page, "**/messages/*/mute")
    ana.call("PATCH", f"/api/v1/chats/{group}", b'{"title": "Ramen"}', "application/json")
    expect(page.locator("chat-name")).to_contain_text("Ramen")
    bea.post(f"/api/v1/chats/{group}/mute")
    expect(page.get_by_role("button", name="Muted")).to_be_visible()
    assert [len(addresses) for addresses in lost] == [1, 1]
