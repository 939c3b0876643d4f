"""Finding messages by their words, and chats that open at one of their messages."""

import pathlib
import re

import pytest
from playwright.sync_api import expect

from chats import chat_of, open_chat
from looks import accessibility_problems, scrolls_sideways
from people import ready
from test_chats import say, texts, write

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def shown(page, text):
    return page.locator("li.message[data-id]").get_by_text(text, exact=True)


def search_for(page, words):
    page.get_by_role("searchbox", name="Search chats and messages").press_sequentially(words)


@pytest.fixture
def talk(ana, bea):
    """A chat of 150 messages with one about pasta, far from both ends; the chat and the message."""
    chat = chat_of(ana, bea)
    for number in range(150):
        found = write([ana, bea][number % 2], chat, "Dinner: pasta, from the new oven" if number == 61 else f"Word {number}")
        if number == 61:
            pasta = found["id"]
    return chat, pasta


def test_words_lead_to_their_place_in_a_chat_and_from_there_both_ways(ana, bea, cleo, talk):
    chat, pasta = talk
    group = ana.post("/api/v1/chats", account_ids=[bea.id, cleo.id], title="Kitchen")["id"]
    write(cleo, group, "Who eats pasta tonight?")
    page = ana.open("/messages")
    search_for(page, "pasta")
    expect(page.get_by_role("heading", name="Messages", level=2)).to_be_visible()
    of_group = page.get_by_role("link", name=re.compile(f"Kitchen.*{cleo.username}: Who eats pasta tonight", re.I))
    expect(of_group.locator("mark")).to_have_text("pasta")
    of_two = page.get_by_role("link", name=re.compile(f"{bea.username}.*Dinner: pasta, from the new oven", re.I))
    expect(of_two).to_be_visible()
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
    of_two.click()
    page.wait_for_url(re.compile(f"/messages/{chat}\\?message={pasta}"))
    ready(page)
    found = page.locator("li.message").filter(has_text="Dinner: pasta")
    expect(found).to_be_in_viewport()
    expect(found).to_have_attribute("data-found", "")
    # What is between this page and the newest message isn't fetched.
    expect(shown(page, "Word 149")).to_have_count(0)
    assert accessibility_problems(page) == []
    # Down, page after page, to the newest message, without a gap.
    thread = page.get_by_role("log")
    for _ in range(40):
        if shown(page, "Word 149").count():
            break
        thread.evaluate("thread => thread.scrollBy(0, thread.clientHeight)")
        page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(shown(page, "Word 149")).to_have_count(1)
    # What is fetched on the way isn't new.
    expect(page.get_by_role("button", name="Newest message", exact=True)).to_be_visible()
    thread.evaluate("thread => thread.scrollTo(0, 0)")
    expect(thread).not_to_have_attribute("data-later", "")
    numbers = [int(text.split()[1]) for text in texts(page) if text.startswith("Word")]
    assert numbers == [number for number in range(numbers[0], 150) if number != 61]
    # Live from here on.
    write(bea, chat, "Just now")
    expect(shown(page, "Just now")).to_have_count(1)


def test_the_button_to_the_newest_message_and_sending_leave_the_place_that_was_found(ana, bea, talk):
    chat, pasta = talk
    path = f"/messages/{chat}?message={pasta}#found"
    page = ana.open(path)
    page.wait_for_selector("html[data-live=on]", state="attached")
    # Missed events are made up for where the person reads, and not by what is further down.
    page.evaluate(
        """() => {
          document.querySelector("#found").previousElementSibling.querySelector("p").textContent = "Missed";
          dispatchEvent(new CustomEvent("tintype:reset"));
        }"""
    )
    expect(shown(page, "Word 60")).to_be_visible()
    expect(page.locator("#found")).to_be_in_viewport()
    expect(shown(page, "Word 149")).to_have_count(0)
    # What comes meanwhile stays where it belongs, after what isn't shown yet, and isn't read.
    come = "() => { window.come = new Promise((come) => addEventListener('tintype:message', come, { once: true })) }"
    page.evaluate(come)
    write(bea, chat, "Came meanwhile")
    page.evaluate("async () => { await window.come }")
    expect(shown(page, "Came meanwhile")).to_have_count(0)
    assert ana.get(f"/api/v1/chats/{chat}")["unread_count"] == 76
    page.get_by_role("button", name="Newest message").click()
    expect(shown(page, "Came meanwhile")).to_be_in_viewport()
    expect(page.get_by_role("button", name="Newest message")).to_be_hidden()
    assert texts(page)[-2:] == ["Word 149", "Came meanwhile"]
    page = ana.open("/home")
    page = ana.open(path)
    say(page, "An answer")
    expect(shown(page, "An answer")).to_be_in_viewport()
    expect(page.get_by_role("log")).not_to_have_attribute("data-later", "")
    assert texts(page)[-3:] == ["Word 149", "Came meanwhile", "An answer"]


def test_a_chat_is_searched_by_itself_and_an_empty_answer_says_what_was_looked_for(ana, bea, cleo, talk):
    chat, pasta = talk
    other = chat_of(ana, cleo)
    write(cleo, other, "Pasta again")
    page = open_chat(ana, chat)
    page.get_by_role("link", name="Search", exact=True).click()
    page.wait_for_url(f"**/messages/{chat}/search")
    ready(page)
    field = page.get_by_role("searchbox", name="Search this chat")
    field.press_sequentially("PASTA")
    rows = page.locator(".found-messages li")
    expect(rows).to_have_count(1)
    expect(rows.get_by_role("link")).to_have_attribute("href", f"/messages/{chat}?message={pasta}#found")
    field.fill("noodles")
    expect(page.get_by_text("No message with “noodles” in this chat.")).to_be_visible()
    assert accessibility_problems(page) == []
    page = ana.open("/messages")
    search_for(page, "noodles")
    expect(page.get_by_text("No chat or message with “noodles”.")).to_be_visible()


def test_without_scripts_the_search_is_a_form_and_the_chat_opens_at_the_message(ana, phone, talk):
    chat, pasta = talk
    page = phone(ana, java_script_enabled=False).page
    page.goto("/messages")
    field = page.get_by_role("searchbox", name="Search chats and messages")
    field.fill("pasta")
    field.press("Enter")
    page.get_by_role("link", name=re.compile("Dinner: pasta")).click()
    expect(page).to_have_url(re.compile(f"/messages/{chat}\\?message={pasta}#found$"))
    expect(page.get_by_text("Dinner: pasta, from the new oven").last).to_be_in_viewport()
    page.get_by_role("link", name="Later messages").click()
    expect(page).to_have_url(re.compile("min_id="))
    expect(shown(page, "Word 90")).to_have_count(1)
    page.get_by_role("link", name="Earlier messages").click()
    expect(page).to_have_url(re.compile("max_id="))


def test_what_is_looked_for_is_not_in_the_log(ana, bea, server):
    chat = chat_of(ana, bea)
    write(bea, chat, "xylophone for two")
    page = ana.open("/messages")
    search_for(page, "xylophone")
    expect(page.locator("mark")).to_have_text("xylophone")
    # The search is in the address, so that Back finds it again.
    page.reload()
    ready(page)
    expect(page.locator("mark")).to_have_text("xylophone")
    assert ana.get("/api/v1/messages/search?q=xylophone")[0]["text"] == "xylophone for two"
    log = pathlib.Path(f"{server.data}.log").read_text()
    assert "/api/v1/messages/search" in log
    assert "xylophone" not in log
