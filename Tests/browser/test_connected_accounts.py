"""Connecting an account on a second Tintype by its real OAuth, and publishing there exactly once."""

import os
import random
import signal
import threading
import time

import pytest
from playwright.sync_api import expect

from conftest import png
from contracts import Deal, answer
from looks import accessibility_problems, scrolls_sideways
from people import befriend
from proxies import Handler, Proxy
from test_apps import free_port

PORT = free_port()
URL = f"http://localhost:{PORT}"
SERVER_FLAGS = [
    "--sign-up", "open", "--port", str(PORT), "--public-url", URL, "--limit-log-ins", "1000",
    "--private-addresses", "yes",
]  # fmt: skip
# For how long a test waits for a post to end: the server looks for due work every five seconds.
PATIENCE = 120


class Outside(Proxy):
    """A second Tintype, and what stands before it: `lose("before")` or `lose("after")` breaks the next post's request
    before or after it is done, and calls `then`."""

    def __init__(self, start, folder):
        class Nowhere:
            url = "http://localhost:1"

        super().__init__(Nowhere)
        # Not the host of the first server: browsers share cookies between the ports of a host.
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.server = start(folder, "--sign-up", "open", "--public-url", self.url, "--limit-log-ins", "1000")
        self.port = self.server.port
        self._loses, self._then = None, None
        self.asked = 0

    def finish_request(self, request, client_address):
        Broken(request, client_address, self)

    def lose(self, moment, then=lambda: None):
        self._loses, self._then = moment, then

    def take_loss(self):
        """What is to be lost of this request for a post; only the first one's."""
        self.asked += 1
        loses, self._loses = self._loses, None
        return loses, self._then

    def start_again(self):
        self.server.start()
        self.port = self.server.port


class Broken(Handler):
    """Handles one request; some break."""

    def do_POST(self):
        if self.path != "/api/v1/statuses":
            return self.forward()
        loses, then = self.server.take_loss()
        if loses is None:
            return self.forward()
        if loses == "after":
            # What comes back goes nowhere.
            self.wfile, wfile = open(os.devnull, "wb"), self.wfile
            self.forward()
            self.wfile = wfile
        then()
        self.close_connection = True
        self.connection.shutdown(2)


@pytest.fixture
def outside(start, tmp_path):
    with Outside(start, tmp_path / "outside") as outside:
        yield outside


def connect(ana, bea, outside):
    """Ana connects the account that bea has on the second server; both are the same person with one phone."""
    page = ana.open("/settings/connected")
    page.get_by_label("Server").fill(outside.url)
    page.get_by_role("button", name="Continue").click()
    link = page.get_by_role("link", name="Continue to 127.0.0.1")
    expect(link).to_be_visible()
    page.context.add_cookies(
        [{"name": "tintype_session", "value": bea.token, "url": outside.url, "sameSite": "Lax"}]
    )
    link.click()
    page.get_by_role("button", name="Let it in").click()
    page.wait_for_url("**/settings/connected")
    expect(page.get_by_role("link", name=f"@{bea.username}@127.0.0.1")).to_be_visible()


def cross_post(server, ana, photo, text):
    """Begins to publish a photo with words of the test's own, as the breach of a contract does; the post's id."""
    id = (int((time.time() - 1_704_067_200) * 1000) << 22) | (1 << 12) | random.randrange(4096)
    now = int(time.time() * 1000)
    with server.database() as database:
        [key] = database.execute(
            "SELECT blob_key FROM photo_files WHERE photo_id = ? AND variant = 'large.jpeg'", (photo,)
        ).fetchone()
        [connected] = database.execute(
            "SELECT id FROM connected_accounts WHERE account_id = ?", (ana.id,)
        ).fetchone()
        values = {
            "id": id, "account_id": ana.id, "connected_id": connected, "server": "127.0.0.1", "text": text,
            "reference_kind": "test", "reference_id": 1, "description": "Soft colours", "source_key": key,
            "idempotency_key": f"key-{id}", "turn": 0, "step": "upload", "ending": "", "has_mark": 0,
            "has_lost_try": 0, "attempts": 0, "polls": 0, "began_at": now, "next_at": now, "reason": "",
        }  # fmt: skip
        names = ", ".join(values)
        places = ", ".join("?" * len(values))
        database.execute(f"INSERT INTO cross_posts ({names}) VALUES ({places})", list(values.values()))
        database.execute(
            "INSERT INTO jobs (id, kind, payload, run_at) VALUES (?, 'copy-cross-post-picture', ?, 0)", (id, str(id))
        )
    return id


