"""A snap is seen once: every way out uses it up, and every way back shows nothing."""

import time

import pytest
from playwright.sync_api import Error, expect

from conftest import PATIENCE, long
from holding import Held
from people import ready
from snaps import (
    address_of_the_picture, close, expect_gone, hide, open_first, snap, status, still_no_more, two_friends, viewer,
)


@pytest.mark.parametrize("way", [long("back"), long("reload"), "leave", long("hide")])
def test_every_way_out_uses_the_snap_up(friends, way):
    ana, ben = friends
    id = snap(ana)
    page = ben.open("/snaps")
    open_first(page)
    if way == "back":
        page.go_back()
        assert page.url.endswith("/snaps")
    elif way == "reload":
        page.reload()
    elif way == "leave":
        page.goto("/home")
        page.goto("/snaps")
    else:
        hide(page)
    expect_gone(page)
    assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 410


def test_closing_the_tab_erases_the_picture_from_the_disk(friends, photos):
    ana, ben = friends
    before = ben.server.pictures()
    id = ana.post("/api/v1/snaps", media_id=ana.upload(photos[0], purpose="snap"), feed_id="memes")["id"]
    assert ben.server.pictures() - before
    page, other = ben.open("/snaps"), ben.page.context.new_page()
    address = address_of_the_picture(page)
    expect(viewer(page).locator("img")).to_be_visible()
    with page.expect_event("close"):
        page.close(run_before_unload=True)
    # Of the two ways to close it in time this is the one that a closed tab has left.
    end = time.monotonic() + PATIENCE / 1_000
    while ben.server.pictures() - before:
        assert time.monotonic() < end, "the picture is still there"
        other.evaluate("() => null")
    assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 410
    assert other.goto(address).status == 410
    other.goto("/snaps")
    expect_gone(other)


@pytest.mark.long
def test_a_snap_that_its_poster_deletes_leaves_who_is_looking(friends):
    ana, ben = friends
    id, other = snap(ana), snap(ana, "random")
    page = ben.open("/snaps")
    page.wait_for_selector("html[data-live=on]", state="attached")
    page.locator(f"[data-open='{id}']").click()
    expect(viewer(page).locator("img")).to_be_visible()
    # That of another changes nothing: the picture is still there, and the list as it was.
    page.evaluate("() => addEventListener('tintype:snap.closed', ({ detail }) => (window.closedID = detail.id))")
    ana.call("DELETE", f"/api/v1/snaps/{other}")
    page.wait_for_function("(id) => window.closedID === id", arg=other)
    expect(page.locator(f"[data-snap='{other}']")).to_have_count(1)
    expect(viewer(page).locator("img")).to_be_visible()
    ana.call("DELETE", f"/api/v1/snaps/{id}")
    expect(viewer(page)).to_have_count(0)
    expect(page.locator("[data-snap]")).to_have_count(0)
    assert page.url.endswith("/snaps")


@pytest.mark.long
def test_a_closed_snap_is_gone_however_long_the_server_takes_to_answer(friends):
    ana, ben = friends
    id = snap(ana)
    page = ben.open("/snaps")
    closes = Held(page, "**/close")
    open_first(page)
    viewer(page).click()
    expect_gone(page)
    with page.expect_response("**/close") as answer:
        closes.take().continue_()
    assert answer.value.status == 204
    assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 410


@pytest.mark.long
def test_a_snap_that_shrinks_stays_small_and_is_gone_at_once_when_the_page_is_hidden(people):
    ana, ben = two_friends(people, ("shrinker", "hider"), reduced_motion="no-preference")
    for _ in range(2):
        snap(ana)
    page = ben.open("/snaps")
    page.route("**/close", lambda route: None)
    motion = page.context.new_cdp_session(page)
    motion.send("Animation.enable")
    # The height of the picture in each frame from the tap on, until there is none.
    watch = """() => {
      window.heights = [];
      const look = () => {
        const dialog = document.querySelector(".snap-viewer");
        window.heights.push(dialog?.getBoundingClientRect().height ?? 0);
        if (dialog) requestAnimationFrame(look);
      };
      document.querySelector(".snap-viewer").addEventListener("click", look);
    }"""
    open_first(page)
    page.wait_for_function("() => document.querySelector('.snap-viewer').getAnimations().length === 0")
    page.evaluate(watch)
    viewer(page).click()
    expect(viewer(page)).to_have_count(0)
    page.wait_for_function("() => window.heights.at(-1) === 0")
    heights = page.evaluate("() => window.heights")
    assert heights == sorted(heights, reverse=True)

    # For a moment after one was closed, no other opens.
    still_no_more(page)
    expect(page.locator("[data-open]")).to_have_count(1)
    open_first(page)
    page.wait_for_function("() => document.querySelector('.snap-viewer').getAnimations().length === 0")
    motion.send("Animation.setPlaybackRate", {"playbackRate": 0})
    viewer(page).click()
    page.wait_for_function("() => document.querySelector('.snap-viewer').getAnimations().length === 1")
    expect(viewer(page).locator("img")).to_be_visible()
    hide(page)
    assert viewer(page).count() == 0
    assert page.locator("img[src^='blob:']").count() == 0


