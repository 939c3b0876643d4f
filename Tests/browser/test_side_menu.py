"""The side menu: the same on every screen, pulled in by a finger from the left third, by its button or by keys."""

import pytest
from playwright.sync_api import expect

from conftest import long
from people import befriend
from touch import Finger, middle

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]
LINKS = ["Users", "Feed", "Messages", "Contracts", "Saved", "Lists", "Settings"]
WIDTH = 308


@pytest.fixture(scope="module")
def friends(server, photos):
    ana, bea = server.person("ana"), server.person("bea")
    befriend(ana, bea)
    ana.share("Two", photos[2], photos[2])
    chat = ana.post("/api/v1/chats", account_id=bea.id)["id"]
    ana.post(f"/api/v1/chats/{chat}/messages", text="Hello")
    return ana, bea, chat


@pytest.fixture
def ana(friends, phone):
    """With motion: the finger would move nothing otherwise."""
    return phone(friends[0], reduced_motion="no-preference")


def left_edge(page):
    """Where the menu's left edge is, once it doesn't move."""
    menu = page.locator("#menu")
    menu.evaluate("menu => Promise.all(menu.getAnimations().map((animation) => animation.finished))")
    return menu.evaluate("menu => menu.getBoundingClientRect().x")


PATHS = [
    "/home", "/snaps", "/create", "/friends", "/library", "/messages", "/messages/{chat}", "/messages/new",
    "/messages/requests", "/feed", "/users", "/saved", "/settings", "/notifications", "/@bea",
]


@pytest.mark.parametrize(
    ("start", "paths"),
    [long(4, PATHS[:1]), (36, PATHS[6:8]), long(120, PATHS[:1]), long(36, PATHS)])
def test_a_swipe_from_the_left_third_opens_it_and_a_swipe_back_closes_it(ana, friends, start, paths):
    for path in paths:
        page = ana.open(path.format(chat=friends[2]))
        finger, menu = Finger(page), page.locator("#menu")
        # Further in, on what the screen says and not on what moves sideways itself.
        y = 100 if path == "/home" and start > 28 else 400
        finger.drag((start, y), (start + 150, y + 4))
        expect(menu, path).to_be_visible()
        assert abs(left_edge(page) - (150 - WIDTH)) < 12, f"it follows the finger at {path}"
        finger.move((start + 296, y + 4))
        finger.up()
        assert left_edge(page) == 0, path
        for link in LINKS:
            expect(menu.get_by_role("link", name=link)).to_be_visible()
        expect(menu.get_by_role("button", name="Log Out")).to_be_visible()
        expect(menu.get_by_role("link", name="Tintype, home")).to_be_visible()
        finger.drag((280, 500), (180, 502))
        assert abs(left_edge(page) + 100) < 12, f"it follows the finger back at {path}"
        finger.move((20, 502))
        finger.up()
        expect(menu, path).to_be_hidden()


def test_its_button_opens_it_and_a_tap_outside_or_escape_closes_it(ana, friends):
    for path in ["/home", f"/messages/{friends[2]}"]:
        page = ana.open(path)
        menu = page.locator("#menu")
        page.get_by_role("button", name="Menu").click()
        expect(menu).to_be_visible()
        assert left_edge(page) == 0
        page.touchscreen.tap(370, 420)
        expect(menu).to_be_hidden()
        page.get_by_role("button", name="Menu").press("Enter")
        expect(menu).to_be_visible()
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()


def test_half_a_pull_falls_back_and_a_pull_elsewhere_does_nothing(ana, friends):
    page = ana.open(f"/messages/{friends[2]}")
    finger, menu = Finger(page), page.locator("#menu")
    # However quick it was, a finger that rests before it lets go flicks nothing.
    finger.drag((4, 400), (90, 400))
    finger.rest()
    finger.up()
    expect(menu).to_be_hidden()
    finger.swipe((140, 400), (380, 400))
    expect(menu).to_be_hidden()
    finger.swipe((4, 300), (30, 600))
    expect(menu).to_be_hidden()


@pytest.mark.long
def test_what_moves_sideways_keeps_its_swipe(ana, friends):
    page = ana.open("/home")
    finger, menu = Finger(page), page.locator("#menu")
    photos = page.locator("ul.photos").first
    _, y = middle(photos)
    finger.swipe((370, y), (50, y))
    page.wait_for_function("list => list.scrollLeft === list.clientWidth", arg=photos.element_handle())
    finger.swipe((50, y), (370, y))
    page.wait_for_function("list => list.scrollLeft === 0", arg=photos.element_handle())
    expect(menu).to_be_hidden()
    # Nor over a text, where a finger moves the caret.
    page = ana.open("/users")
    field = page.get_by_role("searchbox")
    _, y = middle(field)
    finger = Finger(page)
    finger.swipe((80, y), (300, y))
    expect(menu).to_be_hidden()


@pytest.mark.long
def test_a_link_leads_away_from_a_chat(ana, friends):
    page = ana.open(f"/messages/{friends[2]}")
    Finger(page).swipe((4, 400), (300, 400))
    page.locator("#menu").get_by_role("link", name="Feed").click()
    page.wait_for_url("**/feed")
    expect(page.get_by_role("heading", name="Feed")).to_be_visible()
