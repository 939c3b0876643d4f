"""Turning notifications of a device on and off: the question above a chat, and the switch in Settings."""

import pytest
from playwright.sync_api import expect

from chats import chat_of
from conftest import long
from devices import PERMISSION, SUBSCRIBING
from looks import accessibility_problems, scrolls_sideways
from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


@pytest.fixture
def browser_context_args(browser_context_args):
    return {**browser_context_args, "service_workers": "allow"}


def question(page):
    return page.get_by_role("region", name="Notifications")


def come_back(page, days=1):
    """Lets the last visit be some days ago."""
    page.clock.set_fixed_time(page.evaluate(f"Date.now() / 1000 + {days * 86_400}"))
    page.reload()
    page.wait_for_selector("html[data-sw=on]", state="attached")


def asked(person, answer):
    """A phone whose browser asks the person, who answers."""
    person.page.add_init_script(f"({PERMISSION})('{answer}')")
    person.page.add_init_script(SUBSCRIBING)
    return person


def subscription(person):
    """What the server has of this log-in's subscription, as the page sees it."""
    return person.page.evaluate(
        "fetch('/api/v1/push/subscription').then(async (answer) => [answer.status, await answer.json()])"
    )


def open_chat(person, chat):
    page = person.open(f"/messages/{chat}")
    page.wait_for_selector("html[data-sw=on]", state="attached")
    return page


def test_after_the_first_message_it_asks_and_turns_notifications_on(ana, bea):
    chat = chat_of(ana, bea)
    page = open_chat(asked(ana, "granted"), chat)
    come_back(page)
    # There is no message yet.
    expect(question(page)).to_be_hidden()
    page.get_by_role("textbox", name="Message").fill("Are you there?")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(question(page)).to_contain_text(f"Get told when {bea.username.capitalize()} answers?")
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
    question(page).get_by_role("button", name="Turn on notifications").click()
    expect(page.get_by_role("status").filter(has_text="Notifications are on.")).to_be_visible()
    expect(question(page)).to_have_count(0)
    status, found = subscription(ana)
    assert status == 200 and found["endpoint"].startswith("https://push.example.org/")
    page.reload()
    ready(page)
    expect(question(page)).to_be_hidden()


def test_it_is_not_asked_on_the_first_visit_and_not_now_holds_for_a_month_and_then_for_good(ana, bea):
    chat = chat_of(ana, bea)
    bea.post(f"/api/v1/chats/{chat}/messages", text="Hello")
    page = open_chat(asked(ana, "granted"), chat)
    expect(page.get_by_role("log").get_by_text("Hello", exact=True)).to_be_visible()
    expect(question(page)).to_be_hidden()
    for pause, is_asked in [(1, True), (29, False), (2, True), (31, False), (300, False)]:
        come_back(page, pause)
        expect(question(page)).to_be_visible(visible=is_asked)
        if is_asked:
            question(page).get_by_role("button", name="Not now").click()
            expect(question(page)).to_have_count(0)
    assert subscription(ana)[0] == 404


@pytest.mark.long
@pytest.mark.parametrize("answer", ["denied", "default"])
def test_a_no_to_the_browser_is_a_no(ana, bea, answer):
    chat = chat_of(ana, bea)
    bea.post(f"/api/v1/chats/{chat}/messages", text="Hello")
    page = open_chat(asked(ana, answer), chat)
    come_back(page)
    question(page).get_by_role("button", name="Turn on notifications").click()
    expect(page.get_by_role("status").filter(has_text="Notifications stay off.")).to_be_visible()
    assert subscription(ana)[0] == 404


@pytest.mark.long
def test_what_goes_wrong_is_said_and_can_be_tried_again(ana, bea):
    chat = chat_of(ana, bea)
    bea.post(f"/api/v1/chats/{chat}/messages", text="Hello")
    page = open_chat(asked(ana, "granted"), chat)
    come_back(page)
    page.evaluate("window.refused = 'AbortError'")
    question(page).get_by_role("button", name="Turn on notifications").click()
    expect(question(page).get_by_role("alert")).to_contain_text("couldn’t reach its notification service")
    page.evaluate("window.refused = null")
    question(page).get_by_role("button", name="Turn on notifications").click()
    expect(page.get_by_role("status").filter(has_text="Notifications are on.")).to_be_visible()
    assert subscription(ana)[0] == 200


# ---------------------------------------------------------------- the switch


def open_switch(person):
    page = person.open("/settings/notifications")
    page.wait_for_selector("html[data-sw=on]", state="attached")
    return page.get_by_role("switch", name="Notifications on this device")


def test_the_switch_turns_them_on_and_off(ana):
    switch = open_switch(asked(ana, "granted"))
    expect(switch).to_be_enabled()
    expect(switch).not_to_be_checked()
    switch.check()
    expect(ana.page.get_by_text("What is new appears on this device while Tintype is closed.")).to_be_visible()
    assert subscription(ana)[0] == 200
    switch.uncheck()
    expect(ana.page.get_by_text("This device stays quiet.")).to_be_visible()
    assert subscription(ana)[0] == 404


@pytest.mark.parametrize(
    ("script", "words"),
    [
        long("delete window.PushManager", "This browser can’t show notifications."),
        long(
            "delete window.PushManager; Object.defineProperty(navigator, 'standalone', { get: () => false })",
            "On an iPhone or iPad, notifications need Tintype on the Home Screen.",
        ),
        long(
            "Object.defineProperty(Notification, 'permission', { get: () => 'denied' })",
            "Your browser blocks notifications from Tintype.",
        ),
    ],
)
def test_where_it_can_not_be_turned_on_it_says_why(ana, script, words):
    ana.page.add_init_script(script)
    switch = open_switch(ana)
    expect(ana.page.get_by_text(words)).to_be_visible()
    expect(switch).to_be_disabled()


@pytest.mark.long
def test_a_subscription_that_the_server_has_lost_is_made_again(ana):
    switch = open_switch(asked(ana, "granted"))
    switch.check()
    expect(ana.page.get_by_text("What is new appears on this device while Tintype is closed.")).to_be_visible()
    ana.page.evaluate("fetch('/api/v1/push/subscription', { method: 'DELETE' }).then((answer) => answer.text())")
    assert subscription(ana)[0] == 404
    switch = open_switch(ana)
    expect(switch).to_be_checked()
    assert subscription(ana)[0] == 200
