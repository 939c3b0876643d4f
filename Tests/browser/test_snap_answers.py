"""A snap is answered: with an emoji, with Reply, by a swipe up, without scripts."""

import re

import pytest
from playwright.sync_api import expect

from chats import chat_of, history, open_chat, send_once
from conftest import long
from holding import Held
from looks import accessibility_problems
from people import ready
from snaps import expect_gone, open_first, snap, status, still_no_more, viewer
from test_chats import say
from test_groups import group_of, name
from touch import Finger, STILLNESS

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def buttons(page):
    """The buttons over the picture."""
    return viewer(page).get_by_role("group", name="Answer")


def swipe_up(page, distance=200):
    """Swipes up on the picture, beside the buttons."""
    expect(buttons(page)).to_be_visible()
    Finger(page).swipe((190, 420), (196, 420 - distance))


def bubble(page, text):
    return page.locator("li.message[data-id]", has_text=text)


@pytest.mark.parametrize("way", ["button", "swipe"])
def test_reply_opens_the_chat_with_the_snap_quoted(friends, way):
    ana, ben = friends
    id = snap(ana)
    page = ben.open("/snaps")
    open_first(page)
    if way == "button":
        assert accessibility_problems(page) == []
        buttons(page).get_by_role("button", name="Reply").click()
    else:
        swipe_up(page)
    page.wait_for_url(re.compile(r"/messages/\d+\?snap="))
    ready(page)
    expect(page.get_by_text(f"Reply to {name(ana)}’s snap")).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    # The look is over.
    assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 410
    say(page, "Where was that?")
    expect(page.locator("[data-answering]")).to_be_hidden()
    expect(bubble(page, "Where was that?")).to_contain_text(f"{name(ana)}’s snap")
    chat = chat_of(ana, ben)
    assert [message["snap_id"] for message in history(ana, chat)] == [id]
    there = open_chat(ana, chat)
    expect(bubble(there, "Where was that?")).to_contain_text("Your snap")
    expect(there.locator(".quote img")).to_have_count(0)
    # A reload doesn't begin the answer again, and Back leads to the snaps.
    page.reload()
    ready(page)
    expect(page.locator("[data-answering]")).to_be_hidden()
    page.go_back()
    page.wait_for_url("**/snaps")
    expect_gone(page)


def test_an_emoji_arrives_at_once_and_the_picture_stays(friends):
    ana, ben = friends
    snap(ana)
    there = open_chat(ana, chat_of(ana, ben))
    page = ben.open("/snaps")
    open_first(page)
    heart = buttons(page).get_by_role("button", name="Heart")
    heart.click()
    expect(heart).to_have_attribute("aria-pressed", "true")
    expect(buttons(page).get_by_role("status")).to_have_text("Sent")
    expect(bubble(there, "❤️")).to_contain_text("Your snap")
    expect(viewer(page).locator("img")).to_be_visible()
    # One is enough.
    expect(buttons(page).get_by_role("button", name="Party")).to_be_disabled()
    # Beside the buttons, a tap closes it as ever.
    viewer(page).click(position={"x": 40, "y": 200})
    expect_gone(page)
    assert page.url.endswith("/snaps")
    there.goto("/friends")
    expect(there.get_by_text("Reacted ❤️ to your snap")).to_be_visible()


# Where the picture ends in the window, without the black around it.
LOWER_EDGE = """(image) => {
  const { top, height, width } = image.getBoundingClientRect();
  const room = height - parseFloat(getComputedStyle(image).paddingBottom);
  return top + room / 2 + Math.min(room, (width * image.naturalHeight) / image.naturalWidth) / 2;
}"""


def test_the_buttons_cover_nothing_of_a_tall_picture_and_a_wide_one_stays_in_the_middle(friends, photos):
    ana, ben = friends
    # The second is upright. The newer one is opened first.
    for photo in (photos[0], photos[1]):
        ana.post("/api/v1/snaps", photo_id=ana.upload(photo), feed_id="memes")
    page = ben.page
    page.set_viewport_size({"width": 390, "height": 600})
    ben.open("/snaps")
    open_first(page)
    expect(buttons(page)).to_be_visible()
    picture = viewer(page).locator("img")
    row = viewer(page).locator(".emoji-row")
    assert 350 < picture.evaluate(LOWER_EDGE) <= row.bounding_box()["y"]
    # Also when the phone is turned.
    page.set_viewport_size({"width": 600, "height": 390})
    page.wait_for_function(f"([image, row]) => ({LOWER_EDGE})(image) <= row.getBoundingClientRect().top",
                           arg=[picture.element_handle(), row.element_handle()])
    page.set_viewport_size({"width": 390, "height": 600})
    page.keyboard.press("Escape")
    expect(viewer(page)).to_have_count(0)
    still_no_more(page)
    open_first(page)
    expect(buttons(page)).to_be_visible()
    assert abs(picture.evaluate(LOWER_EDGE) - (300 + 390 * 3 / 4 / 2)) < 2


