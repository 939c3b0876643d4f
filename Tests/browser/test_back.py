"""Back leads to the screen one came from, at its place, and bears its name."""

import random

import pytest
from playwright.sync_api import expect

from conftest import long
from chats import chat_of, open_chat, send_photo
from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def follow(page, link):
    """Taps a link and waits for the page behind it."""
    with page.expect_navigation():
        link.click()
    ready(page)


def back_link(page):
    return page.locator("header .back").last


def go_back(page, name, path):
    """Taps Back, which bears a name, and waits for the screen of that path."""
    expect(back_link(page)).to_have_text(name)
    follow(page, back_link(page))
    page.wait_for_url(f"**{path}")


def depth(page):
    """Where in the browser's history the page is."""
    return page.evaluate("navigation.currentEntry.index")


def place(item):
    """The id of an item of a list, and where it is in the window."""
    return [item.get_attribute("data-id"), item.bounding_box()["y"]]


def expect_place(page, kept):
    page.wait_for_function(
        """([id, top]) => {
          const item = document.querySelector(`[data-id="${id}"]`);
          return item && Math.abs(item.getBoundingClientRect().top - top) < 2;
        }""",
        arg=kept,
    )


@pytest.fixture
def reader(ana, bea, photos):
    """Someone with a long home feed."""
    photo = bea.upload(photos[2], "A picture of soft colours")
    for number in range(1, 14):
        bea.post("/api/v1/statuses", status=f"Number {number}.", media_ids=[photo], visibility="public")
    return ana


def scrolled_card(page):
    """A card far down at home, in sight."""
    card = page.locator("post-card").filter(has_text="Number 5.")
    page.locator("post-card").filter(has_text="Number 9.").scroll_into_view_if_needed()
    page.locator("post-card").filter(has_text="Number 6.").scroll_into_view_if_needed()
    card.locator(".engagement").scroll_into_view_if_needed()
    return card


@pytest.mark.parametrize("link", ["Comment", long("Share"), long("More options"), long("author")])
def test_from_home_it_leads_home_to_the_same_post(reader, bea, link):
    page = reader.open("/home")
    card = scrolled_card(page)
    kept = place(card)
    target = card.locator(".post-author > a").first if link == "author" else card.get_by_role("link", name=link).first
    start = depth(page)
    target.scroll_into_view_if_needed()
    kept = place(card)
    follow(page, target)
    go_back(page, "Home", "/home")
    assert depth(page) == start
    expect_place(page, kept)


@pytest.mark.parametrize("path, name", [long("/@{bea}", "{bea}"), ("/saved", "Saved")])
def test_from_a_grid_it_leads_back_to_the_grid(reader, bea, path, name):
    for post in bea.get(f"/api/v1/accounts/{bea.id}/statuses"):
        reader.post(f"/api/v1/statuses/{post['id']}/bookmark")
    path, name = path.format(bea=bea.username), name.format(bea=bea.username)
    page = reader.open(path)
    follow(page, page.locator(".grid a").first)
    expect(page.get_by_role("heading", name="Post", exact=True)).to_be_visible()
    # Two screens further, and step by step back.
    follow(page, page.get_by_role("link", name="Comment", exact=True))
    go_back(page, "Post", page.url.removesuffix("/comments").removeprefix(reader.server.url))
    go_back(page, name, path)


def test_from_a_person_it_leads_to_the_chat(ana, bea):
    chat = chat_of(ana, bea)
    page = open_chat(ana, chat)
    follow(page, page.locator(".peer"))
    go_back(page, bea.username.capitalize(), f"/messages/{chat}")
    # The arrow of a chat has no words, and says to those who can't see it where it leads.
    bea.post(f"/api/v1/chats/{chat}/messages", text="Hello")
    page.goto("/friends")
    ready(page)
    follow(page, page.locator(".all-chats .rows a"))
    expect(page.get_by_role("link", name="Friends", exact=True).first).to_be_visible()
    follow(page, page.locator(".chat-bar .back"))
    expect(page).to_have_url(f"{ana.server.url}/friends")


