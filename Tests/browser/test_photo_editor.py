"""The photo editor: what is done to a photo, by finger, mouse and keyboard, and what the picture that is made holds."""

import base64
import contextlib
import re

import pytest
from playwright.sync_api import expect

from cameras import difference
from conftest import long
from holding import Held
from looks import accessibility_problems, scrolls_sideways, turn
from pngs import encoded
from touch import Finger, middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-uploads", "100000"]
LANDSCAPE = {"width": 844, "height": 390}
WIDE = {"viewport": {"width": 1280, "height": 800}, "has_touch": False, "is_mobile": False}


def png(path, width, height, colour):
    """Writes a picture of which `colour(x, y)` gives each pixel: three numbers."""
    rows = ([part for x in range(width) for part in colour(x, y)] for y in range(height))
    path.write_bytes(encoded(width, height, rows))
    return path


def editor(page):
    return page.get_by_role("dialog", name="Edit photo")


def stage(page):
    return page.get_by_role("group", name="Photo.")


def page_of(person, photo, description=""):
    """The page of a photo that was just uploaded."""
    return person.open(f"/library/{person.upload(photo, description)}")


def begin(person, photo, description=""):
    """Opens the editor on the page of a photo that was just uploaded."""
    page = page_of(person, photo, description)
    press(page, "Edit")
    expect(editor(page)).to_be_visible()
    return page


def tool(page, name):
    page.get_by_role("radio", name=name, exact=True).check(force=True)


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def slide(page, name, value):
    slider = page.get_by_role("slider", name=name)
    slider.fill(str(value))
    slider.dispatch_event("change")


def write(page, words):
    press(page, "Add text")
    page.get_by_role("textbox", name="Text").fill(words)
    page.get_by_role("textbox", name="Text").blur()


def drag(page, start, end):
    page.mouse.move(*start)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(*(one + (other - one) * step / 8 for one, other in zip(start, end, strict=True)))
    page.mouse.up()


def frame(page):
    """The part of the window in which the picture is that will be made, once what is around it has its size."""
    box = None
    while box != (box := placed(page)):
        pass
    return box


def placed(page):
    drawn(page)
    return page.locator(".frame").bounding_box()


def chosen(page):
    """The box around the text or blurred part that is being changed."""
    drawn(page)
    return page.locator(".mark-box").bounding_box()


def drawn(page):
    """Waits until the browser has handled the keys and fingers that it was sent, and has drawn what they did."""
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


@contextlib.contextmanager
def moving(page, slider):
    """Five keys that move something by more than a twentieth of the photo, which its slider shows: they are handled some
    time after Playwright has sent them."""
    place = page.get_by_role("slider", name=slider)
    before = float(place.input_value())
    yield
    page.wait_for_function(
        "([slider, before]) => Math.abs(slider.value - before) > 0.045", arg=[place.element_handle(), before])


def shown(page):
    """What the editor shows of the picture, without the box around what is being changed (PNG)."""
    page.evaluate("() => document.querySelector('.mark-box').style.opacity = 0")
    tool(page, "Filters")
    return page.screenshot(clip=frame(page))


def finish(page, person):
    """Presses Done; the id of the new photo, whose page is shown."""
    before = page.url
    press(page, "Done")
    page.wait_for_url(lambda url: re.search(r"/library/\d+$", url) and url != before)
    return page.url.rpartition("/")[2]


def original(person, id):
    return person.bytes(f"/api/v1/photos/{id}/original")


def pixels(page, picture, columns, rows):
    """The colours of a picture at the middles of so many columns and rows, and its size."""
    url = f"data:image/*;base64,{base64.b64encode(picture).decode()}"
    return page.evaluate(
        """async ([src, columns, rows]) => {
          const image = Object.assign(new Image(), { src });
          await image.decode();
          const { naturalWidth: width, naturalHeight: height } = image;
          const canvas = Object.assign(document.createElement("canvas"), { width, height });
          const context = canvas.getContext("2d");
          context.drawImage(image, 0, 0);
          const { data } = context.getImageData(0, 0, width, height);
          const colours = [];
          for (let row = 0; row < rows; row += 1) {
            for (let column = 0; column < columns; column += 1) {
              const x = Math.floor(((column + .5) * width) / columns);
              const y = Math.floor(((row + .5) * height) / rows);
              colours.push([...data.slice((y * width + x) * 4, (y * width + x) * 4 + 3)]);
            }
          }
          return { size: [width, height], colours };
        }""",
        [url, columns, rows],
    )


