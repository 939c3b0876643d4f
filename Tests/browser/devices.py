"""A device with the service worker: pushes that arrive on it, and photos that its other apps share."""

import json

from playwright.sync_api import expect

# What the browser's push service would do: a subscription with real keys, whose endpoint nobody answers. The tab keeps it.
SUBSCRIBING = """(() => {
  const text = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  window.refused = null;
  const current = () => {
    const kept = JSON.parse(sessionStorage.getItem("test-subscription"));
    const unsubscribe = async () => (sessionStorage.removeItem("test-subscription"), true);
    return kept && { endpoint: kept.endpoint, toJSON: () => kept, unsubscribe };
  };
  PushManager.prototype.getSubscription = async () => current();
  PushManager.prototype.subscribe = async function () {
    if (window.refused) throw new DOMException("", window.refused);
    const options = { name: "ECDH", namedCurve: "P-256" };
    const { publicKey } = await crypto.subtle.generateKey(options, true, ["deriveBits"]);
    const auth = text(crypto.getRandomValues(new Uint8Array(16)));
    const keys = { p256dh: text(await crypto.subtle.exportKey("raw", publicKey)), auth };
    const endpoint = `https://push.example.org/${auth}`;
    sessionStorage.setItem("test-subscription", JSON.stringify({ endpoint, keys }));
    return current();
  };
})()"""

# What the browser asks the person, and the answer, which headless browsers ask nobody. The tab remembers it.
PERMISSION = """(answer) => {
  const name = "test-permission";
  Object.defineProperty(Notification, "permission", { get: () => sessionStorage.getItem(name) ?? "default" });
  Notification.requestPermission = async () => (sessionStorage.setItem(name, answer), answer);
}"""

# In the turn in which the app shows its own: Chromium loses one that begins to be shown while the list is read.
NOTIFICATIONS = """async () => (
  await navigator.locks.request("tintype-notifications", () => self.registration.getNotifications())
).map(({ title, body, tag, icon, badge, data }) => ({ title, body, tag, icon, badge, data }))"""


class Device:
    """Someone's phone in the whole Chromium, which may show notifications, with the service worker running."""

    def __init__(self, person, path="/home"):
        self.person = person
        self.page = person.page
        self.context = person.page.context
        self.origin = person.server.url
        self._session = self.context.new_cdp_session(self.page)
        self._registrations = {}
        self._session.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._session.send("ServiceWorker.enable")
        self.open(path)

    def _note(self, event):
        self._registrations |= {one["scopeURL"]: one["registrationId"] for one in event["registrations"]}

    def open(self, path):
        """Opens a page, and waits until the service worker has done its part."""
        page = self.person.open(path)
        page.wait_for_selector("html[data-sw=on]", state="attached")
        return page

    def leave(self):
        """Puts the app out of sight: no page of it is left, as the service worker sees it too."""
        self.page.goto("about:blank")
        self.worker.evaluate(
            """async () => {
              const all = { type: "window", includeUncontrolled: true };
              while ((await clients.matchAll(all)).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
            }"""
        )

    @property
    def worker(self):
        [worker] = [one for one in self.context.service_workers if one.url.endswith("/sw.js")]
        return worker

    def receive(self, content):
        """Lets a push arrive, as the browser does once it has decrypted it."""
        data = content if isinstance(content, str) else json.dumps(content)
        self._session.send(
            "ServiceWorker.deliverPushMessage",
            {"origin": self.origin, "registrationId": self._registrations[f"{self.origin}/"], "data": data},
        )

    def notifications(self):
        return self.worker.evaluate(NOTIFICATIONS)

    def see(self, *titles, text=None):
        """Waits until exactly these notifications are shown, each with the text if one is given."""
        self.worker.evaluate(
            """async ([titles, text]) => {
              const end = Date.now() + 20_000;
              for (;;) {
                const all = await navigator.locks.request(
                  "tintype-notifications", () => self.registration.getNotifications());
                const shown = all.map(({ title }) => title).sort();
                const isSaid = text === null || all.every(({ body }) => body === text);
                if (isSaid && JSON.stringify(shown) === JSON.stringify(titles)) return;
                if (Date.now() > end) throw new Error(`shown is ${JSON.stringify(shown)}`);
                await new Promise((resolve) => setTimeout(resolve, 50));
              }
            }""",
            [sorted(titles), text],
        )

    def tap(self, title):
        """Taps a notification; the addresses of windows that this opens. There is no finger here to allow the focus."""
        return self.worker.evaluate(
            """async (title) => {
              const opened = [];
              self.clients.openWindow = async (url) => void opened.push(url.slice(location.origin.length));
              WindowClient.prototype.focus = async function () { return this; };
              const all = await navigator.locks.request(
                "tintype-notifications", () => self.registration.getNotifications());
              const notification = all.find((one) => one.title === title);
              const event = new NotificationEvent("notificationclick", { notification });
              const work = [];
              event.waitUntil = (one) => work.push(one);
              self.dispatchEvent(event);
              await Promise.all(work);
              return opened;
            }""",
            title,
        )


def share(page, *files, title="", text=""):
    """Shares with Tintype from another app of the device: the browser sends a form, as it does for a share target."""
    page.evaluate(
        """([title, text]) => {
          const form = document.createElement("form");
          Object.assign(form, { method: "post", action: "/share", enctype: "multipart/form-data", id: "handed" });
          form.innerHTML = '<input name="title"><input name="text"><input type="file" name="photos" multiple>';
          form.elements.title.value = title;
          form.elements.text.value = text;
          document.body.append(form);
        }""",
        [title, text],
    )
    if files:
        page.set_input_files("#handed input[type=file]", list(files))
    page.evaluate("document.querySelector('#handed').submit()")


def see_photos(page, number):
    """Waits until the screen shows so many photos that were handed over."""
    expect(page.get_by_role("list", name="Shared photos").get_by_role("listitem")).to_have_count(number)
