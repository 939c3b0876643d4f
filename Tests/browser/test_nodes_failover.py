"""Three servers behind HAProxy, with PostgreSQL on three machines (cluster.py), under load, while the primary is killed, cut
off from the others or from the servers, and links are slow: nothing acknowledged is lost, nothing is seen twice, what is ended
is ended everywhere, and streams miss nothing.

`Tests/soak MINUTES` runs it for longer.
"""

import base64
import contextlib
import os
import random
import signal
import time
import uuid

import pytest

from cluster import PATIENCE, Cluster, Front, needs_cluster, wait_until
from conftest import png
from load import FLAGS, Listener, Load, Login, friends_with_chats
from nodes import wait_for
from people import befriend
from servers import free_port
from services import needs_store

# Not a part of ./test --full: beside other tests, two processors are too few for twelve servers.
needs_soak = pytest.mark.skipif("TINTYPE_SOAK_SECONDS" not in os.environ, reason="Tests/soak MINUTES runs it, alone")

pytestmark = [needs_soak, needs_cluster, needs_store, pytest.mark.long, pytest.mark.timeout(7_200)]

SECONDS = int(os.environ.get("TINTYPE_SOAK_SECONDS", "60"))
# How many messages tell how long an event takes in calm times.
CALM = 200


@pytest.fixture(scope="module")
def cluster():
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
def flags(cluster, store, tmp_path, monkeypatch):
    key = tmp_path / "secrets-key"
    key.write_bytes(base64.b64encode(os.urandom(32)))
    key.chmod(0o600)
    monkeypatch.setenv("PGPASSWORD", "the password")
    return [
        *store.flags, "--database", cluster.address, "--secrets-key-file", str(key), "--trusted-proxies", "127.0.0.1", *FLAGS
    ]


class Trouble:
    """What happens to the cluster, the servers and the store, each until all is well again."""

    def __init__(self, cluster, nodes, store, load):
        self.cluster, self.nodes, self.store, self.load = cluster, nodes, store, load
        # How long it took after each failure until a message was acknowledged again, in seconds.
        self.pauses = []
        self.large = [self.kill_primary, self.split, self.cut_servers, self.lose_standby, self.slow_servers]
        # What happens while a machine comes back, and needs nothing of it.
        self._small = [self.kill_node, self.stop_node, self.end_connections, self.lose_store]

    def kill_primary(self):
        primary = self.cluster.primary
        primary.kill_database()
        self._written("primary killed")
        primary.start_patroni()
        self._recover()

    def split(self):
        """Cuts the primary off from the others, but not from the servers."""
        self._cut_off(self.cluster.primary, "primary cut off from the others")

    def lose_standby(self):
        self._cut_off(self.cluster.synchronous, "standby cut off")

    def _cut_off(self, machine, what):
        machine.cut("cluster")
        try:
            self._written(what)
        finally:
            machine.mend("cluster")
        self._recover()

    def cut_servers(self):
        """Cuts the primary off from the servers."""
        primary = self.cluster.primary
        primary.cut("servers")
        time.sleep(random.uniform(1, 4))
        primary.mend("servers")
        self._written("primary cut off from the servers for seconds")

    def slow_servers(self):
        primary = self.cluster.primary
        primary.slow("servers", "2mbit")
        time.sleep(random.uniform(1, 4))
        primary.hasten("servers")

    def end_connections(self):
        primary = self.cluster.primary
        primary and primary.psql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'tintype' AND random() < 0.5"
        )

    def kill_node(self):
        node = random.choice(self.nodes)
        node.kill()
        time.sleep(random.uniform(0, 1))
        node.start()

    def stop_node(self):
        node = random.choice(self.nodes)
        node.process.send_signal(signal.SIGSTOP)
        time.sleep(random.uniform(0.5, 3))
        node.process.send_signal(signal.SIGCONT)

    def lose_store(self):
        self.store.is_down = True
        time.sleep(random.uniform(0.2, 1.5))
        self.store.is_down = False

    def _recover(self):
        """Lets other things happen until all three machines are there again."""
        end = time.monotonic() + PATIENCE
        while not self.cluster.is_whole:
            assert time.monotonic() < end, "the machines don't come back"
            random.choice(self._small)()

    def _written(self, what):
        """Waits until messages are acknowledged again that were sent after now."""
        start = time.monotonic()
        # Those that were under way may still be answered.
        sent = sum(map(len, self.load.messages.values())) + len(self.load.people)
        wait_until(lambda: sum(map(len, self.load.messages.values())) > sent, f"messages after: {what}")
        self.pauses.append((what, round(time.monotonic() - start, 1)))


def measure(load, nodes):
    """Prints how long an event takes to a stream at another server, in calm times."""
    one, other = load.people[:2]
    listener = Listener(Load(nodes, load.people, load.chats, load.picture, fronts=[nodes[1]]), other)
    listener.start()
    listener.connected.wait(60)
    chat = next(chat for chat in load.chats[one] if chat in load.chats[other])
    sender = Login(nodes[0], one)
    answered = {}
    for _ in range(CALM):
        text = str(uuid.uuid4())
        sender.post(f"/api/v1/chats/{chat}/messages", text=text)
        answered[text] = time.monotonic()
        wait_for(lambda text=text: text in listener.seen)
    listener.end()
    delays = sorted(listener.seen[text] - moment for text, moment in answered.items())
    print(f"\nevents at another server: half within {delays[CALM // 2] * 1e3:.1f} ms, 99 % within {delays[-3] * 1e3:.1f} ms")


def test_nothing_is_lost_when_the_primary_is(cluster, flags, store, start, tmp_path):
    picture = tmp_path / "picture.png"
    picture.write_bytes(png(320, 240))
    nodes = [start(tmp_path / f"node{number}", *flags, "--port", str(free_port())) for number in range(3)]
    with contextlib.closing(Front(tmp_path, nodes)) as front:
        people, chats = friends_with_chats(nodes[0])
        strangers = [nodes[0].person(name) for name in ("blocker", "blocked")]
        befriend(*strangers)
        load = Load(nodes, people, chats, picture, fronts=[front])
        measure(load, nodes)
        load.begin()
        load.repeat(lambda: load.break_promise(people[1], people[2]))
        load.repeat(lambda: load.block(*strangers))
        # Goes on when nothing more is written.
        listener = Listener(Load(nodes, people, chats, picture, fronts=[front]), people[0])
        listener.start()
        trouble = Trouble(cluster, nodes, store, load)
        try:
            listener.connected.wait(60)
            end = time.monotonic() + SECONDS
            while True:
                for kind in trouble.large:
                    print(f"{time.strftime('%T')} {kind.__name__}", flush=True)
                    kind()
                if time.monotonic() > end:
                    break
                random.shuffle(trouble.large)
        finally:
            load.end()
        own = [sent for (chat, _), sent in load.messages.items() if chat in chats[people[0]]]
        wait_for(lambda: {text for sent in own for text in sent} <= set(listener.seen))
        listener.end()
        print(f"pauses: {trouble.pauses}; stream resumed {listener.resumed} times, reset {listener.reset}; "
              f"{sum(map(len, load.messages.values()))} messages, {len(load.posts)} posts, {len(load.views)} seen once, "
              f"{len(load.breaches)} contracts, {load.ended} log-outs, {load.blocked} blocks")
        load.check()
        assert load.breaches and load.blocked
        for node in nodes:
            node.stop()
            node.process = None
        nodes[0].command("check")
