"""Three servers under load, of which one after the other is killed or stopped, while connections to the database are cut and
the store is down: nothing acknowledged is lost, nothing is seen twice, and what is ended is ended everywhere."""

import collections
import http.client
import itertools
import json
import random
import signal
import threading
import time
import urllib.error
import uuid

import pytest

from chats import chat_of, history
from conftest import png
from people import Person, befriend
from services import needs_services, psql

pytestmark = [needs_services, pytest.mark.long]

SECONDS = 60
FLAGS = ["--log-level", "error", "--limit-writes", "1000000", "--limit-uploads", "1000000"]

# What is no answer, or one that says so. A server that is busy or cut off answers 503.
NO_ANSWER = (urllib.error.URLError, http.client.HTTPException, OSError, json.JSONDecodeError)


class Load:
    """What people do at the servers, and what was acknowledged."""

    def __init__(self, nodes, people, chats, picture):
        self.nodes, self.people, self.chats, self.picture = nodes, people, chats, picture
        self.stops = threading.Event()
        self.messages = collections.defaultdict(list)
        self.posts, self.snaps, self.errors = [], [], []
        self.views = collections.Counter()
        self.ended = 0

    def at(self, person, node=None):
        """The person's log-in at one of the servers."""
        return Login(node or random.choice(self.nodes), person)

    def attempt(self, call):
        """The answer of a call, or None when there is none."""
        try:
            return call()
        except urllib.error.HTTPError as error:
            if error.code != 503:
                self.errors.append(f"{error.code} {error.url} {error.read()[:300]}")
        except NO_ANSWER:
            return None

    def repeat(self, step):
        def run():
            while not self.stops.is_set():
                try:
                    step()
                except Exception as error:
                    self.errors.append(repr(error))
                    return

        thread = threading.Thread(target=run)
        thread.start()
        return thread

    def write(self, person):
        text = str(uuid.uuid4())
        chat = random.choice(self.chats[person])
        if self.attempt(lambda: self.at(person).post(f"/api/v1/chats/{chat}/messages", text=text)):
            self.messages[chat, person].append(text)

    def publish(self, person):
        photo = self.attempt(lambda: self.at(person).upload(self.picture))
        if photo is None:
            return
        text = str(uuid.uuid4())
        post = self.attempt(lambda: self.at(person).post("/api/v1/statuses", status=text, media_ids=[photo]))
        if post:
            self.posts.append((person, post["id"], text, photo))

    def look(self, poster, viewer):
        """Posts a snap and opens it at all servers at the same moment."""
        media = self.attempt(lambda: self.at(poster).upload(self.picture, purpose="snap"))
        snap = media and self.attempt(
            lambda: self.at(poster).post("/api/v1/snaps", media_id=media, feed_id="memes")
        )
        if not snap:
            return
        self.snaps.append(snap["id"])

        def open_at(node):
            try:
                self.at(viewer, node).post(f"/api/v1/snaps/{snap['id']}/open")
                self.views[snap["id"]] += 1
            except urllib.error.HTTPError as error:
                if error.code not in (410, 503):
                    self.errors.append(f"{error.code} {error.url}")
            except NO_ANSWER:
                pass

        threads = [threading.Thread(target=open_at, args=(node,)) for node in self.nodes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def leave(self, person):
        """Makes a log-in, ends it at one server, and tries it at the others."""
        cookie = self.attempt(
            lambda: random.choice(self.nodes).enter("/login", username=person.username, password="correct horse")
        )
        if cookie is None:
            return
        login = Login(random.choice(self.nodes), person, cookie)
        if not self.attempt(lambda: login.form("/logout") in (200, 303)):
            return
        self.ended += 1
        for node in self.nodes:
            try:
                Login(node, person, cookie).get("/api/v1/accounts/verify_credentials")
                self.errors.append("a log-in that was ended is good at another server")
            except urllib.error.HTTPError as error:
                if error.code not in (401, 503):
                    self.errors.append(f"{error.code} {error.url}")
            except NO_ANSWER:
                pass


class Login(Person):
    """A person's log-in at a server, without asking the server who they are."""

    def __init__(self, server, person, cookie=None):
        self.server, self.username, self.id = server, person.username, person.id
        self.cookie = cookie or person.cookie
        self._token, self._is_program = None, False

    def form(self, path):
        """Sends a form without fields; the status of the answer."""
        connection = http.client.HTTPConnection("localhost", self.server.port, timeout=30)
        connection.request("POST", path, b"", {**self.credentials, "Content-Type": "application/x-www-form-urlencoded"})
        status = connection.getresponse().status
        connection.close()
        return status


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
    people = [nodes[0].person(f"person{number}") for number in range(4)]
    for one, other in itertools.combinations(people, 2):
        befriend(one, other)
    chats = collections.defaultdict(list)
    for one, other in itertools.combinations(people, 2):
        chat = chat_of(one, other)
        chats[one].append(chat)
        chats[other].append(chat)
    load = Load(nodes, people, chats, picture)
    threads = [load.repeat(lambda person=person: load.write(person)) for person in people]
    threads += [load.repeat(lambda person=person: load.publish(person)) for person in people[:2]]
    threads += [load.repeat(lambda: load.look(people[2], people[3])), load.repeat(lambda: load.leave(people[0]))]
    try:
        trouble(nodes, database, store)
    finally:
        load.stops.set()
        for thread in threads:
            thread.join()
    assert load.errors == []

    person = people[0]
    for chat, sender in load.messages:
        sender.server = random.choice(nodes)
        texts = [message["text"] for message in history(sender, chat)]
        sent = load.messages[chat, sender]
        assert [text for text in texts if text in set(sent)] == sent
    assert sum(map(len, load.messages.values())) > SECONDS
    for person, post, text, photo in load.posts:
        person.server = random.choice(nodes)
        found = person.get(f"/api/v1/statuses/{post}")
        assert (found["text"], [one["id"] for one in found["media_attachments"]]) == (text, [photo])
        assert person.bytes(f"/photos/{photo}/large")[:3] == b"\xff\xd8\xff"
    assert load.posts and load.ended
    assert load.views and max(load.views.values()) == 1
    for node in nodes:
        node.stop()
        node.process = None
    nodes[0].command("check")
