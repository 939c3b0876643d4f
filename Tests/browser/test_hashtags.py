"""Hashtags: a link in captions and comments, their posts, and following them."""

import random

import pytest
from playwright.sync_api import expect

from conftest import long
from looks import accessibility_problems, scrolls_sideways
from people import acknowledged, ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


@pytest.fixture
def two(people, server):
    """Someone with a phone, and a stranger to them."""
    number = random.randrange(10**8)
    return people(f"reader{number}"), server.person(f"stranger{number}"), f"dogs{number}"


def listen(page):
    expect(page.locator("html")).to_have_attribute("data-live", "on")


def test_a_strangers_posts_come_home_while_their_hashtag_is_followed(two, photos):
    reader, stranger, tag = two
    first = stranger.share(f"Good #{tag.upper()}!", photos[0], visibility="public")
    page = reader.open("/home?show=everyone")
    link = page.get_by_role("link", name=f"#{tag.upper()}").first
    assert link.evaluate("(a) => getComputedStyle(a).color !== getComputedStyle(a.parentElement).color")
    link.click()
    expect(page.get_by_role("heading", name=f"#{tag.upper()}")).to_be_visible()
    ready(page)
    expect(page.locator(f".grid [data-id='{first}']")).to_be_visible()
    follow = page.get_by_role("button", name="Follow", exact=True)
    follow.click()
    following = page.get_by_role("button", name="Following", exact=True)
    expect(following).to_have_attribute("aria-pressed", "true")
    acknowledged(following)

    reader.open("/home")
    expect(page.locator("post-card")).to_contain_text(f"Good #{tag.upper()}!")
    listen(page)
    # What comes now announces itself.
    stranger.share(f"Another #{tag}", photos[1], visibility="public")
    stranger.share(f"Not for all #{tag}", photos[1])
    page.get_by_role("link", name="1 new post").click()
    expect(page.locator("post-card")).to_have_count(2)
    expect(page.locator("post-card").first).to_contain_text(f"Another #{tag}")

    reader.open("/settings")
    page.get_by_role("link", name="Followed hashtags 1").click()
    page.get_by_role("button", name=f"Unfollow #{tag.upper()}").click()
    expect(page.get_by_text("You don’t follow any hashtags")).to_be_visible()
    reader.open("/home")
    expect(page.locator("post-card")).to_have_count(0)


def test_a_hashtag_of_a_comment_leads_to_the_post(two, photos):
    reader, stranger, tag = two
    post = stranger.share("The harbour", photos[0], visibility="public")
    stranger.post("/api/v1/statuses", status=f"With #{tag}", in_reply_to_id=post)
    page = reader.open(f"/posts/{post}/comments")
    page.get_by_role("link", name=f"#{tag}").click()
    page.locator(f".grid [data-id='{post}'] a").click()
    expect(page.get_by_text("The harbour")).to_be_visible()


def test_search_shows_hashtags_above_people(two, photos):
    reader, stranger, tag = two
    stranger.share(f"#{tag}", photos[0], visibility="public")
    page = reader.open("/users")
    page.get_by_role("searchbox", name="Search people, hashtags and posts").fill(f"#{tag[:-1]}")
    found = page.get_by_role("list", name="Hashtags").get_by_role("link", name=f"#{tag}")
    found.click()
    expect(page.get_by_role("heading", name=f"#{tag}")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, long(False)])
def test_a_hashtag_is_shown_on_ones_profile_up_to_ten(people, photos, scripts):
    ana = people(f"dog{random.randrange(10**8)}", java_script_enabled=scripts)
    page = ana.page
    show = page.get_by_role("button", name="Show on my profile", exact=True)
    hide = page.get_by_role("button", name="Don’t show on my profile")
    hashtags = page.get_by_role("list", name="Hashtags")
    page.goto("/tags/Dogs")
    if scripts:
        ready(page)
    show.click()
    expect(hide).to_be_visible()
    if scripts:
        acknowledged(hide)
        assert accessibility_problems(page) == []
        assert not scrolls_sideways(page)
    page.goto(f"/@{ana.username}")
    hashtags.get_by_role("link", name="#Dogs").click()
    if scripts:
        ready(page)
    hide.click()
    expect(show).to_be_visible()
    if scripts:
        acknowledged(show)
    page.goto(f"/@{ana.username}")
    expect(hashtags).to_have_count(0)
    for number in range(10):
        ana.post(f"/api/v1/tags/t{number}/feature")
    page.goto("/tags/Dogs")
    if scripts:
        ready(page)
    show.click()
    expect(page.get_by_text("Your profile already has 10 hashtags")).to_be_visible()
    expect(show).to_be_visible()


@pytest.mark.parametrize("scheme", [long("light"), long("dark")])
def test_its_screens_can_be_used_by_everyone(two, photos, scheme):
    reader, stranger, tag = two
    post = stranger.share(f"#{tag} #another", photos[0], visibility="public")
    reader.post(f"/api/v1/tags/{tag}/follow")
    reader.page.emulate_media(color_scheme=scheme)
    for path in [f"/tags/{tag}", "/tags/nothing", "/settings/hashtags", f"/posts/{post}", f"/users?q={tag}"]:
        page = reader.open(path)
        assert accessibility_problems(page) == [], path


@pytest.mark.long
def test_without_scripts_the_button_is_a_form(people, server, photos):
    tag = f"dogs{random.randrange(10**8)}"
    server.person(f"stranger{random.randrange(10**8)}").share(f"#{tag}", photos[0], visibility="public")
    page = people(f"plain{random.randrange(10**8)}", java_script_enabled=False).page
    page.goto(f"/tags/{tag}")
    page.get_by_role("button", name="Follow", exact=True).click()
    expect(page.get_by_text(f"You follow #{tag}.")).to_be_visible()
    page.get_by_role("button", name="Following", exact=True).click()
    expect(page.get_by_role("button", name="Follow", exact=True)).to_be_visible()
