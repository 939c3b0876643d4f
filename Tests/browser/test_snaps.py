"""Snaps in the browser: post, see once, and every way back that shows nothing."""

import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from conftest import BINARY, listening_port
from looks import accessibility_problems, scrolls_sideways
from people import Person, Server, befriend, ready

count = iter(range(1000))


@pytest.fixture
def friends(people):
    """Two friends with a phone each."""
    number = next(count)
    one, other = people(f"ana{number}"), people(f"ben{number}")
    befriend(one, other)
    return one, other


def snap(person, feed="memes", sample="memes-1"):
    """Posts a predefined picture; the snap's id."""
    return person.post("/api/v1/snaps", sample_id=sample, feed_id=feed)["id"]


def status(person, method, path, headers={}):
    """The status that a call of the JSON interface answers with."""
    request = urllib.request.Request(person.server.url + path, method=method, headers=headers)
    request.add_header("Authorization", f"Bearer {person.token}")
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def viewer(page):
    return page.locator("dialog.snap-viewer")


def open_first(page):
    """Taps the first unread snap and waits for its picture."""
    page.locator("[data-open]").first.click()
    expect(viewer(page).locator("img")).to_be_visible()


def expect_gone(page):
    """The snap shows nowhere, and its row is read."""
    expect(viewer(page)).to_have_count(0)
    expect(page.get_by_role("img", name="Read", exact=True)).to_have_count(1)
    expect(page.locator("[data-open]")).to_have_count(0)


# ---------------------------------------------------------------- posting


def test_a_predefined_picture_goes_to_one_feed_and_back_to_the_grid(people):
    ana = people("grid")
    page = ana.open("/create")
    page.get_by_role("link", name="Snap Seen once").click()
    expect(page.locator(".grid").first.locator("img")).to_have_count(12)
    page.get_by_role("img", name="dachshund").click()
    post = page.get_by_role("button", name="Post")
    expect(post).to_be_disabled()
    page.get_by_label("memes").check()
    page.get_by_label("dog spots").check()
    expect(page.get_by_label("memes")).not_to_be_checked()
    expect(page.locator("[data-choice] output")).to_have_text("dog spots")
    post.click()
    alert = page.get_by_role("alertdialog", name="Snap posted to dog spots")
    alert.get_by_role("button", name="OK").click()
    expect(page).to_have_url(f"{ana.server.url}/snaps/new")
    feeds = {section["feed"]["title"]: len(section["snaps"]) for section in ana.get("/api/v1/snaps")}
    assert feeds == {"memes": 0, "dog spots": 1, "random": 0}


def test_a_photo_of_the_library_can_be_posted_and_stays_there(people, photos):
    ana = people("library")
    photo = ana.upload(photos[0], description="Soft colours")
    page = ana.open("/snaps/new")
    page.get_by_role("img", name="Soft colours").click()
    page.get_by_label("random").check()
    page.get_by_role("button", name="Post").click()
    page.get_by_role("button", name="OK").click()
    expect(page.get_by_role("img", name="Soft colours")).to_be_visible()
    assert [one["id"] for one in ana.get("/api/v1/photos")] == [photo]


def test_the_camera_shoots_retakes_and_posts_and_is_off_afterwards(people):
    ana = people("camera")
    ana.page.context.grant_permissions(["camera"], origin=ana.server.url)
    page = ana.open("/snaps/camera")
    camera = page.locator("snap-camera")
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Turn the camera").click()
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Take the picture").click()
    expect(page.get_by_role("img", name="The picture just taken")).to_be_visible()
    expect(page.locator("video")).to_have_count(0)
    page.get_by_role("button", name="Retake").click()
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Take the picture").click()
    page.get_by_role("button", name="Use").click()
    expect(page.get_by_role("img", name="The picture you chose")).to_be_visible()
    page.get_by_label("random").check()
    page.get_by_role("button", name="Post").click()
    page.get_by_role("button", name="OK").click()
    expect(page).to_have_url(f"{ana.server.url}/snaps/new")
    assert len(ana.get("/api/v1/snaps")[2]["snaps"]) == 1
    assert ana.get("/api/v1/photos") == []


def test_without_permission_the_camera_explains_itself_and_takes_a_file(people, photos):
    ana = people("denied")
    ana.page.context.clear_permissions()
    page = ana.open("/snaps/camera")
    expect(page.get_by_text("Allow the camera for this page")).to_be_visible()
    page.locator("input[type=file]").first.set_input_files(photos[1])
    page.get_by_label("memes").check()
    page.get_by_role("button", name="Post").click()
    page.get_by_role("button", name="OK").click()
    expect(page).to_have_url(f"{ana.server.url}/snaps/new")
    assert len(ana.get("/api/v1/snaps")[0]["snaps"]) == 1


def test_leaving_the_camera_stops_it(people):
    ana = people("leaver")
    ana.page.context.grant_permissions(["camera"], origin=ana.server.url)
    page = ana.open("/snaps/camera")
    expect(page.locator("snap-camera")).to_have_attribute("data-state", "live")
    page.evaluate("window.track = document.querySelector('video').srcObject.getTracks()[0]")
    page.evaluate("document.querySelector('snap-camera').remove()")
    assert page.evaluate("window.track.readyState") == "ended"


# ---------------------------------------------------------------- looking


