"""Home's list of the posts for everyone, and a post's photos under two fingers and in full screen."""

import itertools
import random
import re
import time

import pytest
from playwright.sync_api import expect

from conftest import long
from holding import Held
from looks import accessibility_problems, box
from people import ready
from touch import Finger, middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def listen(page):
    expect(page.locator("html")).to_have_attribute("data-live", "on")


def test_somebody_new_sees_what_is_for_everyone_and_what_comes(people, server, photos):
    author = server.person(f"author{random.randrange(10**8)}")
    newcomer = people(f"new{random.randrange(10**8)}")
    author.share("For all", photos[0], visibility="public")
    author.share("For followers", photos[0])
    page = newcomer.open("/home")
    expect(page.get_by_text("Home shows the photos of people you follow")).to_be_visible()
    lists = page.get_by_role("navigation", name="Posts of")
    expect(lists.get_by_role("link", name="Following")).to_have_attribute("aria-current", "page")
    with page.expect_navigation():
        lists.get_by_role("link", name="Everyone").click()
    ready(page)
    expect(lists.get_by_role("link", name="Everyone")).to_have_attribute("aria-current", "page")
    expect(page.locator("post-card").first).to_contain_text("For all")
    expect(page.get_by_text("For followers")).to_have_count(0)
    listen(page)
    before = page.locator("post-card").count()
    author.share("Another for followers", photos[1])
    author.share("Another for all", photos[1], visibility="public")
    page.get_by_role("link", name="1 new post").click()
    expect(page.locator("post-card").first).to_contain_text("Another for all")
    expect(page.locator("post-card")).to_have_count(before + 1)
    # Whom somebody follows shows in both lists.
    newcomer.follow(author)
    author.share("A third for all", photos[1], visibility="public")
    page.get_by_role("link", name="1 new post").click()
    expect(page.locator("post-card").first).to_contain_text("A third for all")


@pytest.fixture
def ana_with_two(people, photos):
    """Someone with a post of two photos."""
    ana = people(f"two{random.randrange(10**8)}")
    return ana, ana.share("Harbour", photos[0], photos[1], description="Soft colours")


def tremble_until_enlarged(page, finger, x, y):
    """What enlarges comes with the first touch. Fingers never rest quite still, so it begins when it is there."""
    enlarged = page.locator(".pinched > img")
    deadline = time.monotonic() + 30
    for reach in itertools.cycle([41, 40]):
        finger.move((x - reach, y), (x + reach, y))
        if enlarged.count():
            return enlarged
        assert time.monotonic() < deadline, "nothing enlarges the photo"


@pytest.mark.parametrize("screen", ["/home", long("/posts/{post}")])
def test_two_fingers_enlarge_a_photo_in_place_and_it_springs_back(ana_with_two, screen):
    ana, post = ana_with_two
    page = ana.open(screen.format(post=post))
    photo = page.locator("[data-photo] img").first
    x, y = middle(photo)
    before = box(photo)
    finger = Finger(page)
    finger.down((x - 40, y))
    finger.down((x - 40, y), (x + 40, y))
    enlarged = tremble_until_enlarged(page, finger, x, y)
    for reach in range(40, 125, 12):
        finger.move((x - reach, y), (x + reach, y))
    expect(enlarged).to_be_visible()
    left, top, width, height = box(enlarged)
    assert width > 2 * before[2] and height > 2 * before[3]
    assert abs(left + width / 2 - x) < 8 and abs(top + height / 2 - y) < 8
    assert page.evaluate("visualViewport.scale") == 1
    assert page.locator("ul.photos").first.evaluate("list => list.scrollLeft") == 0
    finger.up()
    expect(enlarged).to_have_count(0)
    assert box(photo) == before
    expect(photo).to_be_visible()
    expect(page.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_fingers_that_move_before_the_script_is_there_enlarge_the_photo_when_it_comes(ana_with_two):
    ana, _ = ana_with_two
    page = ana.open("/home")
    script = Held(page, "**/pinch.js")
    x, y = middle(page.locator("[data-photo] img").first)
    finger = Finger(page)
    finger.down((x - 40, y))
    finger.down((x - 40, y), (x + 40, y))
    # After a few moves that nothing prevents, the browser lets no more of them be prevented.
    for reach in [41, 40] * 15:
        finger.move((x - reach, y), (x + reach, y))
    script.take().continue_()
    enlarged = tremble_until_enlarged(page, finger, x, y)
    expect(enlarged).to_be_visible()
    finger.up()
    expect(enlarged).to_have_count(0)


def test_a_tap_on_the_posts_own_page_opens_the_photo_in_full_screen(ana_with_two):
    ana, post = ana_with_two
    page = ana.open(f"/posts/{post}")
    photo = page.get_by_role("link", name="Open photo 1: Soft colours")
    # Twice is a like, and opens nothing.
    finger = Finger(page)
    finger.double_tap(middle(photo))
    expect(page.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "true")
    # For a moment one more tap means the same.
    page.reload()
    ready(page)
    with page.expect_navigation(url=re.compile(f"/posts/{post}/photos/1$")):
        finger.tap(middle(photo))
    ready(page)
    picture = page.get_by_role("img", name="Soft colours").first
    assert box(picture) == (0, 0, 390, 844)
    expect(page.get_by_role("heading", name="1 of 2")).to_be_visible()
    assert accessibility_problems(page) == []
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("heading", name="2 of 2")).to_be_visible()
    expect(page).to_have_url(f"{ana.server.url}/posts/{post}/photos/2")
    with page.expect_navigation():
        page.get_by_role("link", name="Done").click()
    expect(page).to_have_url(f"{ana.server.url}/posts/{post}")
