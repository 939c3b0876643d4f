"""Measures snaps: the whole one look beside a bare static file of the same bytes, and the Snaps page with
1,000 live snaps. See README.md.
"""

import argparse
import concurrent.futures
import http.client
import json
import pathlib
import re
import shutil
import signal
import statistics
import subprocess
import tempfile
import threading
import time
import uuid

AT_ONCE = 16
POSTERS = 20
SNAPS_EACH = 50
PAGE_REQUESTS = 100


class Install:
    """A copy of the program with its resources, so that a file of ours can be among the static ones."""

    def __init__(self, binary, folder):
        source = pathlib.Path(binary).resolve().parent
        shutil.copy(binary, folder / "tintype")
        shutil.copytree(source / "tintype_Tintype.resources", folder / "tintype_Tintype.resources")
        self.program = folder / "tintype"
        self.public = folder / "tintype_Tintype.resources" / "Resources" / "public"
        self.data = folder / "data"
        self.process = None

    def start(self):
        limits = [f"--limit-{kind}" for kind in ("writes", "reads", "uploads")]
        flags = [part for limit in limits for part in (limit, "1000000")]
        self.process = subprocess.Popen(
            [self.program, "serve", "--data", self.data, "--port", "0", "--log-level", "warning", *flags],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        )
        for line in self.process.stdout:
            if match := re.search(r"listening on \S*:(\d+)\)", line):
                self.port = int(match[1])
                return
        raise RuntimeError("the server did not start")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=60)

    def person(self, username):
        """A new account; its token."""
        secret = self.data.parent / "password"
        secret.write_text("correct horse")
        self.command("account", "create", username, "--display-name", username, "--password-file", secret)
        return self.command("token", "create", username)

    def command(self, *arguments):
        done = subprocess.run([self.program, *arguments, "--data", self.data], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return done.stdout.strip()


class Client:
    """One connection at a time for each thread, kept open."""

    def __init__(self, port, token):
        self.port, self.token = port, token
        self.local = threading.local()

    def call(self, method, path, body=None, headers=()):
        if not hasattr(self.local, "connection"):
            self.local.connection = http.client.HTTPConnection("localhost", self.port, timeout=60)
        self.local.connection.request(
            method, path, body, {"Authorization": f"Bearer {self.token}", "Accept": "image/webp", **dict(headers)}
        )
        answer = self.local.connection.getresponse()
        data = answer.read()
        if answer.status >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status} {data[:200]!r}")
        return data

    def json(self, method, path, **members):
        body = json.dumps(members) if members else None
        return json.loads(self.call(method, path, body, {"Content-Type": "application/json"} if body else ()))

    def upload(self, path):
        boundary = uuid.uuid4().hex
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="p"\r\n\r\n'.encode()
        body = head + path.read_bytes() + f"\r\n--{boundary}--\r\n".encode()
        return json.loads(
            self.call("POST", "/api/v2/media", body, {"Content-Type": f"multipart/form-data; boundary={boundary}"})
        )["id"]


def at_once(work, items):
    """Runs `work` for every item, 16 at once: how many a second, and the p50 and p99 in milliseconds."""

    def timed(item):
        start = time.perf_counter()
        work(item)
        return (time.perf_counter() - start) * 1000

    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        times = list(pool.map(timed, items))
    return len(items) / (time.perf_counter() - start), *percentiles(times)


def percentiles(times):
    cuts = statistics.quantiles(times, n=100)
    return cuts[49], cuts[98]


def prepare(install, picture):
    """A viewer, twenty friends with fifty snaps each; the viewer's client, the snaps, and a snap's bytes."""
    install.start()
    viewer = Client(install.port, install.person("viewer"))
    own = viewer.json("GET", "/api/v1/accounts/verify_credentials")["id"]
    for number in range(POSTERS):
        poster = Client(install.port, install.person(f"poster{number}"))
        id = poster.json("GET", "/api/v1/accounts/verify_credentials")["id"]
        poster.json("POST", f"/api/v1/accounts/{own}/follow")
        viewer.json("POST", f"/api/v1/accounts/{id}/follow")
        photo = poster.upload(picture)
        for _ in range(SNAPS_EACH):
            poster.json("POST", "/api/v1/snaps", photo_id=photo, feed_id="random")
        if number == 0:
            bytes = poster.call("GET", f"/photos/{photo}/large")
    install.stop()
    return viewer.token, bytes


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("binary", help="the built tintype (release for numbers that count)")
    parser.add_argument("picture", type=pathlib.Path, help="a photo, such as a 12-megapixel JPEG")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tintype-snaps-") as folder:
        install = Install(options.binary, pathlib.Path(folder))
        token, picture = prepare(install, options.picture)
        (install.public / "picture.webp").write_bytes(picture)
        install.start()
        try:
            measure(install, Client(install.port, token), len(picture))
        finally:
            install.stop()


def measure(install, viewer, size):
    home = viewer.call("GET", "/snaps", headers={"Accept": "text/html"}).decode()
    static = re.search(r"/static/\w+/", home)[0] + "picture.webp"
    assert len(viewer.call("GET", static)) == size
    snaps = [snap["id"] for section in viewer.json("GET", "/api/v1/snaps") for snap in section["snaps"]]
    assert len(snaps) == POSTERS * SNAPS_EACH

    times = []
    for _ in range(PAGE_REQUESTS):
        start = time.perf_counter()
        viewer.call("GET", "/snaps", headers={"Accept": "text/html"})
        times.append((time.perf_counter() - start) * 1000)
    page = percentiles(times)

    def look(id):
        view = viewer.json("POST", f"/api/v1/snaps/{id}/open")["view"]
        assert len(viewer.call("GET", view["url"][view["url"].index("/api"):])) == size
        viewer.call("POST", f"/api/v1/snaps/{id}/close")

    bare = at_once(lambda _: viewer.call("GET", static), range(len(snaps)))
    looks = at_once(look, snaps)
    print(f"picture: {size:,} bytes; {AT_ONCE} at once; {len(snaps):,} snaps\n")
    print("| what | a second | p50 ms | p99 ms | ratio |\n|---|---:|---:|---:|---:|")
    for name, (rate, middle, worst) in [("bare static file", bare), ("open + fetch + close", looks)]:
        print(f"| {name} | {rate:,.0f} | {middle:.1f} | {worst:.1f} | {bare[0] / rate:.1f} |")
    print(f"\nSnaps page with {len(snaps):,} live snaps: p50 {page[0]:.1f} ms, p99 {page[1]:.1f} ms (goal: below 50 ms)")


main()
