"""Then & Now's start page: choose a past photo, line the camera up with it, shoot, reject or accept."""

import itertools
import json

import pytest
from playwright.sync_api import expect

from cameras import difference, four_colours, seen
from conftest import PHONE, long
from holding import Held
from looks import accessibility_problems, scrolls_sideways, turn
from people import ready
from pngs import encoded
from snaps import hide
from touch import Finger, middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000"]
LANDSCAPE = {"width": 844, "height": 390}
WIDE = {"viewport": {"width": 1280, "height": 800}, "has_touch": False, "is_mobile": False}

count = itertools.count()


@pytest.fixture(scope="session")
def camera_flags(whole_chromium, tmp_path_factory):
    """What launches a browser whose camera sees four colours."""
    file = tmp_path_factory.mktemp("camera") / "colours.y4m"
    four_colours(file)
    return {**whole_chromium, "args": [*whole_chromium["args"], f"--use-file-for-fake-video-capture={file}"]}


@pytest.fixture(scope="session")
def browser(browser_type, camera_flags):
    """The browser of all these tests, which need its camera."""
    browser = browser_type.launch(**camera_flags)
    yield browser
    browser.close()


@pytest.fixture
def eva(people):
    """Someone who may use the camera."""
    return people(f"eva{next(count)}", permissions=["camera"])


@pytest.fixture
def past(eva, photos):
    """The id of a past photo in her library."""
    return eva.upload(photos[0], "The square in 1931")


def begin(person, past):
    """Opens the start page with a past photo, and waits for the camera."""
    page = person.open(f"/then-and-now?photo={past}")
    live(page)
    prepared(page)
    return page


def stage(page):
    return page.locator("then-and-now")


def live(page):
    expect(stage(page)).to_have_attribute("data-state", "live")


def prepared(page):
    """Waits until the past photo is there."""
    expect(stage(page)).to_have_attribute("data-past", "ready")


def above(page):
    return page.locator("[data-past-pane]")


def below(page):
    return page.locator("[data-now-pane]")


def shutter(page):
    return page.get_by_role("button", name="Take the picture")


def shoot(page):
    shutter(page).click()
    expect(stage(page)).to_have_attribute("data-state", "verdict")


def accept(page):
    """Accepts what was shot; the id of the pair that the library opens on."""
    page.get_by_role("button", name="Accept and save").click()
    page.wait_for_url("**/library/*")
    return page.url.rpartition("/")[2]


def lay(page, mode, amount=0):
    """Lays the past photo over the camera or the picture just taken, or takes it away: `None`."""
    page.get_by_label(mode, exact=True).check(force=True)
    if mode != "None":
        page.locator("[data-amount]").fill(str(amount))
    if mode == "Edges":
        expect(page.locator(f"[data-edges][data-drawn='{amount}']")).to_be_attached()


def view(page):
    """The part of the past photo that is shown."""
    member, id = (stage(page).get_attribute(name) for name in ("data-member", "data-id"))
    return json.loads(page.evaluate("name => sessionStorage.getItem(name)", f"then-and-now {member} {id}"))


def pairs(person):
    return [one for one in person.get("/api/v1/photos") if one["kind"] == "rephotograph"]


# ---------------------------------------------------------------- the walkthrough