def test_back_and_forward_show_nothing(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    open_first(page)
    viewer(page).click()
    expect_gone(page)
    page.goto("/home")
    page.go_back()
    expect_gone(page)
    page.go_forward()
    page.go_back()
    expect_gone(page)


@pytest.fixture
def keeping_browser(browser_type, whole_chromium):
    """A browser that keeps pages for a quick Back, as people's do; Playwright turns that off."""
    browser = browser_type.launch(**whole_chromium, ignore_default_args=["--disable-back-forward-cache"])
    yield browser
    browser.close()


@pytest.fixture
def keeping_page(friends, keeping_browser, phone):
    """The second friend's page in such a browser. It notes whether it was kept."""
    page = phone(friends[1], browser=keeping_browser).page
    page.add_init_script("addEventListener('pageshow', ({ persisted }) => (window.wasKept = persisted))")
    return page


def test_a_page_that_the_browser_kept_comes_back_without_the_picture(friends, keeping_page):
    ana, _ = friends
    snap(ana)
    page = keeping_page
    page.goto("/snaps")
    ready(page)
    open_first(page)
    page.evaluate("() => void setTimeout(() => location.assign('/library'))")
    page.wait_for_url("**/library")
    page.evaluate("() => void setTimeout(() => history.back())")
    # Else the browser has not kept the page, and nothing was tried.
    page.wait_for_function("() => window.wasKept")
    expect_gone(page)
    assert page.locator("img[src^='blob:']").count() == 0


@pytest.mark.long
def test_without_scripts_the_picture_is_one_answer_that_reload_and_back_do_not_show(friends, keeping_browser, phone):
    ana, ben = friends
    ids = [snap(ana), snap(ana, "random")]
    page = phone(ben, browser=keeping_browser, java_script_enabled=False).page
    picture = page.locator("img[src^='data:image/jpeg']")

    def look():
        page.goto("/snaps")
        with page.expect_response("**/open") as answer:
            page.locator("[data-open]").first.click()
        assert answer.value.headers["cache-control"] == "no-store"
        expect(picture).to_be_visible()

    look()
    assert page.reload().status == 410
    expect(picture).to_have_count(0)
    look()
    picture.click()
    expect(page.get_by_role("img", name="Read", exact=True)).to_have_count(2)
    # What the browser would have to ask for once more, it doesn't even try to show.
    with pytest.raises(Error, match="ERR_CACHE_MISS"):
        page.go_back()
    expect(picture).to_have_count(0)
    assert [status(ben, "POST", f"/api/v1/snaps/{id}/open") for id in ids] == [410, 410]


def test_a_second_tab_gets_nothing(friends):
    ana, ben = friends
    id = snap(ana)
    first = ben.open("/snaps")
    second = ben.page.context.new_page()
    second.goto("/snaps")
    ready(second)
    expect(second.locator("[data-open]")).to_have_count(1)
    open_first(first)
    answer = second.evaluate("(id) => fetch(`/api/v1/snaps/${id}/open`, { method: 'POST' }).then((r) => r.status)", id)
    assert answer == 410
    expect(second.locator("[data-open]")).to_have_count(0)
    expect(viewer(first).locator("img")).to_be_visible()
    viewer(first).click()
    expect_gone(first)
    expect_gone(second)


@pytest.mark.long
def test_a_second_device_gets_nothing(friends, phone):
    ana, ben = friends
    id = snap(ana)
    laptop = phone(ben.again())
    elsewhere = laptop.open("/snaps")
    elsewhere.wait_for_selector("html[data-live=on]", state="attached")
    expect(elsewhere.locator("[data-open]")).to_have_count(1)
    page = ben.open("/snaps")
    address = address_of_the_picture(page)
    expect_gone(elsewhere)
    for call, expected in [("open", 410), ("shown", 409), ("close", 409)]:
        answer = elsewhere.evaluate(
            "([id, call]) => fetch(`/api/v1/snaps/${id}/${call}`, { method: 'POST' }).then((r) => r.status)", [id, call])
        assert answer == expected, call
    assert elsewhere.goto(address).status == 404
    expect(viewer(page).locator("img")).to_be_visible()
    viewer(page).click()
    expect_gone(page)


def test_a_copied_address_of_the_picture_shows_nothing(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    address = address_of_the_picture(page)
    expect(viewer(page).locator("img")).to_be_visible()
    close(page)
    expect_gone(page)
    other = page.context.new_page()
    assert other.goto(address).status == 410
    assert other.locator("img").count() == 0
    stored = page.evaluate(
        """async () => {
          const caches = await window.caches.keys();
          return [...caches, ...Object.keys(localStorage), ...Object.values(sessionStorage)].join();
        }"""
    )
    assert "snap_view" not in stored and address.split("/")[-1] not in stored
    assert address not in page.content()
