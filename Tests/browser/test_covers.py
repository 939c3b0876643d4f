"""Posts that are covered until a tap: made, seen, uncovered, changed; as each person wants to see pictures."""

import pytest
from playwright.sync_api import expect

from conftest import long
from looks import accessibility_problems, scrolls_sideways
from people import ready
from test_posts import live


def test_a_covered_post_is_seen_by_a_tap_and_uncovered_by_its_author(ana, bea, photos):
    page = ana.open("/posts/new")
    page.get_by_label("Choose photos").set_input_files(photos[0])
    expect(page.locator("[data-chosen-count]")).to_have_text("1 of 10")
    page.get_by_label("Caption").fill("It has eight legs")
    words = page.get_by_label("Why it is covered")
    expect(words).to_be_hidden()
    page.get_by_role("switch", name="Cover until tapped").check()
    words.fill("Spiders")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Share")).to_have_count(0)

    shown = bea.open("/home")
    live(bea)
    card = shown.locator("post-card")
    picture = card.locator("[data-photo] img")
    expect(card.get_by_text("Spiders")).to_be_visible()
    expect(picture).to_be_hidden()
    expect(card.get_by_text("It has eight legs")).to_be_hidden()
    card.get_by_text("Show", exact=True).click()
    expect(picture).to_be_visible()
    expect(card.get_by_text("It has eight legs")).to_be_visible()
    card.get_by_text("Hide", exact=True).click()
    expect(picture).to_be_hidden()
    # By the keyboard, too.
    card.locator("summary").press("Enter")
    expect(picture).to_be_visible()

    page.get_by_role("link", name="More options").click()
    ready(page)
    expect(page.get_by_label("Why it is covered")).to_have_value("Spiders")
    page.get_by_role("switch", name="Cover until tapped").uncheck()
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Changes saved.")).to_be_visible()
    expect(shown.locator("post-card details")).to_have_count(0)
    expect(picture).to_be_visible()
    expect(card.get_by_text("It has eight legs")).to_be_visible()


def test_what_was_chosen_for_a_post_is_kept_as_a_draft(ana, photos):
    page = ana.open("/posts/new")
    page.get_by_role("switch", name="Cover until tapped").check()
    page.get_by_label("Why it is covered").fill("The end of the film")
    page.get_by_role("radio", name="Everyone here, not listed").check()
    page.reload()
    ready(page)
    expect(page.get_by_label("Why it is covered")).to_have_value("The end of the film")
    expect(page.get_by_role("switch", name="Cover until tapped")).to_be_checked()
    expect(page.get_by_role("radio", name="Everyone here, not listed")).to_be_checked()
    page.get_by_label("Choose photos").set_input_files(photos[0])
    expect(page.locator("[data-chosen-count]")).to_have_text("1 of 10")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("post-card details")).to_have_count(1)
    post = ana.get("/api/v1/timelines/home")[0]
    assert (post["spoiler_text"], post["sensitive"], post["visibility"]) == ("The end of the film", True, "unlisted")


def test_one_sees_all_pictures_covered_if_one_wants(ana, bea, photos):
    ana.share("Harmless", photos[0])
    page = bea.open("/settings")
    page.get_by_role("link", name="Posts").click()
    page.get_by_role("radio", name="All pictures").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    bea.open("/home")
    card = page.locator("post-card")
    expect(card.locator("[data-photo] img")).to_be_hidden()
    expect(card.get_by_text("Harmless")).to_be_visible()
    bea.open(f"/@{ana.username}")
    expect(page.get_by_role("img", name=f"Covered post by {ana.username}")).to_be_visible()


def test_a_comment_is_written_below_a_cover_and_uncovered_by_its_author(ana, bea, photos):
    post = ana.share("Film night", photos[0])
    shown = ana.open(f"/posts/{post}/comments")
    live(ana)
    page = bea.open(f"/posts/{post}/comments")
    text, why = page.get_by_label("Comment", exact=True), page.get_by_label("Why it is covered")
    cover = page.get_by_role("switch", name="Cover until tapped")
    expect(why).to_be_hidden()
    text.fill("The gardener did it")
    cover.check()
    expect(why).to_be_focused()
    why.fill("The end")
    # It is kept like the words.
    page.reload()
    ready(page)
    expect(text).to_have_value("The gardener did it")
    expect(why).to_have_value("The end")
    page.get_by_role("button", name="Post", exact=True).click()
    comment = shown.locator("li.comment[data-id]")
    expect(comment.get_by_text("The end", exact=True)).to_be_visible()
    words = shown.get_by_text("The gardener did it")
    expect(words).to_be_hidden()
    shown.get_by_text("The end", exact=True).click()
    expect(words).to_be_visible()
    # The next comment begins without.
    expect(text).to_have_value("")
    expect(cover).not_to_be_checked()
    expect(why).to_be_hidden()

    page.get_by_role("link", name="Edit").click()
    ready(page)
    expect(page.get_by_role("heading", name="Edit comment")).to_be_visible()
    expect(why).to_have_value("The end")
    assert accessibility_problems(page) == []
    why.fill("The very end")
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("Changes saved.")).to_be_visible()
    ready(page)
    expect(comment.get_by_text("The very end", exact=True)).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    ready(page)
    cover.uncheck()
    page.get_by_role("button", name="Save changes").click()
    expect(comment.locator("details")).to_have_count(0)
    expect(words).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", long("dark")])
def test_a_refused_cover_stays_beside_the_comment(ana, photos, scheme):
    post = ana.share("Film night", photos[0])
    ana.page.emulate_media(color_scheme=scheme)
    page = ana.open(f"/posts/{post}/comments")
    page.get_by_label("Comment", exact=True).fill("The gardener did it")
    page.get_by_role("switch", name="Cover until tapped").check()
    why = page.get_by_label("Why it is covered")
    why.evaluate("(field) => { field.removeAttribute('maxlength'); }")
    why.fill("x" * 201)
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator("#warning-error")).to_contain_text("201 characters")
    expect(page.get_by_label("Comment", exact=True)).to_have_value("The gardener did it")
    expect(why).to_have_value("x" * 201)
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.long
def test_without_scripts_a_comment_is_covered_and_changed(people, photos):
    plain = people("plain.cover", java_script_enabled=False)
    post = plain.share("Film night", photos[0])
    page = plain.page
    page.goto(f"/posts/{post}/comments")
    page.get_by_label("Comment", exact=True).fill("The gardener did it")
    page.get_by_role("switch", name="Cover until tapped").check()
    page.get_by_label("Why it is covered").fill("The end")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.get_by_text("The gardener did it")).to_be_hidden()
    page.get_by_text("The end", exact=True).click()
    expect(page.get_by_text("The gardener did it")).to_be_visible()
    page.get_by_role("link", name="Edit").click()
    page.get_by_label("Comment", exact=True).fill("The cook did it")
    page.get_by_role("switch", name="Cover until tapped").uncheck()
    page.get_by_role("button", name="Save changes").click()
    expect(page.get_by_text("The cook did it")).to_be_visible()


@pytest.mark.long
def test_a_comment_with_a_warning_is_folded(ana, bea, photos):
    post = ana.share("Film night", photos[0])
    bea.post("/api/v1/statuses", status="The gardener did it", in_reply_to_id=post, spoiler_text="The end")
    page = ana.open(f"/posts/{post}/comments")
    expect(page.get_by_text("The gardener did it")).to_be_hidden()
    page.get_by_text("The end", exact=True).click()
    expect(page.get_by_text("The gardener did it")).to_be_visible()