def test_someone_walks_from_the_wobbling_buttons_to_a_pair_in_the_library(eva, photos):
    page = eva.open("/create")
    page.get_by_role("link", name="Then & Now").click()
    live(page)
    expect(shutter(page)).to_have_count(0)
    page.get_by_role("link", name="From Library").click()
    page.wait_for_url("**/then-and-now/choose")
    ready(page)
    page.get_by_label("Choose from this device").set_input_files(photos[0])
    prepared(page)
    live(page)
    expect(above(page).get_by_role("img")).to_be_visible()
    shoot(page)
    expect(page.get_by_role("img", name="The picture just taken")).to_be_visible()
    expect(page.get_by_role("link", name="Your pairs")).to_have_count(0)
    page.get_by_role("button", name="Reject and shoot again").click()
    live(page)
    expect(page.get_by_role("link", name="Your pairs")).to_be_visible()
    assert pairs(eva) == []
    shoot(page)
    pair = accept(page)
    assert [one["id"] for one in pairs(eva)] == [pair]
    ready(page)
    expect(page.get_by_role("button", name="Share")).to_be_visible()
    expect(page.get_by_role("button", name="Delete")).to_be_visible()
    # The photo of the device is in the library too, and opens the next pair.
    assert len(eva.get("/api/v1/photos")) == 2
    page.goto("/then-and-now")
    page.get_by_role("link", name="Your pairs").click()
    page.wait_for_url("**/library?show=pairs")
    expect(page.locator(f".grid [data-id='{pair}']")).to_be_visible()


@pytest.mark.long
def test_the_buttons_wobble_out_of_step_until_a_past_photo_is_there(people, photos):
    eva = people(f"wobble{next(count)}", permissions=["camera"], reduced_motion="no-preference")
    page = eva.open("/then-and-now")
    wobbles = page.locator(".beginning").evaluate_all(
        """(buttons) => buttons.map((button) => {
          const [wobble] = button.getAnimations();
          const angles = wobble.effect.getKeyframes().map(({ transform }) => transform);
          const { duration, delay, iterations } = wobble.effect.getComputedTiming();
          return { angles, duration, delay, isEndless: iterations === Infinity };
        })"""
    )
    assert [one["angles"] for one in wobbles] == [["rotate(-1.5deg)", "rotate(1.5deg)", "rotate(-1.5deg)"]] * 2
    assert all(one["duration"] == 2400 and one["isEndless"] for one in wobbles)
    assert wobbles[0]["delay"] != wobbles[1]["delay"]
    page.goto(f"/then-and-now?photo={eva.upload(photos[0])}")
    live(page)
    assert page.locator(".beginning").count() == 0


@pytest.mark.long
def test_nothing_wobbles_for_those_who_want_less_motion(eva):
    page = eva.open("/then-and-now")
    assert page.locator(".beginning").evaluate_all("all => all.flatMap((one) => one.getAnimations()).length") == 0


# ---------------------------------------------------------------- the past photo


def test_fingers_pan_and_zoom_the_past_photo_one_to_three_times(eva, past):
    page = begin(eva, past)
    finger, at = Finger(page), middle(above(page))
    assert view(page) == {"zoom": 1, "x": 0.5, "y": 0.5}
    finger.swipe(at, (at[0] + 40, at[1] + 40))
    moved = view(page)
    # The photo is wider than its frame, and not higher.
    assert moved["x"] < 0.5 and moved["y"] == 0.5
    finger.pinch(at, 40, 80)
    assert 1.9 < view(page)["zoom"] < 2.1
    expect(above(page)).to_have_attribute("aria-label", "Past photo, enlarged 2 times")
    finger.pinch(at, 20, 180)
    assert view(page)["zoom"] == 3
    finger.swipe(at, (at[0] + 10, at[1] + 60))
    assert view(page)["y"] < 0.5
    finger.pinch(at, 150, 10)
    finger.pinch(at, 150, 10)
    assert view(page)["zoom"] == 1


@pytest.mark.long
def test_mouse_and_wheel_pan_and_zoom_the_past_photo(people, photos):
    eva = people(f"mouse{next(count)}", permissions=["camera"], **WIDE)
    page = begin(eva, eva.upload(photos[1]))
    x, y = middle(above(page))
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    page.wait_for_function("() => !document.querySelector('[data-past-pane]').ariaLabel.includes('not')")
    before = view(page)
    assert 1 < before["zoom"] <= 3
    page.mouse.down()
    page.mouse.move(x + 30, y + 50, steps=5)
    page.mouse.up()
    after = view(page)
    assert after["x"] < before["x"] and after["y"] < before["y"] and after["zoom"] == before["zoom"]


