"""Photos in chats: chosen from the library, under a finger, and live."""

import random

import pytest
from playwright.sync_api import expect

from conftest import long
from chats import chat_of, open_chat, send_photo
from looks import accessibility_problems, size
from people import ready
from touch import Finger, middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def scale(page):
    """How much the photo of the viewer is enlarged."""
    picture = page.locator("[data-stage] > img:not([aria-hidden])")
    return picture.evaluate("picture => new DOMMatrix(getComputedStyle(picture).transform).a")


def test_photos_of_the_library_and_files_go_out_together(ana, bea, photos):
    chat = chat_of(ana, bea)
    for index, path in enumerate(photos[:2]):
        ana.upload(path, f"Photo {index}")
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.get_by_role("button", name="Photos").click()
    sheet = here.get_by_role("dialog", name="Photos")
    expect(sheet.get_by_role("checkbox")).to_have_count(2)
    expect(sheet.get_by_role("button", name="Add")).to_be_disabled()
    for box in sheet.get_by_role("checkbox").all():
        box.check()
    sheet.get_by_role("button", name="Add 2").click()
    expect(sheet).to_be_hidden()
    here.get_by_label("Choose photos").set_input_files(photos[2])
    tray = here.locator("[data-tray] > li")
    expect(tray).to_have_count(3)
    # Those of the library have their descriptions.
    expect(here.get_by_role("button", name="alt text")).to_have_accessible_name("Add alt text to photo 3")
    here.get_by_role("textbox", name="Message").fill("Look at these")
    here.get_by_role("button", name="Send").click()
    expect(there.locator("a.bubble.photo")).to_have_count(3)
    expect(there.locator("chat-thread").get_by_text("Look at these")).to_be_visible()
    expect(here.locator("li.message[data-id] a.bubble.photo")).to_have_count(3)
    expect(tray).to_have_count(0)
    # The newest photo of the library is first in the sheet.
    shown = there.locator("a.bubble.photo img").evaluate_all("pictures => pictures.map(({ alt }) => alt)")
    assert shown[:2] == ["Photo 1", "Photo 0"]


@pytest.mark.long
def test_a_chosen_photo_is_taken_out_again_and_nothing_is_sent(ana, bea, photos):
    chat = chat_of(ana, bea)
    ana.upload(photos[0], "Not this one")
    here = open_chat(ana, chat)
    here.get_by_role("button", name="Photos").click()
    here.get_by_role("checkbox", name="Not this one").check()
    here.get_by_role("button", name="Add 1").click()
    here.get_by_role("button", name="Remove").click()
    expect(here.locator("[data-tray] > li")).to_have_count(0)
    here.get_by_role("button", name="Send").click()
    expect(here.get_by_role("textbox", name="Message")).to_be_focused()
    assert bea.get(f"/api/v1/chats/{chat}/messages") == []


def test_a_photo_of_the_library_sent_to_be_seen_once_is_in_no_message_as_a_photo(ana, bea, photos):
    chat = chat_of(ana, bea)
    ana.upload(photos[0], "Just once")
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.get_by_role("button", name="Photos").click()
    here.get_by_role("checkbox", name="Just once").check()
    here.get_by_role("button", name="Add 1").click()
    here.get_by_role("switch", name="View once").check()
    here.get_by_role("button", name="Send").click()
    once = there.get_by_role("button", name="Photo · view once")
    expect(once).to_be_visible()
    [message] = bea.get(f"/api/v1/chats/{chat}/messages")
    assert message["view_once"] and message["photo"] is None
    assert bea.get("/api/v1/timelines/between") == []
    once.click()
    expect(there.get_by_alt_text("Just once")).to_be_visible()
    # The next photo is an ordinary one again.
    here.get_by_label("Choose photos").set_input_files(photos[1])
    expect(here.get_by_role("switch", name="View once")).not_to_be_checked()


def describe(page, words, number=1):
    """Says what a photo of the tray shows."""
    page.get_by_role("button", name=f"Add alt text to photo {number}").click()
    sheet = page.get_by_role("dialog", name="Description")
    sheet.get_by_role("textbox", name="Description").fill(words)
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_have_count(0)


