"""Without a network in WebKit, the engine of every browser on an iPhone: the network goes with the line to the server."""

import pytest

from chats import chat_of
from proxies import Line
from test_webkit import SERVER_FLAGS, Safari, screen  # noqa: F401  (settings and fixtures)

pytestmark = pytest.mark.long


class Phone(Safari):
    """A browser that reaches the server by a line."""

    def __init__(self, screen, line, person):
        self.line = line
        super().__init__(screen, line, person)

    def keep(self, path):
        """Opens a page, and waits until the service worker has kept it."""
        self.open(path).one("html[data-sw=on]")
        self.until(lambda _: self.is_kept(path))

    def is_kept(self, path):
        return self.driver.execute_async_script(
            "caches.match(arguments[0]).then((found) => arguments[1](Boolean(found)))", path
        )


@pytest.fixture
def safari(screen, server):
    with Line(server) as line:
        phones = []

        def give(person):
            phones.append(Phone(screen, line, person))
            return phones[-1]

        yield give
        for phone in phones:
            phone.driver.quit()


def test_screens_open_without_a_network_and_a_comment_waits(server, safari, photos):
    ana, bea = server.person("ana"), server.person("bea")
    ana.follow(bea), bea.follow(ana)
    post = bea.share("The harbour", photos[0])
    chat = chat_of(ana, bea)
    bea.post(f"/api/v1/chats/{chat}/messages", text="See you at eight")
    bea.post("/api/v1/snaps", sample_id="memes-1", feed_id="memes")
    phone = safari(ana)
    paths = {
        "/home": "The harbour", "/messages": "See you at eight", f"/messages/{chat}": "See you at eight",
        f"/@{bea.username}": bea.username, "/snaps": bea.username, f"/posts/{post}": "The harbour",
        f"/posts/{post}/comments": "The harbour", "/notifications": "Notifications",
    }
    for path in paths:
        phone.keep(path)
    phone.line.is_cut = True
    for path, words in paths.items():
        phone.open(path)
        note = phone.one("aside.kept-note")
        phone.until(lambda _, note=note: "Saved" in note.text)
        assert words in phone.driver.execute_script("return document.body.textContent"), path
    phone.open(f"/posts/{post}/comments")
    phone.named("Comment").send_keys("From the train")
    # The way back has the same name as the button.
    phone.one(".write button").click()
    row = phone.one("waiting-list li")
    phone.until(lambda _: "From the train" in row.get_property("textContent"))
    phone.driver.refresh()
    phone.ready().one("waiting-list li")
    phone.line.is_cut = False
    phone.until(lambda _: not phone.all("waiting-list li"))
    comments = ana.get(f"/api/v1/statuses/{post}/context")["descendants"]
    assert [one["content"] for one in comments] == ["<p>From the train</p>"]