@pytest.mark.long
def test_keys_pan_zoom_and_reset_the_past_photo(eva, past):
    page = begin(eva, past)
    pane = page.get_by_role("group", name="Past photo, not enlarged")
    pane.focus()
    for _ in range(4):
        page.keyboard.press("+")
    zoomed = view(page)
    assert 1.5 < zoomed["zoom"] < 2
    for key, axis, sign in [("ArrowRight", "x", -1), ("ArrowLeft", "x", 1), ("ArrowDown", "y", -1), ("ArrowUp", "y", 1)]:
        before = view(page)
        page.keyboard.press(key)
        assert (view(page)[axis] - before[axis]) * sign > 0, key
    page.keyboard.press("-")
    assert view(page)["zoom"] < zoomed["zoom"]
    for _ in range(20):
        page.keyboard.press("+")
    assert view(page)["zoom"] == 3
    page.keyboard.press("0")
    assert view(page) == {"zoom": 1, "x": 0.5, "y": 0.5}


def test_a_reload_keeps_the_past_photo_its_part_and_how_it_is_laid(eva, past):
    page = begin(eva, past)
    Finger(page).pinch(middle(above(page)), 40, 70)
    lay(page, "Split", 30)
    page.get_by_role("button", name="Grid lines").click()
    before = view(page)
    assert before["zoom"] > 1.5
    page.reload()
    live(page)
    prepared(page)
    assert view(page) == before
    expect(page.get_by_label("Split", exact=True)).to_be_checked()
    expect(page.get_by_role("slider", name="Position of the split")).to_have_value("30")
    expect(page.get_by_role("button", name="Grid lines")).to_have_attribute("aria-pressed", "true")


# ---------------------------------------------------------------- over the camera


def test_the_past_photo_lies_over_the_camera_where_it_is_in_its_own_frame(eva, past):
    page = begin(eva, past)
    Finger(page).pinch(middle(above(page)), 40, 70)
    then = seen(above(page))
    lay(page, "Overlay", 0)
    camera = seen(below(page))
    assert difference(page, then, camera) > 20
    lay(page, "Overlay", 100)
    assert difference(page, then, seen(below(page))) < 2
    lay(page, "Overlay", 50)
    half = seen(below(page))
    assert difference(page, then, half) > 8 and difference(page, camera, half) > 8


@pytest.mark.long
def test_a_split_shows_the_past_photo_beside_the_camera(eva, past):
    page = begin(eva, past)
    then = seen(above(page))
    lay(page, "Overlay", 0)
    camera = seen(below(page))
    lay(page, "Split", 100)
    assert difference(page, then, seen(below(page))) < 3
    lay(page, "Split", 0)
    assert difference(page, camera, seen(below(page))) < 3
    lay(page, "Split", 50)
    both = seen(below(page))
    assert difference(page, then, both) > 8 and difference(page, camera, both) > 8


@pytest.mark.long
def test_edges_are_drawn_and_follow_the_past_photo(eva, tmp_path):
    # A black square in the middle of white has four edges.
    page = begin(eva, eva.upload(framed_square(tmp_path)))
    lay(page, "Overlay", 0)
    camera = seen(below(page))
    lay(page, "Edges", 60)
    edges = seen(below(page))
    assert difference(page, camera, edges) > 0.5
    lay(page, "Edges", 0)
    assert difference(page, camera, seen(below(page))) < 0.3
    lay(page, "Edges", 60)
    Finger(page).pinch(middle(above(page)), 40, 70)
    assert difference(page, edges, seen(below(page))) > 0.5
    places = page.evaluate(
        "() => ['[data-picture]', '[data-edges]'].map((name) => document.querySelector(name).style.transform)"
    )
    assert places[0] == places[1]


def framed_square(folder):
    """A picture of a black square on white, as a path."""
    side = 400
    rows = ([0 if 120 < x < 280 and 120 < y < 280 else 255 for x in range(side)] for y in range(side))
    path = folder / "square.png"
    path.write_bytes(encoded(side, side, rows, channels=1))
    return path