def test_a_photo_described_in_the_tray_is_described_wherever_the_other_sees_it(ana, bea, photos):
    chat = chat_of(ana, bea)
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.get_by_label("Choose photos").set_input_files(photos[:2])
    here.get_by_role("button", name="Add alt text to photo 2").click()
    sheet = here.get_by_role("dialog", name="Description")
    expect(sheet.get_by_role("textbox", name="Description")).to_be_focused()
    assert accessibility_problems(here) == []
    sheet.get_by_role("textbox").fill("  A boat in the reeds ")
    sheet.get_by_role("button", name="Save").click()
    tray = here.locator("[data-tray]")
    expect(tray.get_by_role("img", name="A boat in the reeds")).to_be_visible()
    assert accessibility_problems(here) == []
    tray.get_by_role("button", name="Remove").first.click()
    described = here.get_by_role("button", name="Edit alt text of photo 1")
    assert min(size(described)) >= 44
    here.get_by_role("button", name="Send").click()
    shown = there.get_by_role("img", name="A boat in the reeds")
    expect(there.locator("a.bubble.photo").filter(has=shown)).to_be_visible()
    there.locator("a.bubble.photo").click()
    expect(there.locator("photo-viewer").get_by_role("img", name="A boat in the reeds")).to_be_visible()
    bea.open("/feed")
    expect(there.get_by_role("img", name="A boat in the reeds")).to_be_visible()


@pytest.mark.long
def test_a_description_is_written_and_left_by_keys(ana, bea, photos, phone):
    phone(ana, has_touch=False, is_mobile=False, viewport={"width": 1280, "height": 800})
    here = open_chat(ana, chat_of(ana, bea))
    here.get_by_label("Choose photos").set_input_files(photos[0])
    control = here.get_by_role("button", name="alt text")
    field = here.get_by_role("dialog").get_by_role("textbox", name="Description")
    control.press("Enter")
    field.press_sequentially("One line")
    field.press("Shift+Enter")
    field.press_sequentially("and another")
    field.press("Enter")
    expect(control).to_be_focused()
    expect(control).to_have_accessible_name("Edit alt text of photo 1")
    control.press("Enter")
    expect(field).to_have_value("One line\nand another")
    field.fill("Not this")
    field.press("Escape")
    expect(control).to_be_focused()
    control.press("Enter")
    expect(field).to_have_value("One line\nand another")
    field.fill("")
    field.press("Enter")
    expect(control).to_have_accessible_name("Add alt text to photo 1")
    expect(here.get_by_role("img", name="photo-0.png")).to_be_visible()


@pytest.mark.long
def test_a_description_waits_with_its_photo_and_goes_out_after_a_reload(ana, bea, photos):
    chat = chat_of(ana, bea)
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.route("**/api/v2/media", lambda route: route.abort("connectionfailed"))
    here.get_by_label("Choose photos").set_input_files(photos[0])
    describe(here, "A heron on one leg")
    here.get_by_role("button", name="Send").click()
    waiting = here.locator("li.message:not([data-id])").get_by_role("img", name="A heron on one leg")
    expect(waiting).to_be_visible()
    here.reload()
    ready(here)
    expect(waiting).to_be_visible()
    here.unroute("**/api/v2/media")
    expect(there.get_by_role("img", name="A heron on one leg")).to_be_visible()
    expect(waiting).to_have_count(0)


@pytest.mark.long
def test_a_photo_to_be_seen_once_is_described_to_who_sees_it(ana, bea, photos):
    chat = chat_of(ana, bea)
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.get_by_label("Choose photos").set_input_files(photos[0])
    describe(here, "A secret harbour")
    here.get_by_role("switch", name="View once").check()
    here.get_by_role("button", name="Send").click()
    there.get_by_role("button", name="Photo · view once").click()
    expect(there.get_by_alt_text("A secret harbour")).to_be_visible()


@pytest.mark.long
def test_photos_of_the_library_go_out_without_scripts(ana, bea, photos, phone):
    chat = chat_of(ana, bea)
    ana.upload(photos[0], "By hand")
    page = phone(ana, java_script_enabled=False).page
    page.goto(f"/messages/{chat}")
    page.get_by_role("button", name="Photos").click()
    page.get_by_role("link", name="From your library").click()
    page.get_by_role("checkbox", name="By hand").check()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("img", name="By hand")).to_be_visible()
    assert len(bea.get("/api/v1/timelines/between")) == 1


@pytest.mark.long
def test_a_slide_to_the_left_or_a_tap_zooms_a_photo(ana, bea, photos):
    chat = chat_of(ana, bea)
    message = send_photo(ana, chat, photos[0])
    there = open_chat(bea, chat)
    finger, photo = Finger(there), there.locator("a.bubble.photo")
    x, y = middle(photo)
    finger.swipe((x, y), (x - 90, y + 4))
    there.wait_for_url(f"**/messages/{chat}/photos/{message}")
    there.go_back()
    ready(there)
    finger.tap(middle(photo))
    there.wait_for_url(f"**/messages/{chat}/photos/{message}")


@pytest.mark.long
def test_a_slide_up_or_to_the_right_does_not_zoom(ana, bea, photos):
    chat = chat_of(ana, bea)
    send_photo(ana, chat, photos[0])
    there = open_chat(bea, chat)
    finger = Finger(there)
    x, y = middle(there.locator("a.bubble.photo"))
    finger.swipe((x, y), (x + 90, y))
    finger.swipe((x, y), (x, y - 90))
    finger.swipe((x, y), (x - 60, y - 90))
    # What would leave the page has had its chance once a tap has.
    there.get_by_role("textbox", name="Message").fill("Still here")
    expect(there).to_have_url(f"{bea.server.url}/messages/{chat}")


