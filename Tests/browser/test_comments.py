"""The comments under a post, live between two people, with and without scripts."""

import re

import pytest
from playwright.sync_api import expect

from conftest import long
from looks import accessibility_problems, scrolls_sideways
from people import acknowledged, befriend, ready


def live(person):
    """Waits until the page hears of events."""
    expect(person.page.locator("html")).to_have_attribute("data-live", "on")


def test_two_people_see_each_others_comments_likes_and_posts_at_once(people, photos):
    ana, ben = people("ana"), people("ben")
    befriend(ana, ben)
    post = ana.share("Harbour at six", photos[0])

    ana.open("/home")
    live(ana)
    ben.open(f"/posts/{post}/comments")
    live(ben)

    # Ben writes: it shows for him at once, and ana's count moves without a reload.
    ben.page.get_by_label("Comment", exact=True).fill("Which harbour?")
    ben.page.get_by_role("button", name="Post", exact=True).click()
    expect(ben.page.locator("li.comment[data-id]")).to_have_count(1)
    expect(ben.page.get_by_label("Comment", exact=True)).to_have_value("")
    card = ana.page.locator("post-card").first
    expect(card.locator("[data-comments]")).to_have_text("View 1 comment")
    expect(ana.page.locator(".dot[data-badge=notifications]")).to_be_visible()

    # Ana answers from the thread; ben sees the answer below his comment, live.
    ana.open(f"/posts/{post}/comments")
    live(ana)
    ana.page.get_by_role("link", name="Reply").click()
    expect(ana.page.get_by_label("Comment", exact=True)).to_have_value("@ben ")
    ana.page.get_by_label("Comment", exact=True).fill("@ben the old one")
    ana.page.get_by_role("button", name="Post", exact=True).click()
    expect(ben.page.locator("li.comment.reply")).to_contain_text("the old one")

    # A like on a comment moves its count on the other's screen.
    like = ana.page.get_by_role("button", name="Like ben’s comment")
    like.click()
    acknowledged(like)
    expect(ben.page.locator("li.comment[data-id]").first.locator("[data-likes]")).to_have_text("1 like")

    # Deleting an own comment asks first, and it leaves both screens with its replies counted away.
    ben.page.get_by_role("button", name="Delete").click()
    ben.page.get_by_role("button", name="Delete comment").click()
    expect(ben.page.locator("li.comment[data-id]")).to_have_count(0)
    expect(ana.page.locator("li.comment[data-id]")).to_have_count(0)

    # A new post announces itself with a pill and moves nothing before it is tapped.
    ana.open("/home")
    live(ana)
    ben.share("Fresh bread", photos[1])
    pill = ana.page.locator("new-posts a")
    expect(pill).to_contain_text("1 new post")
    expect(ana.page.locator("post-card")).to_have_count(1)
    pill.click()
    expect(ana.page.locator("post-card")).to_have_count(2)
    expect(ana.page.locator("post-card").first).to_contain_text("Fresh bread")


@pytest.mark.long
def test_a_post_without_comments_says_so_until_there_is_one(ana, photos):
    post = ana.share("Harbour", photos[0])
    page = ana.open(f"/posts/{post}/comments")
    nothing = page.get_by_role("heading", name="No comments yet")
    expect(nothing).to_be_visible()
    assert accessibility_problems(page) == []
    page.get_by_label("Comment", exact=True).fill("First")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator("li.comment[data-id]")).to_have_count(1)
    expect(nothing).to_be_hidden()
    page.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete comment").click()
    expect(nothing).to_be_visible()


@pytest.mark.long
def test_in_a_long_thread_ones_own_comment_stays_and_a_link_finds_any(ana, bea, photos):
    post = ana.share("Harbour", photos[0])
    ids = [
        bea.post("/api/v1/statuses", status=f"Comment {number}.", in_reply_to_id=post)["id"]
        for number in range(1, 151)
    ]
    page = ana.open(f"/posts/{post}/comments")
    live(ana)
    comments = page.locator("li.comment[data-id]")
    expect(comments.filter(has_text="Comment 1.")).to_be_visible()
    page.get_by_label("Comment", exact=True).fill(f"@{bea.username} mine at last")
    page.get_by_role("button", name="Post", exact=True).click()
    mine = comments.filter(has_text="mine at last")
    expect(mine).to_be_visible()
    expect(page.get_by_text("Sending…")).to_have_count(0)
    # It stays, once, when the list goes on to its end.
    for number in [40, 80, 120, 150]:
        comments.filter(has_text=f"Comment {number}.").scroll_into_view_if_needed()
    expect(comments).to_have_count(151)
    expect(mine).to_have_count(1)

    # A link from outside opens the part that holds its comment, with the ways to the rest.
    page = bea.open("/notifications")
    page.get_by_role("link").filter(has_text="mentioned you").click()
    ready(page)
    comments = page.locator("li.comment[data-id]")
    expect(comments.filter(has_text="mine at last")).to_be_in_viewport()
    expect(comments.filter(has_text="Comment 1.")).to_have_count(0)
    page.get_by_role("link", name="Earlier comments").click()
    ready(page)
    expect(comments.filter(has_text="Comment 120.")).to_have_count(1)
    bea.open(f"/posts/{ids[99]}")
    expect(comments.filter(has_text="Comment 100.")).to_be_in_viewport()


def test_an_edited_comment_and_caption_show_at_once(ana, bea, photos):
    post = ana.share("", photos[0])
    comment = bea.post("/api/v1/statuses", status="Which habour?", in_reply_to_id=post)["id"]
    page = ana.open(f"/posts/{post}/comments")
    live(ana)
    expect(page.locator("li.comment")).to_have_count(1)
    bea.edit(comment, "Which harbour?")
    expect(page.locator("li.comment[data-id] p")).to_have_text(f"{bea.username} Which harbour?")
    topic = page.locator("li.comment:not([data-id]) p")
    for caption in ["Harbour at six", "Harbour at seven"]:
        ana.edit(post, caption)
        expect(topic).to_have_text(f"{ana.username} {caption}")
    ana.edit(post, "")
    expect(topic).to_have_count(0)


