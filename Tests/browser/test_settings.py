"""Settings: requests, blocks, invitations, devices, password, your data, and leaving."""

import io
import json
import zipfile

import pytest
from playwright.sync_api import expect

from looks import accessibility_problems, box, scrolls_sideways
from people import acknowledged, ready

SERVER_FLAGS = ["--sign-up", "invitation", "--limit-log-ins", "1000", "--limit-sign-ups", "1000"]

# Checking a password takes long on purpose, and longer in a debug build beside other tests.
PASSWORD_TIMEOUT = 60_000

SCREENS = [
    "/settings", "/settings/notifications", "/settings/profile", "/settings/privacy", "/settings/blocked",
    "/settings/muted",
    "/settings/devices", "/settings/apps", "/settings/password", "/settings/invitations", "/settings/data",
    "/settings/delete", "/requests",
    "/who-can-see-what",
]


def test_a_request_is_asked_for_answered_and_shows_the_profile(people):
    ana, ben = people("requests.ana"), people("requests.ben")
    ana.open("/settings/privacy")
    ana.page.get_by_role("switch", name="Approve new followers").check()
    ana.page.get_by_role("button", name="Save").click()
    expect(ana.page.get_by_role("status")).to_contain_text("New followers now need your approval")

    ben.open("/@requests.ana")
    expect(ben.page.get_by_role("heading", name="This account is private")).to_be_visible()
    ben.page.get_by_role("button", name="Follow").click()
    acknowledged(ben.page.get_by_role("button", name="Requested"))

    ana.open("/requests")
    ana.page.get_by_role("button", name="Accept").click()
    expect(ana.page.get_by_text("No requests are waiting for your answer.")).to_be_visible()
    ben.open("/@requests.ana")
    expect(ben.page.get_by_role("button", name="Following")).to_be_visible()
    expect(ben.page.get_by_role("heading", name="This account is private")).to_be_hidden()


def test_blocking_asks_first_hides_both_and_is_undone_in_settings(people):
    ana, ben = people("block.ana"), people("block.ben")
    ana.open("/@block.ben")
    ana.page.get_by_role("link", name="More options").click()
    ana.page.get_by_role("button", name="Block block.ben").click()
    question = ana.page.get_by_role("dialog", name="Block Block.ben?")
    question.get_by_role("button", name="Don’t block").click()
    expect(question).to_be_hidden()
    ana.page.get_by_role("button", name="Block block.ben").click()
    question.get_by_role("button", name="Block", exact=True).click()
    ana.page.wait_for_url("**/users")
    assert ben.page.goto("/@block.ana").status == 404
    assert ana.page.goto("/@block.ben").status == 404
    ana.open("/settings/blocked")
    ana.page.get_by_role("button", name="Unblock").click()
    expect(ana.page.get_by_text("You haven’t blocked anyone.")).to_be_visible()
    assert ben.page.goto("/@block.ana").status == 200


def test_an_invitation_lets_a_friend_in_and_a_revoked_one_does_not(people, stranger):
    ana = people("invite.ana")
    ana.open("/settings/invitations")
    for count in (1, 2):
        ana.page.get_by_role("button", name="Make an invitation").click()
        expect(ana.page.locator("li code")).to_have_count(count)
        expect(ana.page.get_by_role("status")).to_contain_text("Your code is")
    codes = ana.page.locator("li code").all_inner_texts()
    ana.page.locator("li", has_text=codes[1]).get_by_role("button", name="Revoke").click()
    expect(ana.page.get_by_text(codes[1])).to_be_hidden()

    guest = stranger()
    guest.set_default_timeout(PASSWORD_TIMEOUT)
    for code in (codes[1], codes[0]):
        guest.goto(f"/signup?code={code}")
        expect(guest.get_by_label("Invitation code")).to_have_value(code)
        guest.get_by_label("Username").fill("invite.guest")
        guest.get_by_label("Name", exact=True).fill("Guest")
        guest.get_by_label("Password").fill("correct horse")
        guest.get_by_role("button", name="Create Account").click()
        if code == codes[1]:
            expect(guest.get_by_text("invalid, used or expired")).to_be_visible()
    guest.wait_for_url("**/home")
    ana.open("/settings/invitations")
    expect(ana.page.get_by_text("Guest")).to_be_visible()