@pytest.mark.long
def test_grid_lines_show_in_both_frames(eva, past):
    page = begin(eva, past)
    lines = page.locator(".thirds")
    expect(lines).to_have_count(2)
    expect(lines.first).to_be_hidden()
    page.get_by_role("button", name="Grid lines").click()
    for index in range(2):
        expect(lines.nth(index)).to_be_visible()


def test_the_new_photo_is_seen_alone_first_and_then_with_the_past_one_over_it(eva, past):
    page = begin(eva, past)
    then = seen(above(page))
    lay(page, "None")
    expect(page.get_by_role("slider")).to_have_count(0)
    camera = seen(below(page))
    lay(page, "Overlay", 100)
    shoot(page)
    expect(page.get_by_label("None", exact=True)).to_be_checked()
    assert difference(page, camera, seen(below(page))) < 3
    lay(page, "Overlay", 100)
    assert difference(page, then, seen(below(page))) < 2
    # How it is looked at doesn't change how the camera is lined up.
    lay(page, "None")
    page.get_by_role("button", name="Reject and shoot again").click()
    live(page)
    expect(page.get_by_label("Overlay", exact=True)).to_be_checked()
    assert difference(page, then, seen(below(page))) < 2


# ---------------------------------------------------------------- what is kept


@pytest.mark.parametrize("shape", ["portrait", long("landscape"), long("whole photo")])
def test_what_the_preview_shows_is_what_is_kept(eva, past, shape):
    page = begin(eva, past)
    if shape == "landscape":
        turn(page, LANDSCAPE)
    if shape == "whole photo":
        page.get_by_role("button", name="Show the whole past photo").click()
    Finger(page).pinch(middle(above(page)), 40, 60)
    lay(page, "Overlay", 0)
    then, camera = seen(above(page)), seen(below(page))
    shoot(page)
    assert difference(page, camera, seen(below(page))) < 3
    pair = eva.get(f"/api/v1/rephotographs/{accept(page)}")
    width, height = json_size(pair)
    kept = eva.bytes(f"/api/v1/rephotographs/{pair['id']}/rendition?mode=stacked")
    assert 0.4 <= pair["aspect"] <= 2.5
    if shape == "whole photo":
        assert abs(pair["aspect"] - 4 / 3) < 0.01
    assert difference(page, then, kept, "then", pair["aspect"]) < 4, (width, height)
    assert difference(page, camera, kept, "now", pair["aspect"]) < 4, (width, height)


def json_size(pair):
    original = pair["meta"]["original"]
    return original["width"], original["height"]


@pytest.mark.long
def test_a_file_takes_the_camera_s_place_and_is_framed(eva, past, photos):
    page = begin(eva, past)
    lay(page, "Overlay", 0)
    page.get_by_label("Choose a file instead").set_input_files(photos[2])
    expect(stage(page)).to_have_attribute("data-state", "verdict")
    at = middle(below(page))
    Finger(page).pinch((at[0], at[1] - 100), 40, 80)
    expect(below(page)).to_have_attribute("aria-label", "Your photo, enlarged 2 times")
    shown = seen(below(page))
    pair = eva.get(f"/api/v1/rephotographs/{accept(page)}")
    assert 1.9 < pair["now_view"]["zoom"] < 2.1
    kept = eva.bytes(f"/api/v1/rephotographs/{pair['id']}/rendition?mode=stacked")
    assert difference(page, shown, kept, "now", pair["aspect"]) < 4


@pytest.mark.long
def test_a_file_that_is_no_picture_is_refused_and_the_camera_goes_on(eva, past):
    page = begin(eva, past)
    nothing = {"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": b"not a picture"}
    page.get_by_label("Choose a file instead").set_input_files(files=[nothing])
    expect(page.get_by_text("This browser can’t show this file.")).to_be_visible()
    live(page)
    shoot(page)
    expect(page.get_by_text("This browser can’t show this file.")).to_have_count(0)


