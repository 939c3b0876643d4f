"""Push in Chromium, end to end: the page subscribes, and the service worker shows what the push service has decrypted.

This Chromium has no push service of its own, so the test's stands in for it: the page's `PushManager` hands out its
devices, and what arrives there is handed to the service worker by the DevTools protocol.
"""

import json

import pytest
from playwright.sync_api import expect

from chats import chat_of
from devices import Device
from push_service import encoded
from pushes import SERVER_FLAGS as SERVER_FLAGS
from pushes import SOON, SUBSCRIPTION, settled, until, write
from snaps import status

# A browser's own part, for pages and for the service worker: they share what is subscribed.
SUBSCRIBING = """(({ endpoint, p256dh, auth }) => {
  if (!globalThis.PushManager) return;
  const bytes = (text) => Uint8Array.fromBase64(text, { alphabet: "base64url" }).buffer;
  const run = (mode, work) => new Promise((resolve, reject) => {
    const opening = indexedDB.open("push-of-the-test");
    opening.onupgradeneeded = () => opening.result.createObjectStore("keys");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const database = opening.result;
      const request = work(database.transaction("keys", mode).objectStore("keys"));
      request.onsuccess = () => resolve(request.result);
      database.close();
    };
  });
  const subscription = (applicationServerKey) => ({
    endpoint, expirationTime: null, options: { userVisibleOnly: true, applicationServerKey },
    getKey: (name) => bytes({ p256dh, auth }[name]),
    toJSON: () => ({ endpoint, expirationTime: null, keys: { p256dh, auth } }),
    unsubscribe: () => run("readwrite", (keys) => keys.delete("own")).then(() => true),
  });
  PushManager.prototype.getSubscription = async () => {
    const key = await run("readonly", (keys) => keys.get("own"));
    return key ? subscription(key) : null;
  };
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new DOMException("invisible pushes", "NotAllowedError");
    const key = new Uint8Array(applicationServerKey).buffer;
    await run("readwrite", (keys) => keys.put(key, "own"));
    return subscription(key);
  };
})"""

class Phone(Device):
    """Someone's phone, whose browser is subscribed at the push service of the test."""

    def __init__(self, person, service):
        self.inbox = service.device()
        self._own = json.dumps(
            {"endpoint": self.inbox.endpoint, "p256dh": self.inbox.p256dh, "auth": self.inbox.auth}
        )
        person.page.add_init_script(f"{SUBSCRIBING}({self._own})")
        super().__init__(person, "/settings/notifications")
        self.worker.evaluate(f"() => {SUBSCRIBING}({self._own})")

    @property
    def switch(self):
        return self.page.get_by_role("switch", name="Notifications on this device")

    def turn_on(self):
        """Turns notifications on in Settings; pushes come from then on, and only from this server."""
        self.switch.check()
        expect(self.page.locator("push-switch")).to_have_attribute("data-state", "on")
        self.inbox.server_key = self.person.get(SUBSCRIPTION)["server_key"]
        key = self.page.evaluate(
            """async () => {
              const own = await (await navigator.serviceWorker.ready).pushManager.getSubscription();
              return [...new Uint8Array(own.options.applicationServerKey)];
            }"""
        )
        assert encoded(bytes(key)) == self.inbox.server_key

    def receive_next(self, condition=lambda said: True):
        """Gets the next push that meets a condition, as the browser does; what it says."""
        push = self.inbox.until(lambda push: condition(push.data), SOON)[-1]
        self.receive(push.text.decode())
        return push.data

    def shown(self):
        return [(one["title"], one["body"]) for one in self.notifications()]


@pytest.fixture
def friends(accounts, phone, whole_browser, push_service):
    """Ana's phone with notifications on, and bea."""
    ana, bea = accounts("ana", "bea")
    phone(ana, browser=whole_browser, service_workers="allow", permissions=["notifications"])
    mine = Phone(ana, push_service)
    mine.turn_on()
    return mine, bea


def says(text):
    return lambda said: said.get("body") == text


def test_a_closed_browser_shows_what_is_pushed_and_a_tap_leads_to_it(friends):
    mine, bea = friends
    chat = chat_of(mine.person, bea)
    mine.leave()
    for text in ["See you at eight", "At the harbour"]:
        write(bea, chat, text)
        mine.receive_next(says(text))
        until(lambda text=text: mine.shown() == [(bea.username, text)])
    [path] = mine.tap(bea.username)
    mine.see()
    expect(mine.open(path).get_by_role("log").get_by_text("At the harbour")).to_be_visible()

    # What is read on another device is taken away here.
    mine.leave()
    message = write(bea, chat, "Or later")
    tag = mine.receive_next(says("Or later"))["tag"]
    mine.see(bea.username)
    mine.person.again().post(f"/api/v1/chats/{chat}/read", last_read_id=message)
    assert mine.receive_next(lambda said: "close" in said)["close"] == [tag]
    mine.see()


@pytest.mark.long
def test_a_page_in_sight_is_not_told_twice(friends):
    mine, bea = friends
    page = mine.open("/home")
    page.wait_for_selector("html[data-live=on]", state="attached")
    write(bea, chat_of(mine.person, bea), "See you at eight")
    mine.receive_next(says("See you at eight"))
    # The event stream has brought it.
    expect(page.get_by_role("link", name="Friends 1 new")).to_be_visible()
    page = mine.open("/settings/notifications")
    page.get_by_role("button", name="Send a test").click()
    test = mine.receive_next(lambda said: said.get("tag") == "push_test")
    # Pushes arrive one after the other, so the message would be shown by now.
    mine.see(test["title"])


@pytest.mark.long
def test_a_device_that_is_turned_off_gets_nothing_more(friends):
    mine, bea = friends
    chat = chat_of(mine.person, bea)
    page = mine.open("/settings/notifications")
    expect(mine.switch).to_be_checked()
    mine.switch.uncheck()
    expect(page.locator("push-switch")).to_have_attribute("data-state", "off")
    assert status(mine.person, "GET", SUBSCRIPTION) == 404
    message = write(bea, chat, "Nobody is told")
    mine.person.post(f"/api/v1/chats/{chat}/read", last_read_id=message)
    # On again, it gets all that comes from then on.
    mine.turn_on()
    write(bea, chat, "See you at eight")
    assert mine.inbox.next(SOON).data["body"] == "See you at eight"


@pytest.mark.long
def test_what_is_pushed_ends_with_the_log_in(friends):
    mine, bea = friends
    page = mine.open("/settings")
    page.get_by_role("main").get_by_role("button", name="Log Out").click()
    expect(page.get_by_role("button", name="Log In")).to_be_visible()
    ana = mine.person.again()
    write(bea, chat_of(ana, bea), "See you at eight")
    settled(ana)
    assert not mine.inbox.tries
