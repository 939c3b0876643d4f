"""Where a photo can be edited before it goes anywhere: its page, a post, a message, a snap, the cell of a collage."""

import base64
import json
import random
import re

import pytest
from playwright.sync_api import expect

from chats import chat_of, history, open_chat
from collages import Desk, cell, note, saved
from conftest import long
from holding import Held
from looks import accessibility_problems, scrolls_sideways
from people import ready
from pixels import CONTEXT

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-uploads", "100000"]
MEDIA = "**/api/v2/media"
WIDE = {"viewport": {"width": 1280, "height": 800}, "has_touch": False, "is_mobile": False}

# How red a picture is at its left and at its right, 0 to 255. The first of the test's photos grows from 0 to 255.
REDS = f"""async (image) => {{
  const context = await ({CONTEXT})(image);
  const {{ width, height }} = context.canvas;
  return [.1, .9].map((x) => context.getImageData(x * width, height / 2, 1, 1).data[0]);
}}"""


def is_mirrored(picture):
    """Whether a picture of the first photo shows it mirrored."""
    left, right = picture.evaluate(REDS)
    assert abs(left - right) > 150, (left, right)
    return left > right


def is_file_mirrored(page, content):
    """Whether a file of the first photo shows it mirrored."""
    url = f"data:image/*;base64,{base64.b64encode(content).decode()}"
    left, right = page.evaluate(
        f"async (src) => await ({REDS})(Object.assign(new Image(), {{ src }}))", url
    )
    assert abs(left - right) > 150, (left, right)
    return left > right


def editor(page):
    return page.get_by_role("dialog", name="Edit photo")


def mirror(page):
    """Mirrors the photo that the editor shows, and waits until the editor has closed."""
    editor(page).get_by_role("button", name="Mirror", exact=True).click()
    editor(page).get_by_role("button", name="Done", exact=True).click()
    expect(editor(page)).to_have_count(0)


def edit(page, name):
    """Opens a photo by the button of a name, and mirrors it."""
    page.get_by_role("button", name=name, exact=True).click()
    mirror(page)


def library(person):
    """The photos of somebody's library, newest first: ids and descriptions."""
    return [(photo["id"], photo["description"]) for photo in person.get("/api/v1/photos")]


# ---------------------------------------------------------------- a photo's page


def test_an_edited_photo_is_added_beside_the_original_and_shown(ana, photos):
    original = ana.upload(photos[0], "A gradient")
    page = ana.open("/library")
    page.get_by_role("img", name="A gradient").click()
    page.wait_for_url(f"**/library/{original}")
    ready(page)
    edit(page, "Edit")
    page.wait_for_url(lambda url: re.search(r"/library/\d+$", url) and not url.endswith(original))
    [(edited, words), kept] = library(ana)
    assert page.url.endswith(f"/library/{edited}") and words == "A gradient"
    assert kept == (original, "A gradient")
    assert is_mirrored(page.locator("[data-stage] > img").first)
    assert is_file_mirrored(page, ana.bytes(f"/api/v1/photos/{edited}/original"))
    assert ana.bytes(f"/api/v1/photos/{original}/original") == photos[0].read_bytes()
    # Done leads to the library, where both are.
    page.get_by_role("link", name="Done").click()
    page.wait_for_url("**/library")
    expect(page.get_by_role("img", name="A gradient")).to_have_count(2)


def test_keys_in_the_editor_do_nothing_to_the_photo_behind_it_and_cancelling_changes_nothing(ana, photos):
    older, newer = ana.upload(photos[1], "Older"), ana.upload(photos[0], "Newer")
    page = ana.open(f"/library/{newer}")
    button = page.get_by_role("button", name="Edit", exact=True)
    button.click()
    expect(editor(page)).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(editor(page)).to_have_count(0)
    expect(page).to_have_url(f"{ana.server.url}/library/{newer}")
    expect(button).to_be_focused()
    button.click()
    editor(page).get_by_role("button", name="Cancel", exact=True).click()
    expect(editor(page)).to_have_count(0)
    expect(page).to_have_url(f"{ana.server.url}/library/{newer}")
    assert [id for id, _ in library(ana)] == [newer, older]
    # The button of the next photo edits that one.
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{ana.server.url}/library/{older}")
    with page.expect_request(f"**/api/v1/photos/{older}/original"):
        button.click()
    expect(editor(page)).to_be_visible()