def frame_size(page):
    """Width and height that both frames have, once they are equal: a script sizes them after the page has been laid
    out, so two measurements one after the other may see one frame before and one after."""
    sizes = page.wait_for_function(
        """() => {
          const sizes = ["past", "now"]
            .map((name) => document.querySelector(`[data-${name}-pane]`).getBoundingClientRect())
            .map(({ width, height }) => [width, height]);
          return String(sizes[0]) === String(sizes[1]) && sizes[0];
        }"""
    )
    return sizes.json_value()


def test_turning_the_phone_keeps_everything(eva, past):
    page = begin(eva, past)
    Finger(page).pinch(middle(above(page)), 40, 70)
    before = view(page)
    turn(page, LANDSCAPE)
    frame_size(page)
    assert above(page).bounding_box()["y"] == below(page).bounding_box()["y"]
    assert view(page) == before
    live(page)
    shoot(page)
    width, height = frame_size(page)
    turn(page, PHONE)
    assert view(page) == before
    # What was shot keeps its proportions, and both frames with it.
    turned = frame_size(page)
    assert abs(turned[0] / turned[1] - width / height) < 0.02
    pair = eva.get(f"/api/v1/rephotographs/{accept(page)}")
    assert abs(pair["aspect"] - width / height) < 0.01


@pytest.mark.long
@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE, WIDE["viewport"]], ids=["portrait", "landscape", "wide"])
def test_both_frames_are_of_one_size_on_every_screen(eva, past, viewport):
    page = begin(eva, past)
    turn(page, viewport)
    frame_size(page)
    assert not scrolls_sideways(page)
    expect(shutter(page)).to_be_in_viewport(ratio=1)


# ---------------------------------------------------------------- the camera


@pytest.mark.long
def test_the_shutter_works_by_keys_and_the_verdict_has_the_focus(eva, past):
    page = begin(eva, past)
    shutter(page).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Accept and save")).to_be_focused()
    page.get_by_role("button", name="Reject and shoot again").focus()
    page.keyboard.press("Space")
    live(page)
    expect(shutter(page)).to_be_focused()


@pytest.mark.long
def test_the_camera_turns_from_back_to_front(eva, past):
    page = begin(eva, past)
    video = page.locator("video")
    expect(video).to_have_attribute("data-facing", "environment")
    page.get_by_role("button", name="Switch camera").click()
    expect(video).to_have_attribute("data-facing", "user")
    expect(video).to_have_css("transform", "matrix(-1, 0, 0, 1, 0, 0)")
    live(page)


@pytest.mark.long
def test_then_and_now_asks_for_more_pixels_than_a_snap(eva, past):
    page = eva.page
    page.add_init_script(
        """window.asked = [];
        const ask = MediaDevices.prototype.getUserMedia;
        MediaDevices.prototype.getUserMedia = function (wish) {
          window.asked.push([wish.video.width.ideal, wish.video.height.ideal]);
          return ask.call(this, wish);
        };"""
    )
    begin(eva, past)
    assert page.evaluate("window.asked") == [[4096, 3072]]
    eva.open("/snaps/camera")
    page.wait_for_function("() => window.asked.length > 0")
    assert page.evaluate("window.asked") == [[1920, 1440]]


@pytest.mark.long
def test_the_camera_rests_while_the_page_is_hidden_and_while_a_picture_waits(eva, past):
    page = begin(eva, past)
    track = page.evaluate_handle("() => document.querySelector('video').srcObject.getTracks()[0]")
    hide(page)
    assert track.evaluate("track => track.readyState") == "ended"
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    live(page)
    track = page.evaluate_handle("() => document.querySelector('video').srcObject.getTracks()[0]")
    shoot(page)
    assert track.evaluate("track => track.readyState") == "ended"
    hide(page)
    page.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    expect(stage(page)).to_have_attribute("data-state", "verdict")
    expect(page.get_by_role("img", name="The picture just taken")).to_be_visible()


