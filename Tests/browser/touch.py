"""A finger on a phone's screen, by Chromium's own input events."""


# Waits until what moves an element, or anything around it, has ended.
STILLNESS = """async (element) => {
  const moves = document.getAnimations().filter(({ effect }) => effect.target?.contains(element));
  const passing = moves.filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}"""


class Finger:
    """One or more fingers on a page; positions in CSS pixels of the window."""

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)

    def down(self, *points):
        self._send("touchStart", points)

    def move(self, *points):
        self._send("touchMove", points)

    def up(self):
        self._send("touchEnd", [])

    def drag(self, start, end, steps=8):
        """Moves a finger on a straight line, without letting go."""
        (x, y), (to_x, to_y) = start, end
        self.down(start)
        for step in range(1, steps + 1):
            self.move((x + (to_x - x) * step / steps, y + (to_y - y) * step / steps))

    def swipe(self, start, end, steps=8):
        """A drag that lets go while it moves."""
        self.drag(start, end, steps)
        self.up()

    def tap(self, point):
        self.down(point)
        self.up()

    def double_tap(self, point):
        """Two taps with nothing in between, since more would make them too slow for a double tap."""
        self.tap(point)
        self.tap(point)

    def pinch(self, middle, start, end, steps=8):
        """Two fingers at `start` pixels from the middle move to `end` pixels from it."""
        x, y = middle
        self.down((x - start, y), (x + start, y))
        for step in range(1, steps + 1):
            reach = start + (end - start) * step / steps
            self.move((x - reach, y), (x + reach, y))
        self.up()

    def _send(self, kind, points):
        touches = [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


def middle(locator):
    """The middle of an element in the window, as soon as it is seen and has stopped moving."""
    bounds = None
    while bounds is None:
        locator.wait_for()
        locator.evaluate(STILLNESS)
        # Nothing when it was drawn again meanwhile.
        bounds = locator.bounding_box()
    return bounds["x"] + bounds["width"] / 2, bounds["y"] + bounds["height"] / 2
