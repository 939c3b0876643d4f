"""Photos shot with a phone's camera: offered wherever photos are chosen, and only where there is such a camera."""

import pytest
from playwright.sync_api import expect

from conftest import long
from chats import chat_of, open_chat
from people import ready

COMPUTER = {"has_touch": False, "is_mobile": False, "viewport": {"width": 1280, "height": 800}}


def shot(page):
    return page.get_by_label("Take a photo")


def kinds(person):
    return [photo["kind"] for photo in person.get("/api/v1/photos")]


def sign_up(page, username):
    page.get_by_label("Username").fill(username)
    page.get_by_label("Name", exact=True).fill(username)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Create Account").click()
    page.wait_for_url("**/home")


@pytest.fixture
def places(ana, bea):
    return ["/settings/profile", "/posts/new", "/library", f"/messages/{chat_of(ana, bea)}"]


@pytest.mark.parametrize("settings", [{}, long(COMPUTER)], ids=["phone", "computer"])
def test_a_phone_offers_its_camera_everywhere_and_a_computer_the_files_alone(ana, phone, places, settings):
    page = phone(ana, **settings).page
    for path in places:
        ana.open(path)
        if path == "/library":
            page.get_by_role("button", name="Add photos").first.click()
        expect(shot(page)).to_have_count(1)
        expect(shot(page)).to_be_visible(visible=not settings)
        assert shot(page).get_attribute("capture") == ("user" if "profile" in path else "environment")
    # What stays of the line to write on has no hole where the camera is on a phone.
    field, send = (page.get_by_role(role, name=name) for role, name in [("textbox", "Message"), ("button", "Send")])
    width = page.locator("form.chat-composer").bounding_box()["width"]
    assert field.bounding_box()["width"] > width - (200 if settings else 240)
    assert send.bounding_box()["width"] == 26


def test_what_the_camera_takes_is_posted_kept_and_sent_as_shot(ana, bea, photos):
    page = ana.open("/posts/new")
    shot(page).set_input_files(photos[0])
    expect(page.locator("[data-chosen-count]")).to_have_text("1 of 10")
    # New ones stand after the cells that bring them.
    expect(page.locator(".picker > li").nth(2).get_by_role("checkbox")).to_be_checked()
    page.get_by_role("button", name="Share").click()
    page.wait_for_url("**/home")
    expect(page.locator("post-card")).to_have_count(1)

    ana.open("/library")
    page.get_by_role("button", name="Add photos").first.click()
    shot(page).set_input_files(photos[1])
    expect(page.locator(".grid li")).to_have_count(2)

    open_chat(ana, chat_of(ana, bea))
    shot(page).set_input_files(photos[2])
    page.get_by_role("button", name="Send").click()
    expect(page.locator("li.message[data-id] a.bubble.photo")).to_have_count(1)
    assert kinds(ana) == ["camera"] * 3


@pytest.mark.long
def test_a_portrait_is_shot_and_of_two_pictures_the_last_one_counts(page, photos):
    page.goto("/signup")
    ready(page)
    file = page.get_by_label("Portrait, optional")
    file.set_input_files(photos[0])
    expect(page.get_by_role("slider", name="Zoom")).to_be_visible()
    shot(page).set_input_files(photos[1])
    expect(page.get_by_role("img", name="Portrait. Drag")).to_have_count(1)
    chosen = "(input) => input.files.length"
    assert [file.evaluate(chosen), shot(page).evaluate(chosen)] == [0, 1]
    # The picture taken is upright.
    page.wait_for_function("() => document.querySelector('.crop img').naturalHeight === 1200")
    sign_up(page, "selfie")
    page.goto("/@selfie")
    expect(page.locator(".profile img.portrait")).to_be_visible()


@pytest.mark.long
def test_without_scripts_the_camera_works_as_well(stranger, photos):
    page = stranger(java_script_enabled=False)
    page.goto("/signup")
    shot(page).set_input_files(photos[0])
    sign_up(page, "plainselfie")
    page.goto("/@plainselfie")
    expect(page.locator(".profile img.portrait")).to_be_visible()
    page.goto("/library")
    page.get_by_role("button", name="Add photos").first.click()
    shot(page).set_input_files(photos[1])
    page.get_by_role("button", name="Add to library").click()
    expect(page.locator(".grid li")).to_have_count(1)
    expect(page.locator(".grid li .mark")).to_have_count(1)
