"""Reporting, and what administrators do about it."""

import pytest
from playwright.sync_api import expect

from looks import accessibility_problems, scrolls_sideways
from people import befriend


@pytest.fixture(scope="module", autouse=True)
def olga(server):
    """The first account of a server is its administrator."""
    return server.person("olga")


@pytest.fixture
def admin(olga, phone):
    """The administrator's phone."""
    return phone(olga).page


def test_a_reported_post_is_seen_in_the_queue_and_removed(admin, people, photos):
    pau, ruth = people("pau"), people("ruth")
    befriend(pau, ruth)
    post = pau.share("Guess who", photos[0])

    page = ruth.open(f"/posts/{post}/options")
    page.get_by_role("link", name="Report").click()
    assert accessibility_problems(page) == []
    page.get_by_label("My photo, without my consent").check()
    page.get_by_label("In your own words (optional)").fill("That is me, and I asked him to take it down.")
    page.get_by_role("button", name="Send report").click()
    expect(page.get_by_text("Thank you. The administrators will look at it.")).to_be_visible()

    admin.goto("/administration")
    report = admin.locator(".report")
    expect(report).to_contain_text("My photo, without my consent")
    expect(report).to_contain_text("I asked him to take it down")
    picture = report.locator(".evidence img")
    assert picture.evaluate("(image) => { image.loading = 'eager'; return image.decode().then(() => image.naturalWidth) }") > 0
    assert accessibility_problems(admin) == []
    assert not scrolls_sideways(admin)
    report.get_by_role("button", name="Remove post").click()
    expect(admin.get_by_text("No open reports.")).to_be_visible()
    admin.get_by_role("link", name="Activity log").click()
    expect(admin.get_by_text("@olga removed a post by @pau.")).to_be_visible()

    ruth.open("/home")
    expect(ruth.page.locator("post-card")).to_have_count(0)
    # For everyone else there is no administration.
    ruth.page.goto("/administration")
    expect(ruth.page.get_by_role("heading", name="Nothing here")).to_be_visible()


def test_a_suspended_person_is_logged_out_and_restored(admin, people):
    kenji = people("kenji")
    kenji.open("/home")
    admin.goto("/administration/accounts?q=kenji")
    admin.get_by_role("button", name="Suspend").click()
    expect(admin.get_by_text("The account was suspended.")).to_be_visible()
    kenji.page.goto("/home")
    expect(kenji.page.get_by_label("Password")).to_be_visible()
    admin.goto("/administration/accounts?q=kenji")
    admin.get_by_role("button", name="Restore").click()
    expect(admin.get_by_text("The account was restored.")).to_be_visible()


@pytest.mark.long
def test_a_seen_snap_is_reported_from_its_row_and_removed_unseen(admin, people, photos):
    lou, max_, nia = people("lou"), people("max"), people("nia")
    befriend(lou, max_)
    # Who has not seen it yet, so that it is still there.
    befriend(lou, nia)
    media = lou.upload(photos[0], purpose="snap")
    lou.post("/api/v1/snaps", media_id=media, feed_id="dog-spots")
    page = max_.open("/snaps")
    row = page.locator("[data-snap]")
    expect(row.get_by_role("link", name="Report lou’s snap in dog spots")).to_have_count(0)
    row.get_by_role("button", name="lou").click()
    expect(page.locator("dialog.snap-viewer img")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    row.get_by_role("link", name="Report lou’s snap in dog spots").click()
    expect(page.get_by_text("They don’t see the picture, because it can be seen only once. Describe what it showed.")).to_be_visible()
    assert accessibility_problems(page) == []
    page.get_by_label("Naked or sexual").check()
    page.get_by_label("In your own words (optional)").fill("Somebody asleep.")
    page.get_by_role("button", name="Send report").click()
    expect(page.get_by_text("Thank you. The administrators will look at it.")).to_be_visible()
    expect(page.get_by_role("heading", name="Snaps", level=1)).to_be_visible()

    admin.goto("/settings")
    admin.get_by_role("link", name="Administration 1 report").click()
    report = admin.locator(".report").filter(has_text="snap in dog spots")
    expect(report).to_contain_text("Somebody asleep.")
    expect(report.locator(".evidence img")).to_have_count(0)
    report.get_by_role("button", name="Remove snap").click()
    expect(admin.get_by_text("The content was removed.")).to_be_visible()
    lou.open("/snaps")
    expect(lou.page.locator("[data-snap]")).to_have_count(0)


def test_a_message_is_reported_from_its_options_and_nothing_else_is_shown(admin, people, photos):
    uma, vic = people("uma"), people("vic")
    befriend(uma, vic)
    chat = uma.post("/api/v1/chats", account_id=vic.id)["id"]
    uma.post(f"/api/v1/chats/{chat}/messages", text="A secret of ours")
    uma.post(f"/api/v1/chats/{chat}/messages", text="You will regret this")
    page = vic.open(f"/messages/{chat}")
    message = page.locator("li.message").filter(has_text="You will regret this")
    message.hover()
    message.get_by_role("link", name="Options of this message").click()
    page.get_by_role("dialog", name="Message").get_by_role("link", name="Report").click()
    expect(page.get_by_text("They see this message, but no other messages of your chat.")).to_be_visible()
    page.get_by_label("Bullying or hate").check()
    page.get_by_role("button", name="Send report").click()
    expect(page.get_by_text("Thank you. The administrators will look at it.")).to_be_visible()
    expect(page.get_by_text("A secret of ours")).to_be_visible()

    admin.goto("/administration")
    report = admin.locator(".report").filter(has_text="You will regret this")
    expect(report).to_be_visible()
    expect(admin.get_by_text("A secret of ours")).to_have_count(0)
    report.get_by_role("button", name="Remove message").click()
    expect(page.locator("chat-thread").get_by_text("You will regret this")).to_have_count(0)


@pytest.mark.long
def test_an_administrator_makes_another_one(admin, people):
    zoe = people("zoe")
    admin.goto("/administration")
    admin.get_by_role("link", name="Administrators").click()
    assert accessibility_problems(admin) == []
    assert not scrolls_sideways(admin)
    field = admin.get_by_label("Make someone an administrator")
    field.fill("zoey")
    admin.get_by_role("button", name="Make administrator").click()
    expect(admin.get_by_text("Nobody here is called @zoey.")).to_be_visible()
    expect(field).to_have_value("zoey")
    field.fill("zoe")
    admin.get_by_role("button", name="Make administrator").click()
    row = admin.get_by_role("listitem").filter(has_text="@zoe")
    expect(row).to_be_visible()
    zoe.open("/settings").get_by_role("link", name="Administration").click()
    expect(zoe.page.get_by_role("heading", name="Administration")).to_be_visible()
    row.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    zoe.page.goto("/administration")
    expect(zoe.page.get_by_role("heading", name="Nothing here")).to_be_visible()


def test_who_may_sign_up_is_changed_in_the_app_and_recorded(admin, page):
    admin.goto("/administration")
    admin.get_by_role("link", name="Sign-up Open").click()
    assert accessibility_problems(admin) == []
    admin.get_by_role("radio", name="Closed").check()
    admin.get_by_role("button", name="Save").click()
    expect(admin.get_by_role("link", name="Sign-up Closed")).to_be_visible()
    page.goto("/login")
    expect(page.get_by_role("link", name="Create an account")).to_have_count(0)
    admin.get_by_role("link", name="Activity log").click()
    expect(admin.get_by_text("@olga changed who can sign up.")).to_be_visible()
    expect(admin.get_by_text("From “Open” to “Closed”")).to_be_visible()
