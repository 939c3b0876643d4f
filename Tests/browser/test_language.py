"""The language of a post: chosen for each, kept as a draft, changed later."""

import pytest
from playwright.sync_api import expect

from conftest import long
from people import ready


@pytest.fixture
def settled(ana):
    """Someone who writes in German unless they say otherwise."""
    page = ana.open("/settings/posts")
    page.get_by_label("Language of what I write").select_option("Deutsch")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    return ana


def choose(page, photo):
    page.get_by_label("Choose photos").set_input_files(photo)
    expect(page.locator("[data-chosen-count]")).to_have_text("1 of 10")


def newest(person):
    return person.get(f"/api/v1/accounts/{person.id}/statuses")[0]


def test_a_post_in_another_language_is_drafted_shared_and_changed(settled, photos):
    page = settled.open("/posts/new")
    language = page.get_by_role("combobox", name="Language")
    expect(language).to_have_value("de")
    language.select_option("Euskara")
    page.get_by_label("Caption").fill("Kaixo")
    page.reload()
    ready(page)
    expect(language).to_have_value("eu")
    choose(page, photos[0])
    page.get_by_role("button", name="Share").click()
    expect(page.locator("post-card [data-caption][lang=eu]")).to_contain_text("Kaixo")
    assert newest(settled)["language"] == "eu"

    page.get_by_role("link", name="More options").click()
    ready(page)
    expect(language).to_have_value("eu")
    language.select_option("Not said")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Changes saved.")).to_be_visible()
    assert newest(settled)["language"] is None

    # What was chosen for one post is not kept for the next.
    settled.open("/posts/new")
    expect(language).to_have_value("de")


@pytest.mark.parametrize("scripts", [True, long(False)])
def test_a_post_can_leave_its_language_unsaid(people, photos, scripts):
    ana = people(f"unsaid{scripts}".lower(), java_script_enabled=scripts)
    page = ana.page
    page.goto("/settings/posts")
    page.get_by_label("Language of what I write").select_option("Deutsch")
    page.get_by_role("button", name="Save").click()
    photo = ana.upload(photos[0])
    page.goto(f"/posts/new?photo={photo}")
    page.get_by_role("combobox", name="Language").select_option("Not said")
    page.get_by_label("Caption").fill("Moien")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("post-card")).to_contain_text("Moien")
    assert newest(ana)["language"] is None