def test_a_device_is_ended_and_a_new_password_ends_the_others(people, stranger):
    ana = people("device.ana")
    laptop = stranger()
    for page in (ana.page, laptop):
        page.set_default_timeout(PASSWORD_TIMEOUT)
    laptop.goto("/login?next=/settings/devices")
    laptop.get_by_label("Username").fill("device.ana")
    laptop.get_by_label("Password").fill("correct horse")
    laptop.get_by_role("button", name="Log In").click()
    laptop.wait_for_url("**/settings/devices")
    ready(laptop)

    ana.open("/settings/devices")
    other = ana.page.get_by_role("region", name="Other devices")
    other.get_by_role("button", name="Log out", exact=True).click()
    expect(other).to_be_hidden()
    laptop.reload()
    laptop.wait_for_url("**/login?next=**")

    laptop.get_by_label("Username").fill("device.ana")
    laptop.get_by_label("Password").fill("correct horse")
    laptop.get_by_role("button", name="Log In").click()
    laptop.wait_for_url("**/settings/devices")
    ana.open("/settings/password")
    ana.page.get_by_label("Current password").fill("wrong horse")
    ana.page.get_by_label("New password").fill("battery staple")
    ana.page.get_by_role("button", name="Change password").click()
    expect(ana.page.get_by_text("That isn’t your current password.")).to_be_visible()
    ana.page.get_by_label("Current password").fill("correct horse")
    ana.page.get_by_label("New password").fill("battery staple")
    ana.page.get_by_role("button", name="Change password").click()
    ana.page.wait_for_url("**/settings")
    laptop.reload()
    laptop.wait_for_url("**/login?next=**")


def test_the_download_appears_without_reload_and_holds_everything(people, photos):
    ana, ben = people("data.ana"), people("data.ben")
    ana.share("Three pictures", *photos)
    ana.open("/settings/data")
    ana.page.get_by_role("button", name="Prepare my download").click()
    link = ana.page.get_by_role("link", name="tintype-data.ana.zip")
    expect(link).to_be_visible()
    with ana.page.expect_download() as download:
        link.click()
    archive = zipfile.ZipFile(io.BytesIO(download.value.path().read_bytes()))
    assert archive.testzip() is None
    listed = json.loads(archive.read("photos.json"))
    sent = sorted(path.read_bytes() for path in photos)
    assert sorted(archive.read(photo["file"]) for photo in listed) == sent
    assert json.loads(archive.read("posts.json"))[0]["caption"] == "Three pictures"
    assert ben.page.goto(link.get_attribute("href")).status == 404


def test_leaving_asks_for_the_password_and_logs_out(people):
    people("leave.first")
    ana, ben = people("leave.ana"), people("leave.ben")
    ana.page.set_default_timeout(PASSWORD_TIMEOUT)
    ana.open("/settings/delete")
    ana.page.get_by_label("Enter your password to confirm").fill("wrong horse")
    ana.page.get_by_role("button", name="Delete my account").click()
    expect(ana.page.get_by_text("That isn’t your password.")).to_be_visible()
    ana.page.get_by_label("Enter your password to confirm").fill("correct horse")
    ana.page.get_by_role("button", name="Delete my account").click()
    ana.page.wait_for_url("**/login")
    expect(ana.page.get_by_role("status")).to_contain_text("Your account is deleted.")
    assert ben.page.goto("/@leave.ana").status == 404
    ana.page.goto("/home")
    ana.page.wait_for_url("**/login")


def test_name_bio_and_username_are_changed_and_mistakes_keep_what_was_typed(people):
    ana = people("profile.ana")
    ana.open("/settings/profile")
    ana.page.get_by_label("Username").fill("a b")
    ana.page.get_by_label("Bio").fill("Film, bread, bad jokes.")
    ana.page.get_by_role("button", name="Save").click()
    expect(ana.page.get_by_text("Use letters a to z")).to_be_visible()
    expect(ana.page.get_by_label("Bio")).to_have_value("Film, bread, bad jokes.")
    ana.page.get_by_label("Username").fill("profile.anna")
    ana.page.get_by_role("button", name="Save").click()
    expect(ana.page.get_by_text("Profile saved.")).to_be_visible()
    ana.open("/@profile.anna")
    expect(ana.page.get_by_text("Film, bread, bad jokes.")).to_be_visible()


def test_a_new_portrait_is_shown_wherever_one_is_and_a_broken_file_costs_nothing(people, photos, tmp_path):
    ana = people("portrait.ana")
    ana.share("Harbour", photos[0])
    half, letter = tmp_path / "half.png", tmp_path / "letter.png"
    half.write_bytes(photos[0].read_bytes()[:2000])
    letter.write_text("Dear Ana")
    page = ana.open("/settings/profile")
    # One picture, then another, which no cache may hide.
    for name, broken, sentence, picture, blueness in [
        ("Ana of the harbour", half, "This picture is damaged or incomplete.", photos[0], 180),
        ("Ana", letter, "This file isn’t a picture.", photos[2], 44),
    ]:
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_label("Bio").fill(f"I am {name}.")
        portrait = page.get_by_label("New portrait")
        portrait.set_input_files(broken)
        page.get_by_role("button", name="Save").click()
        expect(page.locator("#portrait-error")).to_contain_text(sentence)
        expect(page.get_by_label("Name", exact=True)).to_have_value(name)
        expect(page.get_by_label("Bio")).to_have_value(f"I am {name}.")
        portrait.set_input_files(picture)
        expect(page.get_by_role("slider", name="Zoom")).to_be_visible()
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_text("Profile saved.")).to_be_visible()
        for path in ["/@portrait.ana", "/home", "/settings/profile"]:
            ana.open(path)
            shown = page.locator("main img.portrait")
            expect(shown).to_be_visible()
            assert abs(blue(shown) - blueness) < 8


