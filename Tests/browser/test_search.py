"""The search field of Users: people, hashtags and posts."""

import random

import pytest
from playwright.sync_api import expect

from conftest import long
from looks import accessibility_problems
from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]
FIELD = "Search people, hashtags and posts"


@pytest.fixture
def scene(people, server, photos):
    """Someone with a phone, a stranger, and a word that only the stranger's posts have."""
    number = random.randrange(10**8)
    return people(f"reader{number}"), server.person(f"stranger{number}"), f"fog{number}"


@pytest.fixture(params=[(390, 844), (1280, 800)], ids=["phone", "wide"])
def sized(scene, request):
    width, height = request.param
    scene[0].page.set_viewport_size({"width": width, "height": height})
    return scene


def test_posts_are_found_while_one_types_and_all_of_them_page_by_page(sized, photos):
    reader, stranger, word = sized
    media = [stranger.upload(photos[0], f"Boats {number}") for number in range(2)]
    posts = [
        stranger.post("/api/v1/statuses", status=f"{word.upper()} {number}", media_ids=media, visibility="public")["id"]
        for number in range(33)
    ]
    hidden = stranger.share(f"{word}, for followers", photos[1])
    page = reader.open("/users")
    page.get_by_role("searchbox", name=FIELD).press_sequentially(word)
    found = page.get_by_role("region", name="Posts")
    expect(found.get_by_role("link", name="Boats 0")).to_have_count(12)
    expect(found.locator(f"[data-id='{hidden}']")).to_have_count(0)
    expect(page.get_by_text("Nobody here is called")).to_be_hidden()

    found.get_by_role("link", name="All posts").click()
    expect(page.get_by_role("heading", name="Posts", exact=True)).to_be_visible()
    ready(page)
    expect(page.get_by_role("searchbox", name="Search posts")).to_have_value(word)
    last = page.locator(f".grid [data-id='{posts[0]}']")
    while not last.count():
        page.get_by_role("link", name="Boats 0").last.scroll_into_view_if_needed()
        page.mouse.wheel(0, 2000)
    expect(page.locator(".grid li")).to_have_count(33)
    last.get_by_role("link").click()
    expect(page.locator(".caption")).to_contain_text(f"{word.upper()} 0")
    page.go_back()
    ready(page)
    page.get_by_role("link", name="Users").first.click()
    expect(page.get_by_role("searchbox", name=FIELD)).to_be_visible()


def test_an_edited_caption_is_found_by_what_it_says_now(scene, photos):
    reader, stranger, word = scene
    post = stranger.share(f"Old {word}", photos[0], visibility="public")
    page = reader.open(f"/search/posts?q={word}")
    expect(page.locator(f".grid [data-id='{post}']")).to_be_visible()
    stranger.call("PUT", f"/api/v1/statuses/{post}", b'{"status": "Sun"}', "application/json")
    field = page.get_by_role("searchbox", name="Search posts")
    field.fill(f"{word} again")
    expect(page.get_by_text(f"No post that you can see says “{word} again”.")).to_be_visible()
    field.fill(word)
    expect(page.get_by_text(f"No post that you can see says “{word}”.")).to_be_visible()
    reader.open("/users")
    page.get_by_role("searchbox", name=FIELD).fill(word)
    expect(page.get_by_text(f"Nobody here is called “{word}”, no hashtag begins with it, and no post")).to_be_visible()


def test_people_come_before_posts_and_all_of_them_have_a_page(scene, server, photos):
    reader, stranger, word = scene
    for number in range(7):
        server.person(f"{word}.{number}")
    stranger.share(f"The {word}", photos[0], visibility="public")
    page = reader.open("/users")
    page.get_by_role("searchbox", name=FIELD).fill(word)
    people = page.get_by_role("list", name="People").get_by_role("listitem")
    expect(people).to_have_count(5)
    expect(page.get_by_role("region", name="Posts").get_by_role("listitem")).to_have_count(1)
    page.get_by_role("link", name="All people").click()
    expect(people).to_have_count(7)
    expect(page.get_by_role("region", name="Posts")).to_have_count(0)


@pytest.mark.parametrize("scheme", [long("light"), long("dark")])
def test_its_screens_can_be_used_by_everyone(scene, photos, scheme):
    reader, stranger, word = scene
    stranger.share(f"{word} #{word}", photos[0], visibility="public")
    reader.page.emulate_media(color_scheme=scheme)
    for path in [f"/users?q={word}", "/users?q=nothing", f"/search/posts?q={word}", "/search/posts?q=nothing", "/search/posts"]:
        page = reader.open(path)
        assert accessibility_problems(page) == [], path


@pytest.mark.long
def test_without_scripts_the_field_is_a_form(people, server, photos):
    word = f"fog{random.randrange(10**8)}"
    post = server.person(f"stranger{word}").share(f"The {word}", photos[0], visibility="public")
    page = people(f"plain{random.randrange(10**8)}", java_script_enabled=False).page
    page.goto("/users")
    field = page.get_by_role("searchbox", name=FIELD)
    field.fill(word)
    field.press("Enter")
    expect(page.get_by_role("region", name="Posts").locator(f"[data-id='{post}']")).to_be_visible()
    page.goto("/search/posts")
    field = page.get_by_role("searchbox", name="Search posts")
    field.fill(word)
    field.press("Enter")
    page.locator(f".grid [data-id='{post}'] a").click()
    expect(page.get_by_text(f"The {word}").first).to_be_visible()
