"""A snap is seen once: every way out uses it up, and every way back shows nothing."""

import random
import threading
import time
import urllib.error

import pytest
from playwright.sync_api import Error, expect

from holding import Held
from people import Person, befriend, ready
from proxies import PictureCutter
from snaps import expect_gone, hide, open_first, snap, status, two_friends, viewer
from test_kills import BROKEN, Killable

# Kills of the server, each while a snap is being opened.
KILLS = 6

count = iter(range(1000))


@pytest.fixture
def friends(people):
    """Two friends with a phone each."""
    number = next(count)
    return two_friends(people, (f"ana{number}", f"ben{number}"))


@pytest.mark.parametrize("way", ["back", "reload", "leave", "hide"])
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


def test_a_hasty_second_tap_does_not_use_a_snap_up_unseen(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    opens = Held(page, "**/open")
    page.locator("[data-open]").dblclick()
    expect(viewer(page)).to_be_visible()
    opens.take().continue_()
    expect(viewer(page).locator("img")).to_be_visible()
    viewer(page).click()
    expect_gone(page)


@pytest.mark.parametrize("way", ["escape", "back", "tap"])
def test_a_snap_that_loads_for_long_can_be_left(friends, way):
    ana, ben = friends
    snap(ana)
    page = ben.page
    if way == "tap":
        page.clock.install()
    ben.open("/snaps")
    page.route("**/open", lambda route: None)
    with page.expect_request("**/open"):
        page.locator("[data-open]").click()
    expect(viewer(page)).to_be_visible()
    if way == "escape":
        page.keyboard.press("Escape")
    elif way == "back":
        page.go_back()
    else:
        viewer(page).click()
        expect(viewer(page)).to_be_visible()
        page.clock.fast_forward(3_000)
        viewer(page).click()
    expect(viewer(page)).to_have_count(0)


@pytest.mark.parametrize("hours", [-5, 5])
def test_trouble_on_the_way_is_retried_whatever_the_phone_thinks_the_time_is(friends, hours):
    ana, ben = friends
    snap(ana)
    page = ben.page
    page.add_init_script(f"const now = Date.now; Date.now = () => now() + {hours * 3_600_000};")
    ben.open("/snaps")
    troubles = [lambda route: route.abort(), *(lambda route, s=s: route.fulfill(status=s) for s in (503, 429))]
    page.route("**/snap_views/*", lambda route: (troubles.pop(0) if troubles else type(route).continue_)(route))
    open_first(page)
    assert troubles == []
    viewer(page).click()
    expect_gone(page)


def test_a_view_that_the_server_has_ended_is_not_asked_for_again(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    asked = []
    page.route("**/snap_views/*", lambda route: (asked.append(route), route.fulfill(status=410)))
    page.locator("[data-open]").click()
    expect(page.locator("flash-message")).to_have_text("This snap can’t be shown any more.")
    expect_gone(page)
    assert len(asked) == 1


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
def keeping_browser(browser_type, browser_type_launch_args):
    """A browser that keeps pages for a quick Back, as people's do; Playwright turns that off."""
    browser = browser_type.launch(
        **browser_type_launch_args, ignore_default_args=["--disable-back-forward-cache"]
    )
    yield browser
    browser.close()


@pytest.fixture
def keeping_page(friends, keeping_browser, browser_context_args):
    """The second friend's page in such a browser. It notes whether it was kept."""
    ben = friends[1]
    context = keeping_browser.new_context(**browser_context_args)
    context.add_cookies([{"name": "tintype_session", "value": ben.token, "url": ben.server.url, "sameSite": "Lax"}])
    page = context.new_page()
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


def test_without_scripts_the_picture_is_one_answer_that_reload_and_back_do_not_show(
    friends, keeping_browser, browser_context_args
):
    ana, ben = friends
    ids = [snap(ana), snap(ana, "random")]
    context = keeping_browser.new_context(**browser_context_args, java_script_enabled=False)
    context.add_cookies([{"name": "tintype_session", "value": ben.token, "url": ben.server.url, "sameSite": "Lax"}])
    page = context.new_page()
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


def test_a_second_device_gets_nothing(friends, phone):
    ana, ben = friends
    id = snap(ana)
    laptop = phone(Person(ben.server, ben.username, ben.server.command("token", "create", ben.username)))
    elsewhere = laptop.open("/snaps")
    elsewhere.wait_for_selector("html[data-live=on]", state="attached")
    expect(elsewhere.locator("[data-open]")).to_have_count(1)
    page = ben.open("/snaps")
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    open_first(page)
    expect_gone(elsewhere)
    address = next(url for url in addresses if "snap_views" in url)
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
    seen = []
    page.on("request", lambda request: seen.append(request.url))
    open_first(page)
    address = next(url for url in seen if "snap_views" in url)
    viewer(page).click()
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
    assert "snap" not in stored
    assert address not in page.content()


def test_offline_it_can_neither_be_opened_nor_seen_again(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    page.context.set_offline(True)
    page.locator("[data-open]").click()
    expect(page.locator("flash-message")).to_contain_text("No connection")
    expect(viewer(page)).to_have_count(0)
    page.context.set_offline(False)
    open_first(page)
    page.context.set_offline(True)
    viewer(page).click()
    expect(viewer(page)).to_have_count(0)
    page.context.set_offline(False)
    page.reload()
    expect_gone(page)


@pytest.fixture
def cutting_proxy(server):
    with PictureCutter(server) as proxy:
        yield proxy


def test_a_connection_cut_at_half_the_bytes_goes_on_there_and_after_the_close_nothing_does(friends, cutting_proxy):
    ana, ben = friends
    id = snap(ana)
    ben.page.add_init_script(
        """window.arrived = 0;
        const read = ReadableStreamDefaultReader.prototype.read;
        ReadableStreamDefaultReader.prototype.read = async function () {
          const chunk = await read.call(this);
          window.arrived += chunk.value?.length ?? 0;
          return chunk;
        };"""
    )
    page = ben.open(cutting_proxy.url + "/snaps")
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    with page.expect_request("**/snap_views/*"):
        page.locator("[data-open]").click()
    page.wait_for_function("() => window.arrived > 0")
    half = cutting_proxy.passed[0]
    page.wait_for_function("(half) => window.arrived === half", arg=half)
    cutting_proxy.may_cut.set()
    expect(viewer(page).locator("img")).to_be_visible()
    rest = cutting_proxy.passed[1]
    assert cutting_proxy.ranges == [None, f"bytes={half}-"]
    assert 0 <= rest - half <= 1
    size = viewer(page).locator("img").evaluate("(image) => [image.naturalWidth, image.naturalHeight]")
    assert min(size) > 100
    viewer(page).click()
    expect_gone(page)
    address = next(url for url in addresses if "snap_views" in url)
    path = address[address.index("/api"):]
    assert status(ben, "GET", path, {"Range": f"bytes={half}-"}) == 410
    assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 410


# ---------------------------------------------------------------- a crash


@pytest.mark.long
def test_a_server_killed_amid_opening_a_snap_never_opens_one_twice(tmp_path):
    """SIGKILL around the open: an open that was answered holds for ever, one that wasn't may be tried again, once."""
    killable = Killable(tmp_path)
    server = killable.start()
    ana, ben = server.person("ana"), server.person("ben")
    befriend(ana, ben)
    views, lost = {}, 0
    for kill in range(KILLS):
        ana.server = ben.server = server
        id = snap(ana, sample=f"dogs-{kill % 2 + 1}")
        path, answers = f"/api/v1/snaps/{id}/open", []
        opening = threading.Thread(target=lambda: answers.append(opened(ben, path)))
        opening.start()
        # The moment itself is what is random here; nothing waits for it.
        time.sleep(random.uniform(0, 0.08) if kill else 1)
        killable.kill()
        opening.join()
        ben.server = server = killable.start()
        view = answers[0]
        if view:
            # Its page may fetch the picture within the deadline, or it is used up.
            assert status(ben, "GET", view) in (200, 410)
            views[id] = view
        else:
            assert status(ben, "POST", path) in (200, 410)
            lost += 1
        assert status(ben, "POST", path) == 410
    # The first kill came late enough for an answer.
    assert views and lost + len(views) == KILLS

    killable.kill()
    with server.database() as database:
        database.execute("UPDATE snap_views SET opened_at = opened_at - 31000")
    ben.server = killable.start()
    for id, view in views.items():
        assert status(ben, "GET", view) == 410
        assert status(ben, "POST", f"/api/v1/snaps/{id}/close") == 204
        assert status(ben, "GET", view) == 410
    killable.kill()


def opened(person, path):
    """Opens a snap; the path of its picture, or None when the server was killed before it had answered."""
    try:
        url = person.post(path)["view"]["url"]
    except BROKEN as error:
        assert not isinstance(error, urllib.error.HTTPError), error
        return None
    return url[url.index("/api"):]
