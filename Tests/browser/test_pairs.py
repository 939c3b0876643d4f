"""Viewing a pair of Then & Now: slider and other presentations, alignment, four points, sharing, the years."""

import re

import pytest
from playwright.sync_api import expect

from conftest import long
from looks import accessibility_problems, scrolls_sideways
from pairs import MAP, SHARE_SHEET, Couple, apply, drawn, scenes, spot, view
from people import ready
from touch import Finger, middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000"]
LANDSCAPE = {"width": 844, "height": 390}
WIDE = {"viewport": {"width": 1280, "height": 800}, "has_touch": False, "is_mobile": False}
CORNERS = [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)]


@pytest.fixture(scope="session")
def pictures(tmp_path_factory):
    return scenes(tmp_path_factory.mktemp("scenes"))


@pytest.fixture
def couple(ana, pictures):
    return Couple(ana, pictures)


def slider(page):
    return view(page).get_by_role("slider", name="How much of then is shown")


def chip(page, name):
    return view(page).get_by_role("button", name=name, exact=True)


def position(page):
    """Where the line is, in pixels of the window."""
    box = view(page).locator("[data-divider]").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def is_near(one, other, within):
    return all(abs(a - b) <= within for a, b in zip(one, other, strict=True))


# ---------------------------------------------------------------- the slider


def test_a_finger_on_the_line_moves_it_and_elsewhere_turns_the_page(couple):
    page = couple.open()
    finger, (x, y) = Finger(page), position(page)
    finger.swipe((x, y + 90), (x + 90, y + 90))
    expect(slider(page)).to_have_value("73")
    assert abs(position(page)[0] - x - 90) < 1
    expect(page).to_have_url(re.compile(f"/library/{couple.id}$"))
    expect(slider(page)).to_be_focused()
    finger.swipe((x + 150, y), (x - 160, y))
    expect(page).to_have_url(re.compile(f"/library/{couple.then}$"))


@pytest.mark.long
def test_the_mouse_drags_the_line_within_the_picture(couple, phone):
    phone(couple.owner, **WIDE)
    page = couple.open()
    x, y = position(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 100, y, steps=4)
    assert abs(position(page)[0] - x + 100) < 1
    page.mouse.move(2, y, steps=4)
    page.mouse.up()
    expect(slider(page)).to_have_value("0")
    expect(page).to_have_url(re.compile(f"/library/{couple.id}$"))


@pytest.mark.long
def test_keys_move_the_line_while_it_has_the_focus_and_turn_the_page_otherwise(couple):
    page = couple.open()
    slider(page).focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(slider(page)).to_have_value("53")
    page.keyboard.press("End")
    expect(slider(page)).to_have_attribute("aria-valuetext", "100 %")
    page.get_by_role("button", name="More").focus()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"/library/{couple.then}$"))


def test_two_fingers_enlarge_both_photos_together_and_the_handle_stays_small(couple):
    page = couple.open()
    whole = view(page).locator("[data-zoom]")
    handle = view(page).locator(".pair-handle")
    width = whole.bounding_box()["width"]
    x, y = middle(whole)
    finger = Finger(page)
    finger.pinch((x - 60, y - 60), 30, 75)
    expect(view(page)).to_have_attribute("data-zoomed", "")
    assert whole.bounding_box()["width"] > 2 * width
    assert 40 < handle.bounding_box()["width"] < 44
    assert spot(page, "then", (0.5, 0.5)) == spot(page, "now", (0.5, 0.5))
    finger.pinch((x - 60, y), 120, 20)
    expect(view(page)).not_to_have_attribute("data-zoomed", "")
    finger.swipe((x - 90, y - 40), (x - 90, y + 260))
    expect(page).to_have_url(re.compile("/library$"))


# ---------------------------------------------------------------- presentations


def test_a_presentation_is_kept(couple):
    page = couple.open()
    for name, mode in [("Stacked", "stacked"), ("Side by side", "side_by_side"), ("Fade", "fade")]:
        with page.expect_response(re.compile("/api/v1/rephotographs/")):
            chip(page, name).click()
        expect(chip(page, name)).to_have_attribute("aria-pressed", "true")
        assert couple.data["mode"] == mode
        page.reload()
        ready(page)
        drawn(page)
        expect(chip(page, name)).to_have_attribute("aria-pressed", "true")
        expect(view(page)).to_have_attribute("data-mode", mode)


