"""Lists of people: made, filled, read and deleted in the app, with scripts and without."""

import pytest
from playwright.sync_api import expect

from conftest import long
from looks import accessibility_problems, scrolls_sideways
from people import befriend, ready

SERVER_FLAGS = ["--sign-up", "open"]


@pytest.mark.parametrize("scripts", [True, long(False)])
def test_a_list_is_made_filled_read_kept_off_home_and_deleted(people, photos, scripts):
    prefix = "list" if scripts else "plain"
    ana = people(f"{prefix}.ana", java_script_enabled=scripts)
    ben, cleo = people(f"{prefix}.ben"), people(f"{prefix}.cleo")
    for other in [ben, cleo]:
        befriend(ana, other)
    theirs = ben.share("At the lighthouse", photos[0])
    others = cleo.share("Of somebody else", photos[1])
    page = ana.page
    page.goto("/home")
    page.get_by_role("button", name="Menu").first.click()
    page.locator("#menu").get_by_role("link", name="Lists").click()
    page.get_by_label("Name of a new list").fill("Harbour people")
    page.get_by_role("button", name="Create list").click()
    expect(page.get_by_text("Nobody is in this list yet.")).to_be_visible()
    if scripts:
        ready(page)
        assert accessibility_problems(page) == []
        page.get_by_label("Search people you follow").fill(f"{prefix}.b")
        expect(page.get_by_role("button", name=f"Add {prefix.title()}.Cleo")).to_have_count(0)
    page.get_by_role("button", name=f"Add {prefix.title()}.Ben").click()
    expect(page.get_by_role("button", name=f"Remove {prefix.title()}.Ben")).to_be_visible()
    expect(page.get_by_role("heading", name="1 person")).to_be_visible()

    page.get_by_role("switch", name="Only here, not on Home").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("heading", level=1, name="Harbour people")).to_be_visible()
    expect(page.locator(f"post-card[data-id='{theirs}']")).to_be_visible()
    expect(page.locator(f"post-card[data-id='{others}']")).to_have_count(0)
    if scripts:
        ready(page)
        assert accessibility_problems(page) == []
        assert not scrolls_sideways(page)
    page.goto("/home")
    expect(page.locator(f"post-card[data-id='{others}']")).to_be_visible()
    expect(page.locator(f"post-card[data-id='{theirs}']")).to_have_count(0)

    # From the person: out of the list, and in again.
    page.goto(f"/@{prefix}.ben/options")
    page.get_by_role("link", name="Lists", exact=True).last.click()
    choice = page.get_by_role("button", name="Harbour people")
    expect(choice).to_have_attribute("aria-pressed", "true")
    choice.click()
    expect(choice).to_have_attribute("aria-pressed", "false")
    page.goto("/lists")
    page.get_by_role("link", name="Harbour people").click()
    expect(page.get_by_text("Nobody is in this list yet.")).to_be_visible()

    page.get_by_role("link", name="Edit list").click()
    page.get_by_role("button", name="Delete list").first.click()
    page.get_by_role("dialog", name="Delete this list?").get_by_role("button", name="Delete list").click()
    expect(page.get_by_role("link", name="Harbour people")).to_have_count(0)
    page.goto("/home")
    expect(page.locator(f"post-card[data-id='{theirs}']")).to_be_visible()
