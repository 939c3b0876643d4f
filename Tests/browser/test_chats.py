"""Chats between two phones: live, offline, on bad networks; photos; requests; blocking."""

import random
import re

import pytest
from playwright.sync_api import expect

from chats import chat_of, open_chat
from people import ready
from proxies import StreamBreaker
from touch import middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-sign-ups", "1000"]


def write(person, chat, text):
    return person.post(f"/api/v1/chats/{chat}/messages", text=text)


def say(page, text):
    page.get_by_role("textbox", name="Message").fill(text)
    page.get_by_role("button", name="Send").click()


def texts(page):
    """What the chat shows, in order."""
    return page.locator("li.message[data-id] p.bubble").all_inner_texts()


def test_a_message_arrives_at_once_and_says_that_it_was_read(ana, bea):
    chat = chat_of(ana, bea)
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.get_by_role("textbox", name="Message").press_sequentially("Half past six?")
    expect(there.locator("[data-typing]")).to_be_visible()
    here.get_by_role("button", name="Send").click()
    expect(there.get_by_text("Half past six?")).to_be_visible()
    expect(there.locator("[data-typing]")).to_have_count(0)
    expect(here.locator(".state")).to_have_text(re.compile("^Read "))


@pytest.mark.long
def test_a_message_is_delivered_before_it_is_read(ana, bea):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    bea.open("/home").wait_for_selector("html[data-live=on]", state="attached")
    say(here, "Are you there?")
    expect(here.locator(".state")).to_have_text("Delivered")
    expect(bea.page.locator(".tabs [data-badge=friends]")).to_have_text(re.compile("^1"))
    bea.open(f"/messages/{chat}")
    expect(here.locator(".state")).to_have_text(re.compile("^Read "))


def test_messages_written_offline_wait_visibly_and_go_out_in_order(ana, bea):
    chat = chat_of(ana, bea)
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.context.set_offline(True)
    for text in ["one", "two", "three"]:
        say(here, text)
    expect(here.get_by_text("Waiting for the network")).to_have_count(3)
    here.context.set_offline(False)
    expect(there.locator("li.message[data-id]")).to_have_count(3)
    assert texts(there) == ["one", "two", "three"]
    expect(here.get_by_text("Waiting for the network")).to_have_count(0)


def test_messages_written_offline_survive_a_closed_page(ana, bea):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    here.context.set_offline(True)
    say(here, "Still here")
    expect(here.get_by_text("Waiting for the network")).to_be_visible()
    here.close()
    ana.page = here.context.new_page()
    ana.page.context.set_offline(False)
    there = open_chat(bea, chat)
    ana.open("/home")
    expect(there.locator("chat-thread").get_by_text("Still here")).to_be_visible()


def test_a_tab_whose_page_came_from_another_server_loads_again(ana):
    """The listening tab tells a new one what it missed, but the ids of two servers can't be compared."""
    page = ana.open("/home")
    page.wait_for_selector("html[data-live=on]", state="attached")
    names = """async (difference) => {
        const { eventId, account } = document.documentElement.dataset;
        const tab = new BroadcastChannel(`tintype-events-${account}`);
        const answer = new Promise((resolve) => (tab.onmessage = ({ data }) => data.events && resolve(data.events)));
        tab.postMessage({ joined: String(BigInt(eventId) + BigInt(difference)) });
        return (await answer).map(({ name }) => name);
    }"""
    assert page.evaluate(names, 0) == ["tintype.counts"]
    assert page.evaluate(names, 1) == ["reset", "tintype.counts"]


def test_a_refused_message_stays_with_retry(ana, bea):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    path = f"**/api/v1/chats/{chat}/messages"
    refuse = {"status": 422, "content_type": "application/json", "body": '{"error":"Not today."}'}
    here.route(path, lambda route: route.fulfill(**refuse))
    say(here, "Please")
    expect(here.get_by_text("Not sent: Not today.")).to_be_visible()
    here.unroute(path)
    here.get_by_role("button", name="Retry").click()
    expect(here.locator("li.message[data-id]")).to_have_count(1)
    assert [message["text"] for message in bea.get(f"/api/v1/chats/{chat}/messages")] == ["Please"]


def test_a_draft_stays_until_it_is_sent(ana, bea):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    here.get_by_role("textbox", name="Message").fill("Half a thought")
    ana.open("/home")
    ana.open(f"/messages/{chat}")
    field = ana.page.get_by_role("textbox", name="Message")
    expect(field).to_have_value("Half a thought")
    ana.page.get_by_role("button", name="Send").click()
    expect(ana.page.locator("li.message[data-id]")).to_have_count(1)
    ana.page.reload()
    ready(ana.page)
    expect(field).to_have_value("")


