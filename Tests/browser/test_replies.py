"""Replies, reactions, the way to the newest message, sheets under the finger."""

import re

import pytest
from playwright.sync_api import expect

from chats import chat_of, open_chat, send_once, send_photo
from looks import accessibility_problems
from people import ready
from test_chats import say, write
from touch import Finger, middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def bubble(page, text):
    return page.locator("li.message[data-id] p.bubble", has_text=text)


def options_of(page, text):
    """Opens the sheet of a message."""
    page.locator("li.message[data-id]", has_text=text).first.locator("[data-options]").evaluate("link => link.click()")
    return page.get_by_role("dialog", name="Message")


def swipe_right(page, text, distance=90):
    x, y = middle(bubble(page, text))
    Finger(page).swipe((x, y), (x + distance, y + 3))


def test_a_swipe_to_the_right_replies_and_the_quote_leads_back(ana, bea):
    chat = chat_of(ana, bea)
    write(bea, chat, "Which side?")
    for number in range(60):
        write([ana, bea][number % 2], chat, f"Message {number}")
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    for page in (here, there):
        page.get_by_role("button", name="Got it").evaluate("button => button.click()")
    swipe_right(here, "Message 59")
    expect(here.get_by_text(f"Reply to {bea.username}")).to_be_visible()
    expect(here.get_by_role("textbox", name="Message")).to_be_focused()
    say(here, "Quite so")
    expect(here.locator("[data-answering]")).to_be_hidden()
    for page in (here, there):
        reply = page.locator("li.message[data-id]", has_text="Quite so")
        expect(reply.locator(".quote")).to_contain_text("Message 59")
    # One that answers the very first message, which isn't loaded.
    first = bea.get(f"/api/v1/chats/{chat}/messages?min_id=1&limit=1")[0]["id"]
    bea.post(f"/api/v1/chats/{chat}/messages", text="East", reply_to_id=first)
    quote = here.locator("li.message[data-id]", has_text="East").locator(".quote")
    quote.click()
    expect(bubble(here, "Which side?")).to_be_in_viewport()
    assert accessibility_problems(here) == []


@pytest.mark.long
def test_a_short_swipe_or_one_that_scrolls_replies_to_nothing(ana, bea):
    chat = chat_of(ana, bea)
    write(bea, chat, "Hello")
    here = open_chat(ana, chat)
    swipe_right(here, "Hello", 30)
    x, y = middle(bubble(here, "Hello"))
    Finger(here).swipe((x, y), (x + 60, y + 80))
    say(here, "No reply")
    expect(here.locator("li.message.out[data-id]")).to_have_count(1)
    expect(here.locator(".quote")).to_have_count(0)


def test_a_reply_waits_for_the_network_with_its_quote(ana, bea):
    chat = chat_of(ana, bea)
    write(bea, chat, "Are you there?")
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.context.set_offline(True)
    options_of(here, "Are you there?").get_by_role("button", name="Reply").click()
    say(here, "In a tunnel")
    waiting = here.locator("li.message", has_text="Waiting for the network")
    expect(waiting.locator(".quote")).to_contain_text("Are you there?")
    here.context.set_offline(False)
    reply = there.locator("li.message[data-id]", has_text="In a tunnel")
    expect(reply.locator(".quote")).to_contain_text("Are you there?")


@pytest.mark.long
def test_the_quote_of_a_deleted_message_says_so_on_open_pages(ana, bea, photos):
    chat = chat_of(ana, bea)
    secret = write(ana, chat, "Secret")["id"]
    bea.post(f"/api/v1/chats/{chat}/messages", text="I see", reply_to_id=secret)
    photo = send_photo(ana, chat, photos[0])
    bea.post(f"/api/v1/chats/{chat}/messages", text="Nice", reply_to_id=photo)
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    expect(here.locator(".quote img")).to_be_visible()
    # Somebody is about to answer it, too.
    options_of(there, "Secret").get_by_role("button", name="Reply").click()
    expect(there.locator("[data-answering]")).to_contain_text("Secret")
    for message in (secret, photo):
        ana.call("DELETE", f"/api/v1/chats/{chat}/messages/{message}")
    for page in (here, there):
        expect(page.get_by_text("Deleted message")).to_have_count(2)
        expect(page.get_by_text("Secret")).to_have_count(0)
        expect(page.locator(".quote img")).to_have_count(0)
    expect(there.locator("[data-answering]")).to_be_hidden()


