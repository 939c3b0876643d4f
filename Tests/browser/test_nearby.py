"""Find Nearby: a place, years and a radius; the photos found, their pins, and every way in which it can fail."""

import re

import pytest
from playwright.sync_api import expect

from conftest import PHONE
from holding import Held
from looks import accessibility_problems, scrolls_sideways
from people import ready
from sources import Failure, Sources, photo

# What the sources know: at `PLACE`, and nothing in the middle of the Pacific.
SOURCES = Sources()
SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000", *SOURCES.flags]

NEARBY = "/then-and-now/nearby"
PLACE = {"latitude": 46.5412, "longitude": 11.8456}
NOWHERE = {"latitude": -40.0, "longitude": -120.0}
TITLE = '<b>Harbour</b> & "pier" <script>alert(1)</script>'


@pytest.fixture(autouse=True, scope="module")
def sources():
    with SOURCES:
        yield


@pytest.fixture(autouse=True)
def known():
    """Twelve photos around the place: one at it, the others one after the other 100 m further north."""
    photos = [
        photo(
            100 + index,
            TITLE if index == 1 else f"View {index}",
            1931 + index,
            PLACE["latitude"] + index * 0.0009,
            PLACE["longitude"],
            "Fondo Arrieta",
        )
        for index in range(12)
    ]

    def near(photos):
        return lambda given: photos if is_near(given) else []

    SOURCES.flickr, SOURCES.commons = near(photos[0::2]), near(photos[1::2])
    SOURCES.fail, SOURCES.pictures = {}, {}
    yield SOURCES
    SOURCES.release()


def is_near(given):
    """Whether a request to a source asks for the place."""
    latitude = given.get("lat") or given.get("ggscoord", "0").split("|")[0]
    return abs(float(latitude) - PLACE["latitude"]) < 1


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def year(page, name):
    """The button that shows a year and opens its wheel."""
    return page.get_by_role("button", name=re.compile(f"^{name}: "))


def opened(person, place=PLACE):
    """The page on a person's phone, which may know its place."""
    page = person.page
    if place:
        page.context.grant_permissions(["geolocation"])
        page.context.set_geolocation(place)
    page.goto(NEARBY)
    ready(page)
    page.wait_for_selector("[data-map=ready]")
    return page


def position(page):
    return page.locator("[data-position]")


def type_position(page, latitude, longitude):
    if not page.get_by_label("Latitude").is_visible():
        page.locator("summary", has_text="Position").click()
    page.get_by_label("Latitude").fill(str(latitude))
    page.get_by_label("Longitude").fill(str(longitude))
    page.get_by_label("Longitude").blur()


def search(page):
    button(page, "Search").click()
    expect(page.locator("[data-progress]")).to_be_hidden()


def results(page):
    return page.locator("[data-list] > li")


def in_view(page):
    """The photo in view, by its title."""
    return page.locator("[data-list] > li[data-current] img")


def found(page, count=12):
    expect(results(page)).to_have_count(count)
    expect(page.locator("[data-count]")).to_have_text(f"{count} photos")


# ---------------------------------------------------------------- the walkthrough's steps 7 to 10


def test_from_the_start_to_a_photo_nearby_and_back(ana):
    page = ana.page
    page.context.grant_permissions(["geolocation"])
    page.context.set_geolocation(PLACE)
    page.goto("/then-and-now")
    page.get_by_role("link", name="Find Nearby").click()
    expect(page.get_by_role("heading", name="Find Nearby")).to_be_visible()
    expect(position(page)).to_have_text("46.5412, 11.8456")
    year(page, "After").click()
    page.keyboard.type("1925")
    page.keyboard.press("Enter")
    year(page, "Before").click()
    page.keyboard.type("1950")
    button(page, "Done").click()
    page.get_by_role("slider", name="Within").fill("13")
    expect(page.locator("output")).to_have_text("4 km")
    search(page)
    found(page)
    expect(page.locator("[data-answered]")).to_contain_text("Flickr")
    expect(results(page).first).to_contain_text("1931")
    expect(results(page).nth(3)).to_contain_text("300 m away")
    expect(page.locator("[data-shown-credit]")).to_contain_text("Fondo Arrieta")
    expect(page.locator("[data-shown-credit]").get_by_role("link", name="View on Flickr")).to_be_visible()
    expect(page.locator(".photo-pin.current")).to_have_count(1)
    results(page).first.get_by_role("link").first.click()
    page.wait_for_url(re.compile(r"/then-and-now\?past=\d+$"))