@pytest.mark.parametrize("isLong", [False, long(True)])
def test_what_was_missed_is_made_good_and_who_blocks_is_gone(people, ana, bea, photos, isLong):
    eve = people(f"eve{bea.username}")
    befriend(ana, eve)
    post = ana.share("Habour", photos[0])
    write = lambda person, text, to=post: person.post("/api/v1/statuses", status=text, in_reply_to_id=to)["id"]
    one, two, three = write(bea, "One"), write(bea, "Two"), write(eve, "Three")
    answer = write(bea, "Answered", to=three)
    for number in range(45 if isLong else 0):
        write(bea, f"Comment {number}")
    page = ana.page
    page.add_init_script(
        """for (const name of ["delete", "status.update", "status.counts"]) {
          addEventListener(`tintype:${name}`, (event) => window.isDeaf && event.stopImmediatePropagation());
        }"""
    )
    ana.open(f"/posts/{post}/comments")
    live(ana)
    field = page.get_by_label("Comment", exact=True)
    for text in ["Mine", "Mine too"]:
        field.fill(text)
        page.get_by_role("button", name="Post", exact=True).click()
        expect(page.locator("li.comment[data-id]").filter(has_text=text)).to_have_count(1)
    before = page.locator("li.comment[data-id]").count()

    page.evaluate("() => { window.isDeaf = true; }")
    bea.call("DELETE", f"/api/v1/statuses/{one}")
    bea.edit(two, "Second")
    bea.post(f"/api/v1/statuses/{two}/favourite")
    ana.edit(post, "Harbour")
    ana.post(f"/api/v1/statuses/{answer}/favourite")
    mine = page.locator("li.comment[data-id]").filter(has_text="Mine too").get_attribute("data-id")
    ana.call("DELETE", f"/api/v1/statuses/{mine}")
    last = write(bea, "Last", to=two)
    eve.post(f"/api/v1/accounts/{ana.id}/block")
    page.evaluate("() => dispatchEvent(new CustomEvent('tintype:reset'))")

    comments = page.locator("li.comment[data-id]")
    # Three are gone, one has come.
    expect(comments).to_have_count(before - 2)
    ids = comments.evaluate_all("items => items.map((item) => item.dataset.id)")
    assert ids[:3] == [two, last, answer]
    expect(comments.first.locator("p")).to_have_text(f"{bea.username} Second")
    expect(comments.first.locator("[data-likes]")).to_have_text("1 like")
    liked = page.locator(f"li[data-id='{answer}']").get_by_role("button", name="Like")
    expect(liked).to_have_attribute("aria-pressed", "true")
    expect(comments.last.locator("p")).to_have_text(f"{ana.username} Mine")
    expect(page.locator("li.comment:not([data-id]) p")).to_have_text(f"{ana.username} Harbour")
    # The new items stay live.
    page.evaluate("() => { window.isDeaf = false; }")
    bea.call("DELETE", f"/api/v1/statuses/{last}")
    expect(comments).to_have_count(before - 3)


def test_the_thread_works_without_scripts(people, photos):
    ana = people("cleo", java_script_enabled=False)
    post = ana.share("Plain", photos[0])
    page = ana.page
    page.goto(f"/posts/{post}/comments")
    page.get_by_label("Comment", exact=True).fill("Written <b>plainly</b>")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator("li.comment[data-id] p")).to_contain_text("Written <b>plainly</b>")
    page.get_by_role("link", name="Reply").click()
    expect(page.get_by_label("Comment", exact=True)).to_have_value("@cleo ")
    page.get_by_role("button", name="Post", exact=True).click()
    expect(page.locator("li.comment.reply")).to_have_count(1)
    page.get_by_role("button", name="Delete").last.click()
    expect(page).to_have_url(re.compile("/comments$"))
    expect(page.locator("li.comment.reply")).to_have_count(0)


def test_what_is_written_survives_a_reload(people, photos):
    dora = people("dora")
    post = dora.share("Draft", photos[0])
    page = dora.open(f"/posts/{post}/comments")
    page.get_by_label("Comment", exact=True).fill("Half a thou")
    page.reload()
    ready(page)
    expect(page.get_by_label("Comment", exact=True)).to_have_value("Half a thou")


def test_a_guest_link_opens_without_an_account_until_it_is_revoked(people, page, photos):
    emil = people("emil")
    post = emil.share("For the neighbours", photos[0])
    emil.open(f"/posts/{post}/share")
    emil.page.get_by_role("button", name="Make a guest link").click()
    link = emil.page.get_by_role("textbox", name="Guest link").input_value()
    path = "/guest/" + link.rsplit("/", 1)[1]
    page.goto(path)
    picture = page.locator(".guest-photos img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    emil.page.get_by_role("button", name="Revoke").click()
    expect(emil.page.get_by_role("button", name="Make a guest link")).to_be_visible()
    page.goto(path)
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()


@pytest.mark.long
def test_the_screens_are_accessible_and_fit(people, photos):
    fay, gil = people("fay"), people("gil")
    befriend(fay, gil)
    post = fay.share("Look", photos[0])
    gil.post("/api/v1/statuses", status="A word " * 40, in_reply_to_id=post)
    for path in [f"/posts/{post}/comments", f"/posts/{post}/share", f"/posts/{post}/options"]:
        page = fay.open(path)
        assert accessibility_problems(page) == [], path
        assert not scrolls_sideways(page), path
