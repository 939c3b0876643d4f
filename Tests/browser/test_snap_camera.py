"""The camera for snaps: shoot with the front or the back one, retake, use, and send what was taken."""

import itertools

import pytest
from playwright.sync_api import expect

from conftest import long
from holding import Held
from keeping import is_drawn
from snaps import hide

count = itertools.count()
FEED = "memes"


@pytest.fixture(scope="session")
def browser(whole_browser):
    """The browser of all these tests, which need its camera."""
    return whole_browser


def test_the_camera_shoots_retakes_and_posts_and_is_off_afterwards(people):
    ana = people("camera")
    ana.page.context.grant_permissions(["camera"], origin=ana.server.url)
    page = ana.open("/snaps/camera")
    camera = page.locator("snap-camera")
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Switch camera").click()
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Take the picture").click()
    expect(page.get_by_role("img", name="The picture just taken")).to_be_visible()
    expect(page.locator("video")).to_have_count(0)
    page.get_by_role("button", name="Retake").click()
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Take the picture").click()
    page.get_by_role("button", name="Use").click()
    expect(page.get_by_role("img", name="The picture you chose")).to_be_visible()
    page.get_by_label("Description").fill("A test card")
    page.get_by_label("random").check()
    page.get_by_role("button", name="Post").click()
    page.get_by_role("button", name="OK").click()
    expect(page).to_have_url(f"{ana.server.url}/snaps/new")
    [own] = ana.get("/api/v1/snaps")[2]["snaps"]
    assert ana.post(f"/api/v1/snaps/{own['id']}/open")["view"]["description"] == "A test card"
    assert ana.get("/api/v1/photos") == []


def test_without_permission_the_camera_explains_itself_and_takes_a_file(people, photos):
    ana = people("denied")
    ana.page.context.clear_permissions()
    page = ana.open("/snaps/camera")
    expect(page.get_by_text("Allow the camera for this page")).to_be_visible()
    page.locator("input[type=file]").first.set_input_files(photos[1])
    page.get_by_role("button", name="Use").click()
    page.get_by_label("memes").check()
    page.get_by_role("button", name="Post").click()
    page.get_by_role("button", name="OK").click()
    expect(page).to_have_url(f"{ana.server.url}/snaps/new")
    assert len(ana.get("/api/v1/snaps")[0]["snaps"]) == 1


@pytest.fixture
def camera(people):
    """Someone's page with a running camera, `window.track`. What became of it is noted when the page is left."""
    ana = people(f"leaver{next(count)}")
    ana.page.context.grant_permissions(["camera"], origin=ana.server.url)
    page = ana.open("/snaps/camera")
    expect(page.locator("snap-camera")).to_have_attribute("data-state", "live")
    page.evaluate(
        """() => {
          window.track = document.querySelector("video").srcObject.getTracks()[0];
          // The last to hear of it, so that the camera has heard it before.
          addEventListener("pagehide", () => localStorage.setItem("track", window.track.readyState));
        }"""
    )
    assert page.evaluate("window.track.readyState") == "live"
    return page


@pytest.mark.long
def test_leaving_the_camera_by_a_link_stops_it(camera):
    camera.get_by_role("link", name="Close").click()
    camera.wait_for_url("**/snaps/new")
    assert camera.evaluate("localStorage.getItem('track')") == "ended"


def test_hiding_the_camera_stops_it_until_the_page_is_back(camera):
    first = camera.evaluate_handle("() => window.track")
    hide(camera)
    assert first.evaluate("track => track.readyState") == "ended"
    # Back in sight, it sees again.
    camera.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    camera.wait_for_function("() => document.querySelector('video')?.srcObject?.getTracks()[0].readyState === 'live'")
    assert first.evaluate("track => track.readyState") == "ended"


@pytest.mark.long
def test_without_a_camera_it_says_so_and_takes_a_file(server, bare_browser, phone, photos):
    ana = phone(server.person("nocamera"), browser=bare_browser, permissions=["camera"])
    page = ana.page
    page.goto("/snaps/camera")
    expect(page.get_by_text("This device has no camera. Choose a picture instead.")).to_be_visible()
    page.get_by_label("Choose a picture").set_input_files(photos[0])
    page.get_by_role("button", name="Use").click()
    page.get_by_label("dog spots").check()
    page.get_by_role("button", name="Post").click()
    page.get_by_role("button", name="OK").click()
    expect(page).to_have_url(f"{server.url}/snaps/new")
    assert len(ana.get("/api/v1/snaps")[1]["snaps"]) == 1


