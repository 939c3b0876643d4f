"""The measurement of `run`, in a Python that has pywebpush."""
import argparse
import asyncio
import collections
import datetime
import hashlib
import os
import pathlib
import random
import re
import secrets
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "Tests/browser"))
import push_service
import pywebpush
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

BUILD = pathlib.Path(os.environ.get("TINTYPE_BUILD", pathlib.Path.home() / ".cache/tintype/build/release"))
BINARY = os.environ.get("TINTYPE_BINARY", BUILD / "tintype")
LIMITS = [f"--limit-{kind}=1000000000" for kind in ("reads", "writes")]
# The identifiers of the server: milliseconds since 2024, and a number.
EPOCH = 1_704_067_200_000
AT_ONCE = 16
SAMPLE = 100
# Seconds without a push after which what hasn't come won't come.
PATIENCE = 60


# ---------------------------------------------------------------- people and their devices


class Device:
    """A subscription: its keys, and what its push service does."""

    def __init__(self, service, is_gone):
        self.private_key = ec.generate_private_key(ec.SECP256R1())
        self.secret = secrets.token_bytes(16)
        self.service, self.is_gone = service, is_gone
        self.path = f"/push/{secrets.token_urlsafe(16)}"
        point = self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.p256dh, self.auth = push_service.encoded(point), push_service.encoded(self.secret)

    @property
    def endpoint(self):
        return self.service.url + self.path


class Person:
    """Someone with an account, and the cookies of their log-ins."""

    def __init__(self, number, log_ins):
        now = int(time.time() * 1000)
        self.id = (now - EPOCH - 1_000_000 + number) << 22
        self.name = f"person{number}"
        self.cookies = [secrets.token_urlsafe(32) for _ in range(log_ins)]


def fill(data, people):
    """Writes people and their log-ins straight into the database, since checking passwords takes long on purpose."""
    subprocess.run([BINARY, "migrate", "--data", data], check=True, capture_output=True)
    now = int(time.time() * 1000)
    with sqlite3.connect(f"{data}/tintype.sqlite") as database:
        for person in people:
            database.execute(
                "INSERT INTO accounts (id, username, username_folded, display_name, bio, password)"
                " VALUES (?, ?, ?, ?, '', '-')", (person.id, person.name, person.name, person.name.title()))
            for number, cookie in enumerate(person.cookies):
                database.execute(
                    "INSERT INTO sessions (id, account_id, token_hash, kind, device, seen_at)"
                    " VALUES (?, ?, ?, 'browser', 'bench', ?)",
                    (person.id + number, person.id, hashlib.sha256(cookie.encode()).hexdigest(), now))
    database.close()


class Connection:
    """One HTTP/1.1 connection that is kept open."""

    def __init__(self, port):
        self.port, self.reader = port, None

    async def post(self, path, cookie, form=None):
        if not self.reader:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        body = urllib.parse.urlencode(form or {}).encode()
        head = (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\nSec-Fetch-Site: same-origin\r\n"
                f"Content-Type: application/x-www-form-urlencoded\r\nCookie: tintype_session={cookie}\r\n\r\n")
        self.writer.write(head.encode() + body)
        answer = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"(?i)content-length: (\d+)", answer)
        data = await self.reader.readexactly(int(length[1])) if length else b""
        if not answer.startswith("HTTP/1.1 2"):
            sys.exit(f"{path}: {answer}{data[:300]!r}")


async def at_once(port, work, items):
    """Does something for every item over sixteen connections."""
    queue = iter(items)

    async def lane():
        connection = Connection(port)
        for item in queue:
            await work(connection, item)
        connection.writer.close()

    await asyncio.gather(*(lane() for _ in range(AT_ONCE)))


# ---------------------------------------------------------------- push services


