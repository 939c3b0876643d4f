"""What people do at several servers of one database, each at their own."""

import time

from conftest import PATIENCE


def shown(person, path):
    """A page of the person's own server, whose scripts have started."""
    return person.open(person.server.url + path)


def wait_for(is_so):
    """Asks again and again until something is so."""
    end = time.monotonic() + PATIENCE / 1_000
    while not is_so():
        assert time.monotonic() < end, "it isn't so after a while"
