"""Without a network: what is kept of the library and of the last search, and pairs that wait."""

import re
import shutil
import threading
import time

import pytest
from playwright.sync_api import Error, expect

from keeping import (  # noqa: F401  (fixtures)
    ENTRIES, KEPT, browser_context_args, is_drawn, kept, line, open_kept, phone_of, until, wait_until_gone, wait_until_kept,
    waiting,
)
from people import ready
from proxies import Line, LineHandler
from sources import Sources, photo

SOURCES = Sources()
SERVER_FLAGS = [
    *("--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-uploads", "100000"),
    *SOURCES.flags,
]

# Accepts a pair as the camera page does.
ACCEPT = """async ([recipe, key]) => {
  const app = document.querySelector('script[src$="/js/app.js"]').src;
  const { keepWaiting } = await import(new URL("then-and-now/waiting-pairs.js", app));
  const canvas = new OffscreenCanvas(320, 240);
  canvas.getContext("2d").fillRect(20, 20, 90, 90);
  const file = new File([await canvas.convertToBlob({ type: "image/jpeg" })], "now.jpg", { type: "image/jpeg" });
  return keepWaiting({ file, recipe, preview: file, key });
}"""


def pairs(person):
    """How many photos the library has; each pair is one."""
    return len(person.get("/api/v1/photos"))


def see_library(page, *ids):
    cells = page.locator(".grid li[data-id]")
    expect(cells).to_have_count(len(ids))
    for picture in cells.locator("img").all():
        is_drawn(picture)


# ---------------------------------------------------------------- the library


def test_the_library_is_there_without_a_network_after_a_reload_and_a_restart(ana, photos, phone_of, line):
    ids = [ana.upload(path) for path in photos][::-1]
    start = phone_of(ana)
    context = start()
    page = open_kept(ana, "/library")
    see_library(page, *ids)
    page.locator(".grid a").first.click()
    ready(page)
    is_drawn(page.locator("[data-stage] > img").first)
    wait_until_kept(page, "/library", "/offline", f"/library/{ids[0]}", f"/photos/{ids[0]}/large",
                    *[f"/photos/{id}/square" for id in ids])
    line.cut(context)
    page.goto("/library")
    ready(page)
    see_library(page, *ids)
    expect(page.get_by_role("complementary", name="Not up to date")).to_contain_text("Offline. Saved")
    context.close()

    context = start()
    line.cut(context)
    page = ana.open("/library")
    see_library(page, *ids)
    page.locator(".grid a").first.click()
    expect(page).to_have_url(re.compile(f"/library/{ids[0]}$"))
    ready(page)
    is_drawn(page.locator("[data-stage] > img").first)
    # Its neighbour had been loaded beside it.
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile(f"/library/{ids[1]}$"))
    # Anything else says that there is no network, where the app starts too.
    for path in ["/home", "/snaps", "/messages", "/@ana"]:
        page.goto(path)
        ready(page)
        expect(page.get_by_text("This page isn’t saved on this device.")).to_be_visible()
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Library").click()
    expect(page).to_have_url(re.compile("/library$"))
    see_library(page, *ids)
    line.mend(context)
    page.reload()
    ready(page)
    expect(page.locator("aside.kept-note")).to_have_count(0)


@pytest.mark.long
def test_a_server_that_does_not_answer_gives_way_to_what_is_kept(ana, photos, stranger):
    class Hesitant(LineHandler):
        def forward(self):
            if self.server.hold.is_set():
                self.server.over.wait(60)
            super().forward()

        do_GET = do_POST = do_DELETE = forward

    class Slow(Line):
        hold = threading.Event()

        def __init__(self, server):
            super().__init__(server)
            self.RequestHandlerClass = Hesitant

    id = ana.upload(photos[0])
    with Slow(ana.server) as proxy:
        proxy.over = threading.Event()
        page = open_kept(ana, proxy.url + "/library")
        see_library(page, id)
        wait_until_kept(page, "/library", f"/photos/{id}/square")
        proxy.hold.set()
        page.goto(proxy.url + "/library")
        expect(page.get_by_role("complementary", name="Not up to date")).to_contain_text("The server isn’t answering.")
        expect(page.locator(".grid li[data-id]")).to_have_count(1)
        proxy.hold.clear()
        proxy.over.set()
        expect(page.get_by_text("The server is answering again.")).to_be_visible()