def end(server, id):
    """Waits until a post has ended, without its pauses; how it did."""
    deadline = time.monotonic() + PATIENCE
    changed = threading.Event()
    while time.monotonic() < deadline:
        with server.database() as database:
            [ending] = database.execute("SELECT ending FROM cross_posts WHERE id = ?", (id,)).fetchone()
            if ending:
                return ending
            database.execute("UPDATE jobs SET run_at = 0 WHERE kind = 'cross-post' AND leased_by IS NULL")
        changed.wait(0.5)
    raise AssertionError("the post didn't end")


def posts(person):
    """The texts of somebody's posts on their server."""
    return [status["text"] for status in person.get(f"/api/v1/accounts/{person.id}/statuses")]


@pytest.fixture
def scene(server, people, outside, tmp_path):
    """Ana with a photo, and her account on the second server."""
    ana = people(f"ana{random.randrange(10**8)}")
    bea = outside.server.person("bea")
    connect(ana, bea, outside)
    path = tmp_path / "picture.png"
    path.write_bytes(png(640, 480))
    return ana, bea, ana.upload(path)


@pytest.fixture
def promise(scene, people, photos):
    """A contract of ana's, who agrees that her breach goes to her account on the second server."""
    ana, _, _ = scene
    cleo = people(f"cleo{random.randrange(10**8)}")
    befriend(ana, cleo)
    return Deal(ana, cleo, photos, publish_to=["connected"])


def test_a_broken_promise_is_published_on_the_account_that_was_chosen(scene, outside, promise):
    ana, bea, _ = scene
    there = promise.open(promise.other)
    page = promise.open(ana)
    answer(page, "I broke it…", "I broke it. Publish my photo")
    expect(page.locator("[data-publication]")).to_have_text("Your photo is published.", timeout=PATIENCE * 1000)
    expect(there.locator("[data-publication]")).to_contain_text("photo is published.", timeout=PATIENCE * 1000)
    assert posts(bea) == ["I lost a bet."]
    [post] = bea.get(f"/api/v1/accounts/{bea.id}/statuses")
    assert [one["description"] for one in post["media_attachments"]] == ["A lamp"]
    link = page.get_by_role("link", name="See the post on the connected account")
    assert link.get_attribute("href").startswith(outside.url)
    # Nothing of it is a post here: she chose the other account alone.
    assert posts(ana) == posts(promise.other) == []


def test_an_account_is_connected_used_and_disconnected(server, scene, outside):
    ana, bea, photo = scene
    page = ana.page
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
    id = cross_post(server, ana, photo, "I was late, @everyone & all")
    assert end(server, id) == "published"
    assert posts(bea) == ["I was late, @everyone & all"]
    ana.open("/settings/connected")
    link = page.get_by_role("link", name="Published on 127.0.0.1")
    assert link.get_attribute("href").startswith(outside.url)
    tokens = len(devices(outside))
    page.get_by_role("button", name="Disconnect").click()
    expect(page.get_by_text("Your account is disconnected.")).to_be_visible()
    expect(page.get_by_label("Server")).to_be_visible()
    deadline = time.monotonic() + PATIENCE
    while len(devices(outside)) == tokens and time.monotonic() < deadline:
        threading.Event().wait(0.1)
    assert len(devices(outside)) == tokens - 1


def devices(outside):
    """The log-ins on the second server."""
    with outside.server.database() as database:
        return database.execute("SELECT id FROM sessions").fetchall()


def test_access_that_is_ended_there_is_seen_here(server, scene, outside):
    ana, bea, photo = scene
    with outside.server.database() as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM sessions WHERE scopes IS NOT NULL")
    outside.server.kill()
    outside.start_again()
    id = cross_post(server, ana, photo, "Never")
    assert end(server, id) == "revoked"
    ana.open("/settings/connected")
    expect(ana.page.get_by_text("doesn’t accept Tintype’s access any more")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("who", ["nobody", "here", "there"])
def test_a_lost_answer_and_a_kill_make_no_second_post_of_a_breach(server, scene, outside, promise, moment, who):
    ana, bea, _ = scene
    is_lost = threading.Event()

    def lost():
        if who == "here":
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
        if who == "there":
            outside.server.kill()
        is_lost.set()

    outside.lose(moment, lost)
    promise.move(ana, "admit")
    with server.database() as database:
        [id] = database.execute(
            "SELECT cross_post_id FROM contract_publications WHERE contract_id = ?", (promise.id,)
        ).fetchone()
    assert is_lost.wait(PATIENCE)
    if who == "here":
        server.start()
    if who == "there":
        outside.start_again()
    # The second server has forgotten the key by then.
    with outside.server.database() as database:
        database.execute("DELETE FROM idempotency_keys")
    assert end(server, id) == "published"
    assert posts(bea) == ["I lost a bet."]
    assert ana.get(f"/api/v1/contracts/{promise.id}")["publication"]["state"] == "published"
    assert outside.asked == (1 if moment == "after" else 2)
