"""The whole walkthrough of Yesterday and Today in one go, on a phone that loses its network and finds it again."""

import re

import pytest
from playwright.sync_api import expect

from people import ready
from proxies import Line
from sources import Sources, photo
from test_nearby import button, results, search, year
from test_then_and_now import accept, browser, camera_flags, live, pairs, prepared, shoot, shutter  # noqa: F401
from touch import Finger, middle

SOURCES = Sources()
SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", *SOURCES.flags]
PLACE = {"latitude": 46.5412, "longitude": 11.8456}


@pytest.fixture(autouse=True, scope="module")
def sources():
    SOURCES.flickr = [
        photo(1, "The pass", 1931, PLACE["latitude"], PLACE["longitude"], "Fondo Arrieta"),
        photo(2, "The lake", 1936, PLACE["latitude"] + 0.001, PLACE["longitude"], "Fondo Arrieta"),
    ]
    with SOURCES:
        yield


@pytest.fixture
def line(server):
    with Line(server) as line:
        yield line


@pytest.fixture
def browser_context_args(browser_context_args, line):
    """Pages have their service worker."""
    return {
        **browser_context_args, "base_url": line.url, "service_workers": "allow", "geolocation": PLACE,
        "permissions": ["camera", "geolocation"],
    }


@pytest.mark.long
def test_the_walkthrough_with_and_without_a_network(ana, photos, line):
    # 1 to 5: a photo of the device, rejected once, accepted.
    page = ana.open("/then-and-now")
    page.wait_for_selector("html[data-sw=on]", state="attached")
    expect(page.get_by_role("link", name="Find Nearby")).to_be_visible()
    expect(shutter(page)).to_have_count(0)
    page.get_by_role("link", name="From Library").click()
    ready(page)
    page.get_by_label("Choose from this device").set_input_files(photos[0])
    prepared(page)
    shoot(page)
    button(page, "Reject and shoot again").click()
    live(page)
    shoot(page)
    first = accept(page)
    # 6: seen in full screen, then done.
    ready(page)
    expect(page.get_by_role("slider", name="How much of then is shown")).to_be_visible()
    page.get_by_role("link", name="Done").click()
    page.wait_for_url("**/library")

    # 7 to 10: found nearby, and chosen.
    page.goto("/then-and-now")
    page.get_by_role("link", name="Find Nearby").click()
    page.wait_for_selector("[data-map=ready]")
    expect(page.locator("[data-position]")).to_have_text("46.5412, 11.8456")
    year(page, "After").click()
    page.keyboard.type("1925")
    page.keyboard.press("Enter")
    search(page)
    expect(results(page)).to_have_count(2)
    expect(page.locator(".photo-pin.current")).to_have_count(1)
    results(page).nth(1).get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/then-and-now\?past=\d+$"))
    prepared(page)
    live(page)

    # 11, on a mountain: the network is gone between the search and the shutter.
    line.cut(page.context)
    shoot(page)
    button(page, "Accept and save").click()
    page.get_by_role("link", name="Go to your library").click()
    page.wait_for_url("**/library*")
    expect(page.get_by_role("button", name="Then & Now pair: Waiting for the network")).to_be_visible()
    assert [one["id"] for one in pairs(ana)] == [first]
    page.goto("/then-and-now/nearby")
    expect(results(page)).to_have_count(2)
    page.goto("/library")
    expect(page.get_by_role("button", name="Then & Now pair: Waiting for the network")).to_be_visible()

    # Back in the valley it goes out by itself, once.
    line.mend(page.context)
    expect(page.locator("li[data-waiting]")).to_have_count(0)
    newest, *others = [one["id"] for one in pairs(ana)]
    assert others == [first]
    made = ana.get(f"/api/v1/rephotographs/{newest}")
    assert (made["then"]["title"], made["then"]["year"]) == ("The lake", 1936)
    # Its credit is under the picture, wherever that goes.
    assert made["then"]["author"] == "Fondo Arrieta" and made["caption"] is True

    # 12 and 13: full screen, to its neighbour and back with a flick, shared and deleted.
    page.locator(f".grid [data-id='{newest}'] a").click()
    expect(page).to_have_url(re.compile(f"/library/{newest}$"))
    ready(page)
    page.get_by_role("button", name="Share").click()
    sheet = page.get_by_role("dialog", name="Share")
    expect(sheet.get_by_role("link", name="Download")).to_have_attribute(
        "href", re.compile(f"/api/v1/rephotographs/{newest}/rendition")
    )
    sheet.get_by_role("button", name="Done").click()
    finger, stage = Finger(page), page.locator("[data-stage]")
    x, y = middle(stage)
    # A neighbour is pulled in once it has been loaded.
    expect(stage.locator("> [aria-hidden=true]").first).to_be_attached()
    finger.swipe((x + 150, y - 110), (x - 150, y - 110))
    expect(page).not_to_have_url(re.compile(f"/library/{newest}$"))
    expect(stage.locator("> [aria-hidden=true]").first).to_be_attached()
    finger.swipe((x - 150, y - 110), (x + 150, y - 110))
    expect(page).to_have_url(re.compile(f"/library/{newest}$"))
    page.get_by_role("button", name="Delete").first.click()
    page.get_by_role("button", name="Delete photo").click()
    expect(page.get_by_text("Photo deleted.")).to_be_visible()
    assert [one["id"] for one in pairs(ana)] == [first]
