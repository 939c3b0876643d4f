"""Snaps in the browser: choose a picture and a feed, find it in the sections, look, see who has looked."""

import pytest
from playwright.sync_api import expect

from holding import Held
from looks import accessibility_problems, box, scrolls_sideways
from snaps import close, expect_gone, open_first, snap, status, still_no_more, two_friends, viewer
from touch import Finger, middle

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


# ---------------------------------------------------------------- looking


@pytest.mark.long
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


def test_a_read_snap_stays_where_it_is_until_one_comes_back(friends):
    ana, ben = friends
    ids = [snap(ana, sample=f"memes-{number}") for number in (1, 2, 3)][::-1]
    page = ben.open("/snaps")
    page.wait_for_selector("html[data-live=on]", state="attached")
    order = lambda: page.locator("[data-snap]").evaluate_all("(rows) => rows.map((row) => row.dataset.snap)")
    assert order() == ids
    at = middle(page.locator("[data-open]").first)
    open_first(page)
    close(page)
    expect(page.get_by_role("img", name="Read", exact=True)).to_have_count(1)
    # A second tap at the same place opens nothing.
    page.mouse.click(*at)
    expect(viewer(page)).to_have_count(0)
    expect(page.get_by_role("img", name="Unread")).to_have_count(2)
    assert order() == ids
    still_no_more(page)
    # A new one comes to the top, and what is below keeps its order.
    newest = snap(ana, sample="memes-4")
    expect(page.locator("[data-snap]")).to_have_count(4)
    assert order() == [newest, *ids]
    page.reload()
    expect(page.locator("[data-snap]").last).to_have_attribute("data-snap", ids[0])


@pytest.mark.long
def test_a_read_snap_stays_in_the_column_beside_home(people):
    ana, ben = two_friends(people, ("shows", "looks"), viewport={"width": 1280, "height": 800}, is_mobile=False)
    ids = [snap(ana, sample=f"memes-{number}") for number in (1, 2)][::-1]
    page = ben.open("/home")
    page.wait_for_selector("html[data-live=on]", state="attached")
    rows = page.locator(".beside [data-snap]")
    expect(rows).to_have_count(2)
    for number, id in enumerate(ids, start=1):
        row = page.locator(f".beside [data-snap='{id}']")
        at = middle(row)
        row.get_by_role("button").click()
        expect(viewer(page).locator("img")).to_be_visible()
        close(page)
        expect(viewer(page)).to_have_count(0)
        expect(page.locator(".beside").get_by_role("img", name="Read", exact=True)).to_have_count(number)
        page.mouse.click(*at)
        expect(viewer(page)).to_have_count(0)
        still_no_more(page)
        expect(rows).to_have_count(2)
    page.reload()
    expect(page.get_by_text("You have seen them all.")).to_be_visible()


