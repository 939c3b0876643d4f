"""A server that keeps its pictures in a store with S3's interface: what people see of it, and what is gone."""

import concurrent.futures

import pytest
from playwright.sync_api import expect

from chats import chat_of, send_once
from nodes import shown, wait_for
from people import befriend
from services import needs_store
from snaps import close, expect_gone, open_first, snap, status, viewer

pytestmark = needs_store


@pytest.fixture
def friends(store, start, phone, tmp_path):
    server = start(tmp_path / "data", *store.flags)
    ana, ben = (phone(server.person(name)) for name in ("ana", "ben"))
    befriend(ana, ben)
    return ana, ben


def test_a_post_is_seen_and_a_snap_is_gone_from_the_store_once_it_was_seen(friends, store, photos):
    ana, ben = friends
    photo = ana.upload(photos[0])
    ana.post("/api/v1/statuses", status="From the store", media_ids=[photo])
    kept = store.objects()
    assert kept
    page = shown(ben, "/home")
    picture = page.get_by_role("article").locator("img[src*='/photos/'], img[srcset*='/photos/']").first
    expect(picture).to_be_visible()
    assert picture.evaluate("async image => { await image.decode(); return image.naturalWidth }") > 100
    ana.post("/api/v1/snaps", media_id=ana.upload(photos[1], purpose="snap"), feed_id="memes")
    assert store.objects() - kept
    page = shown(ben, "/snaps")
    open_first(page)
    close(page)
    expect_gone(page)
    wait_for(lambda: store.objects() == kept)
    ana.call("DELETE", f"/api/v1/photos/{photo}?force=true")
    wait_for(lambda: not store.objects())


def test_while_the_store_is_down_pages_go_on_and_an_upload_says_so_and_succeeds_later(friends, store, photos):
    ana, _ = friends
    store.is_down = True
    page = shown(ana, "/home")
    expect(page.get_by_role("main")).to_be_visible()
    with pytest.raises(Exception, match="503"):
        ana.upload(photos[0])
    store.is_down = False
    assert ana.upload(photos[0])
    assert store.objects()


def test_while_the_store_is_slow_a_picture_waits_and_pages_do_not(friends, store, photos):
    ana, _ = friends
    photo = ana.upload(photos[0])
    ana.post("/api/v1/statuses", status="From a slow store", media_ids=[photo])
    store.has_been_asked.clear()
    store.may_answer.clear()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        picture = pool.submit(ana.bytes, f"/photos/{photo}/large")
        assert store.has_been_asked.wait(30)
        assert "From a slow store" in ana.bytes("/home").decode()
        assert not picture.done()
        store.may_answer.set()
        assert picture.result()[:3] == b"\xff\xd8\xff"


def test_while_the_store_is_down_a_snap_stays_unopened_and_can_be_seen_later(friends, store):
    ana, ben = friends
    snap(ana)
    page = shown(ben, "/snaps")
    store.is_down = True
    page.locator("[data-open]").first.click()
    expect(page.get_by_role("status").filter(has_text="try again")).to_be_visible()
    expect(viewer(page)).to_have_count(0)
    expect(page.locator("[data-open]")).to_have_count(1)
    store.is_down = False
    open_first(page)
    close(page)
    expect_gone(page)


def test_while_the_store_is_down_a_view_once_photo_stays_unopened(friends, store, photos):
    ana, ben = friends
    chat = chat_of(ana, ben)
    path = f"/api/v1/chats/{chat}/messages/{send_once(ana, chat, photos[0])}/open"
    store.is_down = True
    assert status(ben, "POST", path) == 503
    store.is_down = False
    assert status(ben, "POST", path) == 200
    assert status(ben, "POST", path) == 410