@pytest.mark.long
def test_a_deleted_photo_is_gone_from_what_is_kept(ana, photos, line):
    ids = [ana.upload(path) for path in photos][::-1]
    page = open_kept(ana, "/library")
    see_library(page, *ids)
    for id in ids[:2]:
        page.goto(f"/library/{id}")
        is_drawn(page.locator("[data-stage] > img").first)
    of = lambda id: {path for path in kept(page) if f"/{id}" in path}
    wait_until_kept(page, *[f"/photos/{id}/large" for id in ids[:2]], *[f"/library/{id}" for id in ids[:2]])
    # Deleted elsewhere, and looked at.
    ana._answer("DELETE", f"/api/v1/photos/{ids[0]}?force=true")
    page.goto(f"/library/{ids[0]}")
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
    wait_until_gone(page, ids[0])
    # Deleted elsewhere, and missing in the library.
    ana._answer("DELETE", f"/api/v1/photos/{ids[1]}?force=true")
    assert of(ids[1])
    page.goto("/library")
    wait_until_gone(page, ids[1])
    # Deleted here.
    page.goto(f"/library/{ids[2]}")
    ready(page)
    page.get_by_role("button", name="Delete").first.click()
    page.get_by_role("button", name="Delete photo").click()
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    wait_until_gone(page, ids[2])
    line.cut(page.context)
    page.goto("/library")
    ready(page)
    expect(page.get_by_role("heading", name="No photos yet")).to_be_visible()
    # The message was for once.
    expect(page.get_by_text("Photo deleted.")).to_have_count(0)


# ---------------------------------------------------------------- the last search


def search(page, radius):
    """Searches as Find Nearby does; the ids of what was found."""
    found = page.evaluate(
        """async (radius) => {
          const place = "latitude=42.8137&longitude=-1.6407&from_year=1900&to_year=1960";
          return (await fetch(`/api/v1/past_photos?${place}&radius_km=${radius}`)).json();
        }""",
        radius,
    )
    return [photo["id"] for photo in found["photos"]]


@pytest.fixture
def past_photos():
    """Two old photos within a kilometre of the place, and one 2.4 km away."""
    SOURCES.commons = [
        photo("1", "Market", 1905, 42.8137, -1.6407, "Fondo Arrieta"),
        photo("2", "Station", 1931, 42.8150, -1.6407, "Fondo Arrieta"),
        photo("3", "Bridge", 1950, 42.8353, -1.6407, "Fondo Arrieta"),
    ]
    with SOURCES:
        yield


def pages_and_pictures(ids):
    forms = ["/then-and-now?past={}", "/past-photos/{}/square", "/past-photos/{}/large"]
    return [form.format(id) for id in ids for form in forms]


@pytest.mark.long
def test_the_last_search_is_there_without_a_network_until_the_next(ana, phone_of, line, past_photos):
    start = phone_of(ana)
    context = start()
    page = open_kept(ana, "/then-and-now/nearby")
    first = search(page, 3)
    assert len(first) == 3
    wait_until_kept(page, "/api/v1/past_photos/last", "/then-and-now/nearby", *pages_and_pictures(first))
    second = search(page, 2)
    assert len(second) == 2
    wait_until_kept(page, *pages_and_pictures(second))
    gone = set(pages_and_pictures(first)) - set(pages_and_pictures(second))
    until(page, f"(paths) => !{list(gone)}.some((path) => paths.includes(path))")
    context.close()

    context = start()
    line.cut(context)
    page = ana.open("/then-and-now/nearby")
    for id in second:
        is_drawn(page.locator(f"img[src*='/past-photos/{id}/']").first)
    last = page.evaluate("async () => (await fetch('/api/v1/past_photos/last')).json()")
    assert [photo["id"] for photo in last["photos"]] == second
    # One that was never opened can be chosen too.
    page.goto(f"/then-and-now?past={second[0]}")
    ready(page)
    is_drawn(page.locator(f"img[src*='/past-photos/{second[0]}/large']").first)


# ---------------------------------------------------------------- the account


def log_out(page):
    page.goto("/settings")
    ready(page)
    page.get_by_role("main").get_by_role("button", name="Log Out").click()