@pytest.mark.long
def test_each_picture_shows_that_it_loads(ana, known):
    known.may_send_pictures.clear()
    page = opened(ana)
    search(page)
    found(page)
    expect(page.locator(".picture[aria-busy=true]").first).to_be_visible()
    known.release()
    expect(results(page).first.locator(".picture")).to_have_attribute("aria-busy", "false")
    assert results(page).first.locator("img").evaluate("(image) => image.naturalWidth") > 0


# ---------------------------------------------------------------- what is remembered


@pytest.mark.long
def test_the_form_and_the_photos_are_there_after_a_reload(ana):
    page = opened(ana)
    year(page, "After").click()
    page.keyboard.press("PageDown")
    page.keyboard.press("Escape")
    chosen = year(page, "After").text_content()
    search(page)
    found(page)
    page.get_by_role("slider", name="Within").press("End")
    page.reload()
    expect(year(page, "After")).to_have_text(chosen)
    expect(page.locator("output")).to_have_text("30 km")
    expect(position(page)).to_have_text("46.5412, 11.8456")
    found(page)
    expect(page.locator(".photo-pin")).to_have_count(12)


def test_logging_out_forgets_what_was_in_the_form(ana):
    page = opened(ana)
    page.get_by_role("slider", name="Within").press("End")
    kept = "Object.keys(localStorage).filter((name) => name.includes('nearby')).length"
    assert page.evaluate(kept) > 0
    button(page, "Menu").click()
    button(page, "Log Out").click()
    page.wait_for_url("**/login*")
    assert page.evaluate(kept) == 0


# ---------------------------------------------------------------- years and radius


@pytest.mark.long
def test_the_years_never_cross(ana):
    page = opened(ana)
    after, before = year(page, "After"), year(page, "Before")
    after.click()
    expect(page.get_by_role("listbox", name="After")).to_be_focused()
    page.keyboard.type("1990")
    page.keyboard.press("Escape")
    expect(after).to_have_text("1990")
    expect(before).to_have_text("1990")
    before.click()
    page.keyboard.press("Home")
    expect(page.get_by_role("option", name="1825")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(after).to_have_text("1825")
    expect(before).to_have_text("1825")
    expect(before).to_be_focused()


@pytest.mark.long
def test_a_wheel_turns_under_the_finger(ana):
    page = opened(ana)
    year(page, "Before").click()
    wheel = page.get_by_role("listbox", name="Before")
    before = int(year(page, "Before").text_content())
    wheel.evaluate("(list) => list.scrollBy({top: 44 * 3, behavior: 'instant'})")
    button(page, "Done").click()
    expect(year(page, "Before")).to_have_text(str(before + 3))


# ---------------------------------------------------------------- map and row


def test_pins_and_photos_belong_together(ana):
    page = opened(ana)
    search(page)
    found(page)
    pins = page.locator(".photo-pin")
    expect(pins).to_have_count(12)
    expect(pins.first).to_have_class(re.compile("current"))
    pins.nth(5).dispatch_event("click")
    expect(in_view(page)).to_have_attribute("alt", "View 5")
    expect(results(page).nth(5)).to_be_in_viewport()
    page.locator("[data-list]").evaluate("(list) => list.scrollTo({left: 0, behavior: 'instant'})")
    expect(in_view(page)).to_have_attribute("alt", "View 0")
    expect(pins.first).to_have_class(re.compile("current"))
    expect(page.locator(".photo-pin.current")).to_have_count(1)


@pytest.mark.long
@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_the_map_shows_the_place_after_the_position_was_changed(ana, phone, motion):
    page = opened(phone(ana, reduced_motion=motion))
    search(page)
    found(page)
    # A drag leaves the place in a corner, under the buttons; with motion the map glides on.
    across, down = page.locator("[data-ground]").bounding_box()["width"] / 3, 90
    for shifted in (lambda: drag_map(page, across, -down), lambda: type_position(page, 46.53, 11.87)):
        shifted()
        button(page, "Use my position").first.click()
        expect(position(page)).to_have_text("46.5412, 11.8456")
        in_the_middle(page)
        drag_map(page, across, -down)
        search(page)
        found(page)
        in_the_middle(page)
    # A pin out of sight is shown when its photo comes into view.
    drag_map(page, 0, 400)
    # It glides on from the next frame.
    page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(seen)))")
    page.locator("[data-list]").evaluate("(list) => list.scrollTo({left: 600, behavior: 'instant'})")
    expect(page.locator(".photo-pin.current")).to_be_in_viewport()
    ground = page.locator("[data-ground]").bounding_box()
    page.wait_for_function(
        """(bottom) => {
          const { top, bottom: end } = document.querySelector('.photo-pin.current').getBoundingClientRect();
          return top > 44 && end < bottom;
        }""",
        arg=ground["y"] + ground["height"],
    )