@pytest.mark.long
def test_a_click_that_is_late_after_a_double_tap_opens_nothing(ana, bea, photos):
    chat = chat_of(ana, bea)
    send_photo(ana, chat, photos[0])
    bea.page.clock.install()
    there = open_chat(bea, chat)
    # As a busy phone does it.
    there.locator("a.bubble.photo").evaluate(
        """async (photo) => {
          const fire = (type) => {
            const init = { bubbles: true, cancelable: true, isPrimary: true, clientX: 200, clientY: 300 };
            const [buttons, detail] = [Number(type === "pointerdown"), Number(type === "click")];
            photo.dispatchEvent(new PointerEvent(type, { ...init, buttons, detail }));
          };
          for (const type of ["pointerdown", "pointerup", "click", "pointerdown", "pointerup"]) fire(type);
          await new Promise((late) => setTimeout(late));
          fire("click");
        }"""
    )
    expect(there.locator("flash-message")).to_have_text("Saved")
    there.clock.fast_forward(1_000)
    # What would leave the page has had its chance once this is typed.
    there.get_by_role("textbox", name="Message").fill("Still here")
    expect(there).to_have_url(f"{bea.server.url}/messages/{chat}")


@pytest.mark.long
def test_a_mouse_that_has_let_go_of_a_photo_moves_freely(ana, bea, photos):
    chat = chat_of(ana, bea)
    send_photo(ana, chat, photos[0])
    there = open_chat(bea, chat)
    photo = there.locator("a.bubble.photo")
    photo.dblclick()
    expect(there.locator("flash-message")).to_have_text("Saved")
    x, y = middle(photo)
    there.mouse.move(x - 100, y, steps=5)
    # What would leave the page has had its chance once this is typed.
    there.get_by_role("textbox", name="Message").fill("Still here")
    expect(there).to_have_url(f"{bea.server.url}/messages/{chat}")


@pytest.mark.long
def test_a_thread_that_scrolls_by_itself_does_not_end_a_hold(ana, bea):
    chat = chat_of(ana, bea)
    for number in range(30):
        bea.post(f"/api/v1/chats/{chat}/messages", text=f"Message {number}")
    here = open_chat(ana, chat)
    finger, thread = Finger(here), here.locator("chat-thread")
    finger.down(middle(thread.get_by_text("Message 29", exact=True)))
    thread.evaluate("thread => { thread.scrollTop = -60; }")
    expect(here.get_by_role("dialog", name="Message")).to_be_visible()
    finger.up()


def test_a_double_tap_or_a_long_press_saves_a_photo(ana, bea, photos):
    chat = chat_of(ana, bea)
    send_photo(ana, chat, photos[0])
    send_photo(ana, chat, photos[1])
    there = open_chat(bea, chat)
    finger, shown = Finger(there), there.locator("a.bubble.photo")
    finger.double_tap(middle(shown.first))
    expect(there.locator("flash-message")).to_have_text("Saved")
    finger.down(middle(shown.last))
    sheet = there.get_by_role("dialog", name="Message")
    expect(sheet).to_be_visible()
    finger.up()
    # Both are in the library once the second is.
    with there.expect_response("**/save"):
        sheet.get_by_role("button", name="Save to library").click()
    expect(sheet).to_be_hidden()
    bea.open("/library")
    expect(there.locator(".grid a[href^='/library/']")).to_have_count(2)
    assert ana.get("/api/v1/notifications?types[]=tintype.saved")


@pytest.mark.long
def test_lifting_the_finger_that_held_a_message_chooses_nothing(ana, bea):
    chat = chat_of(ana, bea)
    ana.post(f"/api/v1/chats/{chat}/messages", text="Keep me")
    # So low a window that the sheet comes up under the finger.
    ana.page.set_viewport_size({"width": 390, "height": 380})
    here = open_chat(ana, chat)
    finger, sheet, message = Finger(here), here.get_by_role("dialog", name="Message"), here.get_by_text("Keep me", exact=True)
    place = middle(message)
    finger.down(place)
    expect(sheet).to_be_visible()
    under = "([x, y]) => document.elementFromPoint(x, y).closest('dialog button')?.textContent"
    assert here.evaluate(under, place) == "Delete for both"
    finger.up()
    # Whatever the lifted finger does, it has done when the next key is heard.
    here.keyboard.press("Shift")
    expect(sheet).to_be_visible()
    here.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    assert [message["text"] for message in bea.get(f"/api/v1/chats/{chat}/messages")] == ["Keep me"]


