"""What the browser's profile folder has on disk, byte by byte: what is kept, and never what must not be."""

import base64
import random
import time
import uuid

import pytest
from playwright.sync_api import expect

from chats import chat_of, send_once, send_photo
from conftest import png
from contracts import Deal
from keeping import browser_context_args, is_drawn, line, open_kept, phone_of, until, wait_until_kept  # noqa: F401
from people import ready

pytestmark = pytest.mark.long

SERVER_FLAGS = [
    *("--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-uploads", "100000"),
]

# Where Chromium keeps what scripts store: caches and databases of the service worker and of pages.
STORES = ["Service Worker", "IndexedDB", "Local Storage", "Session Storage", "WebStorage", "File System", "blob_storage"]


class Profile:
    """A browser's folder. Chromium stores the answers in Cache Storage as scripts see them, without the encoding in which
    they were sent; databases hold strings of one or two bytes a character, in blocks from which only repetitions are
    left out."""

    def __init__(self, folder):
        self._folder = folder

    def holds(self, needle, everywhere=False):
        """Whether bytes are in a file of the stores, or anywhere: as they are, as text of two bytes, or in Base64."""
        forms = [needle, needle.decode("latin-1").encode("utf-16-le")]
        # Base64 of what is inside something longer, at each of the three places where it can begin.
        forms += [base64.b64encode(b"\0" * place + needle)[4:-4] for place in range(3)]
        return any(form in data for data in self._files(everywhere) for form in forms)

    def _files(self, everywhere):
        for path in self._folder.rglob("*"):
            if path.is_file() and (everywhere or set(path.parts) & set(STORES)):
                yield path.read_bytes()


