"""What waits to go out: taken back, too old, too much for the browser, or stuck on the way."""

import pytest
from playwright.sync_api import expect

from chats import chat_of, open_chat
from holding import Held
from keeping import expect_nothing_waits
from people import acknowledged, ready
from test_chats import say, texts

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-uploads", "100000"]

MEDIA = "**/api/v2/media"


def messages(person, chat):
    return person.get(f"/api/v1/chats/{chat}/messages")


def hold_a_photo(page, path):
    """Sends a photo whose upload waits: what holds uploads, and this one."""
    uploads = Held(page, MEDIA)
    page.get_by_label("Choose photos").set_input_files(path)
    page.get_by_role("button", name="Send").click()
    return uploads, uploads.take()


def expect_only_words(page, other, chat):
    """Of a photo that was taken back and the words said next only these went out."""
    say(page, "Only this")
    expect(page.locator("li.message[data-id]")).to_have_count(1)
    assert [message["text"] for message in messages(other, chat)] == ["Only this"]


def test_a_photo_that_is_cancelled_as_its_upload_ends_never_goes_out(ana, bea, photos):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    # The store takes as long to forget it as the upload needs to end.
    here.evaluate(
        """() => {
          window.isHeld = true;
          const remove = IDBObjectStore.prototype.delete;
          IDBObjectStore.prototype.delete = function (key) {
            window.isRemoving = true;
            const wait = () => { if (window.isHeld) this.get(0).onsuccess = wait; };
            wait();
            return remove.call(this, key);
          };
          const send = XMLHttpRequest.prototype.send;
          XMLHttpRequest.prototype.send = function (body) {
            this.addEventListener("loadend", () => (window.isUploadOver = true));
            return send.call(this, body);
          };
        }"""
    )
    uploads, upload = hold_a_photo(here, photos[0])
    here.get_by_role("button", name="Cancel").click()
    here.wait_for_function("() => window.isRemoving")
    upload.continue_()
    here.wait_for_function("() => window.isUploadOver")
    here.evaluate("() => { window.isHeld = false; }")
    expect(here.locator("message-bubble")).to_have_count(0)
    uploads.release()
    expect_only_words(here, bea, chat)


def test_logging_out_asks_first_while_a_message_waits(ana, bea):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    posts = f"**/api/v1/chats/{chat}/messages"
    here.route(posts, lambda route: route.abort("connectionfailed"))
    say(here, "Still on its way")
    expect(here.get_by_text("Still on its way")).to_be_visible()
    # What sends it has started there, too.
    with here.expect_request(posts):
        here.goto("/settings")
    here.get_by_role("main").get_by_role("button", name="Log Out").click()
    here.get_by_role("dialog", name="Lose 1 unsent message?").get_by_role("button", name="Stay").click()
    expect(here.get_by_role("dialog")).to_have_count(0)
    with here.expect_response(posts):
        here.unroute(posts)
    here = open_chat(ana, chat)
    expect(here.locator("li.message")).to_have_count(1)
    assert [message["text"] for message in messages(bea, chat)] == ["Still on its way"]
    expect_nothing_waits(here)
    here.goto("/settings")
    here.get_by_role("main").get_by_role("button", name="Log Out").click()
    expect(here.get_by_label("Password")).to_be_visible()


def test_logging_out_asks_first_while_likes_and_follows_wait(ana, bea, photos):
    bea.share("The harbour", photos[0])
    here = ana.open("/home")
    here.route("**/api/v1/*/*/*favourite", lambda route: route.abort("connectionfailed"))
    here.route("**/api/v1/*/*/*follow", lambda route: route.abort("connectionfailed"))
    like = here.locator("post-card").first.get_by_role("button", name="Like")
    like.click()
    acknowledged(like)
    here.goto(f"/@{bea.username}")
    ready(here)
    follow = here.locator(f"follow-button[data-account='{bea.id}']").get_by_role("button")
    follow.click()
    acknowledged(follow)
    here.goto("/settings")
    ready(here)
    here.get_by_role("main").get_by_role("button", name="Log Out").click()
    question = here.get_by_role("dialog", name="Lose 1 unsent like and 1 unsent unfollow?")
    question.get_by_role("button", name="Log out").click()
    expect(here.get_by_label("Password")).to_be_visible()