def test_a_photo_that_the_browser_cannot_draw_is_edited_from_a_jpeg_of_its_original(ana, photos):
    original = ana.upload(photos[0], "From an iPhone")
    page = ana.open(f"/library/{original}")
    page.route("**/original", lambda route: route.fulfill(body=b"\0\0\0\x18ftypheic", content_type="image/heic"))
    with page.expect_response(f"**/photos/{original}/full") as full:
        page.get_by_role("button", name="Edit", exact=True).click()
    assert full.value.headers["content-type"] == "image/jpeg"
    mirror(page)
    page.wait_for_url(lambda url: re.search(r"/library/\d+$", url) and not url.endswith(original))
    assert is_mirrored(page.locator("[data-stage] > img").first)


def test_the_upload_of_an_edited_photo_shows_how_far_it_is_and_can_be_cancelled(ana, photos):
    original = ana.upload(photos[0])
    page = ana.open(f"/library/{original}")
    uploads = Held(page, MEDIA)
    edit(page, "Edit")
    uploads.take()
    sheet = page.get_by_role("dialog", name="Saving the edited photo")
    expect(sheet.get_by_role("progressbar", name="Saving the edited photo")).to_be_visible()
    assert accessibility_problems(page) == []
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/api/v2/media")):
        sheet.get_by_role("button", name="Cancel").click()
    question = page.get_by_role("dialog", name="Discard the edited photo?")
    question.get_by_role("button", name="Keep saving").click()
    uploads.take()
    sheet.get_by_role("button", name="Cancel").click()
    question.get_by_role("button", name="Discard").click()
    expect(sheet).to_have_count(0)
    expect(page).to_have_url(f"{ana.server.url}/library/{original}")
    assert len(library(ana)) == 1


def test_what_keeps_an_edited_photo_from_being_saved_is_said(ana, photos):
    original = ana.upload(photos[0])
    page = ana.open(f"/library/{original}")
    refusal = json.dumps({"error": "Your library is full."})
    page.route(MEDIA, lambda route: route.fulfill(status=422, body=refusal, content_type="application/json"))
    edit(page, "Edit")
    sheet = page.get_by_role("dialog", name="Saving the edited photo")
    expect(sheet.get_by_role("alert")).to_have_text("Your library is full.")
    expect(sheet.get_by_role("button", name="Try again")).to_be_hidden()
    sheet.get_by_role("button", name="Cancel").click()
    page.get_by_role("dialog", name="Discard the edited photo?").get_by_role("button", name="Discard").click()
    expect(sheet).to_have_count(0)
    assert len(library(ana)) == 1


def test_an_original_that_does_not_arrive_is_asked_for_again(ana, photos):
    original = ana.upload(photos[0])
    page = ana.open(f"/library/{original}")
    originals = Held(page, "**/original")
    page.get_by_role("button", name="Edit", exact=True).click()
    originals.take().abort("connectionreset")
    sheet = page.get_by_role("dialog", name="Loading the photo")
    expect(sheet.get_by_role("alert")).to_have_text("No connection. Check the network and try again.")
    sheet.get_by_role("button", name="Try again").click()
    originals.take().continue_()
    expect(editor(page)).to_be_visible()


@pytest.mark.long
def test_what_the_server_made_is_edited_where_it_was_made(ana, photos):
    desk = Desk(ana, photos)
    made = ana.post(f"{desk.path}/finish", size=512)["id"]
    page = ana.open(f"/library/{made}")
    expect(page.get_by_role("link", name="Edit collage")).to_be_visible()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_have_count(0)


# ---------------------------------------------------------------- a new post


def chosen(page):
    """The ids of the photos of a new post, in order."""
    return page.get_by_role("list", name="Chosen photos, in order").get_by_role("listitem")


