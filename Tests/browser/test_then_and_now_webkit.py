"""Then & Now's camera in WebKit, the engine of every browser on an iPhone, with its mock camera."""

import pytest
from selenium.webdriver.common.keys import Keys

from pairs import Couple, scenes
from test_webkit import SERVER_FLAGS, safari, screen  # noqa: F401  (settings and fixtures)

pytestmark = pytest.mark.long

STAGE = "then-and-now"


def begin(safari, person, past):
    """Opens the start page with a past photo, once both photo and camera are there."""
    browser = safari(person).open(f"/then-and-now?photo={past}")
    browser.one(f"{STAGE}[data-past=ready][data-state=live]")
    return browser


def lay(browser, mode, amount):
    """Lays the past photo over the camera."""
    browser.choose(mode)
    browser.driver.execute_script(
        """const slider = document.querySelector("[data-amount]");
        slider.value = arguments[0];
        slider.dispatchEvent(new Event("input", { bubbles: true }));""",
        amount,
    )


def sizes(browser):
    return [
        browser.driver.execute_script(
            "const { width, height } = arguments[0].getBoundingClientRect(); return [width, height]", pane
        )
        for pane in browser.all(".pane")
    ]


def pairs(person):
    return [one for one in person.get("/api/v1/photos") if one["kind"] == "rephotograph"]


def test_someone_shoots_rejects_shoots_again_and_keeps_the_pair(server, safari, photos):
    ana = server.person("ana")
    browser = begin(safari, ana, ana.upload(photos[0], "The square"))
    above, below = sizes(browser)
    assert above == below
    browser.tap("Take the picture")
    browser.loads("[data-still]")
    browser.tap("Reject and shoot again")
    browser.one(f"{STAGE}[data-state=live]")
    browser.tap("Take the picture")
    browser.one(f"{STAGE}[data-state=verdict]")
    browser.tap("Accept and save")
    browser.until(lambda _: "/library/" in browser.driver.current_url)
    [pair] = pairs(ana)
    assert browser.driver.current_url.endswith(f"/library/{pair['id']}")
    made = ana.get(f"/api/v1/rephotographs/{pair['id']}")
    assert abs(made["aspect"] - above[0] / above[1]) < 0.01


def test_the_past_photo_lies_over_the_camera_in_three_ways(server, safari, photos):
    ben = server.person("ben")
    browser = begin(safari, ben, ben.upload(photos[1], "The bridge"))
    style = "return getComputedStyle(document.querySelector(arguments[0]))[arguments[1]]"
    lay(browser, "Overlay", 70)
    assert browser.driver.execute_script(style, "[data-image]", "opacity") == "0.7"
    lay(browser, "Split", 25)
    assert "75%" in browser.driver.execute_script(style, ".overlay > div", "clipPath")
    lay(browser, "Edges", 100)
    browser.one("[data-edges][data-drawn='100']")
    drawn = browser.driver.execute_script(
        """const canvas = document.querySelector("[data-edges]");
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value, index) => index % 4 === 3 && value > 0);"""
    )
    assert drawn
    browser.tap("Grid lines")
    assert all(lines.is_displayed() for lines in browser.all(".thirds"))


def test_keys_move_and_enlarge_the_past_photo(server, safari, photos):
    cleo = server.person("cleo")
    browser = begin(safari, cleo, cleo.upload(photos[0], "The square"))
    pane = browser.one("[data-past-pane]")
    pane.send_keys("+" * 12)
    browser.has(pane, "aria-label", "Past photo, enlarged 3 times")
    pane.send_keys(Keys.ARROW_RIGHT)
    transform = "return document.querySelector(arguments[0]).style.transform"
    places = [browser.driver.execute_script(transform, name) for name in ("[data-picture]", "[data-image]")]
    assert places[0] == places[1]
    pane.send_keys("0")
    browser.has(pane, "aria-label", "Past photo, not enlarged")


def test_a_file_takes_the_camera_s_place(server, safari, photos):
    dora = server.person("dora")
    browser = begin(safari, dora, dora.upload(photos[0], "The square"))
    browser.file("Choose a file instead").send_keys(str(photos[1]))
    browser.one(f"{STAGE}[data-state=verdict]")
    browser.tap("Accept and save")
    browser.until(lambda _: "/library/" in browser.driver.current_url)
    assert len(pairs(dora)) == 1


def test_a_pair_is_drawn_and_aligned_and_its_pictures_can_be_shown(server, safari, tmp_path):
    emil = server.person("emil")
    couple = Couple(emil, scenes(tmp_path))
    browser = safari(emil).open(f"/library/{couple.id}")
    pair = f"pair-view[data-id='{couple.id}']"

    def box(side):
        """Left and top of a half."""
        return browser.driver.execute_script(
            "const { left, top } = document.querySelector(arguments[0]).getBoundingClientRect(); return [left, top]",
            f"{pair} [data-half={side}]",
        )

    for side in ("then", "now"):
        browser.loads(f"{pair} [data-half={side}] img")
    browser.one(f"{pair} [data-zoom][style*=width]")
    clip = browser.driver.execute_script(
        """const [line, now] = ["[data-divider] input", "[data-half=now]"]
          .map((name) => document.querySelector(`${arguments[0]} ${name}`));
        line.value = 30;
        line.dispatchEvent(new Event("input", { bubbles: true }));
        return getComputedStyle(now).clipPath;""",
        pair,
    )
    assert "30%" in clip
    browser.tap("Stacked")
    browser.until(lambda _: box("then")[0] == box("now")[0] and box("then")[1] < box("now")[1])
    browser.tap("Side by side")
    browser.until(lambda _: box("then")[0] < box("now")[0] and box("then")[1] == box("now")[1])
    browser.until(lambda _: couple.data["mode"] == "side_by_side")
    browser.tap("Align")
    browser.tap("Keep")
    browser.until(lambda _: "aligned automatically" in browser.one(pair).text)
    assert couple.alignment["state"] == "aligned"
    for mode in ("stacked", "side_by_side", "fade"):
        browser.driver.execute_script(
            """const image = new Image();
            image.id = arguments[1];
            image.src = `${arguments[0]}/rendition?mode=${arguments[1]}`;
            document.body.append(image);""",
            couple.path,
            mode,
        )
        browser.loads(f"#{mode}")
