#!/usr/bin/env python3
"""Sends damaged pictures and damaged forms to a server, as an anonymous portrait and as uploads with a token.

Usage: TINTYPE_BINARY=… Tests/fuzz/uploads.py [--seconds N] [--seed N] [--findings FOLDER]

The server has to live, to answer each within 30 seconds with a status that belongs to a request and a sentence for the
person who sent it, and to keep nothing of what it refused: in the end `tintype check` finds nothing, and there are as
many files as rows that name them. A request that breaks this is kept in FOLDER. A seed makes the same requests again.
"""

import argparse
import http.client
import json
import pathlib
import random
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "browser"))
from servers import Server, run  # noqa: E402

SECONDS_TO_ANSWER = 30
# The statuses that a person may get; 303 is for a form that was accepted. 500 is never one of them.
STATUSES = {200, 201, 202, 303, 400, 408, 411, 413, 415, 422, 503}
BOUNDARY = b"----fuzz7MA4YWxk"
# Numbers on which readers trip: nothing, the largest of each size, and those about them.
NUMBERS = [0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40]


class Finding(Exception):
    pass


# MARK: Damage


def some_place(dice, data):
    """A place in some bytes, more often near the beginning, where headers are."""
    return dice.randrange(min(len(data), dice.choice([64, 512, len(data)])) or 1)


def flip(dice, data, _):
    for _ in range(dice.choice([1, 1, 2, 8])):
        data[some_place(dice, data)] = dice.randrange(256)


def number(dice, data, _):
    size = dice.choice([1, 2, 4, 8])
    value = (dice.choice(NUMBERS) + dice.choice([-1, 0, 0, 1])) % (1 << 8 * size)
    place = some_place(dice, data)
    data[place:place + size] = value.to_bytes(size, dice.choice(["big", "little"]))


def cut(dice, data, _):
    del data[dice.randrange(len(data)):]


def drop(dice, data, _):
    place = some_place(dice, data)
    del data[place:place + dice.choice([1, 4, 12, 100, 1000])]


def repeat(dice, data, _):
    place = some_place(dice, data)
    part = data[place:place + dice.choice([1, 4, 12, 100, 1000])]
    data[place:place] = part * dice.choice([1, 1, 3, 50])


def move(dice, data, _):
    place, size = some_place(dice, data), dice.choice([4, 12, 100])
    part = data[place:place + size]
    del data[place:place + size]
    place = dice.randrange(len(data) + 1)
    data[place:place] = part


def splice(dice, data, other):
    place = some_place(dice, other)
    part = other[place:place + dice.choice([12, 100, 2000])]
    place = some_place(dice, data)
    data[place:place + dice.choice([0, len(part)])] = part


def damaged(dice, data, others):
    data = bytearray(data)
    for _ in range(dice.choice([1, 1, 2, 3, 6])):
        if data:
            dice.choice([flip, flip, number, number, cut, drop, repeat, move, splice])(dice, data, dice.choice(others))
    # What a reader makes of more is no question of its header.
    return bytes(data[:200_000])


# MARK: Requests


def form(fields, file_name, file):
    """A multipart form (RFC 7578) of fields and one file."""
    body = b""
    for name, value in fields.items():
        body += b"--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n" % (
            BOUNDARY, name.encode(), value.encode())
    body += b"--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"a.jpg\"\r\n" % (
        BOUNDARY, file_name.encode())
    return body + b"Content-Type: image/jpeg\r\n\r\n%s\r\n--%s--\r\n" % (file, BOUNDARY)