def test_without_permission_it_explains_itself_and_takes_a_file(people, photos):
    eva = people(f"denied{next(count)}")
    page = eva.open(f"/then-and-now?photo={eva.upload(photos[0])}")
    expect(page.get_by_text("Allow the camera for this page")).to_be_visible()
    prepared(page)
    assert accessibility_problems(page) == []
    page.get_by_label("Choose a picture", exact=True).set_input_files(photos[1])
    expect(page.get_by_role("button", name="Accept and save")).to_be_focused()
    accept(page)
    assert len(pairs(eva)) == 1


@pytest.mark.long
def test_permission_given_later_is_enough(people, photos):
    eva = people(f"later{next(count)}")
    page = eva.open(f"/then-and-now?photo={eva.upload(photos[0])}")
    expect(page.get_by_text("Allow the camera for this page")).to_be_visible()
    page.context.grant_permissions(["camera"], origin=eva.server.url)
    page.get_by_role("button", name="Try again").click()
    live(page)


@pytest.mark.long
def test_without_a_camera_it_says_so(server, bare_browser, phone, photos):
    eva = phone(server.person("nocamera"), browser=bare_browser, permissions=["camera"])
    page = eva.open("/then-and-now")
    expect(page.get_by_text("This device has no camera.")).to_be_visible()
    expect(page.get_by_text("Choose the past photo first.")).to_be_visible()
    page = eva.open(f"/then-and-now?photo={eva.upload(photos[0])}")
    prepared(page)
    page.get_by_label("Choose a picture", exact=True).set_input_files(photos[1])
    accept(page)
    assert len(pairs(eva)) == 1


# ---------------------------------------------------------------- the way to the server