def test_reactions_come_and_go_live(ana, bea):
    chat = chat_of(ana, bea)
    write(ana, chat, "Six at the bridge")
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    options_of(there, "Six at the bridge").get_by_role("button", name="Heart").click()
    expect(here.get_by_role("button", name=f"❤️ from {bea.username}")).to_be_visible()
    mine = there.get_by_role("button", name="❤️ from you", exact=True)
    expect(mine).to_have_attribute("aria-pressed", "true")
    # The same emoji from both is one with a number.
    here.get_by_role("button", name=f"❤️ from {bea.username}").click()
    expect(there.get_by_role("button", name=f"❤️ from you and {ana.username}")).to_have_text("❤️ 2")
    assert accessibility_problems(here) == []
    # Another one takes its place, any there is.
    sheet = options_of(there, "Six at the bridge")
    expect(sheet.get_by_role("button", name="Heart")).to_have_attribute("aria-pressed", "true")
    sheet.get_by_role("button", name="Another emoji").click()
    sheet.get_by_role("textbox", name="Another emoji").fill("🥨")
    sheet.get_by_role("button", name="React").click()
    expect(here.get_by_role("button", name=f"🥨 from {bea.username}")).to_be_visible()
    expect(here.locator(".reaction")).to_have_count(2)
    there.get_by_role("button", name="🥨 from you").click()
    expect(here.locator(".reaction")).to_have_text(["❤️"])
    # What isn't one emoji is refused in words.
    sheet = options_of(there, "Six at the bridge")
    sheet.get_by_role("button", name="Another emoji").click()
    sheet.get_by_role("textbox", name="Another emoji").fill("yes")
    sheet.get_by_role("button", name="React").click()
    expect(there.locator("flash-message")).to_have_text("Choose one emoji.")
    there.reload()
    ready(there)
    expect(there.get_by_role("button", name=f"❤️ from {ana.username}")).to_be_visible()


@pytest.mark.long
def test_a_button_leads_to_the_newest_and_counts_what_came(ana, bea):
    chat = chat_of(ana, bea)
    for number in range(40):
        write(bea, chat, f"Message {number}")
    page = open_chat(ana, chat)
    newest = page.get_by_role("button", name=re.compile("newest", re.IGNORECASE))
    expect(newest).to_be_hidden()
    page.locator("chat-thread").get_by_text("Message 20", exact=True).scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Newest message")).to_be_visible()
    write(ana, chat, "From another device")
    write(bea, chat, "One more")
    expect(page.get_by_role("button", name="1 new message, to the newest")).to_have_text("1")
    write(bea, chat, "And another")
    expect(newest).to_have_text("2")
    assert accessibility_problems(page) == []
    assert bea.get(f"/api/v1/chats/{chat}")["peer"]["last_read_id"] != bea.get(f"/api/v1/chats/{chat}")["last_message"]["id"]
    newest.click()
    expect(page.locator("chat-thread").get_by_text("And another")).to_be_in_viewport()
    expect(newest).to_be_hidden()


@pytest.mark.long
def test_the_first_message_is_below_the_instructions(ana, bea):
    chat = chat_of(ana, bea)
    page = open_chat(ana, chat)
    instructions = page.locator("[data-instructions]")
    expect(instructions).to_be_visible()
    say(page, "Hello")
    expect(page.locator("li.message[data-id]")).to_have_count(1)
    assert middle(instructions)[1] < middle(bubble(page, "Hello"))[1]


@pytest.mark.long
def test_sheets_are_pulled_down_and_away(ana, bea, photos):
    chat = chat_of(ana, bea)
    write(bea, chat, "Hello")
    for _ in range(30):
        ana.upload(photos[0])
    page = open_chat(ana, chat)
    finger = Finger(page)
    sheet = options_of(page, "Hello")
    # The first sheet that opens loads the script.
    expect(page.locator("html[data-pull=on]")).to_be_visible()
    x, y = middle(sheet.get_by_role("button", name="Copy"))
    # A little is too little, and up is nothing.
    finger.drag((x, y), (x, y + 40), steps=20)
    finger.move((x, y + 10))
    finger.up()
    finger.swipe((x, y), (x, y - 60))
    expect(sheet).to_be_visible()
    finger.swipe((x, y), (x, y + 200))
    expect(sheet).to_have_count(0)
    page.get_by_role("button", name="Photos").click()
    sheet = page.get_by_role("dialog", name="Photos")
    list = sheet.locator("endless-list")
    expect(list.locator("input[name=photo]")).to_have_count(30)
    list.evaluate("list => list.scrollTo(0, 200)")
    # What is scrolled scrolls back first.
    x, y = middle(list)
    finger.swipe((x, y), (x, y + 120))
    expect(sheet).to_be_visible()
    x, y = middle(sheet.get_by_role("heading", name="Photos"))
    finger.swipe((x, y), (x, y + 200))
    expect(sheet).to_be_hidden()