def test_an_edited_photo_takes_its_place_in_a_post_with_its_description(ana, photos):
    first, second = ana.upload(photos[1], "First"), ana.upload(photos[0], "Second")
    page = ana.open(f"/posts/new?photo={first}&photo={second}")
    expect(page.get_by_role("button", name="Edit photo 1")).to_be_visible()
    page.get_by_label("Description of photo 2").fill("Another way round")
    edit(page, "Edit photo 2")
    expect(chosen(page).nth(1)).not_to_have_attribute("data-id", second)
    expect(page.get_by_label("Description of photo 2")).to_have_value("Another way round")
    expect(page.locator("[data-chosen-count]")).to_have_text("2 of 10")
    assert is_mirrored(chosen(page).nth(1).locator("img"))
    # The original stays among the photos to choose from.
    expect(page.get_by_role("checkbox", name="Second")).not_to_be_checked()
    page.get_by_label("Caption").fill("Edited")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("post-card")).to_have_count(1)
    pictures = ana.get("/api/v1/timelines/home")[0]["media_attachments"]
    assert [picture["description"] for picture in pictures] == ["First", "Another way round"]
    assert pictures[0]["id"] == first and pictures[1]["id"] != second
    assert is_file_mirrored(page, ana.bytes(f"/photos/{pictures[1]['id']}/large"))
    assert sorted(words for _, words in library(ana)) == ["Another way round", "First", "Second"]


@pytest.mark.long
def test_an_uploaded_photo_is_edited_twice_and_moved(ana, photos):
    page = ana.open("/posts/new")
    page.get_by_label("Choose photos").set_input_files(photos[:2])
    expect(chosen(page)).to_have_count(2)
    ids = [item.get_attribute("data-id") for item in chosen(page).all()]
    which = next(index for index, id in enumerate(ids) if is_wide(ana, id)) + 1
    edit(page, f"Edit photo {which}")
    expect(chosen(page).nth(which - 1)).not_to_have_attribute("data-id", ids[which - 1])
    once = chosen(page).nth(which - 1).get_attribute("data-id")
    page.get_by_role("button", name=f"Move photo {which}").press("ArrowUp" if which == 2 else "ArrowDown")
    expect(chosen(page).nth(2 - which)).to_have_attribute("data-id", once)
    edit(page, f"Edit photo {3 - which}")
    expect(chosen(page).nth(2 - which)).not_to_have_attribute("data-id", once)
    assert not is_mirrored(chosen(page).nth(2 - which).locator("img"))
    assert len(library(ana)) == 4


def is_wide(person, id):
    original = person.get(f"/api/v1/photos/{id}")["meta"]["original"]
    return original["width"] > original["height"]


# ---------------------------------------------------------------- a message


def test_edited_photos_of_a_message_are_sent_with_their_descriptions_and_nothing_before(ana, bea, photos):
    chat = chat_of(ana, bea)
    mine = ana.upload(photos[0], "From my library")
    here = open_chat(ana, chat)
    here.get_by_label("Choose photos").set_input_files(photos[0])
    here.get_by_role("button", name="Add alt text to photo 1").click()
    here.get_by_role("textbox", name="Description").fill("From a file")
    here.get_by_role("button", name="Save").click()
    here.get_by_role("button", name="Photos").click()
    here.get_by_role("checkbox", name="From my library").check()
    here.get_by_role("button", name="Add 1").click()
    tray = here.locator("[data-tray] > li")
    expect(tray).to_have_count(2)
    for number in (1, 2):
        edit(here, f"Edit photo {number}")
        expect(here.get_by_role("button", name=f"Edit photo {number}")).to_be_focused()
        assert is_mirrored(tray.nth(number - 1).locator("img"))
    expect(here.get_by_role("button", name="alt text").first).to_have_accessible_name("Edit alt text of photo 1")
    expect(here.get_by_role("button", name="alt text").last).to_have_accessible_name("Edit alt text of photo 2")
    assert accessibility_problems(here) == []
    assert library(ana) == [(mine, "From my library")], "nothing is uploaded before it is sent"
    here.get_by_role("button", name="Send").click()
    expect(here.locator("li.message[data-id] a.bubble.photo")).to_have_count(2)
    sent = [message["photo"] for message in history(bea, chat)]
    assert [photo["description"] for photo in sent] == ["From a file", "From my library"]
    assert mine not in [photo["id"] for photo in sent]
    for photo in sent:
        assert is_file_mirrored(here, bea.bytes(f"/photos/{photo['id']}/large"))


