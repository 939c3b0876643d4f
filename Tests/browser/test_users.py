"""Users: found as one types, followed by a tap."""

import pytest
from playwright.sync_api import expect

from holding import Held
from people import acknowledged

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]


def test_people_are_found_by_name_or_username_whatever_the_accents(people, server):
    ana = people("ana")
    for username, name in [("jose.alvarez", "José Álvarez"), ("zoe", "Zoë Müller"), ("bob", "Robert")]:
        server.person(username, name)
    page = ana.open("/users")
    search, rows = page.get_by_role("searchbox", name="Search users"), page.locator("[data-results] li")
    for typed, found in [
        ("jose", "José Álvarez"), ("ÁLV", "José Álvarez"), ("alvarez jos", "José Álvarez"),
        ("zoé mul", "Zoë Müller"), ("bob", "Robert"), ("rob", "Robert"),
    ]:
        search.fill(typed)
        expect(rows).to_have_count(1)
        expect(rows).to_contain_text(found)
    search.fill("nobody like this")
    expect(page.get_by_text("Nobody here is called “nobody like this”.")).to_be_visible()
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


def call(request):
    """`follow` or `unfollow`; nothing for other requests."""
    name = request.url.rsplit("/", 1)[1]
    return name if request.method == "POST" and name in ["follow", "unfollow"] else None
