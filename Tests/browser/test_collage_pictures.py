"""What the server renders of a collage, beside what its editor shows."""

import base64
import itertools

import pytest

from collages import Desk, square
from conftest import png

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000", "--limit-uploads", "1000000"]

LAYOUTS = {
    "one-above-two": 3, "two-above-one": 3, "two-by-two": 4, "one-beside-three": 4, "side-by-side": 2, "stacked": 2,
    "one-beside-two": 3, "two-beside-one": 3, "three-columns": 3, "one-above-three": 4, "two-above-three": 5,
    "around-the-middle": 5, "two-by-three": 6, "two-three-two": 7, "three-two-three": 8, "three-by-three": 9,
}  # fmt: skip

# The part of pixels that differ by more than a tenth of a channel's range, both at the size of the smaller one.
DIFFERENCE = """async ([one, other]) => {
  const open = async (bytes) =>
    createImageBitmap(await (await fetch(`data:image/png;base64,${bytes}`)).blob());
  const images = [await open(one), await open(other)];
  const side = Math.min(...images.map((image) => image.width));
  const pixels = (image) => {
    const canvas = new OffscreenCanvas(side, side);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, side, side);
    return context.getImageData(0, 0, side, side).data;
  };
  const [a, b] = images.map(pixels);
  let different = 0;
  for (let at = 0; at < a.length; at += 4) {
    if ([0, 1, 2].some((band) => Math.abs(a[at + band] - b[at + band]) > 25)) different += 1;
  }
  return different / (side * side);
}"""


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """Photos of several shapes. What is tiny or very long, and so has few pixels in the editor, ImagingTests measure."""
    folder = tmp_path_factory.mktemp("shapes")
    sides = [(1600, 1200), (900, 1400), (640, 640), (2000, 900), (1200, 900), (700, 1100), (1200, 900), (800, 600), (900, 900)]
    paths = []
    for index, (width, height) in enumerate(sides):
        paths.append(folder / f"{index}.png")
        paths[-1].write_bytes(png(width, height, index))
    return paths


def difference(desk, page, checker, size):
    """How much the editor's square and the server's picture differ."""
    # Without what the editor shows beside the photos.
    page.evaluate("() => { for (const one of document.querySelectorAll('.mark, .plus, .hole')) one.remove(); }")
    shown = square(page).screenshot()
    made = desk.owner.post(f"{desk.path}/finish", size=size)
    picture = desk.owner.bytes(f"/api/v1/photos/{made['id']}/original")
    encode = lambda data: base64.b64encode(data).decode()
    return checker.evaluate(DIFFERENCE, [encode(shown), encode(picture)])


@pytest.fixture
def checker(browser):
    """A page without the app's Content-Security-Policy, to compare pictures in."""
    context = browser.new_context()
    yield context.new_page()
    context.close()


def open_editor(desk):
    page = desk.page()
    page.wait_for_function("() => [...document.images].every((image) => image.complete)")
    page.wait_for_load_state("networkidle")
    return page


def test_the_picture_equals_the_preview(people, photos, checker):
    ana = people("equal", device_scale_factor=2)
    desk = Desk(ana, photos)
    desk.set(corner_radius=24, background="#1d5fd1")
    body = b'{"zoom": 2.5, "x": 0.1, "y": 0.9}'
    ana.call("PUT", f"{desk.path}/cells/2", body, "application/json")
    assert difference(desk, open_editor(desk), checker, 1024) < 0.02


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_equals_its_preview(people, many, checker, layout):
    ana = people("l" + layout.replace("-", ""), device_scale_factor=2)
    ids = [ana.upload(path) for path in many]
    desk = Desk(ana, many, layout=layout, filled=0)
    for index in range(LAYOUTS[layout]):
        desk.fill(index, ids[index])
    found = {}
    # Each layout meets each size twice, and over all layouts each size meets all looks.
    turn = list(LAYOUTS).index(layout)
    for number, (spacing, radius) in enumerate(itertools.product((0, 10, 40), (0, 40))):
        size = (512, 2048, 4096)[(number + turn) % 3]
        desk.set(spacing=spacing, corner_radius=radius)
        found[spacing, radius, size] = difference(desk, open_editor(desk), checker, size)
    assert max(found.values()) < 0.02, found
