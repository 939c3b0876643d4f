"""A camera that sees a picture of four colours, and how pictures are compared."""

import base64


def four_colours(path, width=640, height=480):
    """Writes what a fake camera sees (YUV4MPEG2): another colour in each quarter, brighter towards the right."""
    luma = bytearray()
    for _ in range(height):
        luma += bytes(60 + 140 * x // width for x in range(width))
    half = width // 2
    blue, red = bytearray(), bytearray()
    for y in range(height // 2):
        is_above = y < height // 4
        blue += bytes([90 if is_above else 170]) * (half // 2) + bytes([170 if is_above else 110]) * (half - half // 2)
        red += bytes([190 if is_above else 90]) * (half // 2) + bytes([100 if is_above else 150]) * (half - half // 2)
    frame = b"FRAME\n" + bytes(luma) + bytes(blue) + bytes(red)
    path.write_bytes(f"YUV4MPEG2 W{width} H{height} F10:1 Ip C420\n".encode() + frame * 5)


def difference(page, one, other, part=None, aspect=None):
    """How much two pictures differ, 0 (not at all) to 255, both scaled to 24 × 24 pixels.

    `part` takes the upper (`then`) or the lower (`now`) half of the second, a stacked pair of frames with that aspect.
    """
    urls = [f"data:image/*;base64,{base64.b64encode(bytes_).decode()}" for bytes_ in (one, other)]
    return page.evaluate(
        """async ([urls, part, aspect]) => {
          const pixels = async (url, part) => {
            const image = new Image();
            image.src = url;
            await image.decode();
            const { naturalWidth: width, naturalHeight: whole } = image;
            const height = part ? width / aspect : whole;
            const top = part === "now" ? whole - height : 0;
            const canvas = Object.assign(document.createElement("canvas"), { width: 24, height: 24 });
            const context = canvas.getContext("2d");
            context.imageSmoothingQuality = "high";
            context.drawImage(image, 0, top, width, height, 0, 0, 24, 24);
            return context.getImageData(0, 0, 24, 24).data;
          };
          const [one, other] = [await pixels(urls[0]), await pixels(urls[1], part)];
          return one.reduce((sum, value, index) => sum + Math.abs(value - other[index]), 0) / (24 * 24 * 3);
        }""",
        [urls, part, aspect],
    )


def seen(locator):
    """What an element shows, without the controls that lie over it (PNG)."""
    page = locator.page
    page.evaluate(SHOW_CONTROLS, False)
    picture = locator.screenshot()
    page.evaluate(SHOW_CONTROLS, True)
    return picture


SHOW_CONTROLS = """(areShown) => {
  for (const one of document.querySelectorAll(".tools, .corner, .credit")) one.style.opacity = areShown ? "" : "0";
}"""