def test_an_edited_photo_to_be_seen_once_is_never_a_photo_of_the_library(ana, bea, photos):
    chat = chat_of(ana, bea)
    mine = ana.upload(photos[0], "Just once")
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    here.get_by_role("button", name="Photos").click()
    here.get_by_role("checkbox", name="Just once").check()
    here.get_by_role("button", name="Add 1").click()
    edit(here, "Edit photo 1")
    here.get_by_role("switch", name="View once").check()
    here.get_by_role("button", name="Send").click()
    there.get_by_role("button", name="Photo · view once").click()
    picture = there.get_by_alt_text("Just once")
    expect(picture).to_be_visible()
    assert is_mirrored(picture)
    assert library(ana) == [(mine, "Just once")]


@pytest.mark.long
def test_a_library_photo_without_a_description_has_none_after_it_was_edited(ana, bea, photos):
    chat = chat_of(ana, bea)
    ana.upload(photos[0])
    here = open_chat(ana, chat)
    here.get_by_role("button", name="Photos").click()
    # Among the photos to choose from it is known by its day.
    here.get_by_role("checkbox", name="Photo of").check()
    here.get_by_role("button", name="Add 1").click()
    edit(here, "Edit photo 1")
    expect(here.get_by_role("button", name="Add alt text to photo 1")).to_be_visible()
    here.get_by_role("button", name="Send").click()
    expect(here.locator("li.message[data-id] a.bubble.photo")).to_have_count(1)
    [message] = history(bea, chat)
    assert message["photo"]["description"] is None


# ---------------------------------------------------------------- a snap


def picture_of_the_snap(person):
    """What the only snap in memes shows, and what it says of that."""
    [own] = person.get("/api/v1/snaps")[0]["snaps"]
    view = person.post(f"/api/v1/snaps/{own['id']}/open")["view"]
    return person.bytes(view["url"][view["url"].index("/api") :]), view["description"]


def post_to_memes(page):
    page.get_by_label("memes").check()
    page.get_by_role("button", name="Post").click()
    page.get_by_role("button", name="OK").click()
    page.wait_for_url("**/snaps/new")


@pytest.fixture
def maker(people):
    """Somebody without a camera, on the page of the camera."""
    ana = people(f"maker{random.randrange(10**8)}")
    ana.page.context.clear_permissions()
    page = ana.open("/snaps/camera")
    expect(page.locator("snap-camera")).to_have_attribute("data-state", "none")
    return ana


def test_a_chosen_file_is_edited_before_it_is_uploaded_as_a_snap(maker, photos):
    page = maker.page
    uploads = []
    page.on("request", lambda request: request.url.endswith("/api/v2/media") and uploads.append(request))
    page.get_by_label("Choose a picture").set_input_files(photos[1])
    expect(page.get_by_role("img", name="The picture just chosen")).to_be_visible()
    page.get_by_label("Choose another").set_input_files(photos[0])
    shown = page.get_by_role("img", name="The picture just chosen")
    expect(shown).to_be_visible()
    assert not is_mirrored(shown)
    edit(page, "Edit")
    expect(page.get_by_role("button", name="Use")).to_be_focused()
    assert is_mirrored(shown)
    assert accessibility_problems(page) == []
    assert uploads == []
    page.get_by_role("button", name="Use").click()
    expect(page.get_by_role("img", name="The picture you chose")).to_be_visible()
    # Back leads to the edited picture, which can be edited further.
    page.get_by_role("link", name="Camera").click()
    expect(shown).to_be_visible()
    page.get_by_role("button", name="Use").click()
    page.get_by_label("Description").fill("The other way round")
    post_to_memes(page)
    content, words = picture_of_the_snap(maker)
    assert is_file_mirrored(page, content) and words == "The other way round"
    assert len(uploads) == 1
    assert library(maker) == []