def expect_nothing_kept(page):
    until(page, "(paths) => paths.length === 0")
    assert page.evaluate(ENTRIES, ["tintype-offline", "kept"]) == []
    assert waiting(page) == []


def test_logging_out_empties_all_of_it(ana, photos, server, line):
    page = open_kept(ana, "/library")
    wait_until_kept(page, "/library", "/offline")
    line.cut(page.context)
    page.evaluate(ACCEPT, [{"past_photo_id": "1"}, "one"])
    expect(page.get_by_text("Waiting for the network")).to_be_visible()
    page.route("**/api/v1/rephotographs", lambda route: route.abort())
    line.mend(page.context)
    log_out(page)
    page.get_by_role("dialog", name="Lose 1 unsent Then & Now pair?").get_by_role("button", name="Log out").click()
    expect(page.get_by_label("Password")).to_be_visible()
    expect_nothing_kept(page)
    assert pairs(ana.again()) == 0
    line.cut(page.context)
    # The browser itself says that there is no network, or the app to nobody: nothing of ana's shows.
    tab = page.context.new_page()
    try:
        tab.goto("/library")
    except Error as error:
        assert "ERR_INTERNET_DISCONNECTED" in str(error)
    assert tab.locator(".grid").count() == 0


@pytest.mark.long
def test_a_log_in_that_was_ended_elsewhere_takes_everything_along(ana, photos, line):
    id = ana.upload(photos[0])
    page = open_kept(ana, "/library")
    see_library(page, id)
    wait_until_kept(page, "/library", "/offline", f"/photos/{id}/square")
    ana.again().log_out_others()
    page.goto("/library")
    expect(page.get_by_label("Password")).to_be_visible()
    expect_nothing_kept(page)
    line.cut(page.context)
    page.goto("/library")
    expect(page.get_by_text("Connect to the network to log in.")).to_be_visible()


@pytest.mark.long
def test_where_the_browser_keeps_nothing_no_page_asks_to_log_in(ana, phone_of, line, tmp_path):
    start = phone_of(ana)
    context = start()
    open_kept(ana, "/home")
    context.close()
    # Databases can't be opened any more, as on a phone without room.
    folder = tmp_path / ana.username / "Default" / "IndexedDB"
    shutil.rmtree(folder)
    folder.write_text("")

    context = start()
    line.cut(context)
    page = ana.open("/settings")
    expect(page.get_by_role("heading", name="Offline")).to_be_visible()
    expect(page.get_by_text("Connect to the network, then try again.")).to_be_visible()


@pytest.mark.long
def test_another_account_sees_nothing_of_the_first(ana, bea, photos, line):
    id = ana.upload(photos[0])
    page = open_kept(ana, "/library")
    see_library(page, id)
    wait_until_kept(page, "/library", f"/photos/{id}/square")
    page.context.add_cookies(
        [{"name": "tintype_session", "value": bea.cookie, "url": ana.server.url, "sameSite": "Lax"}]
    )
    page.goto("/home")
    assert page.locator("html").get_attribute("data-account") == bea.id
    # Before the page shows, not some time later.
    assert set(page.evaluate(KEPT)) <= {f"tintype-kept-{bea.id}"}
    assert not any(str(id) in path for path in kept(page))
    page.wait_for_selector("html[data-sw=on]", state="attached")
    line.cut(page.context)
    page.goto("/library")
    ready(page)
    expect(page.get_by_text("This page isn’t saved on this device.")).to_be_visible()
    assert ana.username not in page.content()


# ---------------------------------------------------------------- pairs that wait


def past_photo(person, photos):
    """Something to take again: a photo of the own library."""
    return {"photo_id": person.upload(photos[0])}