class Service:
    """A push service on loopback, which does as little as it can while it is measured."""

    def __init__(self, host):
        self.host, self.devices = host, {}
        # (moment, device, head, body) of each request.
        self.received = []
        self.came = asyncio.Event()

    async def start(self):
        self.server = await asyncio.get_running_loop().create_server(lambda: Incoming(self), self.host, 0)
        self.url = f"http://{self.host}:{self.server.sockets[0].getsockname()[1]}"
        return self

    def device(self, is_gone):
        device = Device(self, is_gone)
        self.devices[device.path] = device
        return device


class Incoming(asyncio.Protocol):
    """A connection of the server to a push service."""

    def __init__(self, service):
        self.service, self.buffer = service, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            head = self.buffer[:end].decode()
            size = int(re.search(r"(?i)content-length: *(\d+)", head)[1])
            if len(self.buffer) < end + 4 + size:
                return
            body, self.buffer = self.buffer[end + 4:end + 4 + size], self.buffer[end + 4 + size:]
            device = self.service.devices[head.split(" ", 2)[1]]
            self.service.received.append((time.perf_counter(), device, head, body))
            status = "410 Gone" if device.is_gone else f"201 Created\r\nLocation: {self.service.url}/message/1"
            self.transport.write(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())
            self.service.came.set()


def text_of(received):
    """Checks a push as the tests do; its plain text."""
    _, device, head, body = received
    lines = (line.split(":", 1) for line in head.split("\r\n")[1:])
    headers = {name.lower(): value.strip() for name, value in lines}
    push_service.check_form(headers, body)
    push_service.check_token(headers, device.service.url, None)
    return push_service.decrypt(headers, body, device)


# ---------------------------------------------------------------- the measurement


class Process:
    """What the system says of the server's process."""

    def __init__(self, id):
        self._folder = pathlib.Path(f"/proc/{id}")

    @property
    def seconds(self):
        """Processor time so far, in user and kernel mode (proc(5))."""
        fields = (self._folder / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def megabytes(self):
        """Memory of its own, without files."""
        return int(re.search(r"RssAnon:\s+(\d+)", (self._folder / "status").read_text())[1]) / 1024


class Round:
    """Somebody follows everyone, and all devices that are left are told."""

    def __init__(self, port, process, services):
        self.port, self.process, self.services = port, process, services

    async def run(self, cookie, people, expected):
        for service in self.services:
            service.received.clear()
        began, cpu = time.perf_counter(), self.process.seconds
        self.peak, done = self.process.megabytes, asyncio.Event()
        watching = asyncio.create_task(self._watch(done))
        await at_once(
            self.port, lambda connection, person: connection.post(f"/api/v1/accounts/{person.id}/follow", cookie), people)
        self.followed = time.perf_counter() - began
        while sum(len(service.received) for service in self.services) < expected:
            for service in self.services:
                service.came.clear()
            waits = [asyncio.create_task(service.came.wait()) for service in self.services]
            came, left = await asyncio.wait(waits, timeout=PATIENCE, return_when=asyncio.FIRST_COMPLETED)
            for wait in left:
                wait.cancel()
            if not came:
                sys.exit(f"{sum(len(service.received) for service in self.services)} of {expected} pushes came")
        self.received = [one for service in self.services for one in service.received]
        self.seconds = (max(one[0] for one in self.received) if self.received else time.perf_counter()) - began
        await self._rest()
        self.cpu = self.process.seconds - cpu
        done.set()
        await watching
        return self

    async def _rest(self):
        """Waits until the server is idle: what follows the last push is part of its cost."""
        before = -1.0
        while before != (before := self.process.seconds):
            await asyncio.sleep(1)

    async def _watch(self, done):
        while not done.is_set():
            self.peak = max(self.peak, self.process.megabytes)
            await asyncio.sleep(0.05)


def with_pywebpush(devices, texts):
    """Milliseconds of processor time that pywebpush's encryption of a message takes."""
    subscriptions = [
        {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}} for device in devices]
    began = time.process_time()
    size = 0
    for number, subscription in enumerate(subscriptions):
        size += len(pywebpush.WebPusher(subscription).encode(texts[number % len(texts)])["body"])
    assert size
    return (time.process_time() - began) * 1000 / len(subscriptions)