class Pictures:
    """Pictures that differ from all others, and what the server makes of them."""

    def __init__(self, server, folder):
        self._server, self._folder = server, folder
        self._number = random.randrange(1000)

    def make(self):
        """A new picture; its path."""
        self._number += 1
        path = self._folder / f"picture-{self._number}.png"
        width = 600 + self._number % 97
        data = random.Random(self._number).randbytes(3 * width)
        path.write_bytes(png(width, 450 + self._number % 89, self._number) + data)
        return path

    def samples(self, use):
        """Does something with a new picture: bytes from the middle of the file and of all that the server keeps of it."""
        before, path = self._server.pictures(), self.make()
        use(path)
        files = [path, *(self._server.pictures() - before)]
        assert len(files) > 1
        return [data[len(data) // 2 :][:48] for data in (file.read_bytes() for file in files)]


def found(profile, samples, everywhere=True):
    return [sample for sample in samples if profile.holds(sample, everywhere)]


def wait_until_gone(profile, samples):
    """Waits until nothing of pictures is on the disk: a browser empties its own cache when it finds the time."""
    end = time.monotonic() + 30
    while found(profile, samples):
        assert time.monotonic() < end, "still on the disk"
        time.sleep(0.1)


@pytest.fixture
def pictures(server, tmp_path):
    return Pictures(server, tmp_path)


def look(page, path):
    page.goto(path)
    ready(page)
    for picture in page.locator("main img").all():
        is_drawn(picture)


def open_once(page, opener):
    opener.click()
    expect(page.locator("dialog.snap-viewer img")).to_be_visible()
    page.locator("dialog.snap-viewer").click()
    expect(page.locator("dialog.snap-viewer")).to_have_count(0)


def test_the_disk_has_what_is_kept_and_nothing_that_may_be_seen_once(
    ana, bea, photos, pictures, phone_of, line, tmp_path
):
    chat = chat_of(ana, bea)
    words = uuid.uuid4().hex
    bea.post(f"/api/v1/chats/{chat}/messages", text=words)
    ordinary = pictures.samples(lambda path: bea.share("The harbour", path))
    spoken = pictures.samples(lambda path: send_photo(bea, chat, path))
    snap = pictures.samples(
        lambda path: bea.post("/api/v1/snaps", media_id=bea.upload(path, purpose="snap"), feed_id="memes")
    )
    once = pictures.samples(lambda path: send_once(bea, chat, path))
    stakes = []
    stakes += pictures.samples(lambda path: stakes_of(ana, bea, [path, pictures.make()]))
    sent = pictures.make()

    context = phone_of(ana)()
    page = open_kept(ana, "/home")
    for path in ["/home", "/snaps", "/messages", f"/messages/{chat}", "/contracts", "/notifications"]:
        look(page, path)
    page.get_by_role("link").first.wait_for()
    look(page, f"/contracts/{ana.get('/api/v1/contracts')[0]['id']}")
    look(page, "/snaps")
    open_once(page, page.locator("[data-open]").first)
    look(page, f"/messages/{chat}")
    open_once(page, page.get_by_role("button", name="Photo · view once"))
    # Sent from this device, with the network lost on the way.
    page.route("**/api/v1/chats/*/messages", lambda route: route.abort())
    page.get_by_label("Choose photos").set_input_files(sent)
    page.get_by_role("switch", name="View once").check()
    with page.expect_request("**/api/v1/chats/*/messages"):
        page.get_by_role("button", name="Send").click()
    wait_until_kept(page, "/home", "/snaps", f"/messages/{chat}")
    context.close()

    profile = Profile(tmp_path / ana.username)
    # What is kept is found, or this would prove nothing.
    assert profile.holds(words.encode())
    assert found(profile, ordinary, everywhere=False) and found(profile, spoken, everywhere=False)
    for name, samples in {"snap": snap, "once": once, "stake": stakes}.items():
        assert found(profile, samples) == [], name
    assert not profile.holds(sent.read_bytes()[-60:-12], everywhere=True)


def stakes_of(one, other, paths):
    return Deal(one, other, paths)


def test_a_message_that_waits_is_on_the_disk_and_leaves_it_with_the_log_in(ana, bea, phone_of, line, tmp_path):
    chat = chat_of(ana, bea)
    context = phone_of(ana)()
    page = open_kept(ana, f"/messages/{chat}")
    wait_until_kept(page, f"/messages/{chat}")
    line.cut(context)
    words = uuid.uuid4().hex
    page.get_by_role("textbox", name="Message").fill(words)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Waiting for the network")).to_be_visible()
    context.close()
    assert Profile(tmp_path / ana.username).holds(words.encode())


def test_a_blocked_person_s_pages_leave_the_disk(ana, bea, pictures, phone_of, line, tmp_path):
    caption, message = uuid.uuid4().hex, uuid.uuid4().hex
    chat = chat_of(ana, bea)
    bea.post(f"/api/v1/chats/{chat}/messages", text=message)
    picture = pictures.samples(lambda path: bea.share(caption, path))
    own = pictures.samples(lambda path: ana.upload(path))
    start = phone_of(ana)
    context = start()
    page = open_kept(ana, "/home")
    for path in ["/home", f"/@{bea.username}", f"/messages/{chat}", "/library"]:
        look(page, path)
    wait_until_kept(page, "/home", f"/@{bea.username}", f"/messages/{chat}", "/library")
    [post] = ana.get("/api/v1/timelines/home")
    photo = post["media_attachments"][0]["id"]
    until(page, f"(paths) => paths.some((path) => path.startsWith('/photos/{photo}/'))")
    context.close()
    profile = Profile(tmp_path / ana.username)
    for words in [caption, message]:
        assert profile.holds(words.encode())
    assert found(profile, picture, everywhere=False)
    bea.post(f"/api/v1/accounts/{ana.id}/block")
    context = start()
    page = ana.page
    page.goto("/settings")
    ready(page)
    until(page, "(paths) => !paths.some((path) => /^\\/(@|messages|photos)/.test(path) && !path.includes('square'))")
    wait_until_gone(profile, picture)
    context.close()
    for words in [caption, message]:
        assert not profile.holds(words.encode())
    # Nor in the browser's own cache.
    assert found(profile, picture) == []
    # Their own photos stay.
    assert found(profile, own, everywhere=False)
