"""Connecting an account on a second Tintype by its real OAuth, and publishing breaches there exactly once."""

import os
import random
import signal
import threading
import time

import pytest
from playwright.sync_api import expect

from contracts import Deal, answer
from looks import accessibility_problems, scrolls_sideways
from people import befriend
from proxies import Handler, Proxy
from servers import own_address

_, ADDRESS = own_address()
SERVER_FLAGS = ["--sign-up", "open", *ADDRESS, "--limit-log-ins", "1000", "--private-addresses", "yes"]
# For how long a test waits for a post to end: the server looks for due work every five seconds.
PATIENCE = 120


class Outside(Proxy):
    """A second Tintype, and a proxy before it: `lose("before")` or `lose("after")` breaks the next post's request
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
        """What is to be lost of this request for a post, if it is the first."""
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
            wfile = self.wfile
            with open(os.devnull, "wb") as self.wfile:
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
        [{"name": "tintype_session", "value": bea.cookie, "url": outside.url, "sameSite": "Lax"}]
    )
    link.click()
    page.get_by_role("button", name="Allow").click()
    page.wait_for_url("**/settings/connected")
    expect(page.get_by_role("link", name=f"@{bea.username}@127.0.0.1")).to_be_visible()


def break_promise(ana, cleo, photos, text):
    """Ana admits to a breach that she had agreed to publish on her connected account; the contract."""
    deal = Deal(ana, cleo, photos, publish_to=["connected"], breach_text=text)
    deal.move(ana, "admit")
    return deal


def end(deal):
    """Waits until the publishing of a breach has ended, without its pauses; how it did."""
    deadline = time.monotonic() + PATIENCE
    changed = threading.Event()
    while time.monotonic() < deadline:
        with deal.one.server.database() as database:
            [ending] = database.execute(
                "SELECT ending FROM cross_posts WHERE reference_kind = 'contract' AND reference_id = ?", (int(deal.id),)
            ).fetchone()
            if ending:
                return ending
            database.execute("UPDATE jobs SET run_at = 0 WHERE kind = 'cross-post' AND leased_by IS NULL")
        changed.wait(0.5)
    raise AssertionError("the publishing didn't end")


def posts(person):
    """The texts of somebody's posts on their server."""
    return [status["text"] for status in person.get(f"/api/v1/accounts/{person.id}/statuses")]


@pytest.fixture
def scene(people, outside):
    """Ana, her friend cleo, and bea, who is ana on the second server."""
    ana, cleo = (people(f"{name}{random.randrange(10**8)}") for name in ["ana", "cleo"])
    befriend(ana, cleo)
    bea = outside.server.person("bea")
    connect(ana, bea, outside)
    return ana, cleo, bea


@pytest.mark.long
def test_a_broken_promise_is_published_on_the_account_that_was_chosen(scene, outside, photos):
    ana, cleo, bea = scene
    deal = Deal(ana, cleo, photos, publish_to=["connected"])
    there = deal.open(cleo)
    page = deal.open(ana)
    answer(page, "I broke it…", "I broke it. Publish my photo")
    expect(page.locator("[data-publication]")).to_have_text("Your photo is published.", timeout=PATIENCE * 1000)
    expect(there.locator("[data-publication]")).to_contain_text("photo is published.", timeout=PATIENCE * 1000)
    assert posts(bea) == ["I lost a bet."]
    [post] = bea.get(f"/api/v1/accounts/{bea.id}/statuses")
    assert [one["description"] for one in post["media_attachments"]] == ["A lamp"]
    link = page.get_by_role("link", name="See the post on the connected account")
    assert link.get_attribute("href").startswith(outside.url)
    # Nothing of it is a post here: she chose the other account alone.
    assert posts(ana) == posts(cleo) == []


def test_an_account_is_connected_used_and_disconnected(scene, outside, photos):
    ana, cleo, bea = scene
    page = ana.page
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
    deal = break_promise(ana, cleo, photos, "I was late, @everyone & all")
    assert end(deal) == "published"
    # The space of no width keeps the name from being a mention there.
    assert posts(bea) == ["I was late, @\u200beveryone & all"]
    publication = cleo.get(f"/api/v1/contracts/{deal.id}")["publication"]
    assert publication["state"] == "published" and publication["url"].startswith(outside.url)
    ana.open("/settings/connected")
    link = page.get_by_role("link", name="Published on 127.0.0.1")
    assert link.get_attribute("href") == publication["url"]
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


@pytest.mark.long
def test_access_that_is_ended_there_is_seen_here(scene, outside, photos):
    ana, cleo, bea = scene
    with outside.server.database() as database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM sessions WHERE scopes IS NOT NULL")
    outside.server.kill()
    outside.start_again()
    assert end(break_promise(ana, cleo, photos, "Never")) == "revoked"
    assert posts(bea) == []
    ana.open("/settings/connected")
    expect(ana.page.get_by_text("doesn’t accept Tintype’s access any more")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("moment", ["before", "after"])
@pytest.mark.parametrize("who", ["nobody", "here", "there"])
def test_a_lost_answer_and_a_kill_make_no_second_post(server, scene, outside, photos, moment, who):
    ana, cleo, bea = scene
    is_lost = threading.Event()

    def lost():
        if who == "here":
            server.process.send_signal(signal.SIGKILL)
            server.process.wait()
        if who == "there":
            outside.server.kill()
        is_lost.set()

    outside.lose(moment, lost)
    text = f"Lost {moment}, killed {who}"
    deal = break_promise(ana, cleo, photos, text)
    assert is_lost.wait(PATIENCE)
    if who == "here":
        server.start()
    if who == "there":
        outside.start_again()
    # The second server has forgotten the key by then.
    with outside.server.database() as database:
        database.execute("DELETE FROM idempotency_keys")
    assert end(deal) == "published"
    assert posts(bea) == [text]
    assert outside.asked == (1 if moment == "after" else 2)
