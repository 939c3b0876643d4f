"""The photo editor in WebKit, the engine of every browser on an iPhone."""

import pytest

from pixels import CONTEXT
from test_photo_editor import png
from test_webkit import SERVER_FLAGS, safari, screen  # noqa: F401  (settings and fixtures)

pytestmark = pytest.mark.long

# Reads something from the pixels of the shown photo, `width` and `height` of them, in a canvas's `context`.
PIXELS = """
const done = arguments[arguments.length - 1];
(%s)(document.querySelector("[data-stage] > img")).then((context) => {
  const { width, height } = context.canvas;
  %s
}, (error) => done(String(error)));
"""

# How red the shown photo is at its left and at its right, and how far its colours are from grey in the middle.
COLOURS = PIXELS % (CONTEXT, """
  const at = (x) => context.getImageData(x * width, height / 2, 1, 1).data;
  const middle = at(.5);
  done([at(.1)[0], at(.9)[0], Math.max(...middle.slice(0, 3)) - Math.min(...middle.slice(0, 3)), width, height]);
""")

# How many fonts of the server the page has.
FONTS = "return [...document.fonts].filter(({ status }) => status === 'loaded').length"

# How wide the chosen text is with the air around it, as a part of the frame.
WIDTH = """
const width = (part) => document.querySelector(`dialog ${part}`).getBoundingClientRect().width;
return width(".mark-box") / width(".frame");
"""

# The columns of the shown photo in which something is dark: the first and the last, as parts of its width.
INK = PIXELS % (CONTEXT, """
  const { data } = context.getImageData(0, 0, width, height);
  const columns = Array.from({ length: width }, (_, x) => x);
  const isDark = (x) => Array.from({ length: height }, (_, y) => data[(y * width + x) * 4]).some((red) => red < 90);
  done([columns.find(isDark) / width, (columns.findLast(isDark) + 1) / width]);
""")


def test_a_photo_is_mirrored_cut_filtered_written_on_and_kept_beside_the_original(server, safari, photos):
    ana = server.person("ana")
    id = ana.upload(photos[0], "Soft colours")
    browser = safari(ana).open(f"/library/{id}")
    browser.tap("Edit")
    browser.one("dialog.photo-editor[open]")
    browser.tap("Mirror")
    browser.choose("1:1")
    browser.choose("Filters")
    browser.choose("Grey")
    browser.choose("Text")
    browser.tap("Add text")
    browser.named("Text", "textarea").send_keys("Pizza")
    browser.until(lambda _: browser.driver.execute_script(FONTS) == 4)
    browser.choose("Script")
    # The page behind has a link of that name.
    browser.one("dialog [data-done]").click()
    browser.until(lambda _: not browser.driver.current_url.endswith(id))
    browser.ready()
    left, right, colour, width, height = browser.driver.execute_async_script(COLOURS)
    # The first of the test's photos grows redder towards the right.
    assert left > right
    assert colour < 8
    assert width == height
    assert len(ana.get("/api/v1/photos")) == 2


def test_a_text_has_the_servers_font_in_the_editor_and_in_the_picture(server, safari, tmp_path):
    ben = server.person("ben")
    white = png(tmp_path / "white.png", 800, 600, lambda x, y: (255, 255, 255))
    id = ben.upload(white)
    browser = safari(ben).open(f"/library/{id}")
    browser.tap("Edit")
    browser.choose("Text")
    browser.tap("Add text")
    browser.named("Text", "textarea").send_keys("Wiggle")
    browser.until(lambda _: browser.driver.execute_script(FONTS) == 4)
    browser.one("label:has(> input[value=Black])").click()
    widths = {}
    for name in ["Plain", "Typewriter", "Script"]:
        browser.choose(name)
        widths[name] = browser.driver.execute_script(WIDTH)
    browser.one("dialog [data-done]").click()
    browser.until(lambda _: not browser.driver.current_url.endswith(id))
    browser.ready()
    left, right = browser.driver.execute_async_script(INK)
    # The box has some air around the letters.
    assert len({round(width, 2) for width in widths.values()}) == 3, widths
    assert 0 < widths["Script"] - (right - left) < 0.09, (widths, left, right)
