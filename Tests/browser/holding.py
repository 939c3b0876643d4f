"""Requests of a page that wait until a test lets them go."""

import time


class Held:
    """Holds every request of a page to some address."""

    def __init__(self, page, address):
        self._page, self._address, self._routes = page, address, []
        page.route(address, lambda route: self._routes.append(route))

    def take(self):
        """The next one, once it is there: a route, to go on with."""
        end = time.monotonic() + 30
        while not self._routes:
            assert time.monotonic() < end, f"nothing was asked of {self._address}"
            # Whatever is asked of the page lets what it has asked for come in.
            self._page.evaluate("() => null")
        return self._routes.pop(0)

    def release(self):
        """Holds no further ones."""
        self._page.unroute(self._address)