@pytest.mark.long
def test_a_reaction_that_fails_says_so_and_is_sent_once_when_tried_again(friends):
    ana, ben = friends
    snap(ana)
    chat = chat_of(ana, ben)
    page = ben.open("/snaps")
    open_first(page)
    heart = buttons(page).get_by_role("button", name="Heart")
    expect(heart).to_be_enabled()

    def lose(route):
        """Lets the message arrive, and its answer get lost."""
        route.fetch()
        route.abort()

    page.route("**/messages", lose)
    heart.click()
    expect(buttons(page).get_by_role("status")).not_to_be_empty()
    page.unroute("**/messages")
    heart.click()
    expect(buttons(page).get_by_role("status")).to_have_text("Sent")
    assert len(history(ben, chat)) == 1


@pytest.mark.parametrize("way", [long("short"), long("sideways"), long("down")])
def test_a_swipe_that_goes_elsewhere_answers_nothing(friends, way):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    open_first(page)
    expect(buttons(page)).to_be_visible()
    to = {"short": (190, 380), "sideways": (330, 400), "down": (190, 620)}[way]
    Finger(page).swipe((190, 420), to)
    viewer(page).locator("img").evaluate(STILLNESS)
    expect(viewer(page).locator("img")).to_be_visible()
    viewer(page).click(position={"x": 40, "y": 200})
    expect_gone(page)
    assert page.url.endswith("/snaps")


@pytest.mark.long
def test_your_own_snap_has_nothing_to_answer(friends):
    ana, _ = friends
    snap(ana)
    page = ana.open("/snaps")
    with page.expect_response("**/shown"):
        open_first(page)
    viewer(page).locator("img").evaluate(STILLNESS)
    expect(buttons(page)).to_have_count(0)


@pytest.mark.long
def test_an_emoji_right_before_reply_arrives(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    open_first(page)
    sent = Held(page, "**/api/v1/chats")
    buttons(page).get_by_role("button", name="Heart").click()
    buttons(page).get_by_role("button", name="Reply").click()
    sent.take().continue_()
    page.wait_for_url(re.compile(r"/messages/\d+\?snap="))
    expect(bubble(page, "❤️")).to_be_visible()


@pytest.mark.long
def test_a_second_finger_ends_the_swipe(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    page.emulate_media(reduced_motion="no-preference")
    open_first(page)
    expect(buttons(page)).to_be_visible()
    picture = viewer(page).locator("img")
    picture.evaluate(STILLNESS)
    place = picture.bounding_box()
    finger = Finger(page)
    finger.drag((190, 420), (192, 300))
    assert picture.bounding_box()["y"] < place["y"]
    finger.down((192, 300), (100, 300))
    finger.up()
    picture.evaluate(STILLNESS)
    assert picture.bounding_box() == place
    expect(picture).to_be_visible()


def test_a_view_once_photo_in_a_group_is_answered_there(ana, bea, cleo, photos):
    chat = group_of(ana, bea, cleo)
    send_once(ana, chat, photos[0])
    here, there = open_chat(ana, chat), open_chat(bea, chat)
    there.get_by_role("button", name="Photo · view once").click()
    expect(viewer(there).locator("img")).to_be_visible()
    buttons(there).get_by_role("button", name="Tears of joy").click()
    expect(here.get_by_role("button", name=f"😂 from {name(bea)}")).to_be_visible()
    buttons(there).get_by_role("button", name="Reply").click()
    expect(viewer(there)).to_have_count(0)
    expect(there.get_by_text(f"Reply to {name(ana)}")).to_be_visible()
    expect(there.get_by_role("textbox", name="Message")).to_be_focused()
    say(there, "Is that you?")
    expect(bubble(here, "Is that you?").locator(".quote")).to_contain_text("View-once photo")


@pytest.mark.long
def test_an_answer_that_waited_until_the_snap_was_gone_arrives_without_it(friends):
    ana, ben = friends
    id = snap(ana)
    page = ben.open("/snaps")
    open_first(page)
    buttons(page).get_by_role("button", name="Reply").click()
    page.wait_for_url(re.compile(r"/messages/\d+\?snap="))
    ready(page)
    page.context.set_offline(True)
    say(page, "Lovely")
    expect(page.locator("li.message", has_text="Waiting for the network")).to_contain_text(f"{name(ana)}’s snap")
    ana.call("DELETE", f"/api/v1/snaps/{id}")
    page.context.set_offline(False)
    expect(bubble(page, "Lovely")).to_be_visible()
    assert [message["snap_id"] for message in history(ana, chat_of(ana, ben))] == [None]


@pytest.mark.long
def test_without_scripts_a_link_under_the_picture_answers(friends, phone):
    ana, ben = friends
    snap(ana)
    page = phone(ben, java_script_enabled=False).page
    page.goto("/snaps")
    page.locator("[data-open]").click()
    page.get_by_role("link", name="Reply").click()
    expect(page.get_by_text(f"Reply to {name(ana)}’s snap")).to_be_visible()
    page.get_by_role("textbox", name="Message").fill("Where was that?")
    page.get_by_role("button", name="Send").click()
    expect(bubble(page, "Where was that?")).to_be_visible()
    assert history(ana, chat_of(ana, ben))[-1]["snap_id"]