@pytest.fixture(scope="module")
def half_seeing_browser(browser_type, whole_chromium, tmp_path_factory):
    """A browser whose camera sees black at its left and white at its right."""
    width, height = 64, 48
    luma = (b"\x10" * (width // 2) + b"\xeb" * (width // 2)) * height
    frame = b"FRAME\n" + luma + b"\x80" * (width * height // 2)
    file = tmp_path_factory.mktemp("camera") / "halves.y4m"
    file.write_bytes(f"YUV4MPEG2 W{width} H{height} F10:1 Ip C420\n".encode() + frame * 10)
    arguments = [*whole_chromium["args"], f"--use-file-for-fake-video-capture={file}"]
    browser = browser_type.launch(**{**whole_chromium, "args": arguments})
    yield browser
    browser.close()


def brightness(picture):
    """How bright a picture is at its left and at its right."""
    return picture.evaluate(
        """(image) => {
          const canvas = document.createElement("canvas");
          const [width, height] = [(canvas.width = image.naturalWidth), (canvas.height = image.naturalHeight)];
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          return [.25, .75].map((x) => context.getImageData(x * width, height / 2, 1, 1).data[1]);
        }"""
    )


@pytest.mark.long
def test_the_camera_turns_and_the_front_one_mirrors(server, half_seeing_browser, phone):
    page = phone(server.person("turner"), browser=half_seeing_browser, permissions=["camera"]).page
    # The fake camera doesn't say which one it is: what the page asks for is all there is.
    page.add_init_script(
        """window.asked = [];
        const ask = MediaDevices.prototype.getUserMedia;
        MediaDevices.prototype.getUserMedia = function (wish) {
          window.asked.push(wish.video.facingMode.ideal);
          return ask.call(this, wish);
        };"""
    )
    page.goto("/snaps/camera")
    video = page.locator("video")
    for facing in ["environment", "user", "environment"]:
        expect(page.locator("snap-camera")).to_have_attribute("data-state", "live")
        expect(video).to_have_attribute("data-facing", facing)
        expect(video).to_have_css("transform", "matrix(-1, 0, 0, 1, 0, 0)" if facing == "user" else "none")
        page.get_by_role("button", name="Take the picture").click()
        taken = page.get_by_role("img", name="The picture just taken")
        expect(taken).to_be_visible()
        is_drawn(taken)
        left, right = brightness(taken)
        assert (left > 200, right > 200) == (facing == "user", facing != "user"), (facing, left, right)
        page.get_by_role("button", name="Retake").click()
        # The one that was used is used again, until it is turned.
        expect(page.locator("snap-camera")).to_have_attribute("data-state", "live")
        expect(video).to_have_attribute("data-facing", facing)
        track = video.evaluate_handle("video => video.srcObject.getTracks()[0]")
        page.get_by_role("button", name="Switch camera").click()
        expect(video).not_to_have_attribute("data-facing", facing)
        assert track.evaluate("track => track.readyState") == "ended"
    assert page.evaluate("window.asked") == ["environment"] * 2 + ["user"] * 2 + ["environment"] * 2 + ["user"]


# ---------------------------------------------------------------- the way to the server


@pytest.fixture
def sender(people, photos):
    """Someone with a picture on its way, which waits in `uploads`, and everything else filled in."""
    ana = people(f"sender{next(count)}")
    ana.page.context.clear_permissions()
    page = ana.open("/snaps/camera")
    uploads = Held(page, "**/api/v2/media")
    page.get_by_label("Choose a picture").set_input_files(photos[0])
    page.get_by_role("button", name="Use").click()
    page.get_by_label("Description").fill("A test card")
    page.get_by_label(FEED).check()
    return ana, page, uploads


def expect_kept(page):
    """Nothing is under way, and nothing of what was typed and chosen is lost."""
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.get_by_text("The picture isn’t uploaded. Post sends it.")).to_be_visible()
    expect(page.get_by_role("img", name="The picture you chose")).to_be_visible()
    expect(page.get_by_label("Description")).to_have_value("A test card")
    expect(page.get_by_label(FEED)).to_be_checked()
    expect(page.get_by_role("button", name="Post")).to_be_focused()
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("is_posting", [False, long(True)], ids=["before Post", "after Post"])
def test_an_upload_is_cancelled_and_goes_again_with_post(sender, is_posting):
    ana, page, uploads = sender
    first = uploads.take()
    expect(page.get_by_role("progressbar", name="Uploading the picture")).to_be_visible()
    post = page.get_by_role("button", name="Post")
    if is_posting:
        post.click()
        expect(post).to_be_disabled()
    with page.expect_event("requestfailed") as failed:
        page.get_by_role("button", name="Cancel").click()
    assert failed.value.url.endswith("/api/v2/media")
    expect_kept(page)
    assert [section["snaps"] for section in ana.get("/api/v1/snaps")] == [[], [], []]

    post.click()
    second = uploads.take()
    assert second.request.headers["idempotency-key"] == first.request.headers["idempotency-key"]
    expect(page.get_by_role("progressbar")).to_be_visible()
    second.continue_()
    page.get_by_role("button", name="OK").click()
    page.wait_for_url("**/snaps/new")
    [own] = ana.get("/api/v1/snaps")[0]["snaps"]
    assert ana.post(f"/api/v1/snaps/{own['id']}/open")["view"]["description"] == "A test card"


@pytest.mark.long
def test_an_upload_is_cancelled_while_it_waits_for_its_next_try(sender):
    ana, page, uploads = sender
    uploads.take().abort("connectionreset")
    page.get_by_role("button", name="Cancel").click()
    expect_kept(page)
    assert [section["snaps"] for section in ana.get("/api/v1/snaps")] == [[], [], []]
