"""What one does with posts beside looking: scrolling far, composing, changing, hiding, sharing, seeing who liked."""

import random

import pytest
from playwright.sync_api import expect

from looks import box
from people import acknowledged, ready
from touch import Finger, middle


def live(person):
    """Waits until the page hears of events."""
    expect(person.page.locator("html")).to_have_attribute("data-live", "on")


def test_home_goes_on_while_one_scrolls_and_keeps_its_place_on_back(ana, photos):
    photo = ana.upload(photos[2], "A picture of soft colours")
    for number in range(1, 26):
        ana.post("/api/v1/statuses", status=f"Number {number}.", media_ids=[photo])
    page = ana.open("/home")
    cards = page.locator("post-card")
    expect(cards.first).to_contain_text("Number 25.")
    for card in ["Number 16.", "Number 6.", "Number 1."]:
        cards.filter(has_text=card).scroll_into_view_if_needed()
    expect(cards).to_have_count(25)
    expect(page.get_by_role("link", name="Show more")).to_have_count(0)

    card = cards.filter(has_text="Number 4.")
    link = card.get_by_role("link", name="More options")
    link.scroll_into_view_if_needed()
    place = [card.get_attribute("data-id"), card.bounding_box()["y"]]
    link.click()
    expect(page.get_by_role("heading", name="Options")).to_be_visible()
    page.go_back()
    page.wait_for_function(
        """([id, top]) => {
          const card = document.querySelector(`post-card[data-id="${id}"]`);
          return card && Math.abs(card.getBoundingClientRect().top - top) < 2;
        }""",
        arg=place,
    )


def test_photos_of_a_new_post_are_ordered_by_drag_and_keys_and_described(ana, photos):
    page = ana.open("/posts/new")
    page.get_by_label("Choose photos").set_input_files(photos)
    expect(page.locator("[data-chosen-count]")).to_have_text("3 of 10")
    # Each is a cell as those from the library are: a picture that is a check box.
    for cell in page.get_by_role("checkbox", name="New photo").all():
        picture = cell.locator("xpath=..").get_by_role("img")
        expect(picture).to_be_visible()
        assert box(cell) == box(picture)
    chosen = page.get_by_role("list", name="Chosen photos, in order").get_by_role("listitem")
    order = lambda: [item.get_attribute("data-id") for item in chosen.all()]
    one, two, three = order()

    # The first is dragged below the last by a finger, then moved up by a key.
    grips = page.get_by_role("button", name="Move photo")
    grips.first.scroll_into_view_if_needed()
    start, end = middle(grips.nth(0)), middle(grips.nth(2))
    finger = Finger(page)
    finger.drag(start, (end[0], end[1] + 20), steps=16)
    finger.up()
    expect(chosen.last).to_have_attribute("data-id", one)
    assert order() == [two, three, one]
    grips.nth(2).press("ArrowUp")
    expect(chosen.last).to_have_attribute("data-id", three)
    expect(grips.nth(1)).to_be_focused()
    for number, words in enumerate(["Second came first", "Then the first", "And the third"], start=1):
        page.get_by_label(f"Description of photo {number}").fill(words)
    page.get_by_label("Caption").fill("In order")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("post-card")).to_have_count(1)
    pictures = ana.get("/api/v1/timelines/home")[0]["media_attachments"]
    assert [(picture["id"], picture["description"]) for picture in pictures] == [
        (two, "Second came first"), (one, "Then the first"), (three, "And the third"),
    ]


@pytest.mark.long
def test_an_edited_caption_shows_on_every_open_page(ana, bea, photos):
    post = ana.share("Habour", photos[0])
    bea.open("/home")
    live(bea)
    page = ana.open("/home")
    page.get_by_role("link", name="More options").click()
    ready(page)
    caption = page.get_by_label("Caption")
    expect(caption).to_have_value("Habour")
    caption.fill("Harbour at six")
    page.get_by_role("button", name="Save changes").click()
    expect(page).to_have_url(f"{ana.server.url}/posts/{post}")
    expect(page.get_by_text("Changes saved.")).to_be_visible()
    expect(page.locator("[data-caption]")).to_contain_text("Harbour at six")
    expect(bea.page.locator("[data-caption]")).to_contain_text("Harbour at six")
    # One that is emptied goes, and one that is given to a bare photo comes.
    ana.edit(post, "")
    for shown in [page, bea.page]:
        expect(shown.locator("[data-caption]")).to_have_count(0)
    ana.edit(post, "Harbour at seven")
    for shown in [page, bea.page]:
        expect(shown.locator("[data-likes] + [data-caption]")).to_have_text(f"{ana.username} Harbour at seven")