@pytest.mark.long
def test_without_scripts_one_replies_and_reacts_too(ana, bea, phone):
    chat = chat_of(ana, bea)
    write(bea, chat, "Which side?")
    page = phone(ana, java_script_enabled=False).page
    page.goto(f"/messages/{chat}")
    page.get_by_role("link", name="Options of this message").click(force=True)
    page.get_by_role("button", name="Thumbs up").click()
    page.get_by_role("link", name="Options of this message").click(force=True)
    page.get_by_role("link", name="Reply").click()
    expect(page.get_by_text(f"Reply to {bea.username}")).to_be_visible()
    page.get_by_role("textbox", name="Message").fill("East")
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".quote")).to_contain_text("Which side?")
    newest, oldest = bea.get(f"/api/v1/chats/{chat}/messages")
    assert newest["in_reply_to_id"] == oldest["id"]
    assert [reaction["emoji"] for reaction in oldest["reactions"]] == ["👍"]
    page.get_by_role("button", name="👍 from you").click()
    assert bea.get(f"/api/v1/chats/{chat}/messages")[1]["reactions"] == []


# The messages of a page as they are drawn, by their ids: without what became of them and what scripts add to pictures and
# cards, and with the attributes in one order.
DRAWN = """page => Object.fromEntries([...page.querySelectorAll("li.message[data-id]")].map((item) => {
    const copy = item.cloneNode(true);
    copy.querySelector(".state")?.remove();
    copy.querySelector(".shared")?.replaceChildren();
    for (const picture of copy.querySelectorAll("img")) {
        for (const name of ["style", "data-blurhash"]) picture.removeAttribute(name);
    }
    for (const element of [copy, ...copy.querySelectorAll("*")]) {
        const attributes = [...element.attributes].sort((one, other) => (one.name < other.name ? -1 : 1));
        for (const { name } of attributes) element.removeAttribute(name);
        for (const { name, value } of attributes) element.setAttribute(name, value);
    }
    return [item.dataset.id, copy.outerHTML];
}))"""


def test_messages_that_arrive_are_drawn_as_the_server_draws_them(ana, bea, photos):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)

    def send(person, **message):
        return person.post(f"/api/v1/chats/{chat}/messages", **message)["id"]

    gone = send(bea, text="Not for long")
    question = send(bea, text="Which side? https://example.org/<east> & west")
    picture = send_photo(bea, chat, photos[0], "A boat")
    send_photo(ana, chat, photos[1])
    send_once(ana, chat, photos[0])
    send_once(bea, chat, photos[1])
    send(ana, text="🎉")
    send(ana, text="East", reply_to_id=question)
    send(bea, text="This one", reply_to_id=picture)
    send(bea, text="Before it is gone", reply_to_id=gone)
    bea.call("DELETE", f"/api/v1/chats/{chat}/messages/{gone}")
    post = bea.share("By the lake", photos[0])
    send(bea, text=f"{bea.server.url}/posts/{post}")
    last = send(bea, text=f"Look: {bea.server.url}/posts/{post}")
    for person, emoji in [(ana, "👍"), (bea, "👍")]:
        reaction = f'{{"emoji": "{emoji}"}}'.encode()
        person.call("PUT", f"/api/v1/chats/{chat}/messages/{question}/reaction", reaction, "application/json")
    expect(here.get_by_role("button", name="👍 from you and")).to_have_text("👍 2")
    expect(here.locator(f"li[data-id='{last}']")).to_be_visible()
    drawn = here.evaluate(f"() => ({DRAWN})(document)")
    page = "fetch(location.href).then((answer) => answer.text())"
    served = here.evaluate(
        f"async () => ({DRAWN})(new DOMParser().parseFromString(await {page}, 'text/html'))"
    )
    assert len(drawn) == 11
    assert drawn == served