async def measure(port, process, people, senders, arguments):
    # Servers bound what they send to one host at once, so each has its own address.
    services = [await Service(f"127.0.0.{1 + number}").start() for number in range(arguments.services)]
    round = Round(port, process, services)
    alone = await round.run(senders[0].cookies[0], people, 0)
    without = alone.cpu
    idle = process.megabytes

    pairs = []
    for person in people:
        gone = random.randrange(arguments.devices)
        for number, cookie in enumerate(person.cookies):
            pairs.append((cookie, services[len(pairs) % len(services)].device(number == gone)))

    def form(device):
        return {"subscription[endpoint]": device.endpoint, "subscription[keys][p256dh]": device.p256dh,
                "subscription[keys][auth]": device.auth, "subscription[standard]": "true"}

    await at_once(port, lambda connection, pair: connection.post(
        "/api/v1/push/subscription", pair[0], form(pair[1])), pairs)

    print("| | pushes | pushes a second | server’s CPU, ms each | memory before, MB | at most | after |")
    print("|---|--:|--:|--:|--:|--:|--:|", flush=True)
    sample, left = [], len(pairs)
    for name, sender in [("one in ten is gone", senders[1]), ("those that are left", senders[2])]:
        before = process.megabytes
        await round.run(sender.cookies[0], people, left)
        count = len(round.received)
        each = (round.cpu - without) * 1000 / count
        print(f"| {name} | {count:,} | {count / round.seconds:,.0f} | {each:.2f} | {before:.0f} | {round.peak:.0f} "
              f"| {process.megabytes:.0f} |", flush=True)
        times = collections.Counter(one[1].path for one in round.received)
        if max(times.values()) > 1 or count != left:
            sys.exit(f"{count} pushes to {len(times)} devices instead of one to each of {left}")
        if any(one[1].is_gone for one in round.received) != (sender is senders[1]):
            sys.exit("a subscription that was gone didn't end")
        sample += random.sample(round.received, min(SAMPLE, count))
        left -= len(people)
    texts = [text_of(one) for one in sample]
    theirs = with_pywebpush([device for _, device in pairs], texts)
    sizes = sorted(len(text) for text in texts)
    print(f"\nOf {len(sample)} pushes, taken at random, all have a valid token and decrypt, to {sizes[0]} to {sizes[-1]} bytes. "
          f"Idle, without subscriptions: {idle:.0f} MB. Following without devices: {without * 1000 / len(people):.2f} ms "
          "of CPU each, which is taken off.\n")
    print("| CPU, ms each | |\n|---|--:|")
    print(f"| Tintype: the whole push, with its token, its queue and its connection | {each:.2f} |")
    print(f"| pywebpush: encryption alone, of the same messages | {theirs:.2f} |")
    print(f"| ratio | {each / theirs:.2f} × |")


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/push/run")
    parser.add_argument("--people", type=int, default=500)
    parser.add_argument("--devices", type=int, default=10, help="of each person")
    parser.add_argument("--services", type=int, default=3)
    arguments = parser.parse_args()
    print(f"{datetime.date.today()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}\n")
    senders = [Person(number, 1) for number in range(3)]
    people = [Person(len(senders) + number, arguments.devices) for number in range(arguments.people)]
    with tempfile.TemporaryDirectory(prefix="tintype-push-") as folder:
        fill(f"{folder}/data", [*senders, *people])
        server = subprocess.Popen(
            [BINARY, "serve", "--data", f"{folder}/data", "--port", "0", "--private-addresses", "yes", "--log-level",
             "critical", *LIMITS], stdout=subprocess.PIPE, text=True)
        try:
            port = next(int(found[1]) for line in server.stdout
                        if (found := re.search(r"listening on \S*:(\d+)\)", line)))
            asyncio.run(measure(port, Process(server.pid), people, senders, arguments))
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(timeout=60)


if __name__ == "__main__":
    sys.exit(main())