def drag_map(page, across, down):
    box = page.locator("[data-ground]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + across, y + down, steps=6)
    page.mouse.up()


def in_the_middle(page):
    """Waits until the place and its circle rest in the middle of the map, with all pins in sight."""
    page.wait_for_function(
        """() => {
          const box = (name) => document.querySelector(name).getBoundingClientRect();
          const [map, place, reach] = [box('[data-ground]'), box('.place'), box('.reach')];
          const isMiddle = ({ x, y, width, height }) =>
            Math.abs(x + width / 2 - map.x - map.width / 2) < 4 && Math.abs(y + height / 2 - map.y - map.height / 2) < 4;
          const pins = [...document.querySelectorAll('.photo-pin')].map((pin) => pin.getBoundingClientRect());
          const isIn = ({ left, right, top, bottom }) =>
            left >= map.left && right <= map.right && top >= map.top && bottom <= map.bottom;
          const rest = document.querySelector('.leaflet-pan-anim, .leaflet-zoom-anim') === null;
          return rest && isMiddle(place) && isMiddle(reach) && pins.every(isIn);
        }"""
    )


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_scale_of_the_map_can_be_read_on_any_tile(ana, phone, scheme):
    page = opened(phone(ana, color_scheme=scheme))
    contrasts = page.locator(".leaflet-control-scale-line").evaluate(
        """(line) => {
          const { color, backgroundColor, textShadow } = getComputedStyle(line);
          const parts = (text) => text.match(/[\\d.]+/g).map(Number);
          const [words, ground] = [parts(color), parts(backgroundColor)];
          const light = (rgb) => rgb.map((one) => one / 255)
            .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
            .reduce((sum, one, index) => sum + one * [0.2126, 0.7152, 0.0722][index], 0);
          const on = (tile) => {
            const mixed = ground.slice(0, 3).map((one) => one * (ground[3] ?? 1) + tile * (1 - (ground[3] ?? 1)));
            const [one, other] = [light(words.slice(0, 3)), light(mixed)];
            return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
          };
          return { black: on(0), white: on(255), textShadow };
        }"""
    )
    assert contrasts["white"] > 4.5 and contrasts["black"] > 4.5, contrasts
    assert contrasts["textShadow"] == "none"


def test_a_tap_on_the_map_sets_the_position(ana):
    page = opened(ana, place=None)
    expect(position(page)).to_have_text("Not set")
    page.locator("[data-ground]").click(position={"x": 200, "y": 120})
    expect(position(page)).to_have_text(re.compile(r"^-?\d+\.\d{4}, -?\d+\.\d{4}$"))
    expect(page.locator(".place")).to_be_visible()


@pytest.mark.long
def test_keys_move_the_map_and_set_the_position(ana):
    page = opened(ana)
    expect(position(page)).to_have_text("46.5412, 11.8456")
    page.get_by_role("application").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(button(page, "Set position here")).to_be_focused()
    page.keyboard.press("Enter")
    expect(position(page)).not_to_have_text("46.5412, 11.8456")


@pytest.mark.long
def test_without_the_map_everything_else_works(ana, phone):
    # A service worker's own requests can't be stopped by the test.
    page = phone(ana, service_workers="block").page
    page.route("**/vendor/leaflet.js", lambda route: route.abort())
    page.goto(NEARBY)
    expect(page.get_by_text("The map can’t be shown.")).to_be_visible()
    type_position(page, **PLACE)
    search(page)
    found(page)


# ---------------------------------------------------------------- what can go wrong


def test_a_denied_position_says_what_to_do(ana):
    page = opened(ana, place=None)
    page.context.clear_permissions()
    button(page, "Use my position").first.click()
    expect(page.get_by_role("alert")).to_contain_text("Allow location in your browser’s settings, or tap the map.")


@pytest.mark.long
def test_a_search_without_a_position_asks_for_one(ana):
    page = opened(ana, place=None)
    button(page, "Search").click()
    expect(page.get_by_role("alert")).to_contain_text("Tap the map, use your position, or type coordinates.")
    expect(page.get_by_label("Latitude")).to_be_focused()
    type_position(page, **PLACE)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_without_a_network_nothing_typed_is_lost(ana):
    page = opened(ana)
    search(page)
    found(page)
    page.get_by_role("slider", name="Within").press("End")
    page.context.set_offline(True)
    search(page)
    expect(page.get_by_role("alert").filter(has_text="Check the network and try again.")).to_be_visible()
    found(page)
    expect(page.locator("output")).to_have_text("30 km")
    page.context.set_offline(False)
    page.wait_for_function("navigator.onLine")
    search(page)
    # Where there is one, its words show what went wrong.
    expect(page.get_by_role("alert")).to_have_text([])
    found(page)


@pytest.mark.long
def test_no_photos_proposes_a_wider_search(ana):
    page = opened(ana, place=NOWHERE)
    expect(position(page)).to_have_text("-40.0000, -120.0000")
    search(page)
    expect(page.get_by_role("alert")).to_contain_text("Widen the years or the radius.")
    before = [year(page, "After").text_content(), page.locator("output").text_content()]
    button(page, "Search wider").click()
    expect(year(page, "After")).not_to_have_text(before[0])
    expect(page.locator("output")).not_to_have_text(before[1])
    expect(page.locator("[data-progress]")).to_be_hidden()
    expect(page.get_by_role("alert")).to_contain_text("No photos from")


@pytest.mark.long
def test_a_source_that_is_down_is_named_and_the_other_answers(ana, known):
    known.fail["flickr"] = Failure(500)
    page = opened(ana)
    search(page)
    expect(page.get_by_role("alert")).to_contain_text("Flickr")
    found(page, 6)
    expect(page.locator("[data-answered]")).not_to_contain_text("Flickr")


def test_a_search_that_fails_leaves_the_last_results(ana, known):
    page = opened(ana)
    search(page)
    found(page)
    known.fail = {"flickr": Failure(500), "commons": Failure(500)}
    type_position(page, **NOWHERE)
    search(page)
    alerts = page.get_by_role("alert")
    expect(alerts.filter(has_text="Flickr isn’t answering.")).to_be_visible()
    expect(alerts.filter(has_text="Wikimedia Commons isn’t answering.")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="photos of your last search")).to_be_visible()
    expect(page.get_by_text("Widen")).to_have_count(0)
    expect(button(page, "Search wider")).to_have_count(0)
    found(page)
    expect(position(page)).to_have_text("-40.0000, -120.0000")
    page.reload()
    found(page)
    expect(position(page)).to_have_text("-40.0000, -120.0000")
    known.fail = {}
    search(page)
    expect(results(page)).to_have_count(0)