def test_sections_stand_in_order_and_empty_ones_stay(friends):
    ana, ben = friends
    snap(ana, "random")
    page = ben.open("/snaps")
    expect(page.locator(".feed h2 > span:first-child")).to_have_text(["memes", "dog spots", "random"])
    expect(page.get_by_text("No snaps in dog spots yet.")).to_be_visible()
    row = page.locator("[data-open]")
    expect(row).to_contain_text(ana.username)
    expect(row).to_contain_text("0 minutes ago")
    expect(row.get_by_role("img", name="Unread")).to_be_visible()


def test_a_tap_shows_the_picture_alone_on_black_and_a_tap_closes_it_for_good(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    open_first(page)
    box = viewer(page).bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 844)
    style = viewer(page).evaluate("(e) => [getComputedStyle(e).backgroundColor, getComputedStyle(e.querySelector('img')).objectFit]")
    assert style == ["rgb(0, 0, 0)", "contain"]
    page.mouse.click(195, 700)
    expect_gone(page)
    page.reload()
    expect_gone(page)


def test_a_new_snap_and_its_badge_arrive_live_and_leave_when_it_was_seen(friends):
    ana, ben = friends
    page = ben.open("/snaps")
    page.wait_for_selector("html[data-live=on]", state="attached")
    snap(ana, "dog-spots")
    expect(page.locator("[data-open]")).to_have_count(1)
    badge = page.locator(".tabs [data-badge=snaps]")
    expect(badge).to_contain_text("1")
    open_first(page)
    page.keyboard.press("Escape")
    expect_gone(page)
    expect(badge).to_be_hidden()


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
        page.evaluate(
            """() => {
              Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
              document.dispatchEvent(new Event("visibilitychange"));
              delete document.visibilityState;
            }"""
        )
    expect_gone(page)
    assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 410


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


def test_a_second_tab_and_a_second_device_get_nothing(friends, browser):
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
    other = Person(ben.server, ben.username, ben.server.command("token", "create", ben.username))
    assert status(other, "POST", f"/api/v1/snaps/{id}/open") == 410
    expect(viewer(first).locator("img")).to_be_visible()
    viewer(first).click()
    expect_gone(first)
    expect_gone(second)


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


def test_a_broken_connection_goes_on_where_it_stopped(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    tries = []

    def answer(route):
        tries.append(route.request.headers)
        route.abort() if len(tries) == 1 else route.continue_()

    page.route("**/api/v1/snap_views/*", answer)
    open_first(page)
    assert len(tries) == 2


def test_an_own_snap_tells_who_has_seen_it_and_can_be_deleted(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    open_first(page)
    viewer(page).click()
    expect_gone(page)
    own = ana.open("/snaps")
    expect(own.get_by_text("seen by 1")).to_be_visible()
    own.get_by_role("link", name="Who has seen your snap").click()
    expect(own.get_by_text("Seen by 1 of 1")).to_be_visible()
    expect(own.get_by_role("link", name=ben.username)).to_be_visible()
    own.get_by_role("button", name="Delete snap").click()
    own.get_by_role("dialog").get_by_role("button", name="Delete snap").click()
    expect(own.get_by_text("No snaps in memes yet.")).to_be_visible()


def test_new_snaps_stand_beside_home_on_a_wide_screen(friends):
    ana, ben = friends
    snap(ana)
    ben.page.set_viewport_size({"width": 1280, "height": 800})
    page = ben.open("/home")
    expect(page.locator(".beside [data-open]")).to_contain_text("memes")
    open_first(page)
    viewer(page).click()
    expect(page.locator(".beside")).to_contain_text("You have seen them all.")


@pytest.mark.parametrize("path", ["/snaps", "/snaps/new", "/snaps/new/dogs-1", "/snaps/camera"])
def test_the_screens_are_accessible_and_fit(friends, path):
    ana, ben = friends
    snap(ana)
    page = ben.open(path)
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)


# ---------------------------------------------------------------- a crash


@pytest.mark.long
def test_a_server_killed_between_open_and_close_never_shows_a_fresh_snap(tmp_path):
    """SIGKILL after the open: the snap comes back open for its viewer within the deadline, or used up."""

    def start():
        log = open(tmp_path / "log", "a+")
        process = subprocess.Popen(
            [BINARY, "serve", "--data", str(tmp_path / "data"), "--port", "0", "--sign-up", "open"],
            stdout=subprocess.PIPE, stderr=log, text=True,
        )
        return process, Server(f"http://localhost:{listening_port(process, log)}", BINARY, str(tmp_path / "data"))

    process, server = start()
    try:
        ana, ben = server.person("ana"), server.person("ben")
        befriend(ana, ben)
        ids = [snap(ana, sample=f"dogs-{number}") for number in (1, 2)]
        view = ben.post(f"/api/v1/snaps/{ids[0]}/open")["view"]
        # The second is opened while the kill is on its way: the answer may be lost, the rule may not.
        second = f"/api/v1/snaps/{ids[1]}/open"
        body = subprocess.Popen(["curl", "-s", "-X", "POST", "-H", f"Authorization: Bearer {ben.token}", server.url + second])
        process.send_signal(signal.SIGKILL)
        process.wait()
        body.wait()
        process, server = start()
        ben.server = server
        path = view["url"][view["url"].index("/api"):]
        assert status(ben, "POST", f"/api/v1/snaps/{ids[0]}/open") == 410
        assert status(ben, "GET", path) in (200, 410)
        assert status(ben, "POST", second) in (200, 410)
        assert status(ben, "POST", second) == 410
        assert status(ben, "POST", f"/api/v1/snaps/{ids[0]}/close") == 204
        assert status(ben, "GET", path) == 410
    finally:
        process.kill()
        process.wait()
