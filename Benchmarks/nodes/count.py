#!/usr/bin/env python3
"""Counts the statements and round trips of each main request on PostgreSQL, and prints a Markdown table.

usage: Benchmarks/nodes/count.py [--binary PATH] [--statements NAME]

Counted is what passes between the server and PostgreSQL (wire.py): BEGIN, COMMIT and ROLLBACK apart. A round trip is
one more time that the server sends after it has got an answer that it waited for; what two connections ask at the same
time is one. Each request is made several times and the smallest counts are taken, since jobs of the server may fall
into the time of a request. `--statements home` prints also the statements of a request in their order.
"""
import argparse
import base64
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("TINTYPE_BUILD", pathlib.Path.home() / ".cache/tintype/build/release"))
TIMES = 5
FRIENDS, POSTS_EACH, MESSAGES = 8, 4, 30
# What a page may cost at most: statements and round trips.
AIMS = {"home": (6, 2)}


def server_on(database: str, folder: str):
    sys.path.append(str(ROOT / "Tests/browser"))
    from servers import Server

    key = pathlib.Path(folder, "key")
    key.write_bytes(base64.b64encode(os.urandom(32)))
    key.chmod(0o600)
    flags = ["--sign-up", "open", "--database", database, "--secrets-key-file", str(key), "--log-level", "warning"]
    for kind in ("reads", "writes", "uploads", "sign-ups"):
        flags += [f"--limit-{kind}", "1000000000"]
    return Server(f"{folder}/data", *flags)


class Community:
    """Someone, friends who post, like and write, and the requests that are counted."""

    def __init__(self, server, picture: str):
        self._me = server.person("viewer")
        self._friends = [server.person(f"friend{number}") for number in range(FRIENDS)]
        for one in self._friends:
            one.follow(self._me)
            self._me.follow(one)
        self._photo = self._me.upload(picture)
        mine = [self._me.post("/api/v1/statuses", status="Mine", media_ids=[self._photo])["id"] for _ in range(4)]
        self._posts, self._snaps = [], []
        for one in self._friends:
            photo = one.upload(picture)
            for number in range(POSTS_EACH):
                words = f"The light at {number} was better, @viewer says."
                self._posts.append(one.post("/api/v1/statuses", status=words, media_ids=[photo])["id"])
            for post in mine:
                one.post(f"/api/v1/statuses/{post}/favourite")
            one.post("/api/v1/statuses", status="A good one", in_reply_to_id=mine[0])
            for number in (1, 2):
                self._snaps.append(
                    one.post("/api/v1/snaps", sample_id=f"memes-{number}", feed_id="memes")["id"])
        self._chats = [self._me.post("/api/v1/chats", account_id=one.id)["id"] for one in self._friends]
        for number in range(MESSAGES):
            writer = (self._me, self._friends[0])[number % 2]
            writer.post(f"/api/v1/chats/{self._chats[0]}/messages", text=f"Message {number}")
        for one, chat in zip(self._friends, self._chats, strict=True):
            one.post(f"/api/v1/chats/{chat}/messages", text="Hello")
        self._liked = iter(self._posts)
        self._opened = iter(self._snaps)

    def requests(self):
        """By name what is asked, as functions."""
        chat, me = self._chats[0], self._me

        def get(path):
            return lambda: me.bytes(path)

        return {
            "home": ("Home", get("/home")),
            "timeline": ("Home timeline, JSON", get("/api/v1/timelines/home?limit=20")),
            "chats": ("Conversations, a list", get("/messages")),
            "conversation": ("A conversation", get(f"/messages/{chat}")),
            "messages": ("Its messages, JSON", get(f"/api/v1/chats/{chat}/messages")),
            "notifications": ("Notifications", get("/notifications")),
            "notifications-json": ("Notifications, JSON", get("/api/v1/notifications")),
            "search": ("Search, JSON", get("/api/v2/search?q=friend")),
            "library": ("Library", get("/library")),
            "profile": ("A profile", get("/@friend1")),
            "comments": ("A post with comments", get(f"/posts/{self._posts[0]}/comments")),
            "snaps": ("Snaps", get("/snaps")),
            "picture": ("A picture", get(f"/photos/{self._photo}/large")),
            "post": ("Posting", lambda: me.post("/api/v1/statuses", status="New", media_ids=[self._photo])),
            "like": ("A like", lambda: me.post(f"/api/v1/statuses/{next(self._liked)}/favourite")),
            "message": ("A message", lambda: me.post(f"/api/v1/chats/{chat}/messages", text="And you?")),
            "open": ("Opening a snap", lambda: me.post(f"/api/v1/snaps/{next(self._opened)}/open")),
        }


def least(wire, ask):
    """The statements of one request, of several times the fewest."""
    ask()  # A connection prepares each statement at its first use.
    found = []
    for _ in range(TIMES):
        wire.begin()
        ask()
        found.append(wire.seen())
    return min(found, key=lambda seen: (len(seen), max((one.round for one in seen), default=0)))


def counts(seen):
    """How many statements that do something, how many that control transactions, and how many round trips."""
    control = [one for one in seen if one.is_control]
    waited = [one.round for one in seen if not one.sql.startswith("ROLLBACK")]
    return len(seen) - len(control), len(control), max(waited, default=0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=str(BUILD / "tintype"))
    parser.add_argument("--statements", action="append", default=[], metavar="NAME")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="no other request")
    arguments = parser.parse_args()
    os.environ["TINTYPE_BINARY"] = arguments.binary
    os.environ["TINTYPE_PASSWORD_COST"] = "10"
    os.environ["TINTYPE_COMMONS_URL"] = ""
    from wire import Wire

    missed = []
    with tempfile.TemporaryDirectory(prefix="tintype-count-") as folder:
        os.chmod(folder, 0o755)  # PostgreSQL runs as another user than root.
        start = [str(ROOT / ".ci/postgres"), f"{folder}/postgres"]
        subprocess.run(start, check=True, stdout=subprocess.DEVNULL)
        try:
            own = f"{folder}/postgres/.s.PGSQL."
            with Wire(f"{own}5433", f"{own}5432") as wire:
                database = f"postgres:///postgres?host={folder}/postgres&port=5433&user=postgres"
                server = server_on(database, folder)
                try:
                    print("| request | statements | begin, commit | round trips |\n|---|--:|--:|--:|")
                    everything = Community(server, str(ROOT / "Sources/Core/Resources/samples/memes-1.webp")).requests()
                    lists = []
                    for name, (title, ask) in everything.items():
                        if arguments.only and name not in arguments.only:
                            continue
                        seen = least(wire, ask)
                        statements, control, rounds = counts(seen)
                        print(f"| {title} | {statements} | {control} | {rounds} |", flush=True)
                        if (name in AIMS and (statements, rounds) > AIMS[name]) or rounds > AIMS.get(name, (0, rounds))[1]:
                            missed.append(f"- {title}: {statements} statements in {rounds} round trips, "
                                          f"aim {AIMS[name][0]} in {AIMS[name][1]}")
                        if name in arguments.statements:
                            lists.append((title, seen))
                finally:
                    server.stop()
        finally:
            subprocess.run([*start, "stop"], check=True, stdout=subprocess.DEVNULL)
    print("\nMissed aims:" if missed else "\nNo aim was missed.")
    for one in missed:
        print(one)
    for title, seen in lists:
        print(f"\n{title} (round, connection, statement):\n")
        for one in seen:
            print(f"{one.round:3} {one.connection:3} {one.sql}")


if __name__ == "__main__":
    main()