@pytest.mark.long
def test_at_the_widest_no_wider_search_is_offered(ana):
    page = opened(ana, place=NOWHERE)
    page.get_by_role("slider", name="Within").press("End")
    search(page)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("Widen the years.")
    for name, key in [("After", "Home"), ("Before", "End")]:
        year(page, name).click()
        page.keyboard.press(key)
        page.keyboard.press("Enter")
    search(page)
    expect(alert).to_contain_text("Choose another place.")
    expect(button(page, "Search wider")).to_have_count(0)


@pytest.mark.long
def test_pictures_that_fail_are_counted(ana, known):
    known.pictures = dict.fromkeys(("100", "102"), b"no picture")
    page = opened(ana)
    search(page)
    expect(page.get_by_role("alert")).to_have_text(
        "2 of 12 pictures could not be loaded. Search again to try once more."
    )
    expect(page.locator("[data-broken]")).to_have_count(2)
    expect(results(page).first).to_contain_text("Couldn’t be loaded")


@pytest.mark.long
def test_a_picture_of_the_search_before_fails_silently(ana):
    page = opened(ana)
    picture = Held(page, "**/past-photos/*/*")
    search(page)
    found(page)
    failing = picture.take()
    type_position(page, **NOWHERE)
    answer = Held(page, "**/api/v1/past_photos?*")
    button(page, "Search").click()
    asked = answer.take()
    failing.abort()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("1 of 12 pictures")
    asked.continue_()
    expect(alert).to_contain_text("No photos from")
    expect(alert).to_have_count(1)


