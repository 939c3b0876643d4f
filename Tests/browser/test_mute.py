"""Muting someone in their profile's menu, and pins on your own profile."""

import pytest
from playwright.sync_api import expect

from looks import accessibility_problems, scrolls_sideways
from people import befriend, ready

SERVER_FLAGS = ["--sign-up", "open"]


def test_muting_in_the_profiles_menu_hides_what_they_post_and_is_undone_there_and_in_settings(people, photos):
    ana, ben = people("mute.ana"), people("mute.ben")
    befriend(ana, ben)
    mine = ana.share("Mine", photos[0])
    theirs = ben.share("Theirs", photos[1])
    ben.post("/api/v1/statuses", status="Words of theirs", in_reply_to_id=mine)
    card = ana.open("/home").locator(f"post-card[data-id='{theirs}']")
    expect(card).to_be_visible()

    ana.open("/@mute.ben")
    ana.page.get_by_role("link", name="More options").click()
    ready(ana.page)
    expect(ana.page.get_by_text("They won’t know, and can still write to you.")).to_be_visible()
    assert accessibility_problems(ana.page) == []
    ana.page.get_by_role("button", name="Mute until you unmute").click()
    expect(ana.page.get_by_role("status")).to_contain_text("Muted. You find everyone you mute in Settings.")
    expect(ana.page.get_by_role("button", name="Unmute mute.ben")).to_be_visible()

    ana.open("/home")
    expect(ana.page.locator(f"post-card[data-id='{mine}']")).to_be_visible()
    expect(card).to_have_count(0)
    ana.open(f"/posts/{mine}/comments")
    expect(ana.page.get_by_text("Words of theirs")).to_have_count(0)
    ana.open("/notifications")
    expect(ana.page.get_by_text("mute.ben")).to_have_count(0)
    # Their own page still shows what they post, and says so.
    ana.open("/@mute.ben")
    expect(ana.page.get_by_text("You muted Mute.Ben. You see their posts only here.")).to_be_visible()
    expect(ana.page.locator(f"li[data-id='{theirs}']")).to_be_visible()
    assert accessibility_problems(ana.page) == []

    ana.open("/settings")
    ana.page.get_by_role("link", name="Muted people").click()
    ana.page.get_by_role("button", name="Unmute").click()
    expect(ana.page.get_by_text("You haven’t muted anyone.")).to_be_visible()
    ana.open("/home")
    expect(card).to_be_visible()


def test_an_open_feed_loses_them_and_gets_nothing_new_of_them(people, photos):
    ana, ben, cleo = people("open.ana"), people("open.ben"), people("open.cleo")
    for one, other in [(ana, ben), (ana, cleo)]:
        befriend(one, other)
    other = cleo.share("Of somebody else", photos[1])
    # A card asks for its post again once it is in sight: theirs is the first.
    theirs = ben.share("Theirs", photos[0], visibility="public")
    ana.open("/home")
    ana.page.wait_for_selector("html[data-live=on]", state="attached")
    ana.post(f"/api/v1/accounts/{ben.id}/mute")
    expect(ana.page.locator(f"post-card[data-id='{theirs}']")).to_have_count(0)
    expect(ana.page.locator(f"post-card[data-id='{other}']")).to_be_visible()
    ben.share("Not announced", photos[0])
    cleo.share("Announced", photos[1])
    pill = ana.page.locator("new-posts")
    expect(pill).to_contain_text("1 new post")


@pytest.mark.long
def test_back_from_muting_leads_to_a_feed_without_them(whole_browser, people, photos):
    ana, ben = people("back.ana", browser=whole_browser), people("back.ben")
    befriend(ana, ben)
    mine = ana.share("Mine", photos[0])
    theirs = ben.share("Theirs", photos[1])
    # The browser may keep the page as it was: Chromium with its windows does.
    page = ana.open("/home")
    card = page.locator(f"post-card[data-id='{theirs}']")
    with page.expect_navigation():
        card.locator(".post-author > a").first.click()
    ready(page)
    with page.expect_navigation():
        page.get_by_role("link", name="More options").click()
    ready(page)
    page.get_by_role("button", name="Mute for an hour").click()
    expect(page.get_by_role("button", name="Unmute back.ben")).to_be_visible()
    ready(page)
    page.locator("header .back").last.click()
    page.wait_for_url("**/@back.ben")
    ready(page)
    page.locator("header .back").last.click()
    page.wait_for_url("**/home")
    expect(page.locator(f"post-card[data-id='{mine}']")).to_be_visible()
    expect(card).to_have_count(0)


@pytest.mark.long
def test_three_posts_are_pinned_to_your_profile_and_a_fourth_says_what_to_do(people, photos):
    ana, ben = people("pin.ana"), people("pin.ben")
    befriend(ana, ben)
    posts = [ana.share(f"Post {number}", photos[number % len(photos)]) for number in range(5)]

    def order(person):
        cells = person.open("/@pin.ana").locator(".grid > li")
        return [cell.get_attribute("data-id") for cell in cells.all()]

    for post in posts[:3]:
        ana.open(f"/posts/{post}/options")
        ana.page.get_by_role("button", name="Pin to your profile").click()
        expect(ana.page.get_by_role("status")).to_contain_text("Pinned to your profile.")
    for person in (ana, ben):
        assert order(person) == [posts[index] for index in (2, 1, 0, 4, 3)]
        expect(person.page.get_by_text("Pinned")).to_have_count(3)
    assert accessibility_problems(ana.page) == []
    assert not scrolls_sideways(ana.page)

    ana.open(f"/posts/{posts[4]}/options")
    ana.page.get_by_role("button", name="Pin to your profile").click()
    expect(ana.page.locator("flash-message")).to_contain_text("Unpin one of them first.")
    ana.open(f"/posts/{posts[1]}/options")
    ana.page.get_by_role("button", name="Unpin from your profile").click()
    expect(ana.page.get_by_role("status")).to_contain_text("No longer pinned")
    assert order(ben) == [posts[index] for index in (2, 0, 4, 3, 1)]
    # Nobody pins what isn't theirs.
    ben.open(f"/posts/{posts[4]}/options")
    expect(ben.page.get_by_role("button", name="Pin to your profile")).to_have_count(0)


@pytest.mark.long
def test_screens_of_muting_fit_the_phone(people):
    ana, ben = people("wide.ana"), people("wide.ben")
    ana.post(f"/api/v1/accounts/{ben.id}/mute", duration=86_400)
    for path in ["/settings/muted", "/@wide.ben/options", "/@wide.ben"]:
        ana.open(path)
        assert accessibility_problems(ana.page) == [], path
        assert not scrolls_sideways(ana.page), path
