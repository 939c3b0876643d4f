"""People in groups and chats of two who do at random what can be done there, while the server is killed: each sees exactly what
they may see, nothing acknowledged is lost, nothing is there twice, and pages that come back miss nothing.

`./test --full` does so for half a minute on each engine, `Tests/soak groups MINUTES` for longer.
"""

import os
import random
import time

import pytest

from conftest import png
from groups_life import Life
from load import FLAGS
from services import needs_services, selected

pytestmark = pytest.mark.long

SECONDS = int(os.environ.get("TINTYPE_GROUPS_SECONDS", "30"))
SEED = os.environ.get("TINTYPE_GROUPS_SEED") or str(random.randrange(10**6))
# The seconds between two rests, and how many of them nothing is killed.
ROUND, CALM = 9, 3
PICTURES = "SELECT message_id FROM once_pictures"


@pytest.fixture
def one_server(start, tmp_path):
    """A server on SQLite, and what finds the messages whose view-once photos are there."""
    server = start(tmp_path / "data", *FLAGS, "--limit-reads", "1000000", "--sign-up", "open")

    def pictures():
        with server.database() as database:
            return {str(id) for (id,) in database.execute(PICTURES)}

    return [server], pictures


@pytest.fixture
def two_servers(start, tmp_path, database, shared_flags):
    """Two servers of one PostgreSQL database."""
    flags = [*shared_flags, *FLAGS, "--limit-reads", "1000000"]
    nodes = [start(tmp_path / f"node{number}", *flags) for number in range(2)]
    return nodes, lambda: set(selected(database, PICTURES))


@pytest.mark.timeout(SECONDS * 3 + 600)
@pytest.mark.parametrize("servers", ["one_server", pytest.param("two_servers", marks=needs_services)])
def test_each_sees_what_they_may_whatever_happens(servers, request, tmp_path):
    nodes, pictures = request.getfixturevalue(servers)
    picture = tmp_path / "picture.png"
    picture.write_bytes(png(160, 120))
    life = Life(nodes, pictures, SEED, picture)
    chance = random.Random(SEED)

    def trouble():
        """Kills a server now and then, and starts it again. At last all is calm, so that pages live by their events alone."""
        start = time.monotonic()
        while True:
            # The moment itself is what is random here; nothing waits for it.
            time.sleep(chance.uniform(0.5, 3))
            if time.monotonic() - start > ROUND - CALM:
                break
            node = chance.choice(nodes)
            node.kill()
            time.sleep(chance.uniform(0, 0.5))
            node.start()
        time.sleep(CALM)

    end = time.monotonic() + SECONDS
    try:
        while time.monotonic() < end:
            life.round(trouble)
            life.check()
            assert not life.model.faults, "\n".join(life.model.faults[:20])
            nodes[0].command("check")
            life.come_and_go()
    finally:
        life.end()
        done = sum((one.done for one in life.dwellers), start=type(life.dwellers[0].done)())
        print(f"seed {SEED}: {dict(done)}, {len(life.model.chats)} chats, {life.model.doubts} doubts, {life.model.owners_checked} heirs")
        print(f"{sum(one.resumed for one in life.screens)} connections, {sum(one.reset for one in life.screens)} resets")