def test_a_file_that_the_browser_cannot_draw_can_be_used_as_it_is(maker):
    page = maker.page
    heic = {"name": "photo.heic", "mimeType": "image/heic", "buffer": b"\0\0\0\x18ftypheic"}
    page.get_by_label("Choose a picture").set_input_files(heic)
    expect(page.get_by_text("This browser can’t show this picture")).to_be_visible()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Use").click()
    expect(page.get_by_role("button", name="Post")).to_be_visible()


@pytest.mark.long
def test_a_shot_picture_is_edited_retaken_and_edited_again(people, whole_browser):
    ana = people(f"shooter{random.randrange(10**8)}", browser=whole_browser)
    ana.page.context.grant_permissions(["camera"], origin=ana.server.url)
    page = ana.open("/snaps/camera")
    camera = page.locator("snap-camera")
    for _ in range(2):
        expect(camera).to_have_attribute("data-state", "live")
        page.get_by_role("button", name="Take the picture").click()
        taken = page.get_by_role("img", name="The picture just taken")
        before = taken.get_attribute("src")
        edit(page, "Edit")
        expect(taken).not_to_have_attribute("src", before)
        page.get_by_role("button", name="Retake").click()
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Take the picture").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    editor(page).get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("button", name="Use").click()
    post_to_memes(page)
    assert library(ana) == []


def undo(page, name):
    """Opens an edited photo by the button of a name, and undoes what was done to it."""
    page.get_by_role("button", name=name, exact=True).click()
    editor(page).get_by_role("button", name="Undo", exact=True).click()
    editor(page).get_by_role("button", name="Done", exact=True).click()
    expect(editor(page)).to_have_count(0)


def test_what_was_done_to_a_picture_can_be_undone_when_it_is_edited_again(maker, ana, bea, photos):
    page = maker.page
    page.get_by_label("Choose a picture").set_input_files(photos[0])
    edit(page, "Edit")
    shown = page.get_by_role("img", name="The picture just chosen")
    assert is_mirrored(shown)
    undo(page, "Edit")
    assert not is_mirrored(shown)
    tray = open_chat(ana, chat_of(ana, bea))
    tray.get_by_label("Choose photos").set_input_files(photos[0])
    edit(tray, "Edit photo 1")
    undo(tray, "Edit photo 1")
    assert not is_mirrored(tray.locator("[data-tray] img"))


def test_an_edited_picture_is_not_lost_unasked_and_said_to_be_gone(ana, photos):
    mine = ana.upload(photos[0], "Soft colours")
    page = ana.open(f"/snaps/new/{mine}")
    ready(page)
    edit(page, "Edit")
    edited = page.get_by_role("img", name="The picture you chose")
    expect(edited).to_be_visible()
    with page.expect_event("dialog") as asked:
        page.evaluate("() => void setTimeout(() => location.assign('/library'))")
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    expect(edited).to_be_visible()
    with page.expect_event("dialog") as asked:
        page.evaluate("() => void setTimeout(() => location.reload())")
    with page.expect_navigation():
        asked.value.accept()
    ready(page)
    expect(page.get_by_role("alert").filter(has_text="gone")).to_have_text("Your edited picture is gone. Edit it again.")
    assert accessibility_problems(page) == []
    edit(page, "Edit")
    expect(page.get_by_text("Your edited picture is gone.")).to_have_count(0)
    post_to_memes(page)
    content, _ = picture_of_the_snap(ana)
    assert is_file_mirrored(page, content)
    # It was sent, so nothing is gone.
    page.goto(f"/snaps/new/{mine}")
    ready(page)
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    expect(page.get_by_text("Your edited picture is gone.")).to_have_count(0)


