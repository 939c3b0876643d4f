"""The collage editor: fill, move, zoom, swap, style, swipe to share, offline."""

import re

import pytest
from playwright.sync_api import expect

from collages import Desk, cell, note, place, saved, shift, square
from conftest import PHONE, long, png
from looks import accessibility_problems, scrolls_sideways, style
from pairs import SHARE_SHEET
from people import ready
from touch import Finger, middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000"]
LANDSCAPE = {"width": 844, "height": 390}
WIDE = {"viewport": {"width": 1280, "height": 800}, "has_touch": False, "is_mobile": False}


@pytest.fixture
def desk(ana, photos):
    """Three photos in three cells."""
    return Desk(ana, photos)


def undo(page):
    page.get_by_role("button", name="Undo").click()


# ---------------------------------------------------------------- cells


def test_a_finger_moves_a_photo_and_never_uncovers_its_cell(desk):
    page = desk.page()
    finger, at = Finger(page), middle(cell(page, 1))
    before = place(page, 1)
    finger.swipe(at, shift(at, 20, 0))
    saved(page)
    after = place(page, 1)
    assert abs(after["x"] - before["x"] - 20 * 400 / 342) < 1.5 and after["y"] == before["y"]
    finger.swipe(at, shift(at, 300, 0))
    saved(page)
    assert abs(place(page, 1)["x"] - 10) < 0.01
    assert desk.draft["cells"][0]["x"] == 0
    expect(page.locator(":popover-open")).to_have_count(0)
    undo(page)
    undo(page)
    saved(page)
    assert abs(place(page, 1)["x"] - before["x"]) < 0.02 and desk.draft["cells"][0]["x"] == 0.5
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    page.get_by_role("button", name="Redo").click()
    saved(page)
    assert abs(place(page, 1)["x"] - after["x"]) < 0.1


@pytest.mark.long
def test_two_fingers_zoom_within_limits(desk):
    page = desk.page()
    finger, at = Finger(page), middle(cell(page, 3))
    finger.pinch(at, 30, 60)
    saved(page)
    assert 1.9 < desk.draft["cells"][2]["zoom"] < 2.1
    finger.pinch(at, 20, 400)
    saved(page)
    assert desk.draft["cells"][2]["zoom"] == 8
    finger.pinch(at, 100, 5)
    finger.pinch(at, 100, 5)
    saved(page)
    assert desk.draft["cells"][2]["zoom"] == 1


@pytest.mark.long
def test_mouse_and_wheel_move_zoom_and_swap(ana, phone, photos):
    desk = Desk(phone(ana, **WIDE), photos)
    page = desk.page()
    x, y = middle(cell(page, 1))
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    saved(page)
    page.mouse.down()
    page.mouse.move(x + 30, y + 40, steps=5)
    page.mouse.up()
    saved(page)
    first = desk.draft["cells"][0]
    assert first["zoom"] > 1.5 and first["x"] < 0.5 and first["y"] < 0.5
    before = desk.shown
    page.mouse.down()
    page.wait_for_selector(".collage-lifted", state="attached")
    page.mouse.move(*middle(cell(page, 2)), steps=6)
    page.mouse.up()
    saved(page)
    assert desk.shown == [before[1], before[0], before[2]]
    expect(page.locator(":popover-open")).to_have_count(0)


@pytest.mark.long
def test_keys_move_zoom_swap_and_open(desk):
    page = desk.page()
    cell(page, 1).focus()
    for key in ["+", "+", "ArrowRight", "ArrowDown"]:
        page.keyboard.press(key)
    cell(page, 2).focus()
    saved(page)
    first = desk.draft["cells"][0]
    assert abs(first["zoom"] - 1.21) < 0.001 and first["x"] < 0.5 and first["y"] < 0.5
    before = desk.shown
    page.keyboard.press("Alt+ArrowRight")
    saved(page)
    assert desk.shown == [before[0], before[2], before[1]]
    expect(note(page)).to_have_text("Swapped cells 2 and 3.")
    expect(cell(page, 3)).to_be_focused()
    page.keyboard.press("Control+z")
    saved(page)
    assert desk.shown == before
    cell(page, 1).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Photo 1")).to_be_visible()
    page.keyboard.press("Escape")
    expect(cell(page, 1)).to_be_focused()