@pytest.mark.long
def test_a_photo_taken_back_in_the_store_is_not_put_there_again(ana, bea, photos):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    _, upload = hold_a_photo(here, photos[0])
    # As another tab does it.
    here.evaluate(
        """() => new Promise((resolve) => {
          indexedDB.open("tintype-outbox").onsuccess = ({ target: { result: database } }) => {
            const transaction = database.transaction("entries", "readwrite");
            transaction.objectStore("entries").clear();
            transaction.oncomplete = resolve;
          };
        })"""
    )
    upload.continue_()
    expect_only_words(here, bea, chat)


@pytest.mark.long
def test_a_message_that_is_going_out_can_not_be_cancelled(ana, bea, photos):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    uploads, posts = Held(here, MEDIA), Held(here, f"**/api/v1/chats/{chat}/messages")
    cancel = here.get_by_role("button", name="Cancel")
    here.get_by_label("Choose photos").set_input_files(photos[0])
    here.get_by_role("button", name="Send").click()
    expect(cancel).to_be_visible()
    uploads.take().continue_()
    post = posts.take()
    expect(cancel).to_have_count(0)
    post.continue_()
    expect(here.locator("li.message[data-id]")).to_have_count(1)


@pytest.mark.long
def test_a_photo_to_be_seen_once_that_waited_too_long_goes_up_again(ana, bea, photos):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    path = f"**/api/v1/chats/{chat}/messages"
    uploads, posts = [], []

    def note(request):
        key = request.headers.get("idempotency-key")
        if request.method == "POST" and request.url.endswith("/media"):
            uploads.append(key)
        elif request.method == "POST" and request.url.endswith("/messages"):
            posts.append(key)

    here.on("request", note)
    refuse = {"status": 422, "content_type": "application/json", "body": '{"error":"Not today."}'}
    here.route(path, lambda route: route.fulfill(**refuse))
    here.get_by_label("Choose photos").set_input_files(photos[0])
    here.get_by_role("switch", name="View once").check()
    here.get_by_role("button", name="Send").click()
    # Once more by itself, and no further.
    expect(here.get_by_text("Not sent: Not today.")).to_be_visible()
    assert len(uploads) == 2
    with ana.server.database() as database:
        database.execute("UPDATE single_use_media SET expires_at = 0")
    here.unroute(path)
    here.get_by_role("button", name="Retry").click()
    expect(here.locator("li.message[data-id]")).to_have_count(1)
    assert len(set(uploads)) == len(uploads) == 3
    assert len(posts) == 4 and len(set(posts)) == 1
    [message] = messages(bea, chat)
    assert message["view_once"] and not message["expired"]


def test_what_the_browser_can_not_keep_stays_to_be_sent_again(ana, bea, photos):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    here.get_by_label("Choose photos").set_input_files(photos[:2])
    here.get_by_role("textbox", name="Message").fill("Look at these")
    here.evaluate(
        """() => {
          const put = window.put = IDBObjectStore.prototype.put;
          let room = 1;
          IDBObjectStore.prototype.put = function (entry) {
            if (!entry.order && room-- <= 0) throw new DOMException("Full.", "QuotaExceededError");
            return put.call(this, entry);
          };
        }"""
    )
    here.get_by_role("button", name="Send").click()
    expect(here.locator("flash-message")).to_contain_text("couldn’t store this message")
    tray, field = here.locator("[data-tray] > li"), here.get_by_role("textbox", name="Message")
    expect(tray).to_have_count(1)
    expect(field).to_have_value("Look at these")
    expect(here.locator("li.message[data-id]")).to_have_count(1)
    here.locator("flash-message").click()
    here.evaluate("() => { IDBObjectStore.prototype.put = window.put; }")
    here.get_by_role("button", name="Send").click()
    expect(here.locator("li.message[data-id]")).to_have_count(3)
    expect(tray).to_have_count(0)
    expect(field).to_have_value("")
    sent = messages(bea, chat)[::-1]
    assert [message["text"] for message in sent] == ["", "", "Look at these"]
    assert len({message["photo"]["id"] for message in sent[:2]}) == 2