@pytest.mark.long
def test_a_search_can_be_cancelled(ana, known):
    known.may_answer.clear()
    page = opened(ana)
    button(page, "Search").click()
    expect(page.get_by_role("status").filter(has_text="Asking Flickr")).to_be_visible()
    # What to do before the first search is being done.
    expect(page.get_by_text("Set a place, then search")).to_be_hidden()
    expect(button(page, "Search")).to_have_attribute("aria-busy", "true")
    button(page, "Cancel").click()
    expect(page.locator("[data-progress]")).to_be_hidden()
    expect(page.get_by_role("alert")).to_have_count(0)
    known.release()
    search(page)
    found(page)


def test_the_later_of_two_searches_counts(ana, known):
    known.may_answer.clear()
    page = opened(ana)
    button(page, "Search").click()
    expect(page.locator("[data-progress]")).to_be_visible()
    type_position(page, **NOWHERE)
    known.release()
    button(page, "Search").click()
    expect(page.get_by_role("alert").filter(has_text="No photos from")).to_be_visible()
    expect(results(page)).to_have_count(0)


def test_markup_of_strangers_is_text(ana):
    page = opened(ana)
    search(page)
    found(page)
    page.locator(".photo-pin").nth(1).dispatch_event("click")
    expect(page.locator("[data-shown-credit]")).to_contain_text(TITLE)
    assert page.locator("[data-list] b b, [data-shown-credit] b").count() == 0
    page.reload()
    found(page)
    expect(results(page).nth(1).locator("img")).to_have_attribute("alt", TITLE)


# ---------------------------------------------------------------- without scripts, and for everybody


@pytest.mark.long
def test_a_plain_form_searches_without_scripts(people):
    page = people("plain", java_script_enabled=False).page
    page.goto(NEARBY)
    page.locator("summary").click()
    page.get_by_label("Latitude").fill("95")
    page.get_by_label("Longitude").fill("11.8456")
    page.locator("#from_year").select_option("1925")
    button(page, "Search").click()
    expect(page.get_by_label("Latitude")).to_have_value("95")
    expect(page.get_by_label("Longitude")).to_have_value("11.8456")
    expect(page.locator("#from_year")).to_have_value("1925")
    expect(page.locator("#latitude-error")).to_be_visible()
    page.get_by_label("Latitude").fill("46.5412")
    page.locator("select[name=radius_km]").select_option("4")
    button(page, "Search").click()
    expect(results(page)).to_have_count(12)
    expect(results(page).first.locator("img")).to_be_visible()
    expect(results(page).first.get_by_role("link", name="View on Flickr")).to_be_visible()
    expect(results(page).first.get_by_role("link").first).to_have_attribute(
        "href", re.compile(r"^/then-and-now\?past=\d+$")
    )


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_find_nearby_is_for_everybody(people, scheme):
    page = opened(people(f"every{scheme}", color_scheme=scheme))
    assert accessibility_problems(page) == []
    search(page)
    found(page)
    assert accessibility_problems(page) == []
    type_position(page, **NOWHERE)
    search(page)
    expect(page.get_by_role("alert")).to_be_visible()
    assert accessibility_problems(page) == []
    year(page, "After").click()
    assert accessibility_problems(page) == []


@pytest.mark.long
@pytest.mark.parametrize("size", [PHONE, {"width": 844, "height": 390}, {"width": 1280, "height": 800}])
def test_nothing_scrolls_sideways_but_the_row(ana, phone, size):
    page = opened(phone(ana, viewport=size))
    search(page)
    found(page)
    assert not scrolls_sideways(page)
    expect(page.locator("[data-map]")).to_be_in_viewport()
