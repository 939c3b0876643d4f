"""Pushes that arrive on a device: what is shown, where a tap leads, and what is closed again."""

import pytest
from playwright.sync_api import expect

from chats import chat_of
from devices import Device
from people import befriend

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


@pytest.fixture
def browser_context_args(browser_context_args):
    return {**browser_context_args, "service_workers": "allow"}


@pytest.fixture
def device(server, whole_browser, phone):
    """Gives someone a phone that may show notifications: `device("ana")`."""

    def give(name, path="/home"):
        person = phone(server.person(name), browser=whole_browser, permissions=["notifications"])
        return Device(person, path)

    return give


def message(chat, text="See you at eight", title="lena", id="7"):
    """What the server pushes about a message."""
    return {
        "id": id, "tag": f"message-{chat}", "title": title, "body": text, "path": f"/messages/{chat}", "icon": None,
        "badge": 1, "at": "2026-11-25T10:00:00Z",
    }


def test_a_push_is_shown_while_the_app_is_closed_and_its_tap_leads_to_the_chat(device, server):
    phone = device("push.ana")
    lena = server.person("push.lena")
    # Something stays unread: a page on which nothing is, closes all.
    befriend(lena, phone.person)
    chat = chat_of(lena, phone.person)
    phone.leave()
    phone.receive(message(chat))
    phone.see("lena")
    [shown] = phone.notifications()
    assert (shown["body"], shown["tag"]) == ("See you at eight", f"message-{chat}")
    assert shown["badge"].endswith("/icons/badge-96.png") and shown["icon"].endswith("/icons/icon-192.png")
    # Ten messages of a chat are one notification.
    phone.receive(message(chat, "And bring the camera", id="8"))
    phone.see("lena", text="And bring the camera")
    assert phone.tap("lena") == [f"/messages/{chat}"]
    phone.see()
    # A window that is open goes there.
    phone.receive(message(chat))
    phone.see("lena")
    page = phone.open("/library")
    assert phone.tap("lena") == []
    expect(page).to_have_url(f"{phone.origin}/messages/{chat}")


def test_a_tap_takes_away_nothing_half_made(device, photos):
    phone = device("push.maker")
    page = phone.open("/snaps/camera")
    expect(page.get_by_role("heading", name="No camera here")).to_be_visible()
    page.locator("snap-camera input[type=file]").set_input_files(photos[0])
    page.get_by_role("button", name="Use").click()
    picture = page.get_by_role("img", name="The picture you chose")
    expect(picture).to_be_visible()
    phone.receive({**message(1), "tag": "push_test"})
    phone.see("lena")
    assert phone.tap("lena") == ["/messages/1"]
    expect(picture).to_be_visible()
    page = phone.open("/settings/profile")
    page.get_by_label("Bio").fill("Half a sentence")
    phone.receive({**message(1), "tag": "push_test"})
    phone.see("lena")
    assert phone.tap("lena") == ["/messages/1"]
    expect(page.get_by_label("Bio")).to_have_value("Half a sentence")


def test_nothing_is_shown_while_a_page_is_in_sight_but_the_test_that_was_asked_for(device):
    phone = device("push.seen")
    phone.receive(message(1))
    phone.receive({**message(2, title="It works"), "tag": "push_test"})
    # Pushes arrive one after the other.
    phone.see("It works")


def test_what_was_read_is_closed_here_and_elsewhere(device, server):
    phone = device("push.reader")
    writer = server.person("push.writer")
    befriend(writer, phone.person)
    chat = chat_of(writer, phone.person)
    phone.leave()
    for other in [chat, "2", "3"]:
        phone.receive(message(other, title=f"chat {other}"))
    phone.see(f"chat {chat}", "chat 2", "chat 3")
    # On another device, which the server says.
    phone.receive({"close": ["message-2"], "badge": 2})
    phone.see(f"chat {chat}", "chat 3")
    # Here, by opening the chat.
    phone.open(f"/messages/{chat}")
    phone.see("chat 3")
    phone.open("/notifications")
    phone.see()


@pytest.mark.long
def test_pushes_that_arrive_at_once_are_all_shown(device):
    phone = device("push.many")
    phone.leave()
    for number in range(10):
        phone.receive(message(str(number), title=f"chat {number}"))
    phone.see(*[f"chat {number}" for number in range(10)])


@pytest.mark.long
def test_a_push_that_can_not_be_read_says_that_there_is_something_new(device):
    phone = device("push.broken")
    phone.leave()
    for content in ["", "{", "[]", "7", '"text"', "null", '{"title": 7}', '{"title": " "}', '{"tag": "x"}', "x" * 3000]:
        phone.receive(content)
        phone.see("Something new on Tintype")
        assert phone.tap("Something new on Tintype") == ["/notifications"], content
        # What is being closed has the tag of the next one.
        phone.see()


@pytest.mark.long
def test_a_tap_never_leads_to_another_site(device):
    phone = device("push.away")
    phone.leave()
    for path in ["https://example.org/x", "//example.org/x", "javascript:alert(1)", None, 7]:
        phone.receive({**message(1), "path": path, "icon": "https://example.org/track.png"})
        phone.see("lena")
        assert "example.org" not in phone.notifications()[0]["icon"]
        assert phone.tap("lena") == ["/notifications"], path
        # What is being closed has the tag of the next one.
        phone.see()


def test_after_a_log_out_and_for_somebody_else_nothing_is_shown(device, server, phone):
    first = device("push.first")
    first.leave()
    first.receive(message(1))
    first.see("lena")
    # Somebody else logs in, on the same device, without a log-out.
    other = server.person("push.second")
    first.context.add_cookies(
        [{"name": "tintype_session", "value": other.cookie, "url": server.url, "sameSite": "Lax"}]
    )
    first.open("/home")
    first.see()
    page = first.open("/settings")
    page.get_by_role("main").get_by_role("button", name="Log Out").click()
    expect(page.get_by_role("button", name="Log In")).to_be_visible()
    assert page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
