"""A finger on a phone's screen, by Chromium's own input events."""

import math
import time

# Seconds from one event to the next.
FRAME = 1 / 60

# Waits until what moves an element, or anything around it, has ended.
STILLNESS = """async (element) => {
  const moves = document.getAnimations().filter(({ effect }) => effect.target?.contains(element));
  const passing = moves.filter(({ effect }) => effect.getComputedTiming().endTime < Infinity);
  await Promise.allSettled(passing.map(({ finished }) => finished));
}"""


class Finger:
    """One or more fingers on a page; positions in CSS pixels of the window.

    The moves of a drag, swipe, pinch or double tap carry time stamps one frame apart, so that their speed is the same
    however slowly a busy machine sends them.
    """

    def __init__(self, page):
        self._session = page.context.new_cdp_session(page)
        self._time = 0

    def down(self, *points):
        self._send("touchStart", points, self._now())

    def move(self, *points):
        self._send("touchMove", points, self._now())

    def up(self):
        self._send("touchEnd", [], self._now())

    def rest(self):
        """Lets the next event come so late that the finger has no speed any more."""
        self._time += 0.2

    def drag(self, start, end, steps=8):
        """Moves a finger on a straight line, without letting go."""
        (x, y), (to_x, to_y) = start, end
        self.down(start)
        for step in range(1, steps + 1):
            self._next("touchMove", [(x + (to_x - x) * step / steps, y + (to_y - y) * step / steps)])

    def swipe(self, start, end, steps=8):
        """A drag that lets go while it moves."""
        self.drag(start, end, steps)
        self._next("touchEnd", [])

    def tap(self, point):
        self.down(point)
        self._next("touchEnd", [])

    def double_tap(self, point):
        self.tap(point)
        self._next("touchStart", [point])
        self._next("touchEnd", [])

    def pinch(self, middle, start, end, steps=8):
        """Two fingers at `start` pixels from the middle move to `end` pixels from it."""
        x, y = middle
        self.down((x - start, y), (x + start, y))
        for step in range(1, steps + 1):
            reach = start + (end - start) * step / steps
            self._next("touchMove", [(x - reach, y), (x + reach, y)])
        self._next("touchEnd", [])

    def turn(self, fixed, start, degrees, steps=12):
        """One finger stays, and another one that came down at `start` turns about it, clockwise."""
        (x, y), (from_x, from_y) = fixed, start
        self.down(fixed)
        self._next("touchStart", [fixed, start])
        for step in range(1, steps + 1):
            sine, cosine = (of(math.radians(degrees * step / steps)) for of in (math.sin, math.cos))
            dx, dy = from_x - x, from_y - y
            self._next("touchMove", [fixed, (x + dx * cosine - dy * sine, y + dx * sine + dy * cosine)])
        self._next("touchEnd", [])

    def _now(self):
        return max(time.time(), self._time + FRAME)

    def _next(self, kind, points):
        self._send(kind, points, self._time + FRAME)

    def _send(self, kind, points, moment):
        self._time = moment
        touches = [{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)]
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches, "timestamp": moment})


def middle(locator):
    """The middle of an element in the window, as soon as it is seen and has stopped moving."""
    bounds = None
    while bounds is None:
        locator.wait_for()
        locator.evaluate(STILLNESS)
        # Nothing when it was drawn again meanwhile.
        bounds = locator.bounding_box()
    return bounds["x"] + bounds["width"] / 2, bounds["y"] + bounds["height"] / 2