@pytest.mark.parametrize("picture", ["library", long("predefined")])
def test_a_chosen_picture_is_edited_for_a_snap_and_the_edited_one_is_no_library_photo(ana, photos, picture):
    mine = ana.upload(photos[0], "Soft colours")
    page = ana.open("/snaps/new")
    name = "Soft colours" if picture == "library" else "dachshund"
    page.get_by_role("img", name=name).first.click()
    page.wait_for_url("**/snaps/new/*")
    ready(page)
    whole = page.get_by_role("img", name=name)
    before = ana.bytes(f"/photos/{mine}/large")
    edit(page, "Edit")
    expect(whole).to_have_count(0)
    edited = page.get_by_role("img", name="The picture you chose")
    expect(edited).to_be_visible()
    # And back again, from the edited picture.
    edit(page, "Edit")
    expect(edited).to_be_visible()
    edit(page, "Edit")
    expect(edited).to_be_visible()
    assert accessibility_problems(page) == []
    post_to_memes(page)
    content, words = picture_of_the_snap(ana)
    if picture == "library":
        assert is_file_mirrored(page, content) and words == "Soft colours"
    assert "dachshund" in words or picture == "library"
    assert library(ana) == [(mine, "Soft colours")]
    assert ana.bytes(f"/photos/{mine}/large") == before


# ---------------------------------------------------------------- the cell of a collage


def test_an_edited_photo_fills_the_same_cell_and_undo_brings_the_original_back(ana, photos):
    desk = Desk(ana, photos)
    page = desk.page()
    first = desk.photos[0]
    cell(page, 1).click()
    page.get_by_role("dialog", name="Photo 1").get_by_label("Zoom").fill("2")
    saved(page)
    page.get_by_role("button", name="Edit photo 1").click()
    mirror(page)
    expect(note(page)).to_have_text("Edited photo 1.")
    saved(page)
    expect(cell(page, 1)).to_be_focused()
    expect(cell(page, 1)).to_have_accessible_name(re.compile("Bridge"))
    [edited, *others] = desk.shown
    assert edited != first and others == desk.photos[1:]
    assert edited == library(ana)[0][0] and len(library(ana)) == 4
    assert is_file_mirrored(page, ana.bytes(f"/photos/{edited}/large"))
    # A photo of the same proportions shows the same part.
    assert desk.draft["cells"][0]["zoom"] == 2
    page.get_by_role("button", name="Undo").click()
    saved(page)
    assert desk.shown == desk.photos


def test_keys_in_the_editor_do_nothing_to_the_collage_behind_it(ana, photos):
    desk = Desk(ana, photos)
    page = desk.page()
    cell(page, 1).click()
    page.get_by_role("button", name="Remove photo").click()
    saved(page)
    cell(page, 2).click()
    page.get_by_role("button", name="Edit photo 2").click()
    expect(editor(page)).to_be_visible()
    page.keyboard.press("Control+z")
    page.keyboard.press("Escape")
    expect(editor(page)).to_have_count(0)
    saved(page)
    assert desk.shown[0] is None
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()


def test_a_file_for_a_shared_collage_is_edited_before_the_others_see_it(friends, photos):
    ana, bea = friends
    desk = Desk(ana, photos, filled=1, people=[bea])
    page = desk.page()
    before = library(ana)
    look = page.get_by_role("dialog", name="Add this photo?")
    cell(page, 2).click()
    for choice in ["Cancel", "Edit"]:
        # Cancel leads back to the sheet.
        page.get_by_label("Choose photos").set_input_files(photos[0])
        expect(look.get_by_alt_text("Your photo")).to_be_visible()
        assert accessibility_problems(page) == []
        look.get_by_role("button", name=choice).click()
    mirror(page)
    expect(look).to_be_visible()
    assert library(ana) == before and desk.shown[1] is None
    look.get_by_role("button", name="Add photo").click()
    saved(page)
    expect(cell(page, 2)).to_have_accessible_name("Cell 2 of 3: photo")
    [(added, _), *rest] = library(ana)
    assert rest == before and desk.shown[1] == added
    assert is_file_mirrored(page, ana.bytes(f"/photos/{added}/large"))


@pytest.mark.long
def test_only_your_own_photo_of_a_collage_can_be_edited(friends, photos):
    ana, bea = friends
    desk = Desk(ana, photos, filled=1, people=[bea])
    desk.fill(1, bea.upload(photos[2], "Harbour"), by=bea)
    page = desk.page()
    for number, others in [(1, False), (2, True)]:
        cell(page, number).click()
        expect(page.get_by_role("dialog", name=f"Photo {number}")).to_be_visible()
        expect(page.get_by_role("button", name=f"Edit photo {number}")).to_have_count(0 if others else 1)
        page.keyboard.press("Escape")