def test_holding_lifts_a_photo_and_dragging_swaps_it(desk):
    page = desk.page()
    finger, before = Finger(page), desk.shown
    one, other = middle(cell(page, 1)), middle(cell(page, 3))

    def lift():
        finger.down(one)
        page.wait_for_selector(".collage-lifted", state="attached")
        finger.move(shift(one, 10, 10))
        finger.move(other)

    lift()
    # The result shows before the finger lets go.
    expect(cell(page, 3)).to_have_accessible_name(re.compile("Bridge"))
    assert desk.shown == before
    finger.up()
    saved(page)
    assert desk.shown == [before[2], before[1], before[0]]
    expect(note(page)).to_have_text("Swapped cells 1 and 3.")
    # What was said of the last change doesn't outlast the next.
    undo(page)
    expect(note(page)).to_be_empty(timeout=3_000)
    page.get_by_role("button", name="Redo").click()
    saved(page)
    lift()
    page.keyboard.press("Escape")
    expect(page.locator(".collage-lifted")).to_have_count(0)
    finger.up()
    saved(page)
    assert desk.shown == [before[2], before[1], before[0]]


@pytest.mark.long
def test_the_sheet_of_a_cell(desk):
    page, before = desk.page(), desk.shown
    cell(page, 1).tap()
    sheet = page.get_by_role("dialog", name="Photo 1")
    assert style(sheet.get_by_label("Zoom"), "appearance") == style(page.get_by_label("Spacing"), "appearance") == "none"
    sheet.get_by_label("Zoom").fill("3")
    expect(sheet.get_by_text("3.0×")).to_be_visible()
    saved(page)
    assert desk.draft["cells"][0]["zoom"] == 3
    sheet.get_by_role("button", name="Swap with cell 2").click()
    saved(page)
    assert desk.shown == [before[1], before[0], before[2]] and desk.draft["cells"][1]["zoom"] == 3
    cell(page, 2).tap()
    page.get_by_role("dialog", name="Photo 2").get_by_role("button", name="Remove photo").click()
    saved(page)
    assert desk.shown[1] is None
    expect(cell(page, 2)).to_have_accessible_name("Cell 2 of 3: empty")
    undo(page)
    saved(page)
    assert desk.shown[1] == before[0] and desk.draft["cells"][1]["zoom"] == 3


def test_the_library_and_several_files_fill_cells_in_order(ana, photos):
    desk = Desk(ana, photos, layout="two-by-two", filled=0)
    page = desk.page()
    cell(page, 2).tap()
    sheet = page.get_by_role("dialog", name="Photo for cell 2")
    sheet.get_by_role("button", name="Meadow").click()
    saved(page)
    assert desk.shown == [None, desk.photos[1], None, None]
    cell(page, 1).tap()
    files = [{"name": f"{seed}.png", "mimeType": "image/png", "buffer": png(60, 40, seed)} for seed in range(4)]
    sheet = page.get_by_role("dialog", name="Photo for cell 1")
    sheet.get_by_label("Choose photos").set_input_files(files)
    expect(sheet).to_be_hidden()
    saved(page)
    assert all(desk.shown) and desk.shown[1] == desk.photos[1]


# ---------------------------------------------------------------- look


def test_colour_spacing_and_corners(desk):
    page = desk.page()
    page.get_by_label("Spacing").fill("40")
    page.get_by_label("Corners").fill("40")
    page.get_by_role("radio", name="Red", exact=True).check()
    page.get_by_label("Any colour").fill("#123456")
    saved(page)
    draft = desk.draft
    assert (draft["spacing"], draft["corner_radius"], draft["background"]) == (40, 40, "#123456")
    for _ in range(4):
        undo(page)
    saved(page)
    draft = desk.draft
    assert (draft["background"], draft["spacing"], draft["corner_radius"]) == ("#ffffff", 10, 0)
    expect(page.get_by_label("White")).to_be_checked()


def test_layouts_keep_photos_in_order_also_without_a_network(desk):
    page, before = desk.page(), desk.shown
    page.get_by_label("Side by side").check()
    saved(page)
    assert desk.shown == before[:2] and desk.draft["spare_count"] == 1
    page.get_by_label("Two by two").check()
    saved(page)
    assert desk.shown == [*before, None]
    page.context.set_offline(True)
    page.get_by_label("Stacked").check()
    expect(page.locator("a.cell")).to_have_count(2)
    page.get_by_label("Two above one").check()
    expect(page.locator(".collage-square image")).to_have_count(3)
    expect(note(page)).to_have_text("Not saved yet…")
    page.context.set_offline(False)
    saved(page)
    assert desk.shown == before


# ---------------------------------------------------------------- saving