def sent(person, id):
    """All pictures that the server has of a photo."""
    return [original(person, id), *(person.bytes(f"/photos/{id}/{size}") for size in ("medium", "large", "square"))]


# ---------------------------------------------------------------- what is made


def test_the_picture_is_what_the_editor_shows(ana, photos):
    page = begin(ana, photos[0])
    press(page, "Turn left")
    press(page, "Mirror")
    slide(page, "Straighten", 7)
    tool(page, "4:5")
    tool(page, "Filters")
    tool(page, "Warm")
    slide(page, "Strength", 0.6)
    tool(page, "Text")
    write(page, "Pizza or\nramen?")
    tool(page, "Serif")
    tool(page, "Yellow")
    press(page, "Plate")
    slide(page, "Turn", -20)
    tool(page, "Draw")
    tool(page, "Marker")
    x, y = middle(stage(page))
    drag(page, (x - 100, y + 90), (x + 110, y + 120))
    tool(page, "Blur")
    page.mouse.click(x - 90, y - 120)
    seen = shown(page)
    id = finish(page, ana)
    points = [pixels(page, picture, 20, 25)["colours"] for picture in (seen, original(ana, id))]
    others = [pair for pair in zip(*points, strict=True) if max(abs(a - b) for a, b in zip(*pair, strict=True)) > 8]
    # At the edges of letters, which are drawn for another size.
    assert len(others) < len(points[0]) * 0.06, others
    size = pixels(page, original(ana, id), 1, 1)["size"]
    assert abs(size[0] / size[1] - 4 / 5) < 0.01