@pytest.mark.long
def test_a_refused_presentation_is_taken_back(couple):
    page = couple.open()
    full = {"error": "The server is full. Try again."}
    page.route("**/api/v1/rephotographs/*", lambda route: route.fulfill(status=503, json=full))
    chip(page, "Stacked").click()
    expect(page.get_by_text("The server is full.")).to_be_visible()
    expect(chip(page, "Slider")).to_have_attribute("aria-pressed", "true")
    expect(view(page)).to_have_attribute("data-mode", "slider")


@pytest.mark.long
def test_without_motion_a_button_shows_the_other_photo(couple):
    page = couple.open()
    chip(page, "Fade").click()
    now = view(page).locator("[data-half=now]")
    expect(now).to_have_css("opacity", "1")
    chip(page, "Show then").click()
    expect(now).to_have_css("opacity", "0")
    chip(page, "Show now").click()
    expect(now).to_have_css("opacity", "1")


@pytest.mark.long
def test_the_fade_can_be_paused(couple, phone):
    phone(couple.owner, reduced_motion="no-preference")
    page = couple.open()
    chip(page, "Fade").click()
    now = view(page).locator("[data-half=now]")
    expect(now).to_have_css("animation-play-state", "running")
    chip(page, "Pause").click()
    expect(now).to_have_css("animation-play-state", "paused")
    chip(page, "Play").click()
    expect(now).to_have_css("animation-play-state", "running")


def test_both_photos_are_drawn_where_the_geometry_says(couple):
    couple.align([(apply(MAP, corner), corner) for corner in CORNERS])
    alignment = couple.alignment
    map, crop = alignment["transform"], alignment["crop"]
    page = couple.open()
    for name in ["Slider", "Stacked", "Side by side"]:
        chip(page, name).click()
        expect(chip(page, name)).to_have_attribute("aria-pressed", "true")
        for point in [(0.1, 0.15), (0.5, 0.5), (0.83, 0.31), (0.25, 0.9)]:
            for side, goal in [("then", point), ("now", apply(map, point))]:
                at = spot(page, side, point)
                share = ((goal[0] - crop["x"]) / crop["width"], (goal[1] - crop["y"]) / crop["height"])
                pixels = (at["x"] - share[0]) * at["width"], (at["y"] - share[1]) * at["height"]
                assert is_near(pixels, (0, 0), 0.25), (name, side, point, pixels)


# ---------------------------------------------------------------- among other photos


@pytest.mark.long
def test_flicks_lead_from_a_photo_to_a_pair_and_back(couple):
    page = couple.owner.open(f"/library/{couple.then}")
    stage = page.locator("[data-stage]")
    finger, (x, y) = Finger(page), middle(stage)
    # The pair is pulled in once it has been loaded, with the style sheet that this page lacked.
    expect(stage.locator("pair-view[aria-hidden=true]")).to_be_attached()
    finger.swipe((x - 140, y - 120), (x + 140, y - 120))
    expect(page).to_have_url(re.compile(f"/library/{couple.id}$"))
    drawn(page, couple.id)
    expect(page.get_by_role("heading", level=1)).to_contain_text("→ today")
    assert view(page).locator("[data-zoom]").bounding_box()["width"] > 300
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("dialog", name="Then & Now")).to_be_visible()
    page.keyboard.press("Escape")
    px, py = position(page)
    finger.swipe((px, py), (px - 80, py))
    expect(slider(page)).to_have_value(re.compile("^(29|30)$"))
    expect(stage.locator("img[aria-hidden=true]")).to_be_attached()
    finger.swipe((x + 140, y - 100), (x - 140, y - 100))
    expect(page).to_have_url(re.compile(f"/library/{couple.then}$"))
    expect(page.get_by_role("button", name="More")).to_have_count(0)
    expect(stage.locator("> img:not([aria-hidden=true])")).to_be_visible()


# ---------------------------------------------------------------- alignment


def test_an_alignment_is_offered_compared_and_kept(couple):
    page = couple.open()
    chip(page, "Align").click()
    keep = chip(page, "Keep")
    expect(keep).to_be_focused()
    found = couple.alignment
    assert found["state"] == "aligned" and found["by"] == "automatic"
    for corner in [(0, 0), (1, 0), (1, 1), (0, 1)]:
        assert is_near(apply(found["transform"], corner), apply(MAP, corner), 0.01)
    before = chip(page, "Before")
    before.click()
    expect(before).to_have_attribute("aria-pressed", "true")
    expect(view(page)).to_have_attribute("data-plain", "")
    plain = spot(page, "now", (0.2, 0.2))
    assert is_near((plain["x"], plain["y"]), (0.2, 0.2), 0.001)
    before.click()
    expect(view(page)).not_to_have_attribute("data-plain", "")
    # A hold shows it for as long as it lasts.
    page.clock.install()
    page.mouse.move(*middle(before))
    page.mouse.down()
    expect(view(page)).to_have_attribute("data-plain", "")
    page.clock.run_for(1_000)
    page.mouse.up()
    expect(view(page)).not_to_have_attribute("data-plain", "")
    expect(before).to_have_attribute("aria-pressed", "false")
    keep.click()
    expect(view(page)).to_contain_text("aligned automatically")
    assert couple.alignment["state"] == "aligned"