def test_what_is_not_saved_survives_a_reload(desk):
    page = desk.page()
    finger, at = Finger(page), middle(cell(page, 1))
    page.route("**/api/v1/collage_drafts/**", lambda route: route.abort())
    finger.swipe(at, shift(at, 20, 0))
    page.get_by_label("Spacing").fill("20")
    cell(page, 1).focus()
    page.keyboard.press("Alt+ArrowRight")
    shown = place(page, 2)
    page.reload()
    ready(page)
    page.wait_for_selector("collage-editor[data-saved]", state="attached")
    assert place(page, 2) == shown
    page.unroute("**/api/v1/collage_drafts/**")
    page.evaluate("dispatchEvent(new Event('online'))")
    saved(page)
    draft = desk.draft
    assert draft["spacing"] == 20 and draft["cells"][1]["photo"]["id"] == desk.photos[0]
    assert draft["cells"][1]["x"] < 0.5


@pytest.mark.long
def test_a_lost_answer_to_a_swap_does_not_swap_twice(desk):
    page, before = desk.page(), desk.shown
    lost = []

    def lose(route):
        if lost:
            return route.continue_()
        lost.append(route.fetch().status)
        route.abort()

    page.route("**/swap", lose)
    cell(page, 1).focus()
    page.keyboard.press("Alt+ArrowRight")
    saved(page)
    assert lost == [200] and desk.shown == [before[1], before[0], before[2]]


@pytest.mark.long
def test_a_server_that_says_later_is_asked_again(desk):
    page = desk.page()
    answers = [(429, "1"), (503, "1")]

    def refuse(route):
        if not answers:
            return route.continue_()
        status, pause = answers.pop(0)
        route.fulfill(status=status, headers={"Retry-After": pause}, json={"error": "Later."})

    page.route("**/api/v1/collage_drafts/**", refuse)
    page.get_by_label("Spacing").fill("3")
    expect(page.locator("collage-editor")).to_have_attribute("data-saved", "no")
    page.get_by_label("Spacing").fill("5")
    saved(page)
    assert not answers and desk.draft["spacing"] == 5


def test_two_browsers_edit_at_once_and_end_the_same(desk, phone):
    one = desk.page()
    other = desk.page(phone(desk.owner))
    for page in (one, other):
        page.wait_for_selector("html[data-live=on]", state="attached")
    one.get_by_label("Spacing").fill("33")
    expect(other.get_by_label("Spacing")).to_have_value("33")
    cell(other, 1).focus()
    other.keyboard.press("Alt+ArrowRight")
    saved(other)
    expect(cell(one, 2)).to_have_accessible_name(re.compile("Bridge"))
    for page in (one, other):
        page.route("**/api/v1/collage_drafts/**", lambda route: route.abort())
    one.get_by_label("Corners").fill("12")
    other.get_by_label("Corners").fill("30")
    other.get_by_label("Blue").check()
    for page in (one, other):
        page.unroute("**/api/v1/collage_drafts/**")
        page.evaluate("dispatchEvent(new Event('online'))")
        saved(page)
    draft = desk.draft
    assert draft["corner_radius"] in (12, 30) and draft["background"] == "#1d5fd1"
    for page in (one, other):
        expect(page.get_by_label("Corners")).to_have_value(str(draft["corner_radius"]))
        expect(page.get_by_label("Blue")).to_be_checked()


# ---------------------------------------------------------------- sharing


def back(page):
    expect(page.locator("[data-square]")).to_be_visible()
    expect(page.locator("[data-square]")).to_have_css("transform", "none")


@pytest.mark.parametrize(
    "viewport, way", [(PHONE, (0, -1)), long(LANDSCAPE, (-1, 0))], ids=["portrait", "landscape"])
@pytest.mark.parametrize("motion", ["reduce", long("no-preference")])
def test_swiping_shares(people, photos, viewport, way, motion, request):
    ana = people(f"swipe{abs(hash(request.node.name)) % 10**8}", viewport=viewport, reduced_motion=motion)
    desk = Desk(ana, photos)
    page = desk.page()
    finger = Finger(page)
    words = page.get_by_text(f"Swipe {'up' if way[1] else 'left'} to share")
    at = middle(words)
    # Too early, and at rest before it lets go: it springs back.
    finger.drag(at, shift(at, way[0] * 60, way[1] * 60), steps=30)
    assert "translate" in square(page).evaluate("(square) => square.style.transform")
    finger.rest()
    finger.up()
    back(page)
    assert desk.calls == []
    width = square(page).bounding_box()["width"]
    at = (10, 500) if way[1] else middle(words)
    finger.swipe(at, shift(at, way[0] * 0.5 * width, way[1] * 0.5 * width))
    sheet = page.get_by_role("dialog", name="Saved to your library")
    expect(sheet).to_be_visible()
    assert desk.calls == ["POST /finish"]
    sheet.get_by_role("button", name="Done").click()
    back(page)
    assert [photo["kind"] for photo in ana.get("/api/v1/photos?kind=collage")] == ["collage"]