@pytest.mark.long
def test_what_was_missed_of_a_post_is_made_good(ana, bea, photos):
    post = ana.share("Habour", photos[0])
    page = bea.page
    page.add_init_script(
        """for (const name of ["status.update", "status.counts"]) {
          addEventListener(`tintype:${name}`, (event) => window.isDeaf && event.stopImmediatePropagation());
        }"""
    )
    bea.open("/home")
    live(bea)
    page.evaluate("() => { window.isDeaf = true; }")
    ana.edit(post, "Harbour")
    for person in [ana, bea]:
        person.post(f"/api/v1/statuses/{post}/favourite")
    ana.post("/api/v1/statuses", status="Which?", in_reply_to_id=post)
    page.evaluate("() => dispatchEvent(new CustomEvent('tintype:reset'))")
    card = page.locator("post-card")
    expect(card.locator("[data-caption]")).to_have_text(f"{ana.username} Harbour")
    expect(card.locator("[data-likes]")).to_have_text("2 likes")
    expect(card.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "true")
    expect(card.get_by_role("link", name="View 1 comment")).to_be_visible()
    # A tap counts from there.
    like = card.get_by_role("button", name="Like")
    like.click()
    acknowledged(like)
    expect(card.locator("[data-likes]")).to_have_text("1 like")


def test_somebody_who_is_removed_as_a_follower_loses_the_post_from_the_open_page(ana, bea, photos):
    ana.share("For followers", photos[0])
    page = bea.open("/home")
    live(bea)
    cards = page.locator("post-card")
    expect(cards.filter(has_text="For followers")).to_be_visible()
    ana.post(f"/api/v1/accounts/{bea.id}/remove_from_followers")
    expect(cards).to_have_count(0)
    # The same stream goes on.
    ana.share("For all who follow", photos[0])
    bea.follow(ana)
    ana.share("Welcome back", photos[0])
    expect(page.get_by_text("1 new post")).to_be_visible()


def test_a_post_is_hidden_and_its_author_unfollowed_from_its_options(ana, bea, photos):
    for caption in ["One", "Two"]:
        bea.share(caption, photos[0])
    page = ana.open("/home")
    cards = page.locator("post-card")
    cards.filter(has_text="Two").get_by_role("link", name="More options").click()
    ready(page)
    page.get_by_role("button", name="Hide this post").click()
    expect(page.get_by_text("You won’t see this post again.")).to_be_visible()
    expect(cards).to_have_count(1)
    expect(cards).to_contain_text("One")

    ready(page)
    page.get_by_role("link", name="More options").click()
    ready(page)
    page.get_by_role("button", name=f"Unfollow {bea.username}").click()
    # The post is for followers: its own options would be out of sight now.
    expect(page).to_have_url(f"{ana.server.url}/home")
    expect(cards).to_have_count(0)
    assert ana.get(f"/api/v1/accounts/relationships?id[]={bea.id}")[0]["following"] is False


@pytest.mark.long
def test_a_post_is_shared_by_another_app_by_link_and_with_a_friend(ana, bea, photos):
    post = ana.share("Harbour", photos[0])
    page = ana.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    # Chromium on a desktop has no share sheet.
    page.add_init_script(
        """window.shared = [];
        navigator.canShare = () => true;
        navigator.share = async (content) => {
          window.shared.push({ ...content, files: content.files?.map(({ type, size }) => ({ type, size })) });
        };"""
    )
    ana.open("/home")
    page.locator("post-card").get_by_role("link", name="Share").click()
    ready(page)
    path = f"/posts/{post}"
    page.get_by_role("button", name="Share with another app").click()
    page.wait_for_function("() => window.shared.length === 1")
    shared = page.evaluate("window.shared[0]")
    assert shared["text"] == "Harbour" and shared["url"].endswith(path)
    assert shared["files"][0]["type"] in ["image/webp", "image/jpeg"] and shared["files"][0]["size"] > 0

    page.get_by_role("button", name="Copy", exact=True).click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == shared["url"]

    page.get_by_role("checkbox", name=bea.username.capitalize()).check()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Sent to 1 friend.")).to_be_visible()
    chat = bea.get("/api/v1/chats")[0]
    assert [message["text"] for message in bea.get(f"/api/v1/chats/{chat['id']}/messages")] == [shared["url"]]


