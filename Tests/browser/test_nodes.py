"""Two servers with one PostgreSQL database and one store of pictures: people at each see one Tintype."""

import urllib.error
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import pytest
from playwright.sync_api import expect

from chats import chat_of, history
from nodes import later_version, shown, upgrade, wait_for
from people import befriend
from services import locked, needs_services, psql
from snaps import close, expect_gone, open_first, status

pytestmark = needs_services


@pytest.fixture
def nodes(shared_flags, start, tmp_path):
    """Two servers, each with a data folder of its own."""
    return [start(tmp_path / name, *shared_flags) for name in ("one", "other")]


@pytest.fixture
def friends(nodes, phone):
    """Ana, who is at the first server, and Ben, who is at the second."""
    one, other = nodes
    ana, ben = (phone(one.person(name)) for name in ("ana", "ben"))
    ben.server = other
    befriend(ana, ben)
    return ana, ben


def live(person, path):
    page = shown(person, path)
    page.wait_for_selector("html[data-live=on]", state="attached")
    return page


def test_what_happens_on_one_server_reaches_the_pages_of_the_other(friends):
    ana, ben = friends
    chat = ana.post("/api/v1/chats", account_id=ben.id)["id"]
    pages = [live(person, f"/messages/{chat}") for person in (ana, ben)]
    for page, other, text in [(*pages, "Hello over there"), (*reversed(pages), "Hello from here")]:
        page.get_by_role("textbox", name="Message").fill(text)
        page.get_by_role("button", name="Send").click()
        expect(other.get_by_text(text).first).to_be_visible()


def test_a_snap_is_seen_once_over_both_servers(friends, store, photos):
    ana, ben = friends
    page = live(ben, "/snaps")
    id = ana.post("/api/v1/snaps", media_id=ana.upload(photos[0], purpose="snap"), feed_id="memes")["id"]
    expect(page.locator(f"[data-snap='{id}']")).to_be_visible()
    open_first(page)
    close(page)
    expect_gone(page)
    wait_for(lambda: not store.objects())
    for server in (ana.server, ben.server):
        ben.server = server
        assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 410


def test_a_log_out_on_one_server_holds_on_the_other(friends, nodes):
    _, ben = friends
    one, other = nodes
    page = live(ben, "/home")
    ben.server = one
    shown(ben, "/settings")
    page.get_by_role("main").get_by_role("button", name="Log Out").click()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    ben.server = other
    assert status(ben, "GET", "/api/v1/accounts/verify_credentials") == 401


def test_a_server_that_is_killed_is_not_missed(friends, nodes, store, photos):
    ana, ben = friends
    one, other = nodes
    page = live(ben, "/home")
    photo = ana.upload(photos[0])
    one.kill()
    ana.server = other
    ana.post("/api/v1/statuses", status="From the other server", media_ids=[photo])
    expect(page.get_by_role("link", name="1 new post")).to_be_visible()
    shown(ben, "/home")
    expect(page.get_by_text("From the other server")).to_be_visible()
    ana.call("DELETE", f"/api/v1/photos/{photo}?force=true")
    wait_for(lambda: not store.objects())
    one.start()
    ana.server = one
    page.wait_for_selector("html[data-live=on]", state="attached")
    ana.post("/api/v1/statuses", status="Here again", media_ids=[ana.upload(photos[0])])
    expect(page.get_by_role("link", name="1 new post")).to_be_visible()


def test_a_server_whose_number_another_has_taken_ends_by_itself(nodes, database):
    one, other = nodes
    name = database.split("/")[3].split("?")[0]
    with ThreadPoolExecutor() as pool:
        ends = [pool.submit(node.process.wait, 60) for node in nodes]
        # What a process does that takes a number whose lease has ended.
        psql("psql", "--quiet", "--command", "UPDATE storage_nodes SET holder = 'other' WHERE node = 0", name)
        done, _ = wait(ends, return_when=FIRST_COMPLETED)
        assert [end.result() for end in done] == [1]
        [survivor] = [node for node in nodes if node.process.poll() is None]
        for node in (one, other):
            if node is not survivor:
                node.process = None
        assert survivor.person("later").get("/api/v1/chats") == []
        survivor.stop()
        survivor.process = None


@pytest.mark.long
def test_servers_are_upgraded_and_no_earlier_one_sees_the_changed_database(nodes, tmp_path):
    one, other = nodes
    earlier = one.binary
    ana, ben = one.person("ana"), other.person("ben")
    befriend(ana, ben)
    chat = chat_of(ana, ben)

    def write(text):
        ben.post(f"/api/v1/chats/{chat}/messages", text=text)

    # Nothing is changed under a server that works.
    upgrade(nodes, later_version(tmp_path / "later"), meanwhile=lambda: write("From the earlier version"))
    write("From the later one")
    assert [message["text"] for message in history(ana, chat)] == ["From the earlier version", "From the later one"]
    other.stop()
    other.binary = earlier
    with pytest.raises(RuntimeError, match="newer than this program: it has migration 9001-later"):
        other.start()
    other.process = None


@pytest.mark.long
def test_when_all_connections_are_in_use_a_server_refuses_in_time_and_goes_on_afterwards(start, shared_flags, database, tmp_path):
    ana = start(tmp_path / "data", *shared_flags).person("ana")

    def ask():
        try:
            return ana.get("/api/v1/chats")
        except urllib.error.HTTPError as error:
            return error

    # More than a server has connections that read.
    with ThreadPoolExecutor(12) as pool:
        with locked(database, "accounts"):
            answers = [pool.submit(ask) for _ in range(12)]
            done, _ = wait(answers, return_when=FIRST_COMPLETED)
        refusal = done.pop().result()
        assert (refusal.code, refusal.headers["Retry-After"]) == (503, "2")
        assert "The server is busy. Try again in a moment." in refusal.read().decode()
        assert [] in [answer.result() for answer in answers]
    assert ana.get("/api/v1/chats") == []