@pytest.mark.long
def test_from_a_comment_it_leads_to_the_notifications(ana, bea, photos):
    post = ana.share("Harbour", photos[0])
    bea.post("/api/v1/statuses", status="Where is this?", in_reply_to_id=post)
    page = ana.open("/home")
    follow(page, page.get_by_role("link", name="Notifications"))
    follow(page, page.get_by_role("link", name="commented"))
    expect(page.get_by_role("heading", name="Comments")).to_be_visible()
    go_back(page, "Notifications", "/notifications")
    go_back(page, "Home", "/home")


def test_done_leads_from_a_photo_to_the_private_feed_or_the_chat(ana, bea, photos):
    chat = chat_of(ana, bea)
    for number in range(5):
        send_photo(bea, chat, photos[number % 3], f"Photo {number}")
    page = ana.open("/feed")
    item = page.locator(".exchanges > li").nth(3)
    item.scroll_into_view_if_needed()
    kept = place(item)
    follow(page, item.get_by_role("link", name="Photo 1"))
    # Also after turning to another photo.
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("img", name="Photo 2")).to_be_visible()
    follow(page, page.get_by_role("link", name="Done"))
    expect(page).to_have_url(f"{ana.server.url}/feed")
    expect_place(page, kept)
    open_chat(ana, chat)
    with page.expect_navigation():
        page.get_by_role("link", name="Photo 4").click()
    follow(page, page.get_by_role("link", name="Done"))
    expect(page).to_have_url(f"{ana.server.url}/messages/{chat}")


@pytest.mark.long
def test_messages_are_pushed_over_home(ana, bea):
    page = ana.open("/home")
    follow(page, page.get_by_role("navigation", name="Home").get_by_role("link", name="Messages"))
    expect(page.get_by_role("heading", name="Messages")).to_be_visible()
    go_back(page, "Home", "/home")


@pytest.mark.long
def test_own_profile_has_a_way_back(ana, photos):
    ana.share("Harbour", photos[0])
    page = ana.open("/home")
    follow(page, page.locator(".post-author > a").first)
    go_back(page, "Home", "/home")


def test_a_page_opened_cold_leads_to_its_parent_and_never_in_circles(ana, photos):
    post = ana.share("Harbour", photos[0])
    page = ana.open(f"/posts/{post}/comments")
    start = depth(page)
    go_back(page, "Post", f"/posts/{post}")
    go_back(page, "Home", "/home")
    assert depth(page) == start


def test_after_a_form_it_passes_that_over(ana, bea, photos):
    post = ana.share("Harbour", photos[0])
    page = ana.open("/home")
    start = depth(page)
    follow(page, page.get_by_role("link", name="Share"))
    page.get_by_role("checkbox", name=bea.username.capitalize()).check()
    follow(page, page.get_by_role("button", name="Send"))
    expect(page.get_by_text("Sent to 1 friend.")).to_be_visible()
    go_back(page, "Home", "/home")
    assert depth(page) == start
    follow(page, page.get_by_role("link", name="More options"))
    page.get_by_label("Caption").fill("Harbour at noon")
    follow(page, page.get_by_role("button", name="Save changes"))
    expect(page).to_have_url(f"{ana.server.url}/posts/{post}")
    go_back(page, "Home", "/home")
    assert depth(page) == start


@pytest.mark.long
def test_a_reload_keeps_the_way_back(ana, photos):
    ana.share("Harbour", photos[0])
    page = ana.open("/home")
    start = depth(page)
    follow(page, page.get_by_role("link", name="Comment", exact=True))
    page.reload()
    ready(page)
    # A jump within the page is a step as well.
    page.evaluate("location.hash = 'content'")
    page.wait_for_function("() => history.state?.trail")
    go_back(page, "Home", "/home")
    assert depth(page) == start


