"""What a first visit costs: the bytes of page, styles and scripts, and how far things jump while it loads."""

import pytest

from people import befriend, ready

pytestmark = pytest.mark.long

# Compressed, as they come over the wire, with their headers.
MOST_BYTES = 60_000
# What web.dev calls good is 0.1; a page whose pictures have their size needs none of it.
MOST_SHIFT = 0.001

OBSERVER = """
window.shifted = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.fixture
def reader(server, people, photos):
    """Someone with a full home feed, and with something in Notifications."""
    if not (known := getattr(server, "reader", None)):
        ana, ben = server.person("ana"), server.person("ben")
        befriend(ana, ben)
        mine = ana.share("Mine", photos[0])
        ben.post(f"/api/v1/statuses/{mine}/favourite")
        for number in range(1, 22):
            ben.post("/api/v1/statuses", status=f"Comment {number}", in_reply_to_id=mine)
            ben.share(f"Photo {number} of a long summer at the harbour, with @ana", photos[number % 3])
        known = server.reader = ana
    return known


@pytest.mark.parametrize("path", ["/home", "/notifications", "/@ben", "/@ana"])
def test_a_first_visit_is_light_and_nothing_jumps(reader, phone, path):
    page = phone(reader).page
    page.add_init_script(OBSERVER)
    session = page.context.new_cdp_session(page)
    kinds, sizes = {}, {}
    session.on("Network.requestWillBeSent", lambda event: kinds.update({event["requestId"]: event.get("type")}))
    session.on("Network.loadingFinished", lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}))
    session.send("Network.enable")
    page.goto(path)
    ready(page)
    # Those further down load when they come near, and must keep their places too.
    for picture in page.locator("main img").all():
        picture.scroll_into_view_if_needed()
        picture.evaluate("(image) => { image.loading = 'eager'; return image.decode(); }")
    page.wait_for_load_state("networkidle")
    counted = {kind: [sizes[id] for id in sizes if kinds.get(id) == kind] for kind in ["Document", "Stylesheet", "Script"]}
    assert all(counted.values()), counted
    total = sum(map(sum, counted.values()))
    assert total < MOST_BYTES, counted
    # A frame later, what the last picture moved would be known.
    shifted = page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(shifted))))")
    assert shifted < MOST_SHIFT