@pytest.mark.parametrize("way", ["cut", "blurred"])
def test_what_is_cut_away_or_blurred_is_in_no_file(ana, tmp_path, way):
    """The left half has lines of black and white as thin as letters, the right half is grey."""
    stripes = png(
        tmp_path / "stripes.png", 800, 600,
        lambda x, y: ((0, 0, 0) if y // 6 % 2 else (255, 255, 255)) if x < 400 else (128, 128, 128))
    page = begin(ana, stripes)
    if way == "cut":
        box = frame(page)
        left, across = (box["x"], box["y"] + box["height"] / 2), (box["x"] + box["width"] * 0.52, box["y"] + box["height"] / 2)
        drag(page, left, across)
        expect(page.get_by_role("button", name="Undo", exact=True)).to_be_enabled()
    else:
        tool(page, "Blur")
        box = frame(page)
        page.mouse.click(box["x"] + box["width"] / 4, box["y"] + box["height"] / 2)
        slide(page, "Width", 0.8)
        slide(page, "Height", 1)
        # The corners stay, and are cut away.
        tool(page, "Crop")
        tool(page, "16:9")
    id = finish(page, ana)
    for picture in sent(ana, id):
        # Where the lines were: everything, or the middle of the left half.
        seen = pixels(page, picture, 80, 300)
        part = [
            one[0] for index, one in enumerate(seen["colours"])
            if way == "cut" or (index % 80 < 36 and 100 < index // 80 < 200)
        ]
        assert max(part) - min(part) < 40, (seen["size"], min(part), max(part))


def test_the_picture_has_the_full_size_of_the_photo_and_nothing_of_its_file(ana, tmp_path):
    large = png(tmp_path / "large.png", 2400, 1800, lambda x, y: (x // 10 % 256, y // 8 % 256, 90))
    page = begin(ana, large)
    press(page, "Mirror")
    picture = original(ana, finish(page, ana))
    assert picture[:3] == b"\xff\xd8\xff" and b"Exif" not in picture and b"tEXt" not in picture
    assert pixels(page, picture, 1, 1)["size"] == [2400, 1800]


@pytest.mark.long
def test_a_picture_has_at_most_4096_pixels(ana, tmp_path):
    wide = png(tmp_path / "wide.png", 5000, 100, lambda x, y: (x // 20 % 256, 90, 120))
    page = begin(ana, wide)
    press(page, "Mirror")
    assert pixels(page, original(ana, finish(page, ana)), 1, 1)["size"] == [4096, 82]


# ---------------------------------------------------------------- fonts


FONT_FILES = re.compile(r"/vendor/\w+\.[ot]tf$")


def fonts_asked_for(page):
    """The files of fonts that the page asks for from now on."""
    asked = []
    page.on("request", lambda request: asked.append(request.url) if FONT_FILES.search(request.url) else None)
    return asked


def widths(page):
    """How wide the chosen text is in each font."""
    found = {}
    for name in ("Plain", "Serif", "Typewriter", "Script"):
        tool(page, name)
        found[name] = chosen(page)["width"]
    return found


def inked(page, picture):
    """The columns of a white picture in which something dark is: the first, and the one after the last, as parts of it."""
    colours = pixels(page, picture, 400, 200)["colours"]
    dark = [index % 400 for index, colour in enumerate(colours) if sum(colour) < 380]
    return min(dark) / 400, (max(dark) + 1) / 400


def wait_for_fonts(page):
    page.wait_for_function("() => [...document.fonts].filter(({ status }) => status === 'loaded').length === 4")


def test_texts_have_the_servers_fonts_which_are_loaded_to_write(ana, tmp_path):
    white = png(tmp_path / "white.png", 1200, 600, lambda x, y: (255, 255, 255))
    page = page_of(ana, white)
    asked = fonts_asked_for(page)
    press(page, "Edit")
    for name in ("Filters", "Draw", "Blur"):
        tool(page, name)
    assert asked == []
    tool(page, "Text")
    write(page, "Wiggle room")
    tool(page, "Black")
    wait_for_fonts(page)
    assert len(asked) == 4
    found = widths(page)
    assert len({round(width) for width in found.values()}) == 4, found
    # The worker draws with the same font: the picture's letters end where those of the editor do.
    tool(page, "Script")
    seen = inked(page, shown(page))
    made = inked(page, original(ana, finish(page, ana)))
    assert all(abs(one - other) < 0.008 for one, other in zip(seen, made, strict=True)), (seen, made)
    # Once for the page, nothing more for the worker.
    assert len(asked) == 4


def test_a_font_that_comes_late_is_waited_for_before_the_picture_is_made(ana, tmp_path):
    white = png(tmp_path / "white.png", 1200, 600, lambda x, y: (255, 255, 255))
    page = begin(ana, white)
    held = Held(page, FONT_FILES)
    tool(page, "Text")
    routes = [held.take() for _ in range(4)]
    write(page, "Wiggle room")
    tool(page, "Black")
    tool(page, "Script")
    early = chosen(page)["width"]
    tool(page, "Crop")
    address = page.url
    press(page, "Done")
    expect(page.get_by_text("Making the picture…")).to_be_visible()
    for route in routes:
        route.continue_()
    held.release()
    page.wait_for_url(lambda url: re.search(r"/library/\d+$", url) and url != address)
    left, right = inked(page, original(ana, page.url.rpartition("/")[2]))
    # As wide as in the font that came, which the same text has in another editor.
    again = begin(ana, white)
    tool(again, "Text")
    write(again, "Wiggle room")
    wait_for_fonts(again)
    tool(again, "Black")
    tool(again, "Script")
    assert abs(chosen(again)["width"] - early) > 5
    shown_left, shown_right = inked(again, shown(again))
    assert abs((right - left) - (shown_right - shown_left)) < 0.01


def test_without_the_servers_fonts_texts_are_drawn_in_those_of_the_device(ana, photos):
    page = begin(ana, photos[0])
    page.route(FONT_FILES, lambda route: route.fulfill(status=404))
    tool(page, "Text")
    write(page, "Pizza")
    tool(page, "Typewriter")
    assert chosen(page)["width"] > 20
    finish(page, ana)


# ---------------------------------------------------------------- back and forth


def test_every_step_is_undone_and_redone(ana, photos):
    page = begin(ana, photos[1])
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    expect(undo).to_be_disabled()
    expect(redo).to_be_disabled()
    before = shown(page)
    tool(page, "Crop")
    press(page, "Mirror")
    tool(page, "1:1")
    tool(page, "Filters")
    tool(page, "Blueprint")
    tool(page, "Text")
    write(page, "Hello")
    tool(page, "Draw")
    x, y = middle(stage(page))
    drag(page, (x - 80, y), (x + 80, y + 40))
    drag(page, (x - 80, y + 60), (x + 80, y + 100))
    after = shown(page)
    steps = 0
    while undo.is_enabled():
        undo.click()
        steps += 1
    assert steps == 6
    assert difference(page, before, shown(page)) < 1
    for _ in range(steps):
        redo.click()
    expect(redo).to_be_disabled()
    assert difference(page, after, shown(page)) < 1
    page.keyboard.press("Control+z")
    expect(redo).to_be_enabled()
    page.keyboard.press("Control+Shift+Z")
    expect(redo).to_be_disabled()
    # Nothing is sent when nothing is left to do.
    for _ in range(steps):
        undo.click()
    address = page.url
    press(page, "Done")
    expect(editor(page)).to_have_count(0)
    assert page.url == address and len(ana.get("/api/v1/photos")) == 1


def test_leaving_asks_before_it_discards_and_nothing_was_sent(ana, photos):
    page = begin(ana, photos[0])
    asked = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    press(page, "Mirror")
    page.keyboard.press("Escape")
    question = page.get_by_role("dialog", name="Discard your changes?")
    question.get_by_role("button", name="Keep editing").click()
    expect(question).to_have_count(0)
    expect(editor(page)).to_be_visible()
    # One more asks again, the next one takes the question away, and so on: none closes the editor.
    for _ in range(3):
        page.keyboard.press("Escape")
        expect(question).to_be_visible()
        page.keyboard.press("Escape")
        expect(question).to_have_count(0)
    expect(editor(page)).to_be_visible()
    press(page, "Cancel")
    question.get_by_role("button", name="Discard").click()
    expect(editor(page)).to_have_count(0)
    assert not any("/media" in url for url in asked)
    assert len(ana.get("/api/v1/photos")) == 1


def test_a_text_that_is_being_written_is_not_discarded_unasked(ana, photos):
    page = begin(ana, photos[0])
    tool(page, "Text")
    press(page, "Add text")
    page.keyboard.type("Ramen")
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    page.keyboard.press("Escape")
    question = page.get_by_role("dialog", name="Discard your changes?")
    question.get_by_role("button", name="Keep editing").click()
    expect(page.get_by_role("textbox", name="Text")).to_have_value("Ramen")


def test_making_the_picture_can_be_cancelled_and_begun_again(ana, photos):
    page = begin(ana, photos[0])
    held = Held(page, "**/editing/worker.js")
    press(page, "Mirror")
    address = page.url
    for end in ("Cancel", "Escape"):
        press(page, "Done")
        expect(page.get_by_text("Making the picture…")).to_be_visible()
        held.take()
        page.keyboard.press("Control+z")
        page.keyboard.press(end) if end == "Escape" else press(page, end)
        expect(page.get_by_text("Making the picture…")).to_be_hidden()
        expect(editor(page)).to_be_visible()
    held.release()
    press(page, "Done")
    page.wait_for_url(lambda url: re.search(r"/library/\d+$", url) and url != address)
    assert len(ana.get("/api/v1/photos")) == 2


@pytest.mark.long
def test_a_worker_that_cannot_be_loaded_is_said_and_nothing_is_lost(ana, photos):
    page = begin(ana, photos[0])
    page.route("**/editing/worker.js", lambda route: route.abort())
    press(page, "Mirror")
    press(page, "Done")
    expect(page.get_by_text("Check the network and try again.")).to_be_visible()
    expect(page.get_by_role("button", name="Done", exact=True)).to_be_focused()
    page.unroute("**/editing/worker.js")
    finish(page, ana)


def test_back_leaves_the_editor_and_stays_on_the_page(ana, photos):
    page = begin(ana, photos[0])
    address = page.url
    page.go_back()
    expect(editor(page)).to_have_count(0)
    assert page.url == address
    press(page, "Edit")
    press(page, "Mirror")
    page.go_back()
    question = page.get_by_role("dialog", name="Discard your changes?")
    expect(question).to_be_visible()
    page.go_back()
    question.get_by_role("button", name="Keep editing").click()
    expect(question).to_have_count(0)
    expect(editor(page)).to_be_visible()
    page.go_back()
    question.get_by_role("button", name="Discard").click()
    expect(editor(page)).to_have_count(0)
    assert page.url == address


# ---------------------------------------------------------------- fingers and keys


def test_fingers_move_and_enlarge_the_photo_its_frame_and_what_is_on_it(ana, photos):
    page = begin(ana, photos[0])
    finger = Finger(page)
    whole = shown(page)
    tool(page, "Crop")
    finger.pinch(middle(stage(page)), 40, 90)
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    near = shown(page)
    assert difference(page, whole, near) > 5
    tool(page, "Crop")
    corner = middle(page.locator(".handle").first)
    before = frame(page)
    finger.swipe(corner, (corner[0] + 100, corner[1] + 10))
    assert frame(page)["width"] / frame(page)["height"] < before["width"] / before["height"] - 0.1
    tool(page, "Text")
    write(page, "Hi")
    place = middle(page.locator(".mark-box"))
    finger.swipe(place, (place[0] + 60, place[1] + 80))
    drawn(page)
    moved = middle(page.locator(".mark-box"))
    assert abs(moved[0] - place[0] - 60) < 3 and abs(moved[1] - place[1] - 80) < 3
    wide = chosen(page)["width"]
    finger.pinch(moved, 20, 40)
    assert chosen(page)["width"] > wide * 1.7
    # Two fingers draw no line.
    tool(page, "Draw")
    blank = shown(page)
    tool(page, "Draw")
    finger.pinch(middle(stage(page)), 20, 60)
    assert difference(page, blank, shown(page)) < 1


@pytest.mark.parametrize("way", ["on it", "beside it"])
def test_two_fingers_turn_a_text_and_one_moves_it(ana, photos, way):
    page = begin(ana, photos[0])
    finger = Finger(page)
    tool(page, "Text")
    write(page, "Hi")
    drawn(page)
    text = middle(page.locator(".mark-box"))
    # The other finger, too, or far from the text.
    second = (text[0] + 30, text[1]) if way == "on it" else (text[0] + 10, text[1] + 150)
    finger.turn(text, second, 60)
    turned = page.get_by_role("slider", name="Turn")
    page.wait_for_function("(turn) => Number(turn.value) > 50", arg=turned.element_handle())
    assert abs(float(turned.input_value()) - 60) < 3
    # All of it is one step.
    for step, degrees in (("Undo", 0), ("Redo", 60)):
        press(page, step)
        press(page, "Hi")
        assert abs(float(turned.input_value()) - degrees) < 3
    # Back past a half turn, by two fingers of which none touches the text.
    finger.turn((text[0] - 150, text[1] + 150), (text[0] - 50, text[1] + 150), -200)
    page.wait_for_function("(turn) => Number(turn.value) < -130", arg=turned.element_handle())
    assert abs(float(turned.input_value()) + 140) < 3
    drawn(page)
    before = middle(page.locator(".mark-box"))
    finger.swipe(before, (before[0] + 40, before[1] - 50))
    drawn(page)
    after = middle(page.locator(".mark-box"))
    assert abs(after[0] - before[0] - 40) < 3 and abs(after[1] - before[1] + 50) < 3
    assert abs(float(turned.input_value()) + 140) < 3


def test_keys_do_all_but_draw(ana, photos):
    page = begin(ana, photos[0])
    expect(page.get_by_role("radio", name="Crop", exact=True)).to_be_focused()
    stage(page).focus()
    for _ in range(6):
        page.keyboard.press("+")
    page.keyboard.press("ArrowRight")
    width = page.get_by_role("slider", name="Frame width")
    width.focus()
    before = frame(page)
    with moving(page, "Frame width"):
        for _ in range(5):
            page.keyboard.press("ArrowLeft")
    after = frame(page)
    assert after["width"] / after["height"] < before["width"] / before["height"]
    tool(page, "Text")
    page.get_by_role("button", name="Add text").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("Ramen")
    stage(page).focus()
    before = chosen(page)
    with moving(page, "Text down"):
        for _ in range(5):
            page.keyboard.press("ArrowDown")
    assert chosen(page)["y"] > before["y"] + 5
    tool(page, "Blur")
    page.get_by_role("button", name="Add blur").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Blur 1")).to_have_attribute("aria-pressed", "true")
    stage(page).focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name="Blur 1")).to_have_count(0)
    id = finish(page, ana)
    assert len(ana.get("/api/v1/photos")) == 2 and id


def test_by_keyboard_alone_a_photo_is_cut_filtered_written_on_blurred_and_kept(ana, photos):
    """No finger, no mouse, and no script that puts the focus where it is needed."""
    page = page_of(ana, photos[0])
    keys = page.keyboard
    tab_to(page, page.get_by_role("button", name="Edit", exact=True))
    keys.press("Enter")
    expect(page.get_by_role("radio", name="Crop", exact=True)).to_be_focused()
    tab_to(page, page.get_by_role("radio", name="Free"))
    keys.press("ArrowRight")
    expect(page.get_by_role("radio", name="1:1")).to_be_checked()
    assert abs(frame(page)["width"] / frame(page)["height"] - 1) < 0.02
    straighten = page.get_by_role("slider", name="Straighten")
    tab_to(page, straighten)
    for _ in range(3):
        keys.press("ArrowRight")
    expect(straighten).not_to_have_value("0")
    tab_to(page, page.get_by_role("button", name="Turn left"))
    keys.press("Enter")
    choose_tool(page, "Filters")
    tab_to(page, page.get_by_role("radio", name="None"))
    keys.press("ArrowRight")
    expect(page.get_by_role("radio", name="Vivid")).to_be_checked()
    tab_to(page, page.get_by_role("slider", name="Strength"))
    keys.press("Home")
    expect(page.get_by_role("slider", name="Strength")).to_have_value("0")
    keys.press("End")
    choose_tool(page, "Text")
    tab_to(page, page.get_by_role("button", name="Add text"))
    keys.press("Enter")
    expect(page.get_by_role("textbox", name="Text")).to_be_focused()
    keys.type("Ramen")
    tab_to(page, page.get_by_role("radio", name="Plain"))
    keys.press("ArrowRight")
    expect(page.get_by_role("radio", name="Serif")).to_be_checked()
    tab_to(page, page.get_by_role("button", name="Plate"))
    keys.press("Space")
    tab_to(page, page.get_by_role("radio", name="White"))
    keys.press("ArrowRight")
    expect(page.get_by_role("radio", name="White")).not_to_be_checked()
    for name in ("Size", "Turn", "Text across", "Text down"):
        slider = page.get_by_role("slider", name=name, exact=True)
        tab_to(page, slider)
        before = slider.input_value()
        keys.press("ArrowRight")
        expect(slider).not_to_have_value(before)
    choose_tool(page, "Blur")
    tab_to(page, page.get_by_role("button", name="Add blur"))
    keys.press("Enter")
    expect(page.get_by_role("button", name="Blur 1")).to_have_attribute("aria-pressed", "true")
    tab_to(page, page.get_by_role("slider", name="Width"))
    keys.press("ArrowRight")
    after = page.screenshot(clip=frame(page))
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    tab_to(page, undo)
    steps = 0
    while undo.is_enabled():
        keys.press("Enter")
        steps += 1
        drawn(page)
    expect(page.get_by_role("button", name="Blur 1")).to_have_count(0)
    assert steps > 10
    tab_to(page, redo)
    for _ in range(steps):
        keys.press("Enter")
    expect(redo).to_be_disabled()
    tab_to(page, page.get_by_role("button", name="Blur 1"))
    keys.press("Enter")
    assert difference(page, after, page.screenshot(clip=frame(page))) < 1
    tab_to(page, page.get_by_role("button", name="Done", exact=True))
    address = page.url
    keys.press("Enter")
    page.wait_for_url(lambda url: re.search(r"/library/\d+$", url) and url != address)
    assert len(ana.get("/api/v1/photos")) == 2


def tab_to(page, control, most=80):
    """Presses Tab until a control has the focus."""
    for _ in range(most):
        if control.evaluate("(control) => control === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{control} is not reached by Tab")


def choose_tool(page, name):
    """Chooses a tool with Tab and arrow keys."""
    tab_to(page, page.locator(".tools input:checked"))
    radio = page.get_by_role("radio", name=name, exact=True)
    for _ in range(5):
        if radio.is_checked():
            return
        page.keyboard.press("ArrowRight")
    raise AssertionError(f"{name} is not reached by the arrow keys")


def test_a_text_that_nobody_wrote_is_not_kept(ana, photos):
    page = begin(ana, photos[0])
    tool(page, "Text")
    press(page, "Add text")
    tool(page, "Crop")
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    press(page, "Done")
    expect(editor(page)).to_have_count(0)
    assert len(ana.get("/api/v1/photos")) == 1


def test_a_tap_that_trembles_adds_a_blur_and_two_fingers_add_none(ana, photos):
    page = begin(ana, photos[0])
    tool(page, "Blur")
    x, y = middle(stage(page))
    finger = Finger(page)
    finger.drag((x, y), (x + 3, y + 2), steps=1)
    finger.up()
    expect(page.get_by_role("button", name="Blur 1")).to_be_visible()
    finger.down((x - 120, y), (x - 90, y))
    finger.up()
    drawn(page)
    expect(page.get_by_role("button", name="Blur 2")).to_have_count(0)


def test_an_added_blur_is_said(ana, photos):
    page = begin(ana, photos[0])
    tool(page, "Blur")
    said = editor(page).locator(":scope > .unseen[role=status]")
    press(page, "Add blur")
    expect(said).to_have_text("Blur 1 added in the middle.")
    page.mouse.click(*beside_the_middle(page))
    expect(said).to_have_text("Blur 2 added.")


def beside_the_middle(page):
    """A place on the photo where no blur is."""
    box = frame(page)
    return box["x"] + 20, box["y"] + 20


def test_sliders_give_the_frame_any_width_and_height_and_keep_its_proportions(ana, photos):
    """As a screen reader on a phone does, which sends no arrow keys."""
    page = begin(ana, photos[0])
    whole = frame(page)
    assert editor(page).get_by_role("button", name="Move the").count() == 0
    slide(page, "Frame width", 0.5)
    drawn(page)
    narrow = frame(page)
    assert abs(narrow["width"] / narrow["height"] * 2 - whole["width"] / whole["height"]) < 0.03
    slide(page, "Frame height", 0.25)
    drawn(page)
    flat = frame(page)
    assert abs(flat["width"] / flat["height"] / 2 - whole["width"] / whole["height"]) < 0.06
    # At the edge of the photo the frame grows to the other side.
    slide(page, "Frame across", 1)
    slide(page, "Frame width", 1)
    drawn(page)
    expect(page.get_by_role("slider", name="Frame width")).to_have_value("1")
    expect(page.get_by_role("slider", name="Frame height")).to_have_value("0.25")
    # A slider that loses the focus makes room.
    page.get_by_role("radio", name="1:1").focus()
    page.get_by_role("radio", name="1:1").check(force=True)
    slide(page, "Frame height", 0.5)
    drawn(page)
    square = frame(page)
    assert abs(square["width"] / square["height"] - 1) < 0.02


def test_another_tool_while_a_finger_is_down_ends_what_it_did(ana, photos):
    page = begin(ana, photos[0])
    errors = []
    page.on("pageerror", lambda error: errors.append(error))
    x, y = middle(stage(page))
    corner = middle(page.locator(".handle").first)
    for name, start, following in (("Crop", corner, "Filters"), ("Draw", (x, y), "Blur")):
        tool(page, name)
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(start[0] + 40, start[1] + 30)
        page.get_by_role("radio", name=name, exact=True).focus()
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("radio", name=following, exact=True)).to_be_checked()
        page.mouse.move(start[0] + 50, start[1] + 60)
        page.mouse.up()
    assert errors == []
    tool(page, "Crop")
    # The frame is fitted into the window again.
    assert frame(page)["width"] > 330 or frame(page)["height"] > 330


def test_the_button_of_the_chosen_text_and_remove_are_seen_among_many(ana, photos):
    page = begin(ana, photos[0])
    tool(page, "Text")
    for words in ("Pizza or ramen", "Bread and wine", "Rice and beans", "Fish and chips"):
        write(page, words)
    for name in ("Fish and chips", "Pizza or ramen"):
        chip = page.get_by_role("button", name=name)
        if chip.get_attribute("aria-pressed") == "false":
            press(page, name)
        expect(chip).to_be_in_viewport(ratio=0.95)
        expect(page.get_by_role("button", name="Remove this text")).to_be_in_viewport(ratio=0.95)


def test_a_proportion_lies_on_its_side_only_when_it_is_set(ana, photos):
    page = begin(ana, photos[0])
    tool(page, "16:9")
    assert frame(page)["width"] > frame(page)["height"]
    page.get_by_role("radio", name="16:9").click(force=True)
    assert frame(page)["width"] < frame(page)["height"]
    press(page, "Undo")
    press(page, "Undo")
    page.get_by_role("radio", name="16:9").click(force=True)
    assert frame(page)["width"] > frame(page)["height"]


def test_a_long_text_is_broken_into_lines_and_the_sliders_move_it(ana, photos):
    page = begin(ana, photos[0])
    tool(page, "Text")
    write(page, "The light was wonderful this morning, you should have seen it, and " + "o" * 60)
    box, whole = chosen(page), frame(page)
    assert box["width"] <= whole["width"] * 1.05
    slide(page, "Text across", 0.1)
    slide(page, "Text down", 0.9)
    assert chosen(page)["x"] < box["x"] - 50 and chosen(page)["y"] > box["y"] + 50
    tool(page, "Crop")
    slide(page, "Zoom", 3)
    before = shown(page)
    tool(page, "Crop")
    slide(page, "Frame across", 0.9)
    assert difference(page, before, shown(page)) > 5


@pytest.mark.long
def test_what_is_transparent_is_white_in_the_editor_and_in_the_picture(ana, tmp_path):
    path = tmp_path / "clear.png"
    path.write_bytes(encoded(40, 30, [bytes(4 * 40)] * 30, channels=4))
    page = begin(ana, path)
    assert pixels(page, shown(page), 3, 3)["colours"] == [[255, 255, 255]] * 9
    tool(page, "Crop")
    press(page, "Mirror")
    assert min(min(one) for one in pixels(page, original(ana, finish(page, ana)), 3, 3)["colours"]) > 250


# ---------------------------------------------------------------- how it looks


def test_the_photo_is_seen_while_the_keyboard_of_a_phone_is_open(ana, photos):
    page = begin(ana, photos[0])
    tool(page, "Text")
    press(page, "Add text")
    turn(page, {"width": 390, "height": 380})
    page.keyboard.type("Hi")
    box = frame(page)
    assert box["width"] > 80 and box["height"] > 60
    assert page.get_by_role("textbox", name="Text").is_visible()


@pytest.mark.parametrize("name", ["Crop", "Filters", long("Text"), long("Draw"), long("Blur")])
def test_a_tool_is_within_the_window_and_accessible(ana, photos, name):
    page = begin(ana, photos[0])
    tool(page, name)
    if name == "Text":
        write(page, "Hello")
    if name == "Blur":
        press(page, "Add blur")
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
    turn(page, LANDSCAPE)
    assert frame(page)["height"] > 150
    assert page.get_by_role("button", name="Done").is_visible()
    assert not scrolls_sideways(page)


# Pairs of controls of the editor that lie on each other, and what is outside of the window.
OVERLAPS = """(dialog) => {
  const seen = [...dialog.querySelectorAll("button, .segments > label, .tools > label, .slider > *")]
    .filter((one) => one.checkVisibility() && !one.closest(".by-keys, .marks, .looks, .stage"));
  const boxes = seen.map((one) => [one.textContent || one.ariaLabel || one.localName, one.getBoundingClientRect()]);
  const beyond = boxes.filter(([, { left, right }]) => left < 0 || right > innerWidth).map(([name]) => name);
  const on = (one, other) => Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const pairs = boxes.flatMap(([name, box], index) => boxes.slice(index + 1).filter(([, other]) => on(box, other))
    .map(([other]) => `${name} on ${other}`));
  return [...beyond, ...pairs];
}"""


@pytest.mark.parametrize("name", ["Crop", long("Filters"), "Text", "Draw", long("Blur")])
def test_no_control_lies_on_another_one_on_a_narrow_phone(ana, photos, name):
    page = begin(ana, photos[0])
    turn(page, {"width": 320, "height": 568})
    frame(page)
    tool(page, name)
    if name == "Text":
        write(page, "Hello")
    if name == "Blur":
        press(page, "Add blur")
    drawn(page)
    assert editor(page).evaluate(OVERLAPS) == []
    assert not scrolls_sideways(page)