def test_a_banner_is_seen_before_it_is_saved_shown_above_the_profile_and_removed(people, photos, tmp_path):
    ana = people("banner.ana")
    page = ana.open("/@banner.ana")
    banner = page.locator("main img.banner")
    expect(banner).to_have_count(0)
    page = ana.open("/settings/profile")
    chosen = page.locator(".banner-choice .new-banner")
    broken = tmp_path / "letter.png"
    broken.write_text("Dear Ana")
    for file, sentence in [(broken, "This file isn’t a picture."), (photos[1], None)]:
        page.get_by_label("New banner").set_input_files(file)
        expect(chosen).to_have_count(1)
        page.get_by_label("Bio").fill("By the sea")
        if sentence is None:
            expect(chosen).to_have_js_property("naturalWidth", 900)
            left, _, width, height = box(chosen)
            assert abs(width / height - 3) < 0.05 and left >= 0
        page.get_by_role("button", name="Save").click()
        if sentence:
            expect(page.locator("#header-error")).to_contain_text(sentence)
            expect(page.get_by_label("Bio")).to_have_value("By the sea")
    expect(page.get_by_text("Profile saved.")).to_be_visible()
    for size in [{"width": 390, "height": 844}, {"width": 1280, "height": 800}]:
        page.set_viewport_size(size)
        ana.open("/@banner.ana")
        expect(banner).to_have_js_property("naturalWidth", 900)
        left, top, width, height = box(banner)
        assert abs(width / height - 3) < 0.05
        # It touches the edges of a phone; the portrait is over its lower edge, and the counts are below it.
        assert size["width"] > 390 or (left, width) == (0, 390)
        _, portrait, _, side = box(page.locator("main .profile > .portrait"))
        assert portrait < top + height < portrait + side
        assert box(page.locator("main .counts"))[1] > top + height
        assert not scrolls_sideways(page)

    page = ana.open("/settings/profile")
    current = page.locator(".banner-choice img")
    page.get_by_role("switch", name="Remove the banner").check()
    expect(current).to_be_hidden()
    # A new choice takes the removal back.
    page.get_by_label("New banner").set_input_files(photos[0])
    expect(page.get_by_role("switch", name="Remove the banner")).not_to_be_checked()
    page.get_by_role("switch", name="Remove the banner").check()
    expect(chosen).to_have_count(0)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Profile saved.")).to_be_visible()
    ana.open("/@banner.ana")
    expect(page.get_by_role("link", name="Edit profile")).to_be_visible()
    expect(banner).to_have_count(0)


def test_the_lines_of_a_profile_are_written_in_settings_and_read_by_others(people):
    ana, ben = people("lines.ana"), people("lines.ben")
    page = ana.open("/settings/profile")
    page.get_by_label("Label 1").fill("Website")
    page.get_by_label("Text 1").fill("https://example.org/harbour")
    page.get_by_label("Text 2").fill("Lisbon")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Enter a label.")).to_be_visible()
    expect(page.get_by_label("Text 2")).to_have_value("Lisbon")
    page.get_by_label("Label 2").fill("From")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Profile saved.")).to_be_visible()
    page = ben.open("/@lines.ana")
    expect(page.get_by_role("term")).to_have_text(["Website", "From"])
    expect(page.get_by_role("link", name="https://example.org/harbour")).to_be_visible()
    expect(page.get_by_role("definition").nth(1)).to_have_text("Lisbon")
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)


def blue(picture):
    """How blue the middle of a picture is, from 0 to 255."""
    return picture.evaluate(
        """async (image) => {
          await image.decode();
          const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight).getContext("2d");
          canvas.drawImage(image, 0, 0);
          return canvas.getImageData(image.naturalWidth / 2, image.naturalHeight / 2, 1, 1).data[2];
        }"""
    )


@pytest.mark.long
def test_every_screen_is_accessible_in_both_themes_and_never_scrolls_sideways(people):
    ana, ben = people("looks.ana"), people("looks.ben")
    ana.post(f"/api/v1/accounts/{ben.id}/follow")
    ana.open("/settings/invitations")
    ana.page.get_by_role("button", name="Make an invitation").click()
    for scheme in ("light", "dark"):
        ana.page.emulate_media(color_scheme=scheme)
        for path in [*SCREENS, "/@looks.ben", "/@looks.ben/options"]:
            ana.open(path)
            assert accessibility_problems(ana.page) == [], path
            for width in (320, 390, 844, 1280):
                ana.page.set_viewport_size({"width": width, "height": 800})
                assert not scrolls_sideways(ana.page), f"{path} at {width}"