def test_history_loads_upwards_without_a_jump(ana, bea):
    chat = chat_of(ana, bea)
    for number in range(90):
        write([ana, bea][number % 2], chat, f"Message {number}")
    page = open_chat(ana, chat)
    thread = page.locator("chat-thread")
    expect(thread.get_by_text("Message 89", exact=True)).to_be_in_viewport()
    for _ in range(40):
        if thread.get_by_text("Message 0", exact=True).count():
            break
        first = page.locator("li.message[data-id]").first
        before = thread.evaluate("thread => thread.scrollTop")
        thread.evaluate("thread => thread.scrollBy(0, -400)")
        first.wait_for()
        assert thread.evaluate("thread => thread.scrollTop") >= before - 400
    expect(thread.get_by_text("Message 0", exact=True)).to_have_count(1)
    assert texts(page) == [f"Message {number}" for number in range(90)]


@pytest.mark.long
def test_what_comes_while_one_reads_further_up_does_not_move_the_page(ana, bea):
    chat = chat_of(ana, bea)
    for number in range(40):
        write(bea, chat, f"Message {number}")
    page = open_chat(ana, chat)
    anchor = page.locator("chat-thread").get_by_text("Message 20", exact=True)
    anchor.scroll_into_view_if_needed()
    before = anchor.bounding_box()["y"]
    write(bea, chat, "New, with\nseveral\nlines")
    expect(page.locator("chat-thread").get_by_text("New, with")).to_have_count(1)
    assert abs(anchor.bounding_box()["y"] - before) < 2


def test_photos_are_sent_saved_and_zoomed(ana, bea, photos):
    chat = chat_of(ana, bea)
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.get_by_label("Choose photos").set_input_files(photos[:2])
    here.get_by_role("button", name="Send").click()
    expect(there.locator("a.bubble.photo")).to_have_count(2)
    photo = there.locator("a.bubble.photo").first
    for _ in range(5):
        x, y = middle(photo)
        there.touchscreen.tap(x, y)
        there.touchscreen.tap(x, y)
        # On a machine so busy that a third of a second has passed between the two, they open the photo.
        there.wait_for_function("() => location.pathname.includes('/photos/') || document.querySelector('.flash').textContent")
        if "/photos/" not in there.url:
            break
        open_chat(bea, chat)
    expect(there.locator("flash-message")).to_have_text("Saved")
    assert len(bea.get("/api/v1/photos?kind=saved")) == 1
    photo.click()
    expect(there.locator("photo-viewer img").first).to_be_visible()
    there.get_by_role("link", name="Done").click()
    expect(there.locator("chat-thread")).to_be_visible()
    bea.open("/feed")
    expect(there.get_by_text("Sent to: you")).to_have_count(2)
    expect(there.get_by_text("2 messages")).to_have_count(2)


def test_a_message_is_deleted_for_both(ana, bea):
    chat = chat_of(ana, bea)
    write(ana, chat, "Oops")
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.locator("[data-options]").evaluate("link => link.click()")
    here.get_by_role("button", name="Delete for both").click()
    for page in [there, here]:
        expect(page.locator("chat-thread").get_by_text("Oops")).to_have_count(0)


def test_a_stranger_asks_first_and_the_request_is_taken(people, ana):
    stranger = people("cleo")
    chat = chat_of(stranger, ana)
    page = open_chat(stranger, chat)
    say(page, "Hi, may I write to you?")
    expect(page.locator(".state")).to_have_text("Sent")
    ana.open("/messages")
    expect(ana.page.get_by_role("link", name="Requests · 1")).to_be_visible()
    ana.page.get_by_role("link", name="Requests · 1").click()
    ana.page.get_by_role("button", name="Accept").click()
    expect(ana.page.get_by_text("Hi, may I write to you?").last).to_be_visible()
    expect(page.locator(".state")).to_have_text(re.compile("^Read "))


def test_blocking_ends_an_open_chat(ana, bea):
    chat = chat_of(ana, bea)
    write(ana, chat, "Before")
    there = open_chat(bea, chat)
    ana.post(f"/api/v1/accounts/{bea.id}/block")
    expect(there.get_by_text("This chat no longer exists.")).to_be_visible()
    assert ana.get("/api/v1/chats") == []


def log_in(page, person):
    page.get_by_label("Username").fill(person.username)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Log In").click()
    page.wait_for_url("**/home")


def log_out(page):
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Log Out").click()
    page.wait_for_url("**/login")


@pytest.mark.long
def test_instructions_appear_once_to_everybody_who_logs_in(ana, bea):
    chat = chat_of(ana, bea)
    page = open_chat(ana, chat)
    instructions = page.locator("[data-instructions]")
    expect(instructions).to_be_visible()
    page.get_by_role("button", name="Got it").click()
    expect(instructions).to_have_count(0)
    page.reload()
    ready(page)
    expect(instructions).to_have_count(0)
    for person, count in [(bea, 1), (ana, 0), (bea, 0)]:
        log_out(page)
        log_in(page, person)
        page.goto(f"/messages/{chat}")
        ready(page)
        expect(page.get_by_role("textbox", name="Message")).to_be_visible()
        expect(instructions).to_have_count(count)


