"""Reporting, and what administrators do about it."""

from playwright.sync_api import expect

from looks import accessibility_problems, scrolls_sideways
from people import befriend


def test_a_reported_post_is_seen_in_the_queue_and_removed(people, photos):
    # The first account of a server is its administrator.
    olga, pau, ruth = people("olga"), people("pau"), people("ruth")
    befriend(pau, ruth)
    post = pau.share("Guess who", photos[0])

    page = ruth.open(f"/posts/{post}/options")
    page.get_by_role("link", name="Report").click()
    assert accessibility_problems(page) == []
    page.get_by_label("My photo, without my consent").check()
    page.get_by_label("In your words, if you like").fill("That is me, and I asked him to take it down.")
    page.get_by_role("button", name="Send report").click()
    expect(page.get_by_text("Thank you. The administrators will look at it.")).to_be_visible()

    admin = olga.open("/administration")
    report = admin.locator(".report")
    expect(report).to_contain_text("My photo, without my consent")
    expect(report).to_contain_text("I asked him to take it down")
    picture = report.locator(".reported img")
    assert picture.evaluate("(image) => { image.loading = 'eager'; return image.decode().then(() => image.naturalWidth) }") > 0
    assert accessibility_problems(admin) == []
    assert not scrolls_sideways(admin)
    report.get_by_role("button", name="Remove post").click()
    expect(admin.get_by_text("Nothing is reported.")).to_be_visible()
    admin.get_by_role("link", name="What was done").click()
    expect(admin.get_by_text("@olga removed a post by @pau.")).to_be_visible()

    ruth.open("/home")
    expect(ruth.page.locator("post-card")).to_have_count(0)
    # For everyone else there is no administration.
    ruth.page.goto("/administration")
    expect(ruth.page.get_by_role("heading", name="Nothing here")).to_be_visible()


def test_a_suspended_person_is_logged_out_and_restored(server, people):
    kenji, admin = people("kenji"), people("walter").page
    # olga of the first test is this server's administrator.
    token = server.command("token", "create", "olga")
    admin.context.add_cookies(
        [{"name": "tintype_session", "value": token, "url": server.url, "sameSite": "Lax"}]
    )
    kenji.open("/home")
    admin.goto("/administration/accounts?q=kenji")
    admin.get_by_role("button", name="Suspend").click()
    expect(admin.get_by_text("The account is suspended.")).to_be_visible()
    kenji.page.goto("/home")
    expect(kenji.page.get_by_label("Password")).to_be_visible()
    admin.goto("/administration/accounts?q=kenji")
    admin.get_by_role("button", name="Restore").click()
    expect(admin.get_by_text("The account is back.")).to_be_visible()