# ---------------------------------------------------------------- how it looks, and where it can't be


class Places:
    """The pages on which photos can be edited, each with a photo."""

    def __init__(self, ana, bea, photos):
        self.ana, self.photos = ana, photos
        self.photo = ana.upload(photos[0], "A gradient")
        self.chat = chat_of(ana, bea)
        self.desk = Desk(ana, photos)

    def each(self, page):
        """Opens each, with the name of its button."""
        for path, name in [(f"/library/{self.photo}", "Edit"), (f"/posts/new?photo={self.photo}", "Edit photo 1"),
                           (f"/snaps/new/{self.photo}", "Edit")]:
            page.goto(path)
            ready(page)
            yield path, name
        page.goto(f"/messages/{self.chat}")
        ready(page)
        page.get_by_label("Choose photos").set_input_files(self.photos[:2])
        expect(page.locator("[data-tray] > li")).to_have_count(2)
        yield "/messages", "Edit photo 1"
        page.goto("/snaps/camera")
        expect(page.locator("snap-camera")).to_have_attribute("data-state", "none")
        page.get_by_label("Choose a picture").set_input_files(self.photos[0])
        expect(page.get_by_role("button", name="Use")).to_be_visible()
        yield "/snaps/camera", "Edit"
        page.goto(f"/collage/{self.desk.id}")
        page.wait_for_selector("collage-editor[data-saved]", state="attached")
        cell(page, 1).click()
        expect(page.get_by_role("dialog", name="Photo 1")).to_be_visible()
        yield "/collage", "Edit photo 1"


# How large the area is in which a tap reaches a control, in CSS pixels from its middle.
REACH = """(button) => {
  const { x, y, width, height } = button.getBoundingClientRect();
  const [left, top] = [x + width / 2, y + height / 2];
  const reaches = (dx, dy) => button.contains(document.elementFromPoint(left + dx, top + dy));
  return [[-21, 0], [21, 0], [0, -21], [0, 21]].filter(([dx, dy]) => !reaches(dx, dy));
}"""


@pytest.mark.parametrize("how", ["phone", long("wide"), long("dark")])
def test_every_button_can_be_reached_by_a_finger_and_read(ana, bea, photos, phone, how):
    places = Places(ana, bea, photos)
    settings = {"phone": {}, "wide": WIDE, "dark": {"color_scheme": "dark"}}[how]
    page = phone(ana, **settings).page
    page.context.clear_permissions()
    for path, name in places.each(page):
        button = page.get_by_role("button", name=name, exact=True)
        button.scroll_into_view_if_needed()
        assert button.evaluate(REACH) == [], path
        assert not scrolls_sideways(page), path
        assert accessibility_problems(page) == [], path


@pytest.mark.long
def test_a_browser_that_cannot_edit_has_no_buttons_for_it(ana, bea, photos):
    places = Places(ana, bea, photos)
    ana.page.context.clear_permissions()
    ana.page.add_init_script("delete globalThis.OffscreenCanvas")
    for path, name in places.each(ana.page):
        buttons = ana.page.get_by_role("button", name=name, exact=True)
        assert buttons.count() == 0, path


@pytest.mark.long
def test_without_scripts_photos_go_as_they_are(ana, photos, phone):
    photo = ana.upload(photos[0], "A gradient")
    page = phone(ana, java_script_enabled=False).page
    for path in [f"/library/{photo}", f"/posts/new?photo={photo}", f"/snaps/new/{photo}", "/snaps/camera"]:
        page.goto(path)
        expect(page.locator("main")).to_be_visible()
        expect(page.get_by_role("button", name=re.compile("^Edit"))).to_have_count(0)
    page.goto(f"/snaps/new/{photo}")
    page.get_by_label("memes").check()
    page.get_by_role("button", name="Post").click()
    page.wait_for_url("**/snaps/new")
    assert len(ana.get("/api/v1/snaps")[0]["snaps"]) == 1