@pytest.mark.long
def test_an_alignment_can_be_undone_later(couple):
    couple.align([(apply(MAP, corner), corner) for corner in CORNERS])
    page = couple.open()
    expect(view(page)).to_contain_text("aligned by points")
    chip(page, "undo").click()
    expect(chip(page, "Align")).to_be_focused()
    assert couple.alignment["state"] == "none"
    at = spot(page, "now", (0.3, 0.6))
    assert is_near((at["x"], at["y"]), (0.3, 0.6), 0.001)


@pytest.mark.long
def test_a_refused_alignment_says_why_and_leads_to_the_points(ana, pictures):
    couple = Couple(ana, pictures, now="elsewhere")
    page = couple.open()
    chip(page, "Align").click()
    expect(view(page)).to_contain_text("not aligned")
    link = view(page).get_by_role("link", name="Set points by hand")
    expect(link).to_be_focused()
    assert couple.alignment["transform"] is None
    link.click()
    expect(page.get_by_role("heading", name="Match four points")).to_be_visible()


# ---------------------------------------------------------------- four points


def marks(page, side):
    return [page.get_by_role("button", name=f"Point {number} on {side}") for number in range(1, 5)]


def goal(page, side, point):
    """A point of a photo, in pixels of the window."""
    box = page.locator(f"[data-side={side}]").bounding_box()
    return box["x"] + point[0] * box["width"], box["y"] + point[1] * box["height"]


@pytest.mark.parametrize("viewport", [{"width": 390, "height": 844}, long(LANDSCAPE)], ids=["portrait", "landscape"])
def test_four_points_are_set_by_touch(couple, viewport):
    page = couple.owner.page
    page.set_viewport_size(viewport)
    page = couple.owner.open(f"/pairs/{couple.id}/points")
    finger = Finger(page)
    onion = page.get_by_role("slider", name=re.compile("Then"))
    for mark, corner in zip(marks(page, "then"), CORNERS, strict=True):
        to = goal(page, "then", apply(MAP, corner))
        finger.drag(middle(mark), to)
        glass = page.locator(".magnifier")
        expect(glass).to_be_visible()
        box = glass.bounding_box()
        # The finger covers nothing of what is enlarged.
        assert not (box["x"] < to[0] < box["x"] + 132 and box["y"] < to[1] < box["y"] + 132)
        finger.up()
        expect(glass).to_be_hidden()
    expect(onion).to_have_value("50")
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile(f"/library/{couple.id}$"))
    ready(page)
    drawn(page)
    expect(view(page)).to_contain_text("aligned by points")
    transform = couple.alignment["transform"]
    for corner in [(0, 0), (1, 0), (1, 1), (0, 1)]:
        assert is_near(apply(transform, corner), apply(MAP, corner), 0.01)


@pytest.mark.long
def test_four_points_are_set_by_keys(couple):
    page = couple.owner.open(f"/pairs/{couple.id}/points")
    mark = marks(page, "now")[0]
    expect(mark).to_have_accessible_name("Point 1 on Now: 20 %, 20 %")
    width = page.locator("[data-side=now]").bounding_box()["width"]
    mark.focus()
    for key in ["Shift+ArrowRight", "ArrowRight", "ArrowRight", "ArrowUp"]:
        page.keyboard.press(key)
    expect(page.locator(".magnifier")).to_be_visible()
    across = round((0.2 + 12 / width) * 100)
    expect(mark).to_have_accessible_name(re.compile(f"^Point 1 on Now: {across} %, "))
    page.keyboard.press("Tab")
    expect(page.locator(".magnifier")).to_be_hidden()
    page.get_by_role("button", name="Save").press("Enter")
    expect(page).to_have_url(re.compile(f"/library/{couple.id}$"))
    moved = apply(couple.alignment["transform"], (0.2 + 12 / width, 0.2))
    assert abs(moved[0] - 0.2) < 0.01