@pytest.mark.long
def test_after_a_posted_snap_one_press_suffices(ana):
    page = ana.open("/create")
    start = depth(page)
    follow(page, page.get_by_role("link", name="Snap", exact=False).filter(has_text="Seen once"))
    follow(page, page.locator(".grid a").first)
    page.get_by_label("random").check()
    page.get_by_role("button", name="Post").click()
    follow(page, page.get_by_role("button", name="OK"))
    expect(page).to_have_url(f"{ana.server.url}/snaps/new")
    assert depth(page) == start + 1
    go_back(page, "Create", "/create")
    assert depth(page) == start


@pytest.mark.long
def test_after_a_camera_shot_it_leads_to_the_picture_in_the_camera(people, whole_browser):
    ana = people(f"shooter{random.randrange(10**8)}", browser=whole_browser)
    ana.page.context.grant_permissions(["camera"], origin=ana.server.url)
    page = ana.open("/create")
    start = depth(page)
    follow(page, page.get_by_role("link").filter(has_text="Seen once"))
    follow(page, page.get_by_role("link", name="Camera").first)
    camera = page.locator("snap-camera")
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Take the picture").click()
    page.get_by_role("button", name="Use").click()
    chosen = page.get_by_role("img", name="The picture you chose")
    expect(chosen).to_be_visible()
    first = chosen.get_attribute("src")
    expect(back_link(page)).to_have_text("Camera")
    back_link(page).click()
    expect(page.get_by_role("img", name="The picture just taken")).to_be_visible()
    expect(chosen).to_be_hidden()
    # The same picture, then another one.
    page.get_by_role("button", name="Use").click()
    expect(chosen).to_have_attribute("src", first)
    back_link(page).click()
    page.get_by_role("button", name="Retake").click()
    expect(camera).to_have_attribute("data-state", "live")
    page.get_by_role("button", name="Take the picture").click()
    page.get_by_role("button", name="Use").click()
    expect(chosen).to_be_visible()
    assert chosen.get_attribute("src") != first
    page.get_by_label("random").check()
    page.get_by_role("button", name="Post").click()
    follow(page, page.get_by_role("button", name="OK"))
    expect(page).to_have_url(f"{ana.server.url}/snaps/new")
    go_back(page, "Create", "/create")
    assert depth(page) == start
    assert len(ana.get("/api/v1/snaps")[2]["snaps"]) == 1


def test_tabs_keep_their_places(reader, bea):
    page = reader.open("/home")
    tabs = page.get_by_role("navigation", name="Main")
    kept = place(scrolled_card(page))
    follow(page, tabs.get_by_role("link", name="Library"))
    follow(page, page.get_by_role("link", name="Saved"))
    follow(page, tabs.get_by_role("link", name="Home"))
    expect_place(page, kept)
    follow(page, tabs.get_by_role("link", name="Library"))
    expect(page).to_have_url(f"{reader.server.url}/library?show=saved")
    # From a screen within the tab as well; a tap on the tab that is shown leads to its top.
    follow(page, tabs.get_by_role("link", name="Home"))
    follow(page, scrolled_card(page).locator(".when"))
    follow(page, tabs.get_by_role("link", name="Home"))
    expect(page).to_have_url(f"{reader.server.url}/home")
    follow(page, tabs.get_by_role("link", name="Home"))
    page.wait_for_function("() => scrollY === 0")


@pytest.mark.long
def test_without_scripts_the_link_leads_to_the_parent(people, photos):
    ana = people(f"noscript{random.randrange(10**8)}", java_script_enabled=False)
    post = ana.share("Harbour", photos[0])
    ana.page.goto(f"/posts/{post}/comments")
    expect(back_link(ana.page)).to_have_text("Post")
    back_link(ana.page).click()
    expect(ana.page).to_have_url(f"{ana.server.url}/posts/{post}")