@pytest.mark.parametrize("has_share_sheet", [True, long(False)], ids=["phone", "computer"])
def test_a_collage_is_sent_from_where_it_is_made(desk, has_share_sheet):
    page = desk.page()
    if has_share_sheet:
        page.evaluate(SHARE_SHEET)
    page.get_by_role("button", name="Share collage").click()
    sheet = page.get_by_role("dialog", name="Saved to your library")
    expect(sheet.get_by_role("img", name="Your collage")).to_be_visible()
    photo = desk.draft["photo"]["id"]
    ways = {
        "New post": f"/posts/new?photo={photo}",
        "Snap": f"/snaps/new/{photo}",
        "Send to a friend": f"/library/{photo}/send",
        "Download": f"/api/v1/photos/{photo}/original",
    }
    for name, path in ways.items():
        expect(sheet.get_by_role("link", name=name)).to_have_attribute("href", path)
        assert page.request.get(path).status == 200, path
    other_apps = sheet.get_by_role("button", name="Share with another app")
    if has_share_sheet:
        other_apps.click()
        page.wait_for_selector("html[data-shared]", state="attached")
        shared = page.evaluate("shared")
        # The picture itself, and no address that only its owner can open.
        assert shared["type"] == "image/jpeg" and shared["members"] == ["files"]
    else:
        expect(other_apps).to_be_hidden()
    sheet.get_by_role("button", name="Done").click()
    back(page)


def test_empty_cells_are_named_and_nothing_is_rendered(ana, photos):
    desk = Desk(ana, photos, filled=1)
    page = desk.page()
    page.get_by_role("button", name="Share collage").click()
    expect(note(page)).to_have_text("Cells 2 and 3 are empty. Fill them first.")
    at = middle(page.get_by_text("Swipe up to share"))
    Finger(page).swipe(at, shift(at, 0, -150))
    back(page)
    assert desk.calls == []


@pytest.mark.long
def test_sharing_without_a_network_says_so_and_comes_back(desk):
    page = desk.page()
    page.context.set_offline(True)
    page.get_by_role("button", name="Share collage").click()
    expect(note(page)).to_have_text("No connection. Check the network and try again.")
    back(page)
    page.context.set_offline(False)


# ---------------------------------------------------------------- everywhere


def test_a_collage_opens_again_from_the_library(desk):
    page = desk.page()
    page.get_by_role("button", name="Share collage").click()
    expect(page.get_by_role("dialog", name="Saved to your library")).to_be_visible()
    page.goto("/library?show=collages")
    page.locator("ul.grid a").first.click()
    page.get_by_role("link", name="Edit collage").click()
    expect(cell(page, 1)).to_have_accessible_name("Cell 1 of 3: Bridge")


@pytest.mark.long
def test_several_photos_of_the_library_begin_a_collage(desk):
    page = desk.owner.open("/library")
    page.get_by_role("link", name="Make a collage").click()
    for name in ["Bridge", "Square"]:
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".collage-square image")).to_have_count(2)


@pytest.mark.long
def test_the_editor_works_without_scripts(ana, phone, photos):
    desk = Desk(phone(ana, java_script_enabled=False), photos, filled=2)
    page = ana.page
    page.goto(f"/collage/{desk.id}")
    page.get_by_role("radio", name="Red", exact=True).check()
    page.get_by_role("button", name="Apply").click()
    assert desk.draft["background"] == "#e0243f"
    page.get_by_role("button", name="Share collage").click()
    expect(page.get_by_text("Cell 3 is empty.")).to_be_visible()
    cell(page, 3).click()
    page.get_by_role("radio", name="Square").check()
    page.get_by_role("button", name="Save").click()
    assert desk.shown[2] == desk.photos[2]
    cell(page, 3).click()
    page.get_by_label("Zoom, 1 to 8 times").fill("2")
    page.get_by_role("button", name="Save").click()
    assert desk.draft["cells"][2]["zoom"] == 2
    page.get_by_role("button", name="Share collage").click()
    expect(page.get_by_text("Saved to your library.")).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("viewport", [PHONE, LANDSCAPE, WIDE["viewport"]], ids=["portrait", "landscape", "wide"])
def test_everyone_can_use_the_editor(people, photos, viewport):
    ana = people(f"all{viewport['width']}", viewport=viewport)
    desk = Desk(ana, photos, filled=2)
    page = desk.page()
    assert accessibility_problems(page) == [] and not scrolls_sideways(page)
    cell(page, 1).tap()
    expect(page.get_by_role("dialog", name="Photo 1")).to_be_visible()
    assert accessibility_problems(page) == []
    page.keyboard.press("Escape")
    cell(page, 3).tap()
    expect(page.get_by_role("button", name="Bridge")).to_be_visible()
    assert accessibility_problems(page) == []