@pytest.mark.long
def test_points_that_do_not_fit_say_why(couple):
    page = couple.owner.open(f"/pairs/{couple.id}/points")
    finger, save = Finger(page), page.get_by_role("button", name="Save")
    first, second = marks(page, "now")[:2]
    finger.swipe(middle(second), middle(first))
    expect(page.get_by_role("status").first).to_contain_text("Points 1 and 2 on Now are too close together.")
    expect(save).to_be_disabled()
    finger.swipe(middle(second), goal(page, "now", (0.5, 0.5)))
    expect(page.get_by_role("status").first).to_contain_text("almost on one line")
    finger.swipe(middle(second), goal(page, "now", (0.8, 0.2)))
    expect(save).to_be_enabled()
    page.get_by_role("link", name="Cancel").click()
    expect(page).to_have_url(re.compile(f"/library/{couple.id}$"))
    assert couple.alignment["state"] == "none"


# ---------------------------------------------------------------- sharing, deleting


def test_sharing_gives_the_picture_of_the_presentation_with_its_credit(couple):
    couple.credit("Fondo Arrieta", "CC BY 4.0", "https://commons.wikimedia.org/wiki/File:A.jpg", "1931")
    couple.owner.page.add_init_script(f"({SHARE_SHEET})()")
    page = couple.open()
    expect(view(page).get_by_role("link", name="Fondo Arrieta")).to_have_attribute(
        "href", "https://commons.wikimedia.org/wiki/File:A.jpg"
    )
    for name, kind in [("Slider", "image/jpeg"), ("Fade", "image/webp")]:
        page.evaluate("delete document.documentElement.dataset.shared")
        chip(page, name).click()
        page.get_by_role("button", name="Share").click()
        sheet = page.get_by_role("dialog", name="Share")
        sheet.get_by_role("button", name="Share with another app").click()
        page.wait_for_selector("html[data-shared]", state="attached")
        shared = page.evaluate("shared")
        assert shared["type"] == kind and shared["size"] > 1000 and shared["members"] == ["files", "text"]
        mode = "side_by_side" if name == "Slider" else "fade"
        expect(sheet.get_by_role("link", name="Download")).to_have_attribute("href", re.compile(f"mode={mode}"))
        sheet.get_by_role("button", name="Done").click()
        assert "1931 → today" in shared["text"] and "Fondo Arrieta, CC BY 4.0" in shared["text"]
        assert "https://commons.wikimedia.org/wiki/File:A.jpg" in shared["text"]


@pytest.mark.long
def test_the_line_with_date_and_credit_is_switched_in_the_menu(couple):
    page = couple.open()
    page.get_by_role("button", name="More").click()
    switch = page.get_by_role("switch", name="Show date and credit")
    with page.expect_response(re.compile("/api/v1/rephotographs/")):
        switch.click()
    expect(switch).to_be_checked()
    assert couple.data["caption"] is True


@pytest.mark.long
def test_the_year_of_a_photo_without_a_date_is_given_in_the_menu(couple):
    page = couple.open()
    expect(page.get_by_role("heading", name="Then → today")).to_be_visible()
    page.get_by_role("button", name="More").click()
    field = page.get_by_label("The year in which the past photo was taken")
    field.fill("1700")
    page.get_by_role("button", name="Save").click()
    # The browser asks for another one, and what was typed stays.
    assert not field.evaluate("field => field.validity.valid")
    field.fill("1931")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="1931 → today")).to_be_visible()
    assert couple.data["then"]["year"] == 1931


def test_a_pair_is_deleted_after_a_question(couple):
    page = couple.open()
    page.get_by_role("button", name="Delete").first.click()
    question = page.get_by_role("dialog", name="Delete this photo?")
    question.get_by_role("button", name="Keep it").click()
    expect(question).to_be_hidden()
    page.get_by_role("button", name="Delete").first.click()
    question.get_by_role("button", name="Delete photo").click()
    expect(page.get_by_text("Photo deleted.")).to_be_visible()
    assert [photo["id"] for photo in couple.owner.get("/api/v1/photos")] == [couple.then]


