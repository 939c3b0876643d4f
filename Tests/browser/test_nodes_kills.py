"""Three servers under load, of which one after the other is killed or stopped, while connections to the database are cut and
the store is down: nothing acknowledged is lost, nothing is seen twice, and what is ended is ended everywhere."""

import itertools
import random
import signal
import time

import pytest

from conftest import png
from load import FLAGS, Load, friends_with_chats
from services import needs_services, psql

pytestmark = [needs_services, pytest.mark.long]

SECONDS = 60


def trouble(nodes, database, store):
    """Kills, stops and cuts for a while. On the main thread: a server ends with the thread that has started it."""
    name = database.split("/")[3].split("?")[0]
    end = time.monotonic() + SECONDS
    for kind in itertools.cycle(["kill", "cut", "stop", "store"]):
        # The moment itself is what is random here; nothing waits for it.
        time.sleep(random.uniform(0.5, 2.5))
        if time.monotonic() > end:
            return
        node = random.choice(nodes)
        if kind == "kill":
            node.kill()
            time.sleep(random.uniform(0, 1))
            node.start()
        elif kind == "stop":
            node.process.send_signal(signal.SIGSTOP)
            time.sleep(random.uniform(0.5, 3))
            node.process.send_signal(signal.SIGCONT)
        elif kind == "cut":
            psql(
                "psql", "--quiet", "--command",
                f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND random() < 0.5",
                "postgres",
            )
        else:
            store.is_down = True
            time.sleep(random.uniform(0.2, 1.5))
            store.is_down = False


def test_nothing_acknowledged_is_lost_and_nothing_is_seen_twice(shared_flags, database, store, start, tmp_path):
    picture = tmp_path / "picture.png"
    picture.write_bytes(png(320, 240))
    nodes = [start(tmp_path / f"node{number}", *shared_flags, *FLAGS) for number in range(3)]
    load = Load(nodes, *friends_with_chats(nodes[0]), picture)
    load.begin()
    try:
        trouble(nodes, database, store)
    finally:
        load.end()
    load.check()
    assert sum(map(len, load.messages.values())) > SECONDS
    for node in nodes:
        node.stop()
        node.process = None
    nodes[0].command("check")