def test_the_list_is_live(ana, bea):
    chat = chat_of(ana, bea)
    ana.open("/messages").wait_for_selector("html[data-live=on]", state="attached")
    write(bea, chat, "News from the bridge")
    row = ana.page.locator("chat-list li[data-id]")
    expect(row).to_contain_text("News from the bridge")
    expect(row.locator(".badge")).to_have_text(re.compile("^1"))


@pytest.mark.long
def test_requests_come_and_go_live(people, ana):
    """In the list and among the requests, also when they are answered elsewhere."""
    stranger = people("dora")
    ana.open("/messages").wait_for_selector("html[data-live=on]", state="attached")
    requests = ana.page.context.new_page()
    requests.goto("/messages/requests")
    ready(requests)
    expect(requests.get_by_text("wait here until you accept them")).to_be_visible()
    chat = chat_of(stranger, ana)
    write(stranger, chat, "May I?")
    expect(ana.page.get_by_role("link", name="Requests · 1")).to_be_visible()
    expect(requests.get_by_text("May I?")).to_be_visible()
    ana.post(f"/api/v1/chats/{chat}/accept")
    expect(ana.page.get_by_role("link", name="Requests", exact=True)).to_be_visible()
    expect(ana.page.locator("chat-list li[data-id]", has_text="May I?")).to_be_visible()
    expect(requests.get_by_text("May I?")).to_have_count(0)


def test_a_view_once_photo_is_seen_once(ana, bea, photos):
    chat = chat_of(ana, bea)
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.get_by_label("Choose photos").set_input_files(photos[0])
    here.get_by_role("switch", name="View once").check()
    here.get_by_role("button", name="Send").click()
    there.get_by_role("button", name="Photo · view once").click()
    viewer = there.locator("dialog.snap-viewer")
    expect(viewer.locator("img")).to_be_visible()
    viewer.click()
    expect(viewer).to_have_count(0)
    for page in [here, there]:
        expect(page.get_by_role("button", name="Opened")).to_be_disabled()
    there.reload()
    ready(there)
    expect(there.get_by_role("button", name="Opened")).to_be_disabled()
    assert bea.get("/api/v1/timelines/between") == []


@pytest.mark.long
def test_a_view_once_photo_that_is_deleted_leaves_who_is_looking(ana, bea, photos):
    chat = chat_of(ana, bea)
    media = ana.upload(photos[0], purpose="view_once")
    message = ana.post(f"/api/v1/chats/{chat}/messages", media_id=media, view_once=True)["id"]
    there = open_chat(bea, chat)
    there.get_by_role("button", name="Photo · view once").click()
    viewer = there.locator("dialog.snap-viewer")
    expect(viewer.locator("img")).to_be_visible()
    ana.call("DELETE", f"/api/v1/chats/{chat}/messages/{message}")
    expect(viewer).to_have_count(0)
    expect(there.locator("li.message")).to_have_count(0)


# Writes messages one after the other, as fast as the page takes them, without being waited for.
WRITE_ALL = """([name, count]) => {
  const form = document.querySelector("chat-composer form");
  const next = (number) => {
    if (number === count) return;
    form.elements.text.value = `${name} ${number}`;
    form.elements.text.dispatchEvent(new Event("input", { bubbles: true }));
    form.requestSubmit();
    requestAnimationFrame(() => next(number + 1));
  };
  next(0);
}"""

# Whether so many of the person's own messages have been sent.
HAVE_GONE = "(count) => document.querySelectorAll('li.message.out[data-id]').length >= count"


@pytest.mark.long
def test_four_hundred_messages_cross_on_a_network_that_comes_and_goes(server, ana, bea):
    count, chance = 200, random.Random(7)
    chat = chat_of(ana, bea)
    names = ["ana", "bea"]
    with StreamBreaker(server) as proxy:
        pages = [person.open(f"{proxy.url}/messages/{chat}") for person in (ana, bea)]
        for page, name in zip(pages, names, strict=True):
            page.wait_for_selector("html[data-live=on]", state="attached")
            page.evaluate(WRITE_ALL, [name, count])
        gone = [0, 0]
        while min(gone) < count:
            troubled, other = chance.sample([0, 1], 2)
            pages[troubled].context.set_offline(chance.random() < 0.4)
            pages[other].context.set_offline(False)
            if chance.random() < 0.6:
                proxy.break_streams()
            # Meanwhile the other goes on.
            gone[other] = min(count, gone[other] + chance.randrange(5, 25))
            pages[other].wait_for_function(HAVE_GONE, arg=gone[other], timeout=120_000)
        assert proxy.broken > 5
        for page in pages:
            page.context.set_offline(False)
        for page in pages:
            expect(page.locator("li.message[data-id]")).to_have_count(2 * count, timeout=120_000)
            expect(page.locator("li.message:not([data-id])")).to_have_count(0)
        shown = [texts(page) for page in pages]
        assert shown[0] == shown[1]
        for name in names:
            assert [text for text in shown[0] if text.startswith(name)] == [f"{name} {n}" for n in range(count)]
