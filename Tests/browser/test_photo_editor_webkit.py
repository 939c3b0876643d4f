"""The photo editor in WebKit, the engine of every browser on an iPhone."""

import pytest

from test_webkit import SERVER_FLAGS, safari, screen  # noqa: F401  (settings and fixtures)

pytestmark = pytest.mark.long

# How red the shown photo is at its left and at its right, and how far its colours are from grey in the middle.
COLOURS = """
const done = arguments[arguments.length - 1];
const image = document.querySelector("[data-stage] > img");
image.decode().then(() => {
  const canvas = document.createElement("canvas");
  const [width, height] = [(canvas.width = image.naturalWidth), (canvas.height = image.naturalHeight)];
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const at = (x) => context.getImageData(x * width, height / 2, 1, 1).data;
  const middle = at(.5);
  done([at(.1)[0], at(.9)[0], Math.max(...middle.slice(0, 3)) - Math.min(...middle.slice(0, 3)), width, height]);
}, (error) => done(String(error)));
"""


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