@pytest.mark.long
def test_a_thread_that_scrolls_by_itself_ends_no_hold(ana, bea):
    chat = chat_of(ana, bea)
    for number in range(30):
        ana.post(f"/api/v1/chats/{chat}/messages", text=f"Message {number}")
    here = open_chat(ana, chat)
    last = here.get_by_text("Message 29", exact=True)
    expect(last).to_be_in_viewport()
    Finger(here).down(middle(last))
    here.locator("chat-thread").evaluate("thread => thread.scrollBy(0, -60)")
    expect(here.get_by_role("dialog", name="Message")).to_be_visible()


def test_a_photo_is_pinched_panned_and_flicked_away(ana, bea, photos):
    chat = chat_of(ana, bea)
    message = send_photo(ana, chat, photos[0])
    open_chat(bea, chat)
    there = bea.page
    there.locator("a.bubble.photo").click()
    there.wait_for_url(f"**/photos/{message}")
    ready(there)
    finger, stage = Finger(there), there.locator("[data-stage]")
    x, y = middle(stage)
    finger.pinch((x, y), 40, 120)
    assert 2.5 < scale(there) < 3.5
    before = stage.locator("img").first.bounding_box()["x"]
    finger.swipe((x, y), (x + 60, y))
    there.wait_for_function(
        "(before) => document.querySelector('[data-stage] img').getBoundingClientRect().x - before > 40", arg=before
    )
    expect(there).to_have_url(f"{bea.server.url}/messages/{chat}/photos/{message}")
    finger.pinch((x, y), 150, 30)
    there.wait_for_function(
        "() => Math.abs(new DOMMatrix(getComputedStyle(document.querySelector('[data-stage] > img')).transform).a - 1) < .01"
    )
    finger.swipe((x, y), (x + 4, y + 260), steps=5)
    there.wait_for_url(f"**/messages/{chat}")
    expect(there.locator("chat-thread")).to_be_visible()


@pytest.mark.long
def test_a_photo_deleted_from_its_owners_library_leaves_the_open_chat(ana, bea, photos):
    chat = chat_of(ana, bea)
    send_photo(ana, chat, photos[0])
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    expect(there.locator("a.bubble.photo")).to_be_visible()
    [photo] = ana.get("/api/v1/photos")
    ana.call("DELETE", f"/api/v1/photos/{photo['id']}?force=true")
    for page in [here, there]:
        expect(page.locator("li.message[data-id]")).to_have_count(0)


@pytest.mark.parametrize("once", [long(False), True])
def test_upload_progress_is_in_the_bubble_and_can_be_cancelled(ana, bea, once):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    session = here.context.new_cdp_session(here)
    slow = {"offline": False, "latency": 20, "downloadThroughput": -1, "uploadThroughput": 2_000}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", slow)
    big = {"name": "noise.png", "mimeType": "image/png", "buffer": random.Random(1).randbytes(400_000)}
    here.get_by_label("Choose photos").set_input_files([big])
    here.get_by_role("switch", name="View once").set_checked(once)
    here.get_by_role("button", name="Send").click()
    bubble = here.locator("message-bubble")
    progress = bubble.get_by_role("progressbar", name="Sending the photo")
    expect(progress).to_be_visible()
    expect(bubble.get_by_text("Photo · view once")).to_have_count(int(once))
    here.wait_for_function("() => document.querySelector('message-bubble progress').value > 0")
    assert size(progress)[0] > 100
    assert accessibility_problems(here) == []
    bubble.get_by_role("button", name="Cancel").click()
    expect(bubble).to_have_count(0)
    assert bea.get(f"/api/v1/chats/{chat}/messages") == []


def test_what_is_no_picture_says_so_and_lets_the_next_message_pass(ana, bea, photos):
    chat = chat_of(ana, bea)
    here = open_chat(ana, chat)
    broken = {"name": "broken.png", "mimeType": "image/png", "buffer": b"not a picture at all"}
    here.get_by_label("Choose photos").set_input_files([broken, broken])
    here.get_by_role("textbox", name="Message").fill("But this is text")
    here.get_by_role("button", name="Send").click()
    refusals = here.get_by_text("Not sent: This file isn’t a picture. Choose a photo")
    expect(refusals).to_have_count(2)
    expect(here.locator("li.message[data-id]").get_by_text("But this is text")).to_be_visible()
    here.get_by_role("button", name="Delete", exact=True).first.click()
    expect(refusals).to_have_count(1)
    assert accessibility_problems(here) == []
    here.get_by_label("Choose another file").set_input_files(photos[0])
    expect(refusals).to_have_count(0)
    expect(here.locator("li.message[data-id] a.bubble.photo")).to_be_visible()
    assert [bool(message["photo"]) for message in bea.get(f"/api/v1/chats/{chat}/messages")] == [True, False]