@pytest.mark.long
def test_an_upload_is_cancelled_and_goes_again_with_the_same_key(eva, past):
    page = begin(eva, past)
    shoot(page)
    uploads = Held(page, "**/api/v2/media")
    page.get_by_role("button", name="Accept and save").click()
    first = uploads.take()
    expect(page.get_by_role("progressbar", name="Saving the pair")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(stage(page)).to_have_attribute("data-state", "verdict")
    expect(page.get_by_role("img", name="The picture just taken")).to_be_visible()
    page.get_by_role("button", name="Accept and save").click()
    second = uploads.take()
    assert second.request.headers["idempotency-key"] == first.request.headers["idempotency-key"]
    second.continue_()
    page.wait_for_url("**/library/*")
    assert len(pairs(eva)) == 1


@pytest.mark.long
def test_a_lost_answer_makes_no_second_pair(eva, past):
    page = begin(eva, past)
    shoot(page)
    calls = Held(page, "**/api/v1/rephotographs")
    page.get_by_role("button", name="Accept and save").click()
    # The server makes it, and the answer is lost.
    route = calls.take()
    route.fetch()
    route.abort("connectionreset")
    second = calls.take()
    assert second.request.headers["idempotency-key"] == route.request.headers["idempotency-key"]
    second.continue_()
    page.wait_for_url("**/library/*")
    assert len(pairs(eva)) == 1


def test_a_refusal_leaves_the_picture_with_its_verdict(eva, past):
    page = begin(eva, past)
    shoot(page)
    page.route(
        "**/api/v1/rephotographs",
        lambda route: route.fulfill(status=422, content_type="application/json", body='{"error": "Not this one."}'),
    )
    page.get_by_role("button", name="Accept and save").click()
    expect(page.get_by_role("alert").filter(has_text="Not this one.")).to_be_visible()
    expect(page.get_by_role("img", name="The picture just taken")).to_be_visible()
    page.unroute("**/api/v1/rephotographs")
    accept(page)
    assert len(pairs(eva)) == 1


def test_a_pair_accepted_offline_waits_on_the_phone_and_goes_out_once(eva, past):
    page = begin(eva, past)
    page.context.set_offline(True)
    shoot(page)
    page.get_by_role("button", name="Accept and save").click()
    expect(page.get_by_text("Saved on this phone. It is sent when you are online.")).to_be_visible()
    expect(page.get_by_role("link", name="Go to your library")).to_be_visible()
    assert pairs(eva) == []
    with page.expect_response("**/api/v1/rephotographs") as answer:
        page.context.set_offline(False)
    assert answer.value.status == 201
    assert len(pairs(eva)) == 1
    page.get_by_role("button", name="Shoot another").click()
    live(page)


@pytest.mark.long
def test_a_network_that_goes_during_the_upload_loses_nothing(eva, past):
    page = begin(eva, past)
    shoot(page)
    uploads = Held(page, "**/api/v2/media")
    page.get_by_role("button", name="Accept and save").click()
    uploads.take()
    page.context.set_offline(True)
    expect(page.get_by_text("Saved on this phone.")).to_be_visible()
    uploads.release()
    with page.expect_response("**/api/v1/rephotographs"):
        page.context.set_offline(False)
    assert len(pairs(eva)) == 1


# ---------------------------------------------------------------- choosing, without scripts, and for everyone


@pytest.mark.long
def test_the_library_offers_photos_but_no_pairs(eva, past, photos):
    other = eva.upload(photos[1], "The bridge")
    page = begin(eva, past)
    shoot(page)
    pair = accept(page)
    page = eva.open("/then-and-now/choose")
    cells = page.locator(".grid [data-id]")
    assert [one.get_attribute("data-id") for one in cells.all()] == [other, past]
    assert pair not in (other, past)
    page.get_by_role("link", name="The bridge").click()
    expect(stage(page)).to_have_attribute("data-id", other)
    page.get_by_role("link", name="Choose another past photo").click()
    expect(page.get_by_role("link", name="Find Nearby")).to_be_visible()


@pytest.mark.long
def test_close_leads_back_to_create(eva, past):
    eva.open("/create")
    page = begin(eva, past)
    page.get_by_role("link", name="Close").click()
    page.wait_for_url("**/create")


@pytest.mark.long
def test_an_empty_library_says_what_to_do(eva):
    page = eva.open("/then-and-now/choose")
    expect(page.get_by_text("Your library has no photos yet.")).to_be_visible()
    expect(page.get_by_role("link", name="Find Nearby")).to_be_visible()


@pytest.mark.long
def test_without_scripts_a_form_makes_the_pair(people, photos):
    eva = people(f"plain{next(count)}", java_script_enabled=False)
    page = eva.page
    page.goto("/then-and-now")
    page.get_by_role("link", name="From Library").click()
    page.get_by_label("Choose from this device").set_input_files(photos[0])
    page.get_by_role("button", name="Use this photo").click()
    expect(page.get_by_label("Your photo of the same place")).to_be_visible()
    page.get_by_label("Your photo of the same place").set_input_files(photos[1])
    page.get_by_role("button", name="Save pair").click()
    expect(page.get_by_text("Saved to your library.")).to_be_visible()
    [pair] = pairs(eva)
    assert page.url.endswith(f"/library/{pair['id']}")


@pytest.mark.long
def test_without_scripts_a_refused_file_says_why(people, photos, tmp_path):
    eva = people(f"refused{next(count)}", java_script_enabled=False)
    page = eva.page
    text = tmp_path / "photo.png"
    text.write_text("not a picture")
    page.goto(f"/then-and-now?photo={eva.upload(photos[0])}")
    page.get_by_label("Your photo of the same place").set_input_files(text)
    page.get_by_role("button", name="Save pair").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("Your photo of the same place")).to_be_visible()
    assert pairs(eva) == []


@pytest.mark.long
def test_someone_else_s_photo_is_no_past_photo(eva, people, photos):
    fay = people(f"fay{next(count)}")
    assert eva.page.goto(f"/then-and-now?photo={fay.upload(photos[0])}").status == 404


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everyone_can_use_it(people, photos, scheme):
    eva = people(f"axe{next(count)}", permissions=["camera"], color_scheme=scheme)
    page = eva.open("/then-and-now")
    live(page)
    assert accessibility_problems(page) == []
    page = begin(eva, eva.upload(photos[0]))
    assert accessibility_problems(page) == []
    shoot(page)
    assert accessibility_problems(page) == []
    page = eva.open("/then-and-now/choose")
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