def test_a_snap_that_arrives_during_a_look_is_not_opened_by_the_second_tap(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    page.wait_for_selector("html[data-live=on]", state="attached")
    at = middle(page.locator("[data-open]"))
    badge = page.locator(".tabs [data-badge=snaps]")
    open_first(page)
    expect(badge).to_be_hidden()
    newest = snap(ana, sample="memes-2")
    expect(badge).to_contain_text("1")
    close(page)
    expect(viewer(page)).to_have_count(0)
    page.mouse.click(*at)
    # The list stays as it is for a moment, and then shows the new one.
    expect(page.locator("[data-snap]").first).to_have_attribute("data-snap", newest)
    expect(viewer(page)).to_have_count(0)
    expect(page.get_by_role("img", name="Unread")).to_have_count(1)
    still_no_more(page)
    open_first(page)


def test_a_tap_right_after_a_snap_was_closed_opens_no_other_one(friends):
    ana, ben = friends
    snap(ana)
    snap(ana, sample="memes-2")
    page = ben.open("/snaps")
    open_first(page)
    page.evaluate(
        """() => {
          const list = document.querySelector("snap-list");
          const observer = new MutationObserver(() => {
            if (document.querySelector(".snap-viewer")) return;
            observer.disconnect();
            setTimeout(() => list.querySelector("[data-open]").click());
          });
          observer.observe(document.body, { childList: true });
        }"""
    )
    close(page)
    expect(page.get_by_role("img", name="Read", exact=True)).to_have_count(1)
    still_no_more(page)
    expect(viewer(page)).to_have_count(0)
    expect(page.get_by_role("img", name="Unread")).to_have_count(1)


def test_after_a_snap_was_closed_by_keyboard_its_row_has_the_focus(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    row = page.locator("[data-snap]")
    row.locator("[data-open]").press("Enter")
    expect(viewer(page).locator("img")).to_be_visible()
    page.keyboard.press("Escape")
    expect_gone(page)
    expect(row).to_be_focused()
    # Also when the list was fetched again.
    still_no_more(page)
    expect(row.get_by_role("link")).to_have_count(1)
    expect(row).to_be_focused()


def test_the_description_is_said_when_the_picture_shows(friends, photos):
    ana, ben = friends
    ana.post("/api/v1/snaps", photo_id=ana.upload(photos[0], "Soft colours"), feed_id="memes")
    page = ben.open("/snaps")
    open_first(page)
    expect(viewer(page).locator("> [role=status]")).to_have_text("Soft colours")
    expect(viewer(page).get_by_role("img", name="Soft colours")).to_be_visible()
    # It is not a part of the button, whose name would hide it.
    expect(viewer(page).locator("button img")).to_have_count(0)
    assert accessibility_problems(page) == []
    viewer(page).get_by_role("button", name="Close").click()
    expect_gone(page)


def test_a_list_that_arrives_while_a_snap_is_being_opened_leaves_it_read(people):
    ana, ben = two_friends(people, ("hastens", "waits"), viewport={"width": 1280, "height": 800}, is_mobile=False)
    snap(ana)
    page = ben.open("/home")
    row = page.locator(".beside [data-snap]")
    expect(row).to_have_count(1)
    held = Held(page, "**/open")
    asked = []
    page.on("request", lambda request: "/snaps/newest" in request.url and asked.append(request))
    row.get_by_role("button").click()
    opening = held.take()
    page.evaluate("dispatchEvent(new CustomEvent('tintype:reset'))")
    opening.continue_()
    expect(viewer(page).locator("img")).to_be_visible()
    # The list waits until the snap is closed.
    assert asked == []
    with page.expect_response("**/snaps/newest*"):
        close(page)
    expect_gone(page)
    expect(row.get_by_role("img", name="Read", exact=True)).to_be_visible()
    expect(row.get_by_role("button")).to_have_count(0)


def test_a_list_without_a_snap_that_arrives_before_it_is_open_keeps_its_row(people):
    ana, ben = two_friends(people, ("sends", "opens"), viewport={"width": 1280, "height": 800}, is_mobile=False)
    snap(ana)
    page = ben.open("/home")
    row = page.locator(".beside [data-snap]")
    expect(row).to_have_count(1)
    lists, held = Held(page, "**/snaps/newest*"), Held(page, "**/open")
    page.evaluate("dispatchEvent(new CustomEvent('tintype:reset'))")
    list = lists.take()
    row.get_by_role("button").click()
    opening = held.take()
    answer = opening.fetch()
    # The server lists it as viewed, and the page doesn't know yet that it is open.
    with page.expect_response("**/snaps/newest*"):
        list.continue_()
    lists.release()
    opening.fulfill(response=answer)
    expect(viewer(page).locator("img")).to_be_visible()
    close(page)
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


def test_unread_snaps_stand_first_and_tell_their_age_as_it_grows(friends):
    ana, ben = friends
    snap(ana)
    page = ben.page
    page.clock.install()
    ben.open("/snaps")
    rows = page.locator("[data-snap]")
    expect(rows).to_contain_text("0 minutes ago")
    page.clock.fast_forward("01:00")
    expect(rows).to_contain_text("1 minute ago")
    page.clock.fast_forward("58:10")
    expect(rows).to_contain_text("59 minutes ago")
    page.clock.fast_forward("01:00")
    expect(rows).to_contain_text("1 hour ago")
    page.clock.resume()
    open_first(page)
    viewer(page).click()
    expect_gone(page)
    snap(ana, sample="memes-2")
    snap(ana, sample="memes-3")
    page.reload()
    marks = page.locator(".snap-mark")
    expect(marks).to_have_count(3)
    assert [mark.get_attribute("aria-label") for mark in marks.all()] == ["Unread", "Unread", "Read"]


@pytest.mark.long
def test_a_snap_grows_from_its_row_and_shrinks_back_to_it(people):
    ana, ben = two_friends(people, ("grower", "watcher"), reduced_motion="no-preference")
    snap(ana)
    page = ben.open("/snaps")
    page.wait_for_selector("html[data-live=on]", state="attached")
    motion = page.context.new_cdp_session(page)
    motion.send("Animation.enable")

    def hold(is_held):
        motion.send("Animation.setPlaybackRate", {"playbackRate": 0 if is_held else 1})

    def expect_in_row():
        # In the middle of a move that is held. Measured at once: between two questions the list may be fetched again.
        (x, y, width, height), (row_x, row_y, row_width, row_height) = page.evaluate(
            """() => [".snap-viewer", "[data-snap]"].map((selector) => {
              const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
              return [x, y, width, height];
            })"""
        )
        assert abs(x + width / 2 - row_x - row_width / 2) < 4
        assert abs(y + height / 2 - row_y - row_height / 2) < 4
        assert abs(height - row_height) < 8

    def wait_for_animations(number):
        page.wait_for_function(
            "(number) => document.querySelector('.snap-viewer').getAnimations().length === number", arg=number)

    hold(True)
    open_first(page)
    expect_in_row()
    hold(False)
    wait_for_animations(0)
    assert box(viewer(page)) == (0, 0, 390, 844)
    # By now the list has been fetched again, and the row that was tapped was replaced.
    expect(page.get_by_role("img", name="Read", exact=True, include_hidden=True)).to_have_count(1)
    hold(True)
    viewer(page).click()
    wait_for_animations(1)
    viewer(page).evaluate("(dialog) => { const [shrinking] = dialog.getAnimations(); shrinking.currentTime = 279; }")
    expect_in_row()
    hold(False)
    expect_gone(page)


@pytest.mark.long
def test_under_reduced_motion_nothing_moves(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    page.evaluate(
        """() => {
          window.moved = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...steps) { window.moved += 1; return animate.apply(this, steps); };
        }"""
    )
    open_first(page)
    assert box(viewer(page)) == (0, 0, 390, 844)
    viewer(page).click()
    expect_gone(page)
    assert page.evaluate("window.moved") == 0


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


@pytest.mark.long
def test_a_long_press_on_an_own_snap_leads_to_who_has_seen_it_and_opens_nothing(friends):
    ana, ben = friends
    id = snap(ana)
    page = ana.open("/snaps")
    finger = Finger(page)
    finger.down(middle(page.locator("[data-open]")))
    page.wait_for_url(f"**/snaps/{id}")
    finger.up()
    expect(page.get_by_text("Nobody has opened it yet.")).to_be_visible()
    page.go_back()
    row = page.locator("[data-open]")
    expect(row.get_by_role("img", name="Unread")).to_be_visible()
    # A short one looks at it, once, as at any other. The read row can be pressed as well.
    finger = Finger(page)
    finger.tap(middle(row))
    expect(viewer(page).locator("img")).to_be_visible()
    viewer(page).click()
    expect_gone(page)
    ana.open("/snaps")
    finger = Finger(page)
    finger.down(middle(page.locator("[data-snap] .row")))
    page.wait_for_url(f"**/snaps/{id}")
    finger.up()
    page.get_by_role("button", name="Delete snap").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete snap").click()
    expect(page.get_by_text("Snap deleted.")).to_be_visible()
    assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 404


@pytest.mark.long
def test_a_finger_that_scrolls_presses_nothing(friends):
    ana, _ = friends
    ids = [snap(ana, feed, sample) for feed in ("memes", "dog-spots", "random") for sample in ("dogs-1",) * 5]
    page = ana.open("/snaps")
    finger = Finger(page)
    x, y = middle(page.locator("[data-open]").nth(4))
    finger.drag((x, y), (x, y - 300))
    page.wait_for_function("() => scrollY > 100")
    finger.up()
    assert page.url.endswith("/snaps")
    expect(viewer(page)).to_have_count(0)
    assert all(not one["read"] for section in ana.get("/api/v1/snaps") for one in section["snaps"])
    assert len(ids) == 15


@pytest.mark.long
def test_new_snaps_stand_beside_home_on_a_wide_screen(friends):
    ana, ben = friends
    snap(ana)
    ben.page.set_viewport_size({"width": 1280, "height": 800})
    page = ben.open("/home")
    expect(page.locator(".beside [data-open]")).to_contain_text("memes")
    open_first(page)
    viewer(page).click()
    expect(page.locator(".beside")).to_contain_text("You have seen them all.")


@pytest.mark.long
@pytest.mark.parametrize("path", ["/snaps", "/snaps/new", "/snaps/new/dogs-1", "/snaps/camera"])
def test_the_screens_are_accessible_and_fit(friends, path):
    ana, ben = friends
    snap(ana)
    page = ben.open(path)
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
