"""Users: found as one types, followed by a tap."""

import pytest
from playwright.sync_api import expect

from contracts import Deal
from holding import Held
from people import acknowledged, befriend

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def test_people_are_found_by_name_or_username_whatever_the_accents(people, server):
    ana = people("ana")
    for username, name in [("jose.alvarez", "José Álvarez"), ("zoe", "Zoë Müller"), ("bob", "Robert")]:
        server.person(username, name)
    page = ana.open("/users")
    search, rows = page.get_by_role("searchbox", name="Search people, hashtags and posts"), page.locator("[data-results] li")
    for typed, found in [
        ("jose", "José Álvarez"), ("ÁLV", "José Álvarez"), ("alvarez jos", "José Álvarez"),
        ("zoé mul", "Zoë Müller"), ("bob", "Robert"), ("rob", "Robert"),
    ]:
        search.fill(typed)
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(found)
    search.fill("nobody like this")
    expect(page.get_by_text("Nobody here is called “nobody like this”, no hashtag begins with it")).to_be_visible()
    search.fill("")
    expect(rows).to_have_count(3)


@pytest.mark.long
def test_fast_taps_on_a_slow_network_end_where_the_last_one_left_them(people, server):
    eva = people("eva")
    dan = server.person("dan")
    page = eva.open("/users?q=dan")
    session = page.context.new_cdp_session(page)
    slow = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    session.send("Network.emulateNetworkConditions", slow)
    button = page.locator("follow-button button")

    calls = []
    page.on("request", lambda request: calls.append(call(request)) if call(request) else None)

    for taps, follows in [(7, True), (4, True), (5, False)]:
        for _ in range(taps):
            button.tap(no_wait_after=True)
        acknowledged(button)
        assert calls[-1] == ("follow" if follows else "unfollow")
        [relation] = eva.get(f"/api/v1/accounts/relationships?id[]={dan.id}")
        assert relation["following"] is follows
        expect(button).to_have_attribute("aria-pressed", "true" if follows else "false")
        assert len(calls) <= taps
        calls.clear()
    page.reload()
    expect(button).to_have_attribute("aria-pressed", "false")


@pytest.mark.long
def test_a_button_is_busy_until_the_server_has_answered(people, server):
    fay = people("fay")
    server.person("gil")
    page = fay.open("/users?q=gil")
    button = page.locator("follow-button button")
    follows = Held(page, "**/follow")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(button).to_have_attribute("aria-busy", "true")
    follows.take().continue_()
    acknowledged(button)
    expect(button).to_have_attribute("aria-pressed", "true")


def test_a_tap_that_unfollows_can_be_undone(people, server):
    hal = people("hal")
    ida = server.person("ida", "Ida")
    hal.follow(ida)
    page = hal.open("/users?q=ida")
    button = page.locator("follow-button button")
    button.tap()
    acknowledged(button)
    said = page.get_by_role("status").filter(has_text="You no longer follow Ida.")
    expect(said).to_be_visible()
    said.get_by_role("button", name="Undo").tap()
    acknowledged(button)
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(said).to_be_hidden()
    assert hal.get(f"/api/v1/accounts/relationships?id[]={ida.id}")[0]["following"]


@pytest.mark.long
def test_contract_offers_and_collages_in_the_making_are_named_before_an_unfollow(people, server, photos):
    jon, kim = people("jon"), server.person("kim", "Kim")
    befriend(jon, kim)
    Deal(jon, kim, photos, accepted=False)
    jon.post("/api/v1/collage_drafts", account_ids=[kim.id])
    page = jon.open("/users?q=kim")
    button = page.locator("follow-button button")
    button.tap()
    question = page.get_by_role("dialog", name="Unfollow Kim?")
    expect(question).to_contain_text("No phone at dinner.")
    expect(question).to_contain_text("collage")
    question.get_by_role("button", name="Keep following").tap()
    acknowledged(button)
    expect(button).to_have_attribute("aria-pressed", "true")
    button.tap()
    question.get_by_role("button", name="Unfollow").tap()
    acknowledged(button)
    expect(button).to_have_attribute("aria-pressed", "false")
    assert not jon.get(f"/api/v1/accounts/relationships?id[]={kim.id}")[0]["following"]


def call(request):
    """`follow` or `unfollow`; nothing for other requests."""
    name = request.url.rsplit("/", 1)[1]
    return name if request.method == "POST" and name in ["follow", "unfollow"] else None