def test_a_message_whose_state_the_browser_can_not_keep_says_so_and_goes_out_later(ana, bea):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    # There was room for the message, and there is none for what becomes of it.
    here.evaluate(
        """() => {
          const put = window.put = IDBObjectStore.prototype.put;
          IDBObjectStore.prototype.put = function (entry) {
            const request = put.call(this, entry);
            if (!entry.order) return request;
            const { transaction } = this;
            Object.defineProperty(transaction, "error", { get: () => new DOMException("Full.", "QuotaExceededError") });
            transaction.abort();
            return request;
          };
        }"""
    )
    say(here, "See you at eight")
    bubble = here.locator("message-bubble")
    expect(bubble).to_contain_text("Not sent: Your browser has no room to keep it.")
    expect(bubble).to_contain_text("See you at eight")
    retry = here.get_by_role("button", name="Retry")
    retry.click()
    expect(bubble).to_contain_text("Not sent: Your browser has no room to keep it.")
    assert messages(bea, chat) == []
    # A try that is still under way takes the button away.
    here.evaluate(
        """() => {
          IDBObjectStore.prototype.put = window.put;
          [...document.querySelectorAll("message-bubble button")].find((one) => one.textContent === "Retry")?.click();
        }"""
    )
    expect(here.locator("li.message[data-id]")).to_have_count(1)
    expect(bubble).not_to_contain_text("Not sent")
    assert [message["text"] for message in messages(bea, chat)] == ["See you at eight"]


def test_an_upload_that_hangs_is_begun_again_and_makes_no_second_copy(ana, bea, photos):
    chat = chat_of(ana, bea)
    ana.page.clock.install()
    here = open_chat(ana, chat)
    uploads = Held(here, MEDIA)
    here.get_by_label("Choose photos").set_input_files(photos[0])
    here.get_by_role("button", name="Send").click()
    hanging = uploads.take()
    say(here, "And this waits for it")
    here.clock.fast_forward(61_000)
    again = uploads.take()
    keys = {route.request.headers["idempotency-key"] for route in (hanging, again)}
    assert len(keys) == 1
    again.continue_()
    expect(here.locator("li.message[data-id]")).to_have_count(2)
    assert len(ana.get("/api/v1/photos")) == 1
    here.reload()
    ready(here)
    assert texts(here) == ["And this waits for it"]


# Notes the store's connection, to close it as WebKit does while a page is in the background.
NOTE_STORE = """() => {
  const open = IDBFactory.prototype.open;
  IDBFactory.prototype.open = function (...args) {
    const request = open.apply(this, args);
    request.addEventListener("success", () => (window.store = request.result));
    return request;
  };
}"""


def open_chat_and_note_store(person, chat):
    person.page.add_init_script(f"({NOTE_STORE})()")
    return open_chat(person, chat)


@pytest.mark.long
def test_a_store_that_the_browser_closed_is_opened_again(ana, bea):
    chat = chat_of(ana, bea)
    here = open_chat_and_note_store(ana, chat)
    say(here, "Before")
    expect(here.locator("li.message[data-id]")).to_have_count(1)
    here.evaluate("() => window.store.close()")
    say(here, "After")
    expect(here.locator("li.message[data-id]")).to_have_count(2)
    expect(here.locator("flash-message")).to_be_hidden()
    # Without a word, as a lost connection may be: its requests are never answered.
    here.evaluate("() => { window.store.close(); window.store.onclose?.(new Event('close')); }")
    say(here, "And again")
    expect(here.locator("li.message[data-id]")).to_have_count(3)
    assert [message["text"] for message in messages(bea, chat)] == ["And again", "After", "Before"]


@pytest.mark.long
def test_a_store_closed_while_a_message_goes_out_locks_no_chat(ana, bea):
    chat = chat_of(ana, bea)
    here = open_chat_and_note_store(ana, chat)
    posts = Held(here, f"**/api/v1/chats/{chat}/messages")
    say(here, "One")
    post = posts.take()
    here.evaluate("() => window.store.close()")
    post.continue_()
    posts.release()
    expect(here.locator("li.message[data-id]")).to_have_count(1)
    say(here, "Two")
    expect(here.locator("li.message[data-id]")).to_have_count(2)
    expect(here.locator("li.message:not([data-id])")).to_have_count(0)
    assert [message["text"] for message in messages(bea, chat)] == ["Two", "One"]


@pytest.mark.long
def test_a_store_that_never_answers_counts_as_lost(ana, bea):
    chat = chat_of(ana, bea)
    ana.page.clock.install()
    here = open_chat_and_note_store(ana, chat)
    # The first request to the store, and no other, hangs.
    here.evaluate(
        """() => {
          const transaction = IDBDatabase.prototype.transaction;
          IDBDatabase.prototype.transaction = function (...args) {
            IDBDatabase.prototype.transaction = transaction;
            window.isHanging = true;
            return { objectStore: () => new Proxy({}, { get: () => () => ({}) }) };
          };
        }"""
    )
    say(here, "Still going")
    here.wait_for_function("() => window.isHanging")
    here.clock.fast_forward(11_000)
    expect(here.locator("li.message[data-id]")).to_have_count(1)
    assert [message["text"] for message in messages(bea, chat)] == ["Still going"]