@pytest.mark.long
def test_a_pair_accepted_offline_waits_and_goes_out_once(ana, photos, phone_of, line):
    recipe = past_photo(ana, photos)
    before = pairs(ana)
    start = phone_of(ana)
    context = start()
    page = open_kept(ana, "/library")
    wait_until_kept(page, "/library", "/offline")
    line.cut(context)
    page.evaluate(ACCEPT, [recipe, "key-of-this-pair"])
    page.reload()
    ready(page)
    cell = page.get_by_role("button", name="Then & Now pair: Waiting for the network")
    expect(cell).to_be_visible()
    is_drawn(cell.locator("img"))
    expect(page.locator(".grid > li").first).to_have_attribute("data-waiting", "key-of-this-pair")
    cell.click()
    expect(page.get_by_role("dialog")).to_contain_text("is sent automatically")
    page.get_by_role("button", name="Done").click()
    context.close()

    context = start()
    line.cut(context)
    page = ana.open("/library")
    expect(cell_of(page)).to_be_visible()
    assert pairs(ana) == before
    line.mend(context)
    expect(page.get_by_role("status").filter(has_text="Your Then & Now pair was sent.")).to_be_visible()
    expect(page.locator("li[data-waiting]")).to_have_count(0)
    expect(page.locator(".grid li[data-id]")).to_have_count(before + 1)
    assert pairs(ana) == before + 1
    assert waiting(page) == []
    page.reload()
    ready(page)
    assert pairs(ana) == before + 1


def cell_of(page):
    return page.locator("li[data-waiting]")


@pytest.mark.long
def test_two_tabs_and_a_lost_answer_make_one_pair(ana, photos):
    posts = []

    class Loser(Line):
        def pass_on(self, handler, answer):
            if handler.path != "/api/v1/rephotographs":
                return super().pass_on(handler, answer)
            posts.append(handler.headers["Idempotency-Key"])
            data = answer.read()
            if len(posts) == 1:
                return handler.connection.close()  # The first answer is lost.
            handler.wfile.write(data)

    recipe = past_photo(ana, photos)
    before = pairs(ana)
    with Loser(ana.server) as proxy:
        context = ana.page.context
        page = open_kept(ana, proxy.url + "/library")
        other = context.new_page()
        other.goto(proxy.url + "/library")
        ready(other)
        wait_until_kept(page, "/library", "/offline")
        proxy.cut(context)
        page.evaluate(ACCEPT, [recipe, "twice"])
        expect(cell_of(other)).to_be_visible()
        other.reload()
        ready(other)
        proxy.mend(context)
        for tab in (page, other):
            expect(cell_of(tab)).to_have_count(0)
            expect(tab.locator(".grid li[data-id]")).to_have_count(before + 1)
        assert len(posts) >= 2 and set(posts) == {"twice"}
    assert pairs(ana) == before + 1


@pytest.mark.long
def test_the_browser_sends_what_waits_when_no_page_is_open(ana, photos, line):
    recipe = past_photo(ana, photos)
    before = pairs(ana)
    page = open_kept(ana, "/library")
    line.cut(page.context)
    page.evaluate(ACCEPT, [recipe, "in-the-background"])
    # No page of the app is open any more. (Chromium without windows has no Background Sync of its own: its event comes
    # from the test.)
    page.goto("about:blank")
    session = page.context.new_cdp_session(page)
    versions = []
    session.on("ServiceWorker.workerVersionUpdated", lambda event: versions.extend(event["versions"]))
    session.send("ServiceWorker.enable")
    line.mend(page.context)
    while not versions:
        page.evaluate("() => null")
    session.send(
        "ServiceWorker.dispatchSyncEvent",
        {
            "origin": line.url, "registrationId": versions[0]["registrationId"], "tag": "tintype-outbox",
            "lastChance": False,
        },
    )
    end = time.monotonic() + 30
    while pairs(ana) == before:
        assert time.monotonic() < end
    assert pairs(ana) == before + 1


@pytest.mark.long
def test_a_pair_whose_upload_is_too_old_goes_up_again(ana, photos):
    recipe = past_photo(ana, photos)
    before = pairs(ana)
    page = open_kept(ana, "/library")
    page.route("**/api/v1/rephotographs", lambda route: route.abort())
    with page.expect_request("**/api/v1/rephotographs"):
        page.evaluate(ACCEPT, [recipe, "old"])
    with ana.server.database() as database:
        database.execute("UPDATE single_use_media SET expires_at = 0")
    page.unroute("**/api/v1/rephotographs")
    page.reload()
    expect(page.locator(".grid li[data-id]")).to_have_count(before + 1)
    assert pairs(ana) == before + 1 and waiting(page) == []


