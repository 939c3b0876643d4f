"""The main journey: sign up, post photos, follow, like, save, delete; and Home to the point."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from looks import accessibility_problems, box, colour, scrolls_sideways, size, style
from people import acknowledged, befriend, ready


def test_sign_up_with_a_portrait_post_two_photos_like_save_and_delete(page, server, photos):
    ben = server.person("ben")
    page.goto("/signup")
    ready(page)
    page.get_by_label("Portrait").set_input_files(photos[0])
    page.get_by_label("Username").fill("carla")
    page.get_by_label("Name", exact=True).fill("Carla Núñez 🐕")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Create Account").click()
    expect(page).to_have_url(re.compile("/home$"))
    expect(page.get_by_text("Welcome, Carla Núñez 🐕.")).to_be_visible()

    # Nothing is here yet, and the page says what to do: follow ben.
    page.get_by_role("link", name="Find people").click()
    ready(page)
    row = page.get_by_role("listitem").filter(has_text="ben")
    row.get_by_role("button").click()
    expect(row.get_by_role("button")).to_have_attribute("aria-pressed", "true")
    acknowledged(row.get_by_role("button"))

    # Two photos in one post.
    page.goto("/posts/new")
    ready(page)
    page.get_by_label("Choose photos").set_input_files(photos[:2])
    expect(page.locator("[data-chosen-count]")).to_have_text("2 of 10")
    page.get_by_label("Caption").fill("Two at once <b>not bold</b>")
    page.get_by_role("button", name="Share").click()
    expect(page).to_have_url(re.compile("/home$"))
    card = page.locator("post-card").first
    expect(card.locator(".caption")).to_contain_text("Two at once <b>not bold</b>")
    expect(card.locator("[data-photo] img")).to_have_count(2)
    assert "/portraits/" in ben.get("/api/v1/accounts/lookup?acct=carla")["avatar"]

    # Liked by the button, taken back, liked by a double tap; saved.
    ready(page)
    like = card.get_by_role("button", name="Like")
    like.click()
    expect(like).to_have_attribute("aria-pressed", "true")
    expect(card.locator("[data-likes]")).to_have_text("1 like")
    like.click()
    expect(like).to_have_attribute("aria-pressed", "false")
    card.locator("[data-photo]").first.dblclick()
    expect(like).to_have_attribute("aria-pressed", "true")
    save = card.get_by_role("button", name="Save")
    save.click()
    expect(save).to_have_attribute("aria-pressed", "true")
    acknowledged(like)
    acknowledged(save)

    # The server knows it after a reload.
    with page.expect_response(re.compile("/photos/")):
        page.reload()
    card = page.locator("post-card").first
    expect(card.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "true")
    page.goto("/saved")
    expect(page.locator(".grid li")).to_have_count(1)

    # Deleted after a question; the photos stay in the library.
    page.goto("/home")
    ready(page)
    page.get_by_role("link", name="More options").first.click()
    ready(page)
    page.get_by_role("button", name="Delete post").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete post").click()
    expect(page.locator("post-card")).to_have_count(0)
    page.goto("/library")
    expect(page.locator(".grid img, .library img")).to_have_count(2)


@pytest.fixture(scope="module")
def follower(server, photos):
    """Someone who follows an author of four posts: a wide one, a tall one, a square one, three at once."""
    follower, author = server.person("follower"), server.person("author")
    befriend(follower, author)
    author.share("Three at once", *photos)
    for path, caption in zip(photos, ["Wide", "Tall", "A caption " + "that goes on and on " * 12], strict=True):
        author.share(caption, path)
    return follower


@pytest.fixture
def reader(follower, phone):
    """The follower with a phone, at home."""
    phone(follower).open("/home")
    return follower


def near(measured, wanted):
    assert abs(measured - wanted) <= 0.51, f"{measured} px instead of {wanted} px"


def test_the_bar_of_home_has_the_sizes_of_the_design(reader):
    page = reader.page
    logo = box(page.locator(".home-bar h1 .logo"))
    near(logo[2], 120)
    symbols = [box(symbol) for symbol in page.locator(".home-bar .actions .symbol").all()]
    assert len(symbols) == 3
    for _, _, width, height in symbols:
        near(width, 20)
        near(height, 20)
    for left, right in itertools.pairwise(symbols):
        near(right[0] - left[0] - left[2], 28)
    menu = box(page.locator(".home-bar > .symbol"))
    near(logo[0] + 60, (menu[0] + menu[2] + symbols[0][0]) / 2)
    names = [link.get_attribute("aria-label") for link in page.locator(".home-bar .actions a").all()]
    assert names == ["New post", "Notifications", "Messages"]


def test_a_post_has_the_sizes_and_type_of_the_design(reader):
    page = reader.page
    post = page.locator("article.post").first
    near(size(post.locator(".post-author .portrait"))[0], 30)
    name, portrait = box(post.locator(".post-author b")), box(post.locator(".post-author .portrait"))
    near(name[0] - portrait[0] - portrait[2], 8)
    near(size(post.locator(".post-author .symbol"))[0], 16)

    author, carousel = box(post.locator(".post-author")), box(post.locator("photo-carousel"))
    engagement, information = box(post.locator(".engagement")), box(post.locator(".information"))
    near(carousel[0], 0)
    near(carousel[2], 390)
    for above, below in [(author, carousel), (carousel, engagement), (engagement, information)]:
        near(below[1] - above[1] - above[3], 8)

    buttons = [box(symbol) for symbol in post.locator(".engagement .symbol").all()]
    for _, _, width, height in buttons:
        near(width, 24)
        near(height, 24)
    near(buttons[1][0] - buttons[0][0] - 24, 16)
    near(buttons[2][0] - buttons[1][0] - 24, 16)
    near(buttons[3][0] + 24, 390 - 16)

    for selector, points, weight in [
        (".post-author b", "15px", "700"),
        (".likes", "13px", "600"),
        (".caption", "13px", "400"),
        (".caption a", "13px", "700"),
        (".when time", "12px", "400"),
    ]:
        text = post.locator(selector).first
        assert (style(text, "font-size"), style(text, "font-weight")) == (points, weight), selector
    assert style(post.locator(".when time"), "color") == colour(page, "--secondary")
    lines = [box(line) for line in post.locator(".information > *:visible").all()]
    for above, below in itertools.pairwise(lines):
        near(below[1] - above[1] - above[3], 8)
    posts = [box(one) for one in page.locator("article.post").all()[:2]]
    near(posts[1][1] - posts[0][1] - posts[0][3], 8)
    assert style(page.locator("html"), "scrollbar-width") == "none"


def test_pictures_keep_their_proportions(reader):
    ratios = [
        round(width / height, 2)
        for width, height in (size(image) for image in reader.page.locator("[data-photo] img").all()[:3])
    ]
    assert ratios == [1, 0.75, 1.33]


def test_a_liked_heart_is_red_and_every_symbol_can_be_touched(reader):
    page = reader.page
    like = page.get_by_role("button", name="Like").first
    like.tap()
    expect(like).to_have_attribute("aria-pressed", "true")
    assert style(like.locator(".icon").nth(1), "color") == colour(page, "--heart")
    for selector in [".home-bar .symbol", ".engagement .symbol", ".post-author .symbol"]:
        for edge in ["width", "height"]:
            touch = page.locator(selector).first.evaluate(
                "(element, edge) => parseFloat(getComputedStyle(element, '::after')[edge])", edge
            )
            assert touch >= 44, f"{selector}: {touch} px"


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_home_and_its_neighbours_have_no_accessibility_problems(reader, scheme):
    page = reader.page
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for path in ["/home", "/posts/new", "/library", "/users", f"/@{reader.username}"]:
        page.goto(path)
        ready(page)
        assert accessibility_problems(page) == [], path


@pytest.mark.long
def test_nothing_scrolls_sideways_from_320_to_1440_pixels(reader):
    page = reader.page
    for width, height in [(320, 568), (390, 844), (844, 390), (768, 1024), (1024, 768), (1440, 900)]:
        page.set_viewport_size({"width": width, "height": height})
        for path in ["/home", "/library", "/users"]:
            page.goto(path)
            assert not scrolls_sideways(page), f"{path} at {width}×{height}"
    # On wide screens a rail takes the place of the tabs.
    page.goto("/home")
    rail = box(page.locator(".rail"))
    assert rail[0] == 0 and rail[3] > rail[2]
    near(size(page.locator("article.post").first)[0], 470)


def test_dark_is_drawn_from_its_own_colours(reader):
    page = reader.page
    for scheme, ground in [("light", "rgb(255, 255, 255)"), ("dark", "rgb(0, 0, 0)")]:
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.locator("body")).to_have_css("background-color", ground)


def test_forms_work_without_scripts(people, photos):
    ana = people("noscript", java_script_enabled=False)
    ana.page.goto("/posts/new")
    ana.page.get_by_label("Choose photos").set_input_files(photos[:1])
    ana.page.get_by_label("Caption").fill("Without scripts")
    ana.page.get_by_role("button", name="Share").click()
    expect(ana.page.locator(".caption")).to_contain_text("Without scripts")
    ana.page.get_by_role("button", name="Like").click()
    expect(ana.page.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "true")


def test_a_blurred_picture_is_shown_while_a_photo_is_loading(people, photos):
    ana = people("anablurs")
    ana.share("Slow", photos[0], description="Soft colours")
    held = []
    ana.page.route(re.compile(r"/photos/\d"), lambda route: held.append(route))
    # The page itself is there long before its photo.
    ana.page.goto("/home", wait_until="commit")
    ready(ana.page)
    photo = ana.page.get_by_role("img", name="Soft colours")
    colours = photo.evaluate(
        """async (photo) => {
            const picture = new Image();
            picture.src = getComputedStyle(photo).backgroundImage.slice(5, -2);
            await picture.decode();
            const canvas = new OffscreenCanvas(2, 2).getContext("2d");
            canvas.drawImage(picture, 0, 0, 2, 2);
            const { data } = canvas.getImageData(0, 0, 2, 2);
            return [0, 4, 8, 12].map((start) => [...data.slice(start, start + 3)]);
        }"""
    )
    # As in the photo, red grows to the right and green downwards.
    (left_top, right_top, left_bottom, _) = colours
    assert right_top[0] > left_top[0] + 40 and left_bottom[1] > left_top[1] + 40
    for route in held:
        route.continue_()
    ana.page.unroute(re.compile(r"/photos/\d"))
    expect(photo).to_have_css("background-image", "none")
    assert photo.evaluate("photo => photo.naturalWidth") > 0
