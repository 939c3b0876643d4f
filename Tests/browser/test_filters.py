"""Filters: made in Settings, and what they fold and hide on the screens."""

import pytest
from playwright.sync_api import expect

from conftest import long
from looks import accessibility_problems, scrolls_sideways
from people import befriend, ready

SERVER_FLAGS = ["--sign-up", "open"]


def check(page, scripts):
    if scripts:
        ready(page)
        assert accessibility_problems(page) == []
        assert not scrolls_sideways(page)


@pytest.mark.parametrize("scripts", [True, long(False)])
def test_a_filter_folds_and_then_hides_posts_and_comments_with_its_words(people, photos, scripts):
    prefix = "filter" if scripts else "plain"
    ana = people(f"{prefix}.ana", java_script_enabled=scripts)
    ben = people(f"{prefix}.ben")
    befriend(ana, ben)
    rain = ben.share("Much RAIN here", photos[0])
    sun = ben.share("A train in the sun", photos[1])
    mine = ana.share("Mine", photos[1])
    ben.post("/api/v1/statuses", status="The rain again", in_reply_to_id=mine)
    page = ana.page
    page.goto("/settings")
    page.get_by_role("link", name="Filters").click()
    page.get_by_role("link", name="New filter").click()
    page.get_by_label("Name").fill("Weather")
    page.get_by_label("Words and phrases, one a line").fill("rain\nsnow in May")
    check(page, scripts)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Weather")).to_be_visible()
    check(page, scripts)

    page.goto("/home")
    card = page.locator(f"post-card[data-id='{rain}']")
    fold = page.get_by_text("Filtered: Weather")
    expect(fold).to_be_visible()
    expect(card).to_be_hidden()
    expect(page.locator(f"post-card[data-id='{sun}']")).to_be_visible()
    check(page, scripts)
    page.get_by_text("Show anyway").click()
    expect(card).to_be_visible()
    expect(card.get_by_text("Much RAIN here")).to_be_visible()

    page.goto(f"/posts/{mine}/comments")
    words = page.get_by_text("The rain again")
    expect(words).to_be_hidden()
    check(page, scripts)
    page.get_by_text("Show anyway").click()
    expect(words).to_be_visible()
    page.goto("/notifications")
    expect(page.get_by_text("commented: Filtered: Weather")).to_be_visible()
    expect(words).to_have_count(0)
    check(page, scripts)
    page.goto(f"/@{prefix}.ben")
    expect(page.get_by_role("img", name="Filtered: Weather")).to_be_visible()

    page.goto("/settings/filters")
    page.get_by_role("link", name="Weather").click()
    page.get_by_label("Hide completely").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="Weather Hides")).to_be_visible()
    page.goto("/home")
    expect(page.locator(f"post-card[data-id='{sun}']")).to_be_visible()
    expect(card).to_have_count(0)
    expect(fold).to_have_count(0)
    page.goto(f"/posts/{mine}/comments")
    expect(page.get_by_text("Some comments can’t be shown to you.")).to_be_visible()
    expect(words).to_have_count(0)

    page.goto("/settings/filters")
    page.get_by_role("link", name="Weather").click()
    page.get_by_role("button", name="Delete filter").first.click()
    page.get_by_role("dialog", name="Delete this filter?").get_by_role("button", name="Delete filter").click()
    expect(page.get_by_role("link", name="Weather")).to_have_count(0)
    page.goto("/home")
    expect(card).to_be_visible()


@pytest.mark.parametrize("scripts", [True, long(False)])
def test_single_posts_are_put_into_filters_and_taken_out(people, photos, scripts):
    prefix = "single" if scripts else "plain.single"
    ana = people(f"{prefix}.ana", java_script_enabled=scripts)
    ben = people(f"{prefix}.ben")
    befriend(ana, ben)
    post = ben.share("A long evening", photos[0])
    other = ben.share("A short morning", photos[1])
    page = ana.page
    page.goto(f"/posts/{post}/options")
    page.get_by_role("link", name="Filter this post").click()
    check(page, scripts)
    page.get_by_role("link", name="New filter").click()
    expect(page.get_by_text("Without words it filters this post alone.")).to_be_visible()
    check(page, scripts)
    page.get_by_label("Name").fill("Enough")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("“Enough” folds this post.")).to_be_visible()
    expect(page.get_by_text("Filtered: Enough")).to_have_count(1)
    expect(page.locator(f"post-card[data-id='{post}']")).to_be_hidden()
    expect(page.locator(f"post-card[data-id='{other}']")).to_be_visible()

    # The next one goes into the filter that is there.
    page.goto(f"/posts/{other}/options")
    page.get_by_role("link", name="Filter this post").click()
    filter = page.get_by_role("button", name="Enough Folds")
    expect(filter).to_have_attribute("aria-pressed", "false")
    filter.click()
    expect(page.get_by_text("Filtered: Enough")).to_have_count(2)
    page.goto(f"/posts/{other}/filter")
    expect(filter).to_have_attribute("aria-pressed", "true")
    check(page, scripts)
    filter.click()
    expect(page.get_by_text("The post is no longer in “Enough”.")).to_be_visible()
    expect(filter).to_have_attribute("aria-pressed", "false")

    page.goto("/settings/filters")
    page.get_by_role("link", name="Enough").click()
    expect(page.get_by_role("link", name="A long evening")).to_be_visible()
    check(page, scripts)
    page.get_by_role("button", name="Remove the post of").click()
    expect(page.get_by_role("heading", name="Single posts")).to_have_count(0)
    page.goto("/home")
    expect(page.locator(f"post-card[data-id='{post}']")).to_be_visible()


def test_a_hidden_post_isnt_announced_on_an_open_feed(people, photos):
    ana, ben = people("live.ana"), people("live.ben")
    befriend(ana, ben)
    ana.post(
        "/api/v2/filters", title="Weather", context=["home"], filter_action="hide",
        keywords_attributes=[{"keyword": "rain"}],
    )
    ana.open("/home")
    ana.page.wait_for_selector("html[data-live=on]", state="attached")
    ben.share("More rain", photos[0])
    ben.share("Sun at last", photos[1])
    expect(ana.page.locator("new-posts")).to_contain_text("1 new post")