@pytest.fixture
def popular(server, people):
    """Someone with 26 friends, of whom one is called Zora."""
    popular = people(f"popular{random.randrange(10**8)}")
    for number in range(26):
        friend = server.person(f"mate{number}of{random.randrange(10**8)}", "Zora" if number == 25 else f"Mate {number}")
        friend.follow(popular)
        popular.follow(friend)
    return popular


@pytest.mark.long
def test_a_friend_among_many_is_found_by_name_and_those_chosen_stay(popular, photos):
    post = popular.share("Harbour", photos[0])
    page = popular.open(f"/posts/{post}/share")
    page.get_by_role("checkbox", name="Mate 3", exact=True).check()
    search = page.get_by_role("searchbox", name="Search friends")
    search.press_sequentially("zor")
    expect(page.get_by_role("checkbox")).to_have_count(2)
    expect(page.get_by_role("checkbox", name="Mate 3", exact=True)).to_be_checked()
    search.press("Enter")
    page.get_by_role("checkbox", name="Zora").check()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Sent to 2 friends.")).to_be_visible()


@pytest.mark.long
def test_a_friend_chosen_while_a_search_is_under_way_stays_chosen(popular, photos):
    post = popular.share("Harbour", photos[0])
    page = popular.open(f"/posts/{post}/share")
    chosen = page.get_by_role("checkbox", name="Mate 3", exact=True)

    def answer_late(route):
        chosen.check()
        route.continue_()

    page.route("**/share?**", answer_late, times=1)
    page.get_by_role("searchbox", name="Search friends").fill("zor")
    expect(page.get_by_role("checkbox")).to_have_count(2)
    expect(chosen).to_be_checked()


def test_who_liked_a_post_is_behind_its_count(ana, bea, photos):
    post = ana.share("Harbour", photos[0])
    for person in [ana, bea]:
        person.post(f"/api/v1/statuses/{post}/favourite")
    page = ana.open("/home")
    page.get_by_role("link", name="2 likes").click()
    ready(page)
    expect(page.get_by_role("heading", name="Likes")).to_be_visible()
    rows = page.get_by_role("main").get_by_role("listitem")
    expect(rows).to_have_count(2)
    row = rows.filter(has_text=f"@{bea.username}")
    expect(row.get_by_role("button", name="Following")).to_be_visible()
    row.get_by_role("link").click()
    expect(page).to_have_url(f"{ana.server.url}/@{bea.username}")


# ---------------------------------------------------------------- found by their place


def test_photos_are_found_by_their_place_only_while_their_author_wants_it(ana, bea, photos):
    photo = ana.upload(photos[0], "The bridge")
    with ana.server.database() as database:
        database.execute(
            "UPDATE photos SET latitude = 46.5412, longitude = 11.8456, captured_at = -1200000000000 WHERE id = ?",
            [int(photo)],
        )
    # Another radius each time: the same search would be answered from what is kept.
    radius = iter(range(1, 30))

    def found():
        query = f"latitude=46.54&longitude=11.845&radius_km={next(radius)}&from_year=1900&to_year=1950"
        return len(bea.get(f"/api/v1/past_photos?{query}")["photos"])

    page = ana.open(f"/posts/new?photo={photo}")
    switch = page.get_by_role("switch", name="Others may find these photos by their place")
    expect(switch).not_to_be_checked()
    switch.check()
    page.get_by_role("button", name="Share").click()
    expect(page.locator("post-card")).to_have_count(1)
    assert found() == 1
    [post] = ana.get(f"/api/v1/accounts/{ana.id}/statuses")
    page = ana.open(f"/posts/{post['id']}/options")
    page.get_by_role("button", name="Stop showing these photos by their place").click()
    expect(page.get_by_text("Nobody can find these photos by their place any more.")).to_be_visible()
    assert found() == 0
    page.get_by_role("button", name="Let others find these photos by their place").click()
    expect(page.get_by_text("Others can find these photos by their place now.")).to_be_visible()
    assert found() == 1