class Sender:
    """Sends request after request to a server, and notices what it must not do."""

    def __init__(self, server, token, corpus, dice):
        self.server, self.token, self.corpus, self.dice = server, token, corpus, dice
        self.statuses = {}
        self.slowest = 0.0
        self.last = None
        self.signed_up = 0

    def step(self):
        """Sends one request."""
        picture = damaged(self.dice, self.dice.choice(self.corpus), self.corpus)
        kind = self.dice.choice(["portrait", "media", "raw"])
        if kind == "media":
            path, body = "/api/v2/media", form({"description": "Look"}, "file", picture)
        else:
            self.signed_up += 1
            fields = {"username": f"p{self.signed_up}", "display_name": "P", "password": "correct horse"}
            path, body = "/signup", form(fields, "portrait", picture)
            if kind == "raw":
                path = self.dice.choice(["/signup", "/api/v2/media"])
                body = damaged(self.dice, body, self.corpus)
        self._send(path, body)

    def _send(self, path, body):
        self.last = (path, body)
        headers = {
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY.decode()}", "Sec-Fetch-Site": "same-origin"}
        if path.startswith("/api"):
            headers["Authorization"] = f"Bearer {self.token}"
        start = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=SECONDS_TO_ANSWER)
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            text = answer.read().decode(errors="replace")
        except (OSError, http.client.HTTPException) as error:
            raise Finding(f"no answer: {error!r}; the server's exit code: {self.server.process.poll()}") from error
        finally:
            connection.close()
        self.slowest = max(self.slowest, time.monotonic() - start)
        self.statuses[answer.status] = self.statuses.get(answer.status, 0) + 1
        if answer.status not in STATUSES:
            raise Finding(f"status {answer.status}: {text[:300]}")
        if answer.status >= 400 and not self._has_sentence(path, text):
            raise Finding(f"status {answer.status} without a sentence: {text[:300]}")

    @staticmethod
    def _has_sentence(path, text):
        if path.startswith("/api"):
            sentence = json.loads(text).get("error", "")
        else:
            match = re.search(r'<p[^>]*class="?error[^>]*>(.*?)</p>', text, re.DOTALL)
            sentence = re.sub(r"<[^>]*>", "", match[1]) if match else ""
        return sentence.strip().endswith(".")


def check_what_is_left(server):
    """Nothing half-stored: each file has its row, each row its file."""
    server.stop()
    checked = run("check", "--data", server.data)
    if checked.returncode != 0:
        raise Finding(f"`tintype check`: {checked.stdout}{checked.stderr}")
    with server.database() as database:
        [[rows]] = database.execute("SELECT count(*) FROM blobs")
    if (files := len(server.pictures())) != rows:
        raise Finding(f"{files} files for {rows} rows")
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--findings", type=pathlib.Path, default=pathlib.Path("."))
    options = parser.parse_args()

    fixtures = HERE.parent / "ImagingTests/Fixtures"
    files = [*(HERE / "corpus").iterdir(), *(path for path in fixtures.iterdir() if path.suffix != ".py")]
    corpus = [path.read_bytes() for path in sorted(files)]
    print(f"uploads: seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        many = "1000000000"
        server = Server(
            pathlib.Path(folder, "data"), "--sign-up", "open", "--password-cost", "10", "--limit-sign-ups", many,
            "--limit-uploads", many, "--limit-writes", many, "--picture-pixels", "20000000",
            "--log-level", "warning")
        sender = Sender(server, server.person("fuzz").token, corpus, random.Random(options.seed))
        try:
            end = time.monotonic() + options.seconds
            while time.monotonic() < end:
                sender.step()
            pictures = check_what_is_left(server)
        except (Finding, AssertionError) as finding:
            path = options.findings / f"finding-{options.seed}"
            if sender.last:
                path.write_bytes(sender.last[1])
            print(f"uploads: a finding, {sender.last and sender.last[0]} with the body {path}:\n{finding}")
            print(pathlib.Path(f"{server.data}.log").read_text()[-4000:])
            sys.exit(1)
        finally:
            if server.process and server.process.poll() is None:
                server.kill()
    statuses = ", ".join(f"{count} × {status}" for status, count in sorted(sender.statuses.items()))
    print(f"uploads: {statuses}; the slowest took {sender.slowest:.1f} s; {pictures} files kept, all is well", flush=True)


main()