@pytest.mark.long
def test_a_pair_that_is_refused_says_why_and_can_be_saved_or_deleted(ana, photos):
    page = open_kept(ana, "/library")
    page.evaluate(ACCEPT, [{"past_photo_id": "404"}, "refused"])
    cell = page.get_by_role("button", name="Then & Now pair: Not saved")
    cell.click()
    sheet = page.get_by_role("dialog", name="Not saved")
    expect(sheet).to_contain_text("The past photo is no longer available.")
    expect(sheet.get_by_role("button", name="Send again")).to_have_count(0)
    with page.expect_download() as download:
        sheet.get_by_role("link", name="Save picture to device").click()
    assert download.value.suggested_filename == "now.jpg"
    sheet.get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete pair").click()
    expect(cell).to_have_count(0)
    assert waiting(page) == []


@pytest.mark.long
def test_only_so_many_pairs_wait(ana, line):
    page = open_kept(ana, "/library")
    line.cut(page.context)
    for number in range(60):
        page.evaluate(ACCEPT, [{"past_photo_id": "1"}, f"pair-{number}"])
    # The same one again is no further one.
    page.evaluate(ACCEPT, [{"past_photo_id": "1"}, "pair-3"])
    with pytest.raises(Exception, match=r"Too much is waiting for the network\."):
        page.evaluate(ACCEPT, [{"past_photo_id": "1"}, "pair-60"])
    assert len(waiting(page)) == 60
    expect(cell_of(page)).to_have_count(60)


# ---------------------------------------------------------------- bounds and versions


@pytest.mark.long
def test_what_is_kept_stays_within_its_bounds(ana, photos):
    id = ana.upload(photos[0])
    page = open_kept(ana, "/library")
    see_library(page, id)
    wait_until_kept(page, "/library", f"/photos/{id}/square")
    for number in range(24):
        page.goto(f"/library?show=all&visit={number}")
    wait_until_kept(page, "/library?show=all&visit=23")
    until(page, "(paths) => paths.filter((path) => path.startsWith('/library?')).length <= 20")
    lists = {path for path in kept(page) if path.startswith("/library?")}
    # The least recently used have gone.
    assert "/library?show=all&visit=0" not in lists and "/library?show=all&visit=23" in lists
    listed = page.evaluate(ENTRIES, ["tintype-offline", "kept"])
    assert {entry["key"] for entry in listed} == kept(page)


class Upgraded(Line):
    """A server whose static files have another version from one moment on."""

    old, new = None, None

    def pass_on(self, handler, answer):
        if self.new and not handler.path.startswith("/static/") and not handler.path.startswith("/api/v1/events"):
            handler.wfile.write(answer.read().replace(self.old, self.new))
        else:
            super().pass_on(handler, answer)


@pytest.mark.long
def test_a_new_version_of_the_app_is_taken_up(ana, photos):
    id = ana.upload(photos[0])
    with Upgraded(ana.server) as proxy:
        context = ana.page.context
        page = open_kept(ana, proxy.url + "/library")
        see_library(page, id)
        wait_until_kept(page, "/library", "/offline", f"/photos/{id}/square")
        proxy.old = re.search(r"/static/(\w+)/", page.content())[1].encode()
        names = "async () => (await caches.keys()).filter((name) => name.startsWith('tintype-static-'))"
        for number in range(1, 5):
            proxy.new = f"{number:012x}".encode()
            page.goto(proxy.url + "/home")
            states = f"(await ({ENTRIES})(['tintype-offline', 'state']))"
            until(page, f"async () => {states}.some(({{ value }}) => value[0] === '{number:012x}')")
            until(page, f"async () => (await ({names})()).length <= 3")
            if number == 1:
                # A page of the version before is whole without a network.
                proxy.cut(context)
                page.goto(proxy.url + "/library")
                ready(page)
                see_library(page, id)
                assert f"/static/{proxy.old.decode()}/" in page.content()
                proxy.mend(context)
        # What the oldest ones were for has gone with them.
        listed = f"(await ({ENTRIES})(['tintype-offline', 'kept']))"
        versions = f"(await ({names})()).map((name) => name.replace('tintype-static-', ''))"
        until(
            page,
            f"""async () => {{
              const versions = {versions};
              return {listed}.every(({{ version }}) => !version || versions.includes(version));
            }}""",
        )
        assert proxy.old.decode() not in page.evaluate(f"async () => {versions}")
        assert len(page.evaluate(names)) == 3