@pytest.mark.long
def test_the_menus_lead_on(couple):
    page = couple.open()
    expect(page.get_by_role("link", name="Shoot again")).to_have_attribute(
        "href", f"/then-and-now?again={couple.id}"
    )
    for menu, name, path in [
        ("Share", "New post", f"/posts/new?photo={couple.id}"),
        ("Share", "Snap", f"/snaps/new/{couple.id}"),
        ("Share", "Send to a friend", f"/library/{couple.id}/send"),
        ("More", "Set points by hand", f"/pairs/{couple.id}/points"),
    ]:
        page.goto(f"/library/{couple.id}")
        ready(page)
        page.get_by_role("button", name=menu).click()
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_url(re.compile(re.escape(path) + "$"))


# ---------------------------------------------------------------- through the years


@pytest.mark.long
def test_a_photo_is_seen_through_the_years(couple):
    couple.take_again(3)
    page = couple.owner.open(f"/then-and-now/years/{couple.then}")
    strip = page.get_by_role("navigation", name="Years")
    expect(strip.get_by_role("link")).to_have_count(3)
    shown = page.locator("figure[data-shown]")
    expect(shown).to_have_id("year-0")
    page.get_by_role("button", name="Later").click()
    expect(shown).to_have_id("year-1")
    strip.get_by_role("link").last.focus()
    page.keyboard.press("Enter")
    expect(shown).to_have_id("year-2")
    page.keyboard.press("ArrowLeft")
    expect(shown).to_have_id("year-1")
    expect(page.get_by_role("button", name="Play the years")).to_be_hidden()
    shown.get_by_role("link").click()
    expect(page).to_have_url(re.compile(r"/library/\d+$"))


@pytest.mark.long
def test_the_years_play_slowly(couple, phone):
    phone(couple.owner, reduced_motion="no-preference")
    couple.take_again(3)
    page = couple.owner.page
    page.clock.install()
    couple.owner.open(f"/then-and-now/years/{couple.then}")
    shown = page.locator("figure[data-shown]")
    page.get_by_role("button", name="Play the years").click()
    expect(shown).to_have_id("year-1")
    page.clock.run_for(2_500)
    expect(shown).to_have_id("year-2")
    page.get_by_role("button", name="Stop").click()
    page.clock.run_for(6_000)
    expect(shown).to_have_id("year-2")


# ---------------------------------------------------------------- everyone


@pytest.mark.long
def test_without_scripts_forms_do_it(couple, phone):
    phone(couple.owner, java_script_enabled=False)
    page = couple.owner.page
    page.goto(f"/library/{couple.id}")
    expect(page.locator(".pair-plain")).to_be_visible()
    page.get_by_role("button", name="Stacked").click()
    expect(page).to_have_url(re.compile(f"/library/{couple.id}$"))
    assert couple.data["mode"] == "stacked"
    page.goto(f"/pairs/{couple.id}/points")
    page.get_by_label("Now, across").first.fill("0.22")
    page.get_by_role("button", name="Save").click()
    expect(page).to_have_url(re.compile(f"/library/{couple.id}$"))
    assert couple.alignment["by"] == "points"
    page.get_by_role("button", name="undo").first.click()
    assert couple.alignment["state"] == "none"
    page.goto(f"/then-and-now/years/{couple.then}")
    expect(page.locator(".years-room img").last).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_screens_are_accessible(couple, phone, theme):
    phone(couple.owner, color_scheme=theme)
    page = couple.open()
    for name in ["Slider", "Stacked", "Side by side", "Fade"]:
        chip(page, name).click()
        expect(chip(page, name)).to_have_attribute("aria-pressed", "true")
        assert accessibility_problems(page) == []
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("dialog", name="Then & Now")).to_be_visible()
    assert accessibility_problems(page) == []
    for path in [f"/pairs/{couple.id}/points", f"/then-and-now/years/{couple.then}"]:
        couple.owner.open(path)
        assert accessibility_problems(page) == []


@pytest.mark.long
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 800)], ids=str)
def test_the_screens_fit_their_window(couple, size):
    page = couple.owner.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    couple.open()
    for name in ["Slider", "Stacked", "Side by side", "Fade"]:
        chip(page, name).click()
        expect(chip(page, name)).to_have_attribute("aria-pressed", "true")
        inside = view(page).locator("[data-zoom]").bounding_box()
        assert inside["x"] >= 0 and inside["x"] + inside["width"] <= size[0] + 0.5
        assert inside["y"] >= 40 and inside["y"] + inside["height"] <= size[1]
        credit = view(page).locator(".pair-credit").bounding_box()
        is_below = inside["y"] + inside["height"] <= credit["y"] + 0.5
        is_beside = inside["x"] + inside["width"] <= credit["x"] + 0.5
        assert is_below or is_beside
        assert not scrolls_sideways(page)
