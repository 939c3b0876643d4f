"""Photos: uploads that can be watched, cancelled and tried again; the library; one photo in full screen."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from conftest import long
from holding import Held
from looks import accessibility_problems
from pairs import SHARE_SHEET
from people import ready
from touch import Finger, middle

MEDIA = "**/api/v2/media"


def add_photos(page):
    """Opens the sheet; its file input."""
    page.get_by_role("button", name="Add photos").first.click()
    return page.get_by_role("dialog", name="Add photos").get_by_label("Choose photos")


def stored(person):
    return [photo["id"] for photo in person.get("/api/v1/photos")]


def test_several_photos_are_added_at_once_and_stand_newest_first(ana, photos):
    page = ana.open("/library")
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    add_photos(page).set_input_files(photos)
    expect(page.locator(".grid li")).to_have_count(3)
    shown = page.locator(".grid li").evaluate_all("(cells) => cells.map((cell) => cell.dataset.id)")
    assert shown == stored(ana) == sorted(shown, key=int, reverse=True)


@pytest.mark.long
def test_a_photo_that_is_chosen_before_the_scripts_are_there_is_sent(ana, photos):
    page = ana.page
    script = Held(page, "**/photo-upload.js")
    page.goto("/library", wait_until="commit")
    late = script.take()
    page.get_by_label("Choose photos").set_input_files(photos[0])
    late.continue_()
    expect(page.locator(".grid li")).to_have_count(1)
    assert len(stored(ana)) == 1


@pytest.mark.long
def test_create_leads_straight_to_the_sheet_that_adds_photos_once(ana, photos):
    page = ana.open("/create")
    page.get_by_role("link", name="Photo Straight into your library").click()
    sheet = page.get_by_role("dialog", name="Add photos")
    expect(sheet).to_be_visible()
    sheet.get_by_label("Choose photos").set_input_files(photos[0])
    expect(page.locator(".grid li")).to_have_count(1)
    page.reload()
    ready(page)
    expect(sheet).to_be_hidden()


def test_an_upload_shows_its_progress_and_can_be_cancelled(ana, photos):
    page = ana.open("/library")
    held = []
    page.route(MEDIA, lambda route: held.append(route))
    add_photos(page).set_input_files(photos[0])
    expect(page.get_by_role("progressbar", name=f"Uploading {photos[0].name}")).to_be_visible()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    assert len(held) == 1 and stored(ana) == []


def test_a_lost_answer_is_asked_for_again_and_makes_no_second_copy(ana, photos):
    page = ana.open("/library")
    keys = []

    def lose_the_first_answer(route):
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route(MEDIA, lose_the_first_answer)
    add_photos(page).set_input_files(photos[0])
    expect(page.locator(".grid li")).to_have_count(1)
    assert len(keys) == 2 and keys[0] == keys[1]
    assert len(stored(ana)) == 1


@pytest.mark.parametrize("last", ["broken.jpg", long("photo-0.png")])
def test_a_file_that_is_no_picture_says_so_and_the_others_go_on(ana, photos, tmp_path, last):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff\xe0 and then nothing that a picture has")
    page = ana.open("/library")
    held = []

    def answer_last(route):
        if f'filename="{last}"'.encode() in route.request.post_data_buffer:
            held.append(route)
        else:
            route.continue_()

    page.route(MEDIA, answer_last)
    with page.expect_response(MEDIA):
        add_photos(page).set_input_files([broken, photos[0]])
    held.pop().continue_()
    row = page.get_by_role("dialog").get_by_role("listitem").filter(has=page.get_by_role("img", name="broken.jpg"))
    expect(row.get_by_role("alert")).to_contain_text(re.compile("picture|read", re.I))
    expect(row.get_by_role("button", name="Retry")).to_be_hidden()
    row.get_by_role("button", name="Cancel").click()
    expect(page.locator(".grid li")).to_have_count(1)
    assert len(stored(ana)) == 1


@pytest.mark.long
def test_a_refused_server_offers_retry(ana, photos):
    page = ana.open("/library")
    page.clock.install()
    page.route(MEDIA, lambda route: route.fulfill(status=503, json={"error": "The server is full. Try again."}))
    add_photos(page).set_input_files(photos[0])
    alert = page.get_by_role("alert").filter(has_text="The server is full.")
    # It tries again by itself three times first, with growing pauses.
    for _ in range(40):
        page.clock.run_for(1_000)
        if alert.is_visible():
            break
    expect(alert).to_be_visible()
    page.unroute(MEDIA)
    page.get_by_role("button", name="Retry").click()
    expect(page.locator(".grid li")).to_have_count(1)


def test_the_viewer_turns_by_keys_and_flicks_zooms_and_closes(ana, photos):
    newest, second, oldest = [ana.upload(path, path.name) for path in photos][::-1]
    page = ana.open("/library")
    page.locator(".grid a").first.click()
    expect(page).to_have_url(re.compile(f"/library/{newest}$"))
    ready(page)
    stage = page.locator("[data-stage]")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"/library/{second}$"))
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(f"/library/{newest}$"))
    finger = Finger(page)
    x, y = middle(stage)
    for _ in range(2):
        before = page.url
        # The neighbour is pulled in once it has been loaded.
        expect(stage.locator("img[aria-hidden=true]").last).to_be_attached()
        finger.swipe((x + 140, y), (x - 140, y))
        expect(page).not_to_have_url(before)
    expect(page).to_have_url(re.compile(f"/library/{oldest}$"))
    photo = stage.locator("img:not([aria-hidden=true])")
    width = photo.bounding_box()["width"]
    finger.pinch((x, y), 40, 120)
    assert photo.bounding_box()["width"] > 1.5 * width
    finger.pinch((x, y), 150, 20)
    finger.swipe((x, y - 40), (x, y + 260))
    expect(page).to_have_url(re.compile("/library$"))


def test_a_photo_is_deleted_after_a_question_that_says_what_goes_with_it(ana, photos):
    ana.share("A dog", photos[0])
    page = ana.open("/library")
    page.locator(".grid a").first.click()
    ready(page)
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Delete").first.click()
    question = page.get_by_role("dialog", name="Delete this photo?")
    expect(question).to_contain_text("one post")
    question.get_by_role("button", name="Keep it").click()
    expect(question).to_be_hidden()
    page.get_by_role("button", name="Delete").first.click()
    question.get_by_role("button", name="Delete photo").click()
    expect(page.get_by_text("Photo deleted.")).to_be_visible()
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    assert stored(ana) == [] and ana.get("/api/v1/timelines/home") == []


@pytest.mark.long
def test_a_thousand_photos_are_paged_without_losing_the_place(ana, photos):
    newest = int(ana.upload(photos[0], "The newest"))
    with ana.server.database() as database:
        database.execute(
            """
            WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 999)
            INSERT INTO photos (id, owner_id, kind, description, width, height, blurhash, colour, format)
            SELECT id - n * 4096, owner_id, kind, 'Number ' || n, width, height, blurhash, colour, format
            FROM photos, counted WHERE id = ?
            """,
            [newest],
        )
    page = ana.open("/library")
    cells = page.locator(".grid li[data-id]")
    seen = cells.count()
    while seen < 600:
        cells.last.scroll_into_view_if_needed()
        expect(cells.nth(seen)).to_be_attached()
        seen = cells.count()
    # What comes in meanwhile shifts nothing and comes twice nowhere.
    ana.upload(photos[1], "Just now")
    cell = cells.nth(500)
    id, top = cell.get_attribute("data-id"), cell.evaluate("(cell) => (cell.scrollIntoView(), cell.getBoundingClientRect().top)")
    cell.get_by_role("link").click()
    expect(page).to_have_url(re.compile(f"/library/{id}$"))
    ready(page)
    page.get_by_role("link", name="Done").click()
    page.wait_for_url("**/library")
    again = page.locator(f".grid li[data-id='{id}']")
    expect(again).to_be_in_viewport()
    assert abs(again.evaluate("(cell) => cell.getBoundingClientRect().top") - top) < 2
    while cells.count() < 1000:
        seen = cells.count()
        cells.last.scroll_into_view_if_needed()
        expect(cells.nth(seen)).to_be_attached()
    ids = cells.evaluate_all("(cells) => cells.map((cell) => cell.dataset.id)")
    assert [str(newest - n * 4096) for n in range(1000)] == [one for one in ids if int(one) <= newest]


@pytest.mark.long
def test_buttons_below_a_photo_are_a_fingers_width_apart(ana, photos):
    collage = ana.post("/api/v1/collage_drafts", layout_id="side-by-side")["id"]
    photo = ana.upload(photos[0])
    for index in range(2):
        body = f'{{"photo_id": "{photo}"}}'.encode()
        ana.call("PUT", f"/api/v1/collage_drafts/{collage}/cells/{index}", body, "application/json")
    made = ana.post(f"/api/v1/collage_drafts/{collage}/finish", size=512)["id"]
    page = ana.open(f"/library/{made}")
    symbols = page.locator(".viewer-tools .symbol")
    middles = [middle(symbol) for symbol in symbols.all()]
    assert len(middles) == 3
    for (one, _), (other, _) in itertools.pairwise(sorted(middles)):
        assert other - one >= 44


@pytest.mark.long
def test_every_photo_has_the_menu_that_sends_it_on(ana, photos):
    older, newer = ana.upload(photos[0], "Older"), ana.upload(photos[1], "Newer")
    ana.page.add_init_script(f"({SHARE_SHEET})()")
    page = ana.open(f"/library/{newer}")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"/library/{older}$"))
    page.get_by_role("button", name="Share").click()
    sheet = page.get_by_role("dialog", name="Share")
    expect(sheet.get_by_role("link", name="Send to a friend")).to_have_attribute("href", f"/library/{older}/send")
    assert accessibility_problems(page) == []
    sheet.get_by_role("button", name="Share with another app").click()
    page.wait_for_selector("html[data-shared]", state="attached")
    shared = page.evaluate("shared")
    assert shared["members"] == ["files"] and shared["type"] == "image/jpeg" and shared["size"] > 1000
    sheet.get_by_role("link", name="Snap").click()
    expect(page).to_have_url(re.compile(f"/snaps/new/{older}$"))


def test_a_photo_is_sent_to_a_friend_from_the_library(ana, bea, photos):
    photo = ana.upload(photos[0], "Soft colours")
    page = ana.open(f"/library/{photo}")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("link", name="Send to a friend").click()
    page.get_by_role("checkbox", name=bea.username).check()
    page.get_by_role("button", name="Send", exact=True).click()
    expect(page.get_by_text("Sent to 1 friend.")).to_be_visible()
    chat = bea.get("/api/v1/chats")[0]
    assert chat["last_message"]["photo"]["description"] == "Soft colours"
