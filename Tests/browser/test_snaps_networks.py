"""A snap on a network that is slow, breaks or is gone: seen once all the same, and not lost to a hasty tap."""

import pytest
from playwright.sync_api import expect

from conftest import long
from holding import Held
from proxies import PictureCutter
from snaps import address_of_the_picture, close, expect_gone, open_first, snap, status, viewer


def test_a_hasty_second_tap_does_not_use_a_snap_up_unseen(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    opens = Held(page, "**/open")
    page.locator("[data-open]").dblclick()
    expect(viewer(page)).to_be_visible()
    opens.take().continue_()
    expect(viewer(page).locator("img")).to_be_visible()
    viewer(page).click()
    expect_gone(page)


@pytest.mark.parametrize("way", [long("escape"), long("back"), "tap"])
def test_a_snap_that_loads_for_long_can_be_left(friends, way):
    ana, ben = friends
    snap(ana)
    page = ben.page
    if way == "tap":
        page.clock.install()
    ben.open("/snaps")
    page.route("**/open", lambda route: None)
    with page.expect_request("**/open"):
        page.locator("[data-open]").click()
    expect(viewer(page)).to_be_visible()
    if way == "escape":
        page.keyboard.press("Escape")
    elif way == "back":
        page.go_back()
    else:
        viewer(page).click()
        expect(viewer(page)).to_be_visible()
        page.clock.fast_forward(3_000)
        viewer(page).click()
    expect(viewer(page)).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("hours", [-5, 5])
def test_trouble_on_the_way_is_retried_whatever_the_phone_thinks_the_time_is(friends, hours):
    ana, ben = friends
    snap(ana)
    page = ben.page
    page.add_init_script(f"const now = Date.now; Date.now = () => now() + {hours * 3_600_000};")
    ben.open("/snaps")
    troubles = [lambda route: route.abort(), *(lambda route, s=s: route.fulfill(status=s) for s in (503, 429))]
    page.route("**/snap_views/*", lambda route: (troubles.pop(0) if troubles else type(route).continue_)(route))
    open_first(page)
    assert troubles == []
    viewer(page).click()
    expect_gone(page)


@pytest.mark.long
def test_a_view_that_the_server_has_ended_is_not_asked_for_again(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    asked = []
    page.route("**/snap_views/*", lambda route: (asked.append(route), route.fulfill(status=410)))
    page.locator("[data-open]").click()
    expect(page.locator("flash-message")).to_have_text("This snap can no longer be shown.")
    expect_gone(page)
    assert len(asked) == 1


def test_offline_it_can_neither_be_opened_nor_seen_again(friends):
    ana, ben = friends
    snap(ana)
    page = ben.open("/snaps")
    page.context.set_offline(True)
    page.locator("[data-open]").click()
    expect(page.locator("flash-message")).to_contain_text("Snaps need a network")
    expect(viewer(page)).to_have_count(0)
    page.context.set_offline(False)
    open_first(page)
    page.context.set_offline(True)
    viewer(page).click()
    expect(viewer(page)).to_have_count(0)
    page.context.set_offline(False)
    page.reload()
    expect_gone(page)


@pytest.fixture
def cutting_proxy(server):
    with PictureCutter(server) as proxy:
        yield proxy


def test_a_connection_cut_at_half_the_bytes_goes_on_there_and_after_the_close_nothing_does(friends, cutting_proxy):
    ana, ben = friends
    id = snap(ana)
    ben.page.add_init_script(
        """window.arrived = 0;
        const read = ReadableStreamDefaultReader.prototype.read;
        ReadableStreamDefaultReader.prototype.read = async function () {
          const chunk = await read.call(this);
          window.arrived += chunk.value?.length ?? 0;
          return chunk;
        };"""
    )
    page = ben.open(cutting_proxy.url + "/snaps")
    address = address_of_the_picture(page)
    page.wait_for_function("() => window.arrived > 0")
    half = cutting_proxy.passed[0]
    page.wait_for_function("(half) => window.arrived === half", arg=half)
    cutting_proxy.may_cut.set()
    expect(viewer(page).locator("img")).to_be_visible()
    rest = cutting_proxy.passed[1]
    assert cutting_proxy.ranges == [None, f"bytes={half}-"]
    assert 0 <= rest - half <= 1
    size = viewer(page).locator("img").evaluate("(image) => [image.naturalWidth, image.naturalHeight]")
    assert min(size) > 100
    close(page)
    expect_gone(page)
    path = address[address.index("/api"):]
    assert status(ben, "GET", path, {"Range": f"bytes={half}-"}) == 410
    assert status(ben, "POST", f"/api/v1/snaps/{id}/open") == 410
