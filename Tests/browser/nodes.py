"""What people do at several servers of one database, each at their own, and what their operator does."""

import os
import pathlib
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

from conftest import PATIENCE
from servers import BINARY


def shown(person, path):
    """A page of the person's own server, whose scripts have started."""
    return person.open(person.server.url + path)


def wait_for(is_so):
    """Asks again and again until something is so."""
    end = time.monotonic() + PATIENCE / 1_000
    while not is_so():
        assert time.monotonic() < end, "it isn't so after a while"


def later_version(folder, number=1):
    """Makes the program with so many migrations more, in a folder of its own; its path."""
    built = pathlib.Path(BINARY).resolve().parent
    folder.mkdir()
    for name in ("tintype", "tintype-pictures"):
        try:
            os.link(built / name, folder / name)
        except OSError:
            shutil.copy(built / name, folder)
    resources = shutil.copytree(built / "tintype_Core.resources", folder / "tintype_Core.resources")
    for one in range(1, number + 1):
        sql = f"CREATE TABLE later{one} (id BIGINT PRIMARY KEY);"
        (resources / f"Resources/migrations/{9000 + one}-later.sql").write_text(sql)
    return str(folder / "tintype")


def upgrade(nodes, binary, meanwhile=lambda: None):
    """Replaces servers by those of a later version, the first of which waits until all earlier ones have stopped."""
    first, *others = nodes
    first.stop()
    first.binary = binary

    def stop_the_others():
        wait_for(lambda: "waiting for earlier versions to end" in first.log)
        meanwhile()
        for node in others:
            node.stop()

    # A server ends with the thread that has started it, so only stopping is for another.
    with ThreadPoolExecutor() as pool:
        stopping = pool.submit(stop_the_others)
        first.start()
        stopping.result()
    for node in others:
        node.binary = binary
        node.start()
