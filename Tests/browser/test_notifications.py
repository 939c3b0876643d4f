"""The screen of what has happened: grouped, unread marked, live."""

from playwright.sync_api import expect

from looks import accessibility_problems, scrolls_sideways
from people import befriend


def test_likes_are_grouped_marked_and_read_by_looking(people, photos):
    ana, ben, cleo = people("ana"), people("ben"), people("cleo")
    befriend(ana, ben)
    befriend(ana, cleo)
    post = ana.share("Sunset", photos[0])
    for person in [ben, cleo]:
        person.post(f"/api/v1/statuses/{post}/favourite")
    ben.post("/api/v1/statuses", status="Where is this?", in_reply_to_id=post)

    page = ana.open("/home")
    expect(page.locator(".dot[data-badge=notifications]")).to_be_visible()
    page.get_by_role("link", name="Notifications").click()
    rows = page.locator(".notification")
    liked = rows.filter(has_text="liked your post")
    expect(liked).to_have_count(1)
    expect(liked).to_contain_text("cleo and 1 other liked your post.")
    expect(rows.filter(has_text="Where is this?")).to_contain_text("ben commented: Where is this?")
    expect(page.locator(".notification.unread")).to_have_count(4)
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)

    # Seen is read.
    page.reload()
    expect(page.locator(".notification.unread")).to_have_count(0)
    page.goto("/home")
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    expect(page.locator(".dot[data-badge=notifications]")).to_be_hidden()


def test_strangers_are_put_aside_until_they_are_accepted(people, photos):
    fay, gus = people("fay"), people("gus")
    post = fay.share("For all", photos[0], visibility="public")
    page = fay.open("/settings/notifications")
    page.get_by_label("People you don’t follow").select_option("Put aside")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("flash-message")).to_have_text("Saved.")
    expect(page.get_by_label("People you don’t follow")).to_have_value("filter")

    gus.post(f"/api/v1/statuses/{post}/favourite")
    page.goto("/notifications")
    expect(page.locator(".notification")).to_have_count(0)
    page.get_by_role("link", name="Put aside").click()
    assert accessibility_problems(page) == []
    page.get_by_role("main").get_by_role("link", name="gus").click()
    expect(page.locator(".notification")).to_contain_text("gus liked your post.")
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Accept").click()
    expect(page.locator("flash-message")).to_contain_text("Accepted.")
    expect(page.get_by_text("Nothing is put aside.")).to_be_visible()
    page.goto("/notifications")
    expect(page.locator(".notification")).to_contain_text("gus liked your post.")
    expect(page.get_by_role("main").get_by_role("link", name="Put aside")).to_have_count(0)
    # From now on it arrives while one looks.
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    gus.post("/api/v1/statuses", status="Where is this?", in_reply_to_id=post)
    expect(page.locator(".notification").filter(has_text="Where is this?")).to_be_visible()


def test_a_request_arrives_while_one_looks_and_is_answered_there(people):
    dora, emil = people("dora"), people("emil")
    dora.call("PATCH", "/api/v1/accounts/update_credentials", b'{"locked": true}', "application/json")
    page = dora.open("/notifications")
    expect(page.get_by_text("Likes, comments and new followers appear here.")).to_be_visible()
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    emil.follow(dora)
    row = page.locator(".notification").filter(has_text="emil asks to follow you.")
    expect(row).to_be_visible()
    row.get_by_role("button", name="Accept").click()
    expect(page.locator(".notification").filter(has_text="emil follows you.")).to_be_visible()
    assert emil.get(f"/api/v1/accounts/relationships?id[]={dora.id}")[0]["following"]
